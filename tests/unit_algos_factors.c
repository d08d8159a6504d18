/* Grid_factors against the serial checker on the named graphs and on matrices that are not square; its
 * errors, which must decrease. A matrix with an exact factorization, bad arguments, and the checker against
 * wrong answers. */
#include "tests/rectangular_ratings.h"

#include "bench/check/linear_algebra/check_factors.h"

enum { MAX_FACTORS = 5, MAX_ITERATIONS = 12 };

/* An answer on every process, row by row. */
typedef struct {
  double P[MAX_VERTICES * MAX_FACTORS], Q[MAX_VERTICES * MAX_FACTORS], error[MAX_ITERATIONS + 1];
} factors;

/* Every position has an entry, and the matrix is stored full. */
static void full(double *value, GrB_Matrix F, uint64_t n, uint64_t k) {
  static named_list e;
  Grid_Storage s;
  named_entries(&e, F);
  assert_int_equal(e.n, n * k);
  for (GrB_Index i = 0; i < e.n; i++) value[e.row[i] * k + e.col[i]] = e.value[i];
  assert_int_equal(Grid_Matrix_storage(&s, F), GrB_SUCCESS);
  assert_true(s.full);
}

static void compute_factors(factors *f, GrB_Matrix R, const check_graph *list, const check_factors_job *is) {
  GrB_Matrix P, Q;
  assert_int_equal(Grid_factors(&P, &Q, f->error, R, is->k, is->rate, is->lambda, is->iterations, is->seed),
                   GrB_SUCCESS);
  full(f->P, P, list->n, is->k);
  full(f->Q, Q, is->columns, is->k);
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
}

static const char *check_result(const check_graph *list, const check_factors_job *is, const factors *f) {
  static char text[300];
  return check_factors(list, is, f->P, f->Q, f->error, text, sizeof text);
}

static void compare(const named_graph *g, GrB_Matrix A, int number) {
  static factors f;
  const check_factors_job is = {.columns = g->list.n,
                                .k = (uint64_t)(1 + number % MAX_FACTORS),
                                .lambda = number % 3 * 0.1,
                                .iterations = (uint64_t)(number % 8),
                                .seed = (uint64_t)number,
                                .allowed = 1e-9};
  compute_factors(&f, A, &g->list, &is);
  assert_named_correct(check_result(&g->list, &is, &f), g);
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_UINT8, GrB_FP32};
  run_named_graphs(types, 4, compare);
}

/* With the library's rate the error, with what large factors cost, falls in every iteration. */
static void not_square(void **state) {
  static named_graph g;
  static factors f;
  const uint64_t shapes[][3] = {{40, 7, 90}, {9, 120, 200}, {2, 2, 1}, {150, 150, 900}};
  for (int k = 0; k < 4; k++) {
    GrB_Matrix R = make_rectangular(&g, shapes[k][0], shapes[k][1], shapes[k][2]);
    const check_factors_job is = {shapes[k][1], 3, 0, 0, MAX_ITERATIONS, 7, 1e-9};
    compute_factors(&f, R, &g.list, &is);
    assert_named_correct(check_result(&g.list, &is, &f), &g);
    for (int t = 0; t < MAX_ITERATIONS; t++) assert_true(f.error[t + 1] < f.error[t]);
    GrB_Matrix_free(&R);
  }
}

/* A product of a column and a row is recovered, including ratings that were left out. */
static void recovers_missing_ratings(void **state) {
  const double p[] = {1, 2, 0.5, 3, 1, 1.5}, q[] = {2, 1, 1, 4};
  GrB_Matrix R, P, Q;
  double error[61];
  double foretold = 0;
  assert_int_equal(GrB_Matrix_new(&R, GrB_FP64, 6, 4), GrB_SUCCESS);
  for (GrB_Index u = 0; u < 6; u++)
    for (GrB_Index v = 0; v < 4; v++)
      if (u != 3 || v != 1) assert_int_equal(GrB_Matrix_setElement_FP64(R, p[u] * q[v], u, v), GrB_SUCCESS);
  assert_int_equal(Grid_factors(&P, &Q, error, R, 1, 0.03, 0, 60, 1), GrB_SUCCESS);
  assert_true(error[60] < 1e-9);
  for (GrB_Index f = 0; f < 1; f++) {
    double x, y;
    assert_int_equal(GrB_Matrix_extractElement_FP64(&x, P, 3, f), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_extractElement_FP64(&y, Q, 1, f), GrB_SUCCESS);
    foretold += x * y;
  }
  assert_true(fabs(foretold - 3) < 1e-6);
  GrB_Matrix_free(&R);
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
}

