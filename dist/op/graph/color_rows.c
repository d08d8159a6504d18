/* See color_rows.h. The colors of all vertices lie in memory that the processes share, where each waits for
 * those of earlier neighbors (lmat_color.h). On a grid of several columns the rows lie there, too, since each
 * has entries on several processes. */
#include "dist/op/graph/color_rows.h"

#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/vector/shm_view.h"
#include "spmat/color_order.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/matrix/lmat_color.h"

typedef struct {
  grid_color_job job;
  grid_expanded_lmat block; /* this process's rows, on a grid of one column */
  grid_local_matrix shared; /* else all rows; arrays are borrowed */
  uint32_t *color;          /* on one process */
} row_coloring;

static void free_coloring(row_coloring *r) {
  grid_color_job_free(&r->job);
  grid_expanded_lmat_free(&r->block);
  r->shared.by_row = (grid_compressed){0};
  if (r->shared.type) grid_lmat_free(&r->shared);
  grid_free(r->color);
}

/* GRID_UNSUPPORTED, on all processes: they share no memory. Collective, agreed on. */
static GrB_Info load_rows(row_coloring *r, GrB_Matrix A) {
  GrB_Info info;
  bool shared;
  if (grid_ctx.C == 1) {
    TRY(grid_agree(NULL, grid_lmat_expand_hyper(&r->block, &A->block, true)));
    r->job.rows = r->block.lmat.by_row;
  } else {
    if (!grid_can_share_rows(A)) return GRID_UNSUPPORTED;
    TRY(grid_share_rows(&r->shared, &A->block, A->nrows, A->ncols, false, &shared));
    if (!shared) return GRID_UNSUPPORTED;
    r->job.rows = r->shared.by_row, r->job.rows.ptr += r->job.first;
  }
done:
  return info;
}

/* Likewise. */
static GrB_Info share_colors(row_coloring *r, uint64_t n) {
  grid_shm_view z;
  if (grid_ctx.P == 1) {
    r->job.color = r->color = grid_malloc(n, sizeof *r->color);
    return r->color ? GrB_SUCCESS : grid_fail_memory(NULL, "colors of vertices", n, sizeof *r->color);
  }
  if (!grid_shm_view_reserve(&z, GRID_SET_ALL, n, sizeof *r->job.color, true)) return GRID_UNSUPPORTED;
  r->job.color = (uint32_t *)(void *)z.val;
  return GrB_SUCCESS;
}

GrB_Info grid_color_by_rows(grid_chunk *t, uint64_t *colors, GrB_Matrix A, uint64_t most, uint64_t seed) {
  row_coloring r = {.job = {.first = grid_chunk_first(A->nrows, grid_ctx.k),
                            .n = t->n,
                            .key = grid_color_key(seed),
                            .most = most}};
  GrB_Info info;
  TRY(load_rows(&r, A));
  TRY(share_colors(&r, A->nrows));
  info = grid_color_job_make(&r.job);
  if (info == GrB_SUCCESS) info = grid_chunk_reserve_dense(t, false);
  TRY(grid_agree(NULL, info));
  if (grid_ctx.P > 1) grid_ctx.transport->barrier(GRID_SET_ALL);
  *colors = grid_color_job_run(t, &r.job);
  info = grid_ctx.transport->allreduce(GRID_SET_ALL, colors, 1, GRID_MAX);
done:
  free_coloring(&r);
  return info;
}
