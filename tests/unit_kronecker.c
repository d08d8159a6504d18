/* Kronecker products, other dimensions, diagonals, and entries where a vector points, against dense models,
 * on any number of processes. */
#include <omp.h>
#include <stdio.h>

#include "dist/matrix/matrix.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/index/lmat_kronecker.h"
#include "spmat/matrix/axis.h"
#include "tests/dense_model.h"
#include "tests/grid_shapes.h"

static GrB_Type draw_type(void) {
  return (const GrB_Type[]){GrB_FP64, GrB_INT32, GrB_FP32, GrB_INT64}[draw(4)];
}
static uint64_t draw_sparse(void) {
  return (const uint64_t[]){1, 3, 10, 40}[draw(4)];
}

typedef struct {
  dense d;
  GrB_Matrix A;
} pair;

static pair draw_pair(size_t rows, size_t cols, uint64_t row_step, uint64_t col_step, uint64_t sparse) {
  pair p = {.d = dense_new(rows, cols)};
  const bool iso = draw_one_in(3);
  p.d.row_step = row_step, p.d.col_step = col_step;
  dense_draw(&p.d, sparse, iso);
  p.A = dense_matrix(&p.d, draw_type(), iso);
  return p;
}
static void free_pair(pair *p) {
  dense_free(&p->d);
  GrB_Matrix_free(&p->A);
}

/* ---- Kronecker ---- */

enum { TIMES, MINUS, FIRST, ONEB, USER };

static void user_minus(void *z, const void *x, const void *y) {
  double a, b;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  a -= b;
  memcpy(z, &a, sizeof a);
}

static double apply(int op, double a, double b) {
  return op == TIMES ? a * b : op == FIRST ? a : op == ONEB ? 1 : a - b;
}

static GrB_Info multiply(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, int op, GrB_BinaryOp user,
                         GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc) {
  switch (op) {
    case TIMES:
      return draw_one_in(2)
                 ? GrB_Matrix_kronecker_Semiring(C, mask, accum, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, desc)
                 : GrB_Matrix_kronecker_Monoid(C, mask, accum, GrB_TIMES_MONOID_FP64, A, B, desc);
    case MINUS:
      return GrB_Matrix_kronecker_BinaryOp(C, mask, accum, GrB_MINUS_INT32, A, B, desc);
    case FIRST:
      return GrB_Matrix_kronecker_BinaryOp(C, mask, accum, GrB_FIRST_INT64, A, B, desc);
    case ONEB:
      return GrB_Matrix_kronecker_BinaryOp(C, mask, accum, GrB_ONEB_FP32, A, B, desc);
    default:
      return GrB_Matrix_kronecker_BinaryOp(C, mask, accum, user, A, B, desc);
  }
}

