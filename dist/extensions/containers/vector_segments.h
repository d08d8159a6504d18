/* A full vector as contiguous segments, one a process, that need not be the chunks: what a process needs of
 * the vectors of a container. */
#ifndef GRID_VECTOR_SEGMENTS_H
#define GRID_VECTOR_SEGMENTS_H
#include "dist/vector/vector.h"

/* *t (new) becomes this process's chunk of a vector of type `type` and size n, with an entry at every index:
 * x[0 .. count) of this process are those from index `start` on. The segments of all processes in rank order
 * are the whole vector. Collective, agreed on. */
GrB_Info grid_segments_to_chunk(grid_chunk *t, GrB_Type type, const void *x, uint64_t start, uint64_t count,
                                uint64_t n);
/* *x (freed by the caller) = the values of v, which has an entry at every index, from `start` on; `count` of
 * them, at most up to the end. Segments of different processes may overlap. Collective, agreed on. */
GrB_Info grid_segment_of_vector(void **x, GrB_Vector v, uint64_t start, uint64_t count);
#endif
