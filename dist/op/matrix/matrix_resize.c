/* A matrix of other dimensions (specification 4.2.5). On one process the block is cut off or grows; on
 * several the chunks begin elsewhere, and entries travel; those on disk for which there is no memory are
 * written to new pages. */
#include "dist/extensions/containers/replace_object.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/object/burble.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/permute_entries.h"
#include "dist/outofcore/operations/unite_disjoint.h"
#include "spmat/lmat_ops.h"

static const char call[] = "GrB_Matrix_resize";

/* How many of this process's rows (columns), which are `dim` over the grid, come before index n. */
static uint64_t count_local_before(uint64_t dim, uint64_t n, bool rows) {
  uint64_t count = 0;
  for (int c = 0; c < grid_ctx.P; c++) {
    const uint64_t first = grid_chunk_first(dim, c), length = grid_chunk_length(dim, c);
    if ((rows ? c % grid_ctx.R : c / grid_ctx.R) != (rows ? grid_ctx.i : grid_ctx.j)) continue;
    count += n <= first ? 0 : n - first < length ? n - first : length;
  }
  return count;
}

/* *t = what is left of A's block, as a block of a matrix like `like`. */
static GrB_Info resize_block(grid_local_matrix *t, GrB_Matrix A, GrB_Matrix like) {
  const grid_index_set rows = {.n = count_local_before(A->nrows, like->nrows, true)},
                       cols = {.n = count_local_before(A->ncols, like->ncols, false)};
  grid_lmat_init(t, A->type, like->block.row.dim, like->block.col.dim);
  if (grid_ctx.P == 1) return grid_lmat_extract(t, &A->block, &rows, &cols);
  grid_local_matrix retained;
  grid_lmat_init(&retained, A->type, A->block.row.dim, A->block.col.dim);
  GrB_Info info = grid_lmat_extract(&retained, &A->block, &rows, &cols);
  grid_index_map row_map = grid_block_row_map(A), col_map = grid_block_col_map(A);
  row_map.axis = &retained.row, col_map.axis = &retained.col;
  info = grid_route_entries(like, &retained, &row_map, &col_map, false, info, t, call);
  grid_lmat_free(&retained);
  return info;
}

/* Of a row panel of A. context: a matrix of the new dimensions. */
static GrB_Info resize_panel(grid_local_matrix *t, const void *context, GrB_Matrix A) {
  const GrB_Info info = grid_matrix_require(A, GRID_WHOLE);
  return info == GrB_SUCCESS ? resize_block(t, A, (GrB_Matrix)(uintptr_t)context) : info;
}

/* ---- the operation ---- */

static GrB_Info resize_in_memory(GrB_Matrix C, GrB_Matrix like) {
  grid_local_matrix t = {0};
  GrB_Info info = grid_matrix_require(C, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  info = resize_block(&t, C, like);
  TRY(grid_matrix_adopt(C, &(grid_build){0}, &t, info));
  C->nrows = like->nrows, C->ncols = like->ncols;
  /* an empty block has its dimensions all the same */
  C->block.row.dim = like->block.row.dim, C->block.col.dim = like->block.col.dim;
done:
  grid_lmat_free(&t);
  return info;
}

static GrB_Info resize(GrB_Matrix C, GrB_Index nrows, GrB_Index ncols) {
  GrB_Matrix like = NULL, T = NULL;
  bool out_of_core;
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS || (C->nrows == nrows && C->ncols == ncols)) return info;
  TRY(grid_check_dimensions(nrows, ncols, &C->head, call));
  TRY(GrB_Matrix_new(&like, C->type, nrows, ncols));
  TRY(grid_exceeds_memory(&C, 1, 0, &out_of_core));
  if (!out_of_core) {
    info = resize_in_memory(C, like);
  } else {
    TRY(grid_can_permute_pages(C, nrows, ncols)
            ? grid_permute_pages(&T, nrows, ncols, C, NULL, NULL, false, info, call)
            : grid_move_panels(&T, C->type, like, C, resize_panel, like));
    grid_matrix_replace(C, T);
  }
done:
  GrB_Matrix_free(&like);
  GrB_Matrix_free(&T);
  return info;
}

GrB_Info GrB_Matrix_resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new) {
  return GRID_TRACE_CALL("GrB_Matrix_resize", resize(C, nrows_new, ncols_new), C);
}
