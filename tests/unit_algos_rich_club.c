/* Grid_rich_club against the serial checker, known coefficients, wrong arguments, and the checker against
 * wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_rich_club.h"

static double value[MAX_VERTICES];
static char text[300];

/* Returns the number of coefficients, those of the degrees from 0 on. */
static uint64_t compute(GrB_Matrix A) {
  GrB_Index count, n;
  GrB_Vector v;
  assert_int_equal(Grid_rich_club(&v, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&count, v), GrB_SUCCESS);
  named_values(value, v, n);
  for (GrB_Index k = 0; k < n; k++) assert_int_equal(!isnan(value[k]), k < count);
  GrB_Vector_free(&v);
  return count;
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  (void)k;
  const uint64_t count = compute(A);
  assert_named_correct(check_rich_club(&g->list, value, count, text, sizeof text), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT32, GrB_FP64};
  run_named_graphs(types, 3, compare);
}

/* A clique of 12: 1 up to the degree 10; a star: 2 / n; no edges, or loops alone: none. */
static void known_coefficients(void **state) {
  static named_graph g;
  for (int k = 1; k < 7; k++) {
    named_make(&g, k);
    GrB_Matrix A = named_pattern(&g);
    const uint64_t count = compute(A);
    if (k < 3) assert_int_equal(count, 0);
    if (k == 5) assert_true(count == 1 && value[0] == 2.0 / 30);
    if (k == 6) {
      assert_int_equal(count, 11);
      for (int d = 0; d < 11; d++) assert_true(value[d] == 1);
    }
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  named_refusals(Grid_rich_club, "Grid_rich_club");
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 12);
  GrB_Matrix A = named_pattern(&g);
  const uint64_t count = compute(A);
  assert_null(check_rich_club(&g.list, value, count, text, sizeof text));
  assert_non_null(check_rich_club(&g.list, value, count - 1, text, sizeof text));
  assert_non_null(check_rich_club(&g.list, value, count + 1, text, sizeof text));
  value[count - 1] += 0.01;
  assert_non_null(check_rich_club(&g.list, value, count, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("rich_club", cmocka_unit_test(matches_checker), cmocka_unit_test(known_coefficients),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
