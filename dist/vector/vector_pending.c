/* Elements of a vector that are set and removed one by one. On one process most changes apply at once.
 * Where each would move half of a list, or cost a message, they are deferred (pending_changes.h). They
 * are merged when a call reads or writes more of the vector than single elements. */
#include "dist/grid/layout.h"
#include "dist/grid/short_call.h"
#include "dist/vector/vector.h"
#include "spmat/device/device.h"

static GrB_Info apply(GrB_Vector v) {
  const grid_pending *p = &v->pending;
  return grid_vec_change(&v->chunk, &(grid_vec_changes){.idx = p->position,
                                                        .removed = p->removed,
                                                        .val = p->val,
                                                        .n = p->n,
                                                        .first = grid_chunk_first(v->n, grid_ctx.k)});
}

/* Few changes of a short vector, as of the start of a search, are a short call: each requests memory for at
 * most two lists or bitmaps with values. */
static void begin_changes(GrB_Vector v) {
  enum { FEW = 2 };
  const uint64_t longest = grid_partition_of(v->n) ? v->n : grid_even_size(v->n);
  const size_t size = v->type->size > sizeof(uint64_t) ? v->type->size : sizeof(uint64_t);
  grid_short_call_begin(v->pending.n <= FEW ? longest : UINT64_MAX, 2 * size);
}

GrB_Info grid_vector_resolve(GrB_Vector v) {
  if (v->pending.n == 0) return GrB_SUCCESS;
  grid_vector_invalidate_cache(v);
  begin_changes(v);
  const GrB_Info info = grid_short_call_agree(&v->head, apply(v));
  if (info == GrB_SUCCESS) grid_pending_free(&v->pending);
  return info;
}

GrB_Info grid_vector_apply(GrB_Vector v) {
  return v->pending.n ? apply(v) : GrB_SUCCESS;
}

/* A longer list is not moved for one element. */
enum { LONG = 256 };

/* The same on every process. */
static bool is_change_deferred(GrB_Vector v, uint64_t i) {
  const grid_chunk *c = &v->chunk;
  if (grid_device_is_on()) return false; /* a lookahead uses vectors without merging */
  if (grid_ctx.P > 1 || v->pending.n) return true;
  return c->format == GRID_LIST && c->nvals > LONG && c->idx[c->nvals - 1] >= i;
}

/* x is of v's type; NULL removes the element. */
static GrB_Info apply_change(GrB_Vector v, const void *x, GrB_Index i) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t local;
  grid_vector_invalidate_cache(v);
  if (grid_owner(v->n, i, &local) == grid_ctx.k)
    info = x ? grid_chunk_set(&v->chunk, local, x) : grid_chunk_remove(&v->chunk, local);
  return grid_agree(&v->head, info);
}

GrB_Info grid_vector_change(GrB_Vector v, const void *x, GrB_Index i) {
  GrB_Info info = GrB_SUCCESS;
  if (!is_change_deferred(v, i)) {
    TRY(grid_vector_resolve(v));
    return apply_change(v, x, i);
  }
  info = grid_pending_add(&v->pending, &v->head, (grid_pending_dims){v->n, 1}, v->type, x, v->type, i, 0);
done:
  return info;
}
