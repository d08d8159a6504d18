/* permute_entries.h: entries of a matrix in pages that come to stand elsewhere: its transpose, what an extraction takes
 * of it, and what it gives an assignment (outofcore_run.h). */
#ifndef GRID_PERMUTE_ENTRIES_H
#define GRID_PERMUTE_ENTRIES_H
#include "dist/matrix/matrix.h"
#include "spmat/sort/index_set.h"

/* Where rows (columns) of a matrix go: its own number from[k], local, to the number to[k], global, n times;
 * one that is not named goes nowhere, one that is named twice to two places. NULL: to its own number, if the
 * result has it. */
typedef struct {
  uint64_t n;
  grid_index_set from, to;
} grid_permutation;

/* *T, of that many rows and columns and A's type, = the entries of A, which is paged, at their new places;
 * flip: a column's number is then a row's. No place is named twice. T is paged, too, where there is no room
 * for it. Collective, agreed on with `info`. */
GrB_Info grid_permute_pages(GrB_Matrix *T, uint64_t nrows, uint64_t ncols, GrB_Matrix A,
                            const grid_permutation *rows, const grid_permutation *cols, bool flip,
                            GrB_Info info, const char *call);
#endif
