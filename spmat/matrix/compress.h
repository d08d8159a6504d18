/* Compressing: sorted tuples become the rows of a part, equal ones one entry. */
#ifndef GRID_COMPRESS_H
#define GRID_COMPRESS_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/sort/sort.h"

/* A key is row << col_bits | column. A load is a value, or the number of one in `values`; of size 0: a
 * pattern, whose values are all alike. */
typedef struct {
  const grid_sorted *sorted;
  int col_bits;
  const char *values;
  grid_duplicates how;
} grid_compress_job;

/* p, which is empty, gets by_row, with values unless it is a pattern, and nvals. Its rows, unless they are
 * listed already or set to be all, are listed where few hold an entry; columns are taken as they are. On a
 * duplicate that is not allowed: GrB_INVALID_VALUE, its (compact) row and column in *bad. On failure only p's
 * rows may have changed. */
GrB_Info grid_compress(grid_local_matrix *p, const grid_compress_job *c, grid_pair *bad);
#endif
