/* Finds the C compiler, runs it in the background, loads the result. */
#include "semiring/jit/compiler.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "semiring/jit/cpu_features.h"
#include "semiring/jit/jit_settings.h"
#include "semiring/support/mem.h"
#include "semiring/support/trusted_files.h"

enum { TIMEOUT_MS = 60000, SHORT_TIMEOUT_MS = 5000 }; /* time limits for the compiler */
#define CODE_MAX ((size_t)1 << 28)

/* No contraction, so that results are bitwise those of the library's own loops. Hidden visibility, so that
 * functions can be inlined. */
static const char *const options[] = {"-x",
                                      "c",
                                      "-std=gnu11",
                                      "-O3",
                                      "-march=native",
                                      "-fPIC",
                                      "-shared",
                                      "-ffp-contract=off",
                                      "-fvisibility=hidden",
                                      "-fno-math-errno",
                                      "-w",
                                      "-pipe"};
enum { OPTIONS = sizeof options / sizeof *options };

/* The words of the settings, which the program may have changed. */
enum { WORDS = 64, SETTING = 2048 };
typedef struct {
  char copy[3][SETTING];
  char *word[3][WORDS];
  int n[3];
} setting_words;

static bool read_settings(setting_words *w) {
  for (int k = 0; k < 3; k++) {
    const grid_jit_setting_name which = (grid_jit_setting_name)(GRID_JIT_FLAGS + k);
    w->n[k] = grid_jit_setting_words(which, w->copy[k], SETTING, w->word[k], WORDS);
    if (w->n[k] < 0) return false;
  }
  return true;
}

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct {
  bool searched;
  char name[256]; /* "": none */
  char mark[768 + 3 * SETTING];
  char refused[256];  /* why $TMPDIR is not used; "": it is */
  char reported[256]; /* the last such text that was reported */
} compiler;

/* ---- a temporary directory per run ---- */

/* The directory's files are executed, so nobody else may be able to replace it. */
static bool make_folder_in(grid_compilation *c, const char *tmp, char *why, size_t capacity) {
  const int n = snprintf(c->folder, sizeof c->folder, "%s/gridblas-XXXXXX", tmp);
  const bool made = n < (int)sizeof c->folder && mkdtemp(c->folder); /* mode 0700 */
  *why = 0;
  const int at = made ? grid_trusted_folder(c->folder, false, GRID_TRUST_USER, why, capacity) : -1;
  if (at >= 0) {
    close(at);
    return true;
  }
  if (made) rmdir(c->folder);
  c->folder[0] = 0;
  return false;
}

static bool make_folder(grid_compilation *c) {
  const char *tmp = getenv("TMPDIR");
  char why[160];
  const bool is_set = tmp && *tmp == '/', made = is_set && make_folder_in(c, tmp, why, sizeof why);
  compiler.refused[0] = 0;
  if (is_set && !made && *why)
    snprintf(compiler.refused, sizeof compiler.refused, "TMPDIR not used for kernels: others may write to %s",
             why);
  return made || make_folder_in(c, "/tmp", why, sizeof why);
}

void grid_compiler_report(void (*report)(const char *what)) {
  if (strcmp(compiler.refused, compiler.reported) == 0) return;
  memcpy(compiler.reported, compiler.refused, sizeof compiler.reported);
  if (*compiler.reported) report(compiler.reported);
}

static void name_file(char path[192], const grid_compilation *c, const char *name) {
  snprintf(path, 192, "%s/%s", c->folder, name);
}

static void remove_folder(grid_compilation *c) {
  DIR *d = *c->folder ? opendir(c->folder) : NULL;
  for (struct dirent *e; d && (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) unlinkat(dirfd(d), e->d_name, 0);
  if (d) closedir(d);
  if (*c->folder) rmdir(c->folder);
  c->folder[0] = 0;
}

static bool write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "wxe");
  const size_t n = strlen(text);
  const bool good = f && fwrite(text, 1, n, f) == n;
  return f && fclose(f) == 0 && good;
}

/* Reads the start of a small file as text. */
static void read_start(const char *path, char *to, size_t capacity) {
  FILE *f = fopen(path, "re");
  to[f ? fread(to, 1, capacity - 1, f) : 0] = 0;
  if (f) fclose(f);
}

static grid_compiler_outcome read_all(FILE *f, void **code, size_t *bytes) {
  struct stat st;
  if (fstat(fileno(f), &st) != 0 || st.st_size <= 0 || (size_t)st.st_size > CODE_MAX)
    return GRID_COMPILER_FAILED;
  *bytes = (size_t)st.st_size;
  *code = grid_malloc(*bytes, 1);
  if (!*code) return GRID_COMPILER_NO_MEMORY;
  if (fread(*code, 1, *bytes, f) == *bytes) return GRID_COMPILER_DONE;
  grid_free(*code);
  *code = NULL;
  return GRID_COMPILER_FAILED;
}

