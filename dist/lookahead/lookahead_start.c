/* Starts a run: examines the first product's operands, and allocates the arrays that the engine works on. */
#include <string.h>

#include "dist/lookahead/lookahead_run.h"
#include "dist/lookahead/search_engine.h"
#include "dist/grid/layout.h"
#include "dist/comm/peer_windows.h"
#include "spmat/backend.h"

bool grid_lookahead_is_within_base(const grid_lookahead_run *run, const grid_chunk *c) {
  if (run->nbase > GRID_SEARCH_SHORT_LIST || !grid_lookahead_is_short_list(c)) return c->nvals == 0;
  uint32_t known = 0;
  for (uint64_t k = 0; k < c->nvals; k++)
    for (uint32_t b = 0; b < run->nbase; b++) known += run->base[b] == c->idx[k];
  return known == c->nvals;
}

double grid_lookahead_to_double(GrB_Type t, const void *x) {
  double y;
  grid_cast_array(&y, GrB_FP64, x, t, 0, 1);
  return y;
}

bool grid_lookahead_is_integer(GrB_Type t) {
  return t == GrB_INT32 || t == GrB_INT64 || t == GrB_UINT32 || t == GrB_UINT64;
}

uint64_t grid_lookahead_first_index(GrB_Vector w) {
  return grid_chunk_first(w->n, grid_ctx.k);
}

/* *is_identity: q's entries on the device equal their indices. Checked only if a pattern needs it. */
static GrB_Info check_frontier_values(const grid_lookahead_product_call *c, const grid_search_engine *e,
                                      bool *is_identity) {
  const grid_chunk *q = &c->u->chunk;
  const grid_lookahead_pattern *f =
      grid_lookahead_find_pattern(c->s, c->flip, GRID_FRONTIER_VALUES_ARE_IDS, e->min_parents != NULL);
  *is_identity = c->indexed;
  if (*is_identity || !q->device || q->nvals == 0 || q->iso || !grid_lookahead_is_integer(q->type))
    return GrB_SUCCESS;
  if (!f || !f->needs) return GrB_SUCCESS;
  return grid_cuda->search->check_identity(q->val, q->format == GRID_BITMAP ? q->bits : NULL, q->type->size,
                                           q->n, grid_lookahead_first_index(c->u), is_identity);
}

/* Conditions known to hold for the product's operands; q's first global index is `first`. */
static unsigned known_conditions(GrB_Matrix A, const grid_chunk *q, uint64_t first, bool indexed) {
  const grid_local_matrix *b = &A->block;
  unsigned holds = GRID_FRONTIER_VALUES_ARE_IDS | GRID_FRONTIER_ONES;
  if (indexed) {
    holds = GRID_FRONTIER_VALUES_ARE_IDS;
  } else if (!q->device && q->nvals <= GRID_SEARCH_SHORT_LIST) {
    for (grid_iter it = grid_iter_begin(q); grid_iter_next(&it);) {
      const double x = grid_lookahead_to_double(q->type, it.v);
      if (x != 1) holds &= ~(unsigned)GRID_FRONTIER_ONES;
      if (x != (double)(first + it.i)) holds &= ~(unsigned)GRID_FRONTIER_VALUES_ARE_IDS;
    }
  } else if (q->nvals) {
    const bool ones = q->iso && grid_lookahead_to_double(q->type, grid_chunk_iso_value(q)) == 1;
    holds = ones ? GRID_FRONTIER_ONES : 0;
  }
  if (!grid_type_is_real(A->type) || !b->iso || grid_lookahead_to_double(A->type, b->iso_val) != 1)
    return holds;
  return holds | GRID_MATRIX_ONES;
}

/* Conditions that hold on all processes, and whether all have succeeded so far. */
static GrB_Info agree_on_known(GrB_Matrix A, GrB_Info info, unsigned *holds) {
  uint64_t v[4];
  if (grid_ctx.P == 1) return info;
  for (unsigned k = 0; k < 3; k++) v[k] = info == GrB_SUCCESS && !(*holds >> k & 1);
  v[3] = info == GRID_UNSUPPORTED;
  info = grid_agree_sum(&A->head, v[3] ? GrB_SUCCESS : info, v, 4);
  *holds = 0;
  for (unsigned k = 0; k < 3; k++) *holds |= (unsigned)(v[k] == 0) << k;
  return info == GrB_SUCCESS && v[3] ? GRID_UNSUPPORTED : info;
}

