/* The one call by which an operation gets a matrix in the form that it needs. */
#include "dist/matrix/matrix_require.h"

#include <stdio.h>

#include "dist/grid/hooks.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/storage/matrix_storage.h"
#include "spmat/device/device.h"

/* GRID_WHOLE of a matrix that has rows. */
static GrB_Info make_whole(GrB_Matrix A, bool on_host) {
  GrB_Info info = GrB_SUCCESS;
  if (A->delegates.split) TRY(grid_matrix_merge_split(A));
  if (on_host && A->placement.on_device) TRY(grid_agree(&A->head, grid_matrix_to_host(A)));
  if (!on_host && A->placement.on_device != grid_device_is_on()) TRY(grid_matrix_follow_device(A));
  if (grid_compressed_is_built(&A->block.by_row)) return info;
  info = grid_agree(&A->head, grid_matrix_empty_block(&A->block));
  /* processes that made rows drop them: whether a block has rows is the same everywhere */
  if (info != GrB_SUCCESS) grid_lmat_free(&A->block);
done:
  return info;
}

/* GRID_MERGED. */
static GrB_Info merge(GrB_Matrix A) {
  return A->pages || A->pending.n ? grid_storage_of(A)->merge(A) : GrB_SUCCESS;
}

/* GRID_OUTOFCORE: an out-of-core matrix with pending changes comes to memory, if all processes have room, or
 * gets new pages. A hypersparse one that may not stay comes to memory. */
static GrB_Info merge_outofcore(GrB_Matrix A, bool may_be_hypersparse) {
  bool fits;
  GrB_Info info = GrB_SUCCESS;
  if (grid_is_paged_hypersparse(A) && !may_be_hypersparse) return merge(A);
  if (!A->pages || !A->pending.n) return info;
  TRY(grid_paged_check_fit(A, &fits));
  if (fits) {
    info = merge(A);
    if (info != GrB_OUT_OF_MEMORY || !A->pages) return info;
  }
  info = grid_hooks.merge_pages(A);
done:
  return info;
}

GrB_Info grid_matrix_require(GrB_Matrix A, unsigned what) {
  const unsigned whole = GRID_WHOLE | GRID_HOST, rows = GRID_ROWS | GRID_READY | whole;
  GrB_Info info = GrB_SUCCESS;
  if (what & GRID_OUTOFCORE) {
    TRY(merge_outofcore(A, (what & GRID_OUTOFCORE_HYPERSPARSE) == GRID_OUTOFCORE_HYPERSPARSE));
    if (A->pages && !A->pending.n) return what & GRID_READY ? grid_paged_prepare(A) : info;
  }
  if (what & (GRID_MERGED | rows)) TRY(merge(A));
  if (what & rows) TRY(grid_dense_rows(A));
  if (what & whole) TRY(make_whole(A, what & GRID_HOST));
  if (what & GRID_READY) TRY(grid_matrix_make_ready(A));
  if (what & GRID_ALL_FORMS) info = grid_matrix_add_forms(A, what & GRID_ALL_FORMS);
done:
  return info;
}

GrB_Info grid_matrix_require_host(GrB_Matrix A, unsigned what, const char *call) {
  GrB_Info info = grid_matrix_require(A, what | GRID_HOST);
  if (info == GrB_SUCCESS && grid_device_is_on() && !grid_is_paged(A)) {
    char text[96];
    snprintf(text, sizeof text, "%s of matrices", call);
    grid_report_fallback(text);
  }
  return info;
}
