/* Operators of positions (GxB_BinaryOp_new_IndexOp) in products, eWise and Kronecker products, against a
 * dense model; wrong uses; allocation failures. Runs on any number of processes. */
#include <stdio.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_gxb_objects.h"
#include "semiring/support/mem.h"
#include "tests/assert_all.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { MOST = 24 };
/* A dense matrix; a vector has one column, or one row as the operand of vxm. */
typedef struct {
  int nrows, ncols;
  bool has[MOST][MOST];
  int64_t at[MOST][MOST];
} dense;

static int64_t formula(int64_t x, GrB_Index ix, GrB_Index jx, int64_t y, GrB_Index iy, GrB_Index jy,
                       int64_t theta) {
  return 3 * x + 7 * (int64_t)ix + 11 * (int64_t)jx + 5 * y + 13 * (int64_t)iy + 17 * (int64_t)jy + theta;
}

static void positions(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y, GrB_Index iy,
                      GrB_Index jy, const void *theta) {
  *(int64_t *)z = formula(*(const int32_t *)x, ix, jx, *(const int64_t *)y, iy, jy, *(const int64_t *)theta);
}

/* The same into a user-defined type of 24 bytes, from one of 20. */
typedef struct {
  int32_t value[5];
} narrow;
typedef struct {
  int64_t value[3];
} large;
static void large_positions(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y, GrB_Index iy,
                            GrB_Index jy, const void *theta) {
  narrow u, v;
  memcpy(&u, x, sizeof u), memcpy(&v, y, sizeof v);
  const large w = {
      {formula(u.value[0], ix, jx, v.value[4], iy, jy, *(const int8_t *)theta), (int64_t)ix, (int64_t)jy}};
  memcpy(z, &w, sizeof w);
}
static void add_large(void *z, const void *x, const void *y) {
  large a, b;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  for (int k = 0; k < 3; k++) a.value[k] += b.value[k];
  memcpy(z, &a, sizeof a);
}

static struct {
  GxB_IndexBinaryOp index_op, large_index_op;
  GrB_Type narrow, large;
  GrB_Scalar theta;
  GrB_BinaryOp op, large_op, add_large;
  GrB_Semiring plus, least, large_semiring;
  GrB_Monoid large_sum;
} made;
enum { THETA = -40 };

static int make(void **state) {
  OK(GxB_IndexBinaryOp_new(&made.index_op, positions, GrB_INT64, GrB_INT32, GrB_INT64, GrB_INT64, "positions",
                           NULL));
  OK(GrB_Scalar_new(&made.theta, GrB_FP64));
  OK(GrB_Scalar_setElement_FP64(made.theta, THETA));
  OK(GxB_BinaryOp_new_IndexOp(&made.op, made.index_op, made.theta));
  OK(GrB_Semiring_new(&made.plus, GrB_PLUS_MONOID_INT64, made.op));
  OK(GrB_Semiring_new(&made.least, GrB_MIN_MONOID_INT64, made.op));
  OK(GrB_Type_new(&made.narrow, sizeof(narrow)));
  OK(GrB_Type_new(&made.large, sizeof(large)));
  OK(GxB_IndexBinaryOp_new(&made.large_index_op, large_positions, made.large, made.narrow, made.narrow,
                           GrB_INT8, NULL, NULL));
  OK(GxB_BinaryOp_new_IndexOp(&made.large_op, made.large_index_op, made.theta));
  OK(GxB_IndexBinaryOp_free(&made.large_index_op));
  assert_null(made.large_index_op);
  OK(GrB_BinaryOp_new(&made.add_large, add_large, made.large, made.large, made.large));
  OK(GrB_Monoid_new_UDT(&made.large_sum, made.add_large, &(large){{0}}));
  OK(GrB_Semiring_new(&made.large_semiring, made.large_sum, made.large_op));
  return 0;
}

static int drop(void **state) {
  OK(GrB_free(&made.plus)), OK(GrB_free(&made.least)), OK(GrB_free(&made.large_semiring));
  OK(GrB_free(&made.large_sum)), OK(GrB_free(&made.add_large));
  OK(GrB_free(&made.op)), OK(GrB_free(&made.large_op));
  OK(GrB_free(&made.index_op)), OK(GrB_free(&made.theta));
  OK(GrB_free(&made.narrow)), OK(GrB_free(&made.large));
  return 0;
}

