/* Weights and right sides whose squares overflow or vanish: the results are those of moderate numbers times a
 * factor, or the call says what is wrong. */
#include "tests/named_graphs.h"

#include "tests/refused.h"

enum { N = 5 };

/* The diagonal 1, 2, ..., N times x, and with `edge` an edge of that weight between 0 and 1. */
static GrB_Matrix diagonal_of(double x, double edge) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, N, N), GrB_SUCCESS);
  for (GrB_Index i = 0; i < N; i++)
    assert_int_equal(GrB_Matrix_setElement_FP64(A, (double)(i + 1) * x, i, i), GrB_SUCCESS);
  for (GrB_Index i = 0; i < 2 && edge != 0; i++)
    assert_int_equal(GrB_Matrix_setElement_FP64(A, edge, i, 1 - i), GrB_SUCCESS);
  return A;
}

static GrB_Vector full_of(double x, GrB_Type type, bool ascending) {
  GrB_Vector v;
  assert_int_equal(GrB_Vector_new(&v, type, N), GrB_SUCCESS);
  for (GrB_Index i = 0; i < N; i++)
    assert_int_equal(GrB_Vector_setElement_FP64(v, ascending ? (double)i * x : x, i), GrB_SUCCESS);
  return v;
}

/* v(i) = want[i], but for rounding. */
static void assert_values(GrB_Vector v, const double *want, GrB_Index n) {
  for (GrB_Index i = 0; i < n; i++) {
    double x;
    assert_int_equal(GrB_Vector_extractElement_FP64(&x, v, i), GrB_SUCCESS);
    if (!(fabs(x - want[i]) <= 1e-6 * fabs(want[i]))) fail_msg("value %d is %g, not %g", (int)i, x, want[i]);
  }
}

static const double factors[] = {1e-300, 1e-170, 1, 1e170, 1e300};
enum { FACTORS = sizeof factors / sizeof *factors };

static void eigenvalues(void **state) {
  for (int k = 0; k < FACTORS; k++) {
    GrB_Matrix A = diagonal_of(factors[k], 0);
    GrB_Vector values;
    const double want[] = {5 * factors[k], 4 * factors[k]};
    assert_int_equal(Grid_lanczos(&values, NULL, NULL, NULL, A, 2, 0, 100, 1), GrB_SUCCESS);
    assert_values(values, want, 2);
    GrB_Vector_free(&values), GrB_Matrix_free(&A);
  }
}

/* The other entries of the vectors tend to 0. */
static void centralities(void **state) {
  GrB_Vector x, hub;
  GrB_Matrix A = diagonal_of(1e170, 0), most = diagonal_of(1e307, 1.7e308);
  double value;
  assert_int_equal(Grid_eigenvector(&x, NULL, NULL, A, NULL, 0, 200), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_extractElement_FP64(&value, x, N - 1), GrB_SUCCESS);
  assert_true(fabs(value - 1) < 1e-6);
  GrB_Vector_free(&x), hub = NULL;
  assert_int_equal(GrB_Matrix_setElement_FP64(most, 1.7e308, 0, 0), GrB_SUCCESS);
  refused(Grid_hits(&hub, NULL, NULL, NULL, most, NULL, 0, 9), GrB_INVALID_VALUE, "Grid_hits: numbers");
  refused(Grid_eigenvector(&hub, NULL, NULL, most, NULL, 0, 9), GrB_INVALID_VALUE, "not finite");
  assert_null(hub);
  GrB_Matrix_free(&A), GrB_Matrix_free(&most);
}

/* 1 at vertex 0, in FP32. */
static GrB_Vector first_vertex(void) {
  GrB_Vector v;
  assert_int_equal(GrB_Vector_new(&v, GrB_FP32, N), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_FP64(v, 1, 0), GrB_SUCCESS);
  return v;
}

/* Squares of FP32 overflow and vanish sooner. The loop of -1 cancels the start, so that an edge of any weight
 * leaves its end alone. */
static void single_centralities(void **state) {
  static const double scale[] = {1e-36, 1e-21, 1, 1e20, 1e37};
  GrB_Vector start = first_vertex(), x;
  for (size_t k = 0; k < sizeof scale / sizeof *scale; k++) {
    const double want[] = {0, 1, 0, 0, 0};
    GrB_Matrix A = diagonal_of(1, scale[k]);
    assert_int_equal(GrB_Matrix_setElement_FP64(A, -1, 0, 0), GrB_SUCCESS);
    assert_int_equal(Grid_eigenvector(&x, NULL, NULL, A, start, 0, 1), GrB_SUCCESS);
    assert_values(x, want, N);
    GrB_Vector_free(&x), GrB_Matrix_free(&A);
  }
  GrB_Vector_free(&start);
}

/* Numbers of FP32 whose norm is beyond that type. */
static void single_overflow(void **state) {
  GrB_Vector start = first_vertex(), x = NULL;
  GrB_Matrix A = diagonal_of(1, 0);
  for (GrB_Index j = 0; j < N; j++) assert_int_equal(GrB_Matrix_setElement_FP64(A, 3e38, 0, j), GrB_SUCCESS);
  refused(Grid_hits(&x, NULL, NULL, NULL, A, start, 0, 9), GrB_INVALID_VALUE, "Grid_hits: numbers");
  refused(Grid_eigenvector(&x, NULL, NULL, A, start, 0, 9), GrB_INVALID_VALUE, "not finite");
  assert_null(x);
  GrB_Matrix_free(&A), GrB_Vector_free(&start);
}

