/* Transpose, extract and assign of matrices and of rows and columns, against dense models, on any number of
 * processes. */
#include <stdio.h>

#include "tests/dense_model.h"
#include "dist/grid/layout.h"
#include "dist/grid/short_call.h"
#include "semiring/support/mem.h"
#include "tests/grid_shapes.h"

static const size_t sizes[] = {1, 7, 64, 150, 420};

static size_t draw_size(void) {
  return sizes[draw(draw_one_in(4) ? 5 : 4)];
}
static GrB_Type draw_type(void) {
  return (const GrB_Type[]){GrB_FP64, GrB_INT32, GrB_FP32, GrB_INT64}[draw(4)];
}
static uint64_t draw_sparse(void) {
  return (const uint64_t[]){2, 5, 40, 300}[draw(4)];
}

/* A model, and the matrix that it models. */
typedef struct {
  dense d;
  GrB_Matrix A;
} pair;

static pair draw_pair(size_t rows, size_t cols, uint64_t row_step, uint64_t col_step) {
  pair p = {.d = dense_new(rows, cols)};
  const bool iso = draw_one_in(3);
  p.d.row_step = row_step, p.d.col_step = col_step;
  dense_draw(&p.d, draw_sparse(), iso);
  p.A = dense_matrix(&p.d, draw_type(), iso);
  return p;
}
static void free_pair(pair *p) {
  dense_free(&p->d);
  GrB_Matrix_free(&p->A);
}
static void check_pair(const pair *p) {
  assert_on_all(dense_same(&p->d, p->A));
}

/* Of an operation: checks the output and its input against their models; frees everything drawn for it. */
static void wait_operands(pair *C, pair *A, pair *mask, GrB_Descriptor *desc) {
  check_pair(C);
  check_pair(A);
  free_pair(A), free_pair(C), free_pair(mask);
  GrB_Descriptor_free(desc);
}

/* A mask of C's dimensions, or none. */
static bool draw_mask(pair *m, const dense *c) {
  if (draw_one_in(3)) {
    *m = (pair){.A = NULL};
    return false;
  }
  *m = draw_pair(c->rows, c->cols, c->row_step, c->col_step);
  return true;
}

/* ---- lists ---- */

typedef struct {
  const GrB_Index *at; /* model's, or GrB_ALL */
  GrB_Index n;
  GrB_Index *memory, *given; /* memory; the matrix's indices */
} list;

static void shuffle(GrB_Index *at, size_t n) {
  for (size_t k = n; k > 1; k--) {
    const size_t j = draw(k);
    const GrB_Index swap = at[k - 1];
    at[k - 1] = at[j], at[j] = swap;
  }
}

/* Indices below dim: all, a range, ascending ones, any order, or with repeats. */
static list draw_list(size_t dim, bool repeats, uint64_t step) {
  const uint64_t kind = draw(repeats ? 5 : 4);
  list l = {.memory = malloc((2 * dim + 2) * sizeof *l.memory),
            .given = malloc((2 * dim + 2) * sizeof *l.given)};
  assert_true(l.memory && l.given);
  if (kind == 0) {
    l.at = GrB_ALL, l.n = dim;
    return l;
  }
  size_t n = 0;
  if (kind == 1) {
    const size_t first = draw(dim), length = 1 + draw(dim - first);
    for (size_t k = 0; k < length; k++) l.memory[n++] = first + k;
  } else {
    const uint64_t keep = 1 + draw(4);
    for (size_t k = 0; k < dim; k++)
      if (draw_one_in(keep)) l.memory[n++] = k;
    if (n == 0) l.memory[n++] = draw(dim);
    if (kind >= 3) shuffle(l.memory, n);
    if (kind == 4)
      for (size_t k = n / 2; k > 0; k--, n++) l.memory[n] = l.memory[draw(n)];
  }
  for (size_t k = 0; k < n; k++) l.given[k] = l.memory[k] * step;
  l.at = l.memory, l.n = n;
  return l;
}
static void free_list(list *l) {
  free(l->memory);
  free(l->given);
}
static size_t list_at(const list *l, size_t k) {
  return l->at == GrB_ALL ? k : (size_t)l->at[k];
}
static const GrB_Index *list_given(const list *l) {
  return l->at == GrB_ALL ? GrB_ALL : l->given;
}

