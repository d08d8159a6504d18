/* Unit test of the polymorphic names (include/gridblas_generic.h): each is called with every kind of argument
 * it chooses by, and the result shows that the right function was chosen. */
#include "tests/unit.h"
#include <string.h>

#include "GraphBLAS.h"
#include "gridblas.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { N = 4 };
typedef struct {
  GrB_Vector u, w;
  GrB_Matrix A;
  GrB_Scalar s;
} things;

/* u = (1, 2, -, 4), w empty, A = a path 0 -> 1 -> 2 -> 3 with weights 10, 20, 30; s = 5. */
static things make(void) {
  things t;
  OK(GrB_Vector_new(&t.u, GrB_FP64, N));
  OK(GrB_Vector_new(&t.w, GrB_FP64, N));
  OK(GrB_Matrix_new(&t.A, GrB_FP64, N, N));
  OK(GrB_Scalar_new(&t.s, GrB_FP64));
  const GrB_Index iu[] = {0, 1, 3}, rows[] = {0, 1, 2}, cols[] = {1, 2, 3};
  const double xu[] = {1, 2, 4};
  double xa[] = {10, 20, 30};
  OK(GrB_Vector_build(t.u, iu, xu, 3, GrB_NULL));
  OK(GrB_Matrix_build(t.A, rows, cols, xa, 3, GrB_PLUS_FP64));
  OK(GrB_Scalar_setElement(t.s, 5));
  return t;
}
static void drop(things *t) {
  OK(GrB_free(&t->u));
  OK(GrB_free(&t->w));
  OK(GrB_free(&t->A));
  OK(GrB_free(&t->s));
}
/* The vector's entries are exactly `text`'s numbers, NAN for no entry. */
static void same(GrB_Vector v, double a, double b, double c, double d) {
  const double expect[N] = {a, b, c, d};
  for (GrB_Index i = 0; i < N; i++) {
    double x = 0;
    GrB_Info info = GrB_Vector_extractElement(&x, v, i);
    assert_int_equal(info, isnan(expect[i]) ? GrB_NO_VALUE : GrB_SUCCESS);
    if (info == GrB_SUCCESS) assert_true(x == expect[i]);
  }
}
#define NONE ((double)NAN)

static void test_elements(void **state) {
  things t = make();
  OK(GrB_Vector_setElement(t.w, 2.5, 0));
  OK(GrB_Vector_setElement(t.w, true, 1));
  OK(GrB_Vector_setElement(t.w, t.s, 2));
  OK(GrB_Vector_setElement(t.w, (uint64_t)1 << 40, 3));
  same(t.w, 2.5, 1, 5, 1099511627776.0);
  OK(GrB_Vector_setElement(t.w, -7LL, 3));
  int8_t small;
  uint16_t word;
  OK(GrB_Vector_extractElement(&small, t.w, 3));
  assert_int_equal(small, -7);
  OK(GrB_Vector_extractElement(&word, t.w, 0));
  assert_int_equal(word, 2);
  OK(GrB_Vector_extractElement(t.s, t.u, 2)); /* no entry: the scalar becomes empty */
  GrB_Index n;
  OK(GrB_Scalar_nvals(&n, t.s));
  assert_int_equal(n, 0);

  OK(GrB_Matrix_setElement(t.A, 3.5f, 0, 0));
  double x;
  OK(GrB_Matrix_extractElement(&x, t.A, 0, 0));
  assert_true(x == 3.5);
  OK(GrB_Matrix_extractElement(t.s, t.A, 1, 2));
  OK(GrB_Scalar_extractElement(&x, t.s));
  assert_true(x == 20);
  OK(GrB_Matrix_setElement(t.A, t.s, 0, 0));

  GrB_Index i[N], j[N];
  int32_t values[N];
  n = N;
  OK(GrB_Vector_extractTuples(i, values, &n, t.u));
  assert_true(n == 3 && i[2] == 3 && values[2] == 4);
  n = N;
  OK(GrB_Matrix_extractTuples(i, j, values, &n, t.A));
  int64_t sum = 0;
  for (GrB_Index k = 0; k < n; k++) sum += values[k];
  assert_true(n == 4 && sum == 80);
  drop(&t);
}

