/* The CUDA backend's rows. */
#include "spmat/backend.h"

extern const grid_device_memory grid_cuda_memory;
extern const struct grid_builder grid_cuda_builder;

static const grid_backend cuda = {.name = "cuda", .memory = &grid_cuda_memory, .builder = &grid_cuda_builder};
const grid_backend *const grid_cuda = &cuda;
