/* Running ahead: which calls make a loop, and how its vectors are materialized. */
#include "dist/ahead/ahead.h"

#include <string.h>

#include "dist/ahead/ahead_run.h"
#include "dist/grid/layout.h"
#include "dist/object/matrix/matrix_device_pages.h"
#include "dist/product/product.h"
#include "dist/ahead/search_grid.h"
#include "dist/grid/window.h"
#include "spmat/backend.h"

static grid_ahead_run run;

/* ---- may it run ahead? --------------------------------------------------------------------------------- */

static bool all_live(const grid_ahead_call *c) {
  return c->w && c->mask && c->u && c->s && c->A && grid_is_live(c->w) && grid_is_live(c->mask) &&
         grid_is_live(c->u) && grid_is_live(c->s) && grid_is_live(c->A);
}

/* <!mask, replace>, all alike on every process. */
static bool has_shape(const grid_ahead_call *c, grid_desc *d) {
  if (!all_live(c) || c->accum || c->mask == c->w || c->mask == c->u) return false;
  if (c->mask->n != c->w->n || c->u->n != c->w->n || c->A->nrows != c->w->n) return false;
  if (grid_desc_get(c->desc, c->call, d) != GrB_SUCCESS || !d->complement || !d->replace) return false;
  const GrB_Type z = c->s->add->op->z;
  if (c->w->type != z || z->code == GRID_T_UDT || c->u->type->code == GRID_T_UDT) return false;
  return d->structure || c->mask->type->code != GRID_T_UDT;
}

/* And a product of forms.c, as far as its operands' values do not matter. */
static bool may_be_form(const grid_ahead_call *c, const grid_search_engine *e) {
  const unsigned all = GRID_OWN_INDICES | GRID_FRONTIER_ONES | GRID_MATRIX_ONES;
  return e && grid_ahead_form_of(c->s, c->flip, all, e->least != NULL) != NULL;
}

/* Conditions that all processes know alike. */
static const grid_search_engine *engine_for(GrB_Matrix A, bool transposed) {
  if (!grid_device_on() || grid_here.blocking || !grid_cuda->search) return NULL;
  if (A->nrows != A->ncols || A->pending.n || !A->ready || !A->split_decided || A->split) return NULL;
  if (A->forms != GRID_ALL_FORMS || (A->wide && !grid_wide_there(A)) || A->stays) return NULL;
  if (A->nrows > UINT32_MAX - 64 * (uint64_t)grid_here.P) return NULL;
  const bool few = A->nrows <= GRID_SEARCH_VERTICES;
  if (grid_here.P == 1) return few ? grid_cuda->search : NULL;
  /* every process must have its rows whole */
  if (grid_here.C > 1 || transposed) return NULL;
  const bool numbered = A->delegates >= 0, only_push = A->direction == Grid_DIRECTION_PUSH,
             sees = !grid_cuda->search->window || grid_window_all();
  if (few && !numbered && !only_push && sees) return grid_cuda->search;
  return grid_cuda->levels ? &grid_search_on_grid : NULL;
}

static bool block_fits(const grid_part *b) {
  return b->nvals > 0 && !b->row.ids && !b->col.ids;
}

/* A program that looks at its vectors after every product gets nothing out of it: each run that was cut short
 * makes the library wait longer before it tries again. */
static bool is_worth_it(GrB_Matrix A) {
  if (A->ahead.pause == 0) return true;
  A->ahead.pause--;
  return false;
}

static void remember_outcome(GrB_Matrix A, bool useful) {
  if (useful) {
    A->ahead.cut = 0;
  } else if (A->ahead.cut < 6) {
    A->ahead.pause = (1u << ++A->ahead.cut) - 1;
  } else {
    A->ahead.pause = 63;
  }
}

/* ---- starting ------------------------------------------------------------------------------------------ */

/* As grid_agree_here; and engines that some process has made anew are connected. */
static GrB_Info agree_on_engine(GrB_Matrix A, const grid_search_engine *e, GrB_Info info, bool *made) {
  uint64_t v[2] = {info == GRID_NOT_HERE, A->ahead.made};
  info = grid_agree_sum(&A->head, v[0] ? GrB_SUCCESS : info, v, 2);
  *made = v[1] > 0;
  if (info != GrB_SUCCESS || v[0]) return info == GrB_SUCCESS ? GRID_NOT_HERE : info;
  A->ahead.made = false;
  return *made && e->connect ? e->connect(A->ahead.work) : GrB_SUCCESS;
}

