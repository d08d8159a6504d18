/* Run-time compilation by NVRTC, in this thread or another one, and the cache of kernels in memory. */
#include "spmat/cuda/jit/jit.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "semiring/jit/kernel_cache.h"
#include "spmat/cuda/device/stream.h"
#include "spmat/cuda/jit/jit_load.h"
#include "spmat/cuda/jit/nvrtc.h"
#include "spmat/device/kernel_waits.h"

/* The code of one source. The key is everything that the code depends on; it has the version of the NVRTC
 * with which the library was built, also where another one compiles (load_version). */
struct grid_jit_code {
  struct grid_jit_code *next;
  uint64_t hash;
  char *key;
  int capability; /* of the GPU that it is for */
  void *image;    /* machine code, or PTX */
  size_t bytes;
  char *error;   /* why it does not compile; NULL, without an image: it has not been made */
  bool on_disk;  /* it was read from disk */
  void *library; /* loaded, or NULL */
  void *kernel;  /* the kernel that was looked up last */
  /* While a thread compiles it, nothing else is read or written but the key, next and hash. */
  pthread_t thread;
  uintptr_t context;
  const char *file;
  bool threaded;
  GrB_Info info; /* the thread's */
  _Atomic bool done;
};
enum { SLOTS = 256 };
static struct {
  grid_jit_code *code[SLOTS]; /* by hash of the key */
  grid_jit_counts counts;
  char texts_hash[40]; /* "": not computed yet */
  char compiler[120];  /* its version and options */
  int capability;      /* for which is compiled while no GPU is open; 0: 9.0 */
  bool missing;        /* it was said that there is no NVRTC */
  grid_nvrtc nvrtc;
  int threads; /* that compile */
} default_jit GRID_OF_CONTEXT;
#define jit GRID_IN_CONTEXT(default_jit)

grid_jit_counts grid_jit_count(void) {
  return jit.counts;
}

/* ---- NVRTC --------------------------------------------------------------------------------------------- */

enum { OPTIONS = 5, ARCHS = 64 };
#define OPTIONS_TEXT "-std=c++17 -default-device -w"

static int capability(void) {
  const int open = grid_cuda_capability();
  return open ? open : jit.capability ? jit.capability : 90;
}

/* NULL: there is none. */
static const grid_nvrtc *load_nvrtc(void) {
  return grid_nvrtc_load(&jit.nvrtc) ? &jit.nvrtc : NULL;
}

void grid_jit_compile_for(int compute_capability) {
  jit.capability = compute_capability;
}

static GrB_Info check(nvrtcResult r, const char *what) {
  if (r == NVRTC_SUCCESS) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "NVRTC, %s: %s", what, load_nvrtc()->GetErrorString(r));
}

/* The latest architecture that this NVRTC compiles for and the GPU runs. *ptx: an earlier one than the GPU's,
 * so the driver must translate. */
static GrB_Info choose_architecture(const grid_nvrtc *nvrtc, int of, int *arch, bool *ptx) {
  int n = 0, archs[ARCHS];
  GrB_Info info;
  *arch = 0;
  TRY(check(nvrtc->GetNumSupportedArchs(&n), "its architectures"));
  if (n > ARCHS) TRY(grid_fail(NULL, GrB_PANIC, "NVRTC has %d architectures", n));
  TRY(check(nvrtc->GetSupportedArchs(archs), "its architectures"));
  for (int k = 0; k < n; k++)
    if (archs[k] <= of && archs[k] > *arch) *arch = archs[k];
  *ptx = *arch != of;
  if (!*arch)
    TRY(grid_fail(NULL, GrB_INVALID_VALUE, "error: NVRTC %d.%d does not compile for compute capability %d.%d",
                  nvrtc->major, nvrtc->minor, of / 10, of % 10));
done:
  return info;
}

/* NVRTC 13 keeps a cache of its own, which it reads through the driver. Without it a first compilation does
 * not start the driver, and takes the same steps each time (compile_nothing needs that). */
static nvrtcResult run_compiler(const grid_nvrtc *nvrtc, nvrtcProgram p, int arch, bool ptx) {
  char option[32];
  snprintf(option, sizeof option, "-arch=%s_%d", ptx ? "compute" : "sm", arch);
  const char *const options[OPTIONS] = {option, "-std=c++17", "-default-device", "-w", "--no-cache"};
  return nvrtc->CompileProgram(p, nvrtc->major >= 13 ? OPTIONS : OPTIONS - 1, options);
}

