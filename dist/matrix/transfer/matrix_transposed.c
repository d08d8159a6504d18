/* The transpose of a matrix as local matrices. On one process the columns of the block, if it has them, are
 * the rows of the transpose; else they are made of its rows. On several processes in one column of the grid
 * each process sends intervals of its columns, which are segments of the rows of the transpose in order of
 * the senders. On other grids the block is transposed and sent as runs of rows; a split matrix, and one on a
 * device, is sent entry by entry. */
#include <string.h>

#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"
#include "semiring/threads/context_section.h"

static GrB_Info transposed_local(GrB_Matrix A, grid_local_matrix *t) {
  return grid_lmat_transpose(&A->block, A->properties.symmetric, t);
}

static GrB_Info transposed_by_exchange(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t,
                                       const char *call) {
  if (!A->delegates.split && !grid_device_is_on()) {
    const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
    return grid_route_entries(like, &A->block, &rows, &cols, true, GrB_SUCCESS, t, call);
  }
  grid_tuples x = {0};
  GrB_Info info = grid_matrix_tuples(A, &x);
  uint64_t *row = x.row;
  x.row = x.col, x.col = row;
  return grid_route_tuples(like, &x, A->type, A->block.iso_val, info, t, call);
}

/* ---- segments of columns ---- */

typedef struct {
  grid_local_matrix cols; /* the block by columns */
  grid_compressed made;   /* the columns, if the block had none */
  uint64_t *count;        /* P: entries sent to each process */
  uint32_t *length;       /* of each sender's columns that are owned here: of the segments of rows of t */
  uint32_t *idx;
  char *val;
} segment_exchange;

/* *yes: no block is hypersparse, and all lie on the host. The same on all processes. */
static GrB_Info check_segments_usable(GrB_Matrix A, bool *yes) {
  const grid_local_matrix *p = &A->block;
  uint64_t hypersparse = p->row.ids || p->col.ids || p->device || p->by_row.offsets64;
  *yes = false;
  if (grid_ctx.C > 1 || A->delegates.split || !grid_index_fits32(A->nrows) || !grid_index_fits32(A->ncols))
    return GrB_SUCCESS;
  GrB_Info info = grid_agree_sum(&A->head, GrB_SUCCESS, &hypersparse, 1);
  *yes = hypersparse == 0;
  return info;
}

static uint64_t column_start(const grid_local_matrix *p, uint64_t c) {
  return grid_vector_start(&p->by_col, c < p->col.n ? c : p->col.n);
}

static GrB_Info send_segments(GrB_Matrix A, segment_exchange *x) {
  const uint64_t P = (uint64_t)grid_ctx.P, n = A->ncols;
  grid_local_matrix *p = &x->cols;
  GrB_Info info = GrB_SUCCESS;
  uint32_t *length = NULL;
  uint64_t received;
  *p = A->block;
  if (!grid_compressed_is_built(&p->by_col)) {
    p->shared = false;
    info = grid_lmat_add_cols(p, false, false);
    x->made = p->by_col;
  }
  x->count = grid_malloc(P, sizeof *x->count);
  length = grid_malloc(grid_block_cols(n), sizeof *length);
  if (info == GrB_SUCCESS && (!x->count || !length))
    info = grid_fail_memory(&A->head, "lengths of columns", grid_block_cols(n), sizeof *length);
  TRY(grid_agree(&A->head, info));
  for (uint64_t c = 0, begin = 0, end, all = grid_block_cols(n); c < all; c++, begin = end) {
    end = column_start(p, c + 1);
    length[c] = (uint32_t)(end - begin);
  }
  for (uint64_t r = 0; r < P; r++) x->count[r] = grid_chunk_padded_size(n, (int)r);
  TRY(grid_exchange_elements(length, x->count, sizeof *length, (void **)&x->length, &received));
  for (uint64_t r = 0; r < P; r++) {
    const uint64_t first = grid_block_offset(n, false, (int)r);
    x->count[r] = column_start(p, first + x->count[r]) - column_start(p, first);
  }
  TRY(grid_exchange_elements(p->by_col.idx, x->count, sizeof *x->idx, (void **)&x->idx, &received));
  if (!p->iso)
    TRY(grid_exchange_elements(p->by_col.val, x->count, A->type->size, (void **)&x->val, &received));
done:
  grid_free(length);
  return info;
}

enum { ROWS_AT_A_TIME = 1 << 12 };

/* Rows r .. end - 1 of the q rows of t, in a block of n columns: the concatenated segments of all senders,
 * which begin at from[sender]. */
static void concatenate_rows(grid_local_matrix *t, const segment_exchange *x, uint64_t *from, uint64_t q,
                             uint64_t n, uint64_t r, uint64_t end) {
  const size_t size = x->cols.iso ? 0 : t->type->size;
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint32_t *idx = t->by_row.idx, offset[P];
  for (uint64_t s = 0; s < P; s++) offset[s] = (uint32_t)grid_block_offset(n, false, (int)s);
  for (; r < end; r++) {
    uint64_t at = grid_vector_start(&t->by_row, r);
    for (uint64_t s = 0; s < P; s++) {
      const uint64_t more = x->length[s * q + r];
      /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): they have come */
      for (uint64_t k = 0; k < more; k++) idx[at + k] = x->idx[from[s] + k] + offset[s];
      if (size && more) memcpy((char *)t->by_row.val + at * size, x->val + from[s] * size, more * size);
      from[s] += more, at += more;
    }
  }
}