/* Each process's part of a list, of any length. */
static const GrB_Index *list_share(const list *l, GrB_Index *n) {
  if (l->at == GrB_ALL) {
    *n = l->n;
    return GrB_ALL;
  }
  const uint64_t P = (uint64_t)Grid_size(), k = (uint64_t)Grid_rank();
  const GrB_Index from = l->n * (k * k) / (P * P), to = l->n * ((k + 1) * (k + 1)) / (P * P);
  *n = to - from;
  return to > from ? l->given + from : NULL;
}

/* ---- transpose ---- */

static void transposing(void **state) {
  for (int round = 0; round < 60; round++) {
    const uint64_t far = draw_one_in(3) ? UINT64_C(1) << 33 : 1;
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    pair A = draw_pair(draw_size(), draw_size(), far, 1), m, C;
    dense t = h.tran0 ? dense_copy(&A.d) : dense_transposed(&A.d);
    C = draw_pair(t.rows, t.cols, t.row_step, t.col_step);
    const bool masked = draw_mask(&m, &C.d);
    if (draw_one_in(3)) OK(GrB_wait(A.A, GrB_MATERIALIZE)); /* there are more entries than the rows */
    OK(GrB_transpose(C.A, m.A, dense_accum(h), A.A, desc));
    dense_write(&C.d, masked ? &m.d : NULL, h, &t);
    wait_operands(&C, &A, &m, &desc);
    dense_free(&t);
  }
}

/* ---- extract ---- */

static void extracting(void **state) {
  for (int round = 0; round < 150; round++) {
    const uint64_t row_step = draw_one_in(4) ? UINT64_C(1) << 40 : 1,
                   col_step = draw_one_in(4) ? UINT64_C(1) << 34 : 1;
    const dense_how h = dense_draw_how();
    const bool shares = draw_one_in(3);
    GrB_Descriptor desc = dense_descriptor(h);
    pair A = draw_pair(draw_size(), draw_size(), row_step, col_step), m, C;
    dense a = h.tran0 ? dense_transposed(&A.d) : dense_copy(&A.d);
    list I = draw_list(a.rows, true, a.row_step), J = draw_list(a.cols, true, a.col_step);
    C = draw_pair(I.n, J.n, I.at == GrB_ALL ? a.row_step : 1, J.at == GrB_ALL ? a.col_step : 1);
    dense t = dense_copy(&C.d);
    for (size_t k = 0; k < I.n; k++)
      for (size_t l = 0; l < J.n; l++) {
        const size_t from = dense_at(&a, list_at(&I, k), list_at(&J, l)), to = dense_at(&t, k, l);
        t.has[to] = a.has[from], t.v[to] = a.v[from];
      }
    const bool masked = draw_mask(&m, &C.d);
    if (shares) {
      GrB_Index ni, nj;
      const GrB_Index *i = list_share(&I, &ni), *j = list_share(&J, &nj);
      assert_on_all(Grid_Matrix_extract(C.A, m.A, dense_accum(h), A.A, i, ni, j, nj, desc) == GrB_SUCCESS);
    } else {
      OK(GrB_Matrix_extract(C.A, m.A, dense_accum(h), A.A, list_given(&I), I.n, list_given(&J), J.n, desc));
    }
    dense_write(&C.d, masked ? &m.d : NULL, h, &t);
    wait_operands(&C, &A, &m, &desc);
    dense_free(&t), dense_free(&a);
    free_list(&I), free_list(&J);
  }
}

/* ---- assign ---- */