/* ---- the model ---- */

static dense draw_dense(int nrows, int ncols, uint64_t one_in) {
  dense d = {.nrows = nrows, .ncols = ncols};
  for (int i = 0; i < nrows; i++)
    for (int j = 0; j < ncols; j++)
      if (draw_one_in(one_in)) d.has[i][j] = true, d.at[i][j] = (int64_t)draw(200) - 100;
  return d;
}

static dense transpose(const dense *a, bool really) {
  dense d = {.nrows = a->ncols, .ncols = a->nrows};
  if (!really) return *a;
  for (int i = 0; i < a->nrows; i++)
    for (int j = 0; j < a->ncols; j++) d.has[j][i] = a->has[i][j], d.at[j][i] = a->at[i][j];
  return d;
}

static dense product(const dense *a, const dense *b, bool least) {
  dense d = {.nrows = a->nrows, .ncols = b->ncols};
  for (int i = 0; i < a->nrows; i++)
    for (int j = 0; j < b->ncols; j++)
      for (int k = 0; k < a->ncols; k++) {
        if (!a->has[i][k] || !b->has[k][j]) continue;
        const int64_t t =
            formula(a->at[i][k], (GrB_Index)i, (GrB_Index)k, b->at[k][j], (GrB_Index)k, (GrB_Index)j, THETA);
        if (!d.has[i][j])
          d.at[i][j] = t;
        else if (!least)
          d.at[i][j] += t;
        else if (t < d.at[i][j])
          d.at[i][j] = t;
        d.has[i][j] = true;
      }
  return d;
}

/* Of a sum lone entries are results, of a union f of them and ALPHA or BETA. */
enum { MULT, ADD, UNION, ALPHA = -7, BETA = 9 };
static dense ewise(const dense *a, const dense *b, int kind) {
  dense d = {.nrows = a->nrows, .ncols = a->ncols};
  for (int i = 0; i < a->nrows; i++)
    for (int j = 0; j < a->ncols; j++) {
      const bool both = a->has[i][j] && b->has[i][j];
      const int64_t x = a->has[i][j] ? a->at[i][j] : ALPHA, y = b->has[i][j] ? b->at[i][j] : BETA;
      if (both || kind == UNION)
        d.at[i][j] = formula(x, (GrB_Index)i, (GrB_Index)j, y, (GrB_Index)i, (GrB_Index)j, THETA);
      else if (kind == ADD)
        d.at[i][j] = a->has[i][j] ? x : y;
      d.has[i][j] = both || (kind != MULT && (a->has[i][j] || b->has[i][j]));
      if (!d.has[i][j]) d.at[i][j] = 0;
    }
  return d;
}

static dense kronecker(const dense *a, const dense *b) {
  dense d = {.nrows = a->nrows * b->nrows, .ncols = a->ncols * b->ncols};
  for (int i = 0; i < d.nrows; i++)
    for (int j = 0; j < d.ncols; j++) {
      const int ia = i / b->nrows, ib = i % b->nrows, ja = j / b->ncols, jb = j % b->ncols;
      d.has[i][j] = a->has[ia][ja] && b->has[ib][jb];
      if (d.has[i][j])
        d.at[i][j] = formula(a->at[ia][ja], (GrB_Index)ia, (GrB_Index)ja, b->at[ib][jb], (GrB_Index)ib,
                             (GrB_Index)jb, THETA);
    }
  return d;
}

/* c<mask> (+)= t, by value or by structure, complemented or not, with or without replace. */
static dense write(const dense *c, const dense *mask, bool accum, const dense *t, unsigned how) {
  dense d = *c;
  for (int i = 0; i < c->nrows; i++)
    for (int j = 0; j < c->ncols; j++) {
      bool allowed = !mask || (mask->has[i][j] && (how & 1 || mask->at[i][j] != 0));
      if (mask && how & 2) allowed = !allowed;
      if (!allowed) {
        if (how & 4 && mask) d.has[i][j] = false;
        continue;
      }
      if (accum && c->has[i][j]) {
        if (t->has[i][j]) d.at[i][j] = c->at[i][j] + t->at[i][j];
      } else if (t->has[i][j]) {
        d.has[i][j] = true, d.at[i][j] = t->at[i][j];
      } else if (!accum) {
        d.has[i][j] = false;
      }
    }
  return d;
}

