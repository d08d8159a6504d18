/* The graphs of named_edge_lists.h as matrices, for the tests of algorithms. */
#ifndef GRID_NAMED_GRAPHS_H
#define GRID_NAMED_GRAPHS_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_algos.h"
#include "tests/named_edge_lists.h"

/* Each process contributes some of the edges. */
static inline GrB_Matrix named_build(const named_graph *g, GrB_Type type, bool pattern) {
  uint64_t from[MAX_EDGES], to[MAX_EDGES], m = 0;
  double weight[MAX_EDGES];
  GrB_Matrix A;
  for (uint64_t k = (uint64_t)Grid_rank(); k < g->list.m; k += (uint64_t)Grid_size())
    from[m] = g->from[k], to[m] = g->to[k], weight[m++] = g->weight[k];
  assert_int_equal(GrB_Matrix_new(&A, type, g->list.n, g->list.n), GrB_SUCCESS);
  assert_int_equal(
      Grid_Matrix_build(A, from, to, pattern ? NULL : weight, pattern ? NULL : GrB_FP64, m,
                        pattern ? NULL : GrB_MIN_FP64, g->list.both_directions ? Grid_MIRROR : 0),
      GrB_SUCCESS);
  return A;
}

/* The graph as a matrix of `type`; of parallel edges the lightest counts. */
static inline GrB_Matrix named_matrix(const named_graph *g, GrB_Type type) {
  return named_build(g, type, false);
}
/* ... and without weights. */
static inline GrB_Matrix named_pattern(const named_graph *g) {
  return named_build(g, GrB_BOOL, true);
}

/* A result as n numbers on every process, NaN where it has no entry. */
static inline void named_values(double *value, GrB_Vector v, uint64_t n) {
  GrB_Index at[MAX_VERTICES], count = MAX_VERTICES;
  double x[MAX_VERTICES];
  assert_int_equal(GrB_Vector_extractTuples_FP64(at, x, &count, v), GrB_SUCCESS);
  for (uint64_t k = 0; k < n; k++) value[k] = (double)NAN;
  for (GrB_Index k = 0; k < count; k++) value[at[k]] = x[k];
}

/* The result of a function from a matrix to a vector. */
static inline void make_checker_answer(double *value, GrB_Info (*call)(GrB_Vector *, GrB_Matrix),
                                       GrB_Matrix A) {
  GrB_Vector v;
  GrB_Index n;
  assert_int_equal(call(&v, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(value, v, n);
  GrB_Vector_free(&v);
}

/* The arguments that every function from a matrix to a vector must reject, with its name in the error text.
 */
static inline void named_refusals(GrB_Info (*call)(GrB_Vector *, GrB_Matrix), const char *name) {
  GrB_Matrix A;
  GrB_Vector v = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(call(NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), name));
  assert_int_equal(call(&v, NULL), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), name));
  assert_int_equal(call(&v, A), GrB_DIMENSION_MISMATCH);
  assert_non_null(strstr(Grid_last_error(), name));
  assert_null(v);
  GrB_Matrix_free(&A);
}

/* NULL: the checker found no error. */
static inline void assert_named_correct(const char *why, const named_graph *g) {
  if (why != NULL) fail_msg("%s: %s", g->name, why);
}

/* A matrix result as a list on every process. */
typedef struct {
  GrB_Index row[2 * MAX_EDGES], col[2 * MAX_EDGES], n;
  double value[2 * MAX_EDGES];
} named_list;

static inline void named_entries(named_list *e, GrB_Matrix A) {
  GrB_Matrix converted;
  GrB_Index nrows, ncols;
  assert_int_equal(GrB_Matrix_nrows(&nrows, A), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_ncols(&ncols, A), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&converted, GrB_FP64, nrows, ncols), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_apply(converted, NULL, NULL, GrB_IDENTITY_FP64, A, NULL), GrB_SUCCESS);
  e->n = 2 * MAX_EDGES;
  assert_int_equal(GrB_Matrix_extractTuples_FP64(e->row, e->col, e->value, &e->n, converted), GrB_SUCCESS);
  GrB_Matrix_free(&converted);
}

/* Calls `test` with every graph, named and random, and its number. The matrix types alternate among `count`
 * types (BOOL: without weights). */
static inline void run_named_graphs(const GrB_Type *types, int count,
                                    void (*test)(const named_graph *g, GrB_Matrix A, int k)) {
  static named_graph g;
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    const GrB_Type type = types[k % count];
    named_make(&g, k);
    GrB_Matrix A = named_build(&g, type, type == GrB_BOOL);
    test(&g, A, k);
    GrB_Matrix_free(&A);
  }
}

/* The whole of a test's main function. */
static inline int named_run(const char *name, const struct CMUnitTest *tests, size_t count) {
  if (Grid_init(GrB_NONBLOCKING, NULL, 0, 0) != GrB_SUCCESS) return 2;
  const int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS ? failed : 2;
}
#define NAMED_MAIN(name, ...)                                    \
  int main(void) {                                               \
    const struct CMUnitTest tests[] = {__VA_ARGS__};             \
    return named_run(name, tests, sizeof tests / sizeof *tests); \
  }
#endif
