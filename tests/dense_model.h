/* A matrix as a dense array replicated on every process, and the standard's write-back on it: the reference
 * of tests of matrix-valued operations. Values are integers that are exact in every type used. A matrix may
 * be longer than its model: row r of the model is row r * row_step of the matrix, and columns likewise. */
#ifndef GRID_DENSE_MODEL_H
#define GRID_DENSE_MODEL_H
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "tests/random_numbers.h"
#include "gridblas.h"
#include "tests/assert_all.h"

#ifndef OK
#define OK(call) assert_int_equal(call, GrB_SUCCESS)
#endif

typedef struct {
  size_t rows, cols;
  uint64_t row_step, col_step;
  bool *has;
  double *v;
} dense;

static inline dense dense_new(size_t rows, size_t cols) {
  dense d = {rows, cols, 1, 1, calloc(rows * cols + 1, sizeof *d.has), calloc(rows * cols + 1, sizeof *d.v)};
  assert_true(d.has && d.v);
  return d;
}
static inline void dense_free(dense *d) {
  free(d->has);
  free(d->v);
}
static inline dense dense_copy(const dense *d) {
  dense c = dense_new(d->rows, d->cols);
  c.row_step = d->row_step, c.col_step = d->col_step;
  memcpy(c.has, d->has, d->rows * d->cols * sizeof *d->has);
  memcpy(c.v, d->v, d->rows * d->cols * sizeof *d->v);
  return c;
}
static inline size_t dense_at(const dense *d, size_t r, size_t c) {
  return r * d->cols + c;
}
static inline void dense_set(dense *d, size_t r, size_t c, double v) {
  d->has[dense_at(d, r, c)] = true;
  d->v[dense_at(d, r, c)] = v;
}

/* About one in `sparse` positions has an entry: a small number, or always `one` if that is not 0. Some
 * matrices have a full row or column, and some are empty. */
static inline void dense_draw(dense *d, uint64_t sparse, double one) {
  memset(d->has, 0, d->rows * d->cols);
  if (draw_one_in(12)) return;
  const size_t full_row = draw_one_in(3) ? draw(d->rows) : d->rows,
               full_col = draw_one_in(3) ? draw(d->cols) : d->cols;
  for (size_t r = 0; r < d->rows; r++)
    for (size_t c = 0; c < d->cols; c++)
      if (r == full_row || c == full_col || draw_one_in(sparse))
        dense_set(d, r, c, one != 0 ? one : (double)draw(7) - 2);
}

static inline dense dense_transposed(const dense *d) {
  dense t = dense_new(d->cols, d->rows);
  t.row_step = d->col_step, t.col_step = d->row_step;
  for (size_t r = 0; r < d->rows; r++)
    for (size_t c = 0; c < d->cols; c++)
      if (d->has[dense_at(d, r, c)]) dense_set(&t, c, r, d->v[dense_at(d, r, c)]);
  return t;
}

/* The modelled matrix; each process contributes some of the entries. iso: the model has one value, 1. */
static inline GrB_Matrix dense_matrix(const dense *d, GrB_Type type, bool iso) {
  const size_t n = d->rows * d->cols;
  GrB_Index *I = malloc((n + 1) * sizeof *I), *J = malloc((n + 1) * sizeof *J), m = 0;
  double *X = malloc((n + 1) * sizeof *X);
  GrB_Matrix A = NULL;
  assert_true(I && J && X);
  for (size_t k = 0; k < n; k++) {
    if (!d->has[k] || k % (size_t)Grid_size() != (size_t)Grid_rank()) continue;
    I[m] = k / d->cols * d->row_step, J[m] = k % d->cols * d->col_step;
    X[m++] = d->v[k];
  }
  OK(GrB_Matrix_new(&A, type, (d->rows - 1) * d->row_step + 1, (d->cols - 1) * d->col_step + 1));
  OK(Grid_Matrix_build(A, I, J, iso ? NULL : X, iso ? NULL : GrB_FP64, m, NULL, 0));
  free(I), free(J), free(X);
  return A;
}

