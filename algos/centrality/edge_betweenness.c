/* Edge betweenness centrality by Brandes' method (dependencies.c). On an edge from v at depth d of a source's
 * search to w, one level below, the dependency of the source is paths(v) * t(w).
 *
 * The result is summed for a batch of sources in one product at the entries of A. It is sum<A> += V W', where
 * V and W have a column for each source and depth d. There the source's paths to level d are in V, and the t
 * of level d + 1 in W. So a row has one entry for each source at most. The columns are collected as tuples on
 * each process, as the vectors of a search are.
 *
 * On a GPU, where tuples would go through host memory, a batch is one source. Its V and W are diagonal
 * matrices times indicators of levels. Where the graph is small, the searches of many sources have columns of
 * matrices, and each level is one such product.
 *
 * Sources: Brandes (2001, 2008). */
#include "algos/centrality/dependencies_many.h"
#include "algos/support/columns.h"
#include "algos/checkpoints/resume_matrix.h"

/* Sources of a batch of tuples. Each takes 100 bytes a vertex: MOST of them where that is about TUPLES tuples
 * on each process at most, LEAST at least. */
enum { LEAST = 8, MOST = 64, TUPLES = 1 << 21 };

typedef struct {
  dependencies b;
  column_list V, W;
  GrB_Index batch;            /* its number of sources */
  GrB_Index depth;            /* the most levels of a source in this batch */
  GrB_Matrix sum;             /* FP64 with the pattern of A */
  GrB_Vector level, paths, t; /* on a GPU: of all vertices that a source reaches */
} edge_sums;

/* The columns of source number k of the batch. */
static GrB_Info add_source(edge_sums *e, GrB_Index source, GrB_Index k) {
  GrB_Info info;
  dependencies *b = &e->b;
  TRY(grid_count_paths(b, source));
  const GrB_Index deepest = b->paths.count - 1;
  if (e->depth < deepest) e->depth = deepest;
  for (GrB_Index d = deepest; d > 0; d--) {
    TRY(grid_add_path_ends(b, d));
    TRY(grid_columns_add(&e->W, b->t, (d - 1) * e->batch + k));
    TRY(grid_columns_add(&e->V, b->paths.q[d - 1], (d - 1) * e->batch + k));
    if (d > 1) TRY(grid_climb(b, d));
  }
  grid_levels_clear(&b->paths);
out:
  return info;
}

/* sum<A> += V W' */
static GrB_Info add_tuples(edge_sums *e) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Matrix V = NULL, W = NULL;
  if (e->depth == 0) return info;
  TRY(grid_columns_build(&V, &e->V, e->b.n, e->depth * e->batch));
  TRY(grid_columns_build(&W, &e->W, e->b.n, e->depth * e->batch));
  TRY(GrB_mxm(e->sum, e->b.A, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, V, W, GrB_DESC_ST1));
  e->depth = 0;
out:
  GrB_Matrix_free(&V);
  GrB_Matrix_free(&W);
  return info;
}

/* ---- one source on a GPU ---- */

/* level, paths and t of all levels; the t of the source is 0. */
static GrB_Info join_levels(edge_sums *e) {
  GrB_Info info;
  dependencies *b = &e->b;
  TRY(GrB_Vector_clear(e->level));
  TRY(GrB_Vector_clear(e->paths));
  TRY(GrB_Vector_clear(e->t));
  for (GrB_Index d = b->paths.count; d-- > 0;) {
    const GrB_Vector q = b->paths.q[d];
    TRY(GrB_Vector_assign_INT64(e->level, q, NULL, (int64_t)d, GrB_ALL, b->n, GrB_DESC_S));
    TRY(GrB_Vector_assign(e->paths, q, NULL, q, GrB_ALL, b->n, GrB_DESC_S));
    if (d == 0) break;
    TRY(grid_add_path_ends(b, d));
    TRY(GrB_Vector_assign(e->t, q, NULL, b->t, GrB_ALL, b->n, GrB_DESC_S));
    if (d > 1) TRY(grid_climb(b, d));
  }
  TRY(GrB_Vector_assign_FP64(e->t, b->paths.q[0], NULL, 0, GrB_ALL, b->n, GrB_DESC_S));
out:
  return info;
}

/* *M(v, column(v)) = value(v), of ncols columns. */
static GrB_Info make_columns(GrB_Matrix *M, GrB_Vector column, GrB_Vector value, GrB_Index n,
                             GrB_Index ncols) {
  GrB_Info info;
  GrB_Matrix where = NULL, diagonal = NULL;
  TRY(GrB_Matrix_new(&where, GrB_BOOL, n, ncols));
  TRY(Grid_Matrix_indicator(where, column));
  TRY(GrB_Matrix_diag(&diagonal, value, 0));
  TRY(GrB_Matrix_new(M, GrB_FP64, n, ncols));
  TRY(GrB_mxm(*M, NULL, NULL, GrB_MIN_FIRST_SEMIRING_FP64, diagonal, where, NULL));
out:
  GrB_Matrix_free(&where);
  GrB_Matrix_free(&diagonal);
  return info;
}

