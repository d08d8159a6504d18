/* Elementwise calls of a run: assignments under the frontier, which are recorded, and changes of the
 * frontier's values. */
#include "dist/lookahead/lookahead_run.h"
#include "dist/grid/layout.h"
#include "spmat/backend.h"

bool grid_lookahead_is_iso_one(const grid_lookahead_run *run) {
  return !run->form->parents && !run->q.indexed;
}

grid_follower *grid_lookahead_find_follower(grid_lookahead_run *run, GrB_Vector w) {
  for (int k = 0; k < run->n; k++)
    if (run->f[k].w == w) return &run->f[k];
  return NULL;
}

/* Reserves memory for w's entries, agreed on over the grid, since materializing may be local. */
static GrB_Info add_follower(grid_lookahead_run *run, GrB_Vector w, bool scalar, grid_follower **f) {
  GrB_Info info = grid_chunk_wait(&w->chunk);
  const bool disjoint =
      !run->visited_before && (w == run->visited || grid_lookahead_is_within_base(run, &w->chunk));
  if (info == GrB_SUCCESS && w != run->visited) info = grid_lookahead_make_dense(&w->chunk);
  info = grid_agree_supported(&w->head, info);
  if (info != GrB_SUCCESS) return info;
  *f = &run->f[run->n++];
  **f = (grid_follower){.w = w,
                        .from = run->q.at,
                        .to = run->q.at - 1,
                        .materialized = run->q.at - 1,
                        .scalar = scalar,
                        .disjoint = disjoint};
  return info;
}

/* *is_identity: all of this process's entries of v are present and equal their global index. */
static GrB_Info check_local_indices(GrB_Vector v, bool *is_identity) {
  const grid_chunk *c = &v->chunk;
  const uint64_t first = grid_lookahead_first_index(v);
  GrB_Info info = grid_chunk_wait(c);
  *is_identity = info == GrB_SUCCESS && c->n == 0;
  if (*is_identity || info != GrB_SUCCESS || c->format != GRID_FULL || (c->iso && c->n > 1)) return info;
  if (c->device && !c->iso)
    return grid_cuda->search->check_identity(c->val, NULL, v->type->size, c->n, first, is_identity);
  if (c->device) return info;
  uint64_t k = 0;
  while (k < c->n &&
         grid_lookahead_to_double(v->type, (const char *)c->val + k * v->type->size) == (double)(first + k))
    k++;
  *is_identity = k == c->n;
  return info;
}

/* *is_identity: v, which is not a vector of the loop, holds its index everywhere. Agreed on. */
static GrB_Info check_all_indices(grid_lookahead_run *run, GrB_Vector v, bool *is_identity) {
  GrB_Info info = GrB_SUCCESS;
  *is_identity = v == run->indices;
  if (*is_identity || !grid_is_live(v) || v->pending.n || !grid_lookahead_is_integer(v->type) ||
      v->n != run->q.v->n)
    return info;
  if (v == run->visited || v == run->before.v || grid_lookahead_find_follower(run, v)) return info;
  info = check_local_indices(v, is_identity);
  uint64_t other = !*is_identity;
  info = grid_agree_sum(&v->head, info, &other, 1);
  *is_identity = info == GrB_SUCCESS && other == 0;
  if (*is_identity) run->indices = v;
  return info;
}

/* q<q> = ...: the pattern does not change. */
static GrB_Info change_frontier(grid_lookahead_run *run, const grid_effect *f, bool *handled) {
  GrB_Info info = GrB_SUCCESS;
  const GrB_Type t = run->q.v->type;
  if (f->kind == GRID_EFFECT_ENTRIES) {
    *handled = true;
  } else if (f->kind == GRID_EFFECT_VALUE) {
    *handled = grid_lookahead_is_iso_one(run) && f->x && grid_compatible(t, f->type) &&
               grid_lookahead_to_double(f->type, f->x) == 1;
  } else if (grid_lookahead_is_integer(t) &&
             (grid_ctx.P == 1 || run->form->parents)) { /* otherwise there is no memory for values */
    *handled = !f->indices;
    if (f->indices) info = check_all_indices(run, f->indices, handled);
    run->q.indexed = run->q.indexed || *handled;
  }
  return info;
}

/* Records the value of w's entries of this level, in w's type. */
static void record_value(const grid_lookahead_run *run, grid_follower *f, const grid_effect *e) {
  grid_cast_array((char *)f->table + run->q.at * f->w->type->size, f->w->type, e->x, e->type, 0, 1);
}

/* Can w become a follower, by its type and the mask? */
static bool can_follow(const grid_lookahead_run *run, GrB_Vector w, const grid_effect *e) {
  uint64_t value = 0;
  if (w->n != run->q.v->n || w->chunk.n != run->q.v->chunk.n || !grid_type_is_real(w->type) || w->pending.n)
    return false;
  if (w == run->before.v || (e->disjoint && (w != run->visited || run->visited_before))) return false;
  if (e->kind == GRID_EFFECT_ENTRIES)
    return run->parents && !run->q.indexed && w->type == run->q.v->type &&
           !(run->by_value && w == run->visited);
  if (e->kind != GRID_EFFECT_VALUE || !e->x || !grid_type_is_real(e->type)) return false;
  if (!run->by_value || w != run->visited) return true;
  grid_cast_array(&value, w->type, e->x, e->type, 0, 1); /* the value must be true, since the mask is used
                                                          * by value */
  return grid_is_true(w->type, &value);
}

GrB_Info grid_lookahead_run_ewise(grid_lookahead_run *run, const grid_lookahead_ewise_call *call,
                                  bool *handled) {
  static const int8_t one = 1;
  uint64_t storage = 0;
  GrB_Info info = GrB_SUCCESS;
  grid_effect e = grid_effect_of(call, run->q.v);
  if (e.kind == GRID_EFFECT_UNSUPPORTED || (e.entries_are_true && !grid_lookahead_is_iso_one(run)))
    return info;
  if (call->z && !grid_type_is_real(call->z)) return info;
  if (call->w == run->q.v) return change_frontier(run, &e, handled);
  if (e.kind == GRID_EFFECT_ENTRIES && grid_lookahead_is_iso_one(run))
    e.kind = GRID_EFFECT_VALUE, e.x = &one, e.type = GrB_INT8;
  if (e.kind == GRID_EFFECT_VALUE && e.x && call->z && grid_type_is_real(e.type)) {
    grid_cast_array(&storage, call->z, e.x, e.type, 0, 1); /* first cast to the operator's type */
    e.x = &storage, e.type = call->z;
  }
  if (!can_follow(run, call->w, &e)) return info;
  const bool scalar = e.kind == GRID_EFFECT_VALUE;
  grid_follower *f = grid_lookahead_find_follower(run, call->w);
  if (f ? f->scalar != scalar || f->to + 1 != run->q.at : run->n == GRID_FOLLOWERS) return info;
  if (!f) info = add_follower(run, call->w, scalar, &f);
  if (info == GRID_UNSUPPORTED) return GrB_SUCCESS;
  *handled = true;
  if (info != GrB_SUCCESS) return info;
  f->to = run->q.at;
  if (scalar) record_value(run, f, &e);
  return info;
}