/* C<mask>(I, J) accum= a, or x at every position if a is NULL and `has_value`. */
static void model_assign(dense *c, const dense *mask, dense_how h, const dense *a, double x, bool has_value,
                         const list *I, const list *J) {
  dense z = dense_copy(c);
  for (size_t k = 0; k < I->n; k++)
    for (size_t l = 0; l < J->n; l++) {
      const size_t at = dense_at(c, list_at(I, k), list_at(J, l)), from = a ? dense_at(a, k, l) : 0;
      dense_union(&z, at, a ? a->has[from] : has_value, a ? a->v[from] : x, h);
    }
  h.accum = 0;
  dense_write(c, mask, h, &z);
  dense_free(&z);
}

static void assigning(void **state) {
  for (int round = 0; round < 150; round++) {
    const uint64_t row_step = draw_one_in(4) ? UINT64_C(1) << 40 : 1,
                   col_step = draw_one_in(4) ? UINT64_C(1) << 34 : 1;
    const dense_how h = dense_draw_how();
    const bool shares = draw_one_in(3);
    GrB_Descriptor desc = dense_descriptor(h);
    pair C = draw_pair(draw_size(), draw_size(), row_step, col_step), m, A;
    list I = draw_list(C.d.rows, false, row_step), J = draw_list(C.d.cols, false, col_step);
    const uint64_t a_row = I.at == GrB_ALL ? row_step : 1, a_col = J.at == GrB_ALL ? col_step : 1;
    A = h.tran0 ? draw_pair(J.n, I.n, a_col, a_row) : draw_pair(I.n, J.n, a_row, a_col);
    dense a = h.tran0 ? dense_transposed(&A.d) : dense_copy(&A.d);
    const bool masked = draw_mask(&m, &C.d);
    if (shares) {
      GrB_Index ni, nj;
      const GrB_Index *i = list_share(&I, &ni), *j = list_share(&J, &nj);
      assert_on_all(Grid_Matrix_assign(C.A, m.A, dense_accum(h), A.A, i, ni, j, nj, desc) == GrB_SUCCESS);
    } else {
      OK(GrB_Matrix_assign(C.A, m.A, dense_accum(h), A.A, list_given(&I), I.n, list_given(&J), J.n, desc));
    }
    model_assign(&C.d, masked ? &m.d : NULL, h, &a, 0, false, &I, &J);
    wait_operands(&C, &A, &m, &desc);
    dense_free(&a);
    free_list(&I), free_list(&J);
  }
}

/* A value, by its type or in a scalar, which may be empty. */
static GrB_Info assign_value(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, int x, int kind,
                             const list *I, const list *J, GrB_Descriptor desc) {
  const GrB_Index *i = list_given(I), *j = list_given(J);
  GrB_Scalar s = NULL;
  GrB_Info info;
  switch (kind) {
    case 0:
      return GrB_Matrix_assign_FP64(C, mask, accum, x, i, I->n, j, J->n, desc);
    case 1:
      return GrB_Matrix_assign_INT8(C, mask, accum, (int8_t)x, i, I->n, j, J->n, desc);
    case 2:
      return GrB_Matrix_assign_INT64(C, mask, accum, x, i, I->n, j, J->n, desc);
    default:
      OK(GrB_Scalar_new(&s, GrB_INT32));
      if (kind == 3) OK(GrB_Scalar_setElement_INT32(s, x));
      info = GrB_Matrix_assign_Scalar(C, mask, accum, s, i, I->n, j, J->n, desc);
      GrB_Scalar_free(&s);
      return info;
  }
}

