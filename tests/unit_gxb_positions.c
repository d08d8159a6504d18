/* Positional operators in products, element-wise operations, apply and kronecker, transposed and not, against
 * sums over dense arrays; with a mask, an accumulator and failed allocations. Runs on any number of
 * processes. */
#include <stdio.h>

#include "tests/unit.h"
#include "gridblas_gxb_operators.h"
#include "semiring/builtin.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { N = 11, KRON = 48 };

typedef struct {
  uint64_t rows, cols;
  bool has[KRON][KRON];
  int64_t v[KRON][KRON];
} dense;

static dense *draw_dense(uint64_t rows, uint64_t cols) {
  dense *d = calloc(1, sizeof *d);
  assert_non_null(d);
  d->rows = rows, d->cols = cols;
  for (uint64_t i = 0; i < rows; i++)
    for (uint64_t j = 0; j < cols; j++) d->has[i][j] = draw_one_in(3), d->v[i][j] = (int64_t)draw(50) + 100;
  return d;
}

static dense *transposed(const dense *a, bool turn) {
  dense *d = calloc(1, sizeof *d);
  assert_non_null(d);
  d->rows = turn ? a->cols : a->rows, d->cols = turn ? a->rows : a->cols;
  for (uint64_t i = 0; i < d->rows; i++)
    for (uint64_t j = 0; j < d->cols; j++)
      d->has[i][j] = turn ? a->has[j][i] : a->has[i][j], d->v[i][j] = turn ? a->v[j][i] : a->v[i][j];
  return d;
}

static GrB_Matrix matrix_of(const dense *d, GrB_Type type) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, type, d->rows, d->cols));
  for (uint64_t i = 0; i < d->rows; i++)
    for (uint64_t j = 0; j < d->cols; j++)
      if (d->has[i][j]) OK(GrB_Matrix_setElement_INT64(A, d->v[i][j], i, j));
  return A;
}

static GrB_Vector vector_of(const dense *d) {
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, GrB_INT16, d->rows));
  for (uint64_t i = 0; i < d->rows; i++)
    if (d->has[i][0]) OK(GrB_Vector_setElement_INT64(v, d->v[i][0], i));
  return v;
}

/* Has X, a matrix or else the vector x, the model's entries? */
static void check(GrB_Matrix X, GrB_Vector x, const dense *d, const char *what) {
  static GrB_Index I[KRON * KRON], J[KRON * KRON];
  static int64_t V[KRON * KRON];
  GrB_Index n = KRON * KRON, want = 0;
  bool fine = true;
  memset(J, 0, sizeof J);
  if (X)
    OK(GrB_Matrix_extractTuples_INT64(I, J, V, &n, X));
  else
    OK(GrB_Vector_extractTuples_INT64(I, V, &n, x));
  for (uint64_t i = 0; i < d->rows; i++)
    for (uint64_t j = 0; j < d->cols; j++) want += d->has[i][j];
  for (GrB_Index e = 0; e < n; e++) fine = fine && d->has[I[e]][J[e]] && d->v[I[e]][J[e]] == V[e];
  if (!fine || n != want) print_message("%s: wrong\n", what);
  assert_on_all(fine && n == want);
}

/* ---- the operators ------------------------------------------------------------------------------------- */

typedef struct {
  GrB_BinaryOp *op;
  GrB_Semiring *plus, *min, *max, *times, *any;
} row;
#define ROW(OP, T)                                                                                          \
  {                                                                                                         \
    &GxB_##OP##_##T, &GxB_PLUS_##OP##_##T, &GxB_MIN_##OP##_##T, &GxB_MAX_##OP##_##T, &GxB_TIMES_##OP##_##T, \
        &GxB_ANY_##OP##_##T                                                                                 \
  }
#define ROWS(OP) ROW(OP, INT32), ROW(OP, INT64), ROW(OP##1, INT32), ROW(OP##1, INT64)
static const row rows[] = {ROWS(FIRSTI), ROWS(FIRSTJ), ROWS(SECONDI), ROWS(SECONDJ)};
enum { ROWS_N = sizeof rows / sizeof *rows };

/* Of the operands (i, j) and (k, l). */
static int64_t position(GrB_BinaryOp op, uint64_t i, uint64_t j, uint64_t k, uint64_t l) {
  const char *name = op->name + 4; /* without GxB_ */
  const bool first = name[0] == 'F';
  const char which = name[first ? 5 : 6], one = name[first ? 6 : 7];
  return (int64_t)(which == 'I' ? first ? i : k : first ? j : l) + (one == '1');
}

