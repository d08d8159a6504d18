/* What a product by requests to owners (owner_requests.h) sends beside the bits of delegates: questions about
 * own rows (request_reply.c), and targets of own normals (push_remote_edges.c). */
#ifndef GRID_OWNER_REQUEST_STEPS_H
#define GRID_OWNER_REQUEST_STEPS_H
#include "dist/delegates/delegate_index.h"
#include "dist/grid/layout.h"
#include "dist/product/dist_product.h"
#include "spmat/vector/bitmap_words.h"

/* Where process k's vertices begin in the block's columns, which are all; its words in bitmaps of them. */
static inline uint64_t grid_process_offset(const grid_product *p, int k) {
  return grid_chunk_offset(p->in.n, false, k);
}
static inline uint64_t grid_word_of(const grid_product *p, int k) {
  return grid_process_offset(p, k) / 64;
}
static inline void grid_set_bit(uint64_t *bits, uint64_t i) {
  bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

/* Row r's product is that with vertex u. */
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

/* The rows in `open` ask the owners of what they have outside, which of it is in x. in: the bits of all
 * columns as far as they are known; the own ones are. info: the outcome so far. Collective; a failure is
 * carried along. */
GrB_Info grid_request_owners(grid_product *p, GrB_Info info, grid_input *in, const uint64_t *open,
                             grid_output *y);
/* The own normals in x tell the owners of what they have outside. The same. */
GrB_Info grid_push_remote(grid_product *p, GrB_Info info, grid_output *y);
#endif
