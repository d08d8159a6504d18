/* Kernels made at run time: which there are, how they stand, and what they are made from. */
#include "semiring/jit/made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/jit/cache.h"
#include "semiring/jit/compiler.h"

/* Room for all of them is there from the start: wanting one takes no memory. */
enum { SLOTS = 512, FULL = 384 };

struct grid_made {
  enum { UNKNOWN, WANTED, MISSED, COMPILING, READY, HOPELESS } state;
  grid_sign sign;
  uint64_t work, again; /* again: MISSED; the work at which disk and compiler are asked next */
  char *key;            /* while it is compiled */
  grid_compilation run;
  grid_loaded loaded;
  const void *kernel;
};
static struct grid_made made[SLOTS];
static int known;
static uint64_t after;
static struct { uint64_t rank, size; } among = {0, 1};
static bool configured, proven, broken; /* the compiler: has compiled something; never will */
static grid_made_counts counts;

grid_made_counts grid_made_count(void) {
  return counts;
}

/* ---- signs ------------------------------------------------------------------------------------------------
 */

static void add(grid_sign *s, const void *p, size_t bytes) {
  s->a = grid_jit_hash(s->a, p, bytes);
  s->b = grid_jit_hash(s->b, p, bytes);
}

static void add_text(grid_sign *s, const char *text) {
  add(s, text ? text : "", text ? strlen(text) + 1 : 1);
}

grid_sign grid_sign_begin(const char *family) {
  grid_sign s = {GRID_HASH_START, ~GRID_HASH_START};
  add_text(&s, family);
  return s;
}

void grid_sign_number(grid_sign *s, uint64_t x) {
  add(s, &x, sizeof x);
}

void grid_sign_type(grid_sign *s, GrB_Type t) {
  const uint64_t what[2] = {t->code, t->size};
  add(s, what, sizeof what);
  if (t->code != GRID_T_UDT) return;
  add_text(s, t->name);
  add_text(s, t->text);
}

static void add_operator(grid_sign *s, int op, const char *name, const char *text) {
  grid_sign_number(s, (uint64_t)op);
  if (op != GRID_OP_USER) return;
  add_text(s, name);
  add_text(s, text);
}

void grid_sign_binary(grid_sign *s, GrB_BinaryOp op) {
  add_operator(s, op->op, op->name, op->text);
  grid_sign_type(s, op->z), grid_sign_type(s, op->x), grid_sign_type(s, op->y);
}

void grid_sign_unary(grid_sign *s, GrB_UnaryOp op) {
  add_operator(s, op->op, op->name, op->text);
  grid_sign_type(s, op->z), grid_sign_type(s, op->x);
}

grid_made *grid_made_find(const grid_sign *s) {
  for (uint64_t at = s->a % SLOTS;; at = (at + 1) % SLOTS) {
    grid_made *m = &made[at];
    if (m->state != UNKNOWN && m->sign.a == s->a && m->sign.b == s->b) return m;
    if (m->state != UNKNOWN) continue;
    if (known == FULL) return NULL;
    known++;
    m->state = WANTED, m->sign = *s;
    return m;
  }
}

/* ---- the text ---------------------------------------------------------------------------------------------
 */

void grid_made_put_text(grid_jit_source *s, const char *name) {
  for (int k = 0; k < grid_c_texts; k++)
    if (strcmp(grid_c_text_name[k], name) == 0) grid_jit_put(s, "%s", grid_c_text[k]);
}

/* All of the file: its first line says what the code depends on beside the text. A program's own functions
 * may call those of math.h, which costs the compiler some time. */
static void write_text(grid_jit_source *s, grid_made_writer write, const void *context) {
  grid_jit_source own;
  grid_jit_begin_c(&own);
  write(&own, context);
  grid_jit_begin_c(s);
  grid_jit_put(s, "/* %s */\n", grid_compiler_mark());
  if (own.user) grid_jit_put(s, "#include <math.h>\n");
  grid_made_put_text(s, "prelude.h");
  grid_made_put_text(s, "integers.h");
  grid_made_put_text(s, "gridblas_table.h");
  grid_made_put_text(s, "cast_rules.h");
  if (own.text) grid_jit_put(s, "#line 1 \"preamble\"\n%s", own.text);
  s->absent = own.absent;
  s->no_memory |= own.no_memory || !own.text;
  grid_jit_free(&own);
}

/* ---- making -----------------------------------------------------------------------------------------------
 */

/* The first line that names an error. */
static void tell(void (*report)(const char *), const char *what) {
  const char *line = strstr(what, "error");
  char text[96];
  while (line && line > what && line[-1] != '\n') line--;
  if (!line) line = what;
  snprintf(text, sizeof text, "kernel by the C compiler: %.*s", (int)strcspn(line, "\n"), line);
  grid_fail(NULL, GrB_INVALID_VALUE, "a kernel was not made by the C compiler: %s", what);
  report(text);
}

/* The code is given up. */
static void take(grid_made *m, void *code, size_t bytes, char *why, size_t room) {
  m->kernel = grid_compiler_load(&m->loaded, code, bytes, "grid_kernel", why, room);
  m->state = m->kernel ? READY : HOPELESS;
  grid_free(code);
}

