// The kernels of a product, compiled at run time for one semiring and one direction.
#include "product.cuh"
#if GRID_BY_PANELS
#include "product_panels.cuh"
#elif GRID_BALANCED
#include "product_tiles.cuh"
#elif GRID_ROW_BLOCKS
#include "product_row_blocks.cuh"
#elif !GRID_PULL
#include "product_push.cuh"
#endif
#include "product_ops.cuh"

#define GRID_KERNEL_OF(THREADS) extern "C" __global__ void __launch_bounds__(THREADS)
#define GRID_PRODUCT_KERNEL     GRID_KERNEL_OF(GRID_PRODUCT_THREADS)
#if GRID_BY_PANELS
GRID_KERNEL_OF(GRID_PRODUCT_HUB_THREADS) grid_product_main(grid_product_job J, A a1) {
  grid_pull_panels<grid_ops>(J, a1);
}
GRID_PRODUCT_KERNEL grid_product_last(grid_product_job J, A a1) {
  grid_pull_panel_sums<grid_ops>(J, a1);
}
#elif GRID_BALANCED
#if GRID_DEGREE_ORDERED
GRID_KERNEL_OF(GRID_PRODUCT_HUB_THREADS) grid_product_main(grid_product_job J, A a1) {
  grid_pull_degree_ordered<grid_ops>(J, a1);
}
#else
GRID_PRODUCT_KERNEL grid_product_main(grid_product_job J, A a1) {
  grid_pull_tiles<grid_ops>(J, a1);
}
#endif
GRID_PRODUCT_KERNEL grid_product_last(grid_product_job J, A a1) {
  grid_pull_tile_sums<grid_ops>(J, a1);
}
#elif GRID_ROW_BLOCKS
extern "C" __global__ void __launch_bounds__(GRID_PRODUCT_THREADS, GRID_ROW_BLOCK_RESIDENT(Z))
    grid_product_main(grid_product_job J, A a1) {
  grid_pull_row_blocks<grid_ops>(J, a1);
}
#elif GRID_PULL
GRID_PRODUCT_KERNEL grid_product_main(grid_product_job J, A a1) {
#if GRID_ANY
  grid_pull_any<grid_ops>(J, a1);
#else
  grid_pull_sum<grid_ops>(J, a1);
#endif
}
GRID_PRODUCT_KERNEL grid_product_last(grid_product_job J, A a1) {
  grid_pull_segments<grid_ops>(J, a1);
}
#else
extern "C" __global__ void __launch_bounds__(GRID_PRODUCT_THREADS, GRID_PUSH_BLOCKS)
    grid_product_main(grid_product_job J, A a1) {
  grid_push<grid_ops>(J, a1);
}
#endif
