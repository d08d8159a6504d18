// Packed keys (64 bits, two coordinates) in device memory, and the steps that parts are made of: sort,
// compress. Everything is counted in 64 bits: there may be more than 2^32 keys before duplicates go.
#ifndef GRID_KEYS_CUH
#define GRID_KEYS_CUH
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/device/phase_times.h"
}

// Two buffers of n keys, as a radix sort wants them; the keys stand in `at`. Both are owned.
struct grid_keys {
  uint64_t *at, *other, n;
};
extern "C" void grid_cuda_keys_free(grid_keys *k);

// Bits that numbers below n need, at least 1.
static inline int grid_cuda_bits(uint64_t n) {
  int bits = 1;
  while (bits < 64 && (n - 1) >> bits) bits++;
  return n ? bits : 1;
}

// Stable, by bits [from, from + bits) only.
extern "C" GrB_Info grid_cuda_sort(grid_keys *k, int from, int bits);

// The same, with a number beside each key; *other is the numbers' second buffer. The two may change places.
extern "C" GrB_Info grid_cuda_sort_pairs(grid_keys *k, int from, int bits, uint32_t **payload,
                                         uint32_t **other);

// v[k] becomes the sum of those before it.
extern "C" GrB_Info grid_cuda_exclusive_sums(uint64_t *v, uint64_t n);

// From n sorted keys: how many differ from the one before, and where each tile of keys starts among them.
// `starts` is device memory to be freed.
extern "C" GrB_Info grid_cuda_distinct(const uint64_t *key, uint64_t n, uint64_t **starts, uint64_t *count);
// ptr and idx of the distinct keys major << shift | idx, majors 0 .. nmajor - 1. last, or NULL: room for
// where the last key of each distinct one stands.
extern "C" GrB_Info grid_cuda_compress(const uint64_t *key, uint64_t n, int shift, const uint64_t *starts,
                                       uint64_t count, uint64_t nmajor, uint32_t **ptr, uint32_t **idx,
                                       uint32_t *last);
// The same into arrays that are there: ptr of nmajor + 1, idx of as many as there are distinct keys.
extern "C" GrB_Info grid_cuda_compress_to(const uint64_t *key, uint64_t n, int shift, const uint64_t *starts,
                                          uint64_t nmajor, uint32_t *ptr, uint32_t *idx, uint32_t *last);

// GrB_OUT_OF_MEMORY with a sentence when less than `bytes` are free, before anything is begun.
extern "C" GrB_Info grid_cuda_check_free(uint64_t bytes, const char *what);
// What CUB wants beside the buffers when n keys are sorted.
extern "C" uint64_t grid_cuda_sort_bytes(uint64_t n);

// One number from the device.
template <typename T>
static inline GrB_Info grid_cuda_fetch(T *to, const T *there) {
  return grid_device_get(to, there, sizeof *to);
}

// Blocks of 256 threads for n elements.
static inline unsigned grid_cuda_blocks_for(uint64_t n) {
  return grid_cuda_blocks(n, 256, 32u * (unsigned)grid_cuda_multiprocessors());
}

// The rows of grid_builder (spmat/matrix/device_build.h) that stand in files of their own.
extern "C" GrB_Info grid_cuda_rmat(const grid_rmat_job *job, uint64_t **keys, uint64_t *capacity,
                                   uint64_t *count);
// One process: the keys of rows job->row .. + job->rows alone, counted from the first of them; *count: how
// many there are, written as far as there is room. there: room for a counter.
extern "C" GrB_Info grid_cuda_rmat_rows(const grid_rmat_job *job, uint64_t *keys, uint64_t capacity,
                                        unsigned long long *there, uint64_t *count);
extern "C" GrB_Info grid_cuda_rmat_lmat(grid_local_matrix *p, const grid_rmat_job *job);
extern "C" GrB_Info grid_cuda_pack(const grid_program_tuples *from, grid_device_tuples *t);
extern "C" const grid_orient_ops grid_cuda_orient_ops;
extern "C" GrB_Info grid_cuda_add_hub_neighbors(const grid_local_matrix *p, bool rows, grid_compressed *c,
                                                const uint32_t *degree);
// c's slabs, if it has 64-bit offsets, over n vectors: made if they are not there.
extern "C" GrB_Info grid_cuda_panels32(const grid_compressed *c, uint64_t n);
// Splitting off delegates (split_by_delegates.cu).
extern "C" const grid_device_division grid_cuda_division;
// Like the row `count`, by compact index.
extern "C" GrB_Info grid_cuda_count_compact(const grid_local_matrix *p, bool rows, uint32_t *count);
extern "C" GrB_Info grid_cuda_count(const grid_local_matrix *p, bool rows, uint32_t *count);
extern "C" GrB_Info grid_cuda_add(uint32_t *to, const uint32_t *more, uint64_t n);
extern "C" GrB_Info grid_cuda_mark(const uint32_t *count, uint64_t n, uint64_t *bits,
                                   uint64_t *nonempty_count);
#endif
