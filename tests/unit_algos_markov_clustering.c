/* Grid_markov_clustering against the serial checker, known clusters, wrong arguments, and the checker against
 * wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/communities/check_markov_clustering.h"

static double cluster[MAX_VERTICES];
static char text[300];

static uint64_t compute(GrB_Matrix A, double inflation, uint64_t limit) {
  GrB_Vector v;
  GrB_Index n;
  uint64_t iterations = 77;
  assert_int_equal(Grid_markov_clustering(&v, &iterations, A, inflation, limit), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(cluster, v, n);
  GrB_Vector_free(&v);
  return iterations;
}

/* The graph as the matrix has it: BOOL has no weights. Several processes take every third graph. */
static void compare(const named_graph *g, GrB_Matrix A, int k) {
  const double inflation = k % 4 < 2 ? 2 : k % 4 == 2 ? 1.4 : 5;
  const uint64_t limit = k % 5 == 0 ? 3 : 60;
  check_graph list = g->list;
  int32_t code;
  if (Grid_size() > 1 && k % 3) return;
  assert_int_equal(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE), GrB_SUCCESS);
  if (code == GrB_BOOL_CODE) list.weight = NULL;
  const uint64_t iterations = compute(A, inflation, limit);
  assert_named_correct(
      check_markov_clustering(&list, cluster, iterations, inflation, limit, text, sizeof text), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64, GrB_UINT8};
  run_named_graphs(types, 3, compare);
}

/* Two triangles and a vertex alone, without and with an edge between them; a ring of cliques of 5. */
static void known_clusters(void **state) {
  static named_graph g;
  const double wanted[] = {0, 0, 0, 3, 3, 3, 6};
  named_make(&g, 8);
  GrB_Matrix A = named_pattern(&g);
  for (int bridge = 0; bridge < 2; bridge++) {
    const uint64_t iterations = compute(A, 2, 100);
    assert_true(iterations > (bridge ? 2 : 0) && iterations < 30);
    for (int v = 0; v < 7; v++) assert_true(cluster[v] == wanted[v]);
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, 2, 3), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, 3, 2), GrB_SUCCESS);
  }
  GrB_Matrix_free(&A);
  g.list.n = 40, g.list.m = 0;
  for (uint64_t v = 0; v < 40; v++) {
    for (uint64_t w = v + 1; w < v - v % 5 + 5; w++) named_add(&g, v, w);
    if (v % 5 == 0) named_add(&g, v, (v + 6) % 40);
  }
  A = named_pattern(&g);
  compute(A, 2, 100);
  for (int v = 0; v < 40; v++) assert_true(cluster[v] == v - v % 5);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  uint64_t k = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_markov_clustering(NULL, NULL, A, 2, 9), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_markov_clustering"));
  assert_int_equal(Grid_markov_clustering(&v, &k, NULL, 2, 9), GrB_NULL_POINTER);
  assert_int_equal(Grid_markov_clustering(&v, &k, oblong, 2, 9), GrB_DIMENSION_MISMATCH);
  const double wrong[] = {1, 101, -2, (double)NAN, (double)INFINITY};
  for (int x = 0; x < 5; x++) {
    assert_int_equal(Grid_markov_clustering(&v, &k, A, wrong[x], 9), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "inflation"));
  }
  assert_int_equal(GrB_Matrix_setElement_FP64(A, -1, 1, 2), GrB_SUCCESS);
  assert_int_equal(Grid_markov_clustering(&v, &k, A, 2, 9), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "a weight is below 0"));
  assert_null(v);
  assert_int_equal(k, 77);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 8);
  g.list.weight = NULL;
  GrB_Matrix A = named_pattern(&g);
  const uint64_t k = compute(A, 2, 100);
  assert_null(check_markov_clustering(&g.list, cluster, k, 2, 100, text, sizeof text));
  assert_non_null(check_markov_clustering(&g.list, cluster, k + 1, 2, 100, text, sizeof text));
  cluster[4] = 4;
  assert_non_null(check_markov_clustering(&g.list, cluster, k, 2, 100, text, sizeof text));
  cluster[4] = (double)NAN;
  assert_non_null(check_markov_clustering(&g.list, cluster, k, 2, 100, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("markov_clustering", cmocka_unit_test(matches_checker), cmocka_unit_test(known_clusters),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
