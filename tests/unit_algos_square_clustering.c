/* Grid_square_clustering against the serial checker, known coefficients, wrong arguments, and the checker
 * against wrong answers. */
#include "tests/named_graphs.h"

#include "algos/structure/common_neighbors.h"
#include "algos/structure/square_clustering.h"
#include "bench/check/structure/check_square_clustering.h"

static double coefficient[MAX_VERTICES];
static char text[300];

static GrB_Info by_small_panels(GrB_Vector *v, GrB_Matrix A) {
  return grid_square_clustering_by_panels(v, A, 50);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  make_checker_answer(coefficient, k % 3 == 0 ? Grid_square_clustering : by_small_panels, A);
  assert_named_correct(check_square_clustering(&g->list, coefficient, text, sizeof text), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT32, GrB_FP64};
  run_named_graphs(types, 3, compare);
}

static void expect_all(named_graph *g, double expected) {
  GrB_Matrix A = named_pattern(g);
  make_checker_answer(coefficient, Grid_square_clustering, A);
  for (uint64_t v = 0; v < g->list.n; v++) assert_true(coefficient[v] == expected);
  GrB_Matrix_free(&A);
}

/* Paths and cycles have no squares, cliques and complete bipartite graphs all; in a cube each of the 3 pairs
 * of a vertex's neighbors has one of 3. The Petersen graph has no square. */
static void known_coefficients(void **state) {
  static named_graph g;
  named_make(&g, 3), expect_all(&g, 0);
  named_make(&g, 7), expect_all(&g, 0);
  named_make(&g, 6), expect_all(&g, 1);
  g.list = (check_graph){
      .n = 9, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = true, .loops = true};
  for (uint64_t v = 0; v < 20; v++) named_add(&g, v % 4, 4 + v % 5);
  expect_all(&g, 1);
  g.list.n = 8, g.list.m = 0;
  for (uint64_t v = 0; v < 8; v++)
    for (uint64_t bit = 1; bit < 8; bit *= 2) named_add(&g, v, v ^ bit);
  expect_all(&g, 1.0 / 3);
  g.list.n = 10, g.list.m = 0;
  for (uint64_t v = 0; v < 5; v++)
    named_add(&g, v, (v + 1) % 5), named_add(&g, v, v + 5), named_add(&g, v + 5, 5 + (v + 2) % 5);
  expect_all(&g, 0);
}

/* Entries with the value 0 are edges, too. */
static void zeros_are_edges(void **state) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_INT32, 5, 5), GrB_SUCCESS);
  for (GrB_Index v = 0; v < 4; v++)
    assert_int_equal(GrB_Matrix_setElement_INT32(A, 0, v, (v + 1) % 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_INT32(A, 0, 3, 4), GrB_SUCCESS);
  make_checker_answer(coefficient, Grid_square_clustering, A);
  assert_true(coefficient[0] == 0.5 && coefficient[1] == 1 && coefficient[3] == 1.0 / 3);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  named_refusals(Grid_square_clustering, "Grid_square_clustering");
}

/* Of a clique of four, by panels of one row: each vertex is in 3 squares and 3 triangles, and its 3 edges are
 * in two triangles each. */
static void pair_sums(void **state) {
  static named_graph g;
  grid_pair_sums s = {NULL};
  double value[3][MAX_VERTICES];
  GrB_Matrix S;
  g.list = (check_graph){.n = 5, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = true};
  for (uint64_t v = 0; v < 4; v++)
    for (uint64_t w = 0; w < v; w++) named_add(&g, v, w);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(grid_undirected_pattern(&S, A, 5), GrB_SUCCESS);
  assert_int_equal(grid_sum_pairs(&s, S, 5, 1, true, "test"), GrB_SUCCESS);
  named_values(value[0], s.squares, 5);
  named_values(value[1], s.triangles, 5);
  named_values(value[2], s.diamonds, 5);
  for (int v = 0; v < 4; v++) assert_true(value[0][v] == 3 && value[1][v] == 6 && value[2][v] == 3);
  for (int k = 0; k < 3; k++) assert_true(isnan(value[k][4]));
  grid_pair_sums_free(&s);
  GrB_Matrix_free(&A), GrB_Matrix_free(&S);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 6);
  GrB_Matrix A = named_pattern(&g);
  make_checker_answer(coefficient, Grid_square_clustering, A);
  assert_null(check_square_clustering(&g.list, coefficient, text, sizeof text));
  coefficient[7] = 0.99;
  assert_non_null(check_square_clustering(&g.list, coefficient, text, sizeof text));
  coefficient[7] = (double)NAN;
  assert_non_null(check_square_clustering(&g.list, coefficient, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("square_clustering", cmocka_unit_test(matches_checker), cmocka_unit_test(known_coefficients),
           cmocka_unit_test(pair_sums), cmocka_unit_test(zeros_are_edges), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
