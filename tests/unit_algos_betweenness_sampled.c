/* Grid_betweenness_sampled: errors within the bound on the named graphs, on a random tree and on one with a
 * hub, where the sample is smaller than the graph. Wrong arguments, and the checker against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/centrality/check_betweenness.h"

enum { VERTICES = 300 };

static double value[VERTICES];
static char text[300];

static uint64_t compute(double *bound, GrB_Matrix A, double epsilon, uint64_t seed) {
  GrB_Vector v;
  GrB_Index at[VERTICES], count = VERTICES, n;
  uint64_t samples;
  assert_int_equal(Grid_betweenness_sampled(&v, &samples, bound, A, epsilon, 0.1, seed), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_extractTuples_FP64(at, value, &count, v), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  assert_int_equal(count, n);
  assert_true(*bound >= 0 && *bound <= epsilon);
  assert_true(samples <= n && (*bound == 0) == (samples == n));
  GrB_Vector_free(&v);
  return samples;
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  double bound;
  if (g->list.n > 120) return; /* paths of 150 levels add no coverage, and take long on 6 processes */
  compute(&bound, A, k % 2 == 0 ? 0.3 : 1e-3, 7);
  assert_named_correct(check_betweenness_bound(&g->list, value, bound, text, sizeof text), g);
}
static void within_bound(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* A random tree, of which most vertices are tied to vertex 0 with `hub`. */
static GrB_Matrix make_tree(named_graph *g, bool hub) {
  GrB_Matrix A;
  g->name = hub ? "tree with a hub" : "tree";
  g->list = (check_graph){.n = VERTICES,
                          .from = g->from,
                          .to = g->to,
                          .weight = g->weight,
                          .both_directions = true,
                          .loops = true};
  for (uint64_t v = 1; v < VERTICES; v++) named_add(g, v, hub && v % 4 > 0 ? 0 : named_chance(v));
  A = named_pattern(g);
  return A;
}

/* Sizes of samples do not depend on the grid. */
static void fewer_than_all(void **state) {
  static named_graph g;
  static double first[VERTICES];
  double bound;
  bool differs = false;
  for (int hub = 0; hub < 2; hub++) {
    GrB_Matrix A = make_tree(&g, hub == 1);
    for (uint64_t seed = 1; seed <= 2; seed++) {
      assert_int_equal(compute(&bound, A, 0.2, seed), 109);
      assert_named_correct(check_betweenness_bound(&g.list, value, bound, text, sizeof text), &g);
      for (int v = 0; v < VERTICES; v++) differs = differs || (seed > 1 && value[v] != first[v]);
      memcpy(first, value, sizeof first);
    }
    GrB_Matrix_free(&A);
  }
  assert_true(differs);
}

static void bad_arguments(void **state) {
  const double wrong[] = {0, -1, 1.5, (double)NAN};
  GrB_Matrix A, oblong, none;
  GrB_Vector v = NULL;
  GrB_Index size = 9;
  uint64_t samples = 77;
  double bound = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&none, GrB_BOOL, 0, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
#define CALL(w, A, epsilon, failure) (Grid_betweenness_sampled(w, &samples, &bound, A, epsilon, failure, 1))
  assert_int_equal(CALL(NULL, A, 0.1, 0.1), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_betweenness_sampled"));
  assert_int_equal(CALL(&v, NULL, 0.1, 0.1), GrB_NULL_POINTER);
  assert_int_equal(CALL(&v, oblong, 0.1, 0.1), GrB_DIMENSION_MISMATCH);
  for (int k = 0; k < 4; k++) {
    assert_int_equal(CALL(&v, A, wrong[k], 0.1), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "epsilon"));
    assert_int_equal(CALL(&v, A, 0.1, wrong[k]), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "failure"));
  }
  assert_int_equal(CALL(&v, A, 0.1, 1), GrB_INVALID_VALUE);
  assert_null(v);
  assert_true(samples == 77 && bound == 77);
  assert_int_equal(CALL(&v, none, 0.1, 0.1), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&size, v), GrB_SUCCESS);
  assert_true(size == 0 && samples == 0 && bound == 0);
#undef CALL
  GrB_Vector_free(&v);
  assert_int_equal(Grid_betweenness_sampled(&v, NULL, NULL, A, 1, 0.5, 1), GrB_SUCCESS);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Matrix_free(&none);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  double bound;
  named_make(&g, 5); /* a star of 30 */
  GrB_Matrix A = named_pattern(&g);
  compute(&bound, A, 0.01, 1);
  assert_null(check_betweenness_bound(&g.list, value, 0, text, sizeof text));
  value[0] -= 0.1 * 30 * 29;
  assert_null(check_betweenness_bound(&g.list, value, 0.11, text, sizeof text));
  assert_non_null(check_betweenness_bound(&g.list, value, 0.09, text, sizeof text));
  value[0] = (double)NAN;
  assert_non_null(check_betweenness_bound(&g.list, value, 0.11, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("betweenness_sampled", cmocka_unit_test(within_bound), cmocka_unit_test(fewer_than_all),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