/* ---- between the model and the library ---- */

static GrB_Matrix to_matrix(const dense *d, GrB_Type type) {
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, type, (GrB_Index)d->nrows, (GrB_Index)d->ncols));
  for (int i = 0; i < d->nrows; i++)
    for (int j = 0; j < d->ncols; j++)
      if (d->has[i][j]) OK(GrB_Matrix_setElement_INT64(A, d->at[i][j], (GrB_Index)i, (GrB_Index)j));
  return A;
}

static GrB_Vector to_vector(const dense *d, GrB_Type type) {
  GrB_Vector u;
  OK(GrB_Vector_new(&u, type, (GrB_Index)(d->nrows * d->ncols)));
  for (int i = 0; i < d->nrows * d->ncols; i++)
    if (d->ncols == 1 ? d->has[i][0] : d->has[0][i])
      OK(GrB_Vector_setElement_INT64(u, d->ncols == 1 ? d->at[i][0] : d->at[0][i], (GrB_Index)i));
  return u;
}

static void assert_matrix(GrB_Matrix C, const dense *d) {
  bool fine = true;
  GrB_Index nvals, want = 0;
  OK(GrB_Matrix_nvals(&nvals, C));
  for (int i = 0; i < d->nrows; i++)
    for (int j = 0; j < d->ncols; j++) {
      int64_t x = 0;
      const GrB_Info info = GrB_Matrix_extractElement_INT64(&x, C, (GrB_Index)i, (GrB_Index)j);
      want += d->has[i][j];
      if (d->has[i][j] ? info != GrB_SUCCESS || x != d->at[i][j] : info != GrB_NO_VALUE) fine = false;
    }
  assert_on_all(fine && nvals == want);
}

static void assert_vector(GrB_Vector w, const dense *d) {
  bool fine = true;
  for (int i = 0; i < d->nrows * d->ncols; i++) {
    int64_t x = 0;
    const bool has = d->ncols == 1 ? d->has[i][0] : d->has[0][i];
    const GrB_Info info = GrB_Vector_extractElement_INT64(&x, w, (GrB_Index)i);
    if (has ? info != GrB_SUCCESS || x != (d->ncols == 1 ? d->at[i][0] : d->at[0][i]) : info != GrB_NO_VALUE)
      fine = false;
  }
  assert_on_all(fine);
}

/* A descriptor for `how` (see write) and transposed inputs. */
static GrB_Descriptor descriptor(unsigned how, bool tran0, bool tran1) {
  GrB_Descriptor d;
  OK(GrB_Descriptor_new(&d));
  if (how & 1) OK(GrB_Descriptor_set(d, GrB_MASK, GrB_STRUCTURE));
  if (how & 2) OK(GrB_Descriptor_set(d, GrB_MASK, GrB_COMP));
  if (how & 4) OK(GrB_Descriptor_set(d, GrB_OUTP, GrB_REPLACE));
  if (tran0) OK(GrB_Descriptor_set(d, GrB_INP0, GrB_TRAN));
  if (tran1) OK(GrB_Descriptor_set(d, GrB_INP1, GrB_TRAN));
  return d;
}

/* ---- the operations ---- */

enum {
  MXM,
  MIN_MXM,
  MXV,
  VXM,
  EWISE_ADD,
  EWISE_MULT,
  EWISE_UNION,
  VECTOR_ADD,
  VECTOR_MULT,
  VECTOR_UNION,
  KRONECKER,
  OPERATIONS
};

static GrB_Scalar scalar(int64_t x) {
  GrB_Scalar s;
  OK(GrB_Scalar_new(&s, GrB_INT8));
  OK(GrB_Scalar_setElement_INT64(s, x));
  return s;
}

