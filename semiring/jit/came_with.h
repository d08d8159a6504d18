/* Where the kernels lie that came with the library: $GRIDBLAS_KERNELS (empty: nowhere), else a folder beside
 * what this code is part of, a library or a program, wherever that was put: `kernels` there, or one up, in a
 * build; gridblas/kernels in the folder of libraries, once installed; else where the library was configured
 * to be installed. */
#ifndef GRID_JIT_CAME_WITH_H
#define GRID_JIT_CAME_WITH_H
#include <stdbool.h>
#include <stddef.h>

/* to: the folder; false: nowhere. */
bool grid_jit_came_with(char *to, size_t room);
#endif
