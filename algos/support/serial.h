/* The choice between one serial pass over a matrix and rounds of products with it. */
#ifndef GRID_SERIAL_H
#define GRID_SERIAL_H
#include "algos/algos.h"

/* Whether an algorithm on A, which has n rows, makes serial passes, with indices of 32 bits, over its rows
 * (local_rows.h). It does on a single process that has them in memory, without a GPU and with at most so many
 * threads. Local. */
static inline bool grid_prefers_serial(GrB_Matrix A, GrB_Index n, int threads) {
  bool paged;
  Grid_Matrix_bytes_read(&paged, A);
  return Grid_size() == 1 && Grid_device() == Grid_CPU && !paged && n <= INT32_MAX &&
         Grid_threads(0) <= threads;
}
#endif
