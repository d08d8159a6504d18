/* The entries of a block in device memory, scattered into bins by kind and destination
 * (spmat/matrix/split_by_delegates.h): what both ways of splitting on the device share. */
#ifndef GRID_DELEGATE_DIVISION_H
#define GRID_DELEGATE_DIVISION_H
#include "dist/delegates/delegate_split.h"
#include "spmat/backend.h"

/* Keys of each kind and destination. */
typedef struct {
  uint64_t *key[GRID_KINDS], n[GRID_KINDS];
  uint64_t *count, *first; /* of each bin; one allocation with `all` */
  uint64_t *all;           /* the counts of all processes */
  uint32_t *row, *col;     /* delegate numbers */
} grid_delegate_bins;

/* Makes s's tables, and numbers the delegates among the block's rows and columns. Local, as all here. */
GrB_Info grid_delegate_bins_begin(GrB_Matrix A, grid_split *s, grid_division *D, grid_delegate_bins *d);
/* Scatters the entries, after d->count has been counted. */
GrB_Info grid_delegate_bins_scatter(const grid_division *D, grid_delegate_bins *d);
/* Builds a matrix from the keys of a kind, which it consumes. None is hypersparse: indices are those of a
 * chunk, delegate numbers, or those of the block. */
GrB_Info grid_delegate_bins_build(GrB_Matrix A, grid_local_matrix *lmat, grid_delegate_bins *d,
                                  grid_entry_kind kind, uint64_t rows, uint64_t cols);
void grid_delegate_bins_free(grid_delegate_bins *d);
#endif
