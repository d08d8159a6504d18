/* Small graphs whose properties are known or quickly found, for the tests of algorithms: as a list of edges
 * for the serial checkers of bench/check, and as a matrix. */
#ifndef TESTS_NAMED_GRAPHS_H
#define TESTS_NAMED_GRAPHS_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/check/graph.h"
#include "gridblas.h"
#include "gridblas_algos.h"

enum { MOST_VERTICES = 200, MOST_EDGES = 4000 };

typedef struct {
  const char *name;
  check_graph list; /* of the arrays below */
  uint64_t from[MOST_EDGES], to[MOST_EDGES];
  double weight[MOST_EDGES];
} named_graph;

static uint64_t named_state = 20261122;
static inline uint64_t named_chance(uint64_t n) {
  named_state = named_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (named_state >> 33) % n;
}

static inline void named_add(named_graph *g, uint64_t from, uint64_t to) {
  if (g->list.m == MOST_EDGES) return;
  g->from[g->list.m] = from;
  g->to[g->list.m] = to;
  g->weight[g->list.m++] = (double)(1 + named_chance(9)); /* whole: sums are exact */
}

/* A random graph with loops, edges listed twice and vertices without edges. */
static inline void named_random(named_graph *g) {
  const uint64_t n = 1 + named_chance(MOST_VERTICES), m = named_chance(6 * n + 1);
  g->list.n = n;
  g->list.both_ways = named_chance(2) == 0;
  for (uint64_t k = 0; k < m; k++) named_add(g, named_chance(n), named_chance(1 + named_chance(n)));
}

enum { NAMED_GRAPHS = 15, RANDOM_GRAPHS = 6 };

/* Graph number k of NAMED_GRAPHS + RANDOM_GRAPHS. */
static inline void named_make(named_graph *g, int k) {
  static const char *const names[NAMED_GRAPHS] = {"one vertex",
                                                  "empty",
                                                  "one vertex with a loop",
                                                  "path",
                                                  "directed path",
                                                  "star",
                                                  "clique",
                                                  "cycle",
                                                  "two triangles",
                                                  "loops",
                                                  "edges listed twice",
                                                  "directed cycle with a tail",
                                                  "grid",
                                                  "bipartite",
                                                  "an arrow to a hub"};
  const int sizes[NAMED_GRAPHS] = {1, 7, 1, 150, 40, 30, 12, 65, 7, 9, 9, 70, 100, 21, 66};
  memset(&g->list, 0, sizeof g->list);
  g->list =
      (check_graph){.from = g->from, .to = g->to, .weight = g->weight, .both_ways = true, .loops = true};
  g->name = k < NAMED_GRAPHS ? names[k] : "random";
  if (k >= NAMED_GRAPHS) {
    named_random(g);
    return;
  }
  const uint64_t n = g->list.n = (uint64_t)sizes[k];
  if (k == 2 || k == 9)
    for (uint64_t v = 0; v < n; v++) named_add(g, v, v);
  if (k == 3 || k == 4 || k == 9 || k == 10)
    for (uint64_t v = 0; v + 1 < n; v++) named_add(g, v, v + 1);
  if (k == 10)
    for (uint64_t v = 0; v + 1 < n; v++) named_add(g, v + (v % 2), v + 1 - (v % 2));
  if (k == 5)
    for (uint64_t v = 1; v < n; v++) named_add(g, 0, v);
  if (k == 6)
    for (uint64_t v = 0; v < n; v++)
      for (uint64_t w = 0; w < v; w++) named_add(g, v, w);
  if (k == 7)
    for (uint64_t v = 0; v < n; v++) named_add(g, v, (v + 1) % n);
  if (k == 8)
    for (uint64_t v = 0; v < 6; v++) named_add(g, v, v / 3 * 3 + (v + 1) % 3);
  if (k == 11)
    for (uint64_t v = 0; v + 1 < n; v++) named_add(g, v, v == 49 ? 0 : v + 1);
  if (k == 11) named_add(g, 20, 50);
  if (k == 12)
    for (uint64_t v = 0; v < n; v++) {
      if (v % 10 < 9) named_add(g, v, v + 1);
      if (v < 90) named_add(g, v, v + 10);
    }
  if (k == 13)
    for (uint64_t v = 0; v < n; v++)
      for (uint64_t w = v % 2 + 1; v < 10 && w < n; w += 3)
        if (w >= 10) named_add(g, v, w);
  if (k == 14)
    for (uint64_t v = 0; v + 1 < n; v++) named_add(g, v, n - 1);
  g->list.both_ways = k != 4 && k != 11 && k != 14;
}

