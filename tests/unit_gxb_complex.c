/* Complex types: every call with complex values, casts, arithmetic, products against C's complex numbers,
 * reductions, serialisation, printing, fields. Runs on any number of processes. */
#include <complex.h>
#undef I
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas_gxb_operators.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { N = 13 };
static GxB_FC64_t z64(double real, double imag) {
  return GxB_CMPLX(real, imag);
}
static GxB_FC64_t draw_complex(void) {
  return z64((double)draw(9) - 4, (double)draw(9) - 4);
}

/* A matrix and its model, in which absent entries are 0 and values are not. */
typedef struct {
  bool has[N][N];
  GxB_FC64_t v[N][N];
} model;
static GrB_Matrix draw_matrix(model *m, GrB_Type type) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, type, N, N));
  memset(m, 0, sizeof *m);
  for (GrB_Index i = 0; i < N; i++)
    for (GrB_Index j = 0; j < N; j++) {
      if (!(m->has[i][j] = draw_one_in(3))) continue;
      m->v[i][j] = draw_complex();
      if (type == GxB_FC32)
        OK(GxB_Matrix_setElement_FC32(A, (GxB_FC32_t)m->v[i][j], i, j));
      else
        OK(GxB_Matrix_setElement_FC64(A, m->v[i][j], i, j));
    }
  return A;
}
static void check(GrB_Matrix A, const model *m, const char *what) {
  GrB_Index I[N * N], J[N * N], n = N * N, want = 0;
  GxB_FC64_t X[N * N];
  bool fine = true;
  OK(GxB_Matrix_extractTuples_FC64(I, J, X, &n, A));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) want += m->has[i][j];
  for (GrB_Index e = 0; e < n; e++) fine = fine && m->has[I[e]][J[e]] && cabs(X[e] - m->v[I[e]][J[e]]) < 1e-5;
  if (!fine || n != want) print_message("%s: wrong\n", what);
  assert_on_all(fine && n == want);
}

static void products(void **state) {
  for (int how = 0; how < 12; how++) {
    const GrB_Type type = how & 1 ? GxB_FC32 : GxB_FC64;
    static model a, b, c, t;
    GrB_Matrix A = draw_matrix(&a, type), B = draw_matrix(&b, type), C = draw_matrix(&c, type);
    const GrB_Semiring s[2][3] = {{GxB_PLUS_TIMES_FC64, GxB_PLUS_MINUS_FC64, GxB_PLUS_SECOND_FC64},
                                  {GxB_PLUS_TIMES_FC32, GxB_PLUS_MINUS_FC32, GxB_PLUS_SECOND_FC32}};
    const int mul = how / 2 % 3;
    const bool accum = how >= 6;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        for (int k = 0; k < N; k++) {
          if (!a.has[i][k] || !b.has[k][j]) continue;
          const GxB_FC64_t x = a.v[i][k], y = b.v[k][j];
          t.has[i][j] = true, t.v[i][j] += mul == 0 ? x * y : mul == 1 ? x - y : y;
        }
        if (accum) t.v[i][j] += c.v[i][j], t.has[i][j] |= c.has[i][j];
      }
    OK(GrB_mxm(C, NULL, accum ? how & 1 ? GxB_PLUS_FC32 : GxB_PLUS_FC64 : NULL, s[how & 1][mul], A, B, NULL));
    check(C, &t, "mxm");
    OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B)), OK(GrB_Matrix_free(&C));
  }
}

