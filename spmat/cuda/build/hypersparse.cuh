// Hypersparse axes of a local matrix that is built on the device: the nonempty vectors are listed, and keys
// contain their numbers in the lists.
#ifndef GRID_HYPERSPARSE_CUH
#define GRID_HYPERSPARSE_CUH
#include "spmat/cuda/build/keys.cuh"

// For one axis: a bit for each nonempty vector, their number before each word of 32, and their list. All
// NULL: every vector is represented, and n is the axis' length.
struct grid_listing {
  uint32_t *nonempty, *ids;
  uint64_t *before, n;
};
// l (freed by the caller, also after an error): the axis' vectors key >> shift & mask of n keys below `none`.
// It is made if the axis may be hypersparse and so few vectors have entries (spmat/matrix/lmat_build.c).
extern "C" GrB_Info grid_cuda_listing(grid_listing *l, const grid_axis *a, const grid_device_tuples *t,
                                      uint64_t none, int shift, uint64_t mask);
extern "C" void grid_cuda_listing_free(grid_listing *l);
// Converts keys row << shift | column to numbers in the lists, and back. Keys from `none` on, which is rows
// << shift for this number of rows, keep that property.
extern "C" GrB_Info grid_cuda_number_keys(uint64_t *keys, uint64_t n, int shift, uint64_t none,
                                          const grid_listing *rows, const grid_listing *cols);
extern "C" GrB_Info grid_cuda_expand_key_ids(uint64_t *keys, uint64_t n, int shift, uint64_t none,
                                             const grid_listing *rows, const grid_listing *cols);
#endif
