// The kernels of a product of matrices, compiled at run time for one semiring; X is B's type.
#include "mxm_columns.cuh"
#include "mxm_dots.cuh"
#include "mxm_full.cuh"
#include "mxm_masked.cuh"
#include "product_ops.cuh"

#define GRID_MXM_KERNEL(THREADS) extern "C" __global__ void __launch_bounds__(THREADS)
#if GRID_DOTS
GRID_MXM_KERNEL(GRID_MXM_THREADS) grid_mxm_by_block(grid_mxm_job J, A a1, X b1) {
  grid_mxm_dots_by_block<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_SHORT_THREADS) grid_mxm_short(grid_mxm_job J, A a1, X b1) {
  grid_mxm_dots_short<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_SHORT_THREADS) grid_mxm_by_entry(grid_mxm_job J, A a1, X b1) {
  grid_mxm_dots_by_entry<grid_ops>(J, a1, b1);
}
#else
GRID_MXM_KERNEL(GRID_MXM_THREADS) grid_mxm_by_block(grid_mxm_job J, A a1, X b1) {
  grid_mxm_fill_by_block<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_SHORT_THREADS) grid_mxm_short(grid_mxm_job J, A a1, X b1) {
  grid_mxm_fill_short<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_THREADS) grid_mxm_masked_block(grid_mxm_job J, A a1, X b1) {
  grid_mxm_masked_by_block<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_SHORT_THREADS) grid_mxm_masked_warp(grid_mxm_job J, A a1, X b1) {
  grid_mxm_masked_by_warp<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_THREADS) grid_mxm_columns_block(grid_mxm_job J, A a1, X b1) {
  grid_mxm_columns_by_block<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_SHORT_THREADS) grid_mxm_columns_warp(grid_mxm_job J, A a1, X b1) {
  grid_mxm_columns_by_warp<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_THREADS) grid_mxm_full_block(grid_mxm_job J, A a1, X b1) {
  grid_mxm_full_by_block<grid_ops>(J, a1, b1);
}
GRID_MXM_KERNEL(GRID_MXM_SHORT_THREADS) grid_mxm_full_warp(grid_mxm_job J, A a1, X b1) {
  grid_mxm_full_by_warp<grid_ops>(J, a1, b1);
}
#endif
