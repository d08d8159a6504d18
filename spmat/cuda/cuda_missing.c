/* Replaces the CUDA backend in a build without the CUDA toolkit. */
#include "spmat/backend.h"

const grid_backend *const grid_backend_cuda = NULL;
