/* Run-time compilation by NVRTC, and the cache of kernels in memory. */
#include "spmat/cuda/jit/jit.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/jit/kernel_cache.h"
#include "spmat/cuda/device/stream.h"
#include "spmat/cuda/jit/jit_load.h"
#include "spmat/cuda/jit/nvrtc.h"

/* The code of one source. The key is everything that the code depends on; it has the version of the NVRTC
 * with which the library was built, also where another one compiles (load_version). */
struct grid_jit_code {
  struct grid_jit_code *next;
  uint64_t hash;
  char *key;
  int capability; /* of the GPU that it is for */
  void *image;    /* machine code, or PTX; NULL: does not compile */
  size_t bytes;
  char *error;   /* the reason */
  bool on_disk;  /* it was read from disk */
  void *library; /* loaded, or NULL */
  void *kernel;  /* the kernel that was looked up last */
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
  grid_jit_request *in_flight; /* what a thread compiles */
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
  return info;
}

static GrB_Info compile(grid_jit_code *c, const char *source, const char *file) {
  const grid_nvrtc *nvrtc = load_nvrtc();
  nvrtcProgram p = NULL;
  int arch = 0;
  bool ptx = false;
  GrB_Info info;
  if (!nvrtc)
    return grid_fail(NULL, GRID_UNSUPPORTED, "a GPU kernel (%.40s) cannot be compiled: %s", file,
                     jit.nvrtc.missing);
  TRY(choose_architecture(nvrtc, c->capability, &arch, &ptx));
  TRY(check(nvrtc->CreateProgram(&p, source, "preamble", grid_jit_texts, grid_jit_text, grid_jit_text_name),
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

/* The key; its tail, from *source on, is the source to compile. */
static char *make_key(const grid_jit_source *s, const char *file, const char **source) {
  char head[200], tail[120];
  int h = snprintf(head, sizeof head, "// %s %s\n", grid_jit_compiler(), hash_texts());
  int t = snprintf(tail, sizeof tail, "#include \"%.80s\"\n", file);
  char *key = grid_malloc((size_t)h + s->used + (size_t)t + 1, 1);
  if (!key) return NULL;
  memcpy(key, head, (size_t)h);
  memcpy(key + h, s->text, s->used);
  memcpy(key + (size_t)h + s->used, tail, (size_t)t + 1);
  *source = key + h;
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

/* Gets its image, from disk or by compiling. */
static GrB_Info make_image(grid_jit_code *c, const char *source, const char *file) {
  if (read_image(c)) return GrB_SUCCESS;
  GrB_Info info = compile(c, source, file);
  if (info == GrB_SUCCESS) write_image(c);
  return info;
}

/* Adds c to the cache. */
static void cache_code(grid_jit_code *c) {
  jit.counts.from_disk += c->on_disk;
  jit.counts.compiled += c->image && !c->on_disk;
  jit.counts.failed += !c->image;
  c->next = jit.code[c->hash % SLOTS];
  jit.code[c->hash % SLOTS] = c;
}

/* The code of s: a cached one, or a new one with only its key (*source: the part to be compiled). */
static GrB_Info code_of(grid_jit_code **code, const grid_jit_source *s, const char *file, const char **source,
                        bool *is_known) {
  char *key = s->no_memory ? NULL : make_key(s, file, source);
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

GrB_Info grid_jit_compile(grid_jit_code **code, const grid_jit_source *s, const char *file) {
  const char *source;
  grid_jit_code *c;
  bool is_known;
  GrB_Info info = code_of(&c, s, file, &source, &is_known);
  if (info != GrB_SUCCESS) return info;
  if (is_known) {
    jit.counts.from_memory++;
  } else if ((info = make_image(c, source, file)) == GrB_SUCCESS) {
    cache_code(c);
  } else {
    free_code(c);
    return info;
  }
  if (!c->image) return grid_fail(NULL, GrB_INVALID_VALUE, "%s", c->error);
  *code = c;
  return GrB_SUCCESS;
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

GrB_Info grid_jit_kernel(void **kernel, grid_jit_source *s, const char *file, const char *function) {
  grid_jit_code *c = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (s->absent) {
    char text[96];
    snprintf(text, sizeof text, "%.30s: a user-defined operator without source text", file);
    grid_report_fallback(text);
    info = GRID_UNSUPPORTED;
  } else if ((info = grid_jit_compile(&c, s, file)) == GrB_INVALID_VALUE) {
    report(file);
    info = GRID_UNSUPPORTED;
  } else if (info == GRID_UNSUPPORTED) {
    report_missing();
  }
  grid_jit_free(s);
  if (info != GrB_SUCCESS) return info;
  return kernel_of(kernel, c, function);
}

const char *grid_jit_text_of(const void *kernel) {
  for (int k = 0; k < SLOTS; k++)
    for (const grid_jit_code *c = jit.code[k]; c; c = c->next)
      if (c->kernel == kernel) return strchr(c->key, '\n') + 1;
  return NULL;
}

/* ---- compilation in another thread --------------------------------------------------------------------- */

struct grid_jit_request {
  pthread_t thread;
  uintptr_t context;
  grid_jit_code *code;
  const char *source, *file;
  bool threaded, is_known;
  GrB_Info info;
  _Atomic bool done;
};

static void end_thread(grid_jit_request *o) {
  if (o->threaded) pthread_join(o->thread, NULL);
  o->threaded = false;
  if (jit.in_flight == o) jit.in_flight = NULL;
}

/* The threads of all contexts that compile. A program may end without GrB_finalize: the compiler's libraries
 * must not run their exit handlers while a thread compiles. Exit handlers run in reverse order, so the wait
 * is registered after a first compilation, of an empty source by the same steps, which registers theirs. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t ended;
  int running;
  bool is_awaited; /* wait_at_exit is registered */
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void wait_at_exit(void) {
  pthread_mutex_lock(&threads.lock);
  while (threads.running) pthread_cond_wait(&threads.ended, &threads.lock);
  pthread_mutex_unlock(&threads.lock);
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
  }
  if (threads.is_awaited) threads.running += change;
  pthread_cond_signal(&threads.ended);
  pthread_mutex_unlock(&threads.lock);
  return threads.is_awaited;
}

/* Only compiles: files and the environment belong to the program's own thread. */
static void *compile_ordered(void *order) {
  grid_jit_request *o = order;
  GRID_WORKER_SCOPE(o->context);
  o->info = compile(o->code, o->source, o->file);
  o->done = true;
  count_thread(-1);
  return NULL;
}

/* The program's signal handlers are for its own threads. */
static bool begin_thread(grid_jit_request *o) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
  o->context = grid_context_distance;
  if (count_thread(1)) {
    o->threaded = pthread_create(&o->thread, NULL, compile_ordered, o) == 0;
    if (!o->threaded) count_thread(-1);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (o->threaded) jit.in_flight = o;
  return o->threaded;
}

grid_jit_request *grid_jit_request_begin(grid_jit_source *s, const char *file, bool cached) {
  bool begun = false;
  grid_jit_request *o = s->absent || jit.in_flight ? NULL : grid_calloc(1, sizeof *o);
  if (o && code_of(&o->code, s, file, &o->source, &o->is_known) == GrB_SUCCESS) {
    o->file = file;
    begun = o->is_known || read_image(o->code);
    o->done = begun;
    if (!begun && !cached) begun = load_nvrtc() && begin_thread(o);
    if (!begun) free_code(o->code);
  }
  grid_jit_free(s);
  if (begun) return o;
  grid_free(o);
  return NULL;
}

bool grid_jit_request_is_done(const grid_jit_request *o) {
  return o->done;
}

/* Adds the thread's result to the cache, unless the same code has been added meanwhile. */
static grid_jit_code *register_code(grid_jit_request *o) {
  grid_jit_code *c = o->code, *same = find(c->key, c->hash);
  if (same == c) return c;
  if (same || o->info != GrB_SUCCESS) {
    free_code(c);
    return same;
  }
  if (!c->on_disk) write_image(c);
  cache_code(c);
  return c;
}

GrB_Info grid_jit_request_take(grid_jit_request *o, void **kernel, const char *function) {
  end_thread(o);
  if (!kernel && !o->is_known) free_code(o->code);
  grid_jit_code *c = kernel ? register_code(o) : NULL;
  const GrB_Info info = o->info;
  grid_free(o);
  if (!kernel) return GrB_SUCCESS;
  if (!c) return info;
  return c->image ? kernel_of(kernel, c, function) : GRID_UNSUPPORTED;
}
