/* Filling a matrix from tuples: its blocks are built of them (matrix_route.h) and adopted. */
#include "dist/matrix/transfer/matrix_route.h"
#include "semiring/support/progress.h"
#include "spmat/device/phase_times.h"

GrB_Info grid_matrix_fill(GrB_Matrix A, const grid_build *b, const char *call) {
  grid_local_matrix block;
  grid_mem_reserve_cache(b->n * (b->mirror ? 2 : 1) * 2 *
                         sizeof(uint64_t)); /* released when the matrix is ready */
  grid_build typed = *b;
  if (!b->val) typed.type = A->type;
  grid_lap_start();
  grid_progress(0, GRID_TUPLES_STEPS);
  /* values of another type are cast on the host */
  GrB_Info info = grid_build_block(A, &typed, typed.type == A->type, &block, call);
  if (info == GrB_SUCCESS && block.type != A->type) info = grid_cpu_lmat_cast(&block, A->type);
  if (info == GrB_SUCCESS) info = grid_lmat_detect_iso(&block);
  info = grid_matrix_adopt(A, b, &block, info);
  grid_lmat_free(&block);
  grid_progress(0, 0);
  return info;
}