/* from[k * P + sender]: where the sender's segments of rows from k * ROWS_AT_A_TIME on begin. Returns the
 * number of entries. */
static uint64_t find_starts(uint64_t *from, const segment_exchange *x, uint64_t q) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t at = 0;
  for (uint64_t s = 0; s < P; s++)
    for (uint64_t k = 0; k * ROWS_AT_A_TIME < q; k++) {
      const uint64_t end = (k + 1) * ROWS_AT_A_TIME < q ? (k + 1) * ROWS_AT_A_TIME : q;
      from[k * P + s] = at;
      for (uint64_t r = k * ROWS_AT_A_TIME; r < end; r++) at += x->length[s * q + r];
    }
  return at;
}

static GrB_Info merge_segments(GrB_Matrix A, const segment_exchange *x, grid_local_matrix *t) {
  const uint64_t P = (uint64_t)grid_ctx.P, q = grid_own_padded_size(A->ncols);
  const uint64_t starts = (q / ROWS_AT_A_TIME + 1) * P;
  uint64_t *from = grid_malloc(starts, sizeof *from);
  if (!from) return grid_fail_memory(&A->head, "starts of rows", starts, sizeof *from);
  grid_offsets o;
  t->row.n = t->row.dim, t->col.n = t->col.dim, t->nvals = find_starts(from, x, q);
  const bool made = grid_offsets_make(&o, t->row.n + 1, t->nvals);
  t->by_row.ptr = o.offsets32, t->by_row.offsets64 = o.offsets64;
  t->by_row.idx = grid_malloc(t->nvals, sizeof *t->by_row.idx);
  t->by_row.val = x->cols.iso ? NULL : grid_malloc(t->nvals, t->type->size);
  if (!made || !t->by_row.idx || (!x->cols.iso && !t->by_row.val)) {
    grid_free(from);
    return grid_fail_memory(&A->head, "a transposed matrix", t->nvals, sizeof(uint32_t) + t->type->size);
  }
  uint64_t at = 0;
  for (uint64_t r = 0; r < t->row.n; r++) {
    grid_offset_set(o, r, at);
    for (uint64_t s = 0; s < P && r < q; s++) at += x->length[s * q + r];
  }
  grid_offset_set(o, t->row.n, at);
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(dynamic, 1) if (t->nvals > 1 << 15)
  for (uint64_t r = 0; r < q; r += ROWS_AT_A_TIME) {
    GRID_WORKER_SCOPE(context);
    concatenate_rows(t, x, from + r / ROWS_AT_A_TIME * P, q, A->nrows, r,
                     q - r < ROWS_AT_A_TIME ? q : r + ROWS_AT_A_TIME);
  }
  grid_free(from);
  t->iso = x->cols.iso;
  if (A->block.iso_val && t->iso) {
    GrB_Info info = grid_lmat_set_iso(t, A->block.iso_val);
    if (info != GrB_SUCCESS) return info;
  }
  return grid_lmat_choose_format(t);
}

static GrB_Info transpose_by_segments(GrB_Matrix A, grid_local_matrix *t) {
  segment_exchange x = {0};
  GrB_Info info = send_segments(A, &x);
  TRY(info);
  info = grid_agree(&A->head, merge_segments(A, &x, t));
done:
  grid_compressed_free(&x.made, grid_free);
  grid_free(x.count);
  grid_free(x.length);
  grid_free(x.idx);
  grid_free(x.val);
  return info;
}

/* Several processes, from device memory to device memory; GRID_UNSUPPORTED as in grid_route_device. */
static GrB_Info transposed_on_device(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t) {
  const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  if (A->delegates.split || !grid_device_is_on()) return GRID_UNSUPPORTED;
  if (A->properties.symmetric) return grid_agree(&like->head, grid_lmat_copy_rows(t, &A->block));
  GrB_Info info = grid_route_device(like, &A->block, &rows, &cols, true, GrB_SUCCESS, t);
  if (info == GRID_UNSUPPORTED) grid_report_fallback("transpose of matrices on several processes");
  return info;
}

GrB_Info grid_matrix_transposed(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t, bool there,
                                const char *call) {
  grid_lmat_init(t, A->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  GrB_Info info = grid_matrix_require(A, GRID_ROWS);
  if (info == GrB_SUCCESS && !A->delegates.split) info = grid_matrix_agree_iso(A);
  if (info != GrB_SUCCESS) return info;
  bool by_segments = false;
  if (grid_ctx.P > 1 && there && (info = transposed_on_device(A, like, t)) != GRID_UNSUPPORTED) return info;
  info = GrB_SUCCESS;
  if (grid_ctx.P > 1) info = check_segments_usable(A, &by_segments);
  if (info != GrB_SUCCESS) return info;
  if (by_segments) return transpose_by_segments(A, t);
  if (grid_ctx.P > 1 || A->delegates.split) return transposed_by_exchange(A, like, t, call);
  return grid_agree(&like->head, transposed_local(A, t));
}