/* The GPUs wait for each other: one that has not started must not leave the others behind. They go on while
 * the processes agree. */
static GrB_Info agree_on_start(GrB_Matrix A, const grid_search_engine *e, GrB_Info info) {
  const bool started = info == GrB_SUCCESS;
  if (grid_here.P == 1 || !e->abandon) return info;
  info = grid_agree(&A->head, info);
  if (info == GrB_SUCCESS) return info;
  if (started) e->abandon(A->ahead.work);
  grid_window_close(); /* they hold part of a search */
  return info;
}

/* The engine starts, with windows that are large enough; in every process alike. */
static GrB_Info begin_run(GrB_Matrix A, const grid_search_engine *e, grid_search_job *job) {
  if (grid_here.P > 1 && e->window) {
    GrB_Info info = grid_window_grow(e->window(A->ahead.work, job->least));
    if (info != GrB_SUCCESS) return info;
    job->windows = grid_window_all();
  }
  return agree_on_start(A, e, e->start(A->ahead.work, job));
}

static grid_search_graph graph_of(GrB_Matrix A, bool transposed) {
  const grid_part *b = &A->block;
  const grid_compressed *out = transposed ? &b->by_row : &b->by_col,
                        *in = transposed ? &b->by_col : &b->by_row;
  return (grid_search_graph){.n = A->nrows,
                             .nvals = b->nvals,
                             .own = grid_chunk_length(A->nrows, grid_here.k),
                             .q = grid_even_size(A->nrows),
                             .P = grid_here.P,
                             .k = grid_here.k,
                             .out_ptr = out->ptr,
                             .out_idx = out->idx,
                             .in_ptr = in->ptr,
                             .in_idx = in->idx,
                             .in_first = in->first,
                             .nonempty = in->nonempty,
                             .out_wide = out->wide,
                             .in_wide = in->wide,
                             .large = GRID_SEARCH_LARGE,
                             .delegates = A->delegates};
}

static void drop_engine(GrB_Matrix A) {
  if (run.active && run.A == A) grid_ahead_materialize();
  if (A->ahead.work) A->ahead.engine->free(A->ahead.work);
  A->ahead.work = NULL;
}

/* An engine for the block's arrays as they stand: they may have moved since the last run. */
static GrB_Info make_engine(GrB_Matrix A, const grid_search_engine *e, bool transposed) {
  if (!block_fits(&A->block)) return GRID_NOT_HERE;
  const uint64_t refusals = grid_device_refusals();
  GrB_Info info = grid_device_or_host(grid_part_to_device(&A->block), refusals);
  if (info != GrB_SUCCESS) return info;
  const grid_search_graph g = graph_of(A, transposed);
  if (A->ahead.work && A->ahead.engine == e && grid_search_graph_same(&A->ahead.graph, &g))
    return GrB_SUCCESS;
  drop_engine(A);
  info = e->make(&A->ahead.work, &g);
  if (info != GrB_SUCCESS) A->ahead.work = NULL;
  A->ahead.made = info == GrB_SUCCESS;
  A->ahead.engine = e;
  A->ahead.graph = g;
  return info == GrB_OUT_OF_MEMORY ? GRID_NOT_HERE : info; /* products by themselves need less */
}

GrB_Info grid_ahead_ready(GrB_Matrix A) {
  const grid_search_engine *e = engine_for(A, !A->symmetric);
  /* a search in a directed graph is a product with the transpose (vxm) */
  GrB_Info info = e ? make_engine(A, e, !A->symmetric) : GrB_SUCCESS;
  return info == GRID_NOT_HERE ? GrB_SUCCESS : info;
}

/* Several processes: engines are connected, and the first messages between GPUs, which make the connections,
 * sent in a search from nowhere. */
