// hypersparse.cuh: hypersparse axes of a part that is built on the device: the vectors that hold entries are
// listed, and keys name them by their numbers in the lists.
#ifndef GRID_HYPERSPARSE_CUH
#define GRID_HYPERSPARSE_CUH
#include "spmat/cuda/build/keys.cuh"

// Of one axis: a bit for each vector that holds an entry, how many come before each 32 of them, and their
// list. All NULL: every vector has a place, and n is the axis' length.
struct grid_listing {
  uint32_t *seen, *ids;
  uint64_t *before, n;
};
// l, to be freed, after an error too: the axis' vectors key >> shift & mask of n keys below `none`, if the
// axis may be listed and so few hold entries that it is (spmat/matrix/lmat_build.c).
extern "C" GrB_Info grid_cuda_listing(grid_listing *l, const grid_axis *a, const grid_device_tuples *t,
                                      uint64_t none, int shift, uint64_t mask);
extern "C" void grid_cuda_listing_free(grid_listing *l);
// Keys row << shift | column by the numbers in the lists, and back; those from `none` on, which is rows <<
// shift of as many rows as there are, are so afterwards, too.
extern "C" GrB_Info grid_cuda_number_keys(uint64_t *keys, uint64_t n, int shift, uint64_t none,
                                          const grid_listing *rows, const grid_listing *cols);
extern "C" GrB_Info grid_cuda_expand_key_ids(uint64_t *keys, uint64_t n, int shift, uint64_t none,
                                             const grid_listing *rows, const grid_listing *cols);
#endif
