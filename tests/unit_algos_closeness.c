/* Grid_closeness against the serial checker, known answers, wrong arguments, and the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "bench/check/centrality/check_closeness.h"

static double closeness[MAX_VERTICES], harmonic[MAX_VERTICES];

static void compute(GrB_Matrix A, const GrB_Index *source, GrB_Index nsources) {
  GrB_Vector c, h;
  assert_int_equal(Grid_closeness(&c, &h, A, source, nsources), GrB_SUCCESS);
  GrB_Index n;
  assert_int_equal(GrB_Vector_size(&n, c), GrB_SUCCESS);
  named_values(closeness, c, n);
  named_values(harmonic, h, n);
  GrB_Vector_free(&c), GrB_Vector_free(&h);
}

/* From all vertices, and from some, of which one comes twice. */
static void matches_checker(void **state) {
  static named_graph g;
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    if (g.list.n > 120) continue; /* paths of 150 levels add no coverage, and take long on 9 processes */
    GrB_Matrix A = named_pattern(&g);
    const GrB_Index n = g.list.n, source[] = {n / 2, 0, n - 1, n / 2, n / 3};
    for (int part = 0; part < 2 && n > 0; part++) {
      const GrB_Index *from = part == 0 ? NULL : source;
      compute(A, from, 5);
      assert_named_correct(check_closeness(&g.list, from, 5, closeness, harmonic, 1e-12, text, sizeof text),
                           &g);
    }
    GrB_Matrix_free(&A);
  }
}

/* 0 - 1 - 2 and 3 alone; then 2 alone is the source. */
static void path_and_vertex(void **state) {
  const double c[2][4] = {{4.0 / 9, 2.0 / 3, 4.0 / 9, 0}, {0.5, 1, 0, 0}},
               h[2][4] = {{1.5, 2, 1.5, 0}, {0.5, 1, 0, 0}};
  const GrB_Index two = 2;
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 4, 4), GrB_SUCCESS);
  for (GrB_Index v = 0; v < 2; v++) {
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, v, v + 1), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, v + 1, v), GrB_SUCCESS);
  }
  for (int k = 0; k < 2; k++) {
    compute(A, k == 0 ? NULL : &two, 1);
    for (int v = 0; v < 4; v++) {
      assert_true(fabs(closeness[v] - c[k][v]) < 1e-15);
      assert_true(fabs(harmonic[v] - h[k][v]) < 1e-15);
    }
  }
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  const GrB_Index outside = 5;
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(Grid_closeness(NULL, NULL, A, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_closeness(&v, NULL, NULL, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_closeness(&v, NULL, oblong, NULL, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_closeness(&v, NULL, A, &outside, 1), GrB_INVALID_INDEX);
  assert_non_null(strstr(Grid_last_error(), "is not a vertex of A, which has"));
  assert_null(v);
  assert_int_equal(Grid_closeness(NULL, &v, A, &outside, 0), GrB_SUCCESS); /* no sources: zeros */
  named_values(harmonic, v, 5);
  assert_true(harmonic[0] == 0 && harmonic[4] == 0);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

/* The checker detects wrong and missing values in either answer. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  char text[300];
  named_make(&g, 5);
  GrB_Matrix A = named_pattern(&g);
  compute(A, NULL, 0);
#define CHECKED (check_closeness(&g.list, NULL, 0, closeness, harmonic, 1e-12, text, sizeof text))
  assert_null(CHECKED);
  const double values[] = {closeness[1] + 1e-9, (double)NAN, 0};
  double *const answer[] = {closeness, harmonic};
  for (int a = 0; a < 2; a++) {
    const double right = answer[a][1];
    assert_true(right > 0);
    for (int k = 0; k < 3; k++) {
      answer[a][1] = values[k];
      assert_non_null(CHECKED);
    }
    answer[a][1] = right;
  }
  assert_null(CHECKED);
#undef CHECKED
  GrB_Matrix_free(&A);
}

NAMED_MAIN("closeness", cmocka_unit_test(matches_checker), cmocka_unit_test(path_and_vertex),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