static void test_operations(void **state) {
  things t = make();
  OK(GrB_apply(t.w, NULL, NULL, GrB_AINV_FP64, t.u, NULL));
  same(t.w, -1, -2, NONE, -4);
  OK(GrB_apply(t.w, NULL, NULL, GrB_MINUS_FP64, 10, t.u, NULL));
  same(t.w, 9, 8, NONE, 6);
  OK(GrB_apply(t.w, NULL, NULL, GrB_MINUS_FP64, t.u, 10.0, NULL));
  same(t.w, -9, -8, NONE, -6);
  OK(GrB_apply(t.w, NULL, NULL, GrB_MINUS_FP64, t.s, t.u, NULL));
  same(t.w, 4, 3, NONE, 1);
  OK(GrB_apply(t.w, NULL, NULL, GrB_MINUS_FP64, t.u, t.s, NULL));
  same(t.w, -4, -3, NONE, -1);
  OK(GrB_apply(t.w, NULL, NULL, GrB_ROWINDEX_INT64, t.u, 100, NULL));
  same(t.w, 100, 101, NONE, 103);
  OK(GrB_apply(t.w, NULL, NULL, GrB_ROWINDEX_INT64, t.u, t.s, NULL));
  same(t.w, 5, 6, NONE, 8);

  OK(GrB_select(t.w, NULL, NULL, GrB_VALUEGT_FP64, t.u, 1, NULL));
  same(t.w, NONE, 2, NONE, 4);
  OK(GrB_select(t.w, NULL, NULL, GrB_VALUELT_FP64, t.u, t.s, NULL));
  same(t.w, 1, 2, NONE, 4);

  OK(GrB_eWiseAdd(t.w, NULL, NULL, GrB_PLUS_FP64, t.w, t.u, NULL));
  same(t.w, 2, 4, NONE, 8);
  OK(GrB_eWiseMult(t.w, NULL, NULL, GrB_MAX_MONOID_FP64, t.w, t.u, NULL));
  same(t.w, 2, 4, NONE, 8);
  OK(GrB_eWiseMult(t.w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, t.w, t.u, NULL));
  same(t.w, 2, 8, NONE, 32);
  OK(GrB_eWiseAdd(t.w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, t.u, t.u, NULL));
  same(t.w, 2, 4, NONE, 8);

  const GrB_Index back[] = {3, 2, 1, 0};
  OK(GrB_extract(t.w, NULL, NULL, t.u, back, N, NULL));
  same(t.w, 4, NONE, 2, 1);
  OK(GrB_assign(t.w, NULL, NULL, t.u, back, N, NULL));
  same(t.w, 4, NONE, 2, 1);
  OK(GrB_assign(t.w, NULL, NULL, 6, GrB_ALL, N, NULL));
  same(t.w, 6, 6, 6, 6);
  OK(GrB_assign(t.w, t.u, GrB_PLUS_FP64, t.s, GrB_ALL, N, GrB_DESC_S));
  same(t.w, 11, 11, 6, 11);
  drop(&t);
}

/* C's entries are above A's diagonal: (0, 1), (1, 2), (2, 3). */
static void on_path(GrB_Matrix C, double a, double b, double c) {
  const double expect[] = {a, b, c};
  for (GrB_Index k = 0; k < 3; k++) {
    double x = 0;
    GrB_Info info = GrB_Matrix_extractElement(&x, C, k, k + 1);
    assert_int_equal(info, isnan(expect[k]) ? GrB_NO_VALUE : GrB_SUCCESS);
    if (info == GrB_SUCCESS) assert_true(x == expect[k]);
  }
}

static void test_matrix_operations(void **state) {
  things t = make();
  GrB_Matrix C;
  OK(GrB_Matrix_new(&C, GrB_FP64, N, N));
  OK(GrB_eWiseAdd(C, NULL, NULL, GrB_PLUS_FP64, t.A, t.A, NULL));
  on_path(C, 20, 40, 60);
  OK(GrB_eWiseAdd(C, NULL, NULL, GrB_MAX_MONOID_FP64, C, t.A, NULL));
  on_path(C, 20, 40, 60);
  OK(GrB_eWiseMult(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, C, t.A, NULL));
  on_path(C, 200, 800, 1800);
  OK(GrB_apply(C, NULL, NULL, GrB_AINV_FP64, t.A, NULL));
  on_path(C, -10, -20, -30);
  OK(GrB_apply(C, NULL, NULL, GrB_MINUS_FP64, 10, t.A, NULL));
  on_path(C, 0, -10, -20);
  OK(GrB_apply(C, NULL, NULL, GrB_MINUS_FP64, t.A, 10.0, NULL));
  on_path(C, 0, 10, 20);
  OK(GrB_apply(C, NULL, NULL, GrB_MINUS_FP64, t.s, t.A, NULL));
  on_path(C, -5, -15, -25);
  OK(GrB_apply(C, NULL, NULL, GrB_COLINDEX_INT64, t.A, 100, NULL));
  on_path(C, 101, 102, 103);
  OK(GrB_apply(C, NULL, NULL, GrB_ROWINDEX_INT64, t.A, t.s, NULL));
  on_path(C, 5, 6, 7);
  OK(GrB_select(C, NULL, NULL, GrB_VALUEGT_FP64, t.A, 10, NULL));
  on_path(C, NONE, 20, 30);
  OK(GrB_select(C, NULL, NULL, GrB_COLLE, t.A, 2, NULL));
  on_path(C, 10, 20, NONE);
  OK(GrB_free(&C));
  drop(&t);
}

