/* Starting a run: what is known of the first product's operands, and the arrays that the engine works on. */
#include <string.h>

#include "dist/ahead/ahead_run.h"
#include "dist/ahead/engine.h"
#include "dist/grid/layout.h"
#include "dist/grid/window.h"
#include "spmat/backend.h"

static bool is_few(const grid_chunk *c) {
  return !c->device && c->format == GRID_LIST && c->nvals <= GRID_SEARCH_FEW;
}

GrB_Info grid_ahead_make_dense(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  /* on the device, one value for all would be written to all of c's places, entries or not */
  if (is_few(c)) TRY(grid_chunk_not_iso(c));
  TRY(grid_chunk_to_device(c));
  TRY(grid_chunk_to_bitmap(c)); /* a full one */
  TRY(grid_chunk_not_iso(c));
  TRY(grid_chunk_reserve_device(c, true, false)); /* an empty chunk may have no values yet */
done:
  return info;
}

bool grid_ahead_within_base(const grid_ahead_run *run, const grid_chunk *c) {
  if (run->nbase > GRID_SEARCH_FEW || !is_few(c)) return c->nvals == 0;
  uint32_t known = 0;
  for (uint64_t k = 0; k < c->nvals; k++)
    for (uint32_t b = 0; b < run->nbase; b++) known += run->base[b] == c->idx[k];
  return known == c->nvals;
}

double grid_ahead_number(GrB_Type t, const void *x) {
  double y;
  grid_cast_array(&y, GrB_FP64, x, t, 0, 1);
  return y;
}

bool grid_ahead_is_whole(GrB_Type t) {
  return t == GrB_INT32 || t == GrB_INT64 || t == GrB_UINT32 || t == GrB_UINT64;
}

uint64_t grid_ahead_first_index(GrB_Vector w) {
  return grid_chunk_first(w->n, grid_here.k);
}

/* *own: q's entries on the device are their own indices. That is looked up if a form would ask for it. */
static GrB_Info look_at_frontier(const grid_ahead_call *c, const grid_search_engine *e, bool *own) {
  const grid_chunk *q = &c->u->chunk;
  const grid_ahead_form *f = grid_ahead_form_of(c->s, c->flip, GRID_OWN_INDICES, e->least != NULL);
  *own = c->indexed;
  if (*own || !q->device || q->nvals == 0 || q->iso || !grid_ahead_is_whole(q->type)) return GrB_SUCCESS;
  if (!f || !f->needs || !e->own_indices) return GrB_SUCCESS;
  return e->own_indices(q->val, q->format == GRID_BITMAP ? q->bits : NULL, q->type->size, q->n,
                        grid_ahead_first_index(c->u), own);
}

/* What is known of the values that a product looks at; q's first entry would be `first`. */
static unsigned known_of(GrB_Matrix A, const grid_chunk *q, uint64_t first, bool indexed) {
  const grid_part *b = &A->block;
  unsigned holds = GRID_OWN_INDICES | GRID_FRONTIER_ONES;
  if (indexed) {
    holds = GRID_OWN_INDICES;
  } else if (!q->device && q->nvals <= GRID_SEARCH_FEW) {
    for (grid_iter it = grid_begin(q); grid_next(&it);) {
      const double x = grid_ahead_number(q->type, it.v);
      if (x != 1) holds &= ~(unsigned)GRID_FRONTIER_ONES;
      if (x != (double)(first + it.i)) holds &= ~(unsigned)GRID_OWN_INDICES;
    }
  } else if (q->nvals) {
    const bool ones = q->iso && grid_ahead_number(q->type, grid_chunk_iso_value(q)) == 1;
    holds = ones ? GRID_FRONTIER_ONES : 0;
  }
  if (A->type->code == GRID_T_UDT || !b->iso || grid_ahead_number(A->type, b->iso_val) != 1) return holds;
  return holds | GRID_MATRIX_ONES;
}

/* What all processes know, and whether all have come so far. */
static GrB_Info agree_on_known(GrB_Matrix A, GrB_Info info, unsigned *holds) {
  uint64_t v[4];
  if (grid_here.P == 1) return info;
  for (unsigned k = 0; k < 3; k++) v[k] = info == GrB_SUCCESS && !(*holds >> k & 1);
  v[3] = info == GRID_NOT_HERE;
  info = grid_agree_sum(&A->head, v[3] ? GrB_SUCCESS : info, v, 4);
  *holds = 0;
  for (unsigned k = 0; k < 3; k++) *holds |= (unsigned)(v[k] == 0) << k;
  return info == GrB_SUCCESS && v[3] ? GRID_NOT_HERE : info;
}

