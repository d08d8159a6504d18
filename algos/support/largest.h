/* The position of a vector's maximum (largest.c). */
#ifndef GRID_LARGEST_H
#define GRID_LARGEST_H
#include "algos/algos.h"

/* *at: the smallest index of an INT64 vector where its value is the maximum; *any: it has entries. */
GrB_Info grid_vector_argmax(GrB_Index *at, bool *any, GrB_Vector v);
#endif
