/* Grid_kcore against the serial checker, known core numbers, and the checker against wrong ones. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_kcore.h"

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  double core[MAX_VERTICES];
  char text[300];
  (void)k;
  make_checker_answer(core, Grid_kcore, A);
  assert_named_correct(check_kcore(&g->list, core, text, sizeof text), g);
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_UINT32};
  run_named_graphs(types, 2, compare);
}

/* A clique of six, 0 to 5, and a cycle of four that hangs on it, 5 to 8. A tail goes from 8 to 10, with a
 * loop at its end; 11 is alone. */
static void rings(void **state) {
  static named_graph g;
  double core[MAX_VERTICES];
  const double expected[12] = {5, 5, 5, 5, 5, 5, 2, 2, 2, 1, 1, 0};
  g.name = "rings";
  g.list = (check_graph){
      .n = 12, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = true, .loops = true};
  for (uint64_t v = 0; v < 6; v++)
    for (uint64_t w = 0; w < v; w++) named_add(&g, v, w);
  for (uint64_t v = 5; v < 10; v++) named_add(&g, v, v + 1);
  named_add(&g, 8, 5), named_add(&g, 10, 10);
  GrB_Matrix A = named_pattern(&g);
  make_checker_answer(core, Grid_kcore, A);
  for (int k = 0; k < 12; k++) assert_true(core[k] == expected[k]);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  named_refusals(Grid_kcore, "Grid_kcore");
}

/* The checker notices core numbers that are wrong or missing. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  double core[MAX_VERTICES];
  char text[300];
  named_make(&g, 12);
  GrB_Matrix A = named_pattern(&g);
  make_checker_answer(core, Grid_kcore, A);
  assert_null(check_kcore(&g.list, core, text, sizeof text));
  core[3]++;
  assert_non_null(check_kcore(&g.list, core, text, sizeof text));
  core[3] = (double)NAN;
  assert_non_null(check_kcore(&g.list, core, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("kcore", cmocka_unit_test(matches_checker), cmocka_unit_test(rings),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
