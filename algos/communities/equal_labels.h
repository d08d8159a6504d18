/* Entries of a matrix between vertices of one label (equal_labels.c). */
#ifndef GRID_EQUAL_LABELS_H
#define GRID_EQUAL_LABELS_H
#include "algos/algos.h"

/* *C becomes a new FP64 matrix: the entries (i,j) of A, of FP64, with label(i) = label(j). label is INT64,
 * with an entry for every row. */
GrB_Info grid_select_equal_labels(GrB_Matrix *C, GrB_Matrix A, GrB_Vector label);
#endif