/* A short list stays on the host. A full frontier is not searched on one process; of several, one may have
 * all of its vertices in it. */
static GrB_Info prepare_frontier(grid_chunk *c) {
  GrB_Info info = grid_lookahead_is_short_list(c) ? GrB_SUCCESS : grid_chunk_to_device(c);
  if (info != GrB_SUCCESS || c->format != GRID_FULL) return info;
  return grid_ctx.P == 1 ? GRID_UNSUPPORTED : grid_chunk_to_bitmap(c);
}

/* Parents are written to the engine's array if it has one; to the mask's values if possible; else to an array
 * of the run. */
static GrB_Info prepare_parents(grid_lookahead_run *run, const grid_lookahead_product_call *c,
                                const grid_search_engine *e) {
  const grid_chunk *v = &c->mask->chunk;
  const size_t size = c->w->type->size;
  if (!run->form->parents) return GrB_SUCCESS;
  if (e->parents) {
    run->parents = e->parents(c->A->cached.lookahead.work, (int)size);
    return run->parents ? GrB_SUCCESS : grid_device_fail_memory(NULL, "parents", v->n, size);
  }
  if (c->mask->type == c->w->type && !run->visited_before) {
    run->parents = v->val;
    return GrB_SUCCESS;
  }
  run->parents = run->parents_buffer = grid_device_malloc(v->n, size);
  return run->parents ? GrB_SUCCESS : grid_device_fail_memory(NULL, "parents", v->n, size);
}

/* Minimum parents are computed after the run, when the frontier's arrays hold another level. */
static GrB_Info copy_frontier(grid_lookahead_run *run, const grid_chunk *q) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(q->n);
  if (!run->form->least || !q->device) return info;
  run->frontier_copy = grid_device_malloc(words, sizeof *run->frontier_copy);
  if (!run->frontier_copy)
    return grid_device_fail_memory(NULL, "a frontier", words, sizeof *run->frontier_copy);
  info = grid_device_copy(run->frontier_copy, q->bits, words * sizeof *run->frontier_copy);
  return info;
}

void grid_lookahead_free_arrays(grid_lookahead_run *run) {
  grid_device_free(run->parents_buffer);
  grid_device_free(run->visited_before);
  grid_device_free(run->frontier_copy);
  run->parents_buffer = run->parents = NULL;
  run->visited_before = run->frontier_copy = NULL;
  for (int k = 0; k < 2; k++) grid_chunk_free(&run->reserved[k].arrays);
  grid_lookahead_drop_list(run);
}

/* Several processes: reserves arrays for the frontiers of a run, `of`. Called while the GPUs search, or
 * before where the search could not be abandoned. */
static GrB_Info reserve_arrays(void *of) {
  grid_lookahead_run *run = of;
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < run->nreserved && info == GrB_SUCCESS; k++)
    info = grid_chunk_reserve_device(&run->reserved[k].arrays, true, !run->form->parents);
  return grid_device_oom_to_unsupported(info, refusals);
}

