// Products into few columns, whose sums lie by column (kernels/mxm_columns.cuh).
#ifndef GRID_CUDA_MXM_COLUMNS_CUH
#define GRID_CUDA_MXM_COLUMNS_CUH
#include "spmat/cuda/matrix/selected_entries.cuh"

extern "C" {
// Are there values of `size` bytes for few enough columns, entries enough in B's rows, and is there memory
// for a sum of each element?
bool grid_cuda_is_product_by_columns(const grid_lmat_product *m, uint64_t size);
// t's rows: count[r] entries in row r, at the set bits among 256 of the row, of n values a row. count has
// rows + 1 elements, and is changed.
GrB_Info grid_cuda_rows_of_columns(grid_local_matrix *t, uint64_t *count, const uint32_t *bits,
                                   const void *value, uint64_t rows, uint64_t n);
}
#endif