GrB_Info grid_ahead_warm(GrB_Matrix A) {
  bool made;
  const grid_search_engine *e = grid_here.P > 1 ? engine_for(A, !A->symmetric) : NULL;
  const uint64_t words = grid_words(grid_chunk_length(A->nrows, grid_here.k));
  uint64_t *visited;
  if (!e) return GrB_SUCCESS;
  GrB_Info info = GRID_NOT_HERE;
  visited = grid_device_malloc(words, sizeof *visited);
  if (A->ahead.work)
    info = visited ? grid_device_zero(visited, words * sizeof *visited)
                   : grid_device_fail_memory(NULL, "a bitmap", words, sizeof *visited);
  info = agree_on_engine(A, e, info, &made);
  if (info == GrB_SUCCESS && made)
    info = begin_run(A, e, &(grid_search_job){.visited = visited, .max_levels = 1});
  grid_device_free(visited);
  return info == GRID_NOT_HERE ? GrB_SUCCESS : info;
}

static bool is_few(const grid_chunk *c) {
  return !c->device && c->format == GRID_LIST && c->nvals <= GRID_SEARCH_FEW;
}

/* c becomes a bitmap on the device with dense values of its own; its entries stay. */
static GrB_Info make_dense(grid_chunk *c) {
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

/* Are all entries of w among the vertices visited at the start? */
static bool within_base(const grid_chunk *c) {
  if (run.nbase > GRID_SEARCH_FEW || !is_few(c)) return c->nvals == 0;
  uint32_t known = 0;
  for (uint64_t k = 0; k < c->nvals; k++)
    for (uint32_t b = 0; b < run.nbase; b++) known += run.base[b] == c->idx[k];
  return known == c->nvals;
}

static double number_of(GrB_Type t, const void *x) {
  double y;
  grid_cast_array(&y, GrB_FP64, x, t, 0, 1);
  return y;
}

static bool is_whole(GrB_Type t) {
  return t == GrB_INT32 || t == GrB_INT64 || t == GrB_UINT32 || t == GrB_UINT64;
}

/* The index of the first own entry of a vector like w. */
static uint64_t first_index(GrB_Vector w) {
  return grid_chunk_first(w->n, grid_here.k);
}

/* *own: q's entries on the device are their own indices. That is looked up if a form would ask for it. */
static GrB_Info look_at_frontier(const grid_ahead_call *c, const grid_search_engine *e, bool *own) {
  const grid_chunk *q = &c->u->chunk;
  const grid_ahead_form *f = grid_ahead_form_of(c->s, c->flip, GRID_OWN_INDICES, e->least != NULL);
  *own = c->indexed;
  if (*own || !q->device || q->nvals == 0 || q->iso || !is_whole(q->type)) return GrB_SUCCESS;
  if (!f || !f->needs || !e->own_indices) return GrB_SUCCESS;
  return e->own_indices(q->val, q->format == GRID_BITMAP ? q->bits : NULL, q->type->size, q->n,
                        first_index(c->u), own);
}

/* What is known of the values that a product looks at; q's first entry would be `first`. */
static unsigned known_of(GrB_Matrix A, const grid_chunk *q, uint64_t first, bool indexed) {
  const grid_part *b = &A->block;
  unsigned holds = GRID_OWN_INDICES | GRID_FRONTIER_ONES;
  if (indexed) {
    holds = GRID_OWN_INDICES;
  } else if (!q->device && q->nvals <= GRID_SEARCH_FEW) {
    for (grid_iter it = grid_begin(q); grid_next(&it);) {
      const double x = number_of(q->type, it.v);
      if (x != 1) holds &= ~(unsigned)GRID_FRONTIER_ONES;
      if (x != (double)(first + it.i)) holds &= ~(unsigned)GRID_OWN_INDICES;
    }
  } else if (q->nvals) {
    const bool ones = q->iso && number_of(q->type, grid_chunk_iso_value(q)) == 1;
    holds = ones ? GRID_FRONTIER_ONES : 0;
  }
  if (A->type->code == GRID_T_UDT || !b->iso || number_of(A->type, b->iso_val) != 1) return holds;
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
static GrB_Info prepare_visited(grid_chunk *v) {
  GrB_Info info = GrB_SUCCESS;
  grid_mask m = {0};
  bool truth = true; /* of all entries */
  TRY(grid_chunk_settle(v));
  for (uint64_t k = 0; is_few(v) && k < v->nvals && truth; k++)
    truth = grid_is_true(v->type, (const char *)v->val + (v->iso ? 0 : k * v->type->size));
  run.nbase = is_few(v) && (truth || !run.by_value) ? (uint32_t)v->nvals : UINT32_MAX;
  if (run.nbase <= GRID_SEARCH_FEW && v->nvals) memcpy(run.base, v->idx, v->nvals * sizeof *v->idx);
  /* all are visited; of several processes' vertices, those of one */
  if (v->format == GRID_FULL && !run.by_value && grid_here.P == 1) return GRID_NOT_HERE;
  TRY(make_dense(v));
  if (!run.by_value || run.nbase <= GRID_SEARCH_FEW) return info;
  TRY(grid_mask_read(&m, v, v->n, false, true));
  run.seen = m.own_bits;
  if (!run.seen) return info;
  uint64_t count;
  TRY(grid_cuda->chunks->combine(NULL, run.seen, NULL, GRID_AND, v->n, &count));
  if (count < v->nvals) return info;
  grid_device_free(run.seen); /* all of its entries are true */
  run.seen = NULL;
done:
  return info;
}

/* Several processes: where one has entries that are not true, all know what is visited apart. */
static GrB_Info agree_on_seen(const grid_ahead_call *c, GrB_Info info) {
  const grid_chunk *v = &c->mask->chunk;
  const uint64_t words = grid_words(v->n);
  uint64_t told[2] = {info == GRID_NOT_HERE, run.seen != NULL};
  if (grid_here.P == 1 || !run.by_value) return info;
  info = grid_agree_sum(&c->A->head, told[0] ? GrB_SUCCESS : info, told, 2);
  if (info != GrB_SUCCESS || told[0]) return info == GrB_SUCCESS ? GRID_NOT_HERE : info;
  if (told[1] == 0 || run.seen) return info;
  run.seen = grid_device_malloc(words, sizeof *run.seen);
  if (!run.seen) return grid_device_fail_memory(NULL, "visited vertices", words, sizeof *run.seen);
  return grid_device_copy(run.seen, v->bits, words * sizeof *run.seen);
}

/* Where parents go: to the mask's values where they may, else to an array of the run's. */
static GrB_Info prepare_parents(const grid_ahead_call *c) {
  const grid_chunk *v = &c->mask->chunk;
  const size_t size = c->w->type->size;
  if (!run.form->parents) return GrB_SUCCESS;
  if (c->mask->type == c->w->type && !run.seen) {
    run.parents = v->val;
    return GrB_SUCCESS;
  }
  run.parents = run.own_parents = grid_device_malloc(v->n, size);
  return run.parents ? GrB_SUCCESS : grid_device_fail_memory(NULL, "parents", v->n, size);
}

/* Least parents are looked for when the run is over, and the frontier's arrays another level's. */
static GrB_Info keep_frontier(const grid_chunk *q) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(q->n);
  if (!run.form->least || !q->device) return info;
  run.own_frontier = grid_device_malloc(words, sizeof *run.own_frontier);
  if (!run.own_frontier) return grid_device_fail_memory(NULL, "a frontier", words, sizeof *run.own_frontier);
  info = grid_device_copy(run.own_frontier, q->bits, words * sizeof *run.own_frontier);
  return info;
}

static void free_room(void) {
  grid_device_free(run.own_parents);
  grid_device_free(run.seen);
  grid_device_free(run.own_frontier);
  run.own_parents = run.parents = NULL;
  run.seen = run.own_frontier = NULL;
  for (int k = 0; k < 2; k++) grid_chunk_free(&run.room[k].arrays);
}

/* Several processes: arrays for each of the frontiers. */
static GrB_Info make_room(const grid_ahead_call *c) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < (c->w == c->u ? 1 : 2) && info == GrB_SUCCESS; k++)
    info = grid_chunk_reserve_device(&run.room[k].arrays, true, !run.form->parents);
  return info;
}

