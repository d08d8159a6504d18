// Shared by the kernels of a search on several GPUs.
#ifndef GRID_LEVEL_CUH
#define GRID_LEVEL_CUH
#include "spmat/cuda/device/cuda.cuh"
#include "spmat/cuda/search/search_rows.cuh"
extern "C" {
#include "spmat/search_level.h"
}

// level_delegates.cu
extern "C" GrB_Info grid_cuda_delegates_frontier(const grid_level_search *s, int at, bool all);
extern "C" GrB_Info grid_cuda_delegates_mark(const grid_level_search *s, uint64_t threshold,
                                             uint64_t *marked);
extern "C" GrB_Info grid_cuda_delegates_number(const grid_level_search *s);

namespace {

typedef unsigned long long ull;
typedef grid_level_search level_search;

enum {
  THREADS = 256,
  WAVES = 4,  // of blocks in a pull concurrent with messages
  LONG = 64,  // a vertex with more entries is pushed in segments by whole warps
};

// Entries of local row v; the number has 32 or 64 bits.
template <typename number>
__device__ uint32_t entries_of(const level_search &s, number v) {
  return s.graph.in_ptr[v + 1] - s.graph.in_ptr[v];
}
__device__ bool bit_of(const uint32_t *bits, uint32_t v) {
  return bits[v >> 5] >> (v & 31) & 1;
}

// A thread's counts, added up once at its end.
struct tally {
  ull count, edges, inspected;
};

__device__ ull warp_sum(ull x) {
#pragma unroll
  for (uint32_t d = 16; d > 0; d /= 2) x += __shfl_down_sync(ALL, x, d);
  return x;
}

__device__ void add_tally(grid_level_head *head, const tally &t) {
  __shared__ ull sum[3];
  if (threadIdx.x < 3) sum[threadIdx.x] = 0;
  const ull count = warp_sum(t.count), edges = warp_sum(t.edges), inspected = warp_sum(t.inspected);
  __syncthreads();
  if (lane() == 0) {
    if (count) atomicAdd(&sum[0], count);
    if (edges) atomicAdd(&sum[1], edges);
    if (inspected) atomicAdd(&sum[2], inspected);
  }
  __syncthreads();
  if (threadIdx.x == 0 && sum[0]) atomicAdd((ull *)&head->count, sum[0]);
  if (threadIdx.x == 1 && sum[1]) atomicAdd((ull *)&head->edges, sum[1]);
  if (threadIdx.x == 2 && sum[2]) atomicAdd((ull *)&head->inspected, sum[2]);
}

// Lists local row v while there is room; when the list is full this costs only a read. Lanes that call
// together reserve positions together.
__device__ void list_row(const level_search &s, grid_level_message *m, uint32_t v) {
  if (*(volatile uint32_t *)&m->head.list_count >= s.list_capacity) return;
  const uint32_t mask = __activemask(), leader = __ffs(mask) - 1;
  uint32_t at = 0;
  if (lane() == leader) at = atomicAdd(&m->head.list_count, (uint32_t)__popc(mask));
  at = __shfl_sync(mask, at, leader) + lanes_before(mask);
  const uint32_t vertex = (uint32_t)(s.k * s.q) + v;
  if (at < GRID_LEVEL_LIST) m->list[at] = vertex;
  if (at < s.list_capacity) s.list[at] = vertex;
}

// Local row v is found from u. __stcs: data that is written once should not evict the frontier's bitmap from
// the cache.
__device__ void write_parent(const level_search &s, uint32_t v, uint32_t u) {
  if (s.parent_bytes == 8)
    __stcs((long long *)s.parent + v, (long long)u);
  else if (s.parent_bytes == 4)
    __stcs((int *)s.parent + v, (int)u);
}
__device__ void write_level(const level_search &s, const grid_level_step &step, uint32_t v) {
  __stcs(s.level + v, (uint8_t)step.level);
  if (step.list) list_row(s, &s.message[1 - step.from][s.k], v);
}
__device__ void record_found(const level_search &s, const grid_level_step &step, uint32_t v, uint32_t u,
                             tally *t) {
  write_parent(s, v, u);
  write_level(s, step, v);
  t->count++;
}

__device__ uint32_t *local_bits(const level_search &s, int at) {
  return s.bits[at] + (uint64_t)s.k * s.q / 32;
}

}  // namespace
#endif
