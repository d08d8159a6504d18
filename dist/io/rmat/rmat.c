/* R-MAT graphs by the Graph500 rules (include/gridblas_rmat.h). Tuple t depends on (seed, t) alone, so any
 * process can generate any tuple, and the graph does not depend on the number of processes. */
#include "dist/object/burble.h"
#include "dist/io/rmat/rmat.h"

#include <stdio.h>
#include <string.h>

#include "dist/matrix/matrix.h"
#include "gridblas_rmat.h"
#include "semiring/support/progress.h"
#include "spmat/device/device.h"
#include "spmat/device/phase_times.h"

void grid_rmat_scramble(uint64_t *v, uint64_t n, int scale, uint64_t seed) {
  Grid_Rmat g;
  Grid_Rmat_init(&g, scale, seed);
#pragma omp parallel for num_threads(grid_ctx.threads) schedule(static)
  for (uint64_t k = 0; k < n; k++) v[k] = Grid_Rmat_rename(&g, v[k]);
}

void grid_rmat_tuples(uint64_t *rows, uint64_t *cols, uint64_t first, uint64_t n, int scale, uint64_t seed) {
  Grid_Rmat g;
  Grid_Rmat_init(&g, scale, seed);
#pragma omp parallel for num_threads(grid_ctx.threads) schedule(static)
  for (uint64_t k = 0; k < n; k++) Grid_Rmat_quadrants(&g, first + k, &rows[k], &cols[k]);
}

/* This process's share of the tuples: the number, from *first on. */
static uint64_t tuple_share(uint64_t total, uint64_t *first) {
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, more = total % P;
  *first = total / P * k + (k < more ? k : more);
  return total / P + (k < more);
}

/* ---- the calls ---- */

static GrB_Info check_size(grid_head *head, int scale, uint64_t edgefactor) {
  if (scale < 1 || scale > 58)
    return grid_fail(head, GrB_INVALID_VALUE, "R-MAT: scale %d is not in 1..58", scale);
  if (edgefactor == 0 || edgefactor > (UINT64_C(1) << 60) >> scale)
    return grid_fail(head, GrB_INVALID_VALUE,
                     "R-MAT: edge factor %llu is not in 1..%llu (at most 2^60 edges)",
                     (unsigned long long)edgefactor, (unsigned long long)((UINT64_C(1) << 60) >> scale));
  return GrB_SUCCESS;
}

/* Generates this process's share, in batches between progress reports. */
static void generate(Grid_Edges *e, uint64_t first, int scale, uint64_t seed) {
  enum { BATCH = 1 << 20 };
  for (uint64_t at = 0; at < e->n; at += BATCH) {
    const uint64_t n = e->n - at < BATCH ? e->n - at : BATCH;
    grid_progress(at, e->n);
    grid_rmat_tuples(e->rows + at, e->cols + at, first + at, n, scale, seed);
    grid_rmat_scramble(e->rows + at, n, scale, seed);
    grid_rmat_scramble(e->cols + at, n, scale, seed);
  }
  grid_progress(0, 0);
}

GrB_Info Grid_rmat(Grid_Edges *e, int scale, uint64_t edgefactor, uint64_t seed) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_initialized("Grid_rmat");
  if (info != GrB_SUCCESS) return info;
  if (e)
    memset(e, 0, sizeof *e);
  else
    info = grid_fail(NULL, GrB_NULL_POINTER, "Grid_rmat: argument e is NULL");
  if (info == GrB_SUCCESS) info = check_size(NULL, scale, edgefactor);
  if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) return info;
  uint64_t total = edgefactor << scale, first;
  e->n = tuple_share(total, &first);
  e->rows = grid_malloc(e->n, sizeof *e->rows);
  e->cols = grid_malloc(e->n, sizeof *e->cols);
  if (!e->rows || !e->cols) info = grid_fail_memory(NULL, "the tuples of an R-MAT graph", e->n, 16);
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS) {
    Grid_Edges_free(e);
    return info;
  }
  generate(e, first, scale, seed);
  e->nrows = e->ncols = UINT64_C(1) << scale;
  e->total = total;
  e->pattern = true;
  snprintf(e->kind, sizeof e->kind, "R-MAT");
  return GrB_SUCCESS;
}

