// Few entries along indices, between GPUs: requests for the values of listed indices, and values sent to
// them.
#ifndef GRID_EXCHANGE_ALONG_CUH
#define GRID_EXCHANGE_ALONG_CUH
#include <cooperative_groups.h>

#include "spmat/cuda/gather/exchange_sparse.cuh"

extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
}

namespace {

// Local index k names index `at`: it gets an element in the slot of the owner; false: it is out of range.
__device__ __forceinline__ bool list_slot_position(const exchange_args &f, const position_list &p, uint64_t k,
                                                   char **slot, uint32_t *e) {
  const uint64_t at = position_at(p, k);
  if (at >= p.limit) {
    atomicOr(&f.state->counters.wrong[f.now], 1u);
    return false;
  }
  const uint32_t r = (uint32_t)(at / f.q);
  *e = atomicAdd(&f.state->counters.list_count[f.now][r], 1u);
  if (*e >= MAX_ENTRIES) return false;
  *slot = slot_of(f.m, f.m.turn, r, f.m.rank);
  ((uint2 *)*slot)[*e] = make_uint2((uint32_t)(at - r * f.q), (uint32_t)k);
  return true;
}
__device__ __forceinline__ uint32_t send_list_count(const exchange_args &f, uint32_t r) {
  return list_count(f, r) | (*(volatile uint32_t *)&f.state->counters.wrong[f.now] ? FLAG : 0);
}
__device__ __forceinline__ void clear_bits(uint32_t *bits, uint64_t n) {
  GRID_FOR(w, grid_words32(n)) bits[w] = 0;
}

template <typename unit>
struct along_args {
  position_list p;
  const uint32_t *bits;  // of u; NULL: all
  const unit *u;
  bool present, iso;  // u has entries; u is iso
  uint32_t units;
  uint32_t *t_bits;
  unit *t;
  uint64_t n;  // t's indices
  grid_tally tally;
};

// For each request: its number in the requester's chunk, whether there is an entry, and its value.
template <typename unit>
__device__ void answer(const exchange_args &f, const along_args<unit> &x, uint32_t r) {
  const uint2 *requests = (const uint2 *)slot_of(f.m, f.m.turn, f.m.rank, r);
  char *slot = slot_of(f.m, f.m.turn + 1, r, f.m.rank);
  GRID_FOR(e, f.state->barrier.received[r]) {
    const uint2 request = make_uint2(__ldcv(&requests[e].x), __ldcv(&requests[e].y));
    const bool is = x.present && has(x.bits, request.x);
    ((uint32_t *)slot)[e] = request.y | (is ? FLAG : 0);
    if (is) store_value(values_in<unit>(slot), e, x.u, x.iso ? 0 : request.x, x.units);
  }
}

template <typename unit>
__device__ grid_counter take_replies(const exchange_args &f, const along_args<unit> &x, uint32_t r) {
  char *slot = slot_of(f.m, f.m.turn + 1, f.m.rank, r);
  grid_counter found = 0;
  GRID_FOR(e, list_count(f, r)) {
    const uint32_t answer = __ldcv((const uint32_t *)slot + e), k = answer & ~FLAG;
    if (!(answer & FLAG)) continue;
    atomicOr(x.t_bits + k / 32, 1u << k % 32);
    load_value(x.t, k, values_in<unit>(slot), e, x.units);
    found++;
  }
  return found;
}

template <typename unit>
__global__ void __launch_bounds__(THREADS, 1)
    request_sparse(const __grid_constant__ exchange_args f, const along_args<unit> x) {
  grid_counter found = 0;
  clear_bits(x.t_bits, x.n);
  for_each_entry(x.p.bits, NULL, x.p.n, [&](uint64_t k) {
    char *slot;
    uint32_t e;
    (void)list_slot_position(f, x.p, k, &slot, &e);
  });
  clear_other_counters(f);
  if (!barrier_exchange(f.m, f.m.turn, f.stop, f.state->barrier,
                        [&](uint32_t r) { return send_list_count(f, r); }))
    return;
  const bool wrong = has_bad_index(f);
  for (uint32_t d = 0; !wrong && d < f.m.size; d++) answer(f, x, (f.m.rank + d) % f.m.size);
  if (!barrier_exchange(f.m, f.m.turn + 1, f.stop, f.state->barrier, [](uint32_t) { return 0u; })) return;
  for (uint32_t d = 0; !wrong && d < f.m.size; d++) found += take_replies(f, x, (f.m.rank + d) % f.m.size);
  grid_publish_count(x.tally, wrong && blockIdx.x == 0 && threadIdx.x == 0 ? WRONG : found);
}

// The received entries and their order: by index, process and number there.
struct sparse_sorted {
  uint32_t *facts;  // their number; the most at one index
  uint64_t *raw, *key;
  uint32_t *number, *start;
  char *val;
};
constexpr unsigned AT_ONCE = 4, NUMBER_BITS = 30, POSITION_SHIFT = NUMBER_BITS + 4;
static_assert(GRID_WINDOWS <= 16 && GRID_SPARSE_EXCHANGE_LENGTH <= UINT64_C(1) << NUMBER_BITS,
              "they fit a key");

template <typename unit>
__device__ uint32_t merge_replies(const exchange_args &f, const along_args<unit> &x, const sparse_sorted &s) {
  uint32_t before = 0;
  for (uint32_t r = 0; r < f.m.size; r++) {
    char *slot = slot_of(f.m, f.m.turn, f.m.rank, r);
    const uint32_t n = f.state->barrier.received[r];
    GRID_FOR(e, n) {
      const uint2 *entry = (const uint2 *)slot + e;
      s.raw[before + e] =
          (uint64_t)__ldcv(&entry->x) << POSITION_SHIFT | (uint64_t)r << NUMBER_BITS | __ldcv(&entry->y);
      load_value((unit *)s.val, before + e, values_in<unit>(slot), e, x.units);
    }
    before += n;
  }
  return before;
}

// An entry's rank is the number of entries before it: a warp compares AT_ONCE entries with all. One at a time
// would read the list from the second-level cache so often that its bandwidth is the limit.
template <typename unit>
__device__ grid_counter store_sorted(const along_args<unit> &x, const sparse_sorted &s, uint32_t m) {
  const unsigned lane = threadIdx.x & 31;
  grid_counter found = 0;
  for (uint32_t e = AT_ONCE * (blockIdx.x * WARPS + threadIdx.x / 32); e < m;
       e += AT_ONCE * gridDim.x * WARPS) {
    uint64_t entry[AT_ONCE];
    unsigned less[AT_ONCE] = {}, below[AT_ONCE] = {};
    for (unsigned k = 0; k < AT_ONCE; k++)
      entry[k] = e + k < m ? __ldcg((const unsigned long long *)s.raw + e + k) : 0;
#pragma unroll 4
    for (uint32_t j = lane; j < m; j += 32) {
      const uint64_t other = __ldcg((const unsigned long long *)s.raw + j),
                     position = other >> POSITION_SHIFT;
      for (unsigned k = 0; k < AT_ONCE; k++)
        less[k] += other<entry[k], below[k] += position<entry[k]>> POSITION_SHIFT;
    }
    for (unsigned k = 0; k < AT_ONCE; k++) {
      const uint64_t position = entry[k] >> POSITION_SHIFT;
      const unsigned rank = __reduce_add_sync(~0u, less[k]), first = __reduce_add_sync(~0u, below[k]);
      if (lane || e + k >= m) continue;
      s.key[rank] = position, s.number[rank] = e + k, s.start[rank] = first;
      atomicMax(s.facts + 1, rank - first + 1);
      found += rank == first ? 1 : (grid_counter)1 << DUPLICATE_SHIFT;
      if (rank == first) atomicOr(x.t_bits + position / 32, 1u << position % 32);
    }
  }
  return found;
}

template <typename unit>
__global__ void __launch_bounds__(THREADS, 1)
    reply_sparse(const __grid_constant__ exchange_args f, const along_args<unit> x, const sparse_sorted s) {
  uint32_t m = 0;
  clear_bits(x.t_bits, x.n);
  if (blockIdx.x == 0 && threadIdx.x < 2) s.facts[threadIdx.x] = 0;
  for_each_entry(x.p.bits, x.bits, x.p.n, [&](uint64_t k) {
    char *slot;
    uint32_t e;
    if (list_slot_position(f, x.p, k, &slot, &e))
      store_value(values_in<unit>(slot), e, x.u, x.iso ? 0 : k, x.units);
  });
  clear_other_counters(f);
  if (!barrier_exchange(f.m, f.m.turn, f.stop, f.state->barrier,
                        [&](uint32_t r) { return send_list_count(f, r); }))
    return;
  const bool wrong = has_bad_index(f);
  if (!wrong) m = merge_replies(f, x, s);
  cooperative_groups::this_grid().sync();
  const grid_counter found = store_sorted(x, s, m);
  if (blockIdx.x == 0 && threadIdx.x == 0) s.facts[0] = m;
  grid_publish_count(x.tally, wrong && blockIdx.x == 0 && threadIdx.x == 0 ? WRONG : found);
}

}  // namespace
#endif