static int64_t add(const row *r, GrB_Semiring s, int64_t x, int64_t y) {
  return s == *r->plus    ? x + y
         : s == *r->times ? (int64_t)((uint64_t)x * (uint64_t)y)
         : s == *r->min   ? (x < y ? x : y)
         : x > y          ? x
                          : y;
}

/* d = a (x) b; of a vxm the first operand is a row. */
static dense *product(const row *r, GrB_Semiring s, const dense *a, const dense *b) {
  dense *d = calloc(1, sizeof *d);
  d->rows = a->rows, d->cols = b->cols;
  for (uint64_t i = 0; i < d->rows; i++)
    for (uint64_t j = 0; j < d->cols; j++)
      for (uint64_t k = 0; k < a->cols; k++) {
        if (!a->has[i][k] || !b->has[k][j]) continue;
        const int64_t t = position(*r->op, i, k, k, j);
        d->v[i][j] = d->has[i][j] ? add(r, s, d->v[i][j], t) : t;
        d->has[i][j] = true;
      }
  if ((*r->op)->z == GrB_INT32)
    for (uint64_t i = 0; i < d->rows; i++)
      for (uint64_t j = 0; j < d->cols; j++) d->v[i][j] = (int32_t)d->v[i][j];
  return d;
}

static GrB_Descriptor descriptor(bool t0, bool t1) {
  return t0 ? t1 ? GrB_DESC_T0T1 : GrB_DESC_T0 : t1 ? GrB_DESC_T1 : NULL;
}

/* On several processes every third operator, from another one in each test. */
static size_t first_row(void) {
  return Grid_size() == 1 ? 0 : draw(3);
}
static size_t row_step(void) {
  return Grid_size() == 1 ? 1 : 3;
}

static void products(void **state) {
  for (size_t k = first_row(); k < ROWS_N; k += row_step()) {
    const row *r = &rows[k];
    const GrB_Semiring s[] = {*r->plus, *r->min, *r->max, *r->times, *r->any};
    /* under ANY where all products of an entry are equal */
    const bool inner = strstr((*r->op)->name, "FIRSTJ") || strstr((*r->op)->name, "SECONDI");
    for (int how = 0; how < 4; how++) {
      const bool t0 = how & 1, t1 = how & 2;
      dense *a = draw_dense(N, N - 2), *b = draw_dense(N - 2, N - 4), *u = draw_dense(N - 2, 1);
      dense *ta = transposed(a, t0), *tb = transposed(b, t1), *tu = transposed(u, true), *c, *w;
      GrB_Matrix A = matrix_of(ta, GrB_FP32), B = matrix_of(tb, GrB_BOOL), C = NULL;
      GrB_Vector x = vector_of(u), y = NULL, z = NULL;
      OK(GrB_Matrix_new(&C, GrB_INT64, N, N - 4));
      OK(GrB_Vector_new(&y, GrB_INT64, N));
      OK(GrB_Vector_new(&z, GrB_INT64, N - 4));
      for (size_t m = 0; m < (inner ? 4u : 5u); m++) {
        OK(GrB_mxm(C, NULL, NULL, s[m], A, B, descriptor(t0, t1)));
        check(C, NULL, c = product(r, s[m], a, b), "mxm"), free(c);
        OK(GrB_mxv(y, NULL, NULL, s[m], A, x, descriptor(t0, false)));
        check(NULL, y, c = product(r, s[m], a, u), "mxv"), free(c);
        OK(GrB_vxm(z, NULL, NULL, s[m], x, B, descriptor(false, t1)));
        c = product(r, s[m], tu, b);
        check(NULL, z, w = transposed(c, true), "vxm"), free(c), free(w);
      }
      OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B)), OK(GrB_Matrix_free(&C));
      OK(GrB_Vector_free(&x)), OK(GrB_Vector_free(&y)), OK(GrB_Vector_free(&z));
      free(a), free(b), free(u), free(ta), free(tb), free(tu);
    }
  }
}

/* ---- element by element ---- */

static dense *ewise(const row *r, const dense *a, const dense *b, bool union_of_both) {
  dense *d = calloc(1, sizeof *d);
  d->rows = a->rows, d->cols = a->cols;
  for (uint64_t i = 0; i < d->rows; i++)
    for (uint64_t j = 0; j < d->cols; j++) {
      const bool x = a->has[i][j], y = b->has[i][j];
      d->has[i][j] = union_of_both ? x || y : x && y;
      d->v[i][j] = x && y ? position(*r->op, i, j, i, j) : x ? a->v[i][j] : b->v[i][j];
    }
  return d;
}

