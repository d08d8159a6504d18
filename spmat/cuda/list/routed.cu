// Entries that travel between processes: who owns their places, what is sent, and what comes put in its place
// (dist/op/gather_device.c).
#include "spmat/cuda/build/keys.cuh"
extern "C" {
#include "spmat/cuda/list/routed.h"
#include "spmat/cuda/vector/chunk.h"
}
#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/tile.cuh"

namespace {

enum { THREADS = GRID_TILE_THREADS };

// first[r] = how many of n ascending places are below r * q.
__global__ void find_owners(const uint64_t *place, uint64_t n, uint64_t q, uint64_t P, uint64_t *first) {
  GRID_FOR(r, P + 1) {
    uint64_t lo = 0, hi = n;
    while (lo < hi) {
      const uint64_t mid = lo + (hi - lo) / 2;
      if (place[mid] < r * q)
        lo = mid + 1;
      else
        hi = mid;
    }
    first[r] = lo;
  }
}

__global__ void count_from_chunk(uint64_t *place, uint64_t n, uint64_t q) {
  GRID_FOR(e, n) place[e] %= q;
}

// Values of `units` units; one: all of x are the first.
template <typename unit, typename index>
__global__ void give(unit *to, uint8_t *some, const index *at, uint64_t n, const uint32_t *bits,
                     const unit *x, bool one, uint64_t units) {
  GRID_FOR(e, n) {
    const uint64_t i = at ? at[e] : e;
    const bool has = !bits || (bits[i >> 5] >> (i & 31) & 1);
    if (some) some[e] = has;
    for (uint64_t q = 0; has && q < units; q++) to[e * units + q] = x[(one ? 0 : i) * units + q];
  }
}

template <typename unit>
__global__ void take(unit *x, uint32_t *bits, const uint32_t *at, uint64_t n, const unit *from,
                     const uint8_t *some, uint64_t units, grid_tally tally) {
  grid_counter mine = 0;
  GRID_FOR(e, n) {
    if (!some[e]) continue;
    const uint64_t i = at ? at[e] : e;
    atomicOr(bits + (i >> 5), 1u << (i & 31));
    for (uint64_t q = 0; q < units; q++) x[i * units + q] = from[e * units + q];
    mine++;
  }
  grid_tell_count(tally, mine);
}

template <typename unit>
void give_as(void *to, uint8_t *some, const void *at, size_t width, uint64_t n, const grid_chunk *u) {
  const uint32_t *bits = u->format == GRID_BITMAP ? (const uint32_t *)u->bits : NULL;
  const unit *x = (const unit *)u->val;
  const uint64_t units = u->type->size / sizeof(unit);
  if (width == sizeof(uint32_t))
    give<<<grid_cuda_many(n), THREADS, 0, grid_cuda_stream()>>>((unit *)to, some, (const uint32_t *)at, n,
                                                                bits, x, u->iso, units);
  else
    give<<<grid_cuda_many(n), THREADS, 0, grid_cuda_stream()>>>((unit *)to, some, (const uint64_t *)at, n,
                                                                bits, x, u->iso, units);
}

template <typename unit>
void take_as(grid_chunk *t, const uint32_t *at, uint64_t n, const void *from, const uint8_t *some,
             const grid_tally &tally) {
  take<<<grid_cuda_many(n), THREADS, 0, grid_cuda_stream()>>>((unit *)t->val, (uint32_t *)t->bits, at, n,
                                                              (const unit *)from, some,
                                                              t->type->size / sizeof(unit), tally);
}

}  // namespace

extern "C" GrB_Info grid_cuda_list_owners(grid_sorted_places *s, uint64_t q, uint64_t P, uint64_t *first) {
  uint64_t *there = NULL;
  GrB_Info info = GrB_SUCCESS;
  memset(first, 0, (P + 1) * sizeof *first);
  if (s->n == 0) return info;
  there = (uint64_t *)grid_device_malloc(P + 1, sizeof *there);
  if (!there) TRY(grid_device_fail_memory(NULL, "owners of places", P + 1, sizeof *there));
  find_owners<<<grid_cuda_many(P + 1), THREADS, 0, grid_cuda_stream()>>>(s->place, s->n, q, P, there);
  count_from_chunk<<<grid_cuda_many(s->n), THREADS, 0, grid_cuda_stream()>>>(s->place, s->n, q);
  TRY(grid_cuda_launched("finding the owners of places"));
  TRY(grid_device_get(first, there, (P + 1) * sizeof *first));
done:
  grid_device_free(there);
  return info;
}

extern "C" GrB_Info grid_cuda_list_give(void *to, uint8_t *some, const void *at, size_t width, uint64_t n,
                                        const grid_chunk *u) {
  if (n == 0) return GrB_SUCCESS;
  if (u->nvals == 0) return some ? grid_device_zero(some, n) : GrB_SUCCESS;
  if (u->type->size % 8 == 0)
    give_as<uint64_t>(to, some, at, width, n, u);
  else if (u->type->size % 4 == 0)
    give_as<uint32_t>(to, some, at, width, n, u);
  else
    give_as<uint8_t>(to, some, at, width, n, u);
  return grid_cuda_launched("entries that are asked for");
}

extern "C" GrB_Info grid_cuda_list_take(grid_chunk *t, const uint32_t *at, uint64_t n, const void *from,
                                        const uint8_t *some) {
  GrB_Info info = GrB_SUCCESS;
  grid_tally tally;
  if (n == 0) return info;
  TRY(grid_chunk_reserve_device(t, true, false));
  TRY(grid_device_zero(t->bits, grid_words(t->n) * sizeof *t->bits));
  TRY(grid_cuda_tally(&tally));
  if (t->type->size % 8 == 0)
    take_as<uint64_t>(t, at, n, from, some, tally);
  else if (t->type->size % 4 == 0)
    take_as<uint32_t>(t, at, n, from, some, tally);
  else
    take_as<uint8_t>(t, at, n, from, some, tally);
  TRY(grid_cuda_launched("entries that have come"));
  TRY(grid_cuda_told(&tally, &t->nvals, NULL));
  if (t->nvals) t->format = GRID_BITMAP, t->iso = false;
done:
  return info;
}