/* Several processes agree on the way, so that one that has failed (info) comes along. */
static GrB_Info prepare(const grid_ahead_call *c, const grid_search_engine *e, bool transposed,
                        GrB_Info info) {
  const GrB_Vector front[2] = {c->w, c->u};
  bool own = false;
  for (int k = 0; k < 2; k++) {
    grid_chunk_init(&run.room[k].arrays, front[k]->type, front[k]->chunk.n);
    run.room[k].of = NULL;
  }
  run.parents = run.own_parents = NULL;
  run.seen = run.own_frontier = NULL;
  if (info == GrB_SUCCESS) info = look_at_frontier(c, e, &own);
  unsigned holds = info == GrB_SUCCESS ? known_of(c->A, &c->u->chunk, first_index(c->u), own) : 0;
  TRY(agree_on_known(c->A, info, &holds));
  run.form = grid_ahead_form_of(c->s, c->flip, holds, e->least != NULL);
  if (!run.form) return GRID_NOT_HERE;
  info = grid_chunk_settle(&c->u->chunk);
  if (info == GrB_SUCCESS) info = grid_chunk_settle(&c->w->chunk);
  if (info == GrB_SUCCESS) info = make_engine(c->A, e, transposed);
  if (info == GrB_SUCCESS) info = prepare_visited(&c->mask->chunk);
  TRY(agree_on_seen(c, info));
  TRY(prepare_frontier(&c->u->chunk));
  if (grid_here.P > 1) TRY(make_room(c));
  TRY(prepare_parents(c));
  TRY(keep_frontier(&c->u->chunk));
done:
  return info;
}

