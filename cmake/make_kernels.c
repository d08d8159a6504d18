/* Kernels that are compiled at run time, compiled when the library is built; no GPU is wanted for it.
 *
 *   make_kernels LIST FOLDER    compiles what LIST names into FOLDER, unless that has been done
 *   make_kernels --list FOLDER  such a list, of what programs have had compiled into FOLDER (GRIDBLAS_CACHE)
 *
 * LIST has the texts as the library makes them, each ended by a line SEPARATOR. The library takes no kernel
 * from FOLDER that it would not make itself in the same way: where it has come to make a text otherwise, that
 * is compiled when it is first wanted, and LIST should be made again (cmake/kernels.sh). */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "semiring/jit/kernel_cache.h"
#include "spmat/cuda/jit/jit.h"

#define SEPARATOR "----\n"
static const char first_line[] = "// NVRTC ", include[] = "#include \"";

static int fail(const char *what, const char *of) {
  fprintf(stderr, "make_kernels: %s %s\n", what, of);
  return 1;
}

/* A file's bytes, ended by a 0; NULL: it cannot be read. */
static char *read_file(const char *path, size_t *bytes) {
  struct stat st;
  FILE *f = fopen(path, "rb");
  char *text = f && fstat(fileno(f), &st) == 0 ? calloc((size_t)st.st_size + 1, 1) : NULL;
  *bytes = text ? fread(text, 1, (size_t)st.st_size, f) : 0;
  if (f) fclose(f);
  return text;
}

static void path_in(const char *folder, const char *name, char *to, size_t capacity) {
  if (snprintf(to, capacity, "%s/%s", folder, name) >= (int)capacity) exit(fail("too long a name:", folder));
}

static bool is_kernel(const char *name) {
  const size_t n = strlen(name), tail = strlen(".kernel");
  return n > tail && strcmp(name + n - tail, ".kernel") == 0;
}

/* f of the path of each kernel in a folder, by name; how many there are. */
static int each_kernel(const char *folder, void (*f)(const char *path)) {
  struct dirent **at;
  char path[4096];
  int found = 0;
  const int n = scandir(folder, &at, NULL, alphasort);
  for (int k = 0; k < n; free(at[k++])) {
    if (!is_kernel(at[k]->d_name)) continue;
    path_in(folder, at[k]->d_name, path, sizeof path);
    f(path);
    found++;
  }
  if (n >= 0) free(at);
  return found;
}

/* ---- a list from kernels ------------------------------------------------------------------------------- */

/* A file is a head of four words, of which the second is the length of the text that follows
 * (semiring/jit/kernel_cache.c). Its first line is no part of the source. Kernels of the processor are none
 * of ours.
 */
static char *texts[4096];
static size_t texts_n;

static void append_file(const char *path) {
  size_t bytes;
  uint64_t length = 0;
  const size_t head = 4 * sizeof length;
  char *file = read_file(path, &bytes);
  if (bytes > head) memcpy(&length, file + sizeof length, sizeof length);
  if (length && length < bytes - head && memcmp(file + head, first_line, strlen(first_line)) == 0 &&
      texts_n < sizeof texts / sizeof *texts) {
    file[head + length] = 0;
    texts[texts_n++] = strdup(strchr(file + head, '\n') + 1);
  }
  free(file);
}

/* By what they end with, the file that is compiled. */
static int by_file(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  const int files = strcmp(strrchr(x, '#'), strrchr(y, '#'));
  return files ? files : strcmp(x, y);
}

static int print_list(const char *folder) {
  each_kernel(folder, append_file);
  if (!texts_n) return fail("no kernels in", folder);
  qsort(texts, texts_n, sizeof *texts, by_file);
  for (size_t k = 0; k < texts_n; k++) /* two compilers' are one text */
    if (k == 0 || strcmp(texts[k], texts[k - 1]) != 0) printf("%s" SEPARATOR, texts[k]);
  for (size_t k = 0; k < texts_n; k++) free(texts[k]);
  return 0;
}

/* ---- kernels from a list ------------------------------------------------------------------------------- */

enum { MARK = 256 };
/* What all of them depend on. */
static void mark_of(const char *list, char mark[MARK]) {
  uint64_t h = grid_jit_hash(GRID_HASH_START, list, strlen(list));
  for (int k = 0; k < grid_jit_texts; k++)
    h = grid_jit_hash(h, grid_jit_text[k], strlen(grid_jit_text[k]) + 1);
  snprintf(mark, MARK, "%016llx %s\n", (unsigned long long)h, grid_jit_compiler());
}

