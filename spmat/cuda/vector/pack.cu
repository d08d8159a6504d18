// Values of a bitmap's entries side by side, without places: what travels of a vector that is neither full
// nor nearly empty (spmat/vector/backend.h). A warp takes a stretch of 1024 places at a time.
#include "spmat/cuda/device/cuda.cuh"
extern "C" {
#include "spmat/cuda/vector/chunk.h"
}
#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/tile.cuh"

namespace {

enum { THREADS = GRID_TILE_THREADS, STRETCH = GRID_PACKED_STRETCH };
static_assert(STRETCH == 32 * 32, "a word of 32 bits for each lane");

// Entries of this lane's word, and of those before it in the stretch.
__device__ inline uint32_t entries_before(uint32_t word, uint32_t *all) {
  const unsigned lane = threadIdx.x & 31;
  uint32_t upto = (uint32_t)__popc(word);
  for (unsigned d = 1; d < 32; d *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, upto, d);
    if (lane >= d) upto += below;
  }
  *all = __shfl_sync(~0u, upto, 31);
  return upto - (uint32_t)__popc(word);
}

// f(place, rank) for each entry of the stretch, ranks beginning at `first`; a thread for each place of a
// word.
template <typename function>
__device__ inline void each_entry(uint64_t stretch, uint32_t word, uint32_t first, function f) {
  const unsigned lane = threadIdx.x & 31;
#pragma unroll 4
  for (unsigned k = 0; k < 32; k++) {
    const uint32_t w = __shfl_sync(~0u, word, k), at = __shfl_sync(~0u, first, k);
    if (w >> lane & 1) f(stretch * STRETCH + 32 * k + lane, at + (uint32_t)__popc(w & ((1u << lane) - 1)));
  }
}

template <typename unit>
__global__ void pack(unit *packed, uint32_t *start, uint32_t *counter, const uint32_t *bits, const unit *val,
                     uint64_t units, uint64_t n) {
  const unsigned lane = threadIdx.x & 31;
  const uint64_t warps = (uint64_t)gridDim.x * (blockDim.x / 32);
  for (uint64_t s = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; s * STRETCH < n; s += warps) {
    const uint32_t word = grid_word32(bits, n, 32 * s + lane);
    uint32_t all, base = 0, before = entries_before(word, &all);
    if (lane == 0) {
      if (all) base = atomicAdd(counter, all);
      start[s] = base;
    }
    before += __shfl_sync(~0u, base, 0);
    each_entry(s, word, before, [&](uint64_t i, uint64_t at) {
      for (uint64_t q = 0; q < units; q++) packed[at * units + q] = val[i * units + q];
    });
  }
}

template <typename unit>
__global__ void unpack(unit *val, const uint32_t *bits, const uint32_t *start, const unit *packed,
                       uint64_t units, uint64_t n) {
  const unsigned lane = threadIdx.x & 31;
  const uint64_t warps = (uint64_t)gridDim.x * (blockDim.x / 32);
  for (uint64_t s = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; s * STRETCH < n; s += warps) {
    const uint32_t word = grid_word32(bits, n, 32 * s + lane);
    uint32_t all, before = entries_before(word, &all);
    if (all == 0) continue;
    each_entry(s, word, start[s] + before, [&](uint64_t i, uint64_t at) {
      for (uint64_t q = 0; q < units; q++) val[i * units + q] = packed[at * units + q];
    });
  }
}

unsigned blocks_of(uint64_t n) {
  return grid_cuda_blocks((n + STRETCH - 1) / STRETCH * 32, THREADS,
                          8 * (unsigned)grid_cuda_multiprocessors());
}

template <typename unit>
void pack_as(void *packed, uint32_t *start, uint32_t *counter, const uint64_t *bits, const void *val,
             size_t size, uint64_t n) {
  pack<<<blocks_of(n), THREADS, 0, grid_cuda_stream()>>>(
      (unit *)packed, start, counter, (const uint32_t *)bits, (const unit *)val, size / sizeof(unit), n);
}
template <typename unit>
void unpack_as(void *val, const uint64_t *bits, const uint32_t *start, const void *packed, size_t size,
               uint64_t n) {
  unpack<<<blocks_of(n), THREADS, 0, grid_cuda_stream()>>>((unit *)val, (const uint32_t *)bits, start,
                                                           (const unit *)packed, size / sizeof(unit), n);
}

}  // namespace

extern "C" GrB_Info grid_cuda_pack_values(void *packed, uint32_t *start, uint32_t *counter,
                                          const uint64_t *bits, const void *val, size_t size, uint64_t n) {
  if (n == 0) return GrB_SUCCESS;
  if (size % 8 == 0)
    pack_as<uint64_t>(packed, start, counter, bits, val, size, n);
  else if (size % 4 == 0)
    pack_as<uint32_t>(packed, start, counter, bits, val, size, n);
  else
    pack_as<uint8_t>(packed, start, counter, bits, val, size, n);
  return grid_cuda_launched("packing values");
}

extern "C" GrB_Info grid_cuda_unpack_values(void *val, const uint64_t *bits, const uint32_t *start,
                                            const void *packed, size_t size, uint64_t n) {
  if (n == 0) return GrB_SUCCESS;
  if (size % 8 == 0)
    unpack_as<uint64_t>(val, bits, start, packed, size, n);
  else if (size % 4 == 0)
    unpack_as<uint32_t>(val, bits, start, packed, size, n);
  else
    unpack_as<uint8_t>(val, bits, start, packed, size, n);
  return grid_cuda_launched("unpacking values");
}