static void vectors(void **state) {
  static model a;
  GrB_Matrix A = draw_matrix(&a, GxB_FC64);
  GrB_Vector u = NULL, w = NULL;
  GrB_Scalar s = NULL;
  GrB_Monoid plus = NULL;
  GrB_Index I[N], n = N;
  GxB_FC64_t X[N], sum = 0, want = 0, z = 0;
  GxB_FC32_t Y[N], y = 0;
  for (GrB_Index k = 0; k < N; k++) I[k] = k, X[k] = draw_complex();
  OK(GrB_Vector_new(&u, GxB_FC64, N)), OK(GrB_Vector_new(&w, GxB_FC64, N));
  OK(GxB_Vector_build_FC64(u, I, X, N, NULL));
  OK(GrB_mxv(w, NULL, NULL, GxB_PLUS_TIMES_FC64, A, u, NULL));
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) want += a.has[i][k] ? a.v[i][k] * X[k] : 0;
  OK(GxB_Vector_reduce_FC64(&sum, NULL, GxB_PLUS_FC64_MONOID, w, NULL));
  assert_true(cabs(sum - want) < 1e-9);
  OK(GrB_vxm(w, NULL, NULL, GxB_PLUS_TIMES_FC64, u, A, GrB_DESC_T1));
  OK(GxB_Monoid_new_FC64(&plus, GxB_PLUS_FC64, z64(3, 4))); /* the predefined monoid's identity is 0 */
  OK(GxB_Vector_reduce_FC64(&sum, NULL, plus, w, NULL));
  assert_true(cabs(sum - want) < 1e-9);
  OK(GxB_Vector_reduce_FC32(&y, GxB_PLUS_FC32, GxB_PLUS_FC64_MONOID, w, NULL));
  assert_true(cabsf(y - (GxB_FC32_t)want) < 1e-3F);
  OK(GxB_Matrix_reduce_FC64(&sum, NULL, GxB_PLUS_FC64_MONOID, A, NULL));
  want = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) want += a.v[i][k];
  assert_true(cabs(sum - want) < 1e-9);
  OK(GrB_Matrix_reduce_Monoid(w, NULL, NULL, GxB_PLUS_FC64_MONOID, A, NULL));
  OK(GxB_Vector_reduce_FC64(&sum, NULL, GxB_PLUS_FC64_MONOID, w, NULL));
  assert_true(cabs(sum - want) < 1e-9);
  OK(GxB_Vector_extractTuples_FC32(I, Y, &n, u));
  for (GrB_Index k = 0; k < n; k++) assert_true(Y[k] == (GxB_FC32_t)X[I[k]]);
  OK(GxB_Vector_assign_FC32(w, NULL, NULL, GxB_CMPLXF(1, -2), GrB_ALL, N, NULL));
  OK(GxB_Vector_extractElement_FC64(&z, w, N - 1));
  assert_true(z == z64(1, -2));
  OK(GxB_Vector_setElement_FC64(w, z64(0, 7), 3));
  OK(GxB_Vector_apply_BinaryOp1st_FC64(w, NULL, NULL, GxB_MINUS_FC64, z64(5, 5), w, NULL));
  OK(GxB_Vector_extractElement_FC32(&y, w, 3));
  assert_true(y == GxB_CMPLXF(5, -2));
  OK(GxB_Vector_apply_BinaryOp2nd_FC32(w, NULL, NULL, GxB_TIMES_FC64, w, GxB_CMPLXF(0, 1), NULL));
  OK(GxB_Vector_extractElement_FC64(&z, w, 3));
  assert_true(z == z64(2, 5));
  OK(GxB_Vector_select_FC64(w, NULL, NULL, GxB_VALUEEQ_FC64, w, z64(2, 5), NULL));
  OK(GrB_Vector_nvals(&n, w));
  assert_int_equal(n, 1);
  OK(GxB_Vector_apply_IndexOp_FC32(w, NULL, NULL, GxB_VALUENE_FC32, w, GxB_CMPLXF(2, 5), NULL));
  OK(GxB_Vector_extractElement_FC64(&z, w, 3));
  assert_true(z == 0);
  OK(GrB_Scalar_new(&s, GxB_FC32));
  assert_int_equal(GxB_Scalar_extractElement_FC64(&z, s), GrB_NO_VALUE);
  OK(GxB_Scalar_setElement_FC64(s, z64(0.5, 8)));
  OK(GxB_Scalar_extractElement_FC32(&y, s));
  assert_true(y == GxB_CMPLXF(0.5, 8));
  OK(GrB_Matrix_free(&A)), OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
  OK(GrB_Scalar_free(&s)), OK(GrB_Monoid_free(&plus));
}

