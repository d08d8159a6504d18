/* The objects of gridblas_table_gxb.h: their names and types, operators against formulas, products by every
 * semiring against sums of single values, wrong uses. Runs on any number of processes. */
#include <stdio.h>

#include "tests/unit.h"
#include "gridblas_gxb_operators.h"
#include "semiring/builtin.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* ---- names and types ----------------------------------------------------------------------------------- */

static void check_head(const void *object, const char *name) {
  const grid_head *h = object;
  assert_non_null(h);
  assert_true(h->magic == GRID_MAGIC && h->builtin);
  assert_string_equal(h->name, name);
}

static void check_unary(GrB_UnaryOp op, const char *name, GrB_Type z, GrB_Type x) {
  char text[64];
  check_head(op, name);
  assert_true(op->z == z && op->x == x && !op->f == !!op->position);
  OK(GrB_UnaryOp_get_String(op, text, GrB_INP0_TYPE_STRING));
  assert_string_equal(text, x->head.name);
}

static void check_binary(GrB_BinaryOp op, const char *name, GrB_Type z, GrB_Type x, GrB_Type y) {
  char text[64];
  check_head(op, name);
  assert_true(op->z == z && op->x == x && op->y == y && !op->f == !!op->position);
  OK(GrB_BinaryOp_get_String(op, text, GrB_OUTP_TYPE_STRING));
  assert_string_equal(text, z->head.name);
}