/* With distant rows, A's are one step from each other, so that C's model has a step, too. */
static void kronecker(void **state) {
  GrB_BinaryOp user = NULL;
  OK(GrB_BinaryOp_new(&user, user_minus, GrB_FP64, GrB_FP64, GrB_FP64));
  for (int round = 0; round < 80; round++) {
    omp_set_num_threads(round % 4 ? 1 : 5); /* products of 2^14 entries and more are divided into tasks */
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    const int op = (int)draw(5);
    const bool spreads_rows = draw_one_in(4);
    const size_t ar = 1 + draw(20), ac = 1 + draw(20), br = spreads_rows ? 1 : 1 + draw(24),
                 bc = 1 + draw(24);
    pair A = draw_pair(h.tran0 ? ac : ar, h.tran0 ? ar : ac, 1, 1, draw_sparse()), m = {.A = NULL}, C;
    pair B = draw_pair(h.tran1 ? bc : br, h.tran1 ? br : bc, 1, 1, draw_sparse());
    if (spreads_rows) {
      /* B: one row, with columns 2^34 apart */
      free_pair(&B);
      B = draw_pair(h.tran1 ? bc : 1, h.tran1 ? 1 : bc, h.tran1 ? UINT64_C(1) << 34 : 1,
                    h.tran1 ? 1 : UINT64_C(1) << 34, draw_sparse());
    }
    dense a = h.tran0 ? dense_transposed(&A.d) : dense_copy(&A.d),
          b = h.tran1 ? dense_transposed(&B.d) : dense_copy(&B.d);
    if (spreads_rows) { /* A of one column, so that the product's columns are B's */
      dense_free(&a), dense_free(&A.d);
      GrB_Matrix_free(&A.A);
      A = draw_pair(h.tran0 ? 1 : ar, h.tran0 ? ar : 1, 1, 1, draw_sparse());
      a = h.tran0 ? dense_transposed(&A.d) : dense_copy(&A.d);
    }
    C = draw_pair(a.rows * b.rows, a.cols * b.cols, 1, b.col_step, 30);
    dense t = dense_new(C.d.rows, C.d.cols);
    for (size_t i = 0; i < t.rows; i++)
      for (size_t j = 0; j < t.cols; j++) {
        const size_t x = dense_at(&a, i / b.rows, j / b.cols), y = dense_at(&b, i % b.rows, j % b.cols);
        if (a.has[x] && b.has[y]) dense_set(&t, i, j, apply(op, a.v[x], b.v[y]));
      }
    if (draw_one_in(3)) m = draw_pair(C.d.rows, C.d.cols, 1, C.d.col_step, draw_sparse());
    OK(multiply(C.A, m.A, dense_accum(h), op, user, A.A, B.A, desc));
    dense_write(&C.d, m.A ? &m.d : NULL, h, &t);
    assert_on_all(dense_same(&C.d, C.A));
    dense_free(&a), dense_free(&b), dense_free(&t);
    free_pair(&A), free_pair(&B), free_pair(&C), free_pair(&m);
    GrB_Descriptor_free(&desc);
  }
  omp_set_num_threads(1);
  GrB_Matrix A = NULL, C = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, UINT64_C(1) << 40, 3));
  OK(GrB_Matrix_new(&C, GrB_FP64, 9, 9));
  assert_int_equal(GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, user, A, A, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, NULL, A, A, NULL), GrB_NULL_POINTER);
  GrB_Matrix_free(&A), GrB_Matrix_free(&C);
  GrB_BinaryOp_free(&user);
}

/* ---- dimensions ---- */

static void resizing(void **state) {
  static const size_t sizes[] = {1, 30, 64, 100, 300, 700};
  for (int round = 0; round < 60; round++) {
    const uint64_t row_step = draw_one_in(4) ? UINT64_C(1) << 33 : 1,
                   col_step = draw_one_in(4) ? UINT64_C(1) << 40 : 1;
    pair C = draw_pair(sizes[draw(6)], sizes[draw(6)], row_step, col_step, draw_sparse() * 10);
    for (int again = 0; again < 2; again++) {
      const size_t rows = sizes[draw(6)], cols = sizes[draw(6)];
      dense to = dense_new(rows, cols);
      to.row_step = row_step, to.col_step = col_step;
      for (size_t r = 0; r < rows && r < C.d.rows; r++)
        for (size_t c = 0; c < cols && c < C.d.cols; c++)
          if (C.d.has[dense_at(&C.d, r, c)]) dense_set(&to, r, c, C.d.v[dense_at(&C.d, r, c)]);
      OK(GrB_Matrix_resize(C.A, (rows - 1) * row_step + 1, (cols - 1) * col_step + 1));
      dense_free(&C.d);
      C.d = to;
      assert_on_all(dense_same(&C.d, C.A));
      if (draw_one_in(2)) continue;
      const size_t r = draw(rows), c = draw(cols); /* it can be changed as ever */
      OK(GrB_Matrix_setElement_FP64(C.A, 5, r * row_step, c * col_step));
      dense_set(&C.d, r, c, 5);
      assert_on_all(dense_same(&C.d, C.A));
    }
    free_pair(&C);
  }
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, 3, 3));
  assert_int_equal(GrB_Matrix_resize(A, (UINT64_C(1) << 60) + 1, 0), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Matrix_resize(A, 3, (UINT64_C(1) << 60) + 1), GrB_INVALID_VALUE);
  OK(GrB_Matrix_resize(A, 5, 700));
  OK(GrB_Matrix_setElement_FP64(A, 1, 4, 699));
  GrB_Index n;
  OK(GrB_Matrix_nvals(&n, A));
  assert_int_equal(n, 1);
  GrB_Matrix_free(&A);
}