static void element_wise(void **state) {
  for (size_t k = first_row(); k < ROWS_N; k += row_step())
    for (int how = 0; how < 4; how++) {
      const row *r = &rows[k];
      const bool t0 = how & 1, t1 = how & 2;
      dense *a = draw_dense(N, N - 3), *b = draw_dense(N, N - 3), *u = draw_dense(N, 1),
            *v = draw_dense(N, 1), *c;
      dense *ta = transposed(a, t0), *tb = transposed(b, t1);
      GrB_Matrix A = matrix_of(ta, GrB_FP64), B = matrix_of(tb, GrB_INT16), C = NULL;
      GrB_Vector x = vector_of(u), y = vector_of(v), w = NULL;
      OK(GrB_Matrix_new(&C, GrB_INT64, N, N - 3));
      OK(GrB_Vector_new(&w, GrB_INT64, N));
      OK(GrB_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, *r->op, A, B, descriptor(t0, t1)));
      check(C, NULL, c = ewise(r, a, b, false), "eWiseMult"), free(c);
      OK(GrB_Matrix_eWiseMult_Semiring(C, NULL, NULL, *r->any, A, B, descriptor(t0, t1)));
      const GrB_BinaryOp mul = (*r->any)->mul; /* of FIRSTJ: SECONDI */
      if (mul == *r->op) check(C, NULL, c = ewise(r, a, b, false), "eWiseMult"), free(c);
      OK(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, *r->op, A, B, descriptor(t0, t1)));
      check(C, NULL, c = ewise(r, a, b, true), "eWiseAdd"), free(c);
      OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, *r->op, x, y, NULL));
      check(NULL, w, c = ewise(r, u, v, false), "eWiseMult of vectors"), free(c);
      OK(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, *r->op, x, y, NULL));
      check(NULL, w, c = ewise(r, u, v, true), "eWiseAdd of vectors"), free(c);
      OK(GrB_Matrix_apply_BinaryOp1st_FP64(C, NULL, NULL, *r->op, 7, B, t1 ? GrB_DESC_T1 : NULL));
      check(C, NULL, c = ewise(r, b, b, false), "apply"), free(c);
      OK(GrB_Matrix_apply_BinaryOp2nd_INT8(C, NULL, NULL, *r->op, A, 7, t0 ? GrB_DESC_T0 : NULL));
      check(C, NULL, c = ewise(r, a, a, false), "apply"), free(c);
      OK(GrB_Vector_apply_BinaryOp2nd_INT8(w, NULL, NULL, *r->op, x, 7, NULL));
      check(NULL, w, c = ewise(r, u, u, false), "apply to a vector"), free(c);
      OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B)), OK(GrB_Matrix_free(&C));
      OK(GrB_Vector_free(&x)), OK(GrB_Vector_free(&y)), OK(GrB_Vector_free(&w));
      free(a), free(b), free(u), free(v), free(ta), free(tb);
    }
}

static void unary(void **state) {
  const struct {
    GrB_UnaryOp op;
    row as; /* the binary operator that gives the same */
  } op[] = {{GxB_POSITIONI_INT32, ROW(FIRSTI, INT32)},   {GxB_POSITIONI_INT64, ROW(FIRSTI, INT64)},
            {GxB_POSITIONI1_INT32, ROW(FIRSTI1, INT32)}, {GxB_POSITIONI1_INT64, ROW(FIRSTI1, INT64)},
            {GxB_POSITIONJ_INT32, ROW(FIRSTJ, INT32)},   {GxB_POSITIONJ_INT64, ROW(FIRSTJ, INT64)},
            {GxB_POSITIONJ1_INT32, ROW(FIRSTJ1, INT32)}, {GxB_POSITIONJ1_INT64, ROW(FIRSTJ1, INT64)}};
  for (size_t k = 0; k < sizeof op / sizeof *op; k++)
    for (int turn = 0; turn < 2; turn++) {
      dense *a = draw_dense(N, N - 3), *u = draw_dense(N, 1), *ta = transposed(a, turn), *c;
      GrB_Matrix A = matrix_of(ta, GrB_FP64), C = NULL;
      GrB_Vector x = vector_of(u), w = NULL;
      OK(GrB_Matrix_new(&C, GrB_INT64, N, N - 3));
      OK(GrB_Vector_new(&w, GrB_INT64, N));
      OK(GrB_Matrix_apply(C, NULL, NULL, op[k].op, A, turn ? GrB_DESC_T0 : NULL));
      check(C, NULL, c = ewise(&op[k].as, a, a, false), "apply"), free(c);
      OK(GrB_Vector_apply(w, NULL, NULL, op[k].op, x, NULL));
      check(NULL, w, c = ewise(&op[k].as, u, u, false), "apply to a vector"), free(c);
      OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&C)), OK(GrB_Vector_free(&x)), OK(GrB_Vector_free(&w));
      free(a), free(u), free(ta);
    }
}

