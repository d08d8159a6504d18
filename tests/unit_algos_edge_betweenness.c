/* Grid_edge_betweenness against the serial checker, known answers, wrong arguments, and the checker against
 * wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/centrality/check_betweenness.h"

static named_list answer;
static char text[300];

static void compute(GrB_Matrix A, const GrB_Index *source, GrB_Index nsources) {
  GrB_Matrix found;
  assert_int_equal(Grid_edge_betweenness(&found, A, source, nsources), GrB_SUCCESS);
  named_entries(&answer, found);
  GrB_Matrix_free(&found);
}

static const char *check(const check_graph *g, const uint64_t *source, uint64_t nsources) {
  const check_entries entries = {answer.row, answer.col, answer.value, answer.n};
  return check_edge_betweenness(g, source, nsources, &entries, 1e-12, text, sizeof text);
}

/* From all vertices, and from some, of which one comes twice. */
static void compare(const named_graph *g, GrB_Matrix A, int k) {
  const GrB_Index n = g->list.n, source[] = {n / 2, 0, n - 1, n / 2, n / 3};
  const GrB_Index *const from = k % 3 == 0 && n <= 120 ? NULL : source;
  compute(A, from, 5);
  assert_named_correct(check(&g->list, from, 5), g);
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT8};
  run_named_graphs(types, 2, compare);
}

/* 0 - 1 - 2, an edge that both pairs of its other end need: each pair counts once; from 0 alone. */
static void short_path(void **state) {
  const GrB_Index zero = 0;
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  for (GrB_Index v = 0; v < 2; v++) {
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, v, v + 1), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, v + 1, v), GrB_SUCCESS);
  }
  compute(A, NULL, 0);
  assert_int_equal(answer.n, 4);
  for (GrB_Index e = 0; e < 4; e++) assert_true(answer.value[e] == 2);
  compute(A, &zero, 1);
  assert_int_equal(answer.n, 4);
  for (GrB_Index e = 0; e < 4; e++) {
    const double expected = answer.row[e] > answer.col[e] ? 0 : answer.row[e] == 0 ? 2 : 1;
    assert_true(answer.value[e] == expected);
  }
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  const GrB_Index outside = 5;
  GrB_Matrix A, oblong, none, found = NULL;
  GrB_Index entries;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&none, GrB_BOOL, 0, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, 2, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(Grid_edge_betweenness(NULL, A, NULL, 0), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_edge_betweenness"));
  assert_int_equal(Grid_edge_betweenness(&found, NULL, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_edge_betweenness(&found, oblong, NULL, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_edge_betweenness(&found, A, &outside, 1), GrB_INVALID_INDEX);
  assert_non_null(strstr(Grid_last_error(), "is not a vertex of A, which has"));
  assert_null(found);
  compute(A, &outside, 0); /* no sources: zeros */
  assert_true(answer.n == 1 && answer.value[0] == 0);
  assert_int_equal(Grid_edge_betweenness(&found, none, NULL, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_nvals(&entries, found), GrB_SUCCESS);
  assert_int_equal(entries, 0);
  GrB_Matrix_free(&found);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Matrix_free(&none);
}

/* The checker detects wrong and missing values, missing and repeated entries. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 12); /* a grid */
  GrB_Matrix A = named_pattern(&g);
  compute(A, NULL, 0);
  assert_null(check(&g.list, NULL, 0));
  const double right = answer.value[3], wrong[] = {right + 1e-6, (double)NAN, 0};
  for (int k = 0; k < 3; k++) {
    answer.value[3] = wrong[k];
    assert_non_null(check(&g.list, NULL, 0));
  }
  answer.value[3] = right;
  assert_null(check(&g.list, NULL, 0));
  answer.n--;
  assert_non_null(check(&g.list, NULL, 0));
  answer.row[answer.n] = answer.row[0], answer.col[answer.n] = answer.col[0];
  answer.value[answer.n++] = answer.value[0];
  assert_non_null(check(&g.list, NULL, 0));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("edge_betweenness", cmocka_unit_test(matches_checker), cmocka_unit_test(short_path),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
