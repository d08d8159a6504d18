/* The search engine of a matrix: chosen for its block, made, connected and started by all processes alike. */
#include "dist/ahead/engine.h"

#include "dist/ahead/ahead.h"
#include "dist/ahead/search_grid.h"
#include "dist/grid/layout.h"
#include "dist/grid/window.h"
#include "dist/object/matrix/matrix_device_pages.h"
#include "spmat/backend.h"

const grid_search_engine *grid_ahead_engine_for(GrB_Matrix A, bool transposed) {
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

GrB_Info grid_ahead_agree_on_engine(GrB_Matrix A, const grid_search_engine *e, GrB_Info info, bool *made) {
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

GrB_Info grid_ahead_begin(GrB_Matrix A, const grid_search_engine *e, grid_search_job *job) {
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
  grid_ahead_leave(A);
  if (A->ahead.work) A->ahead.engine->free(A->ahead.work);
  A->ahead.work = NULL;
}

GrB_Info grid_ahead_make_engine(GrB_Matrix A, const grid_search_engine *e, bool transposed) {
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
  const grid_search_engine *e = grid_ahead_engine_for(A, !A->symmetric);
  /* a search in a directed graph is a product with the transpose (vxm) */
  GrB_Info info = e ? grid_ahead_make_engine(A, e, !A->symmetric) : GrB_SUCCESS;
  return info == GRID_NOT_HERE ? GrB_SUCCESS : info;
}

/* Several processes: engines are connected, and the first messages between GPUs, which make the connections,
 * sent in a search from nowhere. */
GrB_Info grid_ahead_warm(GrB_Matrix A) {
  bool made;
  const grid_search_engine *e = grid_here.P > 1 ? grid_ahead_engine_for(A, !A->symmetric) : NULL;
  const uint64_t words = grid_words(grid_chunk_length(A->nrows, grid_here.k));
  uint64_t *visited;
  if (!e) return GrB_SUCCESS;
  GrB_Info info = GRID_NOT_HERE;
  visited = grid_device_malloc(words, sizeof *visited);
  if (A->ahead.work)
    info = visited ? grid_device_zero(visited, words * sizeof *visited)
                   : grid_device_fail_memory(NULL, "a bitmap", words, sizeof *visited);
  info = grid_ahead_agree_on_engine(A, e, info, &made);
  if (info == GrB_SUCCESS && made)
    info = grid_ahead_begin(A, e, &(grid_search_job){.visited = visited, .max_levels = 1});
  grid_device_free(visited);
  return info == GRID_NOT_HERE ? GrB_SUCCESS : info;
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
