/* Grid_assortativity and Grid_label_assortativity against serial computations, known numbers, wrong
 * arguments, and the checker against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_assortativity.h"

static double x[MAX_VERTICES], y[MAX_VERTICES];
static char text[300];

/* With an entry for every vertex. */
static GrB_Vector make_vector(const double *value, GrB_Type type, GrB_Index n) {
  GrB_Vector v;
  assert_int_equal(GrB_Vector_new(&v, type, n), GrB_SUCCESS);
  for (GrB_Index k = 0; k < n; k++) assert_int_equal(GrB_Vector_setElement_FP64(v, value[k], k), GrB_SUCCESS);
  return v;
}

static void compare_values(const named_graph *g, GrB_Matrix A, const double *a, const double *b) {
  GrB_Vector v = a == NULL ? NULL : make_vector(a, GrB_FP64, g->list.n);
  GrB_Vector w = b == NULL ? NULL : make_vector(b, GrB_INT32, g->list.n);
  double r = 77;
  assert_int_equal(Grid_assortativity(&r, A, v, w), GrB_SUCCESS);
  assert_named_correct(check_assortativity(&g->list, a, b, r, text, sizeof text), g);
  GrB_Vector_free(&v), GrB_Vector_free(&w);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  (void)k;
  for (uint64_t v = 0; v < g->list.n; v++)
    x[v] = (double)named_chance(1000) / 7, y[v] = (double)named_chance(5);
  compare_values(g, A, NULL, NULL);
  compare_values(g, A, x, NULL);
  compare_values(g, A, NULL, y);
  compare_values(g, A, x, y);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT32, GrB_FP64};
  run_named_graphs(types, 3, compare);
}

static void compare_labels(const named_graph *g, GrB_Matrix A, int k) {
  double r = 77;
  const uint64_t labels = g->list.n < 5 ? 1 : 5;
  for (uint64_t v = 0; v < g->list.n; v++) y[v] = (double)(k % 4 == 0 ? v % labels : named_chance(labels));
  GrB_Vector label = make_vector(y, GrB_UINT64, g->list.n);
  assert_int_equal(Grid_label_assortativity(&r, A, label), GrB_SUCCESS);
  assert_named_correct(check_label_assortativity(&g->list, y, r, text, sizeof text), g);
  GrB_Vector_free(&label);
}

static void labels_match(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_BOOL};
  run_named_graphs(types, 2, compare_labels);
}

/* A star has -1, a cycle and a clique are regular; two triangles with a label, or a value, each have 1. */
static void known_numbers(void **state) {
  static named_graph g;
  double r;
  named_make(&g, 5);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(Grid_assortativity(&r, A, NULL, NULL), GrB_SUCCESS);
  assert_true(r >= -1 && r < -1 + 1e-12);
  GrB_Matrix_free(&A);
  for (int k = 6; k < 8; k++) {
    named_make(&g, k);
    A = named_pattern(&g);
    assert_int_equal(Grid_assortativity(&r, A, NULL, NULL), GrB_SUCCESS);
    assert_true(isnan(r));
    GrB_Matrix_free(&A);
  }
  named_make(&g, 8);
  A = named_pattern(&g);
  for (int v = 0; v < 7; v++) y[v] = v / 3;
  GrB_Vector label = make_vector(y, GrB_INT8, 7);
  assert_int_equal(Grid_label_assortativity(&r, A, label), GrB_SUCCESS);
  assert_true(r == 1);
  assert_int_equal(Grid_assortativity(&r, A, label, label), GrB_SUCCESS);
  assert_true(fabs(r - 1) < 1e-12);
  GrB_Matrix_free(&A), GrB_Vector_free(&label);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector shorter, partial;
  double r = 77;
  const double values[] = {0, 1, 2};
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, 1, 2), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&partial, GrB_INT64, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_INT64(partial, 3, 2), GrB_SUCCESS);
  shorter = make_vector(values, GrB_INT64, 2);
  assert_int_equal(Grid_assortativity(NULL, A, NULL, NULL), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_assortativity"));
  assert_int_equal(Grid_assortativity(&r, NULL, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_assortativity(&r, oblong, NULL, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_assortativity(&r, A, shorter, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_assortativity(&r, A, NULL, shorter), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_assortativity(&r, A, partial, NULL), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "no value"));
  assert_int_equal(Grid_label_assortativity(NULL, A, shorter), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_label_assortativity"));
  assert_int_equal(Grid_label_assortativity(&r, A, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_label_assortativity(&r, oblong, shorter), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_label_assortativity(&r, A, shorter), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_label_assortativity(&r, A, partial), GrB_INVALID_VALUE);
  for (GrB_Index v = 0; v < 2; v++) assert_int_equal(GrB_Vector_setElement_INT64(partial, 0, v), GrB_SUCCESS);
  assert_int_equal(Grid_label_assortativity(&r, A, partial), GrB_INDEX_OUT_OF_BOUNDS);
  assert_true(r == 77);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Vector_free(&shorter), GrB_Vector_free(&partial);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  double r;
  named_make(&g, 3);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(Grid_assortativity(&r, A, NULL, NULL), GrB_SUCCESS);
  assert_null(check_assortativity(&g.list, NULL, NULL, r, text, sizeof text));
  assert_non_null(check_assortativity(&g.list, NULL, NULL, r + 1e-6, text, sizeof text));
  assert_non_null(check_assortativity(&g.list, NULL, NULL, (double)NAN, text, sizeof text));
  named_make(&g, 7);
  assert_non_null(check_assortativity(&g.list, NULL, NULL, 0, text, sizeof text));
  for (uint64_t v = 0; v < g.list.n; v++) y[v] = 0;
  assert_null(check_label_assortativity(&g.list, y, (double)NAN, text, sizeof text));
  assert_non_null(check_label_assortativity(&g.list, y, 1, text, sizeof text));
  named_make(&g, 8); /* two triangles and a vertex */
  for (int v = 0; v < 7; v++) y[v] = v / 3;
  assert_null(check_label_assortativity(&g.list, y, 1, text, sizeof text));
  assert_non_null(check_label_assortativity(&g.list, y, 1 - 1e-6, text, sizeof text));
  y[0] = 1;
  assert_non_null(check_label_assortativity(&g.list, y, 1, text, sizeof text));
  assert_non_null(check_label_assortativity(&g.list, y, (double)NAN, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("assortativity", cmocka_unit_test(matches_checker), cmocka_unit_test(labels_match),
           cmocka_unit_test(known_numbers), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
