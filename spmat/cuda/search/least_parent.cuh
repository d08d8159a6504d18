// What least_parent.cu does for the search engine.
#ifndef GRID_LEAST_PARENT_CUH
#define GRID_LEAST_PARENT_CUH
#include "spmat/cuda/device/cuda.cuh"

// The parents of levels 1 to `last` become the least ones. One GPU has the levels of all vertices; several
// read what share_levels has put into the windows from `at` on. pushed: edges of the levels that were
// pushed. Local.
extern "C" GrB_Info grid_cuda_min_parents(const grid_search_graph *g, const uint8_t *level,
                                          const grid_search_job *job, uint64_t at, uint32_t last,
                                          const uint64_t *pushed);
// Several GPUs, in stream order after a run. Every GPU gets the levels and frontiers of all. Where the
// matrix' rows are divided among blocks, it finds the least parents by its own block. share_bytes bytes from
// byte `at` of its window on. stop, mapped for the GPU: ends the wait.
extern "C" GrB_Info grid_cuda_share_levels(const grid_search_graph *g, const uint8_t *level,
                                           const grid_search_job *job, uint64_t at, const uint32_t *stop);
extern "C" uint64_t grid_cuda_share_bytes(const grid_search_graph *g);
extern "C" GrB_Info grid_cuda_check_identity(const void *x, const uint64_t *bits, size_t size, uint64_t n,
                                             uint64_t first, bool *identity);
#endif
