/* Forms of a block that products need beside its rows: columns, and lists of hub neighbors. */
#include <stdlib.h>

#include "dist/matrix/matrix_require.h"
#include "spmat/backend.h"
#include "spmat/device/phase_times.h"
#include "spmat/matrix/axis.h"

/* list: a copy in host memory of an axis whose list is in device memory, else NULL. */
static GrB_Info fetch_list(grid_axis *axis, bool device, void **list) {
  const size_t size = grid_axis_id_size(axis);
  if (!device || !axis->ids) return GrB_SUCCESS;
  *list = grid_malloc(axis->n, size);
  if (!*list) return grid_fail_memory(NULL, "a list of rows or columns", axis->n, size);
  GrB_Info info = grid_device_get(*list, axis->ids, axis->n * size);
  axis->ids = *list;
  return info;
}

/* Hub neighbors of rows need degrees of columns, and the reverse. */
static GrB_Info degrees_on_host(GrB_Matrix A, unsigned want, grid_block_degrees *r) {
  /* in a square matrix a vertex counts with the sum of its row and column degrees */
  const bool square = A->nrows == A->ncols;
  grid_axis row = A->block.row, col = A->block.col;
  void *row_list = NULL, *col_list = NULL;
  GrB_Info info = grid_degrees_to_host(A);
  if (info == GrB_SUCCESS) info = fetch_list(&row, A->block.device, &row_list);
  if (info == GrB_SUCCESS) info = fetch_list(&col, A->block.device, &col_list);
  TRY(grid_agree(&A->head, info));
  if (want & GRID_COL_HUB_NEIGHBORS)
    TRY(grid_spread_degrees(A->nrows, true, A->degrees.row, square ? A->degrees.col : NULL, &row,
                            &r->made[0]));
  if (want & GRID_ROW_HUB_NEIGHBORS)
    TRY(grid_spread_degrees(A->ncols, false, A->degrees.col, square ? A->degrees.row : NULL, &col,
                            &r->made[1]));
  r->row = r->made[0], r->col = r->made[1];
done:
  grid_free(row_list);
  grid_free(col_list);
  return info;
}

/* Degrees on the device if all processes can, else in host memory. */
static GrB_Info find_degrees(GrB_Matrix A, unsigned want, grid_block_degrees *r) {
  GrB_Info info = grid_device_is_on() ? grid_block_degrees_device(A, r) : GRID_UNSUPPORTED;
  if (info != GRID_UNSUPPORTED) return info;
  if (A->block.device) grid_report_fallback("orienting a matrix: degrees through host memory");
  return degrees_on_host(A, want, r);
}

static GrB_Info copy_degrees(uint32_t **to, const uint32_t *from, uint64_t n, bool to_device) {
  if (to_device) return grid_device_send(to, from, n, sizeof *from, "degrees");
  *to = grid_malloc(n, sizeof **to);
  return *to ? grid_device_get(*to, from, n * sizeof *from)
             : grid_fail_memory(NULL, "degrees", n, sizeof **to);
}

/* Moves degrees to the memory of the block. */
static GrB_Info move_degrees(const grid_local_matrix *block, grid_block_degrees *r) {
  grid_block_degrees moved = {.device = block->device};
  GrB_Info info = GrB_SUCCESS;
  if (r->device == block->device) return info;
  if (r->row) TRY(copy_degrees(&moved.made[0], r->row, block->row.n, block->device));
  if (r->col) TRY(copy_degrees(&moved.made[1], r->col, block->col.n, block->device));
  grid_block_degrees_free(r);
  *r = moved;
  r->row = r->made[0], r->col = r->made[1];
  return info;
done:
  grid_block_degrees_free(&moved);
  return info;
}

static GrB_Info make_forms(GrB_Matrix A, unsigned want, grid_block_degrees *r) {
  const bool is_single_process = grid_ctx.P == 1;
  grid_local_matrix *b = &A->block;
  GrB_Info info = grid_compressed_is_built(&b->by_row) ? GrB_SUCCESS : grid_matrix_empty_block(b);
  if (info == GrB_SUCCESS) info = move_degrees(b, r);
  /* the nn block of a split may be symmetric without the matrix */
  if (info == GrB_SUCCESS && want & GRID_COLS)
    info = grid_lmat_add_cols(b, A->properties.symmetric && is_single_process,
                              A->nrows == A->ncols && is_single_process && !A->delegates.split);
  if (info == GrB_SUCCESS && want & GRID_ROW_HUB_NEIGHBORS)
    info = grid_lmat_add_hub_neighbors(b, true, r->col);
  if (info == GrB_SUCCESS && want & GRID_COL_HUB_NEIGHBORS)
    info = grid_lmat_add_hub_neighbors(b, false, r->row);
  return info;
}

/* A block for whose forms the device has no room moves to the host, independently of other processes.
 * Finished forms are kept. */
static GrB_Info make_forms_or_move(GrB_Matrix A, unsigned want, grid_block_degrees *r) {
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = grid_device_oom_to_unsupported(make_forms(A, want, r), refusals);
  if (info != GRID_UNSUPPORTED) return info;
  grid_report_fallback("orienting a matrix block, for which the device has no room");
  info = grid_lmat_to_host(&A->block);
  return info == GrB_SUCCESS ? make_forms(A, want, r) : info;
}

GrB_Info grid_matrix_add_forms(GrB_Matrix A, unsigned want) {
  grid_block_degrees degrees = {0};
  const unsigned hub_neighbors = GRID_ROW_HUB_NEIGHBORS | GRID_COL_HUB_NEIGHBORS;
  GrB_Info info = GrB_SUCCESS;
  if (want & GRID_COL_HUB_NEIGHBORS) want |= GRID_COLS;
  want &= ~A->properties.forms;
  if (!want) return info;
  grid_lap_start();
  /* columns of a block with 64-bit offsets are made on the host, unless they are its rows; only one process
   * has such a block on the device */
  if (want & GRID_COLS && !A->properties.symmetric && A->block.device && grid_lmat_has_offsets64(&A->block))
    TRY(grid_matrix_to_host(A));
  if (want & hub_neighbors && grid_has_degrees(A, true) && grid_has_degrees(A, false))
    TRY(find_degrees(A, want, &degrees));
  grid_lap_record("gather degrees");
  const bool made = grid_compressed_is_built(&A->block.by_row);
  info = grid_agree(&A->head, make_forms_or_move(A, want, &degrees));
  if (info != GrB_SUCCESS && !made)
    grid_lmat_free(&A->block); /* whether a block has rows is the same on all processes */
  if (info != GrB_SUCCESS) goto done;
  A->properties.forms |= want;
  if (grid_ctx.P == 1 && A->block.shared) { /* one process: no agreement is needed */
    if (A->properties.forms & hub_neighbors) A->properties.forms |= hub_neighbors;
    if (!A->delegates.split) A->properties.symmetric = true;
  }
  grid_lap_record("orient");
done:
  grid_block_degrees_free(&degrees);
  return info;
}
