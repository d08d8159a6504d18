/* The CUDA backend's table. */
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/product/cuda_product.h"

extern const grid_device_memory grid_cuda_memory;
extern const grid_device_marks grid_cuda_marks;
extern const grid_device_timer grid_cuda_timer;
extern const struct grid_builder grid_cuda_builder;
extern const grid_device_division grid_cuda_division;
extern const grid_search_engine grid_cuda_search;
extern const grid_device_lists grid_cuda_lists;
extern const struct grid_device_sparse_exchange grid_cuda_sparse_exchange;
extern const grid_device_paging grid_cuda_paging;
extern const grid_level_kernels grid_cuda_levels;
extern const grid_windows grid_cuda_windows;
GrB_Info grid_cuda_materialize(grid_materialize *jobs, int n);
GrB_Info grid_cuda_or_words(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies);

static const grid_backend cuda = {.name = "cuda",
                                  .memory = &grid_cuda_memory,
                                  .marks = &grid_cuda_marks,
                                  .timer = &grid_cuda_timer,
                                  .lmat_ops = &grid_cuda_lmat_ops,
                                  .chunks = &grid_cuda_chunks,
                                  .vectors = &grid_cuda_vectors,
                                  .lists = &grid_cuda_lists,
                                  .sparse_exchange = &grid_cuda_sparse_exchange,
                                  .paging = &grid_cuda_paging,
                                  .kernels = grid_cuda_product_kernels,
                                  .products = &grid_cuda_products,
                                  .builder = &grid_cuda_builder,
                                  .division = &grid_cuda_division,
                                  .search = &grid_cuda_search,
                                  .materialize = grid_cuda_materialize,
                                  .levels = &grid_cuda_levels,
                                  .windows = &grid_cuda_windows,
                                  .or_words = grid_cuda_or_words};
const grid_backend *const grid_backend_cuda = &cuda;