/* ---- diagonals ---- */

static void diagonals(void **state) {
  for (int round = 0; round < 40; round++) {
    const size_t n = 1 + draw(500), by = draw_one_in(3) ? 0 : draw(80);
    const bool below = draw_one_in(2), iso = draw_one_in(3);
    const uint64_t keep = 1 + draw(5);
    GrB_Vector v = NULL;
    pair C = {.d = dense_new(n + by, n + by)};
    OK(GrB_Vector_new(&v, draw_type(), n));
    if (iso) {
      OK(GrB_Vector_assign_FP64(v, NULL, NULL, 3, GrB_ALL, n, NULL));
      for (size_t k = 0; k < n; k++) dense_set(&C.d, k + (below ? by : 0), k + (below ? 0 : by), 3);
    }
    for (size_t k = 0; k < n && !iso; k++) {
      if (!draw_one_in(keep)) continue;
      OK(GrB_Vector_setElement_FP64(v, (double)(k % 17), k));
      dense_set(&C.d, k + (below ? by : 0), k + (below ? 0 : by), (double)(k % 17));
    }
    OK(GrB_Matrix_diag(&C.A, v, below ? -(int64_t)by : (int64_t)by));
    assert_on_all(dense_same(&C.d, C.A));
    free_pair(&C);
    GrB_Vector_free(&v);
  }
  GrB_Vector v = NULL;
  GrB_Matrix C = NULL;
  OK(GrB_Vector_new(&v, GrB_FP64, 5));
  assert_int_equal(GrB_Matrix_diag(&C, v, INT64_MIN), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Matrix_diag(NULL, v, 0), GrB_NULL_POINTER);
  assert_int_equal(GrB_Matrix_diag(&C, NULL, 0), GrB_NULL_POINTER);
  assert_null(C);
  OK(GrB_Vector_resize(v, 0));
  OK(GrB_Matrix_diag(&C, v, (int64_t)GrB_INDEX_MAX + 1)); /* the most rows that a matrix can have */
  GrB_Matrix_free(&C);
  GrB_Vector_free(&v);
}

/* ---- where a vector points ---- */

enum { POINTERS = 6 };

/* Entries at about one in `sparse` indices, or all alike; the model's and C's. */
static GrB_Vector draw_pointers(dense *d, uint64_t sparse, bool iso) {
  const GrB_Type types[POINTERS] = {GrB_INT64, GrB_UINT64, GrB_INT32, GrB_UINT32, GrB_UINT16, GrB_INT8};
  const uint64_t most[POINTERS] = {INT64_MAX, UINT64_MAX, INT32_MAX, UINT32_MAX, UINT16_MAX, INT8_MAX};
  const size_t one = draw(d->cols), farthest = iso ? one : d->cols - 1;
  uint64_t kind = draw(POINTERS);
  GrB_Vector v = NULL;
  if (farthest * d->col_step > most[kind]) kind = 0;
  OK(GrB_Vector_new(&v, types[kind], (d->rows - 1) * d->row_step + 1));
  for (size_t r = 0; r < d->rows; r++) {
    const size_t c = iso ? one : draw(d->cols);
    if (!iso && !draw_one_in(sparse)) continue;
    dense_set(d, r, c, 1);
    if (!iso || d->row_step > 1) OK(GrB_Vector_setElement_UINT64(v, c * d->col_step, r * d->row_step));
  }
  if (iso && d->row_step == 1)
    OK(GrB_Vector_assign_UINT64(v, NULL, NULL, one * d->col_step, GrB_ALL, d->rows, NULL));
  return v;
}