static grid_search_job job_of(const grid_ahead_call *c) {
  static const grid_search_direction way[] = {GRID_SEARCH_AUTO, GRID_SEARCH_PUSH, GRID_SEARCH_PULL};
  const grid_chunk *q = &c->u->chunk;
  grid_search_job job = {.frontier = run.own_frontier ? run.own_frontier
                                     : q->device      ? q->bits
                                                      : NULL,
                         .size = q->nvals,
                         .visited = run.seen ? run.seen : c->mask->chunk.bits,
                         .parent = run.parents,
                         .parent_bytes = run.parents ? (int)c->w->type->size : 0,
                         .direction = way[c->A->direction],
                         .least = run.form->least,
                         .max_levels = GRID_SEARCH_LEVELS};
  for (uint64_t k = 0; !q->device && k < q->nvals; k++) job.few[job.nfew++] = (uint32_t)q->idx[k];
  return job;
}

static GrB_Info start(const grid_ahead_call *c, const grid_search_engine *e, bool transposed, bool structure,
                      bool *taken) {
  const uint64_t refusals = grid_device_refusals();
  bool made;
  GrB_Info info = grid_window_wake(); /* NCCL's messages go over the same links */
  run.by_value = !structure;
  info = grid_device_or_host(prepare(c, e, transposed, info), refusals); /* products need less */
  info = agree_on_engine(c->A, e, info, &made);
  *taken = info != GRID_NOT_HERE;
  if (info == GrB_SUCCESS) {
    run.job = job_of(c);
    info = begin_run(c->A, e, &run.job);
    *taken = info != GRID_NOT_HERE;
  }
  if (info != GrB_SUCCESS) {
    free_room();
    return *taken ? info : GrB_SUCCESS;
  }
  run.active = true;
  run.ended = false;
  run.engine = e;
  run.A = c->A;
  run.add = c->s->add->op, run.mul = c->s->mul;
  run.flip = c->flip;
  run.q = (grid_front){c->w, 1, false};
  run.before = (grid_front){c->w == c->u ? NULL : c->u, 0, c->indexed};
  run.visited = c->mask;
  run.indices = NULL;
  run.transposed = transposed;
  run.n = 0;
  return info;
}

/* ---- the calls of the loop ------------------------------------------------------------------------------
 */

/* Are the frontier's values all 1? */
static bool is_ones(void) {
  return !run.form->parents && !run.q.indexed;
}

static grid_follower *follower_of(GrB_Vector w) {
  for (int k = 0; k < run.n; k++)
    if (run.f[k].w == w) return &run.f[k];
  return NULL;
}

