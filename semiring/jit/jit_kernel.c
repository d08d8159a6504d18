/* Run-time compiled kernels: their table, states and source texts. */
#include "semiring/jit/jit_kernel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/jit/kernel_cache.h"
#include "semiring/jit/compiler.h"
#include "semiring/jit/jit_settings.h"
#include "semiring/threads/context_section.h"
#include "semiring/support/tuning.h"

/* The table is static: registering a kernel allocates no memory. */
enum { SLOTS = 512, FULL = 384 };

struct grid_jit_cpu_kernel {
  enum { UNKNOWN, REQUESTED, NOT_ON_DISK, COMPILING, READY, FAILED } state;
  grid_jit_signature signature;
  uint64_t work, again; /* again: in NOT_ON_DISK, the work at which disk and compiler are tried next */
  char *key;            /* source text, while it is compiled */
  grid_compilation run;
  grid_loaded loaded;
  const void *kernel;
};
static struct {
  pthread_mutex_t lock; /* threads that pull pages concurrently look for kernels, too */
  struct grid_jit_cpu_kernel kernel[SLOTS];
  int n;
  bool is_compiler_proven, is_compiler_broken; /* it has compiled something; it never will */
  grid_jit_cpu_kernel_counts counts;
} jit = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct {
  uint64_t rank, size;
} default_local GRID_OF_CONTEXT = {.size = 1}; /* this process among those of the machine */
#define local GRID_IN_CONTEXT(default_local)

grid_jit_cpu_kernel_counts grid_jit_cpu_kernel_get_counts(void) {
  return jit.counts;
}

static grid_jit_cpu_kernel *find(const grid_jit_signature *s) {
  for (uint64_t at = s->a % SLOTS;; at = (at + 1) % SLOTS) {
    grid_jit_cpu_kernel *m = &jit.kernel[at];
    if (m->state != UNKNOWN && m->signature.a == s->a && m->signature.b == s->b) return m;
    if (m->state != UNKNOWN) continue;
    if (jit.n == FULL) return NULL;
    jit.n++;
    m->state = REQUESTED, m->signature = *s;
    return m;
  }
}

grid_jit_cpu_kernel *grid_jit_cpu_kernel_find(const grid_jit_signature *s) {
  pthread_mutex_lock(&jit.lock);
  grid_jit_cpu_kernel *m = find(s);
  pthread_mutex_unlock(&jit.lock);
  return m;
}

/* ---- source text ---- */

void grid_jit_append_embedded_text(grid_jit_source *s, const char *name) {
  for (int k = 0; k < grid_c_texts; k++)
    if (strcmp(grid_c_text_name[k], name) == 0) grid_jit_append(s, "%s", grid_c_text[k]);
}

/* The complete source: its first line is the compiler's fingerprint. User functions may call math.h, which
 * costs compile time, so it is included for them only. */
static void write_text(grid_jit_source *s, grid_jit_cpu_kernel_writer write, const void *context) {
  grid_jit_source body;
  grid_jit_begin_c(&body);
  write(&body, context);
  grid_jit_begin_c(s);
  grid_jit_append(s, "/* %s */\n%s\n", grid_compiler_fingerprint(), grid_jit_setting(GRID_JIT_PREFACE));
  if (body.user) grid_jit_append(s, "#include <math.h>\n");
  grid_jit_append_embedded_text(s, "jit_prelude.h");
  grid_jit_append_embedded_text(s, "jit_integers.h");
  grid_jit_append_embedded_text(s, "gridblas_table.h");
  grid_jit_append_embedded_text(s, "cast_rules.h");
  if (body.text) grid_jit_append(s, "#line 1 \"preamble\"\n%s", body.text);
  s->absent = body.absent;
  s->no_memory |= body.no_memory || !body.text;
  grid_jit_free(&body);
}

/* ---- compiling and loading ---- */

/* Reports the first line that contains "error". */
static void report_failure(void (*report)(const char *), const char *what) {
  const char *line = strstr(what, "error");
  char text[96];
  while (line && line > what && line[-1] != '\n') line--;
  if (!line) line = what;
  snprintf(text, sizeof text, "kernel by the C compiler: %.*s", (int)strcspn(line, "\n"), line);
  grid_fail(NULL, GrB_INVALID_VALUE, "the C compiler made no kernel: %s", what);
  report(text);
}

