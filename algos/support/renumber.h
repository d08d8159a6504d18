/* Consecutive numbers for the entries of a vector (renumber.c). */
#ifndef GRID_RENUMBER_H
#define GRID_RENUMBER_H
#include "algos/algos.h"

/* *number becomes a new INT64 vector with v's entries: number(i) = the number of entries below i. */
GrB_Info grid_renumber(GrB_Vector *number, GrB_Vector v);
/* *C becomes a new FP64 matrix: the rows and columns of A where v has entries. */
GrB_Info grid_extract_present(GrB_Matrix *C, GrB_Matrix A, GrB_Vector v);
#endif
