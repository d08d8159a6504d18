/* The CUDA backend's rows. */
#include "spmat/cuda/chunk.h"

extern const grid_device_memory grid_cuda_memory;

static const grid_backend cuda = {.name = "cuda", .memory = &grid_cuda_memory,
                                 .chunks = &grid_cuda_chunks,
                                 .vectors = &grid_cuda_vectors};
const grid_backend *const grid_cuda = &cuda;
