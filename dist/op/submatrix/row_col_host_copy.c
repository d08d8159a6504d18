/* See row_col_host_copy.h. */
#include "dist/op/submatrix/row_col_host_copy.h"

#include "dist/object/call_placement.h"
#include "dist/object/objects.h"
#include "semiring/support/tuning.h"

void grid_row_col_count_read(GrB_Matrix A, uint64_t length) {
  enum { A_READ = 1 << 19 }; /* bytes that are copied while a line is read on the device */
  if (grid_ctx.P > 1 || A->cached.lines.copied || A->cached.lines.refused || !A->block.device ||
      A->bitmap.only || length >= grid_tune.device_vector_min)
    return;
  if (++A->cached.lines.reads < GRID_CALLS_BEFORE_MOVE + grid_lmat_bytes(&A->block) / A_READ) return;
  const GrB_Info info = grid_lmat_copy_to_host(&A->cached.lines.block, &A->block);
  A->cached.lines.copied = info == GrB_SUCCESS;
  A->cached.lines.refused = info != GrB_SUCCESS;
  if (info != GrB_SUCCESS) grid_lmat_free(&A->cached.lines.block);
}

const grid_local_matrix *grid_row_col_host_copy(const void *A) {
  const GrB_Matrix a = (GrB_Matrix)(uintptr_t)A;
  return a && grid_is_live(a) && a->head.kind == GRID_IS_MATRIX && a->cached.lines.copied && !a->pending.n
             ? &a->cached.lines.block
             : NULL;
}