/* Loads and frees the code. */
static void load_kernel(grid_jit_cpu_kernel *m, void *code, size_t bytes, char *why, size_t capacity) {
  m->kernel = grid_compiler_load(&m->loaded, code, bytes, "grid_kernel", why, capacity);
  m->state = m->kernel ? READY : FAILED;
  grid_free(code);
}

/* Can the compiler compile anything at all? */
static bool can_compile(void) {
  grid_compilation run;
  void *code = NULL;
  size_t bytes;
  char why[200];
  if (jit.is_compiler_proven) return true;
  if (grid_compiler_start(&run, "__attribute__((visibility(\"default\"))) int grid_kernel = 1;\n") ==
          GRID_COMPILER_BUSY &&
      grid_compiler_poll(&run, true, &code, &bytes, why, sizeof why) == GRID_COMPILER_DONE) {
    grid_loaded l;
    jit.is_compiler_proven = grid_compiler_load(&l, code, bytes, "grid_kernel", why, sizeof why) != NULL;
    grid_compiler_unload(&l);
  }
  grid_free(code);
  return jit.is_compiler_proven;
}

static void mark_kernel_failed(grid_jit_cpu_kernel *m, const char *why, void (*report)(const char *)) {
  m->state = FAILED;
  jit.counts.failed++;
  if (jit.is_compiler_broken) return;
  jit.is_compiler_broken = !can_compile();
  report_failure(report, jit.is_compiler_broken ? "it does not work, and is not asked again" : why);
}

static void poll_compilation(grid_jit_cpu_kernel *m, bool wait, void (*report)(const char *)) {
  char why[4000] = "";
  void *code;
  size_t bytes;
  const grid_compiler_outcome o = grid_compiler_poll(&m->run, wait, &code, &bytes, why, sizeof why);
  if (o == GRID_COMPILER_BUSY) return;
  if (o == GRID_COMPILER_NO_MEMORY) {
    m->state = NOT_ON_DISK; /* tried again later */
  } else if (o == GRID_COMPILER_DONE) {
    jit.counts.compiled++;
    grid_jit_cache_store(m->key, code, bytes);
    load_kernel(m, code, bytes, why, sizeof why);
    if (m->state == READY) jit.is_compiler_proven = true;
  }
  grid_free(m->key);
  m->key = NULL;
  if (o == GRID_COMPILER_FAILED || m->state == FAILED) mark_kernel_failed(m, why, report);
}

/* Other threads may add to it. */
static uint64_t get_work(const grid_jit_cpu_kernel *m) {
  return __atomic_load_n(&m->work, __ATOMIC_RELAXED);
}

/* The first process of a machine compiles for all, when their work together reaches the threshold; another
 * one compiles when its own work does. */
static uint64_t compile_from(void) {
  return local.rank == 0 ? grid_tune.cc_threshold / local.size : grid_tune.cc_threshold;
}

void grid_jit_set_local_rank(int rank, int size) {
  local.rank = (uint64_t)rank, local.size = (uint64_t)size;
}

static void load_from_disk(grid_jit_cpu_kernel *m, const char *text, void (*report)(const char *)) {
  char why[200];
  size_t bytes;
  void *code = grid_jit_cache_load(text, &bytes);
  grid_jit_cache_report(report);
  m->state = NOT_ON_DISK;
  m->again = local.rank == 0 ? compile_from() : get_work(m) + grid_tune.cc_threshold / local.size;
  if (code) load_kernel(m, code, bytes, why, sizeof why);
  if (m->state == FAILED) m->state = NOT_ON_DISK; /* made anew */
  jit.counts.from_disk += m->state == READY;
}

