/* Operations that move entries: transpose, extract and assign, Kronecker products, resize. */
#include <stdlib.h>
#include <string.h>

#include "bench/ops/ops.h"

static GrB_Info new_result(ops *o, const row *r, GrB_Index nrows, GrB_Index ncols) {
  return GrB_Matrix_new(&o->C, r->A == A_PATTERN ? GrB_BOOL : GrB_FP64, nrows, ncols);
}

static GrB_Info transpose(ops *o, const row *r) {
  TRY(new_result(o, r, o->g.n, o->g.n));
  TRY(GrB_transpose(o->C, NULL, NULL, o->A[r->A], NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

static GrB_Info copy_matrix(ops *o, const row *r) {
  TRY(GrB_Matrix_dup(&o->C, o->A[r->A]));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

/* ---- submatrices ---- */

static int by_index(const void *a, const void *b) {
  const GrB_Index x = *(const GrB_Index *)a, y = *(const GrB_Index *)b;
  return x < y ? -1 : x > y;
}

/* A tenth of all indices, ascending, in o->I. */
static GrB_Info ascending_tenth(ops *o, const row *r) {
  (void)r;
  TRY(need_permutation(o));
  TRY(need_arrays(o, NULL, o->g.n));
  memcpy(o->I, o->permutation, o->g.n / 10 * sizeof *o->I);
  qsort(o->I, o->g.n / 10, sizeof *o->I, by_index);
  return GrB_SUCCESS;
}
static GrB_Info any_tenth(ops *o, const row *r) {
  (void)r;
  return need_permutation(o);
}

static GrB_Info extract(ops *o, const row *r, const GrB_Index *list, GrB_Index n) {
  TRY(new_result(o, r, n, n));
  TRY(GrB_Matrix_extract(o->C, NULL, NULL, o->A[r->A], list, n, list, n, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info extract_ascending(ops *o, const row *r) {
  return extract(o, r, o->I, o->g.n / 10);
}
static GrB_Info extract_any(ops *o, const row *r) {
  return extract(o, r, o->permutation, o->g.n / 10);
}
static GrB_Info extract_block(ops *o, const row *r) {
  return extract(o, r, o->range + o->g.n / 4, o->g.n / 2);
}

static GrB_Matrix block;

static GrB_Info free_block(void) {
  return GrB_Matrix_free(&block);
}

/* C = A, and a block of half as many rows and columns. */
static GrB_Info copy_and_block(ops *o, const row *r) {
  TRY(need_permutation(o));
  TRY(copy_matrix(o, r));
  TRY(free_block());
  const GrB_Index n = o->g.n / 2;
  TRY(GrB_Matrix_new(&block, r->A == A_PATTERN ? GrB_BOOL : GrB_FP64, n, n));
  TRY(GrB_Matrix_extract(block, NULL, NULL, o->A[r->A], o->range, n, o->range + n / 2, n, NULL));
  return GrB_Matrix_wait(block, GrB_MATERIALIZE);
}
static GrB_Info assign_block(ops *o, const row *r) {
  const GrB_Index n = o->g.n / 2, *at = o->range + n / 2;
  (void)r;
  TRY(GrB_Matrix_assign(o->C, NULL, NULL, block, at, n, at, n, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

static GrB_Info assign_value(ops *o, const row *r) {
  if (r->A == A_PATTERN)
    TRY(GrB_Matrix_assign_BOOL(o->C, o->A[A_PATTERN], NULL, true, GrB_ALL, o->g.n, GrB_ALL, o->g.n,
                               GrB_DESC_S));
  else
    TRY(GrB_Matrix_assign_FP64(o->C, o->A[A_PATTERN], NULL, 3, GrB_ALL, o->g.n, GrB_ALL, o->g.n, GrB_DESC_S));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info with_mask(ops *o, const row *r) {
  TRY(need_matrix(o, A_PATTERN));
  return copy_matrix(o, r);
}
/* Where C has no entry yet. */
static GrB_Info nothing_and_mask(ops *o, const row *r) {
  TRY(need_matrix(o, A_PATTERN));
  return new_result(o, r, o->g.n, o->g.n);
}

/* ---- rows and columns ---- */

/* A vertex that has edges, another for each k. */
static GrB_Index pick_vector(const ops *o, uint64_t k) {
  return o->live ? o->live_row[mix(k) % o->live] : mix(k) % o->g.n;
}
static GrB_Info extract_rows(ops *o, const row *r) {
  for (uint64_t k = 0; k < ROWCOL_CALLS; k++)
    TRY(GrB_Col_extract(o->w, NULL, NULL, o->A[r->A], GrB_ALL, o->g.n, pick_vector(o, k), GrB_DESC_T0));
  return GrB_Vector_wait(o->w, GrB_MATERIALIZE);
}
static GrB_Info extract_columns(ops *o, const row *r) {
  for (uint64_t k = 0; k < ROWCOL_CALLS; k++)
    TRY(GrB_Col_extract(o->w, NULL, NULL, o->A[r->A], GrB_ALL, o->g.n, pick_vector(o, k), NULL));
  return GrB_Vector_wait(o->w, GrB_MATERIALIZE);
}
static GrB_Info assign_rows(ops *o, const row *r) {
  for (uint64_t k = 0; k < ROWCOL_CALLS; k++)
    TRY(GrB_Row_assign(o->C, NULL, NULL, o->v[r->u], pick_vector(o, k), GrB_ALL, o->g.n, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
/* Values are added to some of the row's entries. */
static GrB_Info accumulate_rows(ops *o, const row *r) {
  for (uint64_t k = 0; k < ROWCOL_CALLS; k++)
    TRY(GrB_Row_assign(o->C, NULL, GrB_PLUS_FP64, o->v[r->u], pick_vector(o, k), GrB_ALL, o->g.n, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info assign_columns(ops *o, const row *r) {
  for (uint64_t k = 0; k < ROWCOL_CALLS / 10; k++)
    TRY(GrB_Col_assign(o->C, NULL, NULL, o->v[r->u], GrB_ALL, o->g.n, pick_vector(o, k), NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

/* ---- others ---- */

static GrB_Info two_by_two(ops *o, const row *r) {
  static const GrB_Index I[] = {0, 1}, J[] = {1, 0};
  static const double X[] = {2, 0.5};
  static const bool B[] = {true, true};
  (void)o;
  TRY(free_block());
  TRY(GrB_Matrix_new(&block, r->A == A_PATTERN ? GrB_BOOL : GrB_FP64, 2, 2));
  if (r->A == A_PATTERN)
    TRY(GrB_Matrix_build_BOOL(block, I, J, B, 2, NULL));
  else
    TRY(GrB_Matrix_build_FP64(block, I, J, X, 2, NULL));
  return GrB_Matrix_wait(block, GrB_MATERIALIZE);
}
static GrB_Info kronecker(ops *o, const row *r, GrB_Matrix A, GrB_Matrix B) {
  TRY(new_result(o, r, 2 * o->g.n, 2 * o->g.n));
  TRY(GrB_Matrix_kronecker_BinaryOp(o->C, NULL, NULL, *r->binary, A, B, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info kronecker_right(ops *o, const row *r) {
  return kronecker(o, r, o->A[r->A], block);
}
static GrB_Info kronecker_left(ops *o, const row *r) {
  return kronecker(o, r, block, o->A[r->A]);
}

static GrB_Info halve(ops *o, const row *r) {
  (void)r;
  TRY(GrB_Matrix_resize(o->C, o->g.n / 2, o->g.n / 2));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info diagonal(ops *o, const row *r) {
  TRY(GrB_Matrix_diag(&o->C, o->v[r->u], 0));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

const row move_rows[] = {
    /* clang-format off */
    {"transpose", transpose, .result_in = IN_C, .A = A_FP64, .count = COUNT_MATRIX, .bytes = 24},
    {"transpose.pattern", transpose, .result_in = IN_C, .A = A_PATTERN, .count = COUNT_MATRIX, .bytes = 8},
    {"extract.tenth", extract_ascending, ascending_tenth, .result_in = IN_C, .A = A_FP64, .dense = true, .count = COUNT_MATRIX},
    {"extract.tenth.pattern", extract_ascending, ascending_tenth, .result_in = IN_C, .A = A_PATTERN, .dense = true, .count = COUNT_MATRIX},
    {"extract.tenth.any_order", extract_any, any_tenth, .result_in = IN_C, .A = A_FP64, .dense = true, .count = COUNT_MATRIX},
    {"extract.block", extract_block, any_tenth, .result_in = IN_C, .A = A_FP64, .dense = true, .count = COUNT_OUTPUT, .bytes = 24},
    {"assign.block", assign_block, copy_and_block, .result_in = IN_C, .A = A_FP64, .dense = true, .count = COUNT_MATRIX},
    {"assign.block.pattern", assign_block, copy_and_block, .result_in = IN_C, .A = A_PATTERN, .dense = true, .count = COUNT_MATRIX},
    {"assign.value.mask", assign_value, with_mask, .result_in = IN_C, .A = A_FP64, .count = COUNT_MATRIX},
    {"assign.value.mask.pattern", assign_value, with_mask, .result_in = IN_C, .A = A_PATTERN, .count = COUNT_MATRIX},
    {"assign.value.mask.empty", assign_value, nothing_and_mask, .result_in = IN_C, .A = A_FP64, .count = COUNT_MATRIX},
    {"extract.rows", extract_rows, .result_in = IN_W, .A = A_FP64, .count = COUNT_ROWCOL_CALLS},
    {"extract.columns", extract_columns, .result_in = IN_W, .A = A_FP64, .count = COUNT_ROWCOL_CALLS},
    {"assign.rows", assign_rows, copy_matrix, .result_in = IN_C, .A = A_FP64, .u = LIST_100, .count = COUNT_ROWCOL_CALLS},
    {"assign.rows.accumulated", accumulate_rows, copy_matrix, .result_in = IN_C, .A = A_FP64, .u = LIST_100, .count = COUNT_ROWCOL_CALLS},
    {"assign.columns", assign_columns, copy_matrix, .result_in = IN_C, .A = A_FP64, .u = LIST_100, .count = COUNT_ROWCOL_CALLS},
    {"kronecker.right", kronecker_right, two_by_two, .result_in = IN_C, .A = A_FP64, .binary = &GrB_TIMES_FP64, .dense = true, .count = COUNT_OUTPUT, .bytes = 12},
    {"kronecker.left", kronecker_left, two_by_two, .result_in = IN_C, .A = A_FP64, .binary = &GrB_TIMES_FP64, .dense = true, .count = COUNT_OUTPUT, .bytes = 12},
    {"kronecker.pattern", kronecker_left, two_by_two, .result_in = IN_C, .A = A_PATTERN, .binary = &GrB_LAND, .dense = true, .count = COUNT_OUTPUT, .bytes = 4},
    {"resize.half", halve, copy_matrix, .result_in = IN_C, .A = A_FP64, .count = COUNT_OUTPUT, .bytes = 24},
    {"resize.half.pattern", halve, copy_matrix, .result_in = IN_C, .A = A_PATTERN, .count = COUNT_OUTPUT, .bytes = 8},
    {"diag", diagonal, .result_in = IN_C, .u = FULL, .dense = true, .count = COUNT_OUTPUT, .bytes = 20},
    /* clang-format on */
    {NULL}};