static void assigning_values(void **state) {
  for (int round = 0; round < 150; round++) {
    const bool hypersparse = draw_one_in(4);
    const dense_how h = dense_draw_how();
    const int kind = (int)draw(5), x = (int)draw(9) - 3;
    GrB_Descriptor desc = dense_descriptor(h);
    pair C = draw_pair(draw_size(), draw_size(), hypersparse ? UINT64_C(1) << 40 : 1,
                       hypersparse ? UINT64_C(1) << 34 : 1),
         m;
    list I = draw_list(C.d.rows, false, C.d.row_step), J = draw_list(C.d.cols, false, C.d.col_step);
    const bool masked = draw_mask(&m, &C.d);
    /* a large matrix has too many positions */
    const bool many =
        hypersparse && (I.at == GrB_ALL || J.at == GrB_ALL) && kind < 4 && (h.complement ? masked : !masked);
    if (!many) {
      OK(assign_value(C.A, m.A, dense_accum(h), x, kind, &I, &J, desc));
      model_assign(&C.d, masked ? &m.d : NULL, h, NULL, x, kind < 4, &I, &J);
    }
    check_pair(&C);
    free_list(&I), free_list(&J);
    free_pair(&C), free_pair(&m);
    GrB_Descriptor_free(&desc);
  }
}

/* ---- rows and columns ---- */

/* A vector of n as a model of one row. */
static pair draw_vector(size_t n, uint64_t step, GrB_Vector *v) {
  pair p = {.d = dense_new(1, n)};
  GrB_Index *I = malloc(n * sizeof *I), m = 0;
  double *X = malloc(n * sizeof *X);
  assert_true(I && X);
  dense_draw(&p.d, draw_sparse(), draw_one_in(3));
  p.d.col_step = step;
  for (size_t k = 0; k < n; k++)
    if (p.d.has[k]) I[m] = k * step, X[m++] = p.d.v[k];
  OK(GrB_Vector_new(v, draw_type(), (n - 1) * step + 1));
  OK(GrB_Vector_build_FP64(*v, I, X, m, NULL));
  free(I), free(X);
  return p;
}

/* A row of a matrix, 1 x n, that holds the vector's entries. */
static GrB_Matrix as_row(GrB_Vector v) {
  GrB_Index n, m;
  GrB_Matrix A = NULL;
  OK(GrB_Vector_size(&n, v));
  OK(GrB_Vector_nvals(&m, v));
  GrB_Index *I = malloc((m + 1) * sizeof *I), *zero = calloc(m + 1, sizeof *zero);
  double *X = malloc((m + 1) * sizeof *X);
  assert_true(I && zero && X);
  OK(GrB_Vector_extractTuples_FP64(I, X, &m, v));
  OK(GrB_Matrix_new(&A, GrB_FP64, 1, n));
  OK(GrB_Matrix_build_FP64(A, zero, I, X, m, NULL));
  free(I), free(zero), free(X);
  return A;
}

static void columns_extracted(void **state) {
  for (int round = 0; round < 60; round++) {
    const uint64_t step = draw_one_in(4) ? UINT64_C(1) << 40 : 1;
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    GrB_Vector w = NULL, mask = NULL;
    pair A = draw_pair(draw_size(), draw_size(), step, draw_one_in(4) ? UINT64_C(1) << 34 : 1),
         m = {.A = NULL};
    dense a = h.tran0 ? dense_transposed(&A.d) : dense_copy(&A.d);
    list I = draw_list(a.rows, true, a.row_step);
    const size_t j = draw(a.cols);
    const uint64_t w_step = I.at == GrB_ALL ? a.row_step : 1;
    pair W = draw_vector(I.n, w_step, &w);
    if (draw_one_in(2)) m = draw_vector(I.n, w_step, &mask);
    dense t = dense_copy(&W.d);
    for (size_t k = 0; k < I.n; k++) {
      const size_t from = dense_at(&a, list_at(&I, k), j);
      t.has[k] = a.has[from], t.v[k] = a.v[from];
    }
    OK(GrB_Col_extract(w, mask, dense_accum(h), A.A, list_given(&I), I.n, j * a.col_step, desc));
    dense_write(&W.d, mask ? &m.d : NULL, h, &t);
    W.A = as_row(w);
    check_pair(&W);
    dense_free(&t), dense_free(&a);
    free_list(&I);
    free_pair(&A), free_pair(&W), free_pair(&m);
    GrB_Vector_free(&w), GrB_Vector_free(&mask);
    GrB_Descriptor_free(&desc);
  }
}

