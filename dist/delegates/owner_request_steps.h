/* The messages of a product by requests to owners (owner_requests.h) after the bits of delegates: requests
 * for open rows (request_reply.c), and targets of normal vertices (push_remote_edges.c). */
#ifndef GRID_OWNER_REQUEST_STEPS_H
#define GRID_OWNER_REQUEST_STEPS_H
#include "dist/delegates/delegate_index.h"
#include "dist/grid/layout.h"
#include "dist/product/dist_product.h"
#include "spmat/vector/bitmap_words.h"

/* Local id of process k's first vertex among the block's columns, which are all vertices. */
static inline uint64_t grid_process_offset(const grid_product *p, int k) {
  return grid_chunk_offset(p->in.n, false, k);
}
/* An input has bits of the block's columns by position, then, unless these are part of it, of the vertices of
 * this process. Words of the first. */
static inline uint64_t grid_column_words(const grid_product *p) {
  const grid_axis *col = &p->A->block.col;
  return col->ids ? grid_words(col->n) : grid_block_cols(p->in.n) / 64;
}
/* The bits of the vertices of this process in an input. */
static inline uint64_t *grid_local_input(const grid_product *p, uint64_t *bits) {
  return bits + (p->A->block.col.ids ? grid_column_words(p) : grid_process_offset(p, grid_ctx.k) / 64);
}
static inline void grid_set_bit(uint64_t *bits, uint64_t i) {
  bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

/* Stores vertex u as the hit of row r, unless it has one. */
static inline void grid_store_hit(const grid_product *p, grid_output *y, uint64_t r, uint64_t u) {
  if (grid_bit(y->bits, r)) return;
  grid_set_bit(y->bits, r);
  y->found++;
  if (p->values.structural) return;
  if (p->s->mul->z->size == sizeof(int64_t))
    ((int64_t *)y->val)[r] = (int64_t)u;
  else
    ((int32_t *)y->val)[r] = (int32_t)u;
}

/* Requests from the owners of the remote edges of the rows in `open` which of these vertices are in x, and
 * tries the rows. in: bits of all columns, of which this process's and the delegates' are known. info: the
 * outcome so far, which is sent with the messages. Collective; the outcome is not agreed on. */
GrB_Info grid_request_owners(grid_product *p, GrB_Info info, grid_input *in, const uint64_t *open,
                             grid_output *y);
/* Sends the remote edges of this process's normal vertices in x to the owners of their targets. The same
 * otherwise. */
GrB_Info grid_push_remote(grid_product *p, GrB_Info info, grid_output *y);
#endif
