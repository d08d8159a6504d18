/* The table of backends with all its rows (spmat/device/backend.h says what it is for). */
#ifndef GRID_BACKEND_H
#define GRID_BACKEND_H
#include "spmat/device/backend.h"
#include "spmat/matrix/build.h"
#include "spmat/matrix/divide.h"
#include "spmat/vector/backend.h"
#include "spmat/level.h"
#include "spmat/parts.h"
#include "spmat/convert/part_pages.h"
#include "spmat/product.h"
#include "spmat/search.h"
#include "spmat/window.h"

/* The CPU's products. */
extern const grid_backend grid_backend_cpu;
/* spmat/cuda/backend.c; NULL in a build without the toolkit (absent.c). */
extern const grid_backend *const grid_backend_cuda;
#endif
