// Entries exchanged between processes: the owners of their indices, what is sent, and storing what is
// received (dist/op/vector_gather_device.c).
#include "spmat/cuda/build/keys.cuh"
extern "C" {
#include "spmat/cuda/gather/gather_route.h"
#include "spmat/cuda/vector/cuda_chunk.h"
}
#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/bitmap_tile.cuh"

namespace {

enum { THREADS = GRID_TILE_THREADS };

// first[r] = how many of n ascending indices are below the begin of chunk r: bounds[r], or r * q.
__global__ void find_owners(const uint64_t *position, uint64_t n, uint64_t q, const uint64_t *bounds,
                            uint64_t P, uint64_t *first) {
  GRID_FOR(r, P + 1) {
    const uint64_t begin = bounds ? bounds[r] : r * q;
    uint64_t lo = 0, hi = n;
    while (lo < hi) {
      const uint64_t mid = lo + (hi - lo) / 2;
      if (position[mid] < begin)
        lo = mid + 1;
      else
        hi = mid;
    }
    first[r] = lo;
  }
}

__global__ void count_from_chunk(uint64_t *position, uint64_t n, uint64_t q) {
  GRID_FOR(e, n) position[e] %= q;
}

// The same for uneven chunks: element e is in the last chunk r with first[r] <= e.
__global__ void count_from_bounds(uint64_t *position, uint64_t n, const uint64_t *bounds, uint64_t P,
                                  const uint64_t *first) {
  GRID_FOR(e, n) {
    uint64_t r = 0, end = P;
    while (end - r > 1) {
      const uint64_t mid = r + (end - r) / 2;
      if (first[mid] <= e)
        r = mid;
      else
        end = mid;
    }
    position[e] -= bounds[r];
  }
}

// Values have `units` units; one: x is iso.
template <typename unit, typename index>
__global__ void gather_at(unit *to, uint8_t *present, const index *at, uint64_t n, const uint32_t *bits,
                          const unit *x, bool iso, uint64_t units) {
  GRID_FOR(e, n) {
    const uint64_t i = at ? at[e] : e;
    const bool has = !bits || (bits[i >> 5] >> (i & 31) & 1);
    if (present) present[e] = has;
    for (uint64_t q = 0; has && q < units; q++) to[e * units + q] = x[(iso ? 0 : i) * units + q];
  }
}

template <typename unit>
__global__ void store_received(unit *x, uint32_t *bits, const uint32_t *at, uint64_t n, const unit *from,
                               const uint8_t *present, uint64_t units, grid_tally tally) {
  grid_counter thread_count = 0;
  GRID_FOR(e, n) {
    if (!present[e]) continue;
    const uint64_t i = at ? at[e] : e;
    atomicOr(bits + (i >> 5), 1u << (i & 31));
    for (uint64_t q = 0; q < units; q++) x[i * units + q] = from[e * units + q];
    thread_count++;
  }
  grid_publish_count(tally, thread_count);
}

template <typename unit>
void gather_at_as(void *to, uint8_t *present, const void *at, size_t width, uint64_t n, const grid_chunk *u) {
  const uint32_t *bits = u->format == GRID_BITMAP ? (const uint32_t *)u->bits : NULL;
  const unit *x = (const unit *)u->val;
  const uint64_t units = u->type->size / sizeof(unit);
  if (width == sizeof(uint32_t))
    gather_at<<<grid_cuda_blocks_for(n), THREADS, 0, grid_cuda_stream()>>>(
        (unit *)to, present, (const uint32_t *)at, n, bits, x, u->iso, units);
  else
    gather_at<<<grid_cuda_blocks_for(n), THREADS, 0, grid_cuda_stream()>>>(
        (unit *)to, present, (const uint64_t *)at, n, bits, x, u->iso, units);
}

template <typename unit>
void store_received_as(grid_chunk *t, const uint32_t *at, uint64_t n, const void *from,
                       const uint8_t *present, const grid_tally &tally) {
  store_received<<<grid_cuda_blocks_for(n), THREADS, 0, grid_cuda_stream()>>>(
      (unit *)t->val, (uint32_t *)t->bits, at, n, (const unit *)from, present, t->type->size / sizeof(unit),
      tally);
}

}  // namespace

extern "C" GrB_Info grid_cuda_list_find_owners(grid_sorted_positions *s, uint64_t q, const uint64_t *bounds,
                                               uint64_t P, uint64_t *first) {
  uint64_t *device_first = NULL, *device_bounds = NULL;
  GrB_Info info = GrB_SUCCESS;
  memset(first, 0, (P + 1) * sizeof *first);
  if (s->n == 0) return info;
  device_first = (uint64_t *)grid_device_malloc(P + 1, sizeof *device_first);
  if (!device_first) TRY(grid_device_fail_memory(NULL, "owners of indices", P + 1, sizeof *device_first));
  if (bounds) TRY(grid_device_send(&device_bounds, bounds, P + 1, sizeof *bounds, "bounds of chunks"));
  find_owners<<<grid_cuda_blocks_for(P + 1), THREADS, 0, grid_cuda_stream()>>>(
      s->position, s->n, q, device_bounds, P, device_first);
  if (bounds)
    count_from_bounds<<<grid_cuda_blocks_for(s->n), THREADS, 0, grid_cuda_stream()>>>(
        s->position, s->n, device_bounds, P, device_first);
  else
    count_from_chunk<<<grid_cuda_blocks_for(s->n), THREADS, 0, grid_cuda_stream()>>>(s->position, s->n, q);
  TRY(grid_cuda_check_launch("finding the owners of indices"));
  TRY(grid_device_get(first, device_first, (P + 1) * sizeof *first));
done:
  grid_device_free(device_bounds);
  grid_device_free(device_first);
  return info;
}

extern "C" GrB_Info grid_cuda_list_gather_at(void *to, uint8_t *present, const void *at, size_t width,
                                             uint64_t n, const grid_chunk *u) {
  if (n == 0) return GrB_SUCCESS;
  if (u->nvals == 0) return present ? grid_device_zero(present, n) : GrB_SUCCESS;
  if (u->type->size % 8 == 0)
    gather_at_as<uint64_t>(to, present, at, width, n, u);
  else if (u->type->size % 4 == 0)
    gather_at_as<uint32_t>(to, present, at, width, n, u);
  else
    gather_at_as<uint8_t>(to, present, at, width, n, u);
  return grid_cuda_check_launch("entries that are asked for");
}

extern "C" GrB_Info grid_cuda_list_receive(grid_chunk *t, const uint32_t *at, uint64_t n, const void *from,
                                           const uint8_t *present) {
  GrB_Info info = GrB_SUCCESS;
  grid_tally tally;
  if (n == 0) return info;
  TRY(grid_chunk_reserve_device(t, true, false));
  TRY(grid_device_zero(t->bits, grid_words(t->n) * sizeof *t->bits));
  TRY(grid_cuda_tally(&tally));
  if (t->type->size % 8 == 0)
    store_received_as<uint64_t>(t, at, n, from, present, tally);
  else if (t->type->size % 4 == 0)
    store_received_as<uint32_t>(t, at, n, from, present, tally);
  else
    store_received_as<uint8_t>(t, at, n, from, present, tally);
  TRY(grid_cuda_check_launch("entries that have come"));
  TRY(grid_cuda_wait_count(&tally, &t->nvals, NULL));
  if (t->nvals) t->format = GRID_BITMAP, t->iso = false;
done:
  return info;
}