/* Is this the next round: everything found so far, the last level included, counted as visited? */
static bool is_next(const grid_ahead_call *c, const grid_desc *d, bool transposed) {
  if (!run.active || run.A != c->A || run.q.v != c->u || run.visited != c->mask || run.add != c->s->add->op ||
      run.mul != c->s->mul || run.flip != c->flip || run.transposed != transposed ||
      run.by_value != !d->structure || run.q.at >= GRID_SEARCH_LEVELS)
    return false;
  if (c->w != c->u && c->w != run.before.v) return false;
  if (run.form->needs & GRID_OWN_INDICES && !run.q.indexed) return false;
  if (run.form->needs & GRID_FRONTIER_ONES && run.q.indexed) return false;
  const grid_follower *v = follower_of(run.visited);
  return v && v->from == 1 && v->to == run.q.at;
}

/* w, which may have been the operand before, stands for the next level. */
static void go_on(GrB_Vector w) {
  const grid_front last = run.q;
  run.q = (grid_front){w, last.at + 1, false};
  if (w != last.v) run.before = last;
}

static GrB_Info trace(const grid_ahead_call *c) {
  grid_product p = {.call = c->call};
  grid_search_level what = {0};
  uint64_t found = 0, before = 0;
  GrB_Info info = run.engine->count(run.A->ahead.work, run.q.at, &found, &what);
  if (info == GrB_SUCCESS && run.q.at > 1)
    info = run.engine->count(run.A->ahead.work, run.q.at - 1, &before, NULL);
  if (info != GrB_SUCCESS) return info;
  p.stats = (Grid_Product){.call = c->call,
                           .direction = what.pull ? "pull" : "push",
                           .x_format = "bitmap",
                           .y_format = "bitmap",
                           .frontier = run.q.at > 1 ? before : c->u->chunk.nvals,
                           .found = grid_here.k == 0 ? found : 0,
                           .inspected = what.inspected,
                           .local_ms = what.us * 1e-3};
  return grid_trace_product(&p);
}

/* Several processes may search level by level, together: the level that the program has reached must be under
 * way, since materializing may be local. */
static GrB_Info reach(void) {
  uint64_t found;
  return grid_here.P > 1 ? run.engine->count(run.A->ahead.work, run.q.at - 1, &found, NULL) : GrB_SUCCESS;
}

GrB_Info grid_ahead_product(const grid_ahead_call *c, bool *taken) {
  grid_desc d;
  GrB_Info info = GrB_SUCCESS;
  *taken = false;
  if (!run.active && !grid_device_on()) return info;
  if (grid_compares_calls) info = grid_compare_calls(c->call);
  if (info == GrB_SUCCESS && grid_here.ready && has_shape(c, &d)) {
    /* a symmetric matrix is its own transpose */
    const bool transposed = !c->A->symmetric && (c->flip ? d.tran1 : d.tran0) != c->flip;
    const grid_search_engine *e = engine_for(c->A, transposed);
    if (!may_be_form(c, e)) e = NULL;
    if (is_next(c, &d, transposed)) {
      go_on(c->w);
      *taken = true;
      info = reach();
    } else if (e) {
      grid_ahead_call first = *c;
      first.indexed = run.active && run.q.v == c->u && run.q.indexed;
      info = grid_ahead_materialize();
      if (info == GrB_SUCCESS && is_worth_it(c->A)) info = start(&first, e, transposed, d.structure, taken);
    }
  }
  if (info == GrB_SUCCESS && *taken && grid_tracing()) info = trace(c);
  return info;
}

/* As grid_check_ready does for calls that no loop takes. */
static GrB_Info tell(const char *call) {
  return grid_compares_calls ? grid_compare_calls(call) : GrB_SUCCESS;
}

GrB_Info grid_ahead_nvals(uint64_t *nvals, GrB_Vector v, bool *taken) {
  *taken = run.active && v && v == run.q.v && nvals;
  if (!*taken) return GrB_SUCCESS;
  GrB_Info info = tell("GrB_Vector_nvals");
  if (info == GrB_SUCCESS) info = run.engine->count(run.A->ahead.work, run.q.at, nvals, NULL);
  run.ended = run.ended || (info == GrB_SUCCESS && *nvals == 0);
  return info;
}