/* Each process gives a share of the edges. */
static inline GrB_Matrix named_build(const named_graph *g, GrB_Type type, bool pattern) {
  uint64_t from[MOST_EDGES], to[MOST_EDGES], m = 0;
  double weight[MOST_EDGES];
  GrB_Matrix A;
  for (uint64_t k = (uint64_t)Grid_rank(); k < g->list.m; k += (uint64_t)Grid_size())
    from[m] = g->from[k], to[m] = g->to[k], weight[m++] = g->weight[k];
  assert_int_equal(GrB_Matrix_new(&A, type, g->list.n, g->list.n), GrB_SUCCESS);
  assert_int_equal(Grid_Matrix_build(A, from, to, pattern ? NULL : weight, pattern ? NULL : GrB_FP64, m,
                                     pattern ? NULL : GrB_MIN_FP64, g->list.both_ways ? Grid_MIRROR : 0),
                   GrB_SUCCESS);
  return A;
}

/* The graph as a matrix of `type`; of several edges between two vertices the lightest counts. */
static inline GrB_Matrix named_matrix(const named_graph *g, GrB_Type type) {
  return named_build(g, type, false);
}
/* ... and without weights. */
static inline GrB_Matrix named_pattern(const named_graph *g) {
  return named_build(g, GrB_BOOL, true);
}

/* An answer as n numbers on every process, NaN where it has no entry. */
static inline void named_values(double *value, GrB_Vector v, uint64_t n) {
  GrB_Index at[MOST_VERTICES], count = MOST_VERTICES;
  double x[MOST_VERTICES];
  assert_int_equal(GrB_Vector_extractTuples_FP64(at, x, &count, v), GrB_SUCCESS);
  for (uint64_t k = 0; k < n; k++) value[k] = (double)NAN;
  for (GrB_Index k = 0; k < count; k++) value[at[k]] = x[k];
}

/* What every function from a matrix to a vector refuses, with its name in the text. */
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

/* NULL: the checker found nothing wrong. */
static inline void named_fine(const char *why, const named_graph *g) {
  if (why != NULL) fail_msg("%s: %s", g->name, why);
}

/* An answer that is a matrix as a list on every process. */
typedef struct {
  GrB_Index row[2 * MOST_EDGES], col[2 * MOST_EDGES], n;
  double value[2 * MOST_EDGES];
} named_list;

static inline void named_entries(named_list *e, GrB_Matrix A) {
  GrB_Matrix wide;
  GrB_Index nrows, ncols;
  assert_int_equal(GrB_Matrix_nrows(&nrows, A), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_ncols(&ncols, A), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&wide, GrB_FP64, nrows, ncols), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_apply(wide, NULL, NULL, GrB_IDENTITY_FP64, A, NULL), GrB_SUCCESS);
  e->n = 2 * MOST_EDGES;
  assert_int_equal(GrB_Matrix_extractTuples_FP64(e->row, e->col, e->value, &e->n, wide), GrB_SUCCESS);
  GrB_Matrix_free(&wide);
}

/* Every graph, named and random, as a matrix of one of `count` types after the other (BOOL: without weights),
 * for `test`, with its number. */
static inline void named_each(const GrB_Type *types, int count,
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