/* Entries travel once, but those of a column where blocks have whole rows, and all agree once; not on a short
 * row that one process has. */
static void messages_of_an_extraction(void **state) {
  enum { N = 900 };
  GrB_Matrix A = NULL;
  GrB_Vector w = NULL;
  uint64_t before, after;
  int R, C;
  Grid_shape(&R, &C);
  OK(GrB_Matrix_new(&A, GrB_FP64, N, N));
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  for (GrB_Index k = 0; k < N; k++) OK(GrB_Matrix_setElement_FP64(A, (double)k, k, k * k % N));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  for (int k = 0; k < 4; k++) { /* twice: the first short call fills pools */
    const bool row = k % 2;
    Grid_traffic(&before, NULL);
    const GrB_Info info = GrB_Col_extract(w, NULL, NULL, A, GrB_ALL, N, 4, row ? GrB_DESC_T0 : NULL);
    Grid_traffic(&after, NULL);
    OK(info);
    assert_on_all(k < 2 || after - before == (R * C == 1 ? 0 : C > 1 ? 2 : 1));
  }
  GrB_Matrix_free(&A), GrB_Vector_free(&w);
}

/* Rows that come with the first bytes of a message, with all of it, and as messages to the owners. Where a
 * process that does not have the row lacks memory, a short one is extracted. */
static void rows_of_any_length(void **state) {
  enum { N = 3000, ROWS = 8 };
  static const GrB_Index length[ROWS] = {0, 1, 62, 63, 64, 250, 251, N};
  GrB_Matrix A = NULL;
  GrB_Vector w = NULL;
  int R, C;
  Grid_shape(&R, &C);
  OK(GrB_Matrix_new(&A, GrB_FP64, N, N));
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  for (GrB_Index r = 0; r < ROWS; r++)
    for (GrB_Index k = 0; k < length[r]; k++)
      OK(GrB_Matrix_setElement_FP64(A, (double)(r + 2 * k), r * 300, k * (N / length[r])));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  for (GrB_Index r = 0; r < ROWS; r++) {
    static GrB_Index I[N];
    static double X[N];
    GrB_Index n = N;
    const int owner = grid_block_of(N, N, r * 300, 0);
    const bool lacks = C == 1 && R > 1 && length[r] <= 62 && grid_ctx.k == (owner + 1) % R;
    grid_short_call_stop();
    OK(GrB_Col_extract(w, NULL, NULL, A, GrB_ALL, N, r * 300, GrB_DESC_T0)); /* fills pools */
    OK(GrB_Vector_clear(w));
    if (lacks) grid_mem_fail_after(0);
    const GrB_Info info = GrB_Col_extract(w, NULL, NULL, A, GrB_ALL, N, r * 300, GrB_DESC_T0);
    grid_mem_fail_after(-1);
    OK(info);
    OK(GrB_Vector_extractTuples_FP64(I, X, &n, w));
    bool fine = n == length[r];
    for (GrB_Index k = 0; k < n && fine; k++)
      fine = I[k] == k * (N / length[r]) && X[k] == (double)(r + 2 * k);
    assert_on_all(fine);
  }
  GrB_Matrix_free(&A), GrB_Vector_free(&w);
}

