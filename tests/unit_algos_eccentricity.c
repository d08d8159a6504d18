/* Grid_eccentricity against the serial checker, known answers, wrong arguments, and the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "bench/check/traversal/check_eccentricity.h"

static double eccentricity[MAX_VERTICES];
static int64_t radius, diameter;
static char text[300];

static void compute(GrB_Matrix A) {
  GrB_Vector v;
  GrB_Index n;
  assert_int_equal(Grid_eccentricity(&v, &radius, &diameter, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(eccentricity, v, n);
  GrB_Vector_free(&v);
}

/* The radius and the diameter alone, and both, are what they are beside the eccentricities. */
static void compute_extremes(GrB_Matrix A) {
  int64_t least = -1, most = -1;
  assert_int_equal(Grid_eccentricity(NULL, &least, NULL, A), GrB_SUCCESS);
  assert_int_equal(Grid_eccentricity(NULL, NULL, &most, A), GrB_SUCCESS);
  assert_int_equal(least, radius);
  assert_int_equal(most, diameter);
  least = most = -1;
  assert_int_equal(Grid_eccentricity(NULL, &least, &most, A), GrB_SUCCESS);
  assert_int_equal(least, radius);
  assert_int_equal(most, diameter);
}

/* Several processes take every third graph. */
static void compare(const named_graph *g, GrB_Matrix A, int k) {
  if (Grid_size() > 1 && k % 3) return;
  compute(A);
  compute_extremes(A);
  assert_named_correct(check_eccentricity(&g->list, eccentricity, radius, diameter, text, sizeof text), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* A path: its middle and its ends. A star of arrows: they count both ways. */
static void known_answers(void **state) {
  static named_graph g;
  named_make(&g, 3);
  GrB_Matrix A = named_pattern(&g);
  compute(A);
  assert_true(radius == 75 && diameter == 149 && eccentricity[0] == 149 && eccentricity[75] == 75);
  GrB_Matrix_free(&A);
  named_make(&g, 14);
  A = named_pattern(&g);
  compute(A);
  assert_true(radius == 1 && diameter == 2 && eccentricity[65] == 1);
  GrB_Matrix_free(&A);
}

/* Prisms: two cycles of 75 with rungs look the same from every vertex, so bounds settle none but the sources
 * and all of the others are searched in batches. */
static void batches(void **state) {
  static named_graph g;
  named_make(&g, 3);
  g.name = "prism", g.list.n = 150, g.list.m = 0, g.list.both_directions = true;
  for (uint64_t v = 0; v < 75; v++) {
    named_add(&g, v, (v + 1) % 75);
    named_add(&g, 75 + v, 75 + (v + 1) % 75);
    named_add(&g, v, 75 + v);
  }
  GrB_Matrix A = named_pattern(&g);
  compute(A);
  assert_true(radius == 38 && diameter == 38);
  compute_extremes(A);
  assert_named_correct(check_eccentricity(&g.list, eccentricity, radius, diameter, text, sizeof text), &g);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  radius = diameter = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_eccentricity(NULL, NULL, NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_eccentricity"));
  assert_int_equal(Grid_eccentricity(&v, &radius, &diameter, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_eccentricity(&v, &radius, &diameter, oblong), GrB_DIMENSION_MISMATCH);
  assert_null(v);
  assert_true(radius == 77 && diameter == 77);
  assert_int_equal(Grid_eccentricity(NULL, NULL, &diameter, A), GrB_SUCCESS);
  assert_int_equal(diameter, 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 12);
  GrB_Matrix A = named_pattern(&g);
  compute(A);
  assert_null(check_eccentricity(&g.list, eccentricity, radius, diameter, text, sizeof text));
  assert_non_null(check_eccentricity(&g.list, eccentricity, radius + 1, diameter, text, sizeof text));
  assert_non_null(check_eccentricity(&g.list, eccentricity, radius, diameter + 1, text, sizeof text));
  eccentricity[7]++;
  assert_non_null(check_eccentricity(&g.list, eccentricity, radius, diameter, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("eccentricity", cmocka_unit_test(matches_checker), cmocka_unit_test(known_answers),
           cmocka_unit_test(batches), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