static grid_compiler_outcome read_code(const char *path, void **code, size_t *bytes) {
  FILE *f = fopen(path, "rbe");
  *code = NULL;
  if (!f) return GRID_COMPILER_FAILED;
  const grid_compiler_outcome o = read_all(f, code, bytes);
  fclose(f);
  return o;
}

/* ---- running ---- */

/* The program's environment, with temporary files in the directory and messages in English. */
static char **make_environment(const grid_compilation *c, char tmp[160]) {
  size_t n = 0, at = 0;
  while (environ[n]) n++;
  char **to = grid_malloc(n + 3, sizeof *to);
  if (!to) return NULL;
  snprintf(tmp, 160, "TMPDIR=%s", c->folder);
  for (size_t k = 0; k < n; k++)
    if (strncmp(environ[k], "TMPDIR=", 7) != 0 && strncmp(environ[k], "LC_ALL=", 7) != 0)
      to[at++] = environ[k];
  to[at++] = tmp, to[at++] = (char *)(uintptr_t) "LC_ALL=C", to[at] = NULL;
  return to;
}

/* Runs the command in a process group of its own, so that it can be killed as a whole; its output goes to
 * the file log. No shell. */
static grid_compiler_outcome run(grid_compilation *c, char *const *command) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t none;
  char log[192], tmp[160], **environment = make_environment(c, tmp);
  if (!environment) return GRID_COMPILER_NO_MEMORY;
  name_file(log, c, "log");
  sigemptyset(&none);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setsigmask(&how, &none);
  const bool started = posix_spawnp(&c->pid, command[0], &files, &how, command, environment) == 0;
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  grid_free(environment);
  if (!started) c->pid = 0;
  c->since = now_ms();
  return started ? GRID_COMPILER_BUSY : GRID_COMPILER_FAILED;
}

/* Has it ended? *status: as from waitpid. A program that waits for all children may have reaped it: then
 * the files decide. */
static bool has_ended(grid_compilation *c, int *status) {
  const pid_t got = waitpid(c->pid, status, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR)) return false;
  if (got < 0) *status = 0;
  c->pid = 0;
  return true;
}

static void end_run(grid_compilation *c) {
  int status;
  if (!c->pid) return;
  kill(-c->pid, SIGKILL);
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) continue;
  c->pid = 0;
}

/* Waits for the end; false: the time limit passed and it was killed. */
static bool wait_for(grid_compilation *c, int *status, int64_t timeout) {
  const struct timespec moment = {0, 500000};
  while (!has_ended(c, status)) {
    if (now_ms() - c->since > timeout) {
      end_run(c);
      return false;
    }
    nanosleep(&moment, NULL);
  }
  return true;
}

void grid_compiler_stop(grid_compilation *c) {
  end_run(c);
  remove_folder(c);
}

/* ---- choice of the compiler ---- */

/* The first line that `name --version` prints; false: it fails. */
static bool read_version(const char *name, char *line, size_t capacity) {
  grid_compilation c = {0};
  char path[192];
  int status = 0;
  char *const command[] = {(char *)(uintptr_t)name, (char *)(uintptr_t) "--version", NULL};
  if (!make_folder(&c)) return false;
  const bool good =
      run(&c, command) == GRID_COMPILER_BUSY && wait_for(&c, &status, SHORT_TIMEOUT_MS) && status == 0;
  name_file(path, &c, "log");
  read_start(path, line, capacity);
  line[strcspn(line, "\n")] = 0;
  remove_folder(&c);
  return good && *line;
}

static void make_mark(const char *version) {
  size_t at = (size_t)snprintf(compiler.mark, sizeof compiler.mark, "%.200s,", version);
  for (int k = 0; k < OPTIONS; k++)
    at += (size_t)snprintf(compiler.mark + at, sizeof compiler.mark - at, " %s", options[k]);
  for (int k = 0; k < 3; k++)
    at += (size_t)snprintf(compiler.mark + at, sizeof compiler.mark - at, "%s%.*s", k ? " " : ", ",
                           SETTING - 1, grid_jit_setting((grid_jit_setting_name)(GRID_JIT_FLAGS + k)));
  for (char *c = compiler.mark; *c; c++)
    if (*c == '\n' || *c == '*') *c = ' '; /* it is one line in a comment */
  at += (size_t)snprintf(compiler.mark + at, sizeof compiler.mark - at, ", ");
  grid_processor_fingerprint(compiler.mark + at, sizeof compiler.mark - at);
}