static void rows_and_columns_assigned(void **state) {
  for (int round = 0; round < 80; round++) {
    const bool row = draw_one_in(2);
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    GrB_Vector u = NULL, mask = NULL;
    pair C = draw_pair(draw_size(), draw_size(), draw_one_in(4) ? UINT64_C(1) << 40 : 1,
                       draw_one_in(4) ? UINT64_C(1) << 34 : 1),
         m = {.A = NULL};
    const size_t n = row ? C.d.cols : C.d.rows, at = draw(row ? C.d.rows : C.d.cols);
    const uint64_t step = row ? C.d.col_step : C.d.row_step;
    list I = draw_list(n, false, step), one = {.at = (const GrB_Index[]){0}, .n = 1};
    pair U = draw_vector(I.n, I.at == GrB_ALL ? step : 1, &u);
    if (draw_one_in(2)) m = draw_vector(n, step, &mask);
    dense line = dense_new(1, n);
    for (size_t k = 0; k < n; k++) {
      const size_t c = row ? dense_at(&C.d, at, k) : dense_at(&C.d, k, at);
      line.has[k] = C.d.has[c], line.v[k] = C.d.v[c];
    }
    model_assign(&line, mask ? &m.d : NULL, h, &U.d, 0, false, &one, &I);
    for (size_t k = 0; k < n; k++) {
      const size_t c = row ? dense_at(&C.d, at, k) : dense_at(&C.d, k, at);
      C.d.has[c] = line.has[k], C.d.v[c] = line.v[k];
    }
    if (row)
      OK(GrB_Row_assign(C.A, mask, dense_accum(h), u, at * C.d.row_step, list_given(&I), I.n, desc));
    else
      OK(GrB_Col_assign(C.A, mask, dense_accum(h), u, list_given(&I), I.n, at * C.d.col_step, desc));
    check_pair(&C);
    dense_free(&line);
    free_list(&I);
    free_pair(&C), free_pair(&U), free_pair(&m);
    GrB_Vector_free(&u), GrB_Vector_free(&mask);
    GrB_Descriptor_free(&desc);
  }
}

/* ---- errors and aliases ---- */

static void assert_failed(GrB_Info info, GrB_Info want, const char *words) {
  const bool fine = info == want && strstr(Grid_last_error(), words);
  if (!fine)
    print_message("process %d: %s: \"%s\", want %s with \"%s\"\n", Grid_rank(), Grid_info_name(info),
                  Grid_last_error(), Grid_info_name(want), words);
  assert_on_all(fine);
}

static void invalid_arguments(void **state) {
  pair A = draw_pair(20, 30, 1, 1), C = draw_pair(4, 5, 1, 1);
  const GrB_Index valid[] = {0, 1, 2, 3, 19, 20, 20}, *bad = valid + 2, *none = NULL;
  GrB_Vector u = NULL;
  OK(GrB_Vector_new(&u, GrB_FP64, 5));
  assert_failed(GrB_transpose(C.A, NULL, NULL, A.A, NULL), GrB_DIMENSION_MISMATCH, "30 x 20");
  assert_failed(GrB_Matrix_extract(C.A, NULL, NULL, A.A, valid, 4, valid, 4, NULL), GrB_DIMENSION_MISMATCH,
                "4 x 4");
  assert_failed(GrB_Matrix_extract(C.A, NULL, NULL, A.A, bad, 4, valid, 5, NULL), GrB_INDEX_OUT_OF_BOUNDS,
                "I[3] = 20");
  assert_failed(GrB_Matrix_extract(C.A, NULL, NULL, A.A, none, 4, valid, 5, NULL), GrB_NULL_POINTER, "I");
  assert_failed(GrB_Matrix_extract(C.A, A.A, NULL, A.A, valid, 4, valid, 5, NULL), GrB_DIMENSION_MISMATCH,
                "mask");
  assert_failed(
      Grid_Matrix_extract(C.A, NULL, NULL, A.A, Grid_rank() == 0 ? bad : valid, Grid_rank() == 0 ? 4 : 0,
                          Grid_rank() == 0 ? valid : none, Grid_rank() == 0 ? 5 : 0, NULL),
      GrB_INDEX_OUT_OF_BOUNDS, "20");
  assert_failed(GrB_Matrix_assign(A.A, NULL, NULL, C.A, valid, 4, valid, 4, NULL), GrB_DIMENSION_MISMATCH,
                "4 x 5");
  assert_failed(GrB_Matrix_assign_FP64(A.A, NULL, NULL, 1, bad, 4, valid, 4, NULL), GrB_INDEX_OUT_OF_BOUNDS,
                "I[3] = 20");
  assert_failed(GrB_Matrix_assign_Scalar(A.A, NULL, NULL, NULL, bad, 4, valid, 4, NULL), GrB_NULL_POINTER,
                "s");
  assert_failed(GrB_Row_assign(C.A, NULL, NULL, u, 4, GrB_ALL, 0, NULL), GrB_INVALID_INDEX,
                "outside the size 4");
  assert_failed(GrB_Col_assign(C.A, NULL, NULL, u, GrB_ALL, 0, 1, NULL), GrB_DIMENSION_MISMATCH,
                "u has size 5");
  assert_failed(GrB_Row_assign(C.A, NULL, NULL, u, 1, bad, 5, NULL), GrB_INDEX_OUT_OF_BOUNDS, "");
  assert_failed(GrB_Col_extract(u, NULL, NULL, C.A, GrB_ALL, 0, 9, NULL), GrB_INVALID_INDEX, "9");
  check_pair(&A), check_pair(&C);
  free_pair(&A), free_pair(&C);
  GrB_Vector_free(&u);
}

