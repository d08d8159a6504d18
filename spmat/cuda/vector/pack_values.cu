// Packs the values of a bitmap's entries without their indices: how a vector is sent that is neither full nor
// nearly empty (spmat/vector/backend.h). A warp takes a stretch of 1024 indices at a time.
#include "spmat/cuda/device/cuda.cuh"
extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
}
#include "spmat/cuda/vector/packed_segments.cuh"

namespace {

enum { THREADS = GRID_TILE_THREADS };

template <typename unit>
__global__ void pack(unit *packed, uint32_t *start, uint32_t *counter, const uint32_t *bits, const unit *val,
                     uint64_t units, uint64_t n) {
  const unsigned lane = threadIdx.x & 31;
  const uint64_t warps = (uint64_t)gridDim.x * (blockDim.x / 32);
  for (uint64_t s = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; s * STRETCH < n; s += warps) {
    const uint32_t word = grid_word32(bits, n, 32 * s + lane);
    uint32_t all, base = 0, before = prefix_entries(word, &all);
    if (lane == 0) {
      if (all) base = atomicAdd(counter, all);
      start[s] = base;
    }
    before += __shfl_sync(~0u, base, 0);
    for_each_in_stretch(s, word, before, [&](uint64_t i, uint64_t at) {
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
    uint32_t all, before = prefix_entries(word, &all);
    if (all == 0) continue;
    for_each_in_stretch(s, word, start[s] + before, [&](uint64_t i, uint64_t at) {
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
  return grid_cuda_check_launch("packing values");
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
  return grid_cuda_check_launch("unpacking values");
}