static void bad_arguments(void **state) {
  GrB_Matrix R, odd, P, Q;
  GrB_Type user_type;
  GrB_Matrix const untouched = (GrB_Matrix)(uintptr_t)8;
  double error[101];
  P = Q = untouched;
  assert_int_equal(GrB_Type_new(&user_type, 16), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&R, GrB_FP64, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&odd, user_type, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(R, 3, 1, 1), GrB_SUCCESS);
  assert_int_equal(Grid_factors(NULL, &Q, error, R, 2, 0, 0, 9, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_factors(&P, NULL, error, R, 2, 0, 0, 9, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_factors(&P, &Q, error, NULL, 2, 0, 0, 9, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_factors(&P, &Q, error, R, 0, 0, 0, 9, 1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_factors(&P, &Q, error, R, 2, -1, 0, 9, 1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_factors(&P, &Q, error, R, 2, 0, NAN, 9, 1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_factors(&P, &Q, error, odd, 2, 0, 0, 9, 1), GrB_DOMAIN_MISMATCH);
  assert_int_equal(Grid_factors(&P, &Q, error, R, 2, 100, 0, 100, 1), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "diverges"));
  assert_int_equal(GrB_Matrix_setElement_FP64(R, INFINITY, 2, 2), GrB_SUCCESS);
  assert_int_equal(Grid_factors(&P, &Q, error, R, 2, 0, 0, 9, 1), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_factors"));
  assert_ptr_equal(P, untouched);
  assert_ptr_equal(Q, untouched);
  GrB_Matrix_free(&R);
  GrB_Matrix_free(&odd);
  GrB_Type_free(&user_type);
}

/* Without iterations and errors the first factors come, and a success. */
static void empty_input(void **state) {
  GrB_Matrix R, P = NULL, Q = NULL;
  GrB_Index n, m;
  assert_int_equal(GrB_Matrix_new(&R, GrB_FP64, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(R, 3, 1, 1), GrB_SUCCESS);
  assert_int_equal(Grid_factors(&P, &Q, NULL, R, 2, 0, 0, 0, 1), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_nvals(&n, P), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_nvals(&m, Q), GrB_SUCCESS);
  assert_true(n == 10 && m == 8);
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  GrB_Matrix_free(&R);
}

/* The checker notices a wrong factor on either side, a wrong error, and one that is missing. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  static factors f;
  GrB_Matrix R = make_rectangular(&g, 30, 20, 100);
  const check_factors_job is = {20, 2, 0, 0.1, 6, 1, 1e-9};
  compute_factors(&f, R, &g.list, &is);
  assert_null(check_result(&g.list, &is, &f));
  double *const entries[] = {&f.P[7], &f.Q[39], &f.error[0], &f.error[6]};
  for (int k = 0; k < 4; k++) {
    const double right = *entries[k];
    *entries[k] = right * 1.001;
    assert_non_null(check_result(&g.list, &is, &f));
    *entries[k] = (double)NAN;
    assert_non_null(check_result(&g.list, &is, &f));
    *entries[k] = right;
  }
  assert_null(check_result(&g.list, &is, &f));
  GrB_Matrix_free(&R);
}

NAMED_MAIN("factors", cmocka_unit_test(matches_checker), cmocka_unit_test(not_square),
           cmocka_unit_test(recovers_missing_ratings), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(empty_input), cmocka_unit_test(wrong_results_detected))
