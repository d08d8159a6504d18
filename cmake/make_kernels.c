/* Kernels that are compiled at run time, compiled when the library is built; no GPU is wanted for it.
 *
 *   make_kernels LIST FOLDER [CAPABILITY...]
 *       compiles what LIST names into FOLDER, unless that has been done; for 90, compute capability 9.0
 *   make_kernels --predefined LIST FOLDER [CAPABILITY...]
 *       ... and the kernels of predefined operators (predefined_kernels.h)
 *   make_kernels --list FOLDER
 *       such a list, of what is not predefined and programs have had compiled into FOLDER (GRIDBLAS_CACHE)
 *
 * LIST has the texts as the library makes them, each ended by a line SEPARATOR. The library takes no kernel
 * from FOLDER that it would not make itself in the same way. Where its text of a kernel has changed, that is
 * compiled at its first use, and LIST should be made again (cmake/kernels.sh). */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmake/predefined_kernels.h"
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
static int for_each_kernel(const char *folder, void (*f)(const char *path)) {
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

/* ---- lists of texts ------------------------------------------------------------------------------------ */

typedef struct {
  char **text;
  size_t n, capacity;
} text_list;

/* Appends a copy of the first `bytes` bytes of text. */
static void append(text_list *l, const char *text, size_t bytes) {
  if (l->n == l->capacity) {
    l->capacity = l->capacity ? 2 * l->capacity : 256;
    l->text = realloc(l->text, l->capacity * sizeof *l->text);
    if (!l->text) exit(fail("no memory for", "a list"));
  }
  l->text[l->n++] = strndup(text, bytes);
}

/* By what they end with, the file that is compiled. */
static int by_file(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  const int files = strcmp(strrchr(x, '#'), strrchr(y, '#'));
  return files ? files : strcmp(x, y);
}

static void sort_and_join_equal(text_list *l) {
  size_t n = 0;
  if (l->n) qsort(l->text, l->n, sizeof *l->text, by_file);
  for (size_t k = 0; k < l->n; k++) {
    if (n == 0 || strcmp(l->text[k], l->text[n - 1]) != 0)
      l->text[n++] = l->text[k];
    else
      free(l->text[k]);
  }
  l->n = n;
}

static void clear(text_list *l) {
  for (size_t k = 0; k < l->n; k++) free(l->text[k]);
  free(l->text);
  *l = (text_list){0};
}

static void append_list(text_list *l, const char *list) {
  const char *end;
  for (const char *at = list; (end = strstr(at, "\n" SEPARATOR)); at = end + strlen("\n" SEPARATOR))
    append(l, at, (size_t)(end + 1 - at));
}

static text_list predefined;
static void append_predefined(const grid_jit_source *s, const char *file) {
  char tail[120];
  const int n = snprintf(tail, sizeof tail, "#include \"%.80s\"\n", file);
  char *text = s->no_memory ? NULL : malloc(s->used + (size_t)n);
  if (!text) exit(fail("no memory for", file));
  memcpy(text, s->text, s->used);
  memcpy(text + s->used, tail, (size_t)n);
  append(&predefined, text, s->used + (size_t)n);
  free(text);
}

/* ---- a list from kernels ------------------------------------------------------------------------------- */

/* A file is a head of four words, of which the second is the length of the text that follows
 * (semiring/jit/kernel_cache.c). Its first line is no part of the source. Kernels of the processor are none
 * of ours. */
static text_list found;
static void append_file(const char *path) {
  size_t bytes;
  uint64_t length = 0;
  const size_t head = 4 * sizeof length;
  char *file = read_file(path, &bytes);
  if (bytes > head) memcpy(&length, file + sizeof length, sizeof length);
  if (length && length < bytes - head && memcmp(file + head, first_line, strlen(first_line)) == 0) {
    file[head + length] = 0;
    const char *text = strchr(file + head, '\n') + 1;
    append(&found, text, strlen(text));
  }
  free(file);
}

static int print_list(const char *folder) {
  for_each_kernel(folder, append_file);
  if (!found.n) return fail("no kernels in", folder);
  sort_and_join_equal(&found); /* two compilers' are one text */
  predefined_kernels(append_predefined);
  sort_and_join_equal(&predefined);
  for (size_t k = 0; k < found.n; k++)
    if (!bsearch(&found.text[k], predefined.text, predefined.n, sizeof *predefined.text, by_file))
      printf("%s" SEPARATOR, found.text[k]);
  clear(&found);
  clear(&predefined);
  return 0;
}

/* ---- kernels from a list ------------------------------------------------------------------------------- */

static struct { int at[16], n; } capabilities = {{90}, 1};

static bool read_capabilities(char **text, int n) {
  if (n > (int)(sizeof capabilities.at / sizeof *capabilities.at)) return false;
  for (int k = 0; k < n; k++)
    if ((capabilities.at[k] = (int)strtol(text[k], NULL, 10)) < 80) return false;
  if (n) capabilities.n = n;
  return true;
}

static size_t kernels_of(const text_list *l) {
  return l->n * (size_t)capabilities.n;
}

enum { MARK = 256 };
/* What all of them depend on. */
static void mark_of(const text_list *l, char mark[MARK]) {
  uint64_t h = GRID_HASH_START;
  for (size_t k = 0; k < l->n; k++) h = grid_jit_hash(h, l->text[k], strlen(l->text[k]) + 1);
  for (int k = 0; k < grid_jit_texts; k++)
    h = grid_jit_hash(h, grid_jit_text[k], strlen(grid_jit_text[k]) + 1);
  h = grid_jit_hash(h, &capabilities, sizeof capabilities);
  snprintf(mark, MARK, "%016llx %s\n", (unsigned long long)h, grid_jit_compiler());
}

static bool make(char *text) {
  const char *last = strrchr(text, '#');
  char file[100];
  if (!last || sscanf(last + strlen(include), "%99[^\"]", file) != 1) return false;
  grid_jit_source s = {.text = text, .used = (size_t)(last - text)};
  grid_jit_code *code;
  if (grid_jit_compile(&code, &s, file) == GrB_SUCCESS) return true;
  fprintf(stderr, "make_kernels: %s\n", Grid_last_error());
  return false;
}

/* The share-th of `shares` processes' texts; how many did not compile. */
static int make_share(const text_list *l, size_t share, size_t shares) {
  int bad = 0;
  for (size_t k = share; k < kernels_of(l); k += shares) {
    grid_jit_compile_for(capabilities.at[k / l->n]);
    bad += !make(l->text[k % l->n]);
  }
  return bad;
}

static int make_all(const text_list *l, size_t shares) {
  int bad = 0, status;
  for (size_t k = 0; k < shares; k++) {
    const pid_t pid = fork();
    if (pid < 0) return fail("no process can be started for", "a share");
    if (pid == 0) _exit(make_share(l, k, shares) != 0);
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

/* Has folder, whose marks are given, all kernels of the list? */
static bool is_made(const text_list *l, const char *folder, const char *mark, const char *made) {
  return made && strcmp(made, mark) == 0 && (size_t)for_each_kernel(folder, look) >= kernels_of(l);
}

static int make_folder(const text_list *l, const char *folder) {
  char mark[MARK], path[4096];
  size_t bytes;
  struct timespec begin, end;
  struct stat s;
  mark_of(l, mark);
  path_in(folder, "made-of", path, sizeof path);
  char *made = read_file(path, &bytes);
  const bool is_done = is_made(l, folder, mark, made),
             is_kernel_folder = made || for_each_kernel(folder, look) == 0;
  free(made);
  if (is_done) return utimes(path, NULL) == 0 ? 0 : fail("cannot write in", folder);
  if (!is_kernel_folder) return fail("there are kernels that are none of a list's in", folder);
  if (write_mark(path, "unfinished\n") != 0) return fail("cannot write in", folder);
  if (stat(folder, &s) != 0 || chmod(folder, s.st_mode & 07755) != 0) /* nothing is kept where others write */
    return fail("it belongs to somebody else:", folder);
  for_each_kernel(folder, drop);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const int bad = make_all(l, processors < 1 ? 1 : processors > 64 ? 64 : (size_t)processors);
  clock_gettime(CLOCK_MONOTONIC, &end);
  const int kernels = for_each_kernel(folder, open_up);
  printf("%d kernels in %.1f s\n", kernels,
         (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
  if (bad || (size_t)kernels != kernels_of(l)) return fail("not all could be made in", folder);
  return write_mark(path, mark) == 0 ? 0 : fail("cannot write in", folder);
}

static int make_listed(const char *list_path, const char *folder, bool with_predefined) {
  text_list l = {0};
  size_t bytes;
  char *list = read_file(list_path, &bytes);
  if (!list) return fail("cannot read", list_path);
  if (with_predefined) predefined_kernels(append_predefined);
  l = predefined, predefined = (text_list){0};
  append_list(&l, list);
  free(list);
  sort_and_join_equal(&l);
  const int failed = make_folder(&l, folder);
  clear(&l);
  return failed;
}

int main(int argc, char **argv) {
  const bool with_predefined = argc > 1 && strcmp(argv[1], "--predefined") == 0;
  const int list = 1 + with_predefined;
  if (argc == 3 && strcmp(argv[1], "--list") == 0) return print_list(argv[2]);
  if (argc < list + 2 || !read_capabilities(argv + list + 2, argc - list - 2))
    return fail("usage: make_kernels", "[--predefined] LIST FOLDER [CAPABILITY...] | --list FOLDER");
  const char *folder = argv[list + 1];
  setenv("GRIDBLAS_CACHE", folder, 1);
  setenv("GRIDBLAS_KERNELS", "", 1);
  umask(022);
  if (mkdir(folder, 0755) != 0 && access(folder, W_OK) != 0) return fail("cannot make", folder);
  return make_listed(argv[list], folder, with_predefined);
}
