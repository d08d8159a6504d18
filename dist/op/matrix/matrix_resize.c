/* A matrix of other dimensions (specification 4.2.5). On one process the block is cut off or grows; on
 * several the chunks begin elsewhere, and entries travel; those that are in pages without room for them go to
 * pages. */
#include "dist/object/burble.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/outofcore/operations/permute_entries.h"
#include "spmat/lmat_ops.h"

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
static GrB_Info resize_block(grid_local_matrix *t, GrB_Matrix A, GrB_Matrix like, const char *call) {
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

/* ---- in pages ---- */

/* May it stay in pages with these dimensions? They name columns in 32 bits, and have lengths of all rows. */
static bool can_be_host_resident(GrB_Matrix C, uint64_t nrows, uint64_t ncols) {
  return grid_index_fits32(grid_block_cols(ncols)) && grid_index_fits32(nrows) &&
         nrows / 8 <= C->nvals + 4096;
}

/* C becomes what T is, which has its type and loses it. */
static void move_from(GrB_Matrix C, GrB_Matrix T) {
  grid_matrix_drop(C);
  C->nrows = T->nrows, C->ncols = T->ncols, C->nvals = T->nvals;
  C->block = T->block;
  C->pages = T->pages;
  grid_lmat_init(&T->block, T->type, 0, 0);
  T->pages = NULL;
}

/* *done, where C is in pages and has no room. */
static GrB_Info resize_paged(GrB_Matrix C, uint64_t nrows, uint64_t ncols, bool *done, const char *call) {
  GrB_Matrix T = NULL;
  bool fits;
  *done = false;
  GrB_Info info = grid_matrix_require(C, GRID_OUTOFCORE);
  if (info != GrB_SUCCESS || !grid_is_paged(C) || !can_be_host_resident(C, nrows, ncols)) return info;
  TRY(grid_paged_check_fit(C, &fits));
  if (fits) return info;
  TRY(grid_permute_pages(&T, nrows, ncols, C, NULL, NULL, false, info, call));
  move_from(C, T);
  *done = true;
done:
  GrB_Matrix_free(&T);
  return info;
}

/* ---- the operation ---- */

static GrB_Info resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new) {
  const char *call = "GrB_Matrix_resize";
  GrB_Matrix like = NULL;
  grid_local_matrix t = {0};
  bool done;
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS || (C->nrows == nrows_new && C->ncols == ncols_new)) return info;
  TRY(grid_check_dimensions(nrows_new, ncols_new, &C->head, call));
  TRY(resize_paged(C, nrows_new, ncols_new, &done, call));
  if (done) return info;
  TRY(grid_matrix_require(C, GRID_WHOLE));
  TRY(GrB_Matrix_new(&like, C->type, nrows_new, ncols_new));
  info = resize_block(&t, C, like, call);
  TRY(grid_matrix_adopt(C, &(grid_build){0}, &t, info));
  C->nrows = nrows_new, C->ncols = ncols_new;
  /* an empty block has its dimensions all the same */
  C->block.row.dim = like->block.row.dim, C->block.col.dim = like->block.col.dim;
done:
  grid_lmat_free(&t);
  GrB_Matrix_free(&like);
  return info;
}

GrB_Info GrB_Matrix_resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new) {
  return GRID_TRACE_CALL("GrB_Matrix_resize", resize(C, nrows_new, ncols_new), C);
}