static void test_reductions(void **state) {
  things t = make();
  double x;
  int64_t whole = 100;
  OK(GrB_reduce(&x, NULL, GrB_PLUS_MONOID_FP64, t.u, NULL));
  assert_true(x == 7);
  OK(GrB_reduce(&whole, GrB_PLUS_INT64, GrB_PLUS_MONOID_FP64, t.A, NULL));
  assert_int_equal(whole, 160);
  OK(GrB_reduce(t.s, NULL, GrB_MAX_MONOID_FP64, t.u, NULL));
  OK(GrB_Scalar_extractElement(&x, t.s));
  assert_true(x == 4);
  OK(GrB_reduce(t.s, NULL, GrB_MIN_FP64, t.A, NULL));
  OK(GrB_Scalar_extractElement(&x, t.s));
  assert_true(x == 10);
  OK(GrB_reduce(t.w, NULL, NULL, GrB_PLUS_MONOID_FP64, t.A, NULL));
  same(t.w, 10, 20, 30, NONE);
  OK(GrB_reduce(t.w, NULL, NULL, GrB_PLUS_FP64, t.A, GrB_DESC_T0));
  same(t.w, NONE, 10, 20, 30);
  drop(&t);
}

typedef struct {
  double re, im;
} pair;
static void add_pair(void *z, const void *x, const void *y) {
  pair a, b;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  a.re += b.re, a.im += b.im;
  memcpy(z, &a, sizeof a);
}

/* A pointer to anything else is a user-defined value. */
static void test_user_defined(void **state) {
  GrB_Type type;
  GrB_BinaryOp add;
  GrB_Monoid sum;
  GrB_Vector v;
  const pair zero = {0, 0}, one = {1, -1};
  pair got = {0, 0}, list[2] = {{1, 2}, {3, 4}};
  const GrB_Index at[] = {1, 3};
  OK(GrB_Type_new(&type, sizeof(pair)));
  OK(GrB_BinaryOp_new(&add, add_pair, type, type, type));
  OK(GrB_Monoid_new(&sum, add, &zero));
  OK(GrB_Vector_new(&v, type, N));
  OK(GrB_Vector_build(v, at, list, 2, add));
  OK(GrB_Vector_setElement(v, &one, 0));
  OK(GrB_reduce(&got, NULL, sum, v, NULL));
  assert_true(got.re == 5 && got.im == 5);
  OK(GrB_apply(v, NULL, NULL, add, v, &one, NULL));
  OK(GrB_Vector_extractElement(&got, v, 3));
  assert_true(got.re == 4 && got.im == 3);
  OK(GrB_assign(v, NULL, NULL, &zero, GrB_ALL, N, NULL));
  OK(GrB_reduce(&got, NULL, sum, v, NULL));
  assert_true(got.re == 0 && got.im == 0);
  const char *text;
  double d;
  assert_int_equal(GrB_Vector_extractElement(&d, v, 0), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_setElement(v, &one, 99), GrB_INVALID_INDEX);
  OK(GrB_error(&text, v));
  assert_non_null(strstr(text, "99"));
  OK(GrB_wait(v, GrB_MATERIALIZE));
  OK(GrB_free(&v));
  OK(GrB_free(&sum));
  OK(GrB_free(&add));
  OK(GrB_free(&type));
}

static void test_settings(void **state) {
  things t = make();
  int32_t value = 0;
  OK(GrB_set(t.A, Grid_DELEGATES_OFF, Grid_DELEGATES));
  OK(GrB_get(t.A, &value, Grid_DELEGATES));
  assert_int_equal(value, Grid_DELEGATES_OFF);
  drop(&t);
}

int main(void) {
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements),          cmocka_unit_test(test_operations),
      cmocka_unit_test(test_matrix_operations), cmocka_unit_test(test_reductions),
      cmocka_unit_test(test_user_defined),      cmocka_unit_test(test_settings)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return GrB_finalize() != GrB_SUCCESS || failed != 0;
}
