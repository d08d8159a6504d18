/* Grid_lcc against the serial checker, known coefficients, and the checker against wrong ones. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_lcc.h"

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  double c[MAX_VERTICES];
  char text[300];
  (void)k;
  make_checker_answer(c, Grid_lcc, A);
  assert_named_correct(check_lcc(&g->list, c, text, sizeof text), g);
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT16};
  for (int turn = 0; turn < 2; turn++) run_named_graphs(types, 2, compare);
}

/* Vertex 0 has the neighbours 1 (both ways), 2 (out) and 3 (in); between these are the edges 1 -> 2, 2 -> 1
 * and 3 -> 1, so 3 of 6 pairs. Vertex 1 has 0, 2 and 3: 0 -> 2, 3 -> 0. Vertex 2 has 0 and 1, both ways
 * connected; vertex 3 likewise. Vertex 4 hangs on 3. A loop and an edge listed twice change nothing. */
static void directed(void **state) {
  static named_graph g;
  double c[MAX_VERTICES];
  const uint64_t edge[][2] = {{0, 1}, {1, 0}, {0, 2}, {3, 0}, {1, 2}, {2, 1}, {3, 1}, {0, 0}, {3, 1}, {4, 3}};
  const double expected[] = {3 / 6.0, 2 / 6.0, 1, 2 / 6.0, 0};
  g.name = "directed";
  g.list = (check_graph){.n = 5, .from = g.from, .to = g.to, .weight = g.weight};
  for (size_t k = 0; k < sizeof edge / sizeof *edge; k++) named_add(&g, edge[k][0], edge[k][1]);
  GrB_Matrix A = named_matrix(&g, GrB_FP32);
  make_checker_answer(c, Grid_lcc, A);
  for (int k = 0; k < 5; k++) assert_true(fabs(c[k] - expected[k]) < 1e-15);
  GrB_Matrix_free(&A);
}

/* 1 everywhere in a clique, 0 in a star. */
static void extremes(void **state) {
  static named_graph g;
  double c[MAX_VERTICES];
  for (int k = 5; k <= 6; k++) {
    named_make(&g, k);
    GrB_Matrix A = named_pattern(&g);
    make_checker_answer(c, Grid_lcc, A);
    for (uint64_t i = 0; i < g.list.n; i++) assert_true(c[i] == (k == 6 ? 1 : 0));
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  named_refusals(Grid_lcc, "Grid_lcc");
}

/* The checker notices coefficients that are wrong, missing, or of the graph without directions. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  double c[MAX_VERTICES];
  char text[300];
  named_make(&g, 8);
  GrB_Matrix A = named_pattern(&g);
  make_checker_answer(c, Grid_lcc, A);
  assert_null(check_lcc(&g.list, c, text, sizeof text));
  g.list.both_directions = false;
  assert_non_null(check_lcc(&g.list, c, text, sizeof text));
  g.list.both_directions = true;
  c[3] -= 1e-9;
  assert_non_null(check_lcc(&g.list, c, text, sizeof text));
  c[3] = (double)NAN;
  assert_non_null(check_lcc(&g.list, c, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("lcc", cmocka_unit_test(matches_checker), cmocka_unit_test(directed), cmocka_unit_test(extremes),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
