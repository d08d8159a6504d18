/* Grid_degree on all named graphs, by the checker; known degrees; its errors; the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "bench/check/centrality/check_degree.h"

static char text[300];
static double out_degree[MAX_VERTICES], in_degree[MAX_VERTICES];

static void compute(GrB_Matrix A, uint64_t n) {
  GrB_Vector out, in;
  assert_int_equal(Grid_degree(&out, &in, A), GrB_SUCCESS);
  named_values(out_degree, out, n), named_values(in_degree, in, n);
  GrB_Vector_free(&out), GrB_Vector_free(&in);
}

static void counts_edges(void **state) {
  static named_graph g;
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GrB_BOOL};
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    for (int pattern = 0; pattern < 2; pattern++) {
      GrB_Matrix A = pattern ? named_pattern(&g) : named_matrix(&g, types[k % 3]);
      compute(A, g.list.n);
      assert_named_correct(check_degree(&g.list, out_degree, in_degree, text, sizeof text), &g);
      GrB_Matrix_free(&A);
    }
  }
}

/* A loop, two edges from 1 and one back, and a vertex without edges. */
static void known_degrees(void **state) {
  const double from[] = {0, 2, 1, 0}, to[] = {1, 1, 1, 0};
  GrB_Matrix A;
  GrB_Vector in;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP32, 4, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 1, 0, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 0, 1, 0), GrB_SUCCESS); /* an entry of 0 is an edge */
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 5, 1, 2), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 7, 2, 1), GrB_SUCCESS);
  compute(A, 4);
  for (int v = 0; v < 4; v++) assert_true(out_degree[v] == from[v] && in_degree[v] == to[v]);
  assert_int_equal(Grid_degree(NULL, &in, A), GrB_SUCCESS);
  named_values(in_degree, in, 4);
  assert_true(in_degree[2] == 1);
  GrB_Vector_free(&in), GrB_Matrix_free(&A);
}

static GrB_Info out_alone(GrB_Vector *v, GrB_Matrix A) {
  return Grid_degree(v, NULL, A);
}

static void bad_arguments(void **state) {
  named_refusals(out_alone, "Grid_degree");
  GrB_Matrix A;
  GrB_Vector v = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(Grid_degree(&v, &v, A), GrB_INVALID_VALUE);
  assert_string_equal(Grid_last_error(), "Grid_degree: two outputs are the same pointer");
  assert_null(v);
  int64_t radius = 7;
  double value = 7;
  assert_int_equal(Grid_eccentricity(NULL, &radius, &radius, A), GrB_INVALID_VALUE);
  assert_int_equal(Grid_power_iteration(&value, NULL, NULL, &value, A, NULL, 0, 3, 1), GrB_INVALID_VALUE);
  assert_true(radius == 7 && value == 7);
  GrB_Matrix_free(&A);
}

static void wrong_answers_detected(void **state) {
  static named_graph g;
  named_make(&g, 9); /* a directed one */
  GrB_Matrix A = named_pattern(&g);
  compute(A, g.list.n);
  out_degree[1]++;
  assert_non_null(check_degree(&g.list, out_degree, in_degree, text, sizeof text));
  out_degree[1]--, in_degree[2]--;
  assert_non_null(check_degree(&g.list, out_degree, in_degree, text, sizeof text));
  in_degree[2] = (double)NAN;
  assert_non_null(check_degree(&g.list, out_degree, in_degree, text, sizeof text));
  assert_null(check_degree(&g.list, out_degree, NULL, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("degree", cmocka_unit_test(counts_edges), cmocka_unit_test(known_degrees),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_answers_detected))
