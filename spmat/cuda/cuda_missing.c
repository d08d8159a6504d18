/* In place of the CUDA backend where the toolkit was not found. */
#include "spmat/backend.h"

const grid_backend *const grid_backend_cuda = NULL;
