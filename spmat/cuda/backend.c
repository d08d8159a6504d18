/* The CUDA backend's rows. */
#include "spmat/backend.h"

extern const grid_device_memory grid_cuda_memory;

static const grid_backend cuda = {.name = "cuda", .memory = &grid_cuda_memory};
const grid_backend *const grid_cuda = &cuda;