static void indicators(void **state) {
  for (int round = 0; round < 60; round++) {
    const bool spreads_rows = draw_one_in(5), spreads_columns = draw_one_in(5);
    dense d = dense_new(1 + draw(spreads_rows ? 40 : 500), 1 + draw(spreads_columns ? 40 : 500));
    d.row_step = spreads_rows ? UINT64_C(1) << 40 : 1, d.col_step = spreads_columns ? UINT64_C(1) << 36 : 1;
    GrB_Vector v = draw_pointers(&d, 1 + draw(5), draw_one_in(4));
    GrB_Matrix C = NULL;
    OK(GrB_Matrix_new(&C, draw_type(), (d.rows - 1) * d.row_step + 1, (d.cols - 1) * d.col_step + 1));
    for (int again = 0; again < 2; again++) { /* a matrix that was emptied is empty */
      OK(Grid_Matrix_indicator(C, v));
      assert_on_all(dense_same(&d, C));
      if (again == 0) OK(GrB_Matrix_clear(C));
    }
    dense_free(&d);
    GrB_Matrix_free(&C);
    GrB_Vector_free(&v);
  }
}

static void refused(GrB_Info info, GrB_Info want, const char *text) {
  assert_int_equal(info, want);
  assert_non_null(strstr(Grid_last_error(), "Grid_Matrix_indicator"));
  assert_non_null(strstr(Grid_last_error(), text));
}

static void indicators_refused(void **state) {
  dense d = dense_new(300, 200);
  GrB_Matrix C = NULL, records = NULL;
  GrB_Vector v = NULL, real = NULL, shorter = NULL;
  GrB_Type record = NULL;
  OK(GrB_Type_new(&record, 16));
  OK(GrB_Matrix_new(&C, GrB_INT64, 300, 200));
  OK(GrB_Matrix_new(&records, record, 300, 200));
  OK(GrB_Vector_new(&v, GrB_INT64, 300));
  OK(GrB_Vector_new(&real, GrB_FP64, 300));
  OK(GrB_Vector_new(&shorter, GrB_INT64, 299));
  for (size_t r = 0; r < 299; r++) {
    OK(GrB_Vector_setElement_INT64(v, (int64_t)(r % 200), r));
    dense_set(&d, r, r % 200, 1);
  }
  const int64_t wrong[] = {200, -1};
  const char *const words[] = {"= 200 is outside the size 200", "= -1 is outside the size 200"};
  for (int k = 0; k < 2; k++) { /* on one process alone */
    OK(GrB_Vector_setElement_INT64(v, wrong[k], 299));
    refused(Grid_Matrix_indicator(C, v), GrB_INDEX_OUT_OF_BOUNDS, words[k]);
  }
  OK(GrB_Vector_removeElement(v, 299));
  refused(Grid_Matrix_indicator(C, real), GrB_DOMAIN_MISMATCH, "is not of integers");
  refused(Grid_Matrix_indicator(records, v), GrB_DOMAIN_MISMATCH, "no value 1");
  refused(Grid_Matrix_indicator(C, shorter), GrB_DIMENSION_MISMATCH, "where has size 299");
  refused(Grid_Matrix_indicator(C, NULL), GrB_NULL_POINTER, "where is NULL");
  refused(Grid_Matrix_indicator(NULL, v), GrB_NULL_POINTER, "C is NULL");
  GrB_Index n;
  OK(GrB_Matrix_nvals(&n, C));
  assert_int_equal(n, 0);
  OK(Grid_Matrix_indicator(C, v));
  refused(Grid_Matrix_indicator(C, v), GrB_OUTPUT_NOT_EMPTY, "holds 299 entries");
  assert_on_all(dense_same(&d, C));
  dense_free(&d);
  GrB_Matrix_free(&C), GrB_Matrix_free(&records);
  GrB_Vector_free(&v), GrB_Vector_free(&real), GrB_Vector_free(&shorter);
  GrB_Type_free(&record);
}

/* ---- columns without a list ---- */

enum { ENTRIES = 3, COLS = 40000000 };
static const int64_t factor_value[ENTRIES] = {2, 3, 5};

/* The block of a row of `cols` columns with three entries, on one process. */
static GrB_Matrix new_row(const GrB_Index col[ENTRIES], GrB_Index cols) {
  const GrB_Index row[ENTRIES] = {0};
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_INT64, 1, cols));
  OK(GrB_Matrix_build_INT64(A, row, col, factor_value, ENTRIES, NULL));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  return A;
}