/* One operation with drawn operands, types, mask, accumulator and descriptor, written into C or w. */
static void check_operation(int operation) {
  static const int64_t sizes[] = {1, 3, 4, 7, 12};
  const bool on_vectors = operation >= VECTOR_ADD && operation <= VECTOR_UNION,
             ewise_call = operation >= EWISE_ADD && operation <= VECTOR_UNION;
  const int m = (int)sizes[draw(5)], l = operation == KRONECKER ? (int)draw(3) + 1 : (int)sizes[draw(5)],
            n = operation == KRONECKER ? (int)draw(3) + 1 : (int)sizes[draw(5)];
  const bool tran0 = !on_vectors && operation != VXM && draw_one_in(2),
             tran1 = !on_vectors && operation != MXV && draw_one_in(2), accum = draw_one_in(2),
             masked = draw_one_in(2);
  const unsigned how = (unsigned)draw(8) & (masked ? 7 : 4);
  dense a, b, t;
  switch (operation) {
    case MXV:
      a = draw_dense(m, l, 2), b = draw_dense(l, 1, 2);
      break;
    case VXM:
      a = draw_dense(1, l, 2), b = draw_dense(l, n, 2);
      break;
    case KRONECKER:
      a = draw_dense((int)draw(4) + 1, l, 2), b = draw_dense((int)draw(4) + 1, n, 2);
      break;
    default:
      a = draw_dense(m, on_vectors ? 1 : l, 2);
      b = ewise_call ? draw_dense(a.nrows, a.ncols, 2) : draw_dense(l, n, 2);
  }
  t = ewise_call               ? ewise(&a, &b,
                         operation == EWISE_ADD || operation == VECTOR_ADD       ? ADD
                                       : operation == EWISE_UNION || operation == VECTOR_UNION ? UNION
                                                                                               : MULT)
      : operation == KRONECKER ? kronecker(&a, &b)
                               : product(&a, &b, operation == MIN_MXM);
  const dense c = draw_dense(t.nrows, t.ncols, 3), mask = draw_dense(t.nrows, t.ncols, 2),
              want = write(&c, masked ? &mask : NULL, accum, &t, how);
  const dense stored_a = transpose(&a, tran0), stored_b = transpose(&b, tran1);
  GrB_Descriptor desc = descriptor(how, tran0, tran1);
  GrB_BinaryOp plus = accum ? GrB_PLUS_INT64 : NULL;
  GrB_Scalar alpha = scalar(ALPHA), beta = scalar(BETA);
  const GrB_Type a_type = draw_one_in(2) ? GrB_INT32 : GrB_FP64,
                 b_type = draw_one_in(2) ? GrB_INT64 : GrB_INT16;
  if (on_vectors || operation == MXV || operation == VXM) {
    GrB_Vector w = to_vector(&c, GrB_INT64), M = masked ? to_vector(&mask, GrB_INT64) : NULL, u = NULL,
               v = NULL;
    GrB_Matrix A = NULL;
    if (operation == MXV) {
      A = to_matrix(&stored_a, a_type), u = to_vector(&b, b_type);
      OK(GrB_mxv(w, M, plus, made.plus, A, u, desc));
    } else if (operation == VXM) {
      u = to_vector(&a, a_type), A = to_matrix(&stored_b, b_type);
      OK(GrB_vxm(w, M, plus, made.plus, u, A, desc));
    } else {
      u = to_vector(&a, a_type), v = to_vector(&b, b_type);
      OK(operation == VECTOR_UNION ? GxB_Vector_eWiseUnion(w, M, plus, made.op, u, alpha, v, beta, desc)
         : operation == VECTOR_ADD ? GrB_Vector_eWiseAdd_BinaryOp(w, M, plus, made.op, u, v, desc)
                                   : GrB_Vector_eWiseMult_Semiring(w, M, plus, made.plus, u, v, desc));
    }
    assert_vector(w, &want);
    OK(GrB_free(&w)), OK(GrB_free(&M)), OK(GrB_free(&u)), OK(GrB_free(&v)), OK(GrB_free(&A));
  } else {
    GrB_Matrix C = to_matrix(&c, GrB_INT64), M = masked ? to_matrix(&mask, GrB_INT64) : NULL,
               A = to_matrix(&stored_a, a_type), B = to_matrix(&stored_b, b_type);
    if (operation == KRONECKER)
      OK(GrB_Matrix_kronecker_BinaryOp(C, M, plus, made.op, A, B, desc));
    else if (operation == EWISE_ADD)
      OK(GrB_Matrix_eWiseAdd_BinaryOp(C, M, plus, made.op, A, B, desc));
    else if (operation == EWISE_UNION)
      OK(GxB_Matrix_eWiseUnion(C, M, plus, made.op, A, alpha, B, beta, desc));
    else if (operation == EWISE_MULT)
      OK(GrB_Matrix_eWiseMult_BinaryOp(C, M, plus, made.op, A, B, desc));
    else
      OK(GrB_mxm(C, M, plus, operation == MXM ? made.plus : made.least, A, B, desc));
    assert_matrix(C, &want);
    OK(GrB_free(&C)), OK(GrB_free(&M)), OK(GrB_free(&A)), OK(GrB_free(&B));
  }
  OK(GrB_free(&desc)), OK(GrB_free(&alpha)), OK(GrB_free(&beta));
}

