// Stretches of a bitmap with packed values (spmat/vector/backend.h): one a warp, a word of 32 bits a lane.
#ifndef GRID_PACKED_SEGMENTS_CUH
#define GRID_PACKED_SEGMENTS_CUH
#include "spmat/cuda/device/cuda.cuh"
extern "C" {
#include "spmat/vector/backend.h"
}
#ifndef GRID_FN
#define GRID_FN static __device__ __forceinline__
#endif
#include "spmat/cuda/kernels/bitmap_tile.cuh"

namespace {

enum { STRETCH = GRID_PACKED_STRETCH };
static_assert(STRETCH == 32 * 32, "a word of 32 bits for each lane");

// The sum of n over earlier lanes of the warp; *all: over all.
__device__ inline uint32_t sum_before(uint32_t n, uint32_t *all) {
  const unsigned lane = threadIdx.x & 31;
  uint32_t upto = n;
  for (unsigned d = 1; d < 32; d *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, upto, d);
    if (lane >= d) upto += below;
  }
  *all = __shfl_sync(~0u, upto, 31);
  return upto - n;
}

// Number of entries in earlier words of the stretch; *all: in the stretch.
__device__ inline uint32_t prefix_entries(uint32_t word, uint32_t *all) {
  return sum_before((uint32_t)__popc(word), all);
}

// f(index, rank) for each entry of the stretch, ranks beginning at `first`; a thread for each bit of a word.
template <typename function>
__device__ inline void for_each_in_stretch(uint64_t stretch, uint32_t word, uint32_t first, function f) {
  const unsigned lane = threadIdx.x & 31;
#pragma unroll 4
  for (unsigned k = 0; k < 32; k++) {
    const uint32_t w = __shfl_sync(~0u, word, k), at = __shfl_sync(~0u, first, k);
    if (w >> lane & 1) f(stretch * STRETCH + 32 * k + lane, at + (uint32_t)__popc(w & ((1u << lane) - 1)));
  }
}

}  // namespace
#endif
