/* matrix_joined_device.c: all rows of a matrix on each device, where processes stand in one column of the
 * grid: blocks are stretches of rows, which join as they lie. */
#include <string.h>

#include "dist/grid/device_transport.h"
#include "dist/object/matrix/matrix_whole.h"
#include "spmat/backend.h"

typedef struct {
  uint64_t *nvals;     /* of each process's block; the following are in device memory */
  uint32_t *ends;      /* of own rows, counted in all entries */
  void *own;           /* own values, where there is but one of them here */
  const void *own_val; /* what is sent: those, or the block's */
  size_t *w;           /* 4 P: sizes and offsets of a message */
} joining;

/* Local; the same on all but for the lists. */
static bool may_join(GrB_Matrix A) {
  return grid_here.C == 1 && A->nvals < grid_wide_from && grid_block_cols(A->nrows) <= UINT32_MAX &&
         grid_block_cols(A->ncols) <= UINT32_MAX && A->type->size <= GRID_DEVICE_VALUE && !A->block.row.ids &&
         !A->block.col.ids;
}

/* *to = room for so many; for want of it the host joins. */
static GrB_Info room(void *to, uint64_t count, size_t size) {
  void *p = grid_device_malloc(count, size);
  *(void **)to = p;
  return p ? GrB_SUCCESS : GRID_NOT_HERE;
}

static GrB_Info make_rooms(joining *x, grid_part *t, GrB_Matrix A, bool iso, const char *one) {
  const grid_part *p = &A->block;
  GrB_Info info = GrB_SUCCESS;
  TRY(room(&t->by_row.ptr, t->row.n + 1, sizeof *t->by_row.ptr));
  TRY(room(&t->by_row.idx, A->nvals, sizeof *t->by_row.idx));
  TRY(room(&x->ends, grid_chunk_length(A->nrows, grid_here.k), sizeof *x->ends));
  if (iso) return grid_part_set_one(t, one);
  TRY(room(&t->by_row.val, A->nvals, A->type->size));
  x->own_val = p->by_row.val;
  if (!p->iso || p->nvals == 0) return info;
  TRY(room(&x->own, p->nvals, A->type->size));
  x->own_val = x->own;
  info = grid_cuda->chunks->fill(x->own, p->iso_val, A->type->size, p->nvals);
done:
  return info;
}

/* n[r] elements of process r's, one piece behind the other, on all. */
static GrB_Info give_all(const joining *x, const grid_device_transport *way, const void *from, void *to,
                         const uint64_t *n, size_t size) {
  const size_t P = (size_t)grid_here.P;
  size_t *w = x->w, at = 0;
  for (size_t r = 0; r < P; r++) {
    w[r] = n[grid_here.k] * size, w[P + r] = 0;
    w[2 * P + r] = n[r] * size, w[3 * P + r] = at;
    at += w[2 * P + r];
  }
  return way->exchange(GRID_SET_ALL, from, w, w + P, to, w + 2 * P, w + 3 * P);
}

static GrB_Info exchange(const joining *x, grid_part *t, GrB_Matrix A, uint64_t *rows) {
  const grid_device_transport *way;
  const grid_part *p = &A->block;
  const grid_part none = {0}; /* the rows behind the last */
  uint32_t *ptr = t->by_row.ptr;
  GrB_Info info = grid_device_transport_get(&way);
  TRY(info);
  for (int r = 0; r < grid_here.P; r++) rows[r] = grid_chunk_length(A->nrows, r);
  info = way->begin(); /* the others wait for all messages, whatever fails here */
  info = grid_first_failure(info, give_all(x, way, x->ends, ptr + 1, rows, sizeof *ptr));
  info = grid_first_failure(info,
                            give_all(x, way, p->by_row.idx, t->by_row.idx, x->nvals, sizeof *t->by_row.idx));
  if (t->by_row.val)
    info = grid_first_failure(info, give_all(x, way, x->own_val, t->by_row.val, x->nvals, A->type->size));
  info = grid_first_failure(info, way->end());
  TRY(info);
  TRY(grid_device_zero(ptr, sizeof *ptr));
  info = grid_cuda->parts->ends(ptr + A->nrows + 1, &none, t->row.n - A->nrows, (uint32_t)A->nvals);
done:
  return info;
}

GrB_Info grid_matrix_joined_device(grid_part *t, GrB_Matrix A) {
  const size_t P = (size_t)grid_here.P;
  char one[GRID_DEVICE_VALUE] = {0};
  joining x = {0};
  uint64_t base = 0;
  bool iso = false;
  const grid_part *p = &A->block;
  const uint64_t refusals = grid_device_refusals();
  GrB_Info info = may_join(A) ? GrB_SUCCESS : GRID_NOT_HERE;
  if (info == GrB_SUCCESS && p->nvals) info = grid_device_or_host(grid_part_to_device(p), refusals);
  x.nvals = grid_malloc(6 * P, sizeof *x.nvals);
  if (!x.nvals) info = grid_fail_memory(&A->head, "entries of blocks", 6 * P, sizeof *x.nvals);
  TRY(grid_agree_here(&A->head, info));
  x.w = x.nvals + 2 * P;
  if (p->iso && p->iso_val) memcpy(one, p->iso_val, A->type->size);
  TRY(grid_agree_on_one(p->nvals > 0, p->iso, A->type->size, one, &iso));
  TRY(grid_here.transport->allgather(GRID_SET_ALL, &p->nvals, sizeof p->nvals, x.nvals));
  for (int r = 0; r < grid_here.k; r++) base += x.nvals[r];
  grid_part_init(t, A->type, grid_block_cols(A->nrows), grid_block_cols(A->ncols));
  t->device = true, t->row.n = t->row.dim, t->col.n = t->col.dim, t->nvals = A->nvals;
  info = make_rooms(&x, t, A, iso, one);
  if (info == GrB_SUCCESS)
    info = grid_cuda->parts->ends(x.ends, p, grid_chunk_length(A->nrows, grid_here.k), (uint32_t)base);
  TRY(grid_agree_here(&A->head, grid_device_or_host(info, refusals)));
  info = grid_device_or_host(exchange(&x, t, A, x.nvals + P), refusals);
  info = grid_agree_here(&A->head, info);
done:
  if (info != GrB_SUCCESS && t->type) grid_part_free(t);
  grid_device_free(x.ends);
  grid_device_free(x.own);
  grid_free(x.nvals);
  return info;
}
