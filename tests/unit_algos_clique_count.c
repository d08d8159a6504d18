/* Grid_clique_count against the serial checker, known numbers, wrong arguments, and the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "algos/structure/clique_count.h"
#include "algos/rows/row_panels.h"
#include "bench/check/structure/check_clique_count.h"

static double at[MAX_VERTICES];
static char text[300];

static uint64_t compute(GrB_Matrix A, int64_t k, uint64_t pairs) {
  GrB_Vector v;
  GrB_Index n;
  uint64_t count;
  assert_int_equal(grid_clique_count_by_panels(&count, &v, A, k, pairs), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(at, v, n);
  GrB_Vector_free(&v);
  return count;
}

static void compare(const named_graph *g, GrB_Matrix A, int number) {
  for (int64_t k = 3; k < 6; k++) {
    const uint64_t count = compute(A, k, (number + k) % 2 == 0 ? 100 : GRID_PANEL_ENTRIES);
    assert_named_correct(check_clique_count(&g->list, (uint64_t)k, count, at, text, sizeof text), g);
  }
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT32, GrB_FP64};
  run_named_graphs(types, 3, compare);
}

/* Of every size in a dense random graph, one half of whose pairs are connected. */
static void dense_graph(void **state) {
  static named_graph g;
  named_dense(&g, 40);
  GrB_Matrix A = named_pattern(&g);
  for (int64_t k = 3; k < 11; k++) {
    const uint64_t count = compute(A, k, 1000);
    assert_named_correct(check_clique_count(&g.list, (uint64_t)k, count, at, text, sizeof text), &g);
  }
  GrB_Matrix_free(&A);
}

/* A clique of 12 has "12 over k" cliques of k vertices, and "11 over k - 1" at each vertex. */
static void known_numbers(void **state) {
  static named_graph g;
  uint64_t count = 0, all = 66, one = 11;
  named_make(&g, 6);
  GrB_Matrix A = named_pattern(&g);
  for (uint64_t k = 3; k < 15; k++) {
    all = k <= 12 ? all * (13 - k) / k : 0, one = k <= 12 ? one * (13 - k) / (k - 1) : 0;
    assert_int_equal(compute(A, (int64_t)k, GRID_PANEL_ENTRIES), all);
    for (int v = 0; v < 12; v++) assert_true(at[v] == (double)one);
    assert_int_equal(Grid_clique_count(&count, NULL, A, (int64_t)k), GrB_SUCCESS);
    assert_int_equal(count, all);
  }
  assert_int_equal(Grid_clique_count(&count, NULL, A, INT64_MAX), GrB_SUCCESS);
  assert_int_equal(count, 0);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  uint64_t count = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_clique_count(NULL, NULL, A, 4), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_clique_count"));
  assert_int_equal(Grid_clique_count(&count, &v, NULL, 4), GrB_NULL_POINTER);
  assert_int_equal(Grid_clique_count(&count, &v, oblong, 4), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_clique_count(&count, &v, A, 2), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "below 3"));
  assert_null(v);
  assert_int_equal(count, 77);
  assert_int_equal(Grid_clique_count(NULL, &v, A, 4), GrB_SUCCESS);
  GrB_Vector_free(&v), GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 6);
  GrB_Matrix A = named_pattern(&g);
  const uint64_t count = compute(A, 4, GRID_PANEL_ENTRIES);
  assert_null(check_clique_count(&g.list, 4, count, at, text, sizeof text));
  assert_non_null(check_clique_count(&g.list, 4, count + 1, at, text, sizeof text));
  assert_non_null(check_clique_count(&g.list, 5, count, at, text, sizeof text));
  at[11] += 1;
  assert_non_null(check_clique_count(&g.list, 4, count, at, text, sizeof text));
  at[11] = (double)NAN;
  assert_non_null(check_clique_count(&g.list, 4, count, at, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("clique_count", cmocka_unit_test(matches_checker), cmocka_unit_test(dense_graph),
           cmocka_unit_test(known_numbers), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