/* Products that are all NaN have no largest number; their norm is not 0. */
static void not_a_number(void **state) {
  GrB_Vector x = NULL;
  GrB_Matrix A = diagonal_of((double)NAN, (double)NAN);
  double value = 77;
  refused(Grid_power_iteration(&value, &x, NULL, NULL, A, NULL, 0, 9, 1), GrB_INVALID_VALUE, "not finite");
  refused(Grid_eigenvector(&x, NULL, NULL, A, NULL, 0, 9), GrB_INVALID_VALUE, "not finite");
  refused(Grid_lanczos(&x, NULL, NULL, NULL, A, 2, 0, 9, 1), GrB_INVALID_VALUE, "not finite");
  assert_true(value == 77);
  assert_null(x);
  GrB_Matrix_free(&A);
}

/* Each vertex is a community: of weight i + 1, among 15 in all. */
static void modularity(void **state) {
  GrB_Vector community = full_of(1, GrB_INT64, true), conductance;
  double q;
  for (int k = 0; k < FACTORS; k++) {
    GrB_Matrix A = diagonal_of(factors[k], 0);
    assert_int_equal(Grid_modularity(&q, NULL, A, community, 1), GrB_SUCCESS);
    assert_true(fabs(q - (1 - 55. / 225)) < 1e-12);
    assert_int_equal(Grid_modularity(&q, &conductance, A, community, 1), GrB_SUCCESS);
    assert_true(fabs(q - (1 - 55. / 225)) < 1e-12);
    GrB_Vector_free(&conductance), GrB_Matrix_free(&A);
  }
  GrB_Matrix most = diagonal_of(3e307, 0);
  q = 77, conductance = NULL;
  refused(Grid_modularity(&q, NULL, most, community, 1), GrB_INVALID_VALUE, "not finite");
  refused(Grid_modularity(&q, &conductance, most, community, 1), GrB_INVALID_VALUE, "not finite");
  assert_true(q == 77);
  assert_null(conductance);
  GrB_Vector_free(&community), GrB_Matrix_free(&most);
}

static void right_sides(void **state) {
  GrB_Matrix A = diagonal_of(1, 0), small = diagonal_of(1e-170, 0);
  GrB_Vector b, x;
  double residual;
  for (int k = 0; k < FACTORS; k++) {
    double want[N];
    for (int i = 0; i < N; i++) want[i] = factors[k] / (i + 1);
    b = full_of(factors[k], GrB_FP64, false);
    assert_int_equal(Grid_conjugate_gradient(&x, NULL, &residual, A, b, NULL, 1e-12, 50), GrB_SUCCESS);
    assert_values(x, want, N);
    /* the solution is a start from which nothing is left to do */
    GrB_Vector again;
    uint64_t iterations;
    assert_int_equal(Grid_conjugate_gradient(&again, &iterations, &residual, A, b, x, 1e-12, 50),
                     GrB_SUCCESS);
    assert_true(iterations == 0 && residual < 1e-12);
    assert_values(again, want, N);
    GrB_Vector_free(&again), GrB_Vector_free(&x), GrB_Vector_free(&b);
  }
  x = NULL, b = full_of(1e200, GrB_FP64, false);
  refused(Grid_conjugate_gradient(&x, NULL, NULL, small, b, NULL, 1e-12, 50), GrB_INVALID_VALUE,
          "not finite");
  assert_null(x);
  GrB_Vector_free(&b), GrB_Matrix_free(&A), GrB_Matrix_free(&small);
}

/* Sums of squares are part of what these compute. */
static void refusals(void **state) {
  const double refuses[] = {1e-170, 1e170};
  for (int k = 0; k < 2; k++) {
    GrB_Matrix A = diagonal_of(refuses[k], 0), P = NULL, Q = NULL;
    GrB_Vector values = NULL;
    refused(Grid_singular_values(&values, NULL, NULL, NULL, NULL, A, 1, 0, 9, 1), GrB_INVALID_VALUE,
            "multiply A");
    refused(Grid_als(&P, &Q, NULL, A, 2, 0, 3, 1), GrB_INVALID_VALUE, "multiply them");
    refused(Grid_factors(&P, &Q, NULL, A, 2, 0, 0, 3, 1), GrB_INVALID_VALUE, "multiply them");
    assert_true(values == NULL && P == NULL && Q == NULL);
    GrB_Matrix_free(&A);
  }
}

NAMED_MAIN("magnitudes", cmocka_unit_test(eigenvalues), cmocka_unit_test(centralities),
           cmocka_unit_test(single_centralities), cmocka_unit_test(single_overflow),
           cmocka_unit_test(not_a_number), cmocka_unit_test(modularity), cmocka_unit_test(right_sides),
           cmocka_unit_test(refusals))
