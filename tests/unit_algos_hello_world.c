/* The template's test, itself a template: the function against a serial computation on all named graphs,
 * known answers, and wrong arguments. An algorithm's own test also gives its checker wrong answers. */
#include "tests/named_graphs.h"

GrB_Info Grid_hello_world(GrB_Vector *least, GrB_Matrix A); /* algos/hello_world.c */

/* Here the serial computation is so short that it needs no file in bench/check. */
static void compare(const named_graph *g, GrB_Matrix A, int k) {
  double least[MAX_VERTICES];
  check_rows out;
  (void)k;
  make_checker_answer(least, Grid_hello_world, A);
  assert_true(check_rows_make(&out, &g->list, false));
  for (uint64_t v = 0; v < g->list.n; v++) {
    const uint64_t first = out.start[v] < out.start[v + 1] ? out.to[out.start[v]] : v; /* rows ascend */
    assert_true(least[v] == (double)(first < v ? first : v));
  }
  check_rows_free(&out);
}
static void matches_serial(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_UINT32};
  run_named_graphs(types, 2, compare);
}

static void known_answer(void **state) {
  static named_graph g;
  double least[MAX_VERTICES];
  named_make(&g, 3); /* a path */
  GrB_Matrix A = named_pattern(&g);
  make_checker_answer(least, Grid_hello_world, A);
  for (int v = 0; v < 150; v++) assert_true(least[v] == (v == 0 ? 0 : v - 1));
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  named_refusals(Grid_hello_world, "Grid_hello_world");
}

NAMED_MAIN("hello_world", cmocka_unit_test(matches_serial), cmocka_unit_test(known_answer),
           cmocka_unit_test(bad_arguments))
