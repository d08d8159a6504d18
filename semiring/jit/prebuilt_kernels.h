/* Directories of the prebuilt kernels: $GRIDBLAS_KERNELS alone (empty: none), or `kernels` where files are
 * that are installed with the library (installed_files.h). */
#ifndef GRID_PREBUILT_KERNELS_H
#define GRID_PREBUILT_KERNELS_H
#include <stdbool.h>
#include <stddef.h>

#include "semiring/support/trusted_files.h"

/* to: the k-th directory, which may not exist, or ""; false: no more. *trust: who may have written its
 * files. */
bool grid_jit_prebuilt(size_t k, char *to, size_t capacity, grid_trust *trust);
#endif
