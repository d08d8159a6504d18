/* Compression: sorted tuples become the rows of a local matrix, and equal ones one entry. */
#ifndef GRID_COMPRESS_H
#define GRID_COMPRESS_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/sort/sort.h"

/* A key is row << col_bits | column. A load is a value, or the number of one in `values`; or it has size 0: a
 * pattern, whose values are all equal. */
typedef struct {
  const grid_sorted *sorted;
  int col_bits;
  const char *values;
  grid_duplicates how;
  void (*release)(void *released); /* see lmat_build.h */
  void *released;
} grid_compress_job;

/* The empty p gets by_row, with values unless it is a pattern, and nvals. Its rows get a list where few hold
 * entries, unless they have one or are set to be all; columns are taken as they are. On a duplicate that is
 * not allowed: GrB_INVALID_VALUE, its (compact) row and column in *bad. On failure only p's rows may have
 * changed. */
GrB_Info grid_compress(grid_local_matrix *p, const grid_compress_job *c, grid_pair *bad);
#endif
