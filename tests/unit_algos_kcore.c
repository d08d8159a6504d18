/* Grid_kcore against the serial checker, known core numbers, and the checker against wrong ones. */
#include "named_graphs.h"

#include "bench/check/kcore.h"

static void against_checker(void **state) {
  (void)state;
  static named_graph g;
  double core[MOST_VERTICES];
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    GrB_Matrix A = k % 2 == 0 ? named_pattern(&g) : named_matrix(&g, GrB_UINT32);
    GrB_Vector v;
    assert_int_equal(Grid_kcore(&v, A), GrB_SUCCESS);
    named_values(core, v, g.list.n);
    named_fine(check_kcore(&g.list, core, text, sizeof text), &g);
    GrB_Vector_free(&v);
    GrB_Matrix_free(&A);
  }
}

/* A clique of six, 0 to 5, a cycle of four that hangs on it, 5 to 8, a tail from 8 to 10, with a loop at its
 * end, and 11 alone. */
static void rings(void **state) {
  (void)state;
  static named_graph g;
  double core[MOST_VERTICES];
  const double expected[12] = {5, 5, 5, 5, 5, 5, 2, 2, 2, 1, 1, 0};
  g.name = "rings";
  g.list = (check_graph){
      .n = 12, .from = g.from, .to = g.to, .weight = g.weight, .both_ways = true, .loops = true};
  for (uint64_t v = 0; v < 6; v++)
    for (uint64_t w = 0; w < v; w++) named_add(&g, v, w);
  for (uint64_t v = 5; v < 10; v++) named_add(&g, v, v + 1);
  named_add(&g, 8, 5), named_add(&g, 10, 10);
  GrB_Matrix A = named_pattern(&g);
  GrB_Vector v;
  assert_int_equal(Grid_kcore(&v, A), GrB_SUCCESS);
  named_values(core, v, 12);
  for (int k = 0; k < 12; k++) assert_true(core[k] == expected[k]);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  (void)state;
  named_refusals(Grid_kcore, "Grid_kcore");
}

/* The checker notices core numbers that are wrong or missing. */
static void spoilt(void **state) {
  (void)state;
  static named_graph g;
  double core[MOST_VERTICES];
  char text[300];
  GrB_Vector v;
  named_make(&g, 12);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(Grid_kcore(&v, A), GrB_SUCCESS);
  named_values(core, v, g.list.n);
  assert_null(check_kcore(&g.list, core, text, sizeof text));
  core[3]++;
  assert_non_null(check_kcore(&g.list, core, text, sizeof text));
  core[3] = (double)NAN;
  assert_non_null(check_kcore(&g.list, core, text, sizeof text));
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_checker),
      cmocka_unit_test(rings),
      cmocka_unit_test(bad_arguments),
      cmocka_unit_test(spoilt),
  };
  if (Grid_init(GrB_NONBLOCKING, NULL, 0, 0) != GrB_SUCCESS) return 2;
  const int failed = cmocka_run_group_tests_name("kcore", tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS ? failed : 2;
}
