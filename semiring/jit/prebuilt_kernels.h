/* Where the kernels may lie that came with the library: $GRIDBLAS_KERNELS alone (empty: nowhere), or beside
 * what this code is part of, a library or a program, wherever that was put: in `kernels` there, or one up, in
 * a build; in gridblas/kernels in the folder of libraries, once installed; or where the library was
 * configured to be installed. All are looked at: a program's own folder may have such a name, and other
 * things in it. */
#ifndef GRID_PREBUILT_KERNELS_H
#define GRID_PREBUILT_KERNELS_H
#include <stdbool.h>
#include <stddef.h>

/* to: the k-th of these folders, which need not be there, or ""; false: there are no more. */
bool grid_jit_prebuilt(size_t k, char *to, size_t capacity);
#endif