/* A short frontier stays where it is. Of several processes one may have all of its vertices in it. */
static GrB_Info prepare_frontier(grid_chunk *c) {
  GrB_Info info = is_few(c) ? GrB_SUCCESS : grid_chunk_to_device(c);
  if (info != GrB_SUCCESS || c->format != GRID_FULL) return info;
  return grid_here.P == 1 ? GRID_NOT_HERE : grid_chunk_to_bitmap(c);
}

/* The mask: what is visited at the start. */
static GrB_Info prepare_visited(grid_ahead_run *run, grid_chunk *v) {
  GrB_Info info = GrB_SUCCESS;
  grid_mask m = {0};
  bool truth = true; /* of all entries */
  TRY(grid_chunk_settle(v));
  for (uint64_t k = 0; is_few(v) && k < v->nvals && truth; k++)
    truth = grid_is_true(v->type, (const char *)v->val + (v->iso ? 0 : k * v->type->size));
  run->nbase = is_few(v) && (truth || !run->by_value) ? (uint32_t)v->nvals : UINT32_MAX;
  if (run->nbase <= GRID_SEARCH_FEW && v->nvals) memcpy(run->base, v->idx, v->nvals * sizeof *v->idx);
  /* all are visited; of several processes' vertices, those of one */
  if (v->format == GRID_FULL && !run->by_value && grid_here.P == 1) return GRID_NOT_HERE;
  TRY(grid_ahead_make_dense(v));
  if (!run->by_value || run->nbase <= GRID_SEARCH_FEW) return info;
  TRY(grid_mask_read(&m, v, v->n, false, true));
  run->seen = m.own_bits;
  if (!run->seen) return info;
  uint64_t count;
  TRY(grid_cuda->chunks->combine(NULL, run->seen, NULL, GRID_AND, v->n, &count));
  if (count < v->nvals) return info;
  grid_device_free(run->seen); /* all of its entries are true */
  run->seen = NULL;
done:
  return info;
}

/* Several processes: where one has entries that are not true, all know what is visited apart. */
static GrB_Info agree_on_seen(grid_ahead_run *run, const grid_ahead_call *c, GrB_Info info) {
  const grid_chunk *v = &c->mask->chunk;
  const uint64_t words = grid_words(v->n);
  uint64_t told[2] = {info == GRID_NOT_HERE, run->seen != NULL};
  if (grid_here.P == 1 || !run->by_value) return info;
  info = grid_agree_sum(&c->A->head, told[0] ? GrB_SUCCESS : info, told, 2);
  if (info != GrB_SUCCESS || told[0]) return info == GrB_SUCCESS ? GRID_NOT_HERE : info;
  if (told[1] == 0 || run->seen) return info;
  run->seen = grid_device_malloc(words, sizeof *run->seen);
  if (!run->seen) return grid_device_fail_memory(NULL, "visited vertices", words, sizeof *run->seen);
  return grid_device_copy(run->seen, v->bits, words * sizeof *run->seen);
}

/* Where parents go: to the mask's values where they may, else to an array of the run's. */
static GrB_Info prepare_parents(grid_ahead_run *run, const grid_ahead_call *c) {
  const grid_chunk *v = &c->mask->chunk;
  const size_t size = c->w->type->size;
  if (!run->form->parents) return GrB_SUCCESS;
  if (c->mask->type == c->w->type && !run->seen) {
    run->parents = v->val;
    return GrB_SUCCESS;
  }
  run->parents = run->own_parents = grid_device_malloc(v->n, size);
  return run->parents ? GrB_SUCCESS : grid_device_fail_memory(NULL, "parents", v->n, size);
}

/* Least parents are looked for when the run is over, and the frontier's arrays another level's. */
static GrB_Info keep_frontier(grid_ahead_run *run, const grid_chunk *q) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(q->n);
  if (!run->form->least || !q->device) return info;
  run->own_frontier = grid_device_malloc(words, sizeof *run->own_frontier);
  if (!run->own_frontier)
    return grid_device_fail_memory(NULL, "a frontier", words, sizeof *run->own_frontier);
  info = grid_device_copy(run->own_frontier, q->bits, words * sizeof *run->own_frontier);
  return info;
}

void grid_ahead_free_room(grid_ahead_run *run) {
  grid_device_free(run->own_parents);
  grid_device_free(run->seen);
  grid_device_free(run->own_frontier);
  run->own_parents = run->parents = NULL;
  run->seen = run->own_frontier = NULL;
  for (int k = 0; k < 2; k++) grid_chunk_free(&run->room[k].arrays);
}

