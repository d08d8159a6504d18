/* Grid_als: the equations of each row on the named graphs and on matrices that are not square; its errors. A
 * matrix with an exact factorization, bad arguments, and the checker against wrong answers. */
#include "tests/rectangular_ratings.h"

#include <dirent.h>
#include <omp.h>

#include "algos/linear_algebra/normal_equations.h"
#include "bench/check/linear_algebra/check_als.h"

enum { MAX_FACTORS = 64, MAX_ITERATIONS = 8 };

/* An answer on every process, row by row. */
typedef struct {
  double P[MAX_VERTICES * MAX_FACTORS], Q[MAX_VERTICES * MAX_FACTORS], error[MAX_ITERATIONS + 1];
} factors;

static char text[300];

static void full(double *value, GrB_Matrix F, uint64_t n, uint64_t k) {
  static GrB_Index row[MAX_VERTICES * MAX_FACTORS], col[MAX_VERTICES * MAX_FACTORS];
  static double x[MAX_VERTICES * MAX_FACTORS];
  GrB_Index count = MAX_VERTICES * MAX_FACTORS;
  assert_int_equal(GrB_Matrix_extractTuples_FP64(row, col, x, &count, F), GrB_SUCCESS);
  assert_int_equal(count, n * k);
  for (GrB_Index e = 0; e < count; e++) value[row[e] * k + col[e]] = x[e];
}

static void compute(factors *f, GrB_Matrix R, const check_graph *list, const check_als_job *is,
                    uint64_t iterations) {
  GrB_Matrix P, Q;
  assert_int_equal(Grid_als(&P, &Q, f->error, R, is->k, is->lambda, iterations, 5), GrB_SUCCESS);
  full(f->P, P, list->n, is->k);
  full(f->Q, Q, is->columns, is->k);
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
}

/* The transposed graph. */
static check_graph turn(const check_graph *g, uint64_t columns) {
  check_graph t = *g;
  t.n = columns, t.from = g->to, t.to = g->from;
  return t;
}

/* After 1 iteration P belongs to the first Q, and Q to P; then Q belongs to P. */
static void check_all(const named_graph *g, GrB_Matrix R, const check_als_job *is, uint64_t iterations) {
  static factors first, f;
  const check_graph t = turn(&g->list, is->columns);
  const check_als_job turned = {g->list.n, is->k, is->lambda, is->allowed};
  compute(&first, R, &g->list, is, 0);
  assert_named_correct(check_als_error(&g->list, is, first.P, first.Q, first.error[0], text, sizeof text), g);
  compute(&f, R, &g->list, is, 1);
  assert_named_correct(check_als_rows(&t, &turned, first.Q, f.P, text, sizeof text), g);
  assert_named_correct(check_als_rows(&g->list, is, f.P, f.Q, text, sizeof text), g);
  assert_named_correct(check_als_error(&g->list, is, f.P, f.Q, f.error[1], text, sizeof text), g);
  compute(&f, R, &g->list, is, iterations);
  assert_named_correct(check_als_rows(&g->list, is, f.P, f.Q, text, sizeof text), g);
  assert_named_correct(check_als_error(&g->list, is, f.P, f.Q, f.error[iterations], text, sizeof text), g);
  for (uint64_t k = 0; k < iterations && is->lambda == 0; k++) /* it minimizes the errors alone */
    assert_true(f.error[k + 1] <= f.error[k] * (1 + 1e-9) + 1e-9);
}

static void compare(const named_graph *g, GrB_Matrix A, int number) {
  const check_als_job is = {
      .columns = g->list.n, .k = (uint64_t)(1 + number % 5), .lambda = number % 3 * 0.1, .allowed = 1e-9};
  check_all(g, A, &is, (uint64_t)(1 + number % 4));
}
static void equations_hold(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_UINT8, GrB_FP32};
  run_named_graphs(types, 4, compare);
}