#define TYPE(T)                      (&grid_type_##T)
#define UNARY(P, NAME, OP, T, Z, E)  check_unary(GxB_##NAME, "GxB_" #NAME, TYPE(Z), TYPE(T));
#define UNARY_OTHER(OP, T, Z, E)     check_unary(GxB_##OP##_##T, "GxB_" #OP "_" #T, TYPE(Z), TYPE(T));
#define POSITION(OP, WHAT, SHIFT, T) check_unary(GxB_##OP##_##T, "GxB_" #OP "_" #T, TYPE(T), TYPE(T));
#define BINARY(P, NAME, OP, T, Z, UX, UY, E) \
  check_binary(GxB_##NAME, "GxB_" #NAME, TYPE(Z), TYPE(T), TYPE(T));
#define BINARY_OTHER(OP, T, Y, Z, UX, UY, E) \
  check_binary(GxB_##OP##_##T, "GxB_" #OP "_" #T, TYPE(Z), TYPE(T), TYPE(Y));
#define BINARY_POSITION(OP, WHAT, SHIFT, T) \
  check_binary(GxB_##OP##_##T, "GxB_" #OP "_" #T, TYPE(T), TYPE(T), TYPE(T));
#define UNARY_ALIAS(NAME, OP, T)  assert_ptr_equal(GxB_##NAME, &grid_unary_##OP##_##T);
#define BINARY_ALIAS(NAME, OP, T) assert_ptr_equal(GxB_##NAME, &grid_binary_##OP##_##T);
#define MONOID_ALIAS(A, T, OP)    assert_ptr_equal(GxB_##A##_##T##_MONOID, &grid_monoid_##OP##_##T);
#define MONOID(OP, T, ID)         check_head(GxB_##OP##_##T##_MONOID, "GxB_" #OP "_" #T "_MONOID");
#define SEMIRING(A, M, T, ADD, MUL, Z)                                  \
  check_head(GxB_##A##_##M##_##T, "GxB_" #A "_" #M "_" #T);             \
  assert_ptr_equal(GxB_##A##_##M##_##T->add, &grid_monoid_##ADD##_##Z); \
  assert_ptr_equal(GxB_##A##_##M##_##T->mul, &grid_binary_##MUL##_##T);
#define SEMIRING_ALIAS(A, M, T, ADD, MUL)                               \
  assert_ptr_equal(GxB_##A##_##M##_##T->add, &grid_monoid_##ADD##_##T); \
  assert_ptr_equal(GxB_##A##_##M##_##T->mul, &grid_binary_##MUL##_##T);

static void objects(void **state) {
  GRID_GXB_UNARY_PLAIN(UNARY)
  GRID_GXB_UNARY_OTHER(UNARY_OTHER)
  GRID_GXB_POSITIONS(POSITION)
  GRID_GXB_UNARY_ALIASES(UNARY_ALIAS)
  GRID_GXB_BINARY_PLAIN(BINARY)
  GRID_GXB_BINARY_OTHER(BINARY_OTHER)
  GRID_GXB_BINARY_POSITIONS(BINARY_POSITION)
  GRID_GXB_BINARY_ALIASES(BINARY_ALIAS)
  GRID_GXB_MONOIDS(MONOID)
  GRID_GXB_MONOID_ALIASES(MONOID_ALIAS)
}

static void semiring_objects(void **state) {
  GRID_GXB_SEMIRINGS(SEMIRING)
  GRID_GXB_SEMIRING_ALIASES(SEMIRING_ALIAS)
  check_head(GxB_MIN_PAIR_FP64, "GxB_ANY_PAIR_FP64");
  check_head(GxB_MIN_PLUS_FP64, "GrB_MIN_PLUS_SEMIRING_FP64");
  check_head(GxB_ANY_FIRSTJ_INT32, "GxB_ANY_SECONDI_INT32");
  check_head(GxB_EQ_LOR_BOOL, "GrB_LXNOR_LOR_SEMIRING_BOOL");
  check_head(Grid_ANY_ONEB_SEMIRING_INT8, "GxB_ANY_PAIR_INT8");
  check_head(GxB_ANY_INT8, "GxB_ANY_INT8");
  check_head(GxB_BOR_UINT8_MONOID, "GxB_BOR_UINT8_MONOID");
  check_head(GxB_ANY_FP32_MONOID, "GxB_ANY_FP32_MONOID");
}

/* ---- operators against formulas ------------------------------------------------------------------------ */

enum { VALUES = 14 };

/* What w(i) = op(x(i), y(i)) must be, as a double: exact for the small values used. NaN: no formula. */
static double quotient(double x, double y, GrB_Type t, double least, double most) {
  if (!grid_type_is_real(t) || t->code >= GRID_T_FP32) return x / y;
  return y != 0 ? trunc(x / y) : x == 0 ? 0 : x < 0 ? least : most;
}
static double limited(double v, GrB_Type t, double least, double most) {
  if (t->code >= GRID_T_FP32) return v;
  return isnan(v) ? 0 : v <= least ? least : v >= most ? most : trunc(v);
}
static bool named(GrB_BinaryOp op, const char *what) {
  return strncmp(op->name + 4, what, strlen(what)) == 0 && op->name[4 + strlen(what)] == '_';
}
static double formula(GrB_BinaryOp op, double x, double y, double least, double most) {
  const GrB_Type t = op->x;
  const double bits = (double)t->size * 8;
  const uint64_t whole =
      (uint64_t)(int64_t)x & (t->size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << (int)bits) - 1);
  if (named(op, "RMINUS")) return t == GrB_BOOL ? x != y : y - x;
  if (named(op, "RDIV")) return t == GrB_BOOL ? y : quotient(y, x, t, least, most);
  if (named(op, "POW")) return t == GrB_BOOL ? x || !y : limited(y == 0 ? 1 : pow(x, y), t, least, most);
  if (named(op, "ISEQ")) return x == y;
  if (named(op, "ISNE")) return x != y;
  if (named(op, "ISGT")) return x > y;
  if (named(op, "ISLT")) return x < y;
  if (named(op, "ISGE")) return x >= y;
  if (named(op, "ISLE")) return x <= y;
  if (named(op, "LOR")) return x || y;
  if (named(op, "LAND")) return x && y;
  if (named(op, "LXOR")) return !x != !y;
  if (named(op, "BGET")) return y < 1 || y > bits ? 0 : (double)(whole >> ((int)y - 1) & 1);
  if (named(op, "BSHIFT")) return y >= 0 ? NAN : floor(ldexp(x, (int)y));
  if (named(op, "LDEXP")) return ldexp(x, (int)y);
  if (named(op, "COPYSIGN")) return copysign(x, y);
  if (named(op, "FMOD")) return fmod(x, y);
  return NAN;
}

static uint64_t formulas;
static void check_operator(GrB_BinaryOp op, double least, double most) {
  GrB_Vector x = NULL, y = NULL, w = NULL;
  const bool is_signed = least < 0;
  double a[VALUES], b[VALUES], c = 0;
  if (!op->f || !grid_type_is_real(op->z) || !grid_type_is_real(op->x)) return;
  OK(GrB_Vector_new(&x, op->x, VALUES));
  OK(GrB_Vector_new(&y, op->y, VALUES));
  OK(GrB_Vector_new(&w, op->z, VALUES));
  for (GrB_Index k = 0; k < VALUES; k++) {
    a[k] = op->x == GrB_BOOL ? (double)draw(2) : (double)draw(9) - (is_signed ? 4 : 0);
    b[k] = op->y == GrB_BOOL ? (double)draw(2) : (double)draw(9) - (op->y == GrB_INT8 || is_signed ? 4 : 0);
    OK(GrB_Vector_setElement_FP64(x, a[k], k));
    OK(GrB_Vector_setElement_FP64(y, b[k], k));
  }
  OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, op, x, y, NULL));
  for (GrB_Index k = 0; k < VALUES; k++) {
    double want = formula(op, a[k], b[k], least, most), back;
    if (isnan(want)) continue;
    formulas++;
    if (!is_signed && op->x->code < GRID_T_FP32 && want < 0) want += most + 1; /* wraps */
    OK(GrB_Vector_extractElement_FP64(&c, w, k));
    back = op->z == GrB_FP32 ? (double)(float)want : want;
    if (c != back) print_message("%s(%g, %g) = %g, should be %g\n", op->name, a[k], b[k], c, back);
    assert_true(c == back);
  }
  OK(GrB_Vector_free(&x)), OK(GrB_Vector_free(&y)), OK(GrB_Vector_free(&w));
}

#define FORMULA(P, NAME, OP, T, Z, UX, UY, E) \
  check_operator(GxB_##NAME, (double)GRID_LEAST_##T, (double)GRID_MOST_##T);
#define FORMULA_OTHER(OP, T, Y, Z, UX, UY, E) FORMULA_##T(GxB_##OP##_##T, T)
#define FORMULA_REAL(op, T)                   check_operator(op, (double)GRID_LEAST_##T, (double)GRID_MOST_##T);
#define FORMULA_BOOL(op, T)                   FORMULA_REAL(op, T)
#define FORMULA_INT8(op, T)                   FORMULA_REAL(op, T)
#define FORMULA_INT16(op, T)                  FORMULA_REAL(op, T)
#define FORMULA_INT32(op, T)                  FORMULA_REAL(op, T)
#define FORMULA_UINT8(op, T)                  FORMULA_REAL(op, T)
#define FORMULA_UINT16(op, T)                 FORMULA_REAL(op, T)
#define FORMULA_UINT32(op, T)                 FORMULA_REAL(op, T)
#define FORMULA_FP32(op, T)                   FORMULA_REAL(op, T)
#define FORMULA_FP64(op, T)                   FORMULA_REAL(op, T)
#define FORMULA_INT64(op, T)                  FORMULA_REAL(op, T)
#define FORMULA_UINT64(op, T)
#define FORMULA_FC32(op, T)
#define FORMULA_FC64(op, T)

static void operators(void **state) {
  formulas = 0;
  GRID_GXB_BINARY_PLAIN(FORMULA)
  GRID_GXB_BINARY_OTHER(FORMULA_OTHER)
  assert_true(formulas > 2000);
}

/* Functions of one double against the mathematical library; of other types through a cast. */
static void functions(void **state) {
  const struct {
    GrB_UnaryOp op;
    double (*f)(double);
  } row[] = {
      {GxB_SQRT_FP64, sqrt},    {GxB_LOG_FP64, log},     {GxB_EXP_FP64, exp},     {GxB_LOG2_FP64, log2},
      {GxB_LOG10_FP64, log10},  {GxB_EXP2_FP64, exp2},   {GxB_EXPM1_FP64, expm1}, {GxB_LOG1P_FP64, log1p},
      {GxB_SIN_FP64, sin},      {GxB_COS_FP64, cos},     {GxB_TAN_FP64, tan},     {GxB_ASIN_FP64, asin},
      {GxB_ACOS_FP64, acos},    {GxB_ATAN_FP64, atan},   {GxB_SINH_FP64, sinh},   {GxB_COSH_FP64, cosh},
      {GxB_TANH_FP64, tanh},    {GxB_ASINH_FP64, asinh}, {GxB_ACOSH_FP64, acosh}, {GxB_ATANH_FP64, atanh},
      {GxB_CEIL_FP64, ceil},    {GxB_FLOOR_FP64, floor}, {GxB_ROUND_FP64, round}, {GxB_TRUNC_FP64, trunc},
      {GxB_CBRT_FP64, cbrt},    {GxB_ERF_FP64, erf},     {GxB_ERFC_FP64, erfc},   {GxB_LGAMMA_FP64, lgamma},
      {GxB_TGAMMA_FP64, tgamma}};
  const double x[] = {-2.5, -1, -0.5, 0, 0.25, 1, 7.75};
  enum { N = sizeof x / sizeof *x };
  GrB_Vector u = NULL, w = NULL;
  OK(GrB_Vector_new(&u, GrB_FP64, N));
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  for (GrB_Index k = 0; k < N; k++) OK(GrB_Vector_setElement_FP64(u, x[k], k));
  for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
    OK(GrB_Vector_apply(w, NULL, NULL, row[r].op, u, NULL));
    for (GrB_Index k = 0; k < N; k++) {
      double z, want = row[r].f(x[k]);
      OK(GrB_Vector_extractElement_FP64(&z, w, k));
      assert_true(z == want || (isnan(z) && isnan(want)));
    }
  }
  double sum = 0;
  OK(GrB_Vector_apply(w, NULL, NULL, GxB_ONE_INT32, u, NULL));
  OK(GrB_Vector_apply(w, NULL, GrB_PLUS_FP64, GxB_LNOT_FP64, u, NULL)); /* x is 0 once */
  OK(GrB_Vector_apply(w, NULL, GrB_PLUS_FP64, GxB_SIGNUM_FP64, u, NULL));
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  assert_true(sum == N + 1 + 3 - 3);
  OK(GrB_Vector_apply(w, NULL, NULL, GxB_FREXPX_FP64, u, NULL));
  OK(GrB_Vector_apply(u, NULL, NULL, GxB_FREXPE_FP64, u, NULL));
  OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GxB_LDEXP_FP64, w, u, NULL));
  for (GrB_Index k = 0; k < N; k++) {
    double z;
    OK(GrB_Vector_extractElement_FP64(&z, w, k));
    assert_true(z == x[k]);
  }
  OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
}

/* ---- products by every semiring ------------------------------------------------------------------------ */

enum { M = 9, L = 12, NC = 7, MOST = 16 };
#define ROW(A, MU, T, ADD, MUL, Z)    &GxB_##A##_##MU##_##T,
#define ROW_ALIAS(A, MU, T, ADD, MUL) &GxB_##A##_##MU##_##T,
static const GrB_Semiring *const semirings[] = {GRID_GXB_SEMIRINGS(ROW) GRID_GXB_SEMIRING_ALIASES(ROW_ALIAS)};

typedef struct {
  bool has[L][L];
  unsigned char value[L][L][MOST];
} model;

static GrB_Matrix draw_matrix(model *m, GrB_Type type, GrB_Index rows, GrB_Index cols) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, type, rows, cols));
  for (GrB_Index i = 0; i < rows; i++)
    for (GrB_Index j = 0; j < cols; j++) {
      m->has[i][j] = draw_one_in(3);
      const double x = (double)draw(6) - (draw_one_in(4) ? 2 : 0),
                   part[2] = {x < 0 && type->code >= GRID_T_UINT8 && type->code <= GRID_T_UINT64 ? 1 : x,
                              (double)draw(3)};
      GxB_FC64_t z;
      memcpy(&z, part, sizeof z);
      grid_cast_array(m->value[i][j], type, &z, GxB_FC64, 1, 1);
      if (m->has[i][j]) OK(GxB_Matrix_setElement_FC64(A, z, i, j));
    }
  return A;
}