GrB_Info grid_ahead_reduce(void *x, GrB_Type type, GrB_BinaryOp accum, GrB_Monoid m, GrB_Vector u,
                           bool *taken) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t count;
  int64_t sum;
  *taken = false;
  if (!run.active || !u || u != run.q.v || !is_ones() || !x || !type || accum) return info;
  if (!m || !grid_is_live(m) || !grid_ahead_sums(m, 0, &sum)) return info;
  *taken = true;
  TRY(tell("GrB_reduce"));
  TRY(run.engine->count(run.A->ahead.work, run.q.at, &count, NULL));
  run.ended = run.ended || count == 0;
  grid_ahead_sums(m, count, &sum);
  grid_cast_array(x, type, &sum, GrB_INT64, 0, 1);
done:
  return info;
}

/* Room for the entries to come, agreed on over the grid, since materializing may be local. */
static GrB_Info join(GrB_Vector w, bool scalar, grid_follower **f) {
  GrB_Info info = grid_chunk_settle(&w->chunk);
  const bool disjoint = !run.seen && (w == run.visited || within_base(&w->chunk));
  if (info == GrB_SUCCESS && w != run.visited) info = make_dense(&w->chunk);
  info = grid_agree_here(&w->head, info);
  if (info != GrB_SUCCESS) return info;
  *f = &run.f[run.n++];
  **f = (grid_follower){.w = w,
                        .from = run.q.at,
                        .to = run.q.at - 1,
                        .materialized = run.q.at - 1,
                        .scalar = scalar,
                        .disjoint = disjoint};
  return info;
}

/* *own: v has its own index in all of this process's places. */
static GrB_Info look_at_own(GrB_Vector v, bool *own) {
  const grid_chunk *c = &v->chunk;
  const uint64_t first = first_index(v);
  GrB_Info info = grid_chunk_settle(c);
  *own = info == GrB_SUCCESS && c->n == 0;
  if (*own || info != GrB_SUCCESS || c->format != GRID_FULL || (c->iso && c->n > 1)) return info;
  if (c->device && !c->iso) return run.engine->own_indices(c->val, NULL, v->type->size, c->n, first, own);
  if (c->device) return info;
  uint64_t k = 0;
  while (k < c->n && number_of(v->type, (const char *)c->val + k * v->type->size) == (double)(first + k)) k++;
  *own = k == c->n;
  return info;
}

/* *own: v, which is no vector of the loop, has its own index everywhere. Agreed on. */
static GrB_Info look_for_indices(GrB_Vector v, bool *own) {
  GrB_Info info = GrB_SUCCESS;
  *own = v == run.indices;
  if (*own || !grid_is_live(v) || !is_whole(v->type) || v->n != run.q.v->n) return info;
  if (v == run.visited || v == run.before.v || follower_of(v) || !run.engine->own_indices) return info;
  info = look_at_own(v, own);
  uint64_t other = !*own;
  info = grid_agree_sum(&v->head, info, &other, 1);
  *own = info == GrB_SUCCESS && other == 0;
  if (*own) run.indices = v;
  return info;
}

/* q<q> = ...: its pattern stays. */
static GrB_Info change_frontier(const grid_effect *f, bool *taken) {
  GrB_Info info = GrB_SUCCESS;
  const GrB_Type t = run.q.v->type;
  if (f->kind == GRID_EFFECT_ENTRIES) {
    *taken = true;
  } else if (f->kind == GRID_EFFECT_VALUE) {
    *taken = is_ones() && f->x && grid_compatible(t, f->type) && number_of(f->type, f->x) == 1;
  } else if (is_whole(t) && (grid_here.P == 1 || run.form->parents)) { /* else there is no room for values */
    *taken = !f->indices;
    if (f->indices) info = look_for_indices(f->indices, taken);
    run.q.indexed = run.q.indexed || *taken;
  }
  return info;
}

/* The value that w's entries of this level get, in w's type. */
static void note_value(grid_follower *f, const grid_effect *e) {
  grid_cast_array((char *)f->table + run.q.at * f->w->type->size, f->w->type, e->x, e->type, 0, 1);
}

/* May w follow, by its type and its mask? */
static bool can_follow(GrB_Vector w, const grid_effect *e) {
  uint64_t value = 0;
  if (w->n != run.q.v->n || w->chunk.n != run.q.v->chunk.n || w->type->code == GRID_T_UDT) return false;
  if (w == run.before.v || (e->disjoint && (w != run.visited || run.seen))) return false;
  if (e->kind == GRID_EFFECT_ENTRIES)
    return run.parents && !run.q.indexed && w->type == run.q.v->type && !(run.by_value && w == run.visited);
  if (e->kind != GRID_EFFECT_VALUE || !e->x || !grid_compatible(w->type, e->type)) return false;
  if (!run.by_value || w != run.visited) return true;
  grid_cast_array(&value, w->type, e->x, e->type, 0, 1); /* it must say that they are visited */
  return grid_is_true(w->type, &value);
}

