/* The CUDA backend's rows. */
#include "spmat/backend.h"

extern const grid_device_memory grid_cuda_memory;
extern const grid_level_kernels grid_cuda_levels;
GrB_Info grid_cuda_or_words(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies);

static const grid_backend cuda = {.name = "cuda", .memory = &grid_cuda_memory,
                                  .levels = &grid_cuda_levels,
                                  .or_words = grid_cuda_or_words};
const grid_backend *const grid_cuda = &cuda;
