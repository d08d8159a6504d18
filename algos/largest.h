/* Where a vector is largest (largest.c). */
#ifndef GRID_LARGEST_H
#define GRID_LARGEST_H
#include "algos/algos.h"

/* The smallest index of an INT64 vector at which its value is the largest; not *any: it has no entries. */
GrB_Info grid_vector_argmax(GrB_Index *at, bool *any, GrB_Vector v);
#endif