/* Does the compiler compile anything at all? */
static bool is_working(void) {
  grid_compilation run;
  void *code = NULL;
  size_t bytes;
  char why[200];
  if (proven) return true;
  if (grid_compiler_start(&run, "__attribute__((visibility(\"default\"))) int grid_kernel = 1;\n") ==
          GRID_COMPILER_BUSY &&
      grid_compiler_look(&run, true, &code, &bytes, why, sizeof why) == GRID_COMPILER_DONE) {
    grid_loaded l;
    proven = grid_compiler_load(&l, code, bytes, "grid_kernel", why, sizeof why) != NULL;
    grid_compiler_unload(&l);
  }
  grid_free(code);
  return proven;
}

static void give_up(grid_made *m, const char *why, void (*report)(const char *)) {
  m->state = HOPELESS;
  counts.failed++;
  if (broken) return;
  broken = !is_working();
  tell(report, broken ? "it does not work, and is not asked again" : why);
}

static void look(grid_made *m, void (*report)(const char *)) {
  char why[4000] = "";
  void *code;
  size_t bytes;
  const grid_compiler_outcome o = grid_compiler_look(&m->run, after == 0, &code, &bytes, why, sizeof why);
  if (o == GRID_COMPILER_BUSY) return;
  if (o == GRID_COMPILER_NO_MEMORY) {
    m->state = MISSED; /* later */
  } else if (o == GRID_COMPILER_DONE) {
    counts.compiled++;
    grid_jit_cache_put(m->key, code, bytes);
    take(m, code, bytes, why, sizeof why);
    if (m->state == READY) proven = true;
  }
  grid_free(m->key);
  m->key = NULL;
  if (o == GRID_COMPILER_FAILED || m->state == HOPELESS) give_up(m, why, report);
}

/* The first of several compiles what all will use, as early as their work together asks for it; another does
 * so when it has had all the work itself. */
static uint64_t compile_from(void) {
  return among.rank == 0 ? after / among.size : after;
}

void grid_made_among(int rank, int size) {
  among.rank = (uint64_t)rank, among.size = (uint64_t)size;
}

/* From disk, or by the compiler. */
static void begin(grid_made *m, grid_made_writer write, const void *context, void (*report)(const char *)) {
  grid_jit_source s;
  char why[200];
  size_t bytes;
  write_text(&s, write, context);
  if (s.absent) m->state = HOPELESS; /* it has no text: nothing failed */
  if (s.absent || s.no_memory) goto done;
  if (m->state == WANTED || among.rank > 0) {
    void *code = grid_jit_cache_get(s.text, &bytes);
    grid_jit_cache_report(report);
    m->state = MISSED;
    m->again = among.rank == 0 ? compile_from() : m->work + after / among.size;
    if (code) take(m, code, bytes, why, sizeof why);
    if (m->state == HOPELESS) m->state = MISSED; /* made anew */
    counts.from_disk += m->state == READY;
  }
  if (m->state == MISSED && m->work >= compile_from()) {
    const grid_compiler_outcome o = grid_compiler_start(&m->run, s.text);
    if (o == GRID_COMPILER_BUSY) {
      m->state = COMPILING;
      m->key = s.text, s.text = NULL;
      if (after == 0) look(m, report);
    } else if (o == GRID_COMPILER_FAILED) {
      give_up(m, "it could not be started", report);
    }
  }
done:
  grid_jit_free(&s);
}

static void configure(void) {
  const char *own = getenv("GRIDBLAS_CC_AFTER");
  char *end;
  after = 20000000;
  if (own && *own) {
    const unsigned long long n = strtoull(own, &end, 10);
    if (*end == 0) after = n;
  }
  configured = true;
}

uint64_t grid_made_after(void) {
  if (!configured) configure();
  return after;
}

static bool is_off(void) {
  const char *own = getenv("GRIDBLAS_CC");
  return own && strcmp(own, "off") == 0;
}

static bool is_time(const grid_made *m) {
  const uint64_t look = grid_made_after() < GRID_MADE_LOOK ? after : GRID_MADE_LOOK;
  return m->work >= (m->state == WANTED ? look / among.size : m->again);
}

const void *grid_made_kernel(grid_made *m, grid_made_writer write, const void *context,
                             void (*report)(const char *what)) {
  if (!m) return NULL;
  if (m->state == READY) return m->kernel;
  if (m->state == COMPILING) look(m, report);
  if ((m->state == WANTED || m->state == MISSED) && is_time(m)) {
    if (broken || !grid_compiler_mark()) {
      m->state = HOPELESS;
      if (!broken && !is_off()) tell(report, "there is none");
      broken = true;
    } else {
      begin(m, write, context, report);
    }
  }
  return m->state == READY ? m->kernel : NULL;
}

void grid_made_worked(grid_made *m, uint64_t entries) {
  if (m) __atomic_fetch_add(&m->work, entries, __ATOMIC_RELAXED); /* by threads side by side */
}

void grid_made_close(void) {
  for (int k = 0; k < SLOTS; k++) {
    grid_made *m = &made[k];
    if (m->state == COMPILING) grid_compiler_stop(&m->run);
    if (m->state == READY) grid_compiler_unload(&m->loaded);
    grid_free(m->key);
    *m = (grid_made){0};
  }
  known = 0;
  configured = proven = broken = false;
  grid_compiler_forget();
}