/* Loads from disk, or starts the compiler. now: whatever the work, and the end is awaited. */
static void begin(grid_jit_cpu_kernel *m, grid_jit_cpu_kernel_writer write, const void *context, bool now,
                  void (*report)(const char *)) {
  grid_jit_source s;
  write_text(&s, write, context);
  if (s.absent) m->state = FAILED; /* without a text nothing has failed */
  if (s.absent || s.no_memory) goto done;
  if (m->state == REQUESTED || local.rank > 0) load_from_disk(m, s.text, report);
  if (m->state == NOT_ON_DISK && (now || get_work(m) >= compile_from()) && grid_jit_control() == GxB_JIT_ON) {
    const grid_compiler_outcome o = grid_compiler_start(&m->run, s.text);
    if (o == GRID_COMPILER_BUSY) {
      m->state = COMPILING;
      m->key = s.text, s.text = NULL;
      if (now || grid_tune.cc_threshold == 0) poll_compilation(m, true, report);
    } else if (o == GRID_COMPILER_FAILED) {
      mark_kernel_failed(m, "it could not be started", report);
    }
  }
done:
  grid_jit_free(&s);
}

static bool is_disabled(void) {
  return strcmp(grid_jit_setting(GRID_JIT_COMPILER), "off") == 0;
}

static bool is_compile_due(const grid_jit_cpu_kernel *m) {
  const uint64_t look = grid_tune.cc_threshold < GRID_JIT_CACHE_LOOKUP_WORK ? grid_tune.cc_threshold
                                                                            : GRID_JIT_CACHE_LOOKUP_WORK;
  return get_work(m) >= (m->state == REQUESTED ? look / local.size : m->again);
}

static const void *get(grid_jit_cpu_kernel *m, grid_jit_cpu_kernel_writer write, const void *context,
                       bool now, void (*report)(const char *what)) {
  if (grid_jit_control() < GxB_JIT_RUN && !now) return NULL;
  if (m->state == READY) return m->kernel;
  if (m->state == COMPILING) poll_compilation(m, now || grid_tune.cc_threshold == 0, report);
  if (now && m->state == FAILED) m->state = REQUESTED;
  if (grid_jit_control() >= GxB_JIT_LOAD && (m->state == REQUESTED || m->state == NOT_ON_DISK) &&
      (now || is_compile_due(m))) {
    if (jit.is_compiler_broken || !grid_compiler_fingerprint()) {
      m->state = FAILED;
      if (!jit.is_compiler_broken && !is_disabled()) report_failure(report, "no compiler was found");
      jit.is_compiler_broken = true;
    } else {
      begin(m, write, context, now, report);
    }
    grid_compiler_report(report);
  }
  return m->state == READY ? m->kernel : NULL;
}

const void *grid_jit_cpu_kernel_get(grid_jit_cpu_kernel *m, grid_jit_cpu_kernel_writer write,
                                    const void *context, void (*report)(const char *what)) {
  if (!m) return NULL;
  pthread_mutex_lock(&jit.lock);
  const void *kernel = get(m, write, context, false, report);
  pthread_mutex_unlock(&jit.lock);
  return kernel;
}

const void *grid_jit_cpu_kernel_make(grid_jit_cpu_kernel *m, grid_jit_cpu_kernel_writer write,
                                     const void *context, void (*report)(const char *what)) {
  if (!m) return NULL;
  pthread_mutex_lock(&jit.lock);
  const void *kernel = get(m, write, context, true, report);
  pthread_mutex_unlock(&jit.lock);
  return kernel;
}

void grid_jit_cpu_kernels_follow_settings(void) {
  pthread_mutex_lock(&jit.lock);
  jit.is_compiler_proven = jit.is_compiler_broken = false;
  grid_compiler_forget();
  pthread_mutex_unlock(&jit.lock);
}

void grid_jit_add_work(grid_jit_cpu_kernel *m, uint64_t entries) {
  if (m) __atomic_fetch_add(&m->work, entries, __ATOMIC_RELAXED); /* called by several threads */
}

void grid_jit_cpu_kernels_free(void) {
  for (int k = 0; k < SLOTS; k++) {
    grid_jit_cpu_kernel *m = &jit.kernel[k];
    if (m->state == COMPILING) grid_compiler_stop(&m->run);
    if (m->state == READY) grid_compiler_unload(&m->loaded);
    grid_free(m->key);
    *m = (grid_jit_cpu_kernel){0};
  }
  jit.n = 0;
  jit.is_compiler_proven = jit.is_compiler_broken = false;
  grid_compiler_forget();
}