bool grid_ahead_may(const void *op) {
  return run.active && op && grid_is_live(op);
}

GrB_Info grid_ahead_entrywise(const grid_ahead_entries *call, bool *taken) {
  static const int8_t one = 1;
  static const char *const name[] = {[GRID_CALL_ASSIGN] = "GrB_assign",
                                     [GRID_CALL_APPLY] = "GrB_apply",
                                     [GRID_CALL_ADD] = "GrB_eWiseAdd",
                                     [GRID_CALL_MULT] = "GrB_eWiseMult"};
  uint64_t room = 0;
  *taken = false;
  if (!run.active || !run.q.v) return GrB_SUCCESS;
  GrB_Info info = tell(name[call->what]);
  if (info != GrB_SUCCESS) return info;
  grid_effect e = grid_effect_of(call, run.q.v);
  if (e.kind == GRID_EFFECT_OTHER || (e.truth && !is_ones())) return info;
  if (call->w == run.q.v) return change_frontier(&e, taken);
  if (e.kind == GRID_EFFECT_ENTRIES && is_ones()) e.kind = GRID_EFFECT_VALUE, e.x = &one, e.type = GrB_INT8;
  if (e.kind == GRID_EFFECT_VALUE && e.x && call->z && e.type->code != GRID_T_UDT) {
    grid_cast_array(&room, call->z, e.x, e.type, 0, 1); /* the operator's own type */
    e.x = &room, e.type = call->z;
  }
  if (!can_follow(call->w, &e)) return info;
  const bool scalar = e.kind == GRID_EFFECT_VALUE;
  grid_follower *f = follower_of(call->w);
  if (f ? f->scalar != scalar || f->to + 1 != run.q.at : run.n == GRID_FOLLOWERS) return info;
  if (!f) info = join(call->w, scalar, &f);
  if (info == GRID_NOT_HERE) return GrB_SUCCESS;
  *taken = true;
  if (info != GrB_SUCCESS) return info;
  f->to = run.q.at;
  if (scalar) note_value(f, &e);
  return info;
}

/* ---- materializing ------------------------------------------------------------------------------------- */

GrB_Info grid_ahead_materialize(void) {
  if (!run.active) return GrB_SUCCESS;
  run.active = false; /* the calls below are none of the program's */
  GrB_Info info = grid_ahead_run_materialize(&run, true);
  free_room();
  remember_outcome(run.A, run.q.at > 1 || run.ended);
  return info;
}

GrB_Info grid_ahead_peek(void) {
  if (!run.active || grid_here.P == 1) return grid_ahead_materialize();
  return grid_ahead_run_materialize(&run, false);
}

void grid_ahead_release(GrB_Vector v) {
  if (!run.active) return;
  grid_follower *f = follower_of(v);
  if (v == run.indices) run.indices = NULL;
  if (v == run.visited && (run.q.v || run.before.v || run.n > (f != NULL))) {
    grid_ahead_materialize();    /* the others' values may be in its arrays */
  } else if (v == run.visited) { /* nobody will ask any more */
    run.active = false;
    if (grid_here.P > 1) run.engine->wait(run.A->ahead.work);
    free_room();
  } else if (v == run.q.v) {
    run.q.v = NULL;
  } else if (v == run.before.v) {
    run.before.v = NULL;
  } else if (f) {
    *f = run.f[--run.n];
  }
}

uint64_t grid_ahead_delegates(GrB_Matrix A, int64_t *threshold) {
  int64_t above = 0;
  const grid_search_engine *e = A->ahead.work ? A->ahead.engine : NULL;
  const uint64_t d = e && e->delegates ? e->delegates(A->ahead.work, &above) : 0;
  if (d) *threshold = above;
  return d;
}

void grid_ahead_drop(GrB_Matrix A) {
  drop_engine(A);
  A->ahead.pause = A->ahead.cut = 0;
}