/* Several processes agree in here, so a failed one (info) takes part. */
static GrB_Info prepare(grid_lookahead_run *run, const grid_lookahead_product_call *c,
                        const grid_search_engine *e, bool transposed, GrB_Info info) {
  const GrB_Vector front[2] = {c->w, c->u};
  bool is_identity = false;
  for (int k = 0; k < 2; k++) {
    grid_chunk_init(&run->reserved[k].arrays, front[k]->type, front[k]->chunk.n);
    run->reserved[k].of = NULL;
  }
  run->parents = run->parents_buffer = NULL;
  run->visited_before = run->frontier_copy = NULL;
  run->listed = false;
  if (info == GrB_SUCCESS) info = check_frontier_values(c, e, &is_identity);
  unsigned holds = info == GrB_SUCCESS
                       ? known_conditions(c->A, &c->u->chunk, grid_lookahead_first_index(c->u), is_identity)
                       : 0;
  TRY(agree_on_known(c->A, info, &holds));
  run->form = grid_lookahead_find_pattern(c->s, c->flip, holds, e->min_parents != NULL);
  if (!run->form) return GRID_UNSUPPORTED;
  /* least parents are pushed to local rows, from all columns */
  if (run->form->least) TRY(grid_matrix_require(c->A, GRID_COLS));
  info = grid_chunk_wait(&c->u->chunk);
  if (info == GrB_SUCCESS) info = grid_chunk_wait(&c->w->chunk);
  if (info == GrB_SUCCESS) info = grid_lookahead_make_engine(c->A, e, transposed);
  if (info == GrB_SUCCESS) info = grid_lookahead_prepare_visited(run, &c->mask->chunk, e);
  TRY(grid_lookahead_agree_on_visited(run, c, info));
  TRY(prepare_frontier(&c->u->chunk));
  run->nreserved = grid_ctx.P == 1 ? 0 : c->w == c->u ? 1 : 2;
  if (!e->abandon) TRY(reserve_arrays(run));
  TRY(prepare_parents(run, c, e));
  TRY(copy_frontier(run, &c->u->chunk));
done:
  return info;
}

static grid_search_job make_job(const grid_lookahead_run *run, const grid_lookahead_product_call *c) {
  static const grid_search_direction directions[] = {GRID_SEARCH_AUTO, GRID_SEARCH_PUSH, GRID_SEARCH_PULL};
  const grid_chunk *q = &c->u->chunk;
  grid_search_job job = {.frontier = run->frontier_copy ? run->frontier_copy
                                     : q->device        ? q->bits
                                                        : NULL,
                         .size = q->nvals,
                         .visited = run->listed           ? NULL
                                    : run->visited_before ? run->visited_before
                                                          : c->mask->chunk.bits,
                         .parent = run->parents,
                         .parent_bytes = run->parents ? (int)c->w->type->size : 0,
                         .direction = directions[c->A->hints.direction],
                         .min_parents = run->form->least,
                         .max_levels = GRID_SEARCH_LEVELS};
  for (uint64_t k = 0; !q->device && k < q->nvals; k++)
    job.short_list[job.nshort_list++] = (uint32_t)q->idx[k];
  job.visited_is_listed = run->nbase <= GRID_SEARCH_SHORT_LIST;
  for (uint32_t k = 0; job.visited_is_listed && k < run->nbase; k++)
    job.visited_list[job.nvisited_list++] = (uint32_t)run->base[k];
  if (run->listed) grid_lookahead_request_visited(run, &c->mask->chunk, &job.after);
  return job;
}

GrB_Info grid_lookahead_start(grid_lookahead_run *run, const grid_lookahead_product_call *c,
                              const grid_search_engine *e, bool transposed, bool structure, bool *handled) {
  const uint64_t refusals = grid_device_oom_count();
  bool made;
  GrB_Info info = grid_window_warm_up(false); /* NCCL's messages use the same links */
  run->by_value = !structure;
  info =
      grid_device_oom_to_unsupported(prepare(run, c, e, transposed, info), refusals); /* ordinary products
                                                                                       * need less memory */
  info = grid_lookahead_agree_on_engine(c->A, e, info, &made);
  *handled = info != GRID_UNSUPPORTED;
  if (info == GrB_SUCCESS) {
    run->job = make_job(run, c);
    info = grid_lookahead_begin(c->A, e, &run->job, reserve_arrays, run);
    *handled = info != GRID_UNSUPPORTED;
  }
  if (info != GrB_SUCCESS) {
    const GrB_Info restored = grid_lookahead_restore_visited(run, &c->mask->chunk);
    grid_lookahead_free_arrays(run);
    return *handled ? info : restored;
  }
  run->active = true;
  run->ended = false;
  run->engine = e;
  run->A = c->A;
  run->add = c->s->add->op, run->mul = c->s->mul;
  run->flip = c->flip;
  run->q = (grid_frontier_ref){c->w, 1, false};
  run->before = (grid_frontier_ref){c->w == c->u ? NULL : c->u, 0, c->indexed};
  run->visited = c->mask;
  run->indices = NULL;
  run->transposed = transposed;
  run->n = 0;
  return info;
}