/* Also with more factors than ratings in a row, and with all 64. */
static void not_square(void **state) {
  static named_graph g;
  const uint64_t shapes[][4] = {
      {40, 7, 90, 3}, {9, 120, 200, 6}, {2, 2, 1, 2}, {150, 150, 900, 10}, {60, 50, 400, 64}};
  for (int k = 0; k < 10; k++) {
    const uint64_t *s = shapes[k / 2];
    GrB_Matrix R = make_rectangular(&g, s[0], s[1], s[2]);
    const check_als_job is = {s[1], s[3], k % 2 * 0.05, 1e-9};
    check_all(&g, R, &is, MAX_ITERATIONS);
    GrB_Matrix_free(&R);
  }
}

/* A product of a column and a row is recovered, including ratings that were left out. */
static void recovers_missing_ratings(void **state) {
  const double p[] = {1, 2, 0.5, 3, 1, 1.5}, q[] = {2, 1, 1, 4};
  GrB_Matrix R, P, Q;
  double error[61], x, y;
  assert_int_equal(GrB_Matrix_new(&R, GrB_FP64, 6, 4), GrB_SUCCESS);
  for (GrB_Index u = 0; u < 6; u++)
    for (GrB_Index v = 0; v < 4; v++)
      if (u != 3 || v != 1) assert_int_equal(GrB_Matrix_setElement_FP64(R, p[u] * q[v], u, v), GrB_SUCCESS);
  assert_int_equal(Grid_als(&P, &Q, error, R, 1, 0, 60, 1), GrB_SUCCESS);
  assert_true(error[60] < 1e-9);
  assert_int_equal(GrB_Matrix_extractElement_FP64(&x, P, 3, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_extractElement_FP64(&y, Q, 1, 0), GrB_SUCCESS);
  assert_true(fabs(x * y - 3) < 1e-6);
  GrB_Matrix_free(&R), GrB_Matrix_free(&P), GrB_Matrix_free(&Q);
}

static void bad_arguments(void **state) {
  GrB_Matrix R, odd, P, Q;
  GrB_Type user_type;
  GrB_Matrix const untouched = (GrB_Matrix)(uintptr_t)8;
  double error[10];
  P = Q = untouched;
  assert_int_equal(GrB_Type_new(&user_type, 16), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&R, GrB_FP64, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&odd, user_type, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(R, 3, 1, 1), GrB_SUCCESS);
  assert_int_equal(Grid_als(NULL, &Q, error, R, 2, 0, 9, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_als(&P, NULL, error, R, 2, 0, 9, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_als(&P, &Q, error, NULL, 2, 0, 9, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_als(&P, &Q, error, R, 0, 0, 9, 1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_als(&P, &Q, error, R, 65, 0, 9, 1), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), ", above 64"));
  assert_int_equal(Grid_als(&P, &Q, error, R, 2, -1, 9, 1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_als(&P, &Q, error, R, 2, (double)NAN, 9, 1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_als(&P, &Q, error, R, 2, (double)INFINITY, 9, 1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_als(&P, &Q, error, odd, 2, 0, 9, 1), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Matrix_setElement_FP64(R, 1e300, 2, 1), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(R, 1e-300, 2, 2), GrB_SUCCESS);
  assert_int_equal(Grid_als(&P, &Q, error, R, 2, 1e300, 9, 1), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "multiply them by a number"));
  assert_int_equal(GrB_Matrix_setElement_FP64(R, (double)INFINITY, 2, 2), GrB_SUCCESS);
  assert_int_equal(Grid_als(&P, &Q, error, R, 2, 0, 9, 1), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_als"));
  assert_ptr_equal(P, untouched);
  assert_ptr_equal(Q, untouched);
  GrB_Matrix_free(&R), GrB_Matrix_free(&odd);
  GrB_Type_free(&user_type);
}

/* Matrices without ratings, rows or columns. */
static void empty_input(void **state) {
  const GrB_Index shapes[][2] = {{5, 4}, {0, 4}, {5, 0}, {0, 0}};
  GrB_Index entries;
  double error[3], sum;
  for (int s = 0; s < 4; s++) {
    GrB_Matrix R, P, Q;
    assert_int_equal(GrB_Matrix_new(&R, GrB_FP64, shapes[s][0], shapes[s][1]), GrB_SUCCESS);
    assert_int_equal(Grid_als(&P, &Q, error, R, 2, 0.1, 2, 1), GrB_SUCCESS);
    assert_true(error[0] == 0 && error[2] == 0);
    assert_int_equal(GrB_Matrix_nvals(&entries, P), GrB_SUCCESS);
    assert_int_equal(entries, 2 * shapes[s][0]);
    assert_int_equal(GrB_Matrix_nvals(&entries, Q), GrB_SUCCESS);
    assert_int_equal(entries, 2 * shapes[s][1]);
    assert_int_equal(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_MAX_MONOID_FP64, Q, NULL), GrB_SUCCESS);
    assert_true(shapes[s][1] == 0 || sum == 0);
    GrB_Matrix_free(&R), GrB_Matrix_free(&P), GrB_Matrix_free(&Q);
  }
}

/* The checker notices a wrong factor, one that is missing, and a wrong error. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  static factors f;
  GrB_Matrix R = make_rectangular(&g, 30, 20, 100);
  const check_als_job is = {20, 2, 0.1, 1e-9};
#define ROWS  (check_als_rows(&g.list, &is, f.P, f.Q, text, sizeof text))
#define ERROR (check_als_error(&g.list, &is, f.P, f.Q, f.error[6], text, sizeof text))
  compute(&f, R, &g.list, &is, 6);
  assert_null(ROWS);
  assert_null(ERROR);
  const double q = f.Q[7], wrong[] = {q * 1.001, (double)NAN, 0};
  for (int k = 0; k < 3; k++) {
    f.Q[7] = wrong[k];
    assert_non_null(ROWS);
    assert_non_null(ERROR);
  }
  f.Q[7] = q, f.Q[2] = 1; /* column 1 has no ratings */
  assert_non_null(ROWS);
  f.Q[2] = 0, f.error[6] *= 1.001;
  assert_non_null(ERROR);
#undef ROWS
#undef ERROR
  GrB_Matrix_free(&R);
}

static int count_threads(void) {
  int count = -2; /* . and .. */
  DIR *folder = opendir("/proc/self/task");
  assert_non_null(folder);
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

/* Rows of one rating each: the threads that the process has after their equations are solved. The errors'
 * sums start no more. */
static int threads_after(uint64_t rows, uint64_t k) {
  enum { MOST = 1 << 18 };
  static uint64_t start[MOST + 1], at[MOST];
  static double value[MOST], fixed[MAX_FACTORS], x[MOST], square[MOST];
  const least_squares s = {start, at, value, rows, k, fixed, 1};
  for (uint64_t u = 0; u < rows; u++) start[u + 1] = u + 1;
  assert_true(grid_solve_least_squares(x, &s));
  const int count = count_threads();
  grid_sum_squared_errors(square, x, &s);
  assert_int_equal(count_threads(), count);
  return count;
}

/* OpenMP makes threads when a loop first uses them. */
static void small_problems_use_one_thread(void **state) {
  const int before = count_threads(), set = omp_get_max_threads();
  omp_set_num_threads(before + 1);
  assert_int_equal(threads_after(300, 8), before);
  assert_true(threads_after(1 << 18, 1) > before);
  omp_set_num_threads(set);
}

NAMED_MAIN("als", cmocka_unit_test(small_problems_use_one_thread), cmocka_unit_test(equations_hold),
           cmocka_unit_test(not_square), cmocka_unit_test(recovers_missing_ratings),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(empty_input),
           cmocka_unit_test(wrong_results_detected))
