/* The tuples of a bitmap on the device of whose indices few have an entry. */
#ifndef GRID_DEVICE_TUPLES_H
#define GRID_DEVICE_TUPLES_H
#include "spmat/vector/chunk.h"

/* Is copying the bits and the values of u's entries cheaper than copying its arrays? */
bool grid_has_packed_tuples(const grid_chunk *u);
/* The tuples of such a chunk, as grid_vec_tuples. */
GrB_Info grid_packed_tuples(uint64_t *idx, void *x, GrB_Type xt, const grid_chunk *u, uint64_t first);
#endif
