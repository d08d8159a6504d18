/* The search engine of a matrix: chosen for its block, made, connected and started by all processes alike. */
#include "dist/lookahead/search_engine.h"

#include "dist/lookahead/lookahead.h"
#include "dist/lookahead/search_grid.h"
#include "dist/grid/layout.h"
#include "dist/comm/peer_windows.h"
#include "dist/matrix/matrix_require.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "spmat/backend.h"

/* What every engine needs, but for forms. */
static bool is_searchable(GrB_Matrix A) {
  if (!grid_device_is_on() || grid_ctx.blocking || !grid_cuda->search) return false;
  if (A->nrows != A->ncols || A->pages || A->pending.n || !A->properties.ready || !A->delegates.decided ||
      A->delegates.split)
    return false;
  if ((A->properties.offsets64 && !grid_offsets64_on_device(A)) || A->block.host_resident) return false;
  return A->nrows <= UINT32_MAX - 64 * (uint64_t)grid_ctx.P;
}

bool grid_lookahead_lacks_forms(GrB_Matrix A) {
  return grid_matrix_makes_forms_late(A) && !grid_matrix_has_device_forms(A) && is_searchable(A) &&
         A->nrows <= GRID_SEARCH_VERTICES && A->cached.lookahead.cooldown == 0;
}

const grid_search_engine *grid_lookahead_choose_engine(GrB_Matrix A, bool transposed) {
  if (!is_searchable(A) || !grid_matrix_has_device_forms(A)) return NULL;
  const bool is_small = A->nrows <= GRID_SEARCH_VERTICES;
  if (grid_ctx.P == 1) return is_small ? grid_cuda->search : NULL;
  /* without windows every process must have its rows whole */
  const bool whole_rows = (transposed ? grid_ctx.R : grid_ctx.C) == 1;
  const bool only_push = A->hints.direction == Grid_DIRECTION_PUSH,
             sees = grid_window_addresses() || (whole_rows && !grid_cuda->search->window);
  const bool even = !grid_partition_of(A->nrows);
  if (is_small && !only_push && sees && (whole_rows || even)) return grid_cuda->search;
  return whole_rows && even && grid_cuda->levels ? &grid_search_on_grid : NULL;
}

static bool can_search_block(const grid_local_matrix *b) {
  return b->nvals > 0 && !b->row.ids && !b->col.ids;
}

GrB_Info grid_lookahead_agree_on_engine(GrB_Matrix A, const grid_search_engine *e, GrB_Info info,
                                        bool *made) {
  uint64_t v[2] = {info == GRID_UNSUPPORTED, A->cached.lookahead.engine_is_new};
  info = grid_agree_sum(&A->head, v[0] ? GrB_SUCCESS : info, v, 2);
  *made = v[1] > 0;
  if (info != GrB_SUCCESS || v[0]) return info == GrB_SUCCESS ? GRID_UNSUPPORTED : info;
  A->cached.lookahead.engine_is_new = false;
  if (*made && e->connect) info = e->connect(A->cached.lookahead.work);
  return info;
}

/* GPUs wait for each other, so one that has not started must not leave the others waiting. They run while
 * the processes agree. */
static GrB_Info start_engine(GrB_Matrix A, const grid_search_engine *e, const grid_search_job *job,
                             GrB_Info (*meanwhile)(void *of), void *of) {
  GrB_Info info = e->start(A->cached.lookahead.work, job);
  const bool started = info == GrB_SUCCESS;
  if (grid_ctx.P == 1 || !e->abandon) return info;
  if (started && meanwhile) info = meanwhile(of);
  info = grid_agree(&A->head, info);
  if (info == GrB_SUCCESS) return info;
  if (started) e->abandon(A->cached.lookahead.work);
  grid_window_close(); /* the windows hold an incomplete search */
  return info;
}

GrB_Info grid_lookahead_begin(GrB_Matrix A, const grid_search_engine *e, grid_search_job *job,
                              GrB_Info (*meanwhile)(void *of), void *of) {
  if (grid_ctx.P > 1 && e->window) {
    GrB_Info info = grid_window_grow(e->window(A->cached.lookahead.work, job->min_parents));
    if (info != GrB_SUCCESS) return info;
    job->windows = grid_window_addresses();
  }
  return start_engine(A, e, job, meanwhile, of);
}

grid_search_members grid_search_members_of(bool column) {
  const uint32_t R = (uint32_t)grid_ctx.R, i = (uint32_t)grid_ctx.i, j = (uint32_t)grid_ctx.j;
  return column ? (grid_search_members){.n = R, .at = i, .first = j * R, .stride = 1}
                : (grid_search_members){.n = (uint32_t)grid_ctx.C, .at = j, .first = i, .stride = R};
}

static uint64_t longest_chunk(uint64_t n) {
  uint64_t q = 0;
  for (int k = 0; k < grid_ctx.P; k++)
    if (grid_chunk_padded_size(n, k) > q) q = grid_chunk_padded_size(n, k);
  return q;
}

