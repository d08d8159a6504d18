/* The forms of a block that are made when the device is on. */
#include "dist/comm/peer_windows.h"
#include "dist/grid/layout.h"
#include "dist/matrix/matrix_require.h"
#include "spmat/search.h"

bool grid_matrix_is_searched_in_windows(GrB_Matrix A) {
  const bool even = grid_ctx.R == 1 || grid_ctx.C == 1 || !grid_partition_of(A->nrows);
  return grid_ctx.P > 1 && even && A->properties.symmetric && A->block.iso &&
         A->hints.direction != Grid_DIRECTION_PUSH && A->nrows <= GRID_SEARCH_VERTICES &&
         grid_window_addresses() != NULL;
}

/* A search in a symmetric matrix reads rows alone where GPUs reach each other's memory: a push goes along
 * the rows that pulls read. Grids with more columns than rows read columns, which are made of rows. Products
 * that read the other orientation require it when they come. */
unsigned grid_matrix_device_forms(GrB_Matrix A) {
  const bool rows_suffice =
      grid_matrix_is_searched_in_windows(A) && !grid_symmetric_reads_columns() && !A->delegates.split;
  return rows_suffice ? GRID_ROW_HUB_NEIGHBORS : GRID_ALL_FORMS;
}

/* A block that one process has on its device already: few products read both of its orientations. Lists of
 * rows or columns are for both. */
bool grid_matrix_makes_forms_late(GrB_Matrix A) {
  return grid_ctx.P == 1 && A->block.device && !A->block.row.ids && !A->block.col.ids;
}

bool grid_matrix_has_device_forms(GrB_Matrix A) {
  return (grid_matrix_device_forms(A) & ~A->properties.forms) == 0;
}
