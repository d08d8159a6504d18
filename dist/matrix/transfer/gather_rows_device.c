/* All rows of a matrix on each device, if the grid has one column: blocks are intervals of rows, which are
 * concatenated. */
#include <string.h>

#include "dist/comm/device_transport.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"

typedef struct {
  uint64_t *nvals;      /* of each process's block; the following are in device memory */
  uint32_t *ends;       /* row ends of the local block, as offsets in all entries */
  void *expanded;       /* expanded values, if the block is iso */
  const void *send_val; /* values to send: the expanded ones, or the block's */
  size_t *w;            /* 4 P: sizes and offsets of a message */
} row_gather;

/* Local; the same on all processes apart from axis lists. */
static bool can_concatenate_rows(GrB_Matrix A) {
  return grid_ctx.C == 1 && A->nvals < grid_tune.offsets64_from &&
         grid_device_can_index(grid_block_cols(A->nrows), grid_block_cols(A->ncols)) &&
         grid_device_can_hold(A->type) && !A->block.row.ids && !A->block.col.ids;
}

/* *to = memory; without it the host concatenates. */
static GrB_Info allocate(void *to, uint64_t count, size_t size) {
  void *p = grid_device_malloc(count, size);
  *(void **)to = p;
  return p ? GrB_SUCCESS : GRID_UNSUPPORTED;
}

static GrB_Info allocate_buffers(row_gather *x, grid_local_matrix *t, GrB_Matrix A, bool iso,
                                 const char *one) {
  const grid_local_matrix *p = &A->block;
  GrB_Info info = GrB_SUCCESS;
  TRY(allocate(&t->by_row.ptr, t->row.n + 1, sizeof *t->by_row.ptr));
  TRY(allocate(&t->by_row.idx, A->nvals, sizeof *t->by_row.idx));
  TRY(allocate(&x->ends, grid_chunk_length(A->nrows, grid_ctx.k), sizeof *x->ends));
  if (iso) return grid_lmat_set_iso(t, one);
  TRY(allocate(&t->by_row.val, A->nvals, A->type->size));
  x->send_val = p->by_row.val;
  if (!p->iso || p->nvals == 0) return info;
  TRY(allocate(&x->expanded, p->nvals, A->type->size));
  x->send_val = x->expanded;
  info = grid_cuda->chunks->fill(x->expanded, p->iso_val, A->type->size, p->nvals);
done:
  return info;
}

/* Allgather of n[r] elements of process r, in order. */
static GrB_Info allgather_pieces(const row_gather *x, const grid_device_transport *transport,
                                 const void *from, void *to, const uint64_t *n, size_t size) {
  const size_t P = (size_t)grid_ctx.P;
  size_t *w = x->w, at = 0;
  for (size_t r = 0; r < P; r++) {
    w[r] = n[grid_ctx.k] * size, w[P + r] = 0;
    w[2 * P + r] = n[r] * size, w[3 * P + r] = at;
    at += w[2 * P + r];
  }
  return transport->exchange(GRID_SET_ALL, from, w, w + P, to, w + 2 * P, w + 3 * P);
}

static GrB_Info exchange(const row_gather *x, grid_local_matrix *t, GrB_Matrix A, uint64_t *rows) {
  const grid_device_transport *transport;
  const grid_local_matrix *p = &A->block;
  const grid_local_matrix none = {0}; /* padding rows */
  uint32_t *ptr = t->by_row.ptr;
  GrB_Info info = grid_device_transport_get(&transport);
  TRY(info);
  for (int r = 0; r < grid_ctx.P; r++) rows[r] = grid_chunk_length(A->nrows, r);
  info = transport->begin(); /* other processes wait for all messages, whatever fails here */
  info = grid_first_failure(info, allgather_pieces(x, transport, x->ends, ptr + 1, rows, sizeof *ptr));
  info = grid_first_failure(
      info, allgather_pieces(x, transport, p->by_row.idx, t->by_row.idx, x->nvals, sizeof *t->by_row.idx));
  if (t->by_row.val)
    info = grid_first_failure(
        info, allgather_pieces(x, transport, x->send_val, t->by_row.val, x->nvals, A->type->size));
  info = grid_first_failure(info, transport->end());
  TRY(info);
  TRY(grid_device_zero(ptr, sizeof *ptr));
  info = grid_cuda->lmat_ops->row_ends(ptr + A->nrows + 1, &none, t->row.n - A->nrows, (uint32_t)A->nvals);
done:
  return info;
}

GrB_Info grid_matrix_gather_rows_device(grid_local_matrix *t, GrB_Matrix A) {
  const size_t P = (size_t)grid_ctx.P;
  char one[GRID_DEVICE_VALUE_MAX] = {0};
  row_gather x = {0};
  uint64_t base = 0;
  bool iso = false;
  const grid_local_matrix *p = &A->block;
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = can_concatenate_rows(A) ? GrB_SUCCESS : GRID_UNSUPPORTED;
  if (info == GrB_SUCCESS && p->nvals)
    info = grid_device_oom_to_unsupported(grid_lmat_to_device(p), refusals);
  x.nvals = grid_malloc(6 * P, sizeof *x.nvals);
  if (!x.nvals) info = grid_fail_memory(&A->head, "entries of blocks", 6 * P, sizeof *x.nvals);
  TRY(grid_agree_supported(&A->head, info));
  x.w = x.nvals + 2 * P;
  if (p->iso && p->iso_val) memcpy(one, p->iso_val, A->type->size);
  TRY(grid_agree_on_iso_value(NULL, GrB_SUCCESS, p->nvals > 0, p->iso, A->type->size, one, &iso));
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, &p->nvals, sizeof p->nvals, x.nvals));
  for (int r = 0; r < grid_ctx.k; r++) base += x.nvals[r];
  grid_lmat_init(t, A->type, grid_block_cols(A->nrows), grid_block_cols(A->ncols));
  t->device = true, t->row.n = t->row.dim, t->col.n = t->col.dim, t->nvals = A->nvals;
  info = allocate_buffers(&x, t, A, iso, one);
  if (info == GrB_SUCCESS)
    info = grid_cuda->lmat_ops->row_ends(x.ends, p, grid_chunk_length(A->nrows, grid_ctx.k), (uint32_t)base);
  TRY(grid_agree_supported(&A->head, grid_device_oom_to_unsupported(info, refusals)));
  info = grid_device_oom_to_unsupported(exchange(&x, t, A, x.nvals + P), refusals);
  info = grid_agree_supported(&A->head, info);
done:
  if (info != GrB_SUCCESS && t->type) grid_lmat_free(t);
  grid_device_free(x.ends);
  grid_device_free(x.expanded);
  grid_free(x.nvals);
  return info;
}
