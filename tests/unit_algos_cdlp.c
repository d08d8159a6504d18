/* Grid_cdlp against the serial checker, a graph worked out by hand, bad arguments, and the checker against
 * wrong labels. */
#include "tests/named_graphs.h"

#include "bench/check/communities/check_cdlp.h"

static const uint64_t iteration_counts[] = {0, 1, 2, 5, 40};

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  double label[MAX_VERTICES];
  char text[300];
  for (int variant = k % 2; variant < 5; variant += 2) {
    GrB_Vector v;
    assert_int_equal(Grid_cdlp(&v, A, iteration_counts[variant]), GrB_SUCCESS);
    named_values(label, v, g->list.n);
    assert_named_correct(check_cdlp(&g->list, iteration_counts[variant], label, text, sizeof text), g);
    GrB_Vector_free(&v);
  }
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT8};
  run_named_graphs(types, 2, compare);
}

/* 3 <-> 1, 3 -> 0, 4 -> 3, 5 -> 4, and 2 without edges. 1 is 3's neighbour in both directions, so it counts
 * twice and wins over 0, which is smaller; 4 has 3 and 5 once each and takes the smaller. The directed and
 * the undirected results differ. */
static void hand_computed_labels(void **state) {
  static named_graph g;
  const uint64_t from[] = {3, 1, 3, 4, 5}, to[] = {1, 3, 0, 3, 4};
  const double directed[][6] = {{0, 1, 2, 3, 4, 5}, {3, 3, 2, 1, 3, 4}, {1, 1, 2, 3, 1, 3}};
  const double undirected[][6] = {{0, 1, 2, 3, 4, 5}, {3, 3, 2, 0, 3, 4}, {0, 0, 2, 3, 0, 3}};
  double label[MAX_VERTICES];
  char text[300];
  for (int both = 0; both < 2; both++)
    for (uint64_t iterations = 0; iterations < 3; iterations++) {
      g.list =
          (check_graph){.n = 6, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = both == 1};
      g.name = "by hand";
      for (int k = 0; k < 5; k++) named_add(&g, from[k], to[k]);
      GrB_Matrix A = named_pattern(&g);
      GrB_Vector v;
      assert_int_equal(Grid_cdlp(&v, A, iterations), GrB_SUCCESS);
      named_values(label, v, 6);
      const double *right = both ? undirected[iterations] : directed[iterations];
      for (int k = 0; k < 6; k++) assert_true(label[k] == right[k]);
      assert_named_correct(check_cdlp(&g.list, iterations, right, text, sizeof text), &g);
      label[4] = 5;
      assert_non_null(check_cdlp(&g.list, iterations, label, text, sizeof text));
      label[4] = (double)NAN;
      assert_non_null(check_cdlp(&g.list, iterations, label, text, sizeof text));
      GrB_Vector_free(&v);
      GrB_Matrix_free(&A);
    }
}

static GrB_Info run_one_iteration(GrB_Vector *label, GrB_Matrix A) {
  return Grid_cdlp(label, A, 1);
}
static void bad_arguments(void **state) {
  named_refusals(run_one_iteration, "Grid_cdlp");
}

NAMED_MAIN("cdlp", cmocka_unit_test(matches_checker), cmocka_unit_test(hand_computed_labels),
           cmocka_unit_test(bad_arguments))
