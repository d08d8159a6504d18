// Products into at most 64 columns by words (mxm_words.cu).
#ifndef GRID_MXM_WORDS_CUH
#define GRID_MXM_WORDS_CUH
#include "spmat/cuda/matrix/selected_entries.cuh"

extern "C" {
// Is C a pattern of at most 64 columns, and are B's rows there?
bool grid_cuda_is_product_of_words(const grid_lmat_product *m);
// t's rows = the pattern of such a product; truth: the mask's entries that count, or NULL: no mask.
GrB_Info grid_cuda_multiply_words(grid_local_matrix *t, const grid_lmat_product *m,
                                  const grid_selection *truth);
}
#endif
