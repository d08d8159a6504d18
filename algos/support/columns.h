/* Vectors that become the columns of a matrix, collected as tuples on each process (columns.c). */
#ifndef GRID_COLUMNS_H
#define GRID_COLUMNS_H
#include "algos/algos.h"

typedef struct {
  GrB_Type type; /* of all vectors, and its size in bytes */
  size_t size;
  GrB_Index *row, *col, count, capacity; /* on this process */
  void *value;
} column_list;

/* The entries of v become those of the column col. Collective. */
GrB_Info grid_columns_add(column_list *c, GrB_Vector v, GrB_Index col);
/* *M becomes the matrix of these columns, of which none remain. Collective. */
GrB_Info grid_columns_build(GrB_Matrix *M, column_list *c, GrB_Index nrows, GrB_Index ncols);
void grid_columns_free(column_list *c);
#endif
