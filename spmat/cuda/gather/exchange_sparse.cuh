// What the kernels that exchange few entries between GPUs share: parameters, counters and slots.
#ifndef GRID_EXCHANGE_SPARSE_CUH
#define GRID_EXCHANGE_SPARSE_CUH
#include "spmat/cuda/device/device_barrier.cuh"
#include "spmat/cuda/gather/index_values.cuh"
#include "spmat/cuda/vector/packed_segments.cuh"

extern "C" {
#include "spmat/vector/peer_exchange.h"
}

namespace {

constexpr unsigned THREADS = 1024, WARPS = THREADS / 32;
constexpr uint32_t MAX_ENTRIES = GRID_SPARSE_EXCHANGE_ENTRIES;
constexpr uint32_t FLAG = 1u << 31;  // added to a number of entries, or to an index
// Position in a count of the number of duplicate indices; both numbers are at most MAX_ENTRIES.
constexpr unsigned DUPLICATE_SHIFT = 20;

// ---- parameters and state ---------------------------------------------------------------------------------

// Counters of two alternating kernels: each clears the other's.
struct sparse_counters {
  uint32_t list_count[2][GRID_WINDOWS], wrong[2];
};
// Of a context, in its counters.
struct sparse_state {
  sparse_counters counters;
  barrier_state barrier;
};
static_assert(sizeof(sparse_state) <= GRID_COUNTERS_BYTES, "it fits the context's counters");

struct exchange_args {
  grid_device_barrier m;
  sparse_state *state;
  const volatile uint32_t *stop;
  uint32_t now;  // index of its counters
  uint64_t q;
};

__device__ void clear_other_counters(const exchange_args &f) {
  if (blockIdx.x || threadIdx.x >= GRID_WINDOWS) return;
  f.state->counters.list_count[f.now ^ 1][threadIdx.x] = 0;
  if (threadIdx.x == 0) f.state->counters.wrong[f.now ^ 1] = 0;
}

__device__ __forceinline__ uint32_t list_count(const exchange_args &f, uint32_t r) {
  const uint32_t n = *(volatile uint32_t *)&f.state->counters.list_count[f.now][r];
  return n < MAX_ENTRIES ? n : MAX_ENTRIES;
}

__device__ __forceinline__ bool has_bad_index(const exchange_args &f) {
  for (uint32_t r = 0; r < f.m.size; r++)
    if (f.state->barrier.received[r] & FLAG) return true;
  return false;
}

// ---- slots: indices of 4 or 8 bytes, followed by values ---------------------------------------------------

template <typename unit>
__device__ __forceinline__ unit *values_in(char *slot) {
  return (unit *)(slot + 8 * (uint64_t)MAX_ENTRIES);
}

template <typename unit>
__device__ __forceinline__ void store_value(unit *to, uint64_t at, const unit *from, uint64_t i,
                                            uint32_t units) {
  for (uint32_t k = 0; k < units; k++) to[at * units + k] = from[i * units + k];
}
// Data written by others is read past the first-level cache.
template <typename unit>
__device__ __forceinline__ void load_value(unit *to, uint64_t at, const unit *from, uint64_t i,
                                           uint32_t units) {
  for (uint32_t k = 0; k < units; k++) to[at * units + k] = __ldcv(from + i * units + k);
}

// f(i) for each entry of a bitmap or full chunk.
template <typename call>
__device__ __forceinline__ void for_each_entry(const uint32_t *a, const uint32_t *b, uint64_t n, call f) {
  GRID_FOR(w, grid_words32(n))
  for (uint32_t s = grid_word32(a, n, w) & grid_word32(b, n, w); s; s &= s - 1) f(32 * w + __ffs(s) - 1);
}

}  // namespace
#endif
