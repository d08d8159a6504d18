/* row_col.c: GrB_extract of a column, and GrB_assign to a row or a column (specification 4.3.6.3, 4.3.7.3,
 * 4.3.7.4). The row or column becomes a vector, on which the vectors' operation works; an assignment then
 * puts it back.
 */
#include <string.h>

#include "dist/op/matrix/matrix_lists.h"
#include "dist/object/matrix/matrix_output.h"
#include "dist/object/matrix/matrix_route.h"
#include "spmat/cpu/matrix/part_assign.h"

/* ---- a row or column as a vector ---- */

typedef struct {
  uint64_t n;
  uint64_t *idx; /* in the matrix */
  char *val;
} entries;

static void entries_free(entries *e) {
  grid_free(e->idx);
  grid_free(e->val);
}

static GrB_Info entries_make(entries *e, uint64_t room, size_t size) {
  *e = (entries){.idx = grid_malloc(room, sizeof *e->idx), .val = grid_malloc(room, size)};
  return e->idx && e->val ? GrB_SUCCESS
                          : grid_fail_memory(NULL, "entries of a row or column", room, 8 + size);
}

static void put(entries *e, const grid_part *p, uint64_t at, uint64_t idx) {
  memcpy(e->val + e->n * p->type->size, grid_part_value(p, at), p->type->size);
  e->idx[e->n++] = idx;
}

/* This process's entries of row v. */
static GrB_Info row_entries(entries *e, GrB_Matrix A, uint64_t v) {
  const grid_part *p = &A->block;
  const grid_places cols = grid_block_col_places(A);
  const bool mine = grid_chunk_of(A->nrows, v) % grid_here.R == grid_here.i;
  const uint64_t r = mine ? grid_axis_find(&p->row, grid_local_row(A->nrows, v)) : UINT64_MAX,
                 from = r == UINT64_MAX ? 0 : grid_vector_start(&p->by_row, r),
                 to = r == UINT64_MAX ? 0 : grid_vector_start(&p->by_row, r + 1);
  GrB_Info info = entries_make(e, to - from, A->type->size);
  for (uint64_t k = from; info == GrB_SUCCESS && k < to; k++)
    put(e, p, k, grid_place(&cols, p->by_row.idx[k]));
  return info;
}

/* ... of column v: looked up in every row. */
static GrB_Info col_entries(entries *e, GrB_Matrix A, uint64_t v) {
  const grid_part *p = &A->block;
  const grid_places rows = grid_block_row_places(A);
  const bool mine = grid_chunk_of(A->ncols, v) / grid_here.R == grid_here.j;
  const uint64_t c = mine ? grid_axis_find(&p->col, grid_local_col(A->ncols, v)) : UINT64_MAX;
  const int64_t n = c == UINT64_MAX ? 0 : (int64_t)p->row.n;
  uint32_t *bits = grid_calloc((size_t)n / 32 + 1, sizeof *bits);
  uint64_t count = 0;
  if (!bits) return grid_fail_memory(NULL, "entries of a column", (uint64_t)n / 32 + 1, sizeof *bits);
#pragma omp parallel for schedule(static) reduction(+ : count) if (n > 1 << 12)
  for (int64_t w = 0; w <= n / 32; w++)
    for (int64_t r = 32 * w; r < n && r < 32 * w + 32; r++)
      if (grid_part_find(p, (uint64_t)r, c) != UINT64_MAX) bits[w] |= (uint32_t)1 << (r & 31), count++;
  GrB_Info info = entries_make(e, count, A->type->size);
  for (int64_t r = 0; info == GrB_SUCCESS && r < n; r++)
    if (bits[r / 32] >> (r & 31) & 1)
      put(e, p, grid_part_find(p, (uint64_t)r, c), grid_place(&rows, (uint64_t)r));
  grid_free(bits);
  return info;
}

/* *u = row or column v of A. Collective, agreed on. */
static GrB_Info read_vector(GrB_Vector *u, GrB_Matrix A, bool row, uint64_t v, const char *call) {
  const uint64_t n = row ? A->ncols : A->nrows;
  entries e = {0};
  grid_delivery in = {0};
  uint64_t where;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_rows(A, call));
  info = grid_vector_alloc(u, A->type, n);
  if (info == GrB_SUCCESS) info = row ? row_entries(&e, A, v) : col_entries(&e, A, v);
  TRY(grid_route(&in, e.n, e.idx, e.val, 1, A->type->size, n, info));
  info = grid_vec_build(&(*u)->chunk, in.idx, in.val, A->type, 1, in.n, (grid_dup){.last = true}, &where);
  info = grid_agree(&A->head, info);
done:
  entries_free(&e);
  grid_delivery_free(&in);
  if (info != GrB_SUCCESS && *u) {
    grid_vector_release(*u);
    *u = NULL;
  }
  return info;
}

static GrB_Info check_index(uint64_t v, uint64_t n, const char *call, const char *what, grid_head *out) {
  if (v < n) return GrB_SUCCESS;
  return grid_fail(out, GrB_INVALID_INDEX, "%s: %s is %llu, not below %llu", call, what,
                   (unsigned long long)v, (unsigned long long)n);
}