static void test_operations(void **state) {
  for (int round = 0; round < 12; round++)
    for (int operation = 0; operation < OPERATIONS; operation++) check_operation(operation);
}

/* The output is an operand, and both operands are one matrix. */
static void test_aliases(void **state) {
  const dense a = draw_dense(9, 9, 2), squared = product(&a, &a, false), both = ewise(&a, &a, ADD);
  GrB_Matrix A = to_matrix(&a, GrB_INT64);
  OK(GrB_mxm(A, NULL, NULL, made.plus, A, A, NULL));
  assert_matrix(A, &squared);
  OK(GrB_free(&A));
  A = to_matrix(&a, GrB_INT64);
  OK(GrB_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, made.op, A, A, NULL));
  assert_matrix(A, &both);
  OK(GrB_free(&A));
}

/* Values of user-defined types, of 20 bytes and 24. */
static void test_user_types(void **state) {
  const dense a = draw_dense(7, 5, 2), b = draw_dense(5, 6, 2), d = draw_dense(7, 5, 2);
  GrB_Matrix A, B, D, C, E;
  OK(GrB_Matrix_new(&A, made.narrow, 7, 5)), OK(GrB_Matrix_new(&B, made.narrow, 5, 6));
  OK(GrB_Matrix_new(&D, made.narrow, 7, 5));
  OK(GrB_Matrix_new(&C, made.large, 7, 6)), OK(GrB_Matrix_new(&E, made.large, 7, 5));
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 6; j++) {
      const narrow x = {{(int32_t)a.at[i][j], 1, 2, 3, 4}}, y = {{9, 9, 9, 9, (int32_t)b.at[i][j]}},
                   z = {{9, 9, 9, 9, (int32_t)d.at[i][j]}};
      const GrB_Index row = (GrB_Index)i, col = (GrB_Index)j;
      if (a.has[i][j]) OK(GrB_Matrix_setElement_UDT(A, &x, row, col));
      if (b.has[i][j]) OK(GrB_Matrix_setElement_UDT(B, &y, row, col));
      if (d.has[i][j]) OK(GrB_Matrix_setElement_UDT(D, &z, row, col));
    }
  OK(GrB_mxm(C, NULL, NULL, made.large_semiring, A, B, NULL));
  OK(GrB_Matrix_eWiseMult_BinaryOp(E, NULL, NULL, made.large_op, A, D, NULL));
  const dense product_values = product(&a, &b, false), ewise_values = ewise(&a, &d, false);
  bool fine = true;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 6; j++) {
      large w = {{0}};
      const bool has = product_values.has[i][j];
      const GrB_Info info = GrB_Matrix_extractElement_UDT(&w, C, (GrB_Index)i, (GrB_Index)j);
      if (has ? info != GrB_SUCCESS || w.value[0] != product_values.at[i][j] : info != GrB_NO_VALUE)
        fine = false;
      if (has && j > 0 && w.value[2] % j != 0) fine = false; /* a multiple of the column */
    }
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 5; j++) {
      large w = {{0}};
      const GrB_Info info = GrB_Matrix_extractElement_UDT(&w, E, (GrB_Index)i, (GrB_Index)j);
      if (ewise_values.has[i][j] ? w.value[0] != ewise_values.at[i][j] || w.value[1] != i || w.value[2] != j
                                 : info != GrB_NO_VALUE)
        fine = false;
    }
  assert_on_all(fine);
  /* a union needs operands of the result's type */
  assert_int_equal(GrB_Matrix_eWiseAdd_BinaryOp(E, NULL, NULL, made.large_op, A, D, NULL),
                   GrB_DOMAIN_MISMATCH);
  OK(GrB_free(&A)), OK(GrB_free(&B)), OK(GrB_free(&C)), OK(GrB_free(&D)), OK(GrB_free(&E));
}

