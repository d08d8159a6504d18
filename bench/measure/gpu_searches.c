/* gpu_searches [SCALE...] (22): searches from some vertices of an R-MAT graph on the GPU, in the forms in
 * which programs write them (tests/unit_lookahead.c has more). It prints milliseconds, the median over the
 * sources after one that is not timed. The time begins before the vectors are created and ends when the
 * results are complete. The forms must agree in the number of vertices found and, if the smallest parent is
 * requested, in the sum of the parents. Up to scale 18 they must agree with the CPU, too. Exit status: 0; 1
 * if they differ; 2 after an error. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure/measure.h"
#include "gridblas_algos.h"

enum { SOURCES = 9 };

typedef struct {
  GrB_Matrix A;
  GrB_Index n, source;
  GrB_Vector parent, level, indices;
} search;

/* ---- the forms ----------------------------------------------------------------------------------------- */

/* The library's own: any parents. */
static void any_parents(search *s) {
  OK(Grid_bfs(&s->level, &s->parent, s->A, s->source, -1));
}

/* Of the GraphBLAS C API specification, 2.1: the least parents; the frontier's values are its indices. */
static void by_apply(search *s) {
  GrB_Vector q = NULL;
  GrB_Index found = 1;
  OK(GrB_Vector_new(&s->parent, GrB_UINT64, s->n));
  OK(GrB_Vector_setElement_UINT64(s->parent, s->source, s->source));
  OK(GrB_Vector_new(&q, GrB_UINT64, s->n));
  OK(GrB_Vector_setElement_UINT64(q, 1, s->source));
  while (found > 0) {
    OK(GrB_Vector_apply_IndexOp_UINT64(q, NULL, NULL, GrB_ROWINDEX_INT64, q, 0, NULL));
    OK(GrB_vxm(q, s->parent, NULL, GrB_MIN_FIRST_SEMIRING_UINT64, q, s->A, GrB_DESC_RSC));
    OK(GrB_Vector_apply(s->parent, NULL, GrB_PLUS_UINT64, GrB_IDENTITY_UINT64, q, NULL));
    OK(GrB_Vector_nvals(&found, q));
  }
  OK(GrB_Vector_free(&q));
}

