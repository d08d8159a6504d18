/* For tests of threads with contexts of their own: a graph, answers about it, and the state of the default
 * context. */
#ifndef GRID_CONTEXT_CALLS_H
#define GRID_CONTEXT_CALLS_H
#include <math.h>

#include "tests/thread_calls.h"

/* ThreadSanitizer does not know how OpenMP's threads wait for each other. */
#if defined(__SANITIZE_THREAD__)
#define SANITIZE_THREAD 1
#elif defined(__has_feature)
#define SANITIZE_THREAD __has_feature(thread_sanitizer)
#else
#define SANITIZE_THREAD 0
#endif
enum { N = 3000, ROUNDS = 6, OMP_THREADS = SANITIZE_THREAD ? 1 : 2 };

#define SUCCEEDS(call) assert_int_equal((call), GrB_SUCCESS)

/* ---- the state of the default context ---- */

extern char __start_grid_context[] __attribute__((visibility("hidden")));
extern char __stop_grid_context[] __attribute__((visibility("hidden")));

static size_t state_size(void) {
  return (size_t)((uintptr_t)__stop_grid_context - (uintptr_t)__start_grid_context);
}

/* No thread uses it until it is restored, except that Grid_Context_use finds the library initialised. */
static char *overwrite_default(void) {
  char *saved = malloc(state_size());
  assert_non_null(saved);
  memcpy(saved, __start_grid_context, state_size());
  memset(__start_grid_context, 1, state_size());
  return saved;
}

static void restore_default(char *saved) {
  memcpy(__start_grid_context, saved, state_size());
  free(saved);
}

/* Runs the threads while the default context is overwritten. */
static void run_without_default(void *(*run)(void *)) {
  char *saved = overwrite_default();
  run_threads(run);
  restore_default(saved);
}

/* ---- a graph ---- */

static GrB_Matrix graph; /* symmetric, of the owner's context */
static GrB_Vector weight;

typedef struct {
  int64_t levels, paths;
  uint64_t triangles;
  double rank[4], product;
} answers;
static answers expected;
static double rank_tolerance; /* relative, of ranks: another device adds in another order */

static GrB_Matrix make_graph(void) {
  GrB_Matrix A = NULL;
  GrB_Index *i = malloc(8 * N * sizeof *i), *j = malloc(8 * N * sizeof *j), n = 0;
  assert_true(i && j);
  for (GrB_Index v = 0; v < N; v++)
    for (GrB_Index k = 1; k <= 3; k++) {
      const GrB_Index u = k < 3 ? (v + k) % N : (v * v + 17) % N;
      if (u == v) continue;
      i[n] = v, j[n++] = u;
      i[n] = u, j[n++] = v;
    }
  SUCCEEDS(GrB_Matrix_new(&A, GrB_INT64, N, N));
  int64_t *one = malloc(n * sizeof *one);
  assert_non_null(one);
  for (GrB_Index k = 0; k < n; k++) one[k] = 1;
  SUCCEEDS(GrB_Matrix_build_INT64(A, i, j, one, n, GrB_SECOND_INT64));
  free(i), free(j), free(one);
  return A;
}

static answers compute(GrB_Matrix A, GrB_Vector w) {
  answers a = {0};
  GrB_Matrix C = NULL;
  GrB_Vector level = NULL, rank = NULL, y = NULL;
  DONE(Grid_bfs(&level, NULL, A, 5, INT64_MAX));
  DONE(GrB_Vector_reduce_INT64(&a.levels, NULL, GrB_PLUS_MONOID_INT64, level, NULL));
  DONE(Grid_pagerank(&rank, NULL, NULL, A, NULL, 0.85, 1e-9, 100, 0));
  for (GrB_Index k = 0; k < 4; k++) DONE(GrB_Vector_extractElement_FP64(&a.rank[k], rank, k * 700));
  DONE(Grid_triangles(&a.triangles, NULL, A));
  DONE(GrB_Matrix_new(&C, GrB_INT64, N, N));
  DONE(GrB_mxm(C, A, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, A, GrB_DESC_S));
  DONE(GrB_Matrix_reduce_INT64(&a.paths, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  DONE(GrB_Vector_new(&y, GrB_FP64, N));
  DONE(GrB_vxm(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w, A, NULL));
  DONE(GrB_Vector_reduce_FP64(&a.product, NULL, GrB_PLUS_MONOID_FP64, y, NULL));
  DONE(GrB_Matrix_free(&C));
  DONE(GrB_Vector_free(&level)), DONE(GrB_Vector_free(&rank)), DONE(GrB_Vector_free(&y));
  return a;
}

static void expect_answers(GrB_Matrix A, GrB_Vector w) {
  const answers a = compute(A, w);
  EXPECT(a.levels == expected.levels && a.paths == expected.paths && a.triangles == expected.triangles);
  EXPECT(a.product == expected.product);
  for (int k = 0; k < 4; k++) EXPECT(fabs(a.rank[k] - expected.rank[k]) <= rank_tolerance * expected.rank[k]);
}

/* Changes a copy, which shares arrays with the graph. */
static void change_copy(GrB_Matrix A, GrB_Vector w, int t) {
  GrB_Index n = 0;
  int64_t x = 0;
  DONE(GrB_Matrix_setElement_INT64(A, t, 5, 6)), DONE(GrB_Matrix_removeElement(A, 7, 8));
  DONE(GrB_Matrix_apply_BinaryOp2nd_INT64(A, NULL, NULL, GrB_PLUS_INT64, A, t, NULL));
  DONE(GrB_Matrix_extractElement_INT64(&x, A, 5, 6)), EXPECT(x == 2 * t);
  DONE(GrB_Matrix_select_INT64(A, NULL, NULL, GrB_TRIL, A, 0, NULL));
  DONE(GrB_Matrix_nvals(&n, A)), EXPECT(n > 0);
  DONE(GrB_Vector_setElement_FP64(w, t, 9)), DONE(GrB_Vector_clear(w));
}
#endif
