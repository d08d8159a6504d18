/* Moves entries of an out-of-core matrix to new indices: transpose, extract, and the right-hand side of an
 * assign (outofcore_run.h). */
#ifndef GRID_PERMUTE_ENTRIES_H
#define GRID_PERMUTE_ENTRIES_H
#include "dist/matrix/matrix.h"
#include "spmat/sort/index_set.h"

/* Index map of rows (columns): local index from[k] goes to global index to[k], for n pairs; an index that
 * is not listed is dropped, one listed twice is duplicated. NULL: the identity, for indices that the
 * result has. */
typedef struct {
  uint64_t n;
  grid_index_set from, to;
} grid_permutation;

/* Can grid_permute_pages make a matrix of these dimensions of A, which is paged? Else A's row panels are
 * moved one by one (unite_disjoint.h). The same everywhere. */
bool grid_can_permute_pages(GrB_Matrix A, uint64_t nrows, uint64_t ncols);
/* *T, of that many rows and columns and A's type, = the entries of A, which is paged, at their new
 * indices; flip: transposed. No destination occurs twice. T is paged if memory does not suffice.
 * Collective, agreed on with `info`. */
GrB_Info grid_permute_pages(GrB_Matrix *T, uint64_t nrows, uint64_t ncols, GrB_Matrix A,
                            const grid_permutation *rows, const grid_permutation *cols, bool flip,
                            GrB_Info info, const char *call);
#endif