/* The output as its own input and mask. */
static void aliased(void **state) {
  const GrB_Index back[] = {3, 2, 1, 0};
  pair C = draw_pair(150, 150, 1, 1), B = draw_pair(4, 4, 1, 1);
  const dense_how h = {.structure = false};
  dense t = dense_transposed(&C.d), m = dense_copy(&C.d);
  OK(GrB_transpose(C.A, C.A, NULL, C.A, NULL));
  dense_write(&C.d, &m, h, &t);
  check_pair(&C);
  dense was = dense_copy(&B.d);
  for (size_t k = 0; k < 16; k++) {
    B.d.has[k] = was.has[15 - k], B.d.v[k] = was.v[15 - k];
  }
  OK(GrB_Matrix_extract(B.A, NULL, NULL, B.A, back, 4, back, 4, NULL));
  check_pair(&B);
  OK(GrB_Matrix_assign(B.A, NULL, NULL, B.A, back, 4, back, 4, NULL));
  memcpy(B.d.has, was.has, 16 * sizeof *was.has), memcpy(B.d.v, was.v, 16 * sizeof *was.v);
  check_pair(&B);
  dense_free(&t), dense_free(&m), dense_free(&was);
  free_pair(&C), free_pair(&B);
}

/* A value at all positions of a matrix so small that most processes have none: their blocks are valid, and
 * the following operation exchanges the same messages on all processes. */
static void blocks_without_positions(void **state) {
  GrB_Matrix C = NULL, M = NULL, B = NULL;
  GrB_Index n = 0;
  double sum = 0;
  OK(GrB_Matrix_new(&C, GrB_FP64, 1, 1));
  OK(GrB_Matrix_new(&M, GrB_BOOL, 1, 1));
  OK(GrB_Matrix_new(&B, GrB_FP64, 1, 1));
  OK(GrB_Matrix_assign_FP64(C, NULL, NULL, 5, GrB_ALL, 1, GrB_ALL, 1, NULL));
  OK(GrB_Matrix_eWiseMult_BinaryOp(C, M, NULL, GrB_PLUS_FP64, B, B, NULL));
  OK(GrB_transpose(C, C, GrB_PLUS_FP64, C, GrB_DESC_S));
  OK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL));
  OK(GrB_Matrix_nvals(&n, C));
  assert_true(n == 1 && sum == 10);
  GrB_Matrix_free(&C), GrB_Matrix_free(&M), GrB_Matrix_free(&B);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(transposing), cmocka_unit_test(extracting),
               cmocka_unit_test(assigning), cmocka_unit_test(assigning_values),
               cmocka_unit_test(columns_extracted), cmocka_unit_test(messages_of_an_extraction),
               cmocka_unit_test(rows_of_any_length), cmocka_unit_test(rows_and_columns_assigned),
               cmocka_unit_test(invalid_arguments), cmocka_unit_test(aliased),
               cmocka_unit_test(blocks_without_positions))
