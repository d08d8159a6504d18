/* The table of a backend (spmat/device/backend.h) with the declarations of all its rows. */
#ifndef GRID_SPMAT_BACKEND_H
#define GRID_SPMAT_BACKEND_H
#include "spmat/device/backend.h"
#include "spmat/matrix/device_build.h"
#include "spmat/matrix/split_by_delegates.h"
#include "spmat/vector/backend.h"
#include "spmat/search_level.h"
#include "spmat/lmat_ops.h"
#include "spmat/convert/lmat_pages.h"
#include "spmat/local_product.h"
#include "spmat/search.h"
#include "spmat/vec_ops.h"
#include "spmat/window.h"

/* spmat/cpu/cpu_backend.c */
extern const grid_backend grid_backend_cpu;
/* spmat/cuda/cuda_backend.c; NULL in a build without the toolkit (cuda_missing.c). */
extern const grid_backend *const grid_backend_cuda;
#endif