/* The same with levels, indices assigned from a vector that holds them, INT32. */
static void by_ramp(search *s) {
  GrB_Vector q = NULL;
  GrB_Index found = 1;
  OK(GrB_Vector_new(&s->parent, GrB_INT32, s->n));
  OK(GrB_Vector_setElement_INT32(s->parent, (int32_t)s->source, s->source));
  OK(GrB_Vector_new(&s->level, GrB_INT32, s->n));
  OK(GrB_Vector_setElement_INT32(s->level, 0, s->source));
  OK(GrB_Vector_new(&q, GrB_INT32, s->n));
  OK(GrB_Vector_setElement_INT32(q, (int32_t)s->source, s->source));
  for (int32_t depth = 1; found > 0; depth++) {
    OK(GrB_vxm(q, s->parent, NULL, GrB_MIN_FIRST_SEMIRING_INT32, q, s->A, GrB_DESC_RSC));
    OK(GrB_Vector_assign(s->parent, q, NULL, q, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_assign_INT32(s->level, q, NULL, depth, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_assign(q, q, NULL, s->indices, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_nvals(&found, q));
  }
  OK(GrB_Vector_free(&q));
}

/* The least parents by position. */
static void by_position(search *s) {
  GrB_Vector q = NULL;
  GrB_Index found = 1;
  OK(GrB_Vector_new(&s->parent, GrB_INT64, s->n));
  OK(GrB_Vector_setElement_INT64(s->parent, (int64_t)s->source, s->source));
  OK(GrB_Vector_dup(&q, s->parent));
  while (found > 0) {
    OK(GrB_vxm(q, s->parent, NULL, Grid_MIN_SECONDI_SEMIRING_INT64, q, s->A, GrB_DESC_RSC));
    OK(GrB_Vector_assign(s->parent, q, NULL, q, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_nvals(&found, q));
  }
  OK(GrB_Vector_free(&q));
}

/* As in the specification: levels, whose values are the mask of visited vertices. */
static void by_value(search *s) {
  GrB_Vector q = NULL;
  GrB_Index found = 1;
  OK(GrB_Vector_new(&s->level, GrB_INT32, s->n));
  OK(GrB_Vector_new(&q, GrB_BOOL, s->n));
  OK(GrB_Vector_setElement_BOOL(q, true, s->source));
  for (int32_t depth = 1; found > 0; depth++) {
    OK(GrB_Vector_apply_BinaryOp2nd_INT32(s->level, NULL, GrB_PLUS_INT32, GrB_SECOND_INT32, q, depth, NULL));
    OK(GrB_vxm(q, s->level, NULL, GrB_LOR_LAND_SEMIRING_BOOL, q, s->A, GrB_DESC_RC));
    OK(GrB_Vector_nvals(&found, q));
  }
  OK(GrB_Vector_free(&q));
}

/* Two frontiers that are swapped, and a sum as the loop's condition. */
static void by_turns(search *s) {
  GrB_Vector q[2] = {NULL, NULL};
  bool more = true;
  OK(GrB_Vector_new(&s->level, GrB_INT32, s->n));
  OK(GrB_Vector_setElement_INT32(s->level, 0, s->source));
  for (int k = 0; k < 2; k++) OK(GrB_Vector_new(&q[k], GrB_BOOL, s->n));
  OK(GrB_Vector_setElement_BOOL(q[0], true, s->source));
  for (int32_t depth = 1; more; depth++) {
    const GrB_Vector to = q[depth % 2];
    OK(GrB_vxm(to, s->level, NULL, GrB_LOR_LAND_SEMIRING_BOOL, q[(depth + 1) % 2], s->A, GrB_DESC_RSC));
    OK(GrB_Vector_assign_INT32(s->level, to, NULL, depth, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_reduce_BOOL(&more, NULL, GrB_LOR_MONOID_BOOL, to, NULL));
  }
  for (int k = 0; k < 2; k++) OK(GrB_Vector_free(&q[k]));
}

static const struct {
  const char *name;
  void (*run)(search *s);
  bool least;
} variants[] = {{"ANY_SECONDI, levels and parents", any_parents, false},
                {"MIN_FIRST, indices by apply", by_apply, true},
                {"MIN_FIRST, indices from a ramp, levels", by_ramp, true},
                {"MIN_SECONDI", by_position, true},
                {"LOR_LAND, levels, mask by value", by_value, false},
                {"LOR_LAND, levels, two frontiers", by_turns, false}};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* ---- the run ---- */

static int by_number(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What must be alike. */
typedef struct {
  GrB_Index found;
  int64_t sum;
} answer;

static answer run_one(search *s, int variant, double *ms) {
  answer a = {0};
  const double begun = now_ms();
  variants[variant].run(s);
  if (s->parent) OK(GrB_Vector_wait(s->parent, GrB_MATERIALIZE));
  if (s->level) OK(GrB_Vector_wait(s->level, GrB_MATERIALIZE));
  if (ms) *ms = now_ms() - begun;
  OK(GrB_Vector_nvals(&a.found, s->level ? s->level : s->parent));
  if (variants[variant].least)
    OK(GrB_Vector_reduce_INT64(&a.sum, NULL, GrB_PLUS_MONOID_INT64, s->parent, NULL));
  OK(GrB_Vector_free(&s->level)), OK(GrB_Vector_free(&s->parent));
  return a;
}

static GrB_Index source_of(GrB_Index n, GrB_Vector degree, int k) {
  int64_t d = 0;
  GrB_Index v = (GrB_Index)(k + 1) * 2654435761u % n;
  while (GrB_Vector_extractElement_INT64(&d, degree, v) != GrB_SUCCESS || d == 0) v = (v + 1) % n;
  return v;
}

static bool run_scale(int scale) {
  search s = {.n = (GrB_Index)1 << scale};
  GrB_Vector degree = NULL;
  GrB_Index source[SOURCES];
  answer all[SOURCES] = {{0, 0}};
  bool least_known = false, right = true;
  OK(GrB_Matrix_new(&s.A, GrB_BOOL, s.n, s.n));
  OK(Grid_Matrix_rmat(s.A, scale, 16, 1, Grid_MIRROR | Grid_NO_LOOPS));
  OK(GrB_Matrix_wait(s.A, GrB_MATERIALIZE));
  OK(GrB_Vector_new(&degree, GrB_INT64, s.n));
  OK(Grid_Matrix_degree(degree, s.A, false));
  for (int k = 0; k < SOURCES; k++) source[k] = source_of(s.n, degree, k);
  OK(GrB_Vector_free(&degree));
  OK(GrB_Vector_new(&s.indices, GrB_INT32, s.n));
  OK(GrB_Vector_assign_INT32(s.indices, NULL, NULL, 0, GrB_ALL, s.n, NULL));
  OK(GrB_Vector_apply_IndexOp_INT32(s.indices, NULL, NULL, GrB_ROWINDEX_INT32, s.indices, 0, NULL));
  for (int variant = -1; variant < VARIANTS; variant++) { /* -1: the least parents on the CPU */
    double ms[SOURCES];
    const int run = variant < 0 ? 3 : variant;
    if (variant < 0 && scale > 18) continue;
    if (variant < 0) OK(Grid_device_set(Grid_CPU));
    for (int k = 0; k < SOURCES; k++) {
      s.source = source[k];
      const answer a = run_one(&s, run, &ms[k]);
      if (all[k].found == 0) all[k].found = a.found;
      if (variants[run].least && !least_known) all[k].sum = a.sum;
      right = right && a.found == all[k].found && (!variants[run].least || a.sum == all[k].sum);
    }
    least_known = least_known || variants[run].least;
    if (variant < 0) OK(Grid_device_set(Grid_CUDA));
    if (variant < 0) continue;
    qsort(ms + 1, SOURCES - 1, sizeof *ms, by_number);
    if (Grid_rank() == 0) printf("%d %-40s %8.3f\n", scale, variants[variant].name, ms[SOURCES / 2]);
  }
  OK(GrB_Vector_free(&s.indices));
  OK(GrB_Matrix_free(&s.A));
  return right;
}

int main(int argc, char **argv) {
  bool right = true;
  OK(GrB_init(GrB_NONBLOCKING));
  OK(Grid_device_set(getenv("GPU_SEARCHES_CPU") ? Grid_CPU : Grid_CUDA));
  if (Grid_rank() == 0) printf("scale, way, ms a search\n");
  for (int k = 1; k < argc || k == 1; k++)
    right = run_scale(argc > 1 ? (int)strtol(argv[k], NULL, 10) : 22) && right;
  const char *text;
  uint64_t count;
  for (int k = 0; (text = Grid_fallback(k, &count)); k++)
    if (Grid_rank() == 0) printf("the CPU did: %s, %" PRIu64 "\n", text, count);
  OK(GrB_finalize());
  if (!right) fprintf(stderr, "gpu_searches: the ways differ\n");
  return right ? 0 : 1;
}