static void matrices(void **state) {
  static model a;
  GrB_Matrix A = draw_matrix(&a, GxB_FC32), B = NULL, C = NULL, D = NULL;
  GrB_Index p[N + 1], J[N * N], np = N + 1, nj = N * N, nx = N * N, size = 0;
  GxB_FC32_t X[N * N];
  OK(GxB_Matrix_export_FC32(p, J, X, &np, &nj, &nx, GrB_CSR_FORMAT, A));
  OK(GxB_Matrix_import_FC32(&B, GxB_FC32, N, N, p, J, X, np, nj, nx, GrB_CSR_FORMAT));
  check(B, &a, "import");
  assert_int_equal(GxB_Matrix_import_FC32(&D, GxB_FC64, N, N, p, J, X, np, nj, nx, GrB_CSR_FORMAT),
                   GrB_DOMAIN_MISMATCH);
  OK(GrB_Matrix_serializeSize(&size, A));
  char *bytes = malloc(size);
  OK(GrB_Matrix_serialize(bytes, &size, A));
  OK(GrB_Matrix_deserialize(&C, NULL, bytes, size));
  check(C, &a, "deserialize");
  assert_int_equal(GrB_Matrix_deserialize(&D, GrB_FP64, bytes, size), GrB_DOMAIN_MISMATCH);
  free(bytes);
  /* C = 2i conj(A'), twice turned; what is equal to 0 loses its imaginary part */
  OK(GrB_Matrix_apply(C, NULL, NULL, GxB_CONJ_FC32, C, GrB_DESC_T0));
  OK(GxB_Matrix_apply_BinaryOp1st_FC32(C, NULL, NULL, GxB_TIMES_FC32, GxB_CMPLXF(0, 2), C, NULL));
  OK(GxB_Matrix_apply_BinaryOp2nd_FC64(C, NULL, NULL, GxB_DIV_FC64, C, z64(0, 2), NULL));
  OK(GrB_transpose(C, NULL, NULL, C, NULL));
  OK(GrB_Matrix_apply(C, NULL, NULL, GxB_CONJ_FC32, C, NULL));
  check(C, &a, "apply");
  OK(GrB_Matrix_eWiseAdd_BinaryOp(B, NULL, NULL, GxB_MINUS_FC32, A, B, NULL));
  GxB_FC64_t sum = 1;
  OK(GxB_Matrix_reduce_FC64(&sum, NULL, GxB_PLUS_FC64_MONOID, B, NULL));
  assert_true(sum == 0);
  OK(GxB_Matrix_select_FC64(B, NULL, NULL, GxB_VALUENE_FC64, B, z64(0, 0), NULL));
  OK(GrB_Matrix_nvals(&nx, B));
  assert_int_equal(nx, 0);
  const GrB_Index I[] = {1, 1};
  OK(GxB_Matrix_build_FC64(B, I, I, (GxB_FC64_t[]){z64(1, 2), z64(3, 4)}, 2, GxB_TIMES_FC64));
  OK(GxB_Matrix_extractElement_FC64(&sum, B, 1, 1));
  assert_true(sum == z64(-5, 10));
  OK(GxB_Matrix_assign_FC64(B, NULL, GxB_PLUS_FC64, z64(5, 0), I, 1, I, 1, NULL));
  OK(GxB_Matrix_apply_IndexOp_FC64(B, NULL, NULL, GxB_VALUEEQ_FC64, B, z64(0, 10), NULL));
  GxB_FC32_t one = 0;
  OK(GxB_Matrix_extractElement_FC32(&one, B, 1, 1));
  assert_true(one == 1);
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B)), OK(GrB_Matrix_free(&C));
}