/* sum<A> += V W', where V has the paths to level d and W the t of level d + 1 in column d + 1. */
static GrB_Info add_on_device(edge_sums *e, GrB_Index source) {
  GrB_Info info;
  GrB_Matrix V = NULL, W = NULL;
  TRY(grid_count_paths(&e->b, source));
  const GrB_Index depth = e->b.paths.count;
  if (depth == 1) goto out;
  TRY(join_levels(e));
  TRY(make_columns(&W, e->level, e->t, e->b.n, depth + 1));
  TRY(GrB_Vector_apply_BinaryOp2nd_INT64(e->level, NULL, NULL, GrB_PLUS_INT64, e->level, 1, NULL));
  TRY(make_columns(&V, e->level, e->paths, e->b.n, depth + 1));
  TRY(GrB_mxm(e->sum, e->b.A, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, V, W, GrB_DESC_ST1));
out:
  grid_levels_clear(&e->b.paths);
  GrB_Matrix_free(&V);
  GrB_Matrix_free(&W);
  return info;
}

/* ---- all sources ---- */

/* Of `left` sources, so many are added in the next call of add_batch. */
static GrB_Index batch_size(const edge_sums *e, GrB_Index left) {
  if (is_on_one_gpu()) return grid_dependencies_batch(&e->b, left);
  return left < e->batch ? left : e->batch;
}

static GrB_Info add_batch(edge_sums *e, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  if (is_on_one_gpu())
    return nsources == 1 ? add_on_device(e, *sources)
                         : grid_add_edge_dependencies(e->sum, &e->b, sources, nsources);
  for (GrB_Index k = 0; k < nsources; k++) TRY(add_source(e, sources[k], k));
  TRY(add_tuples(e));
out:
  return info;
}

static GrB_Info begin(edge_sums *e, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  TRY(grid_dependencies_begin(&e->b, A, n));
  e->V.type = e->W.type = GrB_FP64;
  e->V.size = e->W.size = sizeof(double);
  e->batch = TUPLES / (n / (GrB_Index)Grid_size() + 1);
  e->batch = e->batch < LEAST ? LEAST : e->batch > MOST ? MOST : e->batch;
  TRY(GrB_Vector_new(&e->level, GrB_INT64, n));
  TRY(GrB_Vector_new(&e->paths, GrB_FP64, n));
  TRY(GrB_Vector_new(&e->t, GrB_FP64, n));
  TRY(GrB_Matrix_new(&e->sum, GrB_FP64, n, n));
  TRY(GrB_Matrix_assign_FP64(e->sum, A, NULL, 0, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
out:
  return info;
}

/* sources NULL: all vertices. Batches depend on the number of processes, so a checkpoint has the number of
 * sources. */
static GrB_Info sum_sources(edge_sums *e, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  uint64_t batches = 0;
  GrB_Index done = 0, batch[DEPENDENCIES_MOST];
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "sources", .bytes = &done, .size = sizeof done}};
  const checkpoint_matrix sum = {.name = "sum", .M = e->sum, .type = GrB_FP64};
  TRY(grid_checkpoint_key_make(&c, "edge_betweenness", e->b.A, e->b.n));
  c.key[3] = nsources, c.key[4] = grid_key_of_indices(sources, nsources);
  TRY(grid_checkpoint_resume_matrices(&batches, &c, state, 1, &sum, 1));
  while (done < nsources) {
    const GrB_Index count = batch_size(e, nsources - done);
    for (GrB_Index k = 0; k < count; k++) batch[k] = sources == NULL ? done + k : sources[done + k];
    Grid_progress_set(done, nsources);
    TRY(add_batch(e, batch, count));
    done += count;
    TRY(grid_checkpoint_iteration_matrices(++batches, &c, state, 1, &sum, 1));
  }
out:
  return info;
}

GrB_Info Grid_edge_betweenness(GrB_Matrix *centrality, GrB_Matrix A, const GrB_Index *sources,
                               GrB_Index nsources) {
  SPAN;
  const char *const call = "Grid_edge_betweenness";
  edge_sums e = {.depth = 0};
  GrB_Index n;
  GrB_Info info;

  if (centrality == NULL) return grid_refuse(GrB_NULL_POINTER, call, "centrality is NULL");
  TRY(square_size(&n, A, call));
  if (sources != NULL) TRY(check_sources(sources, nsources, n, call));
  TRY(begin(&e, A, n));
  TRY(sum_sources(&e, sources, sources == NULL ? n : nsources));
  *centrality = e.sum, e.sum = NULL;
out:
  grid_dependencies_free(&e.b);
  grid_columns_free(&e.V), grid_columns_free(&e.W);
  GrB_Matrix_free(&e.sum);
  GrB_Vector_free(&e.level), GrB_Vector_free(&e.paths), GrB_Vector_free(&e.t);
  return info;
}