static void check_semiring(GrB_Semiring s) {
  static model a, b;
  const GrB_BinaryOp mul = s->mul, add = s->add->op;
  const GrB_Type z = mul->z;
  GrB_Matrix A = draw_matrix(&a, mul->x, M, L), B = draw_matrix(&b, mul->y, L, NC), C = NULL;
  bool fine = true;
  OK(GrB_Matrix_new(&C, z, M, NC));
  OK(GrB_mxm(C, NULL, NULL, s, A, B, NULL));
  GrB_Index I[M * NC], J[M * NC], n = M * NC;
  GxB_FC64_t X[M * NC], found[M][NC];
  bool has[M][NC] = {{false}};
  OK(GxB_Matrix_extractTuples_FC64(I, J, X, &n, C));
  for (GrB_Index e = 0; e < n; e++) has[I[e]][J[e]] = true, memcpy(&found[I[e]][J[e]], &X[e], sizeof *X);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < NC; j++) {
      grid_any_value sum = {{0}}, t = {{0}};
      GxB_FC64_t want;
      bool any = false, equal = false;
      for (int k = 0; k < L; k++) {
        if (!a.has[i][k] || !b.has[k][j]) continue;
        mul->f(any ? &t : &sum, a.value[i][k], b.value[k][j]);
        if (any && !s->add->any) add->f(&sum, &sum, &t);
        grid_cast_array(&want, GxB_FC64, any && s->add->any ? &t : &sum, z, 1, 1);
        equal |= has[i][j] && memcmp(&want, &found[i][j], sizeof want) == 0; /* ANY: one of the products */
        any = true;
      }
      if (any && !s->add->any) {
        grid_cast_array(&want, GxB_FC64, &sum, z, 1, 1);
        const double *p = (const double *)&want, *q = (const double *)&found[i][j];
        equal =
            (p[0] == q[0] || (isnan(p[0]) && isnan(q[0]))) && (p[1] == q[1] || (isnan(p[1]) && isnan(q[1])));
      }
      if (any != has[i][j] || (any && !equal)) fine = false;
    }
  if (!fine) print_message("%s: wrong product\n", s->head.name);
  assert_on_all(fine);
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B)), OK(GrB_Matrix_free(&C));
}