/* Does A have exactly the model's entries? */
static inline bool dense_same(const dense *d, GrB_Matrix A) {
  GrB_Index n = 0, m = 0, nrows, ncols, nvals, want = 0;
  OK(GrB_Matrix_nrows(&nrows, A));
  OK(GrB_Matrix_ncols(&ncols, A));
  OK(GrB_Matrix_nvals(&nvals, A));
  bool fine = nrows == (d->rows - 1) * d->row_step + 1 && ncols == (d->cols - 1) * d->col_step + 1;
  fine = Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, A) == GrB_SUCCESS && fine;
  GrB_Index *I = malloc((n + 1) * sizeof *I), *J = malloc((n + 1) * sizeof *J);
  int32_t type;
  OK(GrB_Matrix_get_INT32(A, &type, GrB_EL_TYPE_CODE));
  const size_t size = type == GrB_BOOL_CODE ? 1 : type == GrB_INT32_CODE || type == GrB_FP32_CODE ? 4 : 8;
  char *X = malloc((n + 1) * size);
  assert_true(I && J && X);
  m = n;
  fine = Grid_Matrix_extractLocal(I, J, X, &m, A) == GrB_SUCCESS && fine && m == n;
  for (size_t k = 0; fine && k < n; k++) {
    const size_t r = I[k] / d->row_step, c = J[k] / d->col_step;
    double v = 0;
    int32_t i;
    int64_t l = 0;
    float f;
    memcpy(&i, X + k * size, size < 4 ? 1 : 4);
    memcpy(&f, X + k * size, size < 4 ? 1 : 4);
    if (size == 8) memcpy(&l, X + k * size, 8), memcpy(&v, X + k * size, 8);
    if (type == GrB_BOOL_CODE) v = (i & 255) != 0;
    if (type == GrB_INT32_CODE) v = i;
    if (type == GrB_FP32_CODE) v = f;
    if (type == GrB_INT64_CODE) v = (double)l;
    const size_t at = dense_at(d, r, c);
    fine = r * d->row_step == I[k] && c * d->col_step == J[k] && r < d->rows && c < d->cols && d->has[at] &&
           d->v[at] == v;
    if (!fine)
      print_message("process %d: (%zu, %zu) = %g, should be %d %g\n", Grid_rank(), r, c, v,
                    r < d->rows && c < d->cols && d->has[at], d->v[at]);
  }
  for (size_t k = 0; k < d->rows * d->cols; k++) want += d->has[k];
  if (nvals != want && Grid_rank() == 0)
    print_message("%llu entries, should be %llu\n", (unsigned long long)nvals, (unsigned long long)want);
  OK(Grid_sum(&n, 1));
  free(I), free(J), free(X);
  return fine && nvals == want && n == want;
}

/* ---- the standard's write-back ---- */

typedef struct {
  bool replace, complement, structure, tran0, tran1;
  int accum; /* 0: none, 1: PLUS, 2: SECOND, 3: MINUS */
} dense_how;

static inline dense_how dense_draw_how(void) {
  return (dense_how){.replace = draw_one_in(3),
                     .complement = draw_one_in(3),
                     .structure = draw_one_in(2),
                     .tran0 = draw_one_in(3),
                     .tran1 = draw_one_in(3),
                     .accum = draw_one_in(2) ? (int)draw(4) : 0};
}
static inline GrB_BinaryOp dense_accum(dense_how h) {
  return h.accum == 0 ? NULL : h.accum == 1 ? GrB_PLUS_FP64 : h.accum == 2 ? GrB_SECOND_FP64 : GrB_MINUS_FP64;
}
static inline GrB_Descriptor dense_descriptor(dense_how h) {
  GrB_Descriptor d = NULL;
  OK(GrB_Descriptor_new(&d));
  if (h.replace) OK(GrB_Descriptor_set(d, GrB_OUTP, GrB_REPLACE));
  if (h.complement) OK(GrB_Descriptor_set(d, GrB_MASK, GrB_COMP));
  if (h.structure) OK(GrB_Descriptor_set(d, GrB_MASK, GrB_STRUCTURE));
  if (h.tran0) OK(GrB_Descriptor_set(d, GrB_INP0, GrB_TRAN));
  if (h.tran1) OK(GrB_Descriptor_set(d, GrB_INP1, GrB_TRAN));
  return d;
}

static inline bool dense_allows(const dense *mask, dense_how h, size_t at) {
  const bool is = !mask || (mask->has[at] && (h.structure || mask->v[at] != 0));
  return is != h.complement;
}
/* c accum= t at one position */
static inline void dense_union(dense *c, size_t at, bool has, double v, dense_how h) {
  if (!has) {
    c->has[at] = c->has[at] && h.accum;
    return;
  }
  if (c->has[at] && h.accum == 1)
    c->v[at] += v;
  else if (c->has[at] && h.accum == 3)
    c->v[at] -= v;
  else
    c->v[at] = v;
  c->has[at] = true;
}
/* C<mask> accum= t; mask NULL: none */
static inline void dense_write(dense *c, const dense *mask, dense_how h, const dense *t) {
  for (size_t at = 0; at < c->rows * c->cols; at++) {
    if (dense_allows(mask, h, at))
      dense_union(c, at, t->has[at], t->v[at], h);
    else if (h.replace)
      c->has[at] = false;
  }
}
#endif