/* The product of a row of a_cols columns and one of COLS. */
static void check_rows(const grid_local_matrix *a, const GrB_Index *col_a, uint64_t a_cols,
                       const grid_local_matrix *b, const GrB_Index *col_b) {
  const grid_kron_block whole = {.q = 1, .R = 1, .chunks = 1, .cols = a_cols * COLS};
  grid_local_matrix t;
  grid_lmat_init(&t, GrB_INT64, 1, whole.cols);
  OK(grid_cpu_lmat_kron(&t, a, b, 1, COLS, GrB_TIMES_INT64, &whole));
  assert_int_equal(t.nvals, ENTRIES * ENTRIES);
  for (uint64_t i = 0, e = 0; i < ENTRIES; i++)
    for (uint64_t j = 0; j < ENTRIES; j++, e++) {
      assert_int_equal(grid_axis_id(&t.col, t.by_row.idx[e]), col_a[i] * COLS + col_b[j]);
      assert_int_equal(((const int64_t *)t.by_row.val)[e], factor_value[i] * factor_value[j]);
    }
  grid_lmat_free(&t);
}

/* A block that was on a device has no lists of columns, so the pairs of columns are more than 2^32. */
static void columns_without_list(void **state) {
  const GrB_Index col_a[] = {0, 150, 299}, col_b[] = {5, 70000, COLS - 1};
  if (Grid_size() > 1) return; /* the block of one process is the matrix */
  GrB_Matrix A = new_row(col_a, 300), B = new_row(col_b, COLS);
  grid_expanded_lmat expanded = {0};
  OK(grid_lmat_expand_hyper(&expanded, &B->block, true));
  assert_int_equal(expanded.lmat.col.n, COLS);
  check_rows(&A->block, col_a, 300, &expanded.lmat, col_b);
  check_rows(&expanded.lmat, col_b, COLS, &expanded.lmat, col_b); /* both factors share their arrays */
  for (int k = 0; k < ENTRIES; k++) assert_int_equal(expanded.lmat.by_row.idx[k], col_b[k]);
  grid_expanded_lmat_free(&expanded);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B);
}

/* A symmetric factor, which is its transpose: processes read it in memory that they share. */
static void symmetric_factor(void **state) {
  enum { N = 40, TUPLES = 300 };
  GrB_Index row[TUPLES], col[TUPLES], n[2];
  double value[TUPLES], same = 0;
  GrB_Matrix A, B, C[2], equal;
  for (int k = 0; k < TUPLES; k++) row[k] = draw(N), col[k] = draw(N), value[k] = (double)draw(9);
  OK(GrB_Matrix_new(&A, GrB_FP64, 3, 5)), OK(GrB_Matrix_new(&B, GrB_FP64, N, N));
  OK(GrB_Matrix_setElement_FP64(A, 2, 1, 4)), OK(GrB_Matrix_setElement_FP64(A, 3, 2, 0));
  OK(Grid_Matrix_build(B, row, col, value, GrB_FP64, Grid_rank() == 0 ? TUPLES : 0, GrB_MIN_FP64,
                       Grid_MIRROR));
  OK(GrB_Matrix_new(&equal, GrB_FP64, 3 * N, 5 * N));
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_new(&C[k], GrB_FP64, 3 * N, 5 * N));
    OK(GrB_Matrix_kronecker_BinaryOp(C[k], NULL, NULL, GrB_MINUS_FP64, A, B, k ? GrB_DESC_T1 : NULL));
    OK(GrB_Matrix_nvals(&n[k], C[k]));
  }
  OK(GrB_Matrix_eWiseMult_BinaryOp(equal, NULL, NULL, GxB_ISEQ_FP64, C[0], C[1], NULL));
  OK(GrB_Matrix_reduce_FP64(&same, NULL, GrB_PLUS_MONOID_FP64, equal, NULL));
  assert_on_all(n[0] > N && n[0] == n[1] && same == (double)n[0]);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&equal);
  for (int k = 0; k < 2; k++) GrB_Matrix_free(&C[k]);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(kronecker),
               cmocka_unit_test(columns_without_list), cmocka_unit_test(resizing),
               cmocka_unit_test(diagonals), cmocka_unit_test(indicators),
               cmocka_unit_test(indicators_refused), cmocka_unit_test(symmetric_factor))