/* Real types to complex ones and back: the real part; truth of either part. */
static void casts(void **state) {
  const GrB_Type types[] = {GrB_BOOL,   GrB_INT8,   GrB_INT16, GrB_INT32, GrB_INT64, GrB_UINT8, GrB_UINT16,
                            GrB_UINT32, GrB_UINT64, GrB_FP32,  GrB_FP64,  GxB_FC32,  GxB_FC64};
  const GxB_FC64_t value[] = {z64(0, 0),    z64(0, 3),    z64(2, 0),
                              z64(-7.5, 1), z64(1e30, 2), z64((double)NAN, 0)};
  enum { VALUES = sizeof value / sizeof *value };
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    GrB_Vector u = NULL, w = NULL, back = NULL, real = NULL, truth = NULL;
    OK(GrB_Vector_new(&u, GxB_FC64, VALUES)), OK(GrB_Vector_new(&real, GrB_FP64, VALUES));
    OK(GrB_Vector_new(&w, types[t], VALUES)), OK(GrB_Vector_new(&back, GxB_FC64, VALUES));
    OK(GrB_Vector_new(&truth, GrB_BOOL, VALUES));
    for (GrB_Index k = 0; k < VALUES; k++) {
      OK(GxB_Vector_setElement_FC64(u, value[k], k));
      OK(GrB_Vector_setElement_FP64(real, creal(value[k]), k));
    }
    OK(GrB_Vector_assign(w, NULL, NULL, u, GrB_ALL, VALUES, NULL)); /* complex -> t -> complex */
    OK(GrB_Vector_assign(back, NULL, NULL, w, GrB_ALL, VALUES, NULL));
    OK(GrB_Vector_assign(w, NULL, NULL, real, GrB_ALL, VALUES, NULL)); /* real -> t */
    OK(GrB_Vector_assign(truth, NULL, NULL, u, GrB_ALL, VALUES, NULL));
    for (GrB_Index k = 0; k < VALUES; k++) {
      GxB_FC64_t z, r, want;
      bool b;
      OK(GxB_Vector_extractElement_FC64(&z, back, k));
      OK(GxB_Vector_extractElement_FC64(&r, w, k));
      OK(GrB_Vector_extractElement_BOOL(&b, truth, k));
      assert_true(b == (value[k] != 0));
      want = types[t] == GrB_BOOL   ? (GxB_FC64_t)b
             : types[t] == GxB_FC32 ? (GxB_FC64_t)(GxB_FC32_t)value[k]
             : types[t] == GxB_FC64 ? value[k]
                                    : r;
      assert_true(memcmp(&z, &want, sizeof z) == 0 || z == want);
      assert_true(cimag(r) == 0);
    }
    OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w)), OK(GrB_Vector_free(&back));
    OK(GrB_Vector_free(&real)), OK(GrB_Vector_free(&truth));
  }
}