/* Stores the compiler's log in code->error. */
static GrB_Info store_compiler_log(const grid_nvrtc *nvrtc, grid_jit_code *c, nvrtcProgram p,
                                   const char *file) {
  size_t bytes = 0;
  const int head = 64;
  if (nvrtc->GetProgramLogSize(p, &bytes) != NVRTC_SUCCESS) bytes = 1;
  c->error = grid_calloc(bytes + (size_t)head, 1);
  if (!c->error) return grid_fail_memory(NULL, "a compiler's log", bytes, 1);
  int n = snprintf(c->error, (size_t)head, "run-time compilation of %.20s: ", file);
  nvrtc->GetProgramLog(p, c->error + n);
  return GrB_SUCCESS;
}

static GrB_Info load_image(const grid_nvrtc *nvrtc, grid_jit_code *c, nvrtcProgram p, bool ptx) {
  GrB_Info info;
  TRY(check((ptx ? nvrtc->GetPTXSize : nvrtc->GetCUBINSize)(p, &c->bytes), "the size of a kernel"));
  c->image = grid_malloc(c->bytes, 1);
  if (!c->image) TRY(grid_fail_memory(NULL, "a kernel", c->bytes, 1));
  TRY(check((ptx ? nvrtc->GetPTX : nvrtc->GetCUBIN)(p, c->image), "a kernel"));
done:
  if (info != GrB_SUCCESS) grid_free(c->image), c->image = NULL;
  return info;
}

/* The part of the key that is compiled. */
static const char *source_of(const grid_jit_code *c) {
  return strchr(c->key, '\n') + 1;
}

static GrB_Info compile(grid_jit_code *c, const char *file) {
  const grid_nvrtc *nvrtc = load_nvrtc();
  nvrtcProgram p = NULL;
  int arch = 0;
  bool ptx = false;
  GrB_Info info;
  if (!nvrtc)
    return grid_fail(NULL, GRID_UNSUPPORTED, "a GPU kernel (%.40s) cannot be compiled: %s", file,
                     jit.nvrtc.missing);
  TRY(choose_architecture(nvrtc, c->capability, &arch, &ptx));
  TRY(check(
      nvrtc->CreateProgram(&p, source_of(c), "preamble", grid_jit_texts, grid_jit_text, grid_jit_text_name),
      "a program"));
  nvrtcResult r = run_compiler(nvrtc, p, arch, ptx);
  if (r == NVRTC_ERROR_COMPILATION)
    TRY(store_compiler_log(nvrtc, c, p, file));
  else if ((info = check(r, file)) == GrB_SUCCESS)
    TRY(load_image(nvrtc, c, p, ptx));
done:
  if (p) nvrtc->DestroyProgram(&p);
  return info;
}

/* ---- the cache ----------------------------------------------------------------------------------------- */

/* Two hashes of the embedded sources, which are part of every key. */
static const char *hash_texts(void) {
  if (*jit.texts_hash) return jit.texts_hash;
  uint64_t a = GRID_HASH_START, b = ~GRID_HASH_START;
  for (int k = 0; k < grid_jit_texts; k++) {
    a = grid_jit_hash(a, grid_jit_text[k], strlen(grid_jit_text[k]) + 1);
    b = grid_jit_hash(b, grid_jit_text[k], strlen(grid_jit_text[k]) + 1);
  }
  snprintf(jit.texts_hash, sizeof jit.texts_hash, "%016llx%016llx", (unsigned long long)a,
           (unsigned long long)b);
  return jit.texts_hash;
}

static const char compiler_name[] = "NVRTC ";
enum { VERSION = 5 };
/* Of VERSION characters, so that one can replace another. */
static void print_version(char to[VERSION + 1], int major, int minor) {
  snprintf(to, VERSION + 1, "%02u.%02u", (unsigned)major % 100, (unsigned)minor % 100);
}

const char *grid_jit_compiler(void) {
  char version[VERSION + 1];
  print_version(version, GRID_NVRTC_MAJOR, GRID_NVRTC_MINOR);
  snprintf(jit.compiler, sizeof jit.compiler, "%s%s sm_%d " OPTIONS_TEXT, compiler_name, version,
           capability());
  return jit.compiler;
}

/* A line, and the source to compile. */
static char *make_key(const grid_jit_source *s, const char *file) {
  char head[200], tail[120];
  int h = snprintf(head, sizeof head, "// %s %s\n", grid_jit_compiler(), hash_texts());
  int t = snprintf(tail, sizeof tail, "#include \"%.80s\"\n", file);
  char *key = grid_malloc((size_t)h + s->used + (size_t)t + 1, 1);
  if (!key) return NULL;
  memcpy(key, head, (size_t)h);
  memcpy(key + h, s->text, s->used);
  memcpy(key + (size_t)h + s->used, tail, (size_t)t + 1);
  return key;
}

