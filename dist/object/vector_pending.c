/* Elements of a vector that are set and removed one by one. On one process most changes are made at once;
 * where they would each move half of a list, or each cost a message, they wait (pending.h) until a call that
 * is about more than single elements begins, and are merged together. */
#include "dist/grid/hooks.h"
#include "dist/object/vector.h"
#include "spmat/device/device.h"

/* The vectors that have changes waiting: the same on every process. */
enum { MOST = 8 };
static GrB_Vector waiting[MOST];
static int waiting_n;

static GrB_Info apply(GrB_Vector v) {
  const grid_pending *p = &v->pending;
  return grid_vec_change(&v->chunk, &(grid_vec_changes){.idx = p->row,
                                                        .removed = p->removed,
                                                        .val = p->val,
                                                        .n = p->n,
                                                        .first = grid_chunk_first(v->n, grid_here.k)});
}

void grid_vector_forget(GrB_Vector v) {
  for (int k = 0; k < waiting_n; k++)
    if (waiting[k] == v) waiting[k--] = waiting[--waiting_n];
  grid_pending_free(&v->pending);
}

/* Merges what waits. Collective, agreed on: a vector that fails keeps its changes. */
static GrB_Info settle(void) {
  GrB_Info info = GrB_SUCCESS;
  while (waiting_n) {
    GrB_Vector v = waiting[waiting_n - 1];
    grid_vector_unknown(v);
    if ((info = grid_agree(&v->head, apply(v))) != GrB_SUCCESS) return info;
    grid_vector_forget(v);
  }
  return info;
}

GrB_Info grid_vector_apply(GrB_Vector v) {
  return v->pending.n ? apply(v) : GrB_SUCCESS;
}

/* A list that is longer than this is not moved for one element. */
enum { LONG = 256 };

/* The same on every process. */
static bool must_wait(GrB_Vector v, uint64_t i) {
  const grid_chunk *c = &v->chunk;
  if (grid_device_on()) return false; /* loops that run ahead take vectors as they are */
  if (grid_here.P > 1 || v->pending.n) return true;
  return c->format == GRID_LIST && c->nvals > LONG && c->idx[c->nvals - 1] >= i;
}

/* x is of v's type; NULL: the element goes. */
static GrB_Info change_now(GrB_Vector v, const void *x, GrB_Index i) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t local = i - grid_chunk_first(v->n, grid_here.k);
  grid_vector_unknown(v);
  if (grid_chunk_of(v->n, i) == grid_here.k)
    info = x ? grid_chunk_set(&v->chunk, local, x) : grid_chunk_remove(&v->chunk, local);
  return grid_agree(&v->head, info);
}

GrB_Info grid_vector_change(GrB_Vector v, const void *x, GrB_Index i) {
  GrB_Info info = GrB_SUCCESS;
  if (!must_wait(v, i)) {
    if (v->pending.n) TRY(settle());
    return change_now(v, x, i);
  }
  if (v->pending.n == 0 && waiting_n == MOST) TRY(settle());
  TRY(grid_pending_note(&v->pending, &v->head, v->type, x, v->type, i, 0));
  if (v->pending.n == 1) waiting[waiting_n++] = v;
  grid_settle_vectors = settle;
done:
  return info;
}