/* Several processes: arrays for each of the frontiers. */
static GrB_Info make_room(grid_ahead_run *run, const grid_ahead_call *c) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < (c->w == c->u ? 1 : 2) && info == GrB_SUCCESS; k++)
    info = grid_chunk_reserve_device(&run->room[k].arrays, true, !run->form->parents);
  return info;
}

/* Several processes agree on the way, so that one that has failed (info) comes along. */
static GrB_Info prepare(grid_ahead_run *run, const grid_ahead_call *c, const grid_search_engine *e,
                        bool transposed, GrB_Info info) {
  const GrB_Vector front[2] = {c->w, c->u};
  bool own = false;
  for (int k = 0; k < 2; k++) {
    grid_chunk_init(&run->room[k].arrays, front[k]->type, front[k]->chunk.n);
    run->room[k].of = NULL;
  }
  run->parents = run->own_parents = NULL;
  run->seen = run->own_frontier = NULL;
  if (info == GrB_SUCCESS) info = look_at_frontier(c, e, &own);
  unsigned holds = info == GrB_SUCCESS ? known_of(c->A, &c->u->chunk, grid_ahead_first_index(c->u), own) : 0;
  TRY(agree_on_known(c->A, info, &holds));
  run->form = grid_ahead_form_of(c->s, c->flip, holds, e->least != NULL);
  if (!run->form) return GRID_NOT_HERE;
  info = grid_chunk_settle(&c->u->chunk);
  if (info == GrB_SUCCESS) info = grid_chunk_settle(&c->w->chunk);
  if (info == GrB_SUCCESS) info = grid_ahead_make_engine(c->A, e, transposed);
  if (info == GrB_SUCCESS) info = prepare_visited(run, &c->mask->chunk);
  TRY(agree_on_seen(run, c, info));
  TRY(prepare_frontier(&c->u->chunk));
  if (grid_here.P > 1) TRY(make_room(run, c));
  TRY(prepare_parents(run, c));
  TRY(keep_frontier(run, &c->u->chunk));
done:
  return info;
}

static grid_search_job job_of(const grid_ahead_run *run, const grid_ahead_call *c) {
  static const grid_search_direction way[] = {GRID_SEARCH_AUTO, GRID_SEARCH_PUSH, GRID_SEARCH_PULL};
  const grid_chunk *q = &c->u->chunk;
  grid_search_job job = {.frontier = run->own_frontier ? run->own_frontier
                                     : q->device       ? q->bits
                                                       : NULL,
                         .size = q->nvals,
                         .visited = run->seen ? run->seen : c->mask->chunk.bits,
                         .parent = run->parents,
                         .parent_bytes = run->parents ? (int)c->w->type->size : 0,
                         .direction = way[c->A->direction],
                         .least = run->form->least,
                         .max_levels = GRID_SEARCH_LEVELS};
  for (uint64_t k = 0; !q->device && k < q->nvals; k++) job.few[job.nfew++] = (uint32_t)q->idx[k];
  return job;
}

GrB_Info grid_ahead_start(grid_ahead_run *run, const grid_ahead_call *c, const grid_search_engine *e,
                          bool transposed, bool structure, bool *taken) {
  const uint64_t refusals = grid_device_refusals();
  bool made;
  GrB_Info info = grid_window_wake(); /* NCCL's messages go over the same links */
  run->by_value = !structure;
  info = grid_device_or_host(prepare(run, c, e, transposed, info), refusals); /* products need less */
  info = grid_ahead_agree_on_engine(c->A, e, info, &made);
  *taken = info != GRID_NOT_HERE;
  if (info == GrB_SUCCESS) {
    run->job = job_of(run, c);
    info = grid_ahead_begin(c->A, e, &run->job);
    *taken = info != GRID_NOT_HERE;
  }
  if (info != GrB_SUCCESS) {
    grid_ahead_free_room(run);
    return *taken ? info : GrB_SUCCESS;
  }
  run->active = true;
  run->ended = false;
  run->engine = e;
  run->A = c->A;
  run->add = c->s->add->op, run->mul = c->s->mul;
  run->flip = c->flip;
  run->q = (grid_front){c->w, 1, false};
  run->before = (grid_front){c->w == c->u ? NULL : c->u, 0, c->indexed};
  run->visited = c->mask;
  run->indices = NULL;
  run->transposed = transposed;
  run->n = 0;
  return info;
}
