/* Fold between device memories: sends contributions to their owners, which add the segments they receive. */
#include "dist/product/dist_product.h"
#include "spmat/backend.h"

GrB_Info grid_product_exchange(const grid_device_transport *transport, grid_set set, const void *from,
                               void *to, uint64_t bytes) {
  enum { MOST = 64 };
  const size_t S = (size_t)grid_set_size(set);
  size_t inline_sizes[2 * MOST] = {0}; /* gcc 11 does not know that S is at least 1 */
  size_t *w = S <= MOST ? inline_sizes : grid_malloc(2 * S, sizeof *w);
  GrB_Info info = w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 2 * S, sizeof *w);
  for (size_t s = 0; s < S && w; s++) w[s] = bytes, w[S + s] = s * bytes;
  if (info == GrB_SUCCESS) info = transport->exchange(set, from, w, w + S, to, w, w + S);
  if (w != inline_sizes) grid_free(w);
  return info;
}

/* Segment s as a chunk. */
static grid_chunk segment_of(const grid_segments *w, GrB_Type type, uint64_t s) {
  return (grid_chunk){.n = w->n,
                      .nvals = w->n, /* an upper bound: readers only test whether it is 0 */
                      .type = type,
                      .format = GRID_BITMAP,
                      .bits = w->bits + s * w->q / 64,
                      .val = (char *)w->val + s * w->q * type->size,
                      .device = true};
}

/* t = the sum of the segments, added one after the other. */
static GrB_Info add_values(const grid_product *p, const grid_segments *w, grid_chunk *t) {
  grid_chunk sum[2], first = segment_of(w, t->type, 0);
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < 2; k++) grid_chunk_init(&sum[k], t->type, t->n);
  for (uint64_t s = 1; s < w->count; s++) {
    const grid_chunk next = segment_of(w, t->type, s), *before = s == 1 ? &first : &sum[s % 2];
    TRY(grid_cuda->vectors->ewise(s + 1 == w->count ? t : &sum[(s + 1) % 2], before, &next, p->s->add->op,
                                  true));
  }
done:
  for (int k = 0; k < 2; k++) grid_chunk_free(&sum[k]);
  return info;
}

static GrB_Info add_patterns(const grid_segments *w, grid_chunk *t) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_cuda->or_words(w->bits, w->bits, w->q / 64, w->count));
  TRY(grid_cuda->chunks->combine(t->bits, w->bits, w->bits, GRID_OR, w->n, &t->nvals));
done:
  return info;
}

/* Waits for the count of t's entries, to which the delegates' contributions are added. */
GrB_Info grid_product_add_segments(const grid_product *p, const grid_segments *w, grid_chunk *t) {
  GrB_Info info = p->values.structural ? add_patterns(w, t) : add_values(p, w, t);
  return info == GrB_SUCCESS ? grid_chunk_wait(t) : info;
}
