// What least_parent.cu does for the search engine.
#ifndef GRID_LEAST_PARENT_CUH
#define GRID_LEAST_PARENT_CUH
#include "spmat/cuda/device/cuda.cuh"

// The parents of levels 1 to `last` become the least ones, by the levels of the own vertices or, on several
// GPUs, of the block's columns and rows, which are in the own window from `at` on. pushed: edges of the
// levels that were pushed. On a grid whose rows are divided: block_parent, in the own window, takes the least
// columns of the block's rows, and `stop`, mapped for the GPU, ends the wait for the other blocks'.
extern "C" GrB_Info grid_cuda_min_parents(const grid_search_graph *g, const uint8_t *level,
                                          const grid_search_job *job, uint64_t at, uint32_t last,
                                          const uint64_t *pushed, int32_t *block_parent,
                                          const uint32_t *stop);
// Several GPUs, in stream order after a run: every GPU gets the levels and frontiers of all, share_bytes
// bytes from byte `at` of its window on. stop, mapped for the GPU: ends the wait.
extern "C" GrB_Info grid_cuda_share_levels(const grid_search_graph *g, const uint8_t *level,
                                           const grid_search_job *job, uint64_t at, const uint32_t *stop);
extern "C" uint64_t grid_cuda_share_bytes(const grid_search_graph *g);
extern "C" GrB_Info grid_cuda_check_identity(const void *x, const uint64_t *bits, size_t size, uint64_t n,
                                             uint64_t first, bool *own);
#endif