/* One text, of so many bytes: the file that it ends with is compiled under the rest. */
static bool make(const char *text, size_t bytes) {
  const char *last = NULL;
  char file[100];
  for (const char *at = text; (at = strstr(at, include)) && at < text + bytes; at++) last = at;
  if (!last || sscanf(last + strlen(include), "%99[^\"]", file) != 1) return false;
  grid_jit_source s = {.text = (char *)(uintptr_t)text, .used = (size_t)(last - text)};
  grid_jit_code *code;
  if (grid_jit_compile(&code, &s, file) == GrB_SUCCESS) return true;
  fprintf(stderr, "make_kernels: %s\n", Grid_last_error());
  return false;
}

/* The share-th of `shares` processes' texts; how many did not compile. */
static int make_share(const char *list, int share, int shares) {
  int k = 0, bad = 0;
  const char *end;
  for (const char *at = list; (end = strstr(at, "\n" SEPARATOR)); at = end + strlen("\n" SEPARATOR), k++)
    if (k % shares == share) bad += !make(at, (size_t)(end + 1 - at));
  return bad;
}

/* How many texts there are. */
static int count_texts(const char *list) {
  int n = 0;
  for (const char *at = list; (at = strstr(at, "\n" SEPARATOR)); at++) n++;
  return n;
}

static int make_all(const char *list, int shares) {
  int bad = 0, status;
  for (int k = 0; k < shares; k++) {
    const pid_t pid = fork();
    if (pid < 0) return fail("no process can be started for", "a share");
    if (pid == 0) _exit(make_share(list, k, shares) != 0);
  }
  while (wait(&status) > 0) bad += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  return bad;
}

static void drop(const char *path) {
  unlink(path);
}
/* Others read it. */
static void open_up(const char *path) {
  chmod(path, 0644);
}

static void look(const char *path) {
  (void)path;
}

static int write_mark(const char *path, const char *mark) {
  FILE *f = fopen(path, "w");
  if (!f) return 1;
  const bool written = fputs(mark, f) >= 0;
  return fclose(f) == 0 && written ? 0 : 1;
}

static int make_folder(const char *list_path, const char *folder) {
  char mark[MARK], path[4096];
  size_t bytes;
  struct timespec begin, end;
  struct stat s;
  char *list = read_file(list_path, &bytes), *made;
  if (!list) return fail("cannot read", list_path);
  mark_of(list, mark);
  path_in(folder, "made-of", path, sizeof path);
  made = read_file(path, &bytes);
  const int wanted = count_texts(list), there = each_kernel(folder, look);
  const bool is_compiled = made && strcmp(made, mark) == 0 && there >= wanted;
  const bool is_ours = made || there == 0;
  free(made);
  if (is_compiled) {
    free(list);
    return utimes(path, NULL) == 0 ? 0 : fail("cannot write in", folder);
  }
  if (!is_ours || write_mark(path, "unfinished\n") != 0) {
    free(list);
    return is_ours ? fail("cannot write in", folder)
                   : fail("there are kernels that are none of a list's in", folder);
  }
  if (stat(folder, &s) != 0 ||
      chmod(folder, s.st_mode & 07755) != 0) { /* nothing is kept where others write */
    free(list);
    return fail("it belongs to somebody else:", folder);
  }
  each_kernel(folder, drop);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const int bad = make_all(list, processors < 1 ? 1 : processors > 64 ? 64 : (int)processors);
  clock_gettime(CLOCK_MONOTONIC, &end);
  free(list);
  const int found = each_kernel(folder, open_up);
  printf("%d kernels in %.1f s\n", found,
         (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
  if (bad || found != wanted) return fail("not all could be made in", folder);
  return write_mark(path, mark) == 0 ? 0 : fail("cannot write in", folder);
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--list") == 0) return print_list(argv[2]);
  if (argc != 3) return fail("usage: make_kernels", "LIST FOLDER | --list FOLDER");
  setenv("GRIDBLAS_CACHE", argv[2], 1);
  setenv("GRIDBLAS_KERNELS", "", 1);
  umask(022);
  if (mkdir(argv[2], 0755) != 0 && access(argv[2], W_OK) != 0) return fail("cannot make", argv[2]);
  return make_folder(argv[1], argv[2]);
}