static void functions(void **state) {
  const GxB_FC64_t x = z64(0.75, -1.5), y = z64(2, 0.5);
  const struct {
    GrB_UnaryOp op;
    GxB_FC64_t want;
  } row[] = {{GxB_SQRT_FC64, csqrt(x)},
             {GxB_LOG_FC64, clog(x)},
             {GxB_EXP_FC64, cexp(x)},
             {GxB_SIN_FC64, csin(x)},
             {GxB_COS_FC64, ccos(x)},
             {GxB_TAN_FC64, ctan(x)},
             {GxB_ASIN_FC64, casin(x)},
             {GxB_ACOS_FC64, cacos(x)},
             {GxB_ATAN_FC64, catan(x)},
             {GxB_SINH_FC64, csinh(x)},
             {GxB_COSH_FC64, ccosh(x)},
             {GxB_TANH_FC64, ctanh(x)},
             {GxB_ASINH_FC64, casinh(x)},
             {GxB_ACOSH_FC64, cacosh(x)},
             {GxB_ATANH_FC64, catanh(x)},
             {GxB_LOG2_FC64, clog(x) / log(2)},
             {GxB_LOG10_FC64, clog(x) / log(10)},
             {GxB_EXP2_FC64, cpow(2, x)},
             {GxB_EXPM1_FC64, cexp(x) - 1},
             {GxB_LOG1P_FC64, clog(1 + x)},
             {GxB_SIGNUM_FC64, x / cabs(x)},
             {GxB_CEIL_FC64, z64(1, -1)},
             {GxB_FLOOR_FC64, z64(0, -2)},
             {GxB_ROUND_FC64, z64(1, -2)},
             {GxB_TRUNC_FC64, z64(0, -1)},
             {GxB_IDENTITY_FC64, x},
             {GxB_AINV_FC64, -x},
             {GxB_MINV_FC64, 1 / x},
             {GxB_ONE_FC64, 1},
             {GxB_CONJ_FC64, conj(x)},
             {GxB_ABS_FC64, cabs(x)},
             {GxB_CREAL_FC64, creal(x)},
             {GxB_CIMAG_FC64, cimag(x)},
             {GxB_CARG_FC64, carg(x)},
             {GxB_ISINF_FC64, 0},
             {GxB_ISNAN_FC64, 0},
             {GxB_ISFINITE_FC64, 1}};
  const struct {
    GrB_BinaryOp op;
    GxB_FC64_t want;
  } binary[] = {{GxB_FIRST_FC64, x},        {GxB_SECOND_FC64, y},    {GxB_PAIR_FC64, 1},
                {GxB_PLUS_FC64, x + y},     {GxB_MINUS_FC64, x - y}, {GxB_RMINUS_FC64, y - x},
                {GxB_TIMES_FC64, x * y},    {GxB_DIV_FC64, x / y},   {GxB_RDIV_FC64, y / x},
                {GxB_POW_FC64, cpow(x, y)}, {GxB_ISEQ_FC64, 0},      {GxB_ISNE_FC64, 1},
                {GxB_EQ_FC64, 0},           {GxB_NE_FC64, 1},        {GxB_CMPLX_FP64, z64(0.75, 2)}};
  GrB_Vector u = NULL, v = NULL, w = NULL;
  GxB_FC64_t z;
  OK(GrB_Vector_new(&u, GxB_FC64, 5)), OK(GrB_Vector_new(&v, GxB_FC64, 5)),
      OK(GrB_Vector_new(&w, GxB_FC64, 5));
  OK(GxB_Vector_assign_FC64(u, NULL, NULL, x, GrB_ALL, 5, NULL));
  OK(GxB_Vector_assign_FC64(v, NULL, NULL, y, GrB_ALL, 5, NULL));
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    OK(GrB_Vector_apply(w, NULL, NULL, row[k].op, u, NULL));
    OK(GxB_Vector_extractElement_FC64(&z, w, 4));
    assert_true(cabs(z - row[k].want) < 1e-12);
  }
  for (size_t k = 0; k < sizeof binary / sizeof *binary; k++) {
    OK(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, binary[k].op, u, v, NULL));
    OK(GxB_Vector_extractElement_FC64(&z, w, 2));
    assert_true(cabs(z - binary[k].want) < 1e-12);
  }
  OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&v)), OK(GrB_Vector_free(&w));
}

static void fields(void **state) {
  GrB_Matrix A = NULL;
  char text[GxB_MAX_NAME_LEN];
  int32_t code = 0;
  size_t size = 0;
  OK(GrB_Matrix_new(&A, GxB_FC64, 2, 2));
  OK(GxB_Matrix_setElement_FC64(A, z64(1.5, -2), 1, 0));
  OK(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE));
  assert_int_equal(code, GxB_FC64_CODE);
  OK(GrB_Matrix_get_String(A, text, GrB_EL_TYPE_STRING));
  assert_string_equal(text, "GxB_FC64");
  OK(GrB_Type_get_String(GxB_FC32, text, GrB_NAME));
  assert_string_equal(text, "GxB_FC32");
  OK(GrB_Type_get_SIZE(GxB_FC32, &size, GrB_SIZE));
  assert_int_equal(size, 8);
  OK(GxB_Matrix_type_name(text, A));
  assert_string_equal(text, "GxB_FC64_t");
  char *printed = NULL;
  FILE *f = open_memstream(&printed, &size);
  OK(GxB_Matrix_fprint(A, "A", GxB_COMPLETE, f));
  fclose(f);
  assert_non_null(strstr(printed, "1.5 - 2i"));
  free(printed);
  OK(GrB_Matrix_free(&A));
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(products), cmocka_unit_test(vectors),
               cmocka_unit_test(matrices), cmocka_unit_test(casts), cmocka_unit_test(functions),
               cmocka_unit_test(fields))