static void products(void **state) {
  const size_t all = sizeof semirings / sizeof *semirings, step = Grid_size() == 1 ? 1 : 37;
  for (size_t k = draw(step); k < all; k += step)
    if ((*semirings[k])->mul->f) check_semiring(*semirings[k]);
}

/* ---- wrong uses ---------------------------------------------------------------------------------------- */

static void errors(void **state) {
  GrB_Vector w = NULL, u = NULL;
  GrB_Matrix A = NULL;
  GrB_Monoid m = NULL;
  GrB_Semiring s = NULL;
  const GrB_Index I[] = {1, 2, 1};
  const double X[] = {3, 4, 5};
  double x = 0;
  OK(GrB_Vector_new(&w, GrB_FP64, 3));
  OK(GrB_Vector_new(&u, GrB_FP64, 3));
  OK(GrB_Matrix_new(&A, GrB_FP64, 3, 3));
  assert_int_equal(GrB_Vector_build_FP64(w, I, X, 3, GxB_FIRSTI_INT64), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_build_FP64(w, I, X, 3, NULL), GrB_INVALID_VALUE);
  OK(GrB_Vector_build_FP64(w, I, X, 3, GxB_IGNORE_DUP));
  OK(GrB_Vector_extractElement_FP64(&x, w, 1));
  assert_true(x == 5);
  OK(GrB_Matrix_build_FP64(A, I, I, X, 3, GxB_IGNORE_DUP));
  OK(GrB_Matrix_extractElement_FP64(&x, A, 1, 1));
  assert_true(x == 5);
  OK(GrB_Matrix_clear(A));
  assert_int_equal(GrB_Matrix_build_FP64(A, I, I, X, 3, GxB_SECONDJ1_INT32), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_assign(w, NULL, GxB_IGNORE_DUP, u, GrB_ALL, 3, NULL), GrB_INVALID_OBJECT);
  assert_int_equal(GrB_Vector_assign(w, NULL, GxB_SECONDI_INT64, u, GrB_ALL, 3, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GxB_IGNORE_DUP, u, u, NULL),
                   GrB_INVALID_OBJECT);
  assert_int_equal(GrB_Monoid_new_INT64(&m, GxB_FIRSTI_INT64, 0), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Semiring_new(&s, GrB_LOR_MONOID_BOOL, GxB_IGNORE_DUP), GrB_INVALID_OBJECT);
  assert_int_equal(GrB_Semiring_new(&s, GrB_PLUS_MONOID_INT32, GxB_FIRSTI_INT64), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_mxv(w, NULL, NULL, GxB_PLUS_FIRSTI_INT64, NULL, u, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_mxm(A, NULL, NULL, GxB_PLUS_SECONDJ_INT64, A, NULL, NULL), GrB_NULL_POINTER);
  OK(GrB_Vector_free(&w)), OK(GrB_Vector_free(&u)), OK(GrB_Matrix_free(&A));
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(objects), cmocka_unit_test(semiring_objects),
               cmocka_unit_test(operators), cmocka_unit_test(functions), cmocka_unit_test(products),
               cmocka_unit_test(errors))
