// Packed keys (64 bits, two coordinates) in device memory, and the steps of building a local matrix: sort,
// compress. Counts have 64 bits, since there may be more than 2^32 keys before duplicates are combined.
#ifndef GRID_KEYS_CUH
#define GRID_KEYS_CUH
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/device/phase_times.h"
}

// Two buffers of n keys for a radix sort; the keys are in `at`. Both are owned.
struct grid_keys {
  uint64_t *at, *other, n;
};
extern "C" void grid_cuda_keys_free(grid_keys *k);

// Bits of numbers below n, at least 1.
static inline int grid_cuda_bits(uint64_t n) {
  int bits = 1;
  while (bits < 64 && (n - 1) >> bits) bits++;
  return n ? bits : 1;
}

// Stable, by bits [from, from + bits) only.
extern "C" GrB_Info grid_cuda_sort(grid_keys *k, int from, int bits);

// The same, with a number for each key; *other is the numbers' second buffer. The two may be swapped.
extern "C" GrB_Info grid_cuda_sort_pairs(grid_keys *k, int from, int bits, uint32_t **payload,
                                         uint32_t **other);

// v[k] = the sum of the elements before it.
extern "C" GrB_Info grid_cuda_exclusive_sums(uint64_t *v, uint64_t n);

// For n sorted keys: the number of distinct ones, and how many precede each tile of keys. `starts` is device
// memory that the caller frees.
extern "C" GrB_Info grid_cuda_distinct(const uint64_t *key, uint64_t n, uint64_t **starts, uint64_t *count);
// ptr and idx of the distinct keys major << shift | idx, majors 0 .. nmajor - 1. last (or NULL): memory for
// the position of the last key of each distinct one.
extern "C" GrB_Info grid_cuda_compress(const uint64_t *key, uint64_t n, int shift, const uint64_t *starts,
                                       uint64_t count, uint64_t nmajor, uint32_t **ptr, uint32_t **idx,
                                       uint32_t *last);
// The same into allocated arrays: ptr of nmajor + 1, idx of the number of distinct keys.
extern "C" GrB_Info grid_cuda_compress_to(const uint64_t *key, uint64_t n, int shift, const uint64_t *starts,
                                          uint64_t nmajor, uint32_t *ptr, uint32_t *idx, uint32_t *last);

// GrB_OUT_OF_MEMORY, with a message, if fewer than `bytes` are free; called before the work begins.
extern "C" GrB_Info grid_cuda_check_free(uint64_t bytes, const char *what);
// CUB's temporary memory for sorting n keys, besides the buffers.
extern "C" uint64_t grid_cuda_sort_bytes(uint64_t n);

// Reads one number from the device.
template <typename T>
static inline GrB_Info grid_cuda_fetch(T *to, const T *from) {
  return grid_device_get(to, from, sizeof *to);
}

// Blocks of 256 threads for n elements.
static inline unsigned grid_cuda_blocks_for(uint64_t n) {
  return grid_cuda_blocks(n, 256, 32u * (unsigned)grid_cuda_multiprocessors());
}

// Rows of grid_builder (spmat/matrix/device_build.h) that have files of their own.
extern "C" GrB_Info grid_cuda_rmat(const grid_rmat_job *job, uint64_t **keys, uint64_t *capacity,
                                   uint64_t *count);
// One process: the keys of rows job->row .. job->row + job->rows - 1, relative to the first of them; *count:
// their number, of which at most `capacity` are written. counter: memory for a counter.
extern "C" GrB_Info grid_cuda_rmat_rows(const grid_rmat_job *job, uint64_t *keys, uint64_t capacity,
                                        unsigned long long *counter, uint64_t *count);
extern "C" GrB_Info grid_cuda_rmat_lmat(grid_local_matrix *p, const grid_rmat_job *job);
extern "C" GrB_Info grid_cuda_pack(const grid_program_tuples *from, grid_device_tuples *t);
extern "C" const grid_orient_ops grid_cuda_orient_ops;
extern "C" GrB_Info grid_cuda_add_hub_neighbors(const grid_local_matrix *p, bool rows, grid_compressed *c,
                                                const uint32_t *degree);
// The panels of c, if it has 64-bit offsets, over n vectors; built if they do not exist.
extern "C" GrB_Info grid_cuda_panels32(const grid_compressed *c, uint64_t n);
// Splitting off delegates (split_by_delegates.cu).
extern "C" const grid_device_division grid_cuda_division;
// As grid_cuda_count, by compact index.
extern "C" GrB_Info grid_cuda_count_compact(const grid_local_matrix *p, bool rows, uint32_t *count);
extern "C" GrB_Info grid_cuda_count(const grid_local_matrix *p, bool rows, uint32_t *count);
extern "C" GrB_Info grid_cuda_add(uint32_t *to, const uint32_t *more, uint64_t n);
extern "C" GrB_Info grid_cuda_mark(const uint32_t *count, uint64_t n, uint64_t *bits,
                                   uint64_t *nonempty_count);
#endif
