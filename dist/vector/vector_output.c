/* The end of every operation with a vector output: all processes agree that they can complete it, then
 * each writes its chunk. */
#include "dist/grid/layout.h"
#include "dist/grid/short_call.h"
#include "dist/vector/vector.h"
#include "semiring/op_codes.h"

/* The types are predefined where the operators are, or compared. */
void grid_begin_output(GrB_Vector w, GrB_Type type, GrB_BinaryOp accum, int op) {
  enum { LONGEST_VALUE = 16 };
  if (grid_ctx.P == 1 || op == GRID_OP_USER || (accum && accum->op == GRID_OP_USER) ||
      type->code == GRID_T_UDT || w->type->code == GRID_T_UDT)
    return;
  const uint64_t longest = grid_partition_of(w->n) ? w->n : grid_even_size(w->n);
  grid_short_call_begin(longest, 2 * LONGEST_VALUE); /* a list may hold the entries of two */
}

grid_chunk grid_reusable_chunk(GrB_Vector w, GrB_Type type) {
  grid_chunk t = w->reusable;
  grid_chunk_init(&w->reusable, w->type, w->chunk.n);
  grid_chunk_empty(&t);
  t.type = type, t.n = w->chunk.n;
  return t;
}

static bool is_full(const grid_chunk *c) {
  return c->format == GRID_FULL && !c->iso;
}

bool grid_replaces_values(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d, GrB_Type z,
                          GrB_Vector u, GrB_Vector v) {
  return grid_is_one_host_process() && !mask && !d->complement && !accum && w->type == z &&
         z->code != GRID_T_UDT && is_full(&w->chunk) && is_full(&u->chunk) && is_full(&v->chunk);
}

grid_chunk grid_replaced_chunk(GrB_Vector w) {
  grid_chunk t = w->chunk;
  grid_chunk_empty(&t);
  return t;
}

/* Retains the arrays of t for the next result, on the host only short ones: those that the allocator caches
 * when they are freed (mem_cache.h) would double the memory of a long vector. */
static void store_reusable(GrB_Vector w, grid_chunk *t) {
  enum { LONGEST_BYTES = 256 << 10 };
  const bool is_long = t->cap_val > LONGEST_BYTES || t->cap_idx * sizeof *t->idx > LONGEST_BYTES ||
                       t->cap_bits * sizeof *t->bits > LONGEST_BYTES;
  if (!t->device && is_long) grid_chunk_free(t);
  grid_chunk_free(&w->reusable);
  grid_chunk_empty(t);
  w->reusable = *t;
  w->reusable.type = w->type, w->reusable.n = w->chunk.n;
  grid_chunk_init(t, t->type, t->n);
}

static GrB_Info finish_write(GrB_Vector w, grid_mask *m, GrB_BinaryOp accum, bool replace,
                             const grid_chunk *t, grid_chunk *owned_t, bool masked, GrB_Info info,
                             grid_agreement c) {
  grid_write p;
  bool planned = false;
  if (info == GrB_SUCCESS) {
    info = grid_write_prepare(&p, &w->chunk, m, accum, replace, t, owned_t, masked);
    planned = info == GrB_SUCCESS;
  }
  info = c.f ? c.f(&w->head, info, c.context) : grid_short_call_agree(&w->head, info);
  if (info == GrB_SUCCESS)
    grid_write_commit(&p);
  else if (planned)
    grid_write_cancel(&p);
  grid_mask_free(m);
  if (owned_t) store_reusable(w, owned_t);
  return info;
}

GrB_Info grid_finish_masked(GrB_Vector w, grid_mask *m, GrB_BinaryOp accum, bool replace, const grid_chunk *t,
                            grid_chunk *owned_t, bool masked, GrB_Info info) {
  return finish_write(w, m, accum, replace, t, owned_t, masked, info, (grid_agreement){NULL, NULL});
}

static GrB_Info finish(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                       const grid_chunk *t, grid_chunk *owned_t, bool masked, GrB_Info info,
                       grid_agreement c) {
  grid_mask m = {.n = w->chunk.n};
  if (info == GrB_SUCCESS)
    info = grid_mask_read(&m, mask ? &mask->chunk : NULL, w->chunk.n, d->structure, d->complement);
  return finish_write(w, &m, accum, d->replace, t, owned_t, masked, info, c);
}

GrB_Info grid_finish_output(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                            grid_chunk *t, bool masked, GrB_Info info) {
  return finish(w, mask, accum, d, t, t, masked, info, (grid_agreement){NULL, NULL});
}

GrB_Info grid_finish_with_agreement(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                                    grid_chunk *t, bool masked, GrB_Info info, grid_agreement how) {
  return finish(w, mask, accum, d, t, t, masked, info, how);
}

GrB_Info grid_finish_infallible(GrB_Vector w, GrB_Vector mask, const grid_desc *d, const grid_chunk *t) {
  grid_mask m;
  grid_write p;
  GrB_Info info = grid_mask_read(&m, &mask->chunk, w->chunk.n, d->structure, d->complement);
  if (info == GrB_SUCCESS) info = grid_write_prepare(&p, &w->chunk, &m, NULL, d->replace, t, NULL, false);
  if (info == GrB_SUCCESS) grid_write_commit(&p);
  grid_mask_free(&m);
  return info;
}

GrB_Info grid_finish_borrowed(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                              const grid_chunk *t, GrB_Info info) {
  if (t != &w->chunk || (!accum && !grid_device_is_on()))
    return finish(w, mask, accum, d, t, NULL, false, info, (grid_agreement){NULL, NULL});
  grid_chunk copy; /* w is both input and output */
  grid_chunk_init(&copy, t->type, t->n);
  if (info == GrB_SUCCESS) info = grid_chunk_copy(&copy, t);
  return finish(w, mask, accum, d, &copy, &copy, false, info, (grid_agreement){NULL, NULL});
}