/* ---- the objects ---- */

static void test_objects(void **state) {
  char text[200];
  int32_t code;
  int64_t x = 0;
  GrB_Scalar value;
  GrB_BinaryOp op = NULL;
  OK(GrB_Scalar_new(&value, GrB_INT64));
  OK(GrB_get(made.index_op, text, GxB_JIT_C_NAME));
  assert_string_equal(text, "positions");
  OK(GrB_get(made.index_op, text, GrB_INP0_TYPE_STRING));
  assert_string_equal(text, "GrB_INT32");
  OK(GrB_get(made.index_op, &code, GxB_THETA_TYPE_CODE));
  assert_int_equal(code, GrB_INT64_CODE);
  OK(GrB_get(made.op, &code, GrB_INP1_TYPE_CODE));
  assert_int_equal(code, GrB_INT64_CODE);
  OK(GrB_get(made.op, text, GxB_THETA_TYPE_STRING));
  assert_string_equal(text, "GrB_INT64");
  OK(GrB_get(made.op, value, GxB_THETA));
  OK(GrB_Scalar_extractElement_INT64(&x, value));
  assert_int_equal(x, THETA);
  assert_int_equal(GrB_get(GrB_PLUS_FP64, &code, GxB_THETA_TYPE_CODE), GrB_NO_VALUE);
  OK(GrB_set(made.index_op, "a name", GrB_NAME));
  OK(GrB_get(made.index_op, text, GrB_NAME));
  assert_string_equal(text, "a name");
  assert_int_equal(GrB_set(made.index_op, "another", GrB_NAME), GrB_ALREADY_SET);
  OK(GrB_wait(made.index_op, GrB_MATERIALIZE));
  OK(GxB_IndexBinaryOp_fprint(made.index_op, "op", GxB_SILENT, NULL));

  /* the value of theta is that of the binding, however the scalar changes */
  OK(GrB_Scalar_setElement_FP64(made.theta, 1000));
  const dense a = draw_dense(5, 1, 1), want = ewise(&a, &a, false);
  GrB_Vector u = to_vector(&a, GrB_INT64);
  OK(GrB_Vector_eWiseMult_BinaryOp(u, NULL, NULL, made.op, u, u, NULL));
  assert_vector(u, &want);
  OK(GrB_Scalar_setElement_FP64(made.theta, THETA));

  GxB_IndexBinaryOp none = NULL;
  OK(GrB_Scalar_clear(value));
  assert_int_equal(GxB_BinaryOp_new_IndexOp(&op, made.index_op, value), GrB_EMPTY_OBJECT);
  assert_int_equal(GxB_BinaryOp_new_IndexOp(&op, NULL, made.theta), GrB_NULL_POINTER);
  assert_int_equal(GxB_BinaryOp_new_IndexOp(&op, made.index_op, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_BinaryOp_new_IndexOp(NULL, made.index_op, made.theta), GrB_NULL_POINTER);
  assert_int_equal(
      GxB_IndexBinaryOp_new(NULL, positions, GrB_INT64, GrB_INT64, GrB_INT64, GrB_INT64, NULL, NULL),
      GrB_NULL_POINTER);
  assert_int_equal(GxB_IndexBinaryOp_new(&none, NULL, GrB_INT64, GrB_INT64, GrB_INT64, GrB_INT64, NULL, NULL),
                   GrB_NULL_POINTER);
  assert_int_equal(GxB_IndexBinaryOp_new(&none, positions, GrB_INT64, GrB_INT64, GrB_INT64, NULL, NULL, NULL),
                   GrB_NULL_POINTER);
  assert_null(op), assert_null(none);
  OK(GxB_IndexBinaryOp_free(&none));
  OK(GrB_free(&u)), OK(GrB_free(&value));
}

/* Calls that have no positions refuse the operator, and their outputs keep their values. */
static void test_refused(void **state) {
  const dense a = draw_dense(4, 4, 2), v = draw_dense(4, 1, 1);
  GrB_Matrix A = to_matrix(&a, GrB_INT64);
  GrB_Vector u = to_vector(&v, GrB_INT64), w = to_vector(&v, GrB_INT64);
  GrB_Monoid monoid = NULL;
  const GrB_Index none[] = {0, 0};
  const int64_t ones[] = {1, 1};
  assert_int_equal(GrB_Monoid_new_INT64(&monoid, made.op, 0), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GxB_Monoid_terminal_new_INT64(&monoid, made.op, 0, 1), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_mxv(w, NULL, made.op, GrB_PLUS_TIMES_SEMIRING_INT64, A, u, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_mxv(w, NULL, made.op, made.plus, A, u, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_apply_BinaryOp1st_INT64(w, NULL, NULL, made.op, 1, u, NULL),
                   GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Matrix_apply_BinaryOp2nd_INT64(A, NULL, NULL, made.op, A, 1, NULL),
                   GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Matrix_reduce_BinaryOp(w, NULL, NULL, made.op, A, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_transpose(A, NULL, made.op, A, NULL), GrB_DOMAIN_MISMATCH);
  OK(GrB_Matrix_clear(A));
  assert_int_equal(GrB_Matrix_build_INT64(A, none, none, ones, 2, made.op), GrB_DOMAIN_MISMATCH);
  assert_vector(w, &v);
  GrB_Matrix rectangle;
  OK(GrB_Matrix_new(&rectangle, GrB_INT64, 4, 5));
  assert_int_equal(GrB_mxm(A, NULL, NULL, made.plus, rectangle, A, NULL), GrB_DIMENSION_MISMATCH);
  OK(GrB_free(&rectangle)), OK(GrB_free(&A)), OK(GrB_free(&u)), OK(GrB_free(&w));
}

/* The k-th allocation fails on one process: all return the error, and the output keeps its value. */
static void test_memory(void **state) {
  const dense a = draw_dense(8, 8, 2), want = ewise(&a, &a, ADD);
  bool done = false;
  for (int64_t k = 0; !done && k < 400; k += 1 + k / 8) {
    GrB_Matrix A = to_matrix(&a, GrB_INT64);
    OK(GrB_wait(A, GrB_MATERIALIZE));
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
    const GrB_Info info = GrB_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, made.op, A, A, NULL);
    grid_mem_fail_after(-1);
    uint64_t failed = info == GrB_OUT_OF_MEMORY, good = info == GrB_SUCCESS;
    OK(Grid_sum(&failed, 1)), OK(Grid_sum(&good, 1));
    assert_on_all((failed == 0 && good == (uint64_t)Grid_size()) ||
                  (failed == (uint64_t)Grid_size() && good == 0));
    assert_matrix(A, good ? &want : &a);
    done = good > 0;
    OK(GrB_free(&A));
  }
  assert_on_all(done);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations), cmocka_unit_test(test_aliases),
                                     cmocka_unit_test(test_user_types), cmocka_unit_test(test_objects),
                                     cmocka_unit_test(test_refused),    cmocka_unit_test(test_memory)};
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const int64_t before = grid_mem_live();
  int failed = cmocka_run_group_tests(tests, make, drop);
  if (grid_mem_live() != before)
    printf("%lld blocks leak\n", (long long)(grid_mem_live() - before)), failed++;
  GrB_finalize();
  return failed;
}