static void find_compiler(void) {
  static const char *const defaults[] = {"cc", "gcc", "clang"};
  const char *setting = grid_jit_setting(GRID_JIT_COMPILER);
  const bool is_set = *setting;
  char version[256];
  compiler.searched = true;
  compiler.name[0] = 0;
  if (is_set && strcmp(setting, "off") == 0) return;
  for (int k = 0; k < (is_set ? 1 : 3) && !*compiler.name; k++) {
    const char *name = is_set ? setting : defaults[k];
    if (strlen(name) >= sizeof compiler.name || !read_version(name, version, sizeof version)) continue;
    snprintf(compiler.name, sizeof compiler.name, "%s", name);
    make_mark(version);
  }
}

const char *grid_compiler_fingerprint(void) {
  if (!compiler.searched) find_compiler();
  return *compiler.name ? compiler.mark : NULL;
}

const char *grid_compiler_name(void) {
  return grid_compiler_fingerprint() ? compiler.name : "";
}

void grid_compiler_forget(void) {
  compiler.searched = false;
}

/* ---- compiling ---- */

grid_compiler_outcome grid_compiler_start(grid_compilation *c, const char *text) {
  char source[192], object[192];
  char *command[OPTIONS + 3 * WORDS + 5];
  setting_words settings = {0};
  int n = 0;
  *c = (grid_compilation){0};
  if (!read_settings(&settings) || !grid_compiler_fingerprint() || !make_folder(c))
    return GRID_COMPILER_FAILED;
  name_file(source, c, "kernel.c");
  name_file(object, c, "kernel.so");
  command[n++] = compiler.name;
  for (int k = 0; k < OPTIONS; k++) command[n++] = (char *)(uintptr_t)options[k];
  for (int k = 0; k < settings.n[0]; k++) command[n++] = settings.word[0][k];
  for (int k = 0; k < settings.n[1]; k++) command[n++] = settings.word[1][k];
  command[n++] = (char *)(uintptr_t) "-o", command[n++] = object;
  command[n++] = source;
  for (int k = 0; k < settings.n[2]; k++) command[n++] = settings.word[2][k];
  command[n] = NULL;
  const grid_compiler_outcome o = write_file(source, text) ? run(c, command) : GRID_COMPILER_FAILED;
  if (o != GRID_COMPILER_BUSY) remove_folder(c);
  return o;
}

grid_compiler_outcome grid_compiler_poll(grid_compilation *c, bool wait, void **code, size_t *bytes,
                                         char *why, size_t capacity) {
  char path[192];
  int status = 0;
  if (wait ? !wait_for(c, &status, TIMEOUT_MS) : !has_ended(c, &status)) {
    if (!wait && now_ms() - c->since <= TIMEOUT_MS) return GRID_COMPILER_BUSY;
    snprintf(why, capacity, "%s did not finish within %d seconds", compiler.name, TIMEOUT_MS / 1000);
    grid_compiler_stop(c);
    return GRID_COMPILER_FAILED;
  }
  name_file(path, c, "kernel.so");
  const grid_compiler_outcome o = status == 0 ? read_code(path, code, bytes) : GRID_COMPILER_FAILED;
  name_file(path, c, "log");
  if (o == GRID_COMPILER_FAILED) read_start(path, why, capacity);
  if (o == GRID_COMPILER_FAILED && !*why) snprintf(why, capacity, "%s made no file", compiler.name);
  remove_folder(c);
  return o;
}

/* ---- loading ---- */

static bool write_code(int fd, const char *code, size_t bytes) {
  while (bytes > 0) {
    const ssize_t n = write(fd, code, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    code += n, bytes -= (size_t)n;
  }
  return true;
}

/* Loads from a memfd: the code that was checked is the code that runs, and no directory must allow
 * execution. The descriptor stays open: another file under the same number would pass for this one. */
void *grid_compiler_load(grid_loaded *l, const void *code, size_t bytes, const char *symbol, char *why,
                         size_t capacity) {
  char path[40];
  void *at = NULL;
  *l = (grid_loaded){.fd = memfd_create("gridblas-kernel", MFD_CLOEXEC)};
  snprintf(path, sizeof path, "/proc/self/fd/%d", l->fd);
  if (l->fd >= 0 && write_code(l->fd, code, bytes)) {
    l->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (l->library) at = dlsym(l->library, symbol);
    if (!at) snprintf(why, capacity, "%s", dlerror());
  } else {
    snprintf(why, capacity, "no file in memory for a kernel: %s", strerror(errno));
  }
  if (!at) grid_compiler_unload(l);
  return at;
}

void grid_compiler_unload(grid_loaded *l) {
  if (l->library) dlclose(l->library);
  if (l->fd >= 0) close(l->fd);
  *l = (grid_loaded){.fd = -1};
}