GrB_Info GrB_Col_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                         const GrB_Index *row_indices, GrB_Index nrows, GrB_Index col_index,
                         const GrB_Descriptor desc) {
  static const char call[] = "GrB_extract";
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector u = NULL;
  grid_desc d;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(A, &w->head, call, "A"));
  TRY(grid_check_output(w, mask, accum, desc, A->type, call, &d));
  const uint64_t length = d.tran0 ? A->ncols : A->nrows;
  TRY(check_index(col_index, d.tran0 ? A->nrows : A->ncols, call, "the column's index", &w->head));
  if (row_indices == GrB_ALL)
    TRY(grid_check_size(length, w->n, &w->head, call, "the column", "w"));
  else
    TRY(grid_check_size(nrows, w->n, &w->head, call, "the index list", "w"));
  if (row_indices != GrB_ALL) TRY(grid_check_indices(row_indices, nrows, length, &w->head, call));
  TRY(read_vector(&u, A, d.tran0, col_index, call));
  info = GrB_Vector_extract(w, mask, accum, u, row_indices, nrows, desc);
done:
  if (u) grid_vector_release(u);
  return info;
}

/* ---- putting it back ---- */

/* C's row (column) v becomes w, which has C's type. Collective. */
static GrB_Info write_vector(GrB_Matrix C, GrB_Vector w, bool row, uint64_t v, const char *call) {
  const uint64_t n = w->chunk.nvals, dim = row ? C->nrows : C->ncols;
  const bool mine = row ? grid_chunk_of(dim, v) % grid_here.R == grid_here.i
                        : grid_chunk_of(dim, v) / grid_here.R == grid_here.j;
  const grid_index_set self = {.first = row ? grid_local_row(dim, v) : grid_local_col(dim, v), .n = mine},
                       all = {.n = row ? grid_block_length(C->ncols, false)
                                       : grid_block_length(C->nrows, true)};
  const grid_region region = {row ? self : all, row ? all : self};
  grid_tuples x = {.n = n,
                   .row = grid_malloc(n, sizeof *x.row),
                   .col = grid_malloc(n, sizeof *x.col),
                   .val = grid_malloc(n, C->type->size)};
  grid_part t = {0}, z = {0};
  GrB_Info info = x.row && x.col && x.val
                      ? GrB_SUCCESS
                      : grid_fail_memory(&C->head, "entries of a row or column", n, 16 + C->type->size);
  if (info == GrB_SUCCESS)
    info =
        grid_vec_tuples(row ? x.col : x.row, x.val, C->type, &w->chunk, grid_chunk_first(w->n, grid_here.k));
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) (row ? x.row : x.col)[k] = v;
  TRY(grid_route_tuples(C, &x, C->type, NULL, info, &t, call));
  grid_part_init(&z, C->type, C->block.row.dim, C->block.col.dim);
  info = grid_part_assign(&z, &C->block, &t, &region);
  info = grid_matrix_adopt(C, &(grid_build){0}, &z, info);
done:
  grid_part_free(&t);
  grid_part_free(&z);
  return info;
}

/* C's row or column v <mask>(I) accum= u */
static GrB_Info assign(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, bool row, uint64_t v,
                       const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc) {
  static const char call[] = "GrB_assign";
  const char *name = row ? "C's row" : "C's column";
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector w = NULL;
  grid_desc d;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(u, &C->head, call, "u"));
  if (mask) TRY(grid_check_object(mask, &C->head, call, "mask"));
  TRY(grid_check_write(&C->head, C->type, "C", mask ? mask->type : NULL, accum, desc, u->type, call, &d));
  const uint64_t n = row ? C->ncols : C->nrows;
  TRY(check_index(v, row ? C->nrows : C->ncols, call, row ? "the row's index" : "the column's index",
                  &C->head));
  if (mask) TRY(grid_check_size(mask->n, n, &C->head, call, "mask", name));
  TRY(grid_check_size(u->n, I == GrB_ALL ? n : ni, &C->head, call, "u",
                      I == GrB_ALL ? name : "the index list"));
  if (I != GrB_ALL) TRY(grid_check_indices(I, ni, n, &C->head, call));
  TRY(read_vector(&w, C, row, v, call));
  TRY(GrB_Vector_assign(w, mask, accum, u, I, ni, desc));
  info = write_vector(C, w, row, v, call);
done:
  if (w) grid_vector_release(w);
  return info;
}

GrB_Info GrB_Row_assign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                        GrB_Index row_index, const GrB_Index *col_indices, GrB_Index ncols,
                        const GrB_Descriptor desc) {
  return assign(C, mask, accum, u, true, row_index, col_indices, ncols, desc);
}

GrB_Info GrB_Col_assign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                        const GrB_Index *row_indices, GrB_Index nrows, GrB_Index col_index,
                        const GrB_Descriptor desc) {
  return assign(C, mask, accum, u, false, col_index, row_indices, nrows, desc);
}
