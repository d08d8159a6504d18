/* Grid_peer_pressure against the serial checker, known clusters, wrong arguments, and the checker against
 * wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/communities/check_peer_pressure.h"

static double cluster[MAX_VERTICES];
static char text[300];

static uint64_t compute(GrB_Matrix A, uint64_t limit) {
  GrB_Vector v;
  GrB_Index n;
  uint64_t iterations = 77;
  assert_int_equal(Grid_peer_pressure(&v, &iterations, A, limit), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(cluster, v, n);
  GrB_Vector_free(&v);
  return iterations;
}

/* Several processes take every third graph. */
static void compare(const named_graph *g, GrB_Matrix A, int k) {
  const uint64_t limit = k % 4 == 0 ? 2 : 30;
  if (Grid_size() > 1 && k % 3) return;
  const uint64_t iterations = compute(A, limit);
  assert_named_correct(check_peer_pressure(&g->list, cluster, iterations, limit, text, sizeof text), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* Two triangles and a vertex alone; an arrow to a hub, whose leaves keep half of their votes each. */
static void known_clusters(void **state) {
  static named_graph g;
  const double wanted[] = {0, 0, 0, 3, 3, 3, 6};
  named_make(&g, 8);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(compute(A, 100), 2);
  for (int v = 0; v < 7; v++) assert_true(cluster[v] == wanted[v]);
  assert_int_equal(compute(A, 0), 0);
  for (int v = 0; v < 7; v++) assert_true(cluster[v] == v);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  uint64_t k = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_peer_pressure(NULL, NULL, A, 9), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_peer_pressure"));
  assert_int_equal(Grid_peer_pressure(&v, &k, NULL, 9), GrB_NULL_POINTER);
  assert_int_equal(Grid_peer_pressure(&v, &k, oblong, 9), GrB_DIMENSION_MISMATCH);
  assert_null(v);
  assert_int_equal(k, 77);
  assert_int_equal(Grid_peer_pressure(NULL, &k, A, 9), GrB_SUCCESS);
  assert_int_equal(k, 1);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 8);
  GrB_Matrix A = named_pattern(&g);
  const uint64_t k = compute(A, 100);
  assert_null(check_peer_pressure(&g.list, cluster, k, 100, text, sizeof text));
  assert_non_null(check_peer_pressure(&g.list, cluster, k + 1, 100, text, sizeof text));
  cluster[4] = 4;
  assert_non_null(check_peer_pressure(&g.list, cluster, k, 100, text, sizeof text));
  cluster[4] = (double)NAN;
  assert_non_null(check_peer_pressure(&g.list, cluster, k, 100, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("peer_pressure", cmocka_unit_test(matches_checker), cmocka_unit_test(known_clusters),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
