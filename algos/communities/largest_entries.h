/* The largest entries of each row of a matrix (largest_entries.c). */
#ifndef GRID_LARGEST_ENTRIES_H
#define GRID_LARGEST_ENTRIES_H
#include "algos/algos.h"

/* Entries on this process. */
typedef struct {
  GrB_Index *row, *col, count, capacity;
  double *value;
} grid_entries;

/* Adds the k largest entries of each row of C, of FP64, of equal ones those with the smallest columns; row i
 * of C is named first + i. Collective. */
GrB_Info grid_largest_entries(grid_entries *e, GrB_Matrix C, GrB_Index first, uint64_t k);
void grid_entries_free(grid_entries *e);
#endif