/* Without columns, which a symmetric matrix does not need, vertices push along their rows. */
static grid_search_graph describe_graph(GrB_Matrix A, bool transposed) {
  const grid_local_matrix *b = &A->block;
  const bool rows_only = !(A->properties.forms & GRID_COLS);
  const grid_partition *partition = grid_partition_of(A->nrows);
  const grid_compressed *in = transposed ? &b->by_col : &b->by_row,
                        *out = transposed || rows_only ? &b->by_row : &b->by_col;
  return (grid_search_graph){.n = A->nrows,
                             .nvals = b->nvals,
                             .n_local = grid_chunk_length(A->nrows, grid_ctx.k),
                             .q = longest_chunk(A->nrows),
                             .first = partition ? partition->first : NULL,
                             .rows = grid_block_length(A->nrows, !transposed),
                             .columns = grid_block_length(A->nrows, transposed),
                             .expand = grid_search_members_of(!transposed),
                             .fold = grid_search_members_of(transposed),
                             .P = grid_ctx.P,
                             .k = grid_ctx.k,
                             .out_ptr = out->ptr,
                             .out_idx = out->idx,
                             .in_ptr = in->ptr,
                             .in_idx = in->idx,
                             .in_hub_neighbor = in->hub_neighbor,
                             .nonempty = in->nonempty,
                             .out_offsets64 = out->offsets64,
                             .in_offsets64 = in->offsets64,
                             .large = GRID_SEARCH_LARGE,
                             .retain_from = GRID_SEARCH_RETAIN,
                             .delegates = A->hints.delegates};
}

static void drop_engine(GrB_Matrix A) {
  if (A->cached.lookahead.work) A->cached.lookahead.engine->free(A->cached.lookahead.work);
  A->cached.lookahead.work = NULL;
}

GrB_Info grid_lookahead_make_engine(GrB_Matrix A, const grid_search_engine *e, bool transposed) {
  if (!can_search_block(&A->block)) return GRID_UNSUPPORTED;
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = grid_device_oom_to_unsupported(grid_lmat_to_device(&A->block), refusals);
  if (info != GrB_SUCCESS) return info;
  const grid_search_graph g = describe_graph(A, transposed);
  if (A->cached.lookahead.work && A->cached.lookahead.engine == e &&
      grid_search_graph_is_same(&A->cached.lookahead.graph, &g))
    return GrB_SUCCESS;
  drop_engine(A);
  info = e->make(&A->cached.lookahead.work, &g);
  if (info != GrB_SUCCESS) A->cached.lookahead.work = NULL;
  A->cached.lookahead.engine_is_new = info == GrB_SUCCESS;
  A->cached.lookahead.engine = e;
  A->cached.lookahead.graph = g;
  return info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info; /* products by themselves need less */
}

bool grid_lookahead_is_transposed(GrB_Matrix A, bool transposed) {
  return A->properties.symmetric ? grid_symmetric_reads_columns() : transposed;
}

GrB_Info grid_lookahead_prepare_engine(GrB_Matrix A) {
  /* a search in a directed graph is a product with the transpose (vxm) */
  const bool transposed = grid_lookahead_is_transposed(A, true);
  const grid_search_engine *e = grid_lookahead_choose_engine(A, transposed);
  GrB_Info info = e ? grid_lookahead_make_engine(A, e, transposed) : GrB_SUCCESS;
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

/* Several processes: connects the engines, and runs an empty search, whose messages set up the connections
 * between GPUs. */
GrB_Info grid_lookahead_warm_up(GrB_Matrix A) {
  bool made;
  const grid_search_engine *e =
      grid_ctx.P > 1 ? grid_lookahead_choose_engine(A, grid_lookahead_is_transposed(A, true)) : NULL;
  const uint64_t words = grid_words(grid_chunk_length(A->nrows, grid_ctx.k));
  uint64_t *visited;
  if (!e) return GrB_SUCCESS;
  GrB_Info info = GRID_UNSUPPORTED;
  visited = grid_device_malloc(words, sizeof *visited);
  if (A->cached.lookahead.work)
    info = visited ? grid_device_zero(visited, words * sizeof *visited)
                   : grid_device_fail_memory(NULL, "a bitmap", words, sizeof *visited);
  info = grid_lookahead_agree_on_engine(A, e, info, &made);
  if (info == GrB_SUCCESS && made)
    info = grid_lookahead_begin(A, e, &(grid_search_job){.visited = visited, .max_levels = 1}, NULL, NULL);
  grid_device_free(visited);
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

uint64_t grid_lookahead_bytes(GrB_Matrix A) {
  const grid_search_engine *e = A->cached.lookahead.work ? A->cached.lookahead.engine : NULL;
  return e && e->bytes ? e->bytes(A->cached.lookahead.work) : 0;
}

uint64_t grid_lookahead_delegates(GrB_Matrix A, int64_t *threshold) {
  int64_t above = 0;
  const grid_search_engine *e = A->cached.lookahead.work ? A->cached.lookahead.engine : NULL;
  const uint64_t d = e && e->delegates ? e->delegates(A->cached.lookahead.work, &above) : 0;
  if (d) *threshold = above;
  return d;
}

void grid_lookahead_free_engine(GrB_Matrix A) {
  drop_engine(A);
  A->cached.lookahead.cooldown = A->cached.lookahead.failures = 0;
}
