/* Directories of the prebuilt kernels: $GRIDBLAS_KERNELS alone (empty: none), or relative to the library
 * or program that contains this code: `kernels` there or one level up, in a build tree; gridblas/kernels
 * in the library directory, once installed; or the configured installation directory. All are tried, since
 * another directory may have such a name. */
#ifndef GRID_PREBUILT_KERNELS_H
#define GRID_PREBUILT_KERNELS_H
#include <stdbool.h>
#include <stddef.h>

/* to: the k-th directory, which may not exist, or ""; false: no more. */
bool grid_jit_prebuilt(size_t k, char *to, size_t capacity);
#endif
