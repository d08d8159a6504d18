/* Running ahead: which calls make a loop, and how its vectors are materialized. */
#include "dist/ahead/ahead.h"

#include <string.h>

#include "dist/ahead/ahead_run.h"
#include "dist/grid/layout.h"
#include "dist/product/product.h"
#include "dist/ahead/search_grid.h"
#include "dist/grid/window.h"
#include "spmat/backend.h"

static grid_ahead_run run;

/* ---- may it run ahead? --------------------------------------------------------------------------------- */

static bool all_live(const grid_ahead_call *c) {
  return c->w && c->mask && c->s && c->A && grid_is_live(c->w) && grid_is_live(c->mask) &&
         grid_is_live(c->s) && grid_is_live(c->A);
}

/* Are products `true` and sums as good as any of their terms, where all values are true? */
static bool is_lor_land(GrB_Semiring s) {
  return s->add->op->op == GRID_OP_LOR && s->mul->op == GRID_OP_LAND && s->mul->z == GrB_BOOL;
}

/* w == u and <!mask, struct, replace>, a semiring whose sums are any of their terms and whose terms are the
 * same for all entries, or the other end's number. */
static bool has_shape(const grid_ahead_call *c, grid_desc *d) {
  if (c->w != c->u || c->accum || !all_live(c) || c->mask == c->w || c->mask->n != c->w->n) return false;
  if (grid_desc_get(c->desc, c->call, d) != GrB_SUCCESS) return false;
  const int mul = c->s->mul->op;
  const bool any = c->s->add->any && (mul == GRID_OP_SECONDI || mul == GRID_OP_ONEB);
  return d->structure && d->complement && d->replace && c->s->head.builtin && (any || is_lor_land(c->s)) &&
         c->w->type == c->s->add->op->z && c->s->add->op->z->code != GRID_T_UDT;
}

/* Conditions that all processes know alike. */
static const grid_search_engine *engine_for(GrB_Matrix A, bool transposed) {
  if (!grid_device_on() || grid_here.blocking || !grid_cuda->search) return NULL;
  if (A->nrows != A->ncols || A->pending.n || !A->ready || !A->split_decided || A->split) return NULL;
  if (A->forms != GRID_ALL_FORMS || A->wide) return NULL;
  if (A->nrows > UINT32_MAX - 64 * (uint64_t)grid_here.P) return NULL;
  const bool few = A->nrows <= GRID_SEARCH_VERTICES;
  if (grid_here.P == 1) return few ? grid_cuda->search : NULL;
  /* every process must have its rows whole */
  if (grid_here.C > 1 || transposed) return NULL;
  const bool numbered = A->delegates >= 0, only_push = A->direction == Grid_DIRECTION_PUSH;
  return few && !numbered && !only_push && grid_window_all() ? grid_cuda->search : &grid_search_on_grid;
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
    GrB_Info info = grid_window_grow(e->window(A->ahead.work));
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
  GrB_Info info = grid_part_to_device(&A->block);
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
  if (c->format == GRID_FULL) return GRID_NOT_HERE;
  TRY(grid_chunk_not_iso(c));
  TRY(grid_chunk_reserve_device(c, true, false)); /* an empty chunk may have no values yet */
done:
  return info;
}

static bool takes_parents(GrB_Vector v, GrB_Semiring s) {
  return s->mul->op == GRID_OP_SECONDI && v->type == s->mul->z;
}

/* Are all entries of w among the vertices visited at the start? */
static bool within_base(const grid_chunk *c) {
  if (run.nbase > GRID_SEARCH_FEW || !is_few(c)) return c->nvals == 0;
  uint32_t known = 0;
  for (uint64_t k = 0; k < c->nvals; k++)
    for (uint32_t b = 0; b < run.nbase; b++) known += run.base[b] == c->idx[k];
  return known == c->nvals;
}

/* LOR_LAND: is everything true that the products look at? */
static bool all_true(GrB_Matrix A, const grid_chunk *q) {
  const grid_part *b = &A->block;
  if (A->type != GrB_BOOL || !b->iso || !*(const bool *)b->iso_val) return false;
  if (q->iso && q->nvals) return *(const bool *)grid_chunk_iso_value(q);
  for (uint64_t k = 0; k < q->nvals; k++)
    if (!is_few(q) || !((const bool *)q->val)[k]) return false;
  return true;
}

/* A short frontier stays where it is. */
static GrB_Info prepare_frontier(const grid_chunk *c) {
  GrB_Info info = is_few(c) ? GrB_SUCCESS : grid_chunk_to_device(c);
  return info == GrB_SUCCESS && c->format == GRID_FULL ? GRID_NOT_HERE : info;
}

