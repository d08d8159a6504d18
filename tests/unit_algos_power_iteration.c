/* Grid_power_iteration on all named graphs, by the checker; known eigenvalues of symmetric and other
 * matrices; its errors; the checker against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/linear_algebra/check_power_iteration.h"

static char text[300];

typedef struct {
  double value, x[MAX_VERTICES], residual;
  uint64_t iterations;
} pair;

static void compute(pair *p, GrB_Matrix A, GrB_Vector start, double tolerance, uint64_t limit) {
  GrB_Vector vector;
  GrB_Index n;
  assert_int_equal(
      Grid_power_iteration(&p->value, &vector, &p->iterations, &p->residual, A, start, tolerance, limit, 7),
      GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, vector), GrB_SUCCESS);
  named_values(p->x, vector, n);
  GrB_Vector_free(&vector);
}

static const char *check_named(const named_graph *g, const pair *p) {
  check_graph list = g->list;
  list.loops = true;
  return check_power_iteration(&list, p->value, p->x, p->residual, text, sizeof text);
}

static void agrees_with_the_definition(void **state) {
  static named_graph g;
  static pair p;
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    GrB_Matrix A = named_matrix(&g, GrB_FP64);
    for (uint64_t limit = 1; limit <= 40; limit *= 3) {
      compute(&p, A, NULL, 0, limit);
      assert_named_correct(check_named(&g, &p), &g);
    }
    GrB_Matrix_free(&A);
  }
}

/* Of a clique of 12: 11, at once; and of a triangular matrix, which is not symmetric, the diagonal's -5,
 * whose vector is (1, -7, 0) / sqrt(50). */
static void known_eigenvalues(void **state) {
  static named_graph g;
  static pair p;
  GrB_Matrix A;
  GrB_Vector start;
  named_make(&g, 6);
  A = named_pattern(&g);
  compute(&p, A, NULL, 1e-12, 100);
  assert_true(fabs(p.value - 11) < 1e-10 && p.residual < 1e-12 && p.iterations < 100);
  for (int v = 1; v < 12; v++) assert_true(fabs(p.x[v] - p.x[0]) < 1e-11);
  GrB_Matrix_free(&A);
  assert_int_equal(GrB_Matrix_new(&A, GrB_INT32, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 2, 0, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 1, 0, 1), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, -5, 1, 1), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 3, 1, 2), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 1, 2, 2), GrB_SUCCESS);
  compute(&p, A, NULL, 1e-12, 200);
  assert_true(fabs(p.value + 5) < 1e-10 && p.residual < 1e-12);
  assert_true(fabs(p.x[1] + 7 * p.x[0]) < 1e-9 && fabs(p.x[2]) < 1e-9);
  assert_int_equal(GrB_Vector_new(&start, GrB_INT64, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_FP64(start, 9, 0), GrB_SUCCESS);
  compute(&p, A, start, 0, 3); /* an eigenvector of 2 */
  assert_true(p.value == 2 && p.residual == 0 && p.x[0] == 1 && p.iterations == 3);
  GrB_Matrix_free(&A), GrB_Vector_free(&start);
}

/* Numbers whose squares overflow or vanish, of the matrix and of the start: 3 and 1 times the scale. */
static void extreme_scales(void **state) {
  static pair p;
  static const double scale[] = {1e-300, 1e-160, 1e160, 1e300};
  GrB_Matrix A;
  GrB_Vector start;
  for (int k = 0; k < 4; k++) {
    assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 2, 2), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&start, GrB_FP64, 2), GrB_SUCCESS);
    for (GrB_Index i = 0; i < 2; i++) {
      assert_int_equal(GrB_Matrix_setElement_FP64(A, 2 * scale[k], i, i), GrB_SUCCESS);
      assert_int_equal(GrB_Matrix_setElement_FP64(A, scale[k], i, 1 - i), GrB_SUCCESS);
    }
    assert_int_equal(GrB_Vector_setElement_FP64(start, scale[k], 0), GrB_SUCCESS);
    compute(&p, A, start, 1e-12, 100);
    assert_true(fabs(p.value / scale[k] - 3) < 1e-10 && p.residual < 1e-12 && p.iterations > 10);
    assert_true(fabs(p.x[0] - sqrt(0.5)) < 1e-10 && fabs(p.x[1] - sqrt(0.5)) < 1e-10);
    GrB_Matrix_free(&A), GrB_Vector_free(&start);
  }
}

/* A product of 0 ends it, with the value 0; a limit of 0 is 1. */
static void stops(void **state) {
  static pair p;
  GrB_Matrix A;
  for (GrB_Index n = 0; n < 4; n++) {
    assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, n, n), GrB_SUCCESS);
    for (GrB_Index i = 1; i < n; i++)
      assert_int_equal(GrB_Matrix_setElement_FP64(A, 1, i - 1, i), GrB_SUCCESS);
    compute(&p, A, NULL, 0, 99);
    assert_true(p.value == 0 && p.residual == 0 && p.iterations == (n == 0 ? 1 : n));
    compute(&p, A, NULL, 0, 0);
    assert_int_equal(p.iterations, 1);
    GrB_Matrix_free(&A);
  }
}

static void assert_refused(GrB_Info wanted, GrB_Matrix A, GrB_Vector start, double tolerance) {
  GrB_Vector vector = NULL;
  uint64_t iterations = 77;
  double value = 77, residual = 77;
  assert_int_equal(Grid_power_iteration(&value, &vector, &iterations, &residual, A, start, tolerance, 9, 0),
                   wanted);
  assert_non_null(strstr(Grid_last_error(), "Grid_power_iteration"));
  assert_true(vector == NULL && iterations == 77 && value == 77 && residual == 77);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector start, longer;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 3, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&start, GrB_FP64, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&longer, GrB_FP64, 4), GrB_SUCCESS);
  assert_int_equal(Grid_power_iteration(NULL, NULL, NULL, NULL, A, NULL, 0, 9, 0), GrB_NULL_POINTER);
  assert_refused(GrB_NULL_POINTER, NULL, NULL, 0);
  assert_refused(GrB_DIMENSION_MISMATCH, oblong, NULL, 0);
  assert_refused(GrB_DIMENSION_MISMATCH, A, longer, 0);
  assert_refused(GrB_INVALID_VALUE, A, start, 0); /* it is 0 */
  assert_refused(GrB_INVALID_VALUE, A, NULL, -1);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, HUGE_VAL, 1, 1), GrB_SUCCESS);
  assert_refused(GrB_INVALID_VALUE, A, NULL, 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Vector_free(&start), GrB_Vector_free(&longer);
}

static void wrong_answers_detected(void **state) {
  static named_graph g;
  static pair p, wrong;
  named_dense(&g, 20);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  compute(&p, A, NULL, 0, 5);
  assert_null(check_named(&g, &p));
  wrong = p, wrong.x[3] += 1e-4;
  assert_non_null(check_named(&g, &wrong));
  wrong = p, wrong.value += 1e-4;
  assert_non_null(check_named(&g, &wrong));
  wrong = p, wrong.residual += 1e-4;
  assert_non_null(check_named(&g, &wrong));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("power_iteration", cmocka_unit_test(agrees_with_the_definition),
           cmocka_unit_test(known_eigenvalues), cmocka_unit_test(stops), cmocka_unit_test(extreme_scales),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_answers_detected))
