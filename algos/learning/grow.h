/* Arrays of one process that become longer. */
#ifndef GRID_GROW_H
#define GRID_GROW_H
#include <stdlib.h>

#include "algos/algos.h"

/* The array gets a length of `elements`, above 0, and keeps what it has. On failure, as TRY, jumps to `out`
 * with GrB_OUT_OF_MEMORY; the array is unchanged. Local. */
#define GROW(array, elements)                                     \
  do {                                                            \
    void *grown = realloc((array), (elements) * sizeof *(array)); \
    info = grown == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;       \
    if (info != GrB_SUCCESS) goto out;                            \
    (array) = grown;                                              \
  } while (0)
#endif
