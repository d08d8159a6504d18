/* Materializes a run: its levels become entries of the loop's vectors. */
#include "dist/lookahead/lookahead_run.h"
#include "dist/grid/layout.h"
#include "spmat/backend.h"

/* The arrays reserved for a frontier at the run's start, unless it has received them; NULL: none. */
static grid_chunk *claim_reserved(grid_lookahead_run *run, GrB_Vector v) {
  if (run->reserved[0].of == v || run->reserved[1].of == v) return NULL;
  for (int k = 0; k < 2; k++)
    if (!run->reserved[k].of && run->reserved[k].arrays.device && run->reserved[k].arrays.type == v->type) {
      run->reserved[k].of = v;
      return &run->reserved[k].arrays;
    }
  return NULL;
}

/* A frontier gets the vertices of its level. */
static GrB_Info materialize_frontier(grid_lookahead_run *run, const grid_frontier_ref *q,
                                     const grid_materialize *common) {
  const bool valued = run->parents != NULL || q->indexed;
  GrB_Info info = GrB_SUCCESS;
  grid_materialize job = *common;
  if (!q->v || q->at == 0) return info;
  grid_chunk *c = &q->v->chunk, *reserved = claim_reserved(run, q->v);
  if (reserved) {
    grid_chunk_swap(c, reserved);
    grid_chunk_free(reserved);
  } else {
    if (!c->device) grid_chunk_free(c);
    TRY(grid_chunk_reserve_device(c, true, !valued));
  }
  job.count = true;
  job.from = job.to = q->at;
  job.bits = c->bits;
  job.fresh = true;
  job.size = c->type->size;
  job.val = valued ? c->val : NULL;
  job.source = q->indexed ? NULL : run->parents;
  job.numbers = q->indexed;
  job.first = grid_chunk_first(q->v->n, grid_ctx.k);
  TRY(grid_cuda->materialize(&job, 1));
  if (!valued) {
    const double one = 1;
    grid_cast_array(c->host_value, c->type, &one, GrB_FP64, 0, 1);
    TRY(grid_device_write(c->val, c->host_value, c->type->size));
  }
  c->iso = !valued;
  c->format = GRID_BITMAP;
  c->nvals = job.nvals;
done:
  return info;
}

/* If no entry existed before, the sum of the levels' counts is the vector's number of entries. */
static GrB_Info add_counts(const grid_lookahead_run *run, uint64_t *nvals, const grid_follower *f) {
  GrB_Info info = GrB_SUCCESS;
  for (uint32_t k = f->materialized + 1; k <= f->to && info == GrB_SUCCESS; k++) {
    uint64_t found;
    info = run->engine->count_local(run->A->cached.lookahead.work, k, &found);
    *nvals += found;
  }
  return info;
}

/* When a run is materialized first: the mask's bitmap is the one of the last level, or that of the start.
 * *done: the mask needs neither entries nor values any more, only its number of entries. */
static GrB_Info complete_visited(grid_lookahead_run *run, bool *done) {
  const grid_follower *f = grid_lookahead_find_follower(run, run->visited);
  uint64_t later = 1;
  *done = false;
  if (!run->listed) return GrB_SUCCESS;
  if (f && f->from == 1) {
    GrB_Info info = run->engine->count(run->A->cached.lookahead.work, f->to + 1, &later, NULL);
    if (info != GrB_SUCCESS) return info;
  }
  /* the program stops before the last level, or has assigned to other vectors only */
  if (later) return grid_lookahead_restore_visited(run, &run->visited->chunk);
  grid_lookahead_drop_list(run);
  *done = !f->scalar && run->parents == run->visited->chunk.val;
  return GrB_SUCCESS;
}

/* is_mask_complete: the engine has filled the mask, which is a follower. */
static GrB_Info materialize_followers(grid_lookahead_run *run, const grid_materialize *common, bool over,
                                      bool is_mask_complete) {
  grid_materialize job[GRID_FOLLOWERS] = {*common};
  /* the vector whose value array holds the parents comes last, since others read them there */
  for (int k = 0; k + 1 < run->n; k++)
    if (run->f[k].w == run->visited) {
      const grid_follower v = run->f[k];
      run->f[k] = run->f[run->n - 1];
      run->f[run->n - 1] = v;
    }
  for (int k = 0; k < run->n; k++) {
    const grid_follower *f = &run->f[k];
    grid_chunk *c = &f->w->chunk;
    job[k] = *common;
    job[k].from = f->materialized + 1;
    job[k].to = f->to;
    job[k].bits = c->bits;
    job[k].size = c->type->size;
    job[k].val = c->val;
    job[k].keep_absent = !over && c->val == run->parents;
    job[k].table = f->scalar ? f->table : NULL;
    job[k].source = f->scalar ? NULL : run->parents;
    job[k].count = !f->disjoint || !run->engine->count_local;
  }
  const int jobs = run->n - is_mask_complete;
  GrB_Info info = jobs ? grid_cuda->materialize(job, jobs) : GrB_SUCCESS;
  for (int k = 0; k < run->n && info == GrB_SUCCESS; k++) {
    uint64_t *nvals = &run->f[k].w->chunk.nvals;
    if (job[k].count)
      *nvals = job[k].nvals;
    else
      info = add_counts(run, nvals, &run->f[k]);
    run->f[k].materialized = run->f[k].to;
    if (*nvals == job[k].n) run->f[k].w->chunk.format = GRID_FULL;
  }
  return info;
}

GrB_Info grid_lookahead_run_materialize(grid_lookahead_run *run, bool over) {
  grid_search *work = run->A->cached.lookahead.work;
  GrB_Info info = GrB_SUCCESS;
  /* several processes stop level by level; on one process the GPU continues */
  if (grid_ctx.P > 1) info = over ? run->engine->wait(work) : run->engine->pause(work, run->q.at);
  bool is_mask_complete = false;
  if (info == GrB_SUCCESS) info = complete_visited(run, &is_mask_complete);
  if (info == GrB_SUCCESS) {
    const grid_materialize common = {.level = run->engine->levels(work), .n = run->visited->chunk.n};
    if (run->form->least) info = run->engine->min_parents(work, &run->job, run->q.at);
    if (info == GrB_SUCCESS) info = materialize_frontier(run, &run->q, &common);
    if (info == GrB_SUCCESS) info = materialize_frontier(run, &run->before, &common);
    if (info == GrB_SUCCESS) info = materialize_followers(run, &common, over, is_mask_complete);
  }
  return info;
}
