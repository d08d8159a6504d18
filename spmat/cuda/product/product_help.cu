// What a product on the device needs besides its kernels: counting, and dense vectors along hypersparse axes.
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/cuda/product/cuda_product.h"
}
#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/bitmap_tile.cuh"

namespace {

enum { THREADS = 256 };

// An axis' ids as kernels read them.
struct ids {
  const void *at;
  bool is64;
  __device__ uint64_t operator[](uint64_t k) const {
    return is64 ? ((const uint64_t *)at)[k] : ((const uint32_t *)at)[k];
  }
};
ids ids_of(const grid_axis *a) {
  return ids{a->ids, grid_axis_has_ids64(a)};
}

// ---- counting
// -----------------------------------------------------------------------------------------------

// Entries in the vectors of x's bits. A warp takes 32 words at a time and goes from word to word with one
// thread a bit, so that offsets are read contiguously.
__global__ void count_edges(const uint32_t *x, uint64_t n, const uint32_t *ptr, grid_counter *edges) {
  const uint64_t halves = (n + 31) / 32, whole = (halves + 31) / 32 * 32;
  const unsigned lane = threadIdx.x & 31;
  uint64_t sum = 0;
  GRID_FOR(h, whole) {
    const uint32_t word = h < halves ? x[h] : 0;
    for (uint32_t left = __ballot_sync(~0u, word != 0); left; left &= left - 1) {
      const int b = __ffs(left) - 1;
      const uint64_t k = 32 * ((h & ~(uint64_t)31) + b) + lane;
      if (__shfl_sync(~0u, word, b) >> lane & 1) sum += ptr[k + 1] - ptr[k];
    }
  }
  grid_add_count(edges, sum);
}

__global__ void count_edges_at(const uint64_t *x, ids at, uint64_t n, const uint32_t *ptr,
                               grid_counter *edges) {
  uint64_t sum = 0;
  GRID_FOR(k, n)
  if (grid_bit(x, at[k])) sum += ptr[k + 1] - ptr[k];
  grid_add_count(edges, sum);
}

// The same by degrees; x NULL: all n.
__global__ void count_degrees(const uint32_t *x, uint64_t n, const uint32_t *degree, grid_counter *edges) {
  uint64_t sum = 0;
  GRID_FOR(k, n)
  if (!x || x[k >> 5] >> (k & 31) & 1) sum += degree[k];
  grid_add_count(edges, sum);
}

// counts[0]: bits of the mask, perhaps complemented; counts[1]: those of outputs with entries.
__global__ void count_mask(const uint64_t *mask, bool complement, uint64_t n, const uint64_t *nonempty,
                           grid_counter *counts) {
  uint64_t allowed = 0, nonempty_count = 0;
  GRID_FOR(w, grid_words(n)) {
    const uint64_t m = (complement ? ~mask[w] : mask[w]) & grid_tail(n, w);
    allowed += (uint64_t)__popcll(m);
    if (nonempty) nonempty_count += (uint64_t)__popcll(m & nonempty[w]);
  }
  grid_add_count(counts, allowed);
  grid_add_count(counts + 1, nonempty_count);
}

__global__ void count_mask_at(const uint64_t *mask, bool complement, ids at, uint64_t n,
                              const uint64_t *nonempty, grid_counter *counts) {
  uint64_t nonempty_count = 0;
  GRID_FOR(k, n)
  nonempty_count += grid_bit(nonempty, k) && grid_bit(mask, at[k]) != complement;
  grid_add_count(counts + 1, nonempty_count);
}

unsigned blocks_for(uint64_t n) {
  return grid_cuda_blocks(n, THREADS, (unsigned)grid_cuda_multiprocessors() * 8);
}

GrB_Info count_into(const grid_product_count_job *c, grid_counter *v) {
  cudaStream_t stream = grid_cuda_stream();
  const grid_axis *in = c->in_axis, *out = c->out_axis;
  if (c->count_x && c->degree)
    count_degrees<<<blocks_for(in->n), THREADS, 0, stream>>>((const uint32_t *)c->x, in->n, c->degree, v);
  else if (c->count_x && in->ids)
    count_edges_at<<<blocks_for(in->n), THREADS, 0, stream>>>(c->x, ids_of(in), in->n, c->by_in->ptr, v);
  else if (c->count_x)
    count_edges<<<blocks_for((in->n + 31) / 32), THREADS, 0, stream>>>((const uint32_t *)c->x, in->n,
                                                                       c->by_in->ptr, v);
  if (c->count_mask) {
    count_mask<<<blocks_for(grid_words(c->n)), THREADS, 0, stream>>>(
        c->mask, c->complement, c->n, out->ids ? NULL : c->by_out->nonempty, v + 1);
    if (out->ids)
      count_mask_at<<<blocks_for(out->n), THREADS, 0, stream>>>(c->mask, c->complement, ids_of(out), out->n,
                                                                c->by_out->nonempty, v + 1);
  }
  return grid_cuda_check_launch("counting what a product meets");
}

GrB_Info count(grid_product_count_job *c, int n) {
  enum { COUNTERS_PER_JOB = 3 };
  grid_counter got[COUNTERS_PER_JOB * GRID_COUNT_JOBS_MAX];
  const uint64_t bytes = (uint64_t)n * COUNTERS_PER_JOB * sizeof *got;
  grid_counter *v = (grid_counter *)grid_device_malloc(bytes, 1);
  GrB_Info info = v ? GrB_SUCCESS : grid_device_fail_memory(NULL, "counters", bytes, 1);
  TRY(info);
  TRY(grid_device_zero(v, bytes));
  for (int k = 0; k < n; k++) TRY(count_into(c + k, v + COUNTERS_PER_JOB * k));
  TRY(grid_device_get(got, v, bytes));
  for (int k = 0; k < n; k++)
    c[k].edges = got[COUNTERS_PER_JOB * k], c[k].allowed = got[COUNTERS_PER_JOB * k + 1],
    c[k].nonempty_count = got[COUNTERS_PER_JOB * k + 2];
done:
  grid_device_free(v);
  return info;
}

// ---- hypersparse axes
// ---------------------------------------------------------------------------------------

__device__ void copy_value(char *to, const char *from, size_t size) {
  if (size == 8)
    *(uint64_t *)to = *(const uint64_t *)from;
  else if (size == 4)
    *(uint32_t *)to = *(const uint32_t *)from;
  else
    for (size_t b = 0; b < size; b++) to[b] = from[b];
}

__global__ void gather_axis_at(uint32_t *to_bits, char *to_val, const uint64_t *bits, const char *val,
                               size_t size, bool complement, ids at, uint64_t n) {
  const uint64_t whole = grid_words(n) * 64;
  GRID_FOR(k, whole) {  // whole warps
    const bool in = k < n && (!bits || grid_bit(bits, at[k])) != complement;
    const uint32_t word = __ballot_sync(~0u, in);
    if ((threadIdx.x & 31) == 0) to_bits[k / 32] = word;
    if (in && to_val) copy_value(to_val + k * size, val + at[k] * size, size);
  }
}

__global__ void scatter_axis_at(uint32_t *to_bits, char *to_val, const uint64_t *bits, const char *val,
                                size_t size, ids at, uint64_t n) {
  GRID_FOR(k, n) {
    if (!grid_bit(bits, k)) continue;
    const uint64_t id = at[k];
    atomicOr(to_bits + id / 32, 1u << (id & 31));
    if (to_val) copy_value(to_val + id * size, val + k * size, size);
  }
}

GrB_Info gather_axis(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                     bool complement, const grid_axis *axis) {
  if (axis->n == 0) return GrB_SUCCESS;
  gather_axis_at<<<blocks_for(axis->n), THREADS, 0, grid_cuda_stream()>>>(
      (uint32_t *)to_bits, (char *)to_val, bits, (const char *)val, size, complement, ids_of(axis), axis->n);
  return grid_cuda_check_launch("a vector over a hypersparse axis");
}

GrB_Info scatter_axis(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                      const grid_axis *axis) {
  if (axis->n == 0) return GrB_SUCCESS;
  scatter_axis_at<<<blocks_for(axis->n), THREADS, 0, grid_cuda_stream()>>>(
      (uint32_t *)to_bits, (char *)to_val, bits, (const char *)val, size, ids_of(axis), axis->n);
  return grid_cuda_check_launch("outputs of a hypersparse axis");
}

}  // namespace

extern "C" GrB_Info grid_cuda_allowed_entries(const grid_job *J, uint64_t *entries) {
  grid_counter *sum = (grid_counter *)grid_device_malloc(1, sizeof *sum);
  GrB_Info info = sum ? GrB_SUCCESS : grid_device_fail_memory(NULL, "a counter", 1, sizeof *sum);
  TRY(info);
  TRY(grid_device_zero(sum, sizeof *sum));
  count_edges<<<blocks_for((J->ny + 31) / 32), THREADS, 0, grid_cuda_stream()>>>((const uint32_t *)J->mask,
                                                                                 J->ny, J->m->ptr, sum);
  TRY(grid_cuda_check_launch("counting the entries of rows"));
  TRY(grid_device_get(entries, sum, sizeof *entries));
  if (J->mask_complement) *entries = J->entries - *entries;
done:
  grid_device_free(sum);
  return info;
}

extern "C" const grid_device_products grid_cuda_products = {grid_product_is_supported, count, gather_axis,
                                                            scatter_axis};
