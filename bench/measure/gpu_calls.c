/* gpu_calls [LOG]: the cost of calls in addition to their kernels. It is that of a loop of six small calls on
 * vectors of 2^LOG elements (16) and nvals of the last result, on the GPU. Prints microseconds an iteration,
 * median and least of rounds of 200; the same with nvals after each call; then each call by itself, 200 of
 * them and a wait. Consecutive calls are fused by a kernel that is compiled in the background, so a loop runs
 * for more than a second before it is timed. GRIDBLAS_TUNE=fuse_after=off: single calls. The vectors must
 * equal the CPU's at the end. Exit status: 0; 1 if they differ; 2 after an error. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure/measure.h"

enum { ITERATIONS = 200, ROUNDS = 9, WARM = 1500000 };

typedef struct {
  GrB_Index n;
  GrB_Vector u, v, q, t; /* FP32 */
} loop;

static GrB_Vector draw(GrB_Index n, GrB_Index step) {
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, GrB_FP32, n));
  GrB_Index *at = malloc(n * sizeof *at), m = 0;
  float *x = malloc(n * sizeof *x);
  require(at && x, "memory");
  for (GrB_Index k = 0; k < n; k++)
    if (k % step) at[m] = k, x[m++] = (float)(k * 7919 % 1000) / 1000;
  OK(GrB_Vector_build_FP32(v, at, x, m, NULL));
  free(at), free(x);
  return v;
}

static void loop_make(loop *l, GrB_Index n) {
  *l = (loop){n, draw(n, 3), draw(n, 5), NULL, NULL};
  OK(GrB_Vector_new(&l->q, GrB_FP32, n));
  OK(GrB_Vector_new(&l->t, GrB_FP32, n));
}

static void loop_free(loop *l) {
  GrB_Vector_free(&l->u), GrB_Vector_free(&l->v), GrB_Vector_free(&l->q), GrB_Vector_free(&l->t);
}

/* ---- the calls ---- */

static void mult(loop *l) { /* t = u .* v */
  OK(GrB_Vector_eWiseMult_BinaryOp(l->t, NULL, NULL, GrB_TIMES_FP32, l->u, l->v, NULL));
}
static void halve(loop *l) { /* t = t / 2 */
  OK(GrB_Vector_apply_BinaryOp2nd_FP32(l->t, NULL, NULL, GrB_TIMES_FP32, l->t, 0.5F, NULL));
}
static void add(loop *l) { /* t = t + u */
  OK(GrB_Vector_eWiseAdd_BinaryOp(l->t, NULL, NULL, GrB_PLUS_FP32, l->t, l->u, NULL));
}
static void choose(loop *l) { /* q = those of t above 0.5 */
  OK(GrB_Vector_select_FP32(l->q, NULL, NULL, GrB_VALUEGT_FP32, l->t, 0.5F, NULL));
}
static void shrink(loop *l) { /* q = q / 2 */
  OK(GrB_Vector_apply_BinaryOp2nd_FP32(l->q, NULL, NULL, GrB_TIMES_FP32, l->q, 0.5F, NULL));
}
static void assign_frontier(loop *l) { /* u<q> = q */
  OK(GrB_Vector_assign(l->u, l->q, NULL, l->q, GrB_ALL, l->n, GrB_DESC_S));
}

static const struct {
  const char *name;
  void (*run)(loop *);
} calls[] = {{"eWiseMult", mult}, {"apply", halve},  {"eWiseAdd", add},
             {"select", choose},  {"apply", shrink}, {"assign", assign_frontier}};
enum { CALLS = sizeof calls / sizeof *calls };

static uint64_t iterations(loop *l, bool look) {
  GrB_Index found = 0, other;
  for (int k = 0; k < ITERATIONS; k++) {
    for (int c = 0; c < CALLS; c++) {
      calls[c].run(l);
      if (look) OK(GrB_Vector_nvals(&other, l->t));
    }
    OK(GrB_Vector_nvals(&found, l->q));
  }
  return found;
}

static int by_number(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *name, double *us) {
  qsort(us, ROUNDS, sizeof *us, by_number);
  printf("%-28s %8.2f %8.2f\n", name, us[ROUNDS / 2], us[0]);
}

static uint64_t time_loop(GrB_Index n, bool look, const char *name) {
  double us[ROUNDS];
  loop l;
  uint64_t sum = 0;
  loop_make(&l, n);
  const double warm = now_us() + (name ? WARM : 0);
  do iterations(&l, look);
  while (now_us() < warm);
  for (int r = 0; r < ROUNDS; r++) {
    const double begun = now_us();
    sum += iterations(&l, look);
    us[r] = (now_us() - begun) / ITERATIONS;
  }
  float total = 0;
  OK(GrB_Vector_reduce_FP32(&total, NULL, GrB_MAX_MONOID_FP32, l.u, NULL));
  loop_free(&l);
  if (name) report(name, us);
  return sum * 1000 + (uint64_t)(total * 1000);
}

static void time_calls(GrB_Index n) {
  for (int c = 0; c < CALLS; c++) {
    double us[ROUNDS];
    char name[40];
    loop l;
    loop_make(&l, n);
    iterations(&l, false);
    const double warm = now_us() + WARM;
    do calls[c].run(&l);
    while (now_us() < warm);
    for (int r = 0; r < ROUNDS; r++) {
      const double begun = now_us();
      for (int k = 0; k < ITERATIONS; k++) calls[c].run(&l);
      OK(GrB_Vector_wait(l.t, GrB_MATERIALIZE));
      OK(GrB_Vector_wait(l.q, GrB_MATERIALIZE));
      us[r] = (now_us() - begun) / ITERATIONS;
    }
    loop_free(&l);
    snprintf(name, sizeof name, "%d %s", c + 1, calls[c].name);
    report(name, us);
  }
}

int main(int argc, char **argv) {
  const GrB_Index n = (GrB_Index)1 << (argc > 1 ? strtoul(argv[1], NULL, 10) & 31 : 16);
  OK(GrB_init(GrB_NONBLOCKING));
  const uint64_t want = time_loop(n, false, NULL);
  OK(Grid_device_set(Grid_CUDA));
  printf("2^%s elements: µs            median    least\n", argc > 1 ? argv[1] : "16");
  const uint64_t got = time_loop(n, false, "six calls and a count"),
                 got_looking = time_loop(n, true, "six calls, a count each");
  time_calls(n);
  const char *text;
  uint64_t count;
  for (int k = 0; (text = Grid_fallback(k, &count)); k++)
    printf("the CPU did: %s, %" PRIu64 "\n", text, count);
  OK(GrB_finalize());
  if (got == want && got_looking == want) return 0;
  fprintf(stderr, "gpu_calls: %" PRIu64 ", %" PRIu64 " where the CPU has %" PRIu64 "\n", got, got_looking,
          want);
  return 1;
}
