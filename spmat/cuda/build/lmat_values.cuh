// Values of a local matrix that is built on the device: tuple numbers are sorted along with the keys.
#ifndef GRID_LMAT_VALUES_CUH
#define GRID_LMAT_VALUES_CUH
#include "spmat/cuda/build/keys.cuh"

// Numbers 0 .. n - 1 of n keys, and a second buffer; both are owned.
struct grid_numbers {
  uint32_t *at, *other;
};
extern "C" GrB_Info grid_cuda_number(grid_numbers *number, uint64_t n);
extern "C" void grid_cuda_numbers_free(grid_numbers *number);

// to[k] = from[at[k]], values of `size` bytes.
extern "C" GrB_Info grid_cuda_gather_values(void *to, const void *from, const uint32_t *at, uint64_t n,
                                            uint64_t size);

// For sorted keys with their numbers: can `how` be done here? GrB_INVALID_VALUE: two keys are equal, and
// nothing combines them; the first in order is *bad. GRID_UNSUPPORTED: so many are equal that one thread
// would take long to combine them.
extern "C" GrB_Info grid_cuda_check_equal(const grid_keys *k, uint64_t distinct, int shift,
                                          grid_duplicates how, grid_pair *bad);
// *val: the values of the entries, of type `type`; last[k], which becomes scratch: position of the last tuple
// of entry k. GRID_UNSUPPORTED: the operator has no device form.
extern "C" GrB_Info grid_cuda_combine_values(void **val, uint64_t entries, uint32_t *last,
                                             const uint32_t *number, const grid_device_tuples *t,
                                             GrB_Type type);
// Makes the matrix iso if all values are equal.
extern "C" GrB_Info grid_cuda_find_iso(grid_local_matrix *p);
#endif
