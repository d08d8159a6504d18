/* Runs a random program: its variables, its statements, and their final contents. */
#include "tests/twin/random_program.h"

static void (*const statement[])(void) = {
    call_mxv,       call_mxv,       call_ewise,  call_ewise,   call_apply,     call_apply, call_select,
    call_reduce,    call_extract,   call_assign, call_fill,    call_element,   call_shape, call_assign_scalar,
    call_extension, call_extension, call_data,   call_complex, call_rearrange,
#if TWIN_HAS_GrB_mxm
    call_mxm,       call_mxm,       call_mxm,
#endif
#if TWIN_HAS_GrB_Matrix_kronecker_Semiring
    call_kronecker,
#endif
#if TWIN_HAS_GrB_transpose
    call_transpose,
#endif
#if TWIN_HAS_GrB_Matrix_serialize && TWIN_HAS_GrB_Matrix_import_INT32 && TWIN_HAS_GrB_Matrix_export_INT32
    call_exchange,
#endif
};
#define STATEMENTS (sizeof statement / sizeof *statement)

static bool dropped;
static char text[16384];
static size_t used;
static GrB_Info last;
static int64_t fail_at; /* allocation that fails in the call, or -1 */
static uint64_t failures;

/* Is number k in the list TWIN_DROP=3,5,12? */
static bool is_dropped(uint64_t k) {
  const char *list = getenv("TWIN_DROP");
  for (char *end; list && *list; list = *end ? end + 1 : end)
    if (strtoull(list, &end, 10) == k || end == list) return end != list;
  return false;
}

bool live(void) {
  return !dropped;
}

void number_statement(uint64_t k) {
  dropped = is_dropped(k);
  used = 0, text[0] = 0;
  log_text("/* %" PRIu64 " */ ", k);
}
void drop(bool yes) {
  dropped = yes;
  used = 0, text[0] = 0;
}

void log_text(const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  if (used < sizeof text) used += (size_t)vsnprintf(text + used, sizeof text - used, fmt, args);
  va_end(args);
}

/* Flushed before the call, which may crash. */
void begin_call(void) {
  for (const char *p = text; *p; p += strnlen(p, 200)) say("%.200s", p);
  say(";");
  out_flush();
  used = 0, text[0] = 0;
  fail_at = -1;
  const char *fail = getenv("TWIN_FAIL");
  failures = failures * UINT64_C(6364136223846793005) + 1442695040888963407;
  if (fail) twin_fail_after(fail_at = (int64_t)((failures >> 33) % strtoull(fail, NULL, 10)));
}

/* Out of memory: retried with enough. If the failed call changed an output, the result will differ. */
bool repeat_call(GrB_Info info) {
  if (fail_at < 0) return false;
  twin_fail_after(-1);
  fail_at = -1;
  return info == GrB_OUT_OF_MEMORY;
}

void end_call(GrB_Info info, const char *function) {
  last = info;
  say(" // %d", (int)info);
  bool wants_numbers =
      info == GrB_DIMENSION_MISMATCH || info == GrB_INVALID_INDEX || info == GrB_INDEX_OUT_OF_BOUNDS;
  const char *flaw = info < 0 ? twin_error_flaw(function, wants_numbers) : NULL;
  if (flaw) say(", but %s", flaw);
  if (info < 0 && getenv("TWIN_EXPLAIN")) twin_explain();
  say("\n");
}
GrB_Info last_info(void) {
  return last;
}

void show(thing *x) {
  if (!live()) return;
  say_at_most(150);
  if (x->kind == MATRIX) say_matrix(x->name, x->a, x->t);
  if (x->kind == VECTOR) say_vector(x->name, x->v, x->t);
  if (x->kind == SCALAR) {
    value v;
    memset(&v, 0, sizeof v);
    say("%s: %d ", x->name, (int)scalar_get(&v, x->t, x->s));
    say_value(x->t, &v);
    say("\n");
  }
  say_at_most(UINT64_MAX);
}

void look(thing *x) {
  if (chance(50)) show(x);
}

void run_program(uint64_t seed) {
  rnd_seed(seed * 1000003);
  say("== program %" PRIu64 "\n", seed);
  out_flush();
  drop(false);
  const char *most = getenv("TWIN_STATEMENTS");
  uint64_t n = 4 + below(17);
  if (most && strtoull(most, NULL, 10) < n) n = strtoull(most, NULL, 10);
  pool_start();
  for (uint64_t k = 0; k < n; k++) {
    rnd_seed(seed * 1000003 + 17 + k);
    number_statement(k);
    last = GrB_SUCCESS;
    statement_start();
    statement[below(STATEMENTS)]();
    statement_stop();
  }
  drop(false);
  pool_show();
  pool_stop();
}
