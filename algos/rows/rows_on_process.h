/* The entries of a matrix on process 0, for a step that one process makes. */
#ifndef GRID_ROWS_ON_PROCESS_H
#define GRID_ROWS_ON_PROCESS_H
#include "algos/algos.h"

/* Row r has the columns to[start[r]] ... to[start[r + 1] - 1], and the values there. On process 0; the others
 * have no arrays. */
typedef struct {
  GrB_Index *start, *to;
  void *value;
} grid_rows_on_process;

/* The rows of A. value_size: that of A's type, or 0 for no values. name: the algorithm's, for messages. *rows
 * is without arrays before and after an error. Collective. Each process sends its entries once. */
GrB_Info grid_rows_to_process(grid_rows_on_process *rows, GrB_Matrix A, size_t value_size, const char *name);
/* Local. */
void grid_rows_on_process_free(grid_rows_on_process *rows);
#endif