static void kronecker(void **state) {
  for (size_t k = first_row(); k < ROWS_N; k += row_step())
    for (int how = 0; how < 4; how++) {
      const bool t0 = how & 1, t1 = how & 2;
      dense *a = draw_dense(4, 3), *b = draw_dense(5, 6), *ta = transposed(a, t0), *tb = transposed(b, t1),
            *c = calloc(1, sizeof *c);
      GrB_Matrix A = matrix_of(ta, GrB_FP64), B = matrix_of(tb, GrB_INT16), C = NULL;
      c->rows = 20, c->cols = 18;
      for (uint64_t i = 0; i < 20; i++)
        for (uint64_t j = 0; j < 18; j++) {
          c->has[i][j] = a->has[i / 5][j / 6] && b->has[i % 5][j % 6];
          c->v[i][j] = position(*rows[k].op, i / 5, j / 6, i % 5, j % 6);
        }
      OK(GrB_Matrix_new(&C, GrB_INT64, 20, 18));
      OK(GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, *rows[k].op, A, B, descriptor(t0, t1)));
      check(C, NULL, c, "kronecker");
      OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B)), OK(GrB_Matrix_free(&C));
      free(a), free(b), free(c), free(ta), free(tb);
    }
}

/* ---- write-back, other types, no memory ---- */

static void writes(void **state) {
  dense *a = draw_dense(N, N), *m = draw_dense(N, N), *c = draw_dense(N, N), *t;
  GrB_Matrix A = matrix_of(a, GrB_FP64), K = matrix_of(m, GrB_BOOL), C = matrix_of(c, GrB_INT64), U = NULL,
             D = NULL;
  GrB_Type pair = NULL;
  OK(GrB_mxm(C, K, GrB_PLUS_INT64, GxB_MAX_SECONDJ1_INT64, A, A, GrB_DESC_SC));
  t = product(&(row)ROW(SECONDJ1, INT64), GxB_MAX_SECONDJ1_INT64, a, a);
  for (uint64_t i = 0; i < N; i++)
    for (uint64_t j = 0; j < N; j++) {
      if (m->has[i][j] || !t->has[i][j]) continue;
      c->v[i][j] = c->has[i][j] ? c->v[i][j] + t->v[i][j] : t->v[i][j];
      c->has[i][j] = true;
    }
  check(C, NULL, c, "accumulated mxm under a mask");
  /* values are not read: a user-defined type has positions, too */
  OK(GrB_Type_new(&pair, 24));
  OK(GrB_Matrix_new(&U, pair, N, N));
  for (uint64_t k = 0; k < N; k++) OK(GrB_Matrix_setElement_UDT(U, (char[24]){0}, k, N - 1 - k));
  OK(GrB_Matrix_new(&D, GrB_INT64, N, N));
  OK(GrB_Matrix_eWiseMult_BinaryOp(D, NULL, NULL, GxB_FIRSTJ1_INT64, U, U, NULL));
  int64_t v = 0;
  OK(GrB_Matrix_extractElement_INT64(&v, D, 2, N - 3));
  assert_int_equal(v, N - 2);
  /* whatever allocation fails, C is unchanged */
  for (int64_t k = 0; k < 2000; k++) {
    grid_mem_fail_after(k);
    const GrB_Info info = GrB_mxm(C, NULL, NULL, GxB_PLUS_FIRSTI1_INT64, A, A, NULL);
    grid_mem_fail_after(-1);
    if (info == GrB_SUCCESS) break;
    assert_int_equal(info, GrB_OUT_OF_MEMORY);
    check(C, NULL, c, "mxm without memory");
  }
  free(t);
  check(C, NULL, t = product(&(row)ROW(FIRSTI1, INT64), GxB_PLUS_FIRSTI1_INT64, a, a),
        "mxm after all failures");
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&K)), OK(GrB_Matrix_free(&C)), OK(GrB_Matrix_free(&U));
  OK(GrB_Matrix_free(&D)), OK(GrB_Type_free(&pair));
  free(a), free(m), free(c), free(t);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(products), cmocka_unit_test(element_wise),
               cmocka_unit_test(unary), cmocka_unit_test(kronecker), cmocka_unit_test(writes))