static GrB_Info prepare(const grid_ahead_call *c, const grid_search_engine *e, bool transposed) {
  GrB_Info info = GrB_SUCCESS;
  const grid_chunk *v = &c->mask->chunk;
  TRY(grid_chunk_settle(v));
  TRY(grid_chunk_settle(&c->w->chunk));
  run.own_parents = run.parents = NULL;
  run.nbase = is_few(v) ? (uint32_t)v->nvals : UINT32_MAX;
  if (is_few(v) && v->nvals) memcpy(run.base, v->idx, v->nvals * sizeof *v->idx);
  if (is_lor_land(c->s) && !all_true(c->A, &c->w->chunk)) return GRID_NOT_HERE;
  TRY(make_engine(c->A, e, transposed));
  TRY(make_dense(&c->mask->chunk));
  TRY(prepare_frontier(&c->w->chunk));
  grid_chunk_init(&run.room, c->w->type, c->w->chunk.n);
  if (grid_here.P > 1) TRY(grid_chunk_reserve_device(&run.room, true, c->s->mul->op != GRID_OP_SECONDI));
  if (takes_parents(c->mask, c->s)) {
    run.parents = c->mask->chunk.val;
  } else if (c->s->mul->op == GRID_OP_SECONDI) {
    const size_t size = c->w->type->size;
    run.parents = run.own_parents = grid_device_malloc(c->w->chunk.n, size);
    if (!run.parents) info = grid_device_fail_memory(NULL, "parents", c->w->chunk.n, size);
  }
done:
  return info;
}

static void free_room(void) {
  grid_device_free(run.own_parents);
  run.own_parents = NULL;
  grid_chunk_free(&run.room);
}

