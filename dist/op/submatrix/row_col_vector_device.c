/* See row_col_vector_device.h. */
#include "dist/op/submatrix/row_col_vector_device.h"

#include "dist/comm/device_transport.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"

/* What a block has of a line: a bitmap and values over its columns (rows), which are whole words. */
typedef struct {
  GrB_Matrix A;
  bool row, is_local; /* is_local: this process's block has a segment of it */
  uint64_t v, dim, n; /* the line's number in the block; the other dimension, and the block's share */
  grid_set set;       /* who shares the segment's places; of them, */
  int owner;          /* this one has the segment */
  uint64_t *bits;
  void *val;
} segment;

static segment segment_of(GrB_Matrix A, bool row, uint64_t v) {
  const int chunk = grid_chunk_of(row ? A->nrows : A->ncols, v),
            home = row ? chunk % grid_ctx.R : chunk / grid_ctx.R;
  return (segment){.A = A,
                   .row = row,
                   .is_local = home == (row ? grid_ctx.i : grid_ctx.j),
                   .v = row ? grid_local_row(A->nrows, v) : grid_local_col(A->ncols, v),
                   .dim = row ? A->ncols : A->nrows,
                   .n = row ? A->block.col.dim : A->block.row.dim,
                   .set = row ? GRID_SET_COL : GRID_SET_ROW,
                   .owner = home};
}

static void segment_free(segment *x) {
  grid_device_free(x->bits);
  grid_device_free(x->val);
}

/* Are the axes so short that offsets, and the positions of a row or column, take little memory? The same on
 * all processes. */
static bool fits_device(GrB_Matrix A) {
  enum { LONG = 1 << 26 };
  return A->block.row.dim <= LONG && A->block.col.dim <= LONG && grid_device_can_hold(A->type) &&
         grid_tune.matrix_device;
}

/* No room there is no error: the host has it. */
static GrB_Info unsupported_if_no_memory(GrB_Info info) {
  return info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info;
}

static GrB_Info allocate_segment(segment *x) {
  if (!x->is_local) return GrB_SUCCESS;
  x->bits = grid_device_malloc(grid_words(x->n), sizeof *x->bits);
  x->val = grid_device_malloc(x->n, x->A->type->size);
  if (!x->bits || !x->val) return GRID_UNSUPPORTED;
  return grid_device_zero(x->bits, grid_words(x->n) * sizeof *x->bits);
}

/* Between the owner and those who share the places, chunk by chunk: dealt out to c, or put together from it.
 * Neither bits nor values of c are missing. */
static GrB_Info exchange(segment *x, grid_chunk *c, bool out) {
  const grid_device_transport *transport;
  const size_t S = (size_t)grid_set_size(x->set), sizes[2] = {0, x->A->type->size};
  void *const whole[2] = {x->bits, x->val}, *const local[2] = {c->bits, c->val};
  size_t *w = grid_calloc(8 * S, sizeof *w);
  GrB_Info info = w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 8 * S, sizeof *w);
  TRY(grid_agree(&x->A->head, info));
  TRY(grid_device_transport_get(&transport));
  info = transport->begin(); /* the others wait for all messages, whatever fails here */
  for (int k = 0; k < 2; k++) {
    size_t *many = w + 4 * (size_t)k * S, *at = many + S, *one = at + S, *none = one + S;
    for (size_t s = 0; s < S && x->is_local; s++) {
      const int chunk = grid_block_chunk(!x->row, (int)s);
      const uint64_t n = grid_chunk_length(x->dim, chunk), from = grid_block_offset(x->dim, !x->row, (int)s);
      many[s] = k ? n * sizes[k] : grid_words(n) * sizeof(uint64_t);
      at[s] = k ? from * sizes[k] : from / 8;
    }
    one[x->owner] = k ? c->n * sizes[k] : grid_words(c->n) * sizeof(uint64_t);
    info =
        grid_first_failure(info, out ? transport->exchange(x->set, whole[k], many, at, local[k], one, none)
                                     : transport->exchange(x->set, local[k], one, none, whole[k], many, at));
  }
  info = grid_first_failure(info, transport->end());
