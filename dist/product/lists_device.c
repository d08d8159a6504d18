/* lists_device.c: see lists_device.h. */
#include "dist/product/lists_device.h"

#include "spmat/backend.h"

uint64_t grid_device_lists_from = UINT64_C(1) << 22;

/* Listing, sending and placing take some launches more than a bitmap, and random writes. */
static bool pays(const grid_product *p, size_t size) {
  const uint64_t dense = p->nin / 8 + p->nin * size, lists = p->n.nx * (sizeof(uint64_t) + size);
  return dense >= grid_device_lists_from && lists <= dense / 4;
}

GrB_Info grid_device_lists_begin(grid_device_lists_of_x *l, const grid_product *p, size_t size) {
  const uint64_t S = (uint64_t)grid_set_size(p->gather);
  *l = (grid_device_lists_of_x){0};
  if (S == 1 || !pays(p, size)) return GrB_SUCCESS;
  GrB_Info info = GrB_SUCCESS;
  const bool few = S <= sizeof l->some / sizeof *l->some;
  l->count = few ? l->some : grid_malloc(S, sizeof *l->count);
  if (!l->count) info = grid_fail_memory(NULL, "counts of entries", S, sizeof *l->count);
  if (!few) TRY(grid_agree(NULL, info));
  TRY(grid_here.transport->allgather(p->gather, &p->x->nvals, sizeof *l->count, l->count));
  for (uint64_t s = 0; s < S; s++) l->all += l->count[s];
done:
  return info;
}

static GrB_Info room(void *to, uint64_t count, size_t size) {
  void *p = grid_device_malloc(count, size);
  if (!p) return grid_device_fail_memory(NULL, "a vector's entries as a list", count, size);
  *(void **)to = p;
  return GrB_SUCCESS;
}

GrB_Info grid_device_lists_room(grid_device_lists_of_x *l, const grid_product *p, size_t size) {
  const uint64_t own = p->x->nvals;
  GrB_Info info = GrB_SUCCESS;
  TRY(room(&l->idx, own, sizeof *l->idx));
  TRY(room(&l->all_idx, l->all, sizeof *l->all_idx));
  TRY(room(&l->counter, 1, sizeof *l->counter));
  if (size) TRY(room(&l->val, own, size));
  if (size) TRY(room(&l->all_val, l->all, size));
done:
  return info;
}

/* Sizes and offsets of a message of the same pieces to all, in units of `size` bytes. */
static void sizes_of(const grid_device_lists_of_x *l, size_t S, uint64_t own, size_t size, size_t *w) {
  uint64_t at = 0;
  for (size_t s = 0; s < S; s++) {
    w[s] = own * size, w[S + s] = 0;
    w[2 * S + s] = l->count[s] * size, w[3 * S + s] = at * size;
    at += l->count[s];
  }
}

static GrB_Info send(const grid_device_lists_of_x *l, grid_product *p, const grid_device_transport *way,
                     size_t size) {
  enum { MOST = 64 };
  const size_t S = (size_t)grid_set_size(p->gather), each[2] = {sizeof *l->idx, size};
  const void *from[2] = {l->idx, l->val};
  void *const to[2] = {l->all_idx, l->all_val};
  size_t some[4 * MOST], *w = S <= MOST ? some : grid_malloc(4 * S, sizeof *w);
  GrB_Info info = w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 4 * S, sizeof *w);
  TRY(info);
  TRY(way->begin());
  for (int k = 0; k < 2 && info == GrB_SUCCESS; k++) {
    if (!each[k]) continue;
    sizes_of(l, S, p->x->nvals, each[k], w);
    info = way->exchange(p->gather, from[k], w, w + S, to[k], w + 2 * S, w + 3 * S);
    p->stats.expand_bytes += w[0] * (S - 1);
  }
  GrB_Info ended = way->end();
  if (info == GrB_SUCCESS) info = ended;
done:
  if (w != some) grid_free(w);
  return info;
}

GrB_Info grid_device_lists_gather(const grid_device_lists_of_x *l, grid_product *p,
                                  const grid_device_transport *way, size_t size, uint64_t *bits, void *val) {
  const grid_chunk *x = p->x;
  const uint64_t q = grid_even_size(p->nin), first = (uint64_t)grid_set_rank(p->gather) * q;
  GrB_Info info = GrB_SUCCESS;
  if (x->nvals) {
    TRY(grid_device_zero(l->counter, sizeof *l->counter));
    TRY(grid_cuda->chunks->list(l->idx, size && !x->iso ? l->val : NULL,
                                x->format == GRID_BITMAP ? x->bits : NULL, x->val, size, x->n, first,
                                l->counter));
    if (size && x->iso) TRY(grid_cuda->chunks->fill(l->val, x->one, size, x->nvals));
  }
  TRY(send(l, p, way, size));
  TRY(grid_device_zero(bits, (uint64_t)grid_set_size(p->gather) * q / 8));
  TRY(grid_cuda->chunks->scatter(bits, size ? val : NULL, l->all_idx, l->all_val, l->all, size));
done:
  return info;
}

void grid_device_lists_free(grid_device_lists_of_x *l) {
  if (l->count != l->some) grid_free(l->count);
  grid_device_free(l->idx);
  grid_device_free(l->all_idx);
  grid_device_free(l->counter);
  grid_device_free(l->val);
  grid_device_free(l->all_val);
}