static GrB_Info start(const grid_ahead_call *c, const grid_search_engine *e, bool transposed, bool *taken) {
  static const grid_search_direction way[] = {GRID_SEARCH_AUTO, GRID_SEARCH_PUSH, GRID_SEARCH_PULL};
  bool made;
  GrB_Info info = grid_window_wake(); /* NCCL's messages go over the same links */
  if (info == GrB_SUCCESS) info = prepare(c, e, transposed);
  info = agree_on_engine(c->A, e, info, &made);
  *taken = info != GRID_NOT_HERE;
  if (info == GrB_SUCCESS) {
    const grid_chunk *q = &c->w->chunk;
    grid_search_job job = {.frontier = q->device ? q->bits : NULL,
                           .visited = c->mask->chunk.bits,
                           .parent = run.parents,
                           .parent_bytes = run.parents ? (int)c->w->type->size : 0,
                           .direction = way[c->A->direction],
                           .max_levels = GRID_SEARCH_LEVELS};
    for (uint64_t k = 0; !q->device && k < q->nvals; k++) job.few[job.nfew++] = (uint32_t)q->idx[k];
    info = begin_run(c->A, e, &job);
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
  run.s = c->s;
  run.q = c->w;
  run.visited = c->mask;
  run.transposed = transposed;
  run.at = 1;
  run.n = 0;
  return info;
}

/* ---- the calls of the loop ------------------------------------------------------------------------------
 */

static grid_follower *follower_of(GrB_Vector w) {
  for (int k = 0; k < run.n; k++)
    if (run.f[k].w == w) return &run.f[k];
  return NULL;
}

/* Is this the next round: everything found so far, the last level included, counted as visited? */
static bool is_next(const grid_ahead_call *c, bool transposed) {
  if (!run.active || run.A != c->A || run.q != c->w || run.visited != c->mask || run.s != c->s ||
      run.transposed != transposed || run.at >= GRID_SEARCH_LEVELS)
    return false;
  const grid_follower *v = follower_of(run.visited);
  return v && v->from == 1 && v->to == run.at;
}

static GrB_Info trace(const grid_ahead_call *c) {
  grid_product p = {.call = c->call};
  grid_search_level what = {0};
  uint64_t found = 0, before = 0;
  GrB_Info info = run.engine->count(run.A->ahead.work, run.at, &found, &what);
  if (info == GrB_SUCCESS && run.at > 1)
    info = run.engine->count(run.A->ahead.work, run.at - 1, &before, NULL);
  if (info != GrB_SUCCESS) return info;
  p.stats = (Grid_Product){.call = c->call,
                           .direction = what.pull ? "pull" : "push",
                           .x_format = "bitmap",
                           .y_format = "bitmap",
                           .frontier = run.at > 1 ? before : c->u->chunk.nvals,
                           .found = grid_here.k == 0 ? found : 0,
                           .inspected = what.inspected,
                           .local_ms = what.us * 1e-3};
  return grid_trace_product(&p);
}

/* Several processes may search level by level, together: the level that the program has reached must be under
 * way, since materializing may be local. */
static GrB_Info reach(void) {
  uint64_t found;
  return grid_here.P > 1 ? run.engine->count(run.A->ahead.work, run.at - 1, &found, NULL) : GrB_SUCCESS;
}

GrB_Info grid_ahead_product(const grid_ahead_call *c, bool *taken) {
  grid_desc d;
  GrB_Info info = GrB_SUCCESS;
  *taken = false;
  if (!run.active && !grid_device_on()) return info;
  if (grid_here.ready && has_shape(c, &d)) {
    /* a symmetric matrix is its own transpose */
    const bool transposed = !c->A->symmetric && (c->flip ? d.tran1 : d.tran0) != c->flip;
    const grid_search_engine *e = engine_for(c->A, transposed);
    if (is_next(c, transposed)) {
      run.at++;
      *taken = true;
      info = reach();
    } else if (e && c->A->nrows == c->w->n) {
      info = grid_ahead_materialize();
      if (info == GrB_SUCCESS && is_worth_it(c->A)) info = start(c, e, transposed, taken);
    }
  }
  if (info == GrB_SUCCESS && *taken && grid_tracing()) info = trace(c);
  return info;
}

GrB_Info grid_ahead_nvals(uint64_t *nvals, GrB_Vector v, bool *taken) {
  *taken = run.active && v && v == run.q && nvals;
  if (!*taken) return GrB_SUCCESS;
  GrB_Info info = run.engine->count(run.A->ahead.work, run.at, nvals, NULL);
  run.ended = run.ended || (info == GrB_SUCCESS && *nvals == 0);
  return info;
}

/* Room for the entries to come, agreed on over the grid, since materializing may be local. */
static GrB_Info join(GrB_Vector w, bool scalar, grid_follower **f) {
  GrB_Info info = grid_chunk_settle(&w->chunk);
  const bool disjoint = w == run.visited || within_base(&w->chunk);
  if (info == GrB_SUCCESS && w != run.visited) info = make_dense(&w->chunk);
  info = grid_agree_here(&w->head, info);
  if (info != GrB_SUCCESS) return info;
  *f = &run.f[run.n++];
  **f = (grid_follower){.w = w,
                        .from = run.at,
                        .to = run.at - 1,
                        .materialized = run.at - 1,
                        .scalar = scalar,
                        .disjoint = disjoint};
  return info;
}

/* May w follow, by its type? */
static bool can_follow(GrB_Vector w, GrB_Vector u, GrB_Type type) {
  if (w->n != run.q->n || w->chunk.n != run.q->chunk.n || w->type->code == GRID_T_UDT) return false;
  return u ? u == run.q && run.parents && w->type == u->type : grid_compatible(w->type, type);
}

GrB_Info grid_ahead_assign(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, const void *x,
                           GrB_Type type, GrB_Descriptor desc, bool *taken) {
  grid_desc d;
  GrB_Info info = GrB_SUCCESS;
  *taken = false;
  if (!run.active || !mask || mask != run.q || !w || w == run.q || accum || !grid_is_live(w)) return info;
  if (grid_desc_get(desc, "GrB_assign", &d) != GrB_SUCCESS) return info;
  if (!d.structure || d.complement || d.replace || (!u && !x) || !can_follow(w, u, type)) return info;
  grid_follower *f = follower_of(w);
  if (f ? f->scalar != !u || f->to + 1 != run.at : run.n == GRID_FOLLOWERS) return info;
  if (!f) info = join(w, !u, &f);
  if (info == GRID_NOT_HERE) return GrB_SUCCESS;
  *taken = true;
  if (info != GrB_SUCCESS) return info;
  f->to = run.at;
  if (!u) grid_cast_array((char *)f->table + run.at * w->type->size, w->type, x, type, 0, 1);
  return info;
}

/* ---- materializing
 * ------------------------------------------------------------------------------------------ */

GrB_Info grid_ahead_materialize(void) {
  if (!run.active) return GrB_SUCCESS;
  run.active = false; /* the calls below are none of the program's */
  GrB_Info info = grid_ahead_run_materialize(&run, true);
  free_room();
  remember_outcome(run.A, run.at > 1 || run.ended);
  return info;
}

GrB_Info grid_ahead_peek(void) {
  if (!run.active || grid_here.P == 1) return grid_ahead_materialize();
  return grid_ahead_run_materialize(&run, false);
}

void grid_ahead_release(GrB_Vector v) {
  if (!run.active) return;
  grid_follower *f = follower_of(v);
  if (v == run.visited && (run.q || run.n > (f != NULL))) {
    grid_ahead_materialize();    /* the others' values may be in its arrays */
  } else if (v == run.visited) { /* nobody will ask any more */
    run.active = false;
    if (grid_here.P > 1) run.engine->wait(run.A->ahead.work);
    free_room();
  } else if (v == run.q) {
    run.q = NULL;
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
