// Rows of a result whose numbers of entries were counted.
#ifndef GRID_ROWS_OF_COUNTS_CUH
#define GRID_ROWS_OF_COUNTS_CUH
#include "spmat/cuda/matrix/selected_entries.cuh"

// Allocates the offsets and the indices of rows with so many entries. count, of rows + 1 elements, the last
// 0, becomes their sums. GRID_UNSUPPORTED: there are too many.
extern "C" GrB_Info grid_cuda_rows_of_counts(grid_local_matrix *t, uint64_t *count, uint64_t rows);
#endif