done:
  grid_free(w);
  return info;
}

/* ---- reading ---- */

static GrB_Info read_local(segment *x) {
  const grid_local_matrix *p = &x->A->block;
  grid_device_operand l;
  GrB_Info info = allocate_segment(x);
  if (info != GrB_SUCCESS || !x->is_local || p->nvals == 0) return info;
  TRY(grid_lmat_operand_to_device(&l, p, false));
  info = grid_cuda->lmat_ops->get_vector(x->bits, x->val, l.p, x->row, x->v);
  grid_device_operand_free(&l);
done:
  return info;
}

/* c has its bits and values. */
static GrB_Info count_entries(grid_chunk *c) {
  uint64_t count = 0;
  GrB_Info info =
      c->n ? grid_cuda->chunks->combine(NULL, c->bits, c->bits, GRID_AND, c->n, &count) : GrB_SUCCESS;
  c->nvals = info == GrB_SUCCESS ? count : 0;
  c->format = c->nvals == 0 ? GRID_LIST : c->nvals == c->n ? GRID_FULL : GRID_BITMAP;
  return info;
}

GrB_Info grid_matrix_get_vector_device(GrB_Vector u, GrB_Matrix A, bool row, uint64_t v) {
  segment x = segment_of(A, row, v);
  grid_chunk *c = &u->chunk;
  GrB_Info info = fits_device(A) ? read_local(&x) : GRID_UNSUPPORTED;
  if (info == GrB_SUCCESS) info = grid_chunk_reserve_device(c, true, false);
  TRY(grid_agree_supported(&A->head, unsupported_if_no_memory(info)));
  info = exchange(&x, c, true);
  info = grid_agree(&A->head, info == GrB_SUCCESS ? count_entries(c) : info);
done:
  if (info != GrB_SUCCESS) grid_chunk_free(c);
  segment_free(&x);
  return info;
}

/* ---- writing ---- */

/* A bitmap on the device, with values for all places. */
static GrB_Info expand_bitmap(grid_chunk *c) {
  GrB_Info info;
  if (!grid_chunk_can_move(c)) return GRID_UNSUPPORTED;
  TRY(grid_chunk_to_device(c));
  TRY(grid_chunk_to_bitmap(c));
  TRY(grid_chunk_expand_iso(c));
  if (c->nvals == 0) TRY(grid_chunk_reserve_device(c, true, false));
done:
  return info;
}

/* The owner's: the segment as a part. */
static GrB_Info make_lmat(grid_local_matrix *t, const segment *x) {
  grid_chunk c = {
      .n = x->n, .type = x->A->type, .format = GRID_BITMAP, .device = true, .bits = x->bits, .val = x->val};
  GrB_Info info = GrB_SUCCESS;
  if (!x->is_local) return info;
  TRY(grid_cuda->chunks->combine(NULL, c.bits, c.bits, GRID_AND, c.n, &c.nvals));
  if (c.nvals == 0) return info;
  t->device = true;
  info = grid_cuda->lmat_ops->diagonal(t, &c, x->row ? x->v : 0, x->row ? 0 : x->v,
                                       x->row ? GRID_ONTO_ROW : GRID_ONTO_COL);
done:
  return info;
}

GrB_Info grid_vector_to_lmat_device(grid_local_matrix *t, GrB_Matrix C, GrB_Vector w, bool row, uint64_t v) {
  segment x = segment_of(C, row, v);
  grid_lmat_init(t, C->type, C->block.row.dim, C->block.col.dim);
  GrB_Info info = fits_device(C) ? allocate_segment(&x) : GRID_UNSUPPORTED;
  if (info == GrB_SUCCESS) info = expand_bitmap(&w->chunk);
  TRY(grid_agree_supported(&C->head, unsupported_if_no_memory(info)));
  info = exchange(&x, &w->chunk, false);
  info =
      grid_agree_supported(&C->head, info == GrB_SUCCESS ? unsupported_if_no_memory(make_lmat(t, &x)) : info);
done:
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  segment_free(&x);
  return info;
}