static void free_code(grid_jit_code *c) {
  if (!c) return;
  grid_jit_unload(c->library);
  grid_free(c->key);
  grid_free(c->image);
  grid_free(c->error);
  grid_free(c);
}

static grid_jit_code *find(const char *key, uint64_t hash) {
  grid_jit_code *c = jit.code[hash % SLOTS];
  while (c && (c->hash != hash || strcmp(c->key, key) != 0)) c = c->next;
  return c;
}

/* Puts the version of an NVRTC into a key; restored: that of the build. */
static void set_version(char *key, const grid_nvrtc *nvrtc) {
  char version[VERSION + 1];
  print_version(version, nvrtc ? nvrtc->major : GRID_NVRTC_MAJOR, nvrtc ? nvrtc->minor : GRID_NVRTC_MINOR);
  memcpy(key + strlen("// ") + strlen(compiler_name), version, VERSION);
}

/* Kernels of the build need no NVRTC. Those that another version of it has compiled have its version in their
 * files. */
static bool read_image(grid_jit_code *c) {
  c->image = grid_jit_cache_load(c->key, &c->bytes);
  const grid_nvrtc *nvrtc = c->image ? NULL : load_nvrtc();
  if (nvrtc && (nvrtc->major != GRID_NVRTC_MAJOR || nvrtc->minor != GRID_NVRTC_MINOR)) {
    set_version(c->key, nvrtc);
    c->image = grid_jit_cache_load(c->key, &c->bytes);
    set_version(c->key, NULL);
  }
  grid_jit_cache_report(grid_report_fallback);
  return c->on_disk = c->image != NULL;
}

static void write_image(grid_jit_code *c) {
  if (!c->image) return;
  set_version(c->key, load_nvrtc());
  grid_jit_cache_store(c->key, c->image, c->bytes);
  set_version(c->key, NULL);
}

/* ---- compilation in another thread --------------------------------------------------------------------- */

/* The threads of all contexts that compile. A program may end without GrB_finalize: the compiler's libraries
 * must not run their exit handlers while a thread compiles. Exit handlers run in reverse order, so the wait
 * is registered after a first compilation, of an empty source by the same steps, which registers theirs. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t ended;
  int running;
  bool is_awaited;       /* wait_at_exit is registered */
  _Atomic pid_t process; /* which began the first of them; 0: none */
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

/* In a forked process NVRTC's locks, which a thread may have held, would never be released. */
static bool is_forked(void) {
  return threads.process && threads.process != getpid();
}

static void wait_at_exit(void) {
  if (is_forked()) return;
  pthread_mutex_lock(&threads.lock);
  while (threads.running) pthread_cond_wait(&threads.ended, &threads.lock);
  pthread_mutex_unlock(&threads.lock);
}

static void end_thread(grid_jit_code *c) {
  if (!c->threaded) return;
  c->threaded = false;
  jit.threads--;
  if (!is_forked()) {
    pthread_join(c->thread, NULL);
  } else if (!c->done) { /* the thread is the parent's; what it has written here is not used */
    c->image = NULL, c->error = NULL;
    c->info = GRID_UNSUPPORTED;
  }
}

static void compile_nothing(void) {
  const grid_nvrtc *nvrtc = load_nvrtc();
  nvrtcProgram p = NULL;
  int arch;
  bool ptx;
  if (choose_architecture(nvrtc, capability(), &arch, &ptx) != GrB_SUCCESS) return;
  if (nvrtc->CreateProgram(&p, "__global__ void f() {}", "nothing", 0, NULL, NULL) != NVRTC_SUCCESS) return;
  (void)run_compiler(nvrtc, p, arch, ptx);
  nvrtc->DestroyProgram(&p);
}

/* False: the exit would not wait for one. */
static bool count_thread(int change) {
  pthread_mutex_lock(&threads.lock);
  if (!threads.is_awaited) {
    if (jit.counts.compiled + jit.counts.failed == 0) compile_nothing();
    threads.is_awaited = atexit(wait_at_exit) == 0;
    threads.process = getpid();
  }
  if (threads.is_awaited) threads.running += change;
  pthread_cond_signal(&threads.ended);
  pthread_mutex_unlock(&threads.lock);
  return threads.is_awaited;
}

/* Only compiles: files and the environment belong to the program's own thread. */
static void *run_thread(void *code) {
  grid_jit_code *c = code;
  GRID_WORKER_SCOPE(c->context);
  c->info = compile(c, c->file);
  c->done = true;
  count_thread(-1);
  return NULL;
}