/* Generates on the host and routes tuples to their blocks. */
static GrB_Info fill_by_share(GrB_Matrix A, int scale, uint64_t edgefactor, uint64_t seed,
                              const grid_build *b, const char *call) {
  Grid_Edges e;
  GrB_Info info = Grid_rmat(&e, scale, edgefactor, seed);
  if (info != GrB_SUCCESS) return info;
  grid_build all = *b;
  all.row = e.rows;
  all.col = e.cols;
  all.n = e.n;
  info = grid_matrix_fill(A, &all, call);
  Grid_Edges_free(&e);
  return info;
}

/* With the device on: each process generates a share of the tuples on its device and sends them to the
 * blocks that hold them. */
static GrB_Info fill_on_device(GrB_Matrix A, int scale, uint64_t tuples, uint64_t seed, const grid_build *b) {
  grid_local_matrix block;
  uint64_t *keys, n;
  grid_rmat_job job = {.mirror = b->mirror,
                       .no_loops = b->no_loops,
                       .shift = grid_key_shift(grid_block_cols(A->ncols)),
                       .q = grid_even_size(A->nrows),
                       .R = (uint64_t)grid_ctx.R,
                       .P = (uint64_t)grid_ctx.P};
  Grid_Rmat_init(&job.g, scale, seed);
  job.tuples = tuple_share(tuples, &job.first);
  grid_lmat_init(&block, A->type, grid_block_rows(A->nrows), grid_block_cols(A->ncols));
  GrB_Info info = grid_ctx.P == 1 ? grid_lmat_make_rmat(&block, &job, b->one) : GRID_UNSUPPORTED;
  if (info == GRID_UNSUPPORTED) {
    info = grid_rmat_keys(&A->head, &job, &keys, &n);
    if (info != GrB_SUCCESS) return info;
    info = grid_lmat_make_device(&block, keys, job.shift, n, b->one);
  }
  info = grid_matrix_adopt(A, b, &block, info);
  grid_lap_record("wait for the others");
  grid_lmat_free(&block);
  return info;
}

static GrB_Info fill_rmat(GrB_Matrix A, int scale, uint64_t edgefactor, uint64_t seed, int flags) {
  const char *call = "Grid_Matrix_rmat";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  info = grid_check_build_flags(&A->head, flags, Grid_MIRROR | Grid_NO_LOOPS, call);
  if (info != GrB_SUCCESS) return info;
  if ((info = check_size(&A->head, scale, edgefactor)) != GrB_SUCCESS) return info;
  const uint64_t n = UINT64_C(1) << scale;
  if (A->nrows != n || A->ncols != n)
    return grid_fail(
        &A->head, GrB_DIMENSION_MISMATCH, "%s: A is %llu x %llu, but a graph of scale %d has %llu vertices",
        call, (unsigned long long)A->nrows, (unsigned long long)A->ncols, scale, (unsigned long long)n);
  if ((info = grid_matrix_require(A, GRID_ROWS)) != GrB_SUCCESS) return info;
  if (A->nvals)
    return grid_fail(&A->head, GrB_OUTPUT_NOT_EMPTY, "%s: A holds %llu entries already", call,
                     (unsigned long long)A->nvals);
  char *one = NULL;
  if ((info = grid_matrix_make_one(A, call, &one)) != GrB_SUCCESS) return info;
  const grid_build b = {.one = one, .mirror = flags & Grid_MIRROR, .no_loops = flags & Grid_NO_LOOPS};
  const bool on_device = grid_device_is_on() && !grid_partition_of(n) &&
                         grid_device_can_index(grid_block_rows(n), grid_block_cols(n)) &&
                         grid_ctx.P <= GRID_RMAT_PROCESSES &&
                         !grid_build_is_over_limit((edgefactor << scale) * 2 / (uint64_t)grid_ctx.P, 0);
  if (grid_device_is_on() && grid_partition_of(n))
    grid_report_fallback("generating an R-MAT graph with an uneven partition");
  info = on_device ? fill_on_device(A, scale, edgefactor << scale, seed, &b)
                   : fill_by_share(A, scale, edgefactor, seed, &b, call);
  grid_free(one);
  return info;
}

GrB_Info Grid_Matrix_rmat(GrB_Matrix A, int scale, uint64_t edgefactor, uint64_t seed, int flags) {
  return GRID_TRACE_CALL("Grid_Matrix_rmat", fill_rmat(A, scale, edgefactor, seed, flags), A);
}