/* The program's signal handlers are for its own threads. False: impossible now. */
static bool begin_thread(grid_jit_code *c, const char *file) {
  enum { MOST = 8 };
  sigset_t all, before;
  if (jit.threads == MOST || is_forked() || !load_nvrtc()) return false;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
  grid_cuda_register_close(grid_jit_close);
  c->context = grid_context_distance;
  c->file = file, c->done = false;
  if (count_thread(1)) {
    c->threaded = pthread_create(&c->thread, NULL, run_thread, c) == 0;
    if (!c->threaded) count_thread(-1);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  jit.threads += c->threaded;
  return c->threaded;
}

/* ---- codes --------------------------------------------------------------------------------------------- */

static bool is_made(const grid_jit_code *c) {
  return !c->threaded && (c->image || c->error);
}

static void count_code(const grid_jit_code *c) {
  jit.counts.from_disk += c->on_disk;
  jit.counts.compiled += c->image && !c->on_disk;
  jit.counts.failed += !c->image;
}

/* Waits for the thread that compiles it, if one does. */
static void finish_thread(grid_jit_code *c) {
  if (!c->threaded) return;
  end_thread(c);
  write_image(c);
  if (is_made(c)) count_code(c);
}

/* A code that is in no cache is compiled here, by a thread, or, CACHED, not at all. */
typedef enum { WAIT, BEGIN, CACHED } haste;

/* Gets its image, from disk or by compiling it. */
static GrB_Info make_image(grid_jit_code *c, const char *file, haste how) {
  GrB_Info info = GrB_SUCCESS;
  if (!read_image(c)) {
    if (how == CACHED) return GRID_UNSUPPORTED;
    if (how == BEGIN && begin_thread(c, file)) return info;
    if (is_forked())
      return grid_fail(NULL, GRID_UNSUPPORTED, "a GPU kernel (%.40s) cannot be compiled in a forked process",
                       file);
    info = compile(c, file);
    if (info == GrB_SUCCESS) write_image(c);
  }
  if (info == GrB_SUCCESS) count_code(c);
  return info;
}

/* The code of s: one in memory, or a new one, which has only its key and is not in the cache. */
static GrB_Info code_of(grid_jit_code **code, const grid_jit_source *s, const char *file, bool *is_known) {
  char *key = s->no_memory ? NULL : make_key(s, file);
  if (!key) return grid_fail_memory(NULL, "the text of a kernel", s->used + 4096, 1);
  const uint64_t hash = grid_jit_hash(GRID_HASH_START, key, strlen(key));
  grid_jit_code *c = find(key, hash);
  *is_known = c != NULL;
  *code = c ? c : grid_calloc(1, sizeof *c);
  if (c || !*code) grid_free(key);
  if (!*code) return grid_fail_memory(NULL, "a kernel", 1, sizeof *c);
  if (!c) (*code)->key = key, (*code)->hash = hash, (*code)->capability = capability();
  return GrB_SUCCESS;
}

static void add_code(grid_jit_code *c) {
  c->next = jit.code[c->hash % SLOTS];
  jit.code[c->hash % SLOTS] = c;
}

/* The code of s, made, or given to a thread. What a thread could not make is made here. */
static GrB_Info get_code(grid_jit_code **code, const grid_jit_source *s, const char *file, haste how) {
  grid_jit_code *c;
  bool is_known;
  GrB_Info info = code_of(&c, s, file, &is_known);
  if (info != GrB_SUCCESS) return info;
  if (how == WAIT || c->done) finish_thread(c);
  if (is_made(c))
    jit.counts.from_memory++;
  else if (!c->threaded)
    info = make_image(c, file, how == BEGIN && is_known ? WAIT : how);
  if (!is_known && info != GrB_SUCCESS) free_code(c);
  if (!is_known && info == GrB_SUCCESS) add_code(c);
  *code = c;
  return info;
}

static GrB_Info check_code(const grid_jit_code *c) {
  return c->image ? GrB_SUCCESS : grid_fail(NULL, GrB_INVALID_VALUE, "%s", c->error);
}

GrB_Info grid_jit_compile(grid_jit_code **code, const grid_jit_source *s, const char *file) {
  const GrB_Info info = get_code(code, s, file, WAIT);
  return info == GrB_SUCCESS ? check_code(*code) : info;
}

const void *grid_jit_image(const grid_jit_code *code, size_t *bytes) {
  *bytes = code->bytes;
  return code->image;
}

void grid_jit_close(void) {
  grid_jit_forget_calls();
  for (int k = 0; k < SLOTS; k++)
    while (jit.code[k]) {
      grid_jit_code *c = jit.code[k];
      jit.code[k] = c->next;
      finish_thread(c);
      free_code(c);
    }
}

/* ---- kernels ------------------------------------------------------------------------------------------- */

/* The first line of the log that names an error, for the list of fallbacks. */
static void report(const char *file) {
  const char *log = grid_last_error(), *line = strstr(log, "error");
  char text[96];
  while (line && line > log && line[-1] != '\n') line--;
  snprintf(text, sizeof text, "%.30s: %.*s", file, line ? (int)strcspn(line, "\n") : 20,
           line ? line : "does not compile");
  grid_report_fallback(text);
}

/* Once a program: the CPU computes what has no kernel, and that may take long. */
static void report_missing(void) {
  if (!jit.missing)
    fprintf(stderr, "gridblas: %s; calls without a kernel run on the CPU\n", grid_last_error());
  jit.missing = true;
  grid_report_fallback("GPU kernels cannot be compiled without NVRTC");
}

static GrB_Info kernel_of(void **kernel, grid_jit_code *c, const char *function) {
  if (!c->library) {
    grid_cuda_register_close(grid_jit_close);
    GrB_Info info = grid_jit_load(&c->library, c->image);
    if (info != GrB_SUCCESS) return info;
  }
  GrB_Info info = grid_jit_find(kernel, c->library, function);
  if (info == GrB_SUCCESS) c->kernel = *kernel;
  return info;
}

static GrB_Info get_kernel(void **kernel, const grid_jit_source *s, const char *file, const char *function,
                           haste how) {
  grid_jit_code *c = NULL;
  char text[96];
  if (s->absent) {
    snprintf(text, sizeof text, "%.30s: a user-defined operator without source text", file);
    grid_report_fallback(text);
    return GRID_UNSUPPORTED;
  }
  GrB_Info info = get_code(&c, s, file, how);
  if (info == GrB_SUCCESS && c->threaded) {
    snprintf(text, sizeof text, "%.30s: the CPU computes while the kernel is compiled", file);
    grid_report_fallback(text);
    return GRID_UNSUPPORTED;
  }
  if (info == GrB_SUCCESS) info = check_code(c);
  if (info == GRID_UNSUPPORTED) report_missing();
  if (info == GrB_INVALID_VALUE) report(file), info = GRID_UNSUPPORTED;
  return info == GrB_SUCCESS ? kernel_of(kernel, c, function) : info;
}

GrB_Info grid_jit_kernel(void **kernel, grid_jit_source *s, const char *file, const char *function) {
  const GrB_Info info = get_kernel(kernel, s, file, function, WAIT);
  grid_jit_free(s);
  return info;
}

GrB_Info grid_jit_kernel_or_cpu(void **kernel, grid_jit_source *s, const char *file, const char *function,
                                uint64_t bytes) {
  const haste how = grid_device_waits_for_kernel(bytes) ? WAIT : BEGIN;
  const GrB_Info info = get_kernel(kernel, s, file, function, how);
  grid_jit_free(s);
  return info;
}

GrB_Info grid_jit_cached_kernel(void **kernel, grid_jit_source *s, const char *file, const char *function) {
  grid_jit_code *c;
  GrB_Info info = s->absent ? GRID_UNSUPPORTED : get_code(&c, s, file, CACHED);
  grid_jit_free(s);
  if (info != GrB_SUCCESS) return info;
  return is_made(c) && c->image ? kernel_of(kernel, c, function) : GRID_UNSUPPORTED;
}

const char *grid_jit_text_of(const void *kernel) {
  for (int k = 0; k < SLOTS; k++)
    for (const grid_jit_code *c = jit.code[k]; c; c = c->next)
      if (c->kernel == kernel) return source_of(c);
  return NULL;
}

/* ---- requests ------------------------------------------------------------------------------------------ */

/* A request is its code, in the cache. */
grid_jit_request *grid_jit_request_begin(grid_jit_source *s, const char *file, bool cached) {
  grid_jit_code *c = NULL;
  bool is_known;
  const bool can = !s->absent && code_of(&c, s, file, &is_known) == GrB_SUCCESS;
  grid_jit_free(s);
  if (!can || is_known) return c;
  if (read_image(c))
    count_code(c);
  else if (cached || !begin_thread(c, file))
    free_code(c), c = NULL;
  if (c) add_code(c);
  return c;
}

bool grid_jit_request_is_done(const grid_jit_request *o) {
  return !o->threaded || o->done;
}

GrB_Info grid_jit_request_take(grid_jit_request *o, void **kernel, const char *function) {
  finish_thread(o);
  if (!is_made(o)) return o->info;
  return o->image ? kernel_of(kernel, o, function) : GRID_UNSUPPORTED;
}
