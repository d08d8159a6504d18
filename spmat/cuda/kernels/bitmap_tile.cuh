// Passes over bitmaps: a warp takes a tile of 1024 indices, with one word of 32 bits a thread. So bits are
// read and written contiguously, and words without a bit cost nothing more. For values, the warp goes from
// word to word with a thread for each bit.
#ifndef GRID_BITMAP_TILE_CUH
#define GRID_BITMAP_TILE_CUH

#ifndef GRID_KERNEL  // compiled-in kernels are in namespaces
#define GRID_KERNEL extern "C" __global__ void
#endif

#include "vec_args.cuh"

typedef unsigned long long grid_counter;

// 32-bit words in a bitmap of n bits.
GRID_FN uint64_t grid_words32(uint64_t n) {
  return (n + 63) / 64 * 2;
}

// The bits of 32-bit word w that are indices below n.
GRID_FN uint32_t grid_tail32(uint64_t n, uint64_t w) {
  const uint64_t at = 32 * w;
  return at >= n ? 0 : n - at >= 32 ? ~0u : (1u << (n - at)) - 1;
}

// Word w of a bitmap; NULL: all indices below n.
GRID_FN uint32_t grid_word32(const uint32_t *bits, uint64_t n, uint64_t w) {
  return !bits ? grid_tail32(n, w) : w < grid_words32(n) ? bits[w] : 0;
}

// Words that a warp takes at a time: 32 if all warps get that many, else fewer, so that a short vector is
// spread over the whole device.
GRID_FN unsigned grid_tile_width(uint64_t n) {
  const uint64_t words = grid_words32(n), warps = (uint64_t)gridDim.x * (blockDim.x / 32);
  unsigned width = 1;
  while (width < 32 && words > width * warps) width *= 2;
  return width;
}

// This thread's words of all tiles. Words beyond the end have no indices; threads without a word in a narrow
// tile get such ones. Whole warps.
#define GRID_NO_WORD ((uint64_t)1 << 40)
#define GRID_TILES(w, n)                                                                               \
  for (uint64_t w##_width = grid_tile_width(n), w##_words = grid_words32(n),                           \
                w##_at = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32 * w##_width,           \
                w = w##_at + (threadIdx.x & 31) + ((threadIdx.x & 31) < w##_width ? 0 : GRID_NO_WORD); \
       w##_at < w##_words; w##_at += (uint64_t)gridDim.x * (blockDim.x / 32) * w##_width,              \
                w += (uint64_t)gridDim.x * (blockDim.x / 32) * w##_width)

// Tiles of 32 words each, whatever the length.
#define GRID_FULL_TILES(w, n)                                                                      \
  for (uint64_t w = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; w < ((n) + 1023) / 1024 * 32; \
       w += (uint64_t)gridDim.x * blockDim.x)

// The threads k whose s is not 0, the same for the whole warp.
#define GRID_FOR_TILE_LANE(k, s)                                                                 \
  for (unsigned k##_rest = __ballot_sync(~0u, (s) != 0), k = __ffs(k##_rest) - 1; k##_rest != 0; \
       k##_rest &= k##_rest - 1, k = __ffs(k##_rest) - 1)

// The index of this thread's bit in the word of thread k of the warp, w being this thread's own word number.
GRID_FN uint64_t grid_tile_index(uint64_t w, unsigned k) {
  return ((w & (GRID_NO_WORD - 1)) - (threadIdx.x & 31) + k) * 32 + (threadIdx.x & 31);
}
GRID_FN bool grid_tile_bit(uint32_t s, unsigned k) {
  return __shfl_sync(~0u, s, k) >> (threadIdx.x & 31) & 1;
}

// The sum of `thread_count` over the block, in its thread 0; all its threads call.
GRID_FN grid_counter grid_block_sum(grid_counter thread_count) {
  __shared__ grid_counter total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (int d = 16; d > 0; d /= 2) thread_count += __shfl_down_sync(~0u, thread_count, d);
  if ((threadIdx.x & 31) == 0 && thread_count) atomicAdd(&total, thread_count);
  __syncthreads();
  return total;
}

// *to += the sum of `thread_count` over the block; all its threads call.
GRID_FN void grid_add_count(grid_counter *to, grid_counter thread_count) {
  const grid_counter total = grid_block_sum(thread_count);
  if (threadIdx.x == 0 && total) atomicAdd(to, total);
}

// Thread 0 of a block that has written its results: is it the last block?
GRID_FN bool grid_tile_arrive(const grid_tally &t) {
  __threadfence();
  if (atomicAdd(&t.accumulator->arrived, 1ull) != gridDim.x - 1) return false;
  __threadfence();
  t.accumulator->arrived = 0;
  return true;
}

// Marks the slot as readable.
GRID_FN void grid_publish(const grid_tally &t) {
  __threadfence_system();
  *(volatile unsigned long long *)&t.slot->ticket = t.ticket;
}

// Publishes the sum of `thread_count` over all blocks; all threads of all blocks call, once.
GRID_FN void grid_publish_count(const grid_tally &t, grid_counter thread_count) {
  if (!t.slot) return;
  const grid_counter total = grid_block_sum(thread_count);
  if (threadIdx.x != 0) return;
  if (total) atomicAdd(&t.accumulator->sum, total);
  if (!grid_tile_arrive(t)) return;
  *(volatile unsigned long long *)&t.slot->count = atomicExch(&t.accumulator->sum, 0ull);
  grid_publish(t);
}

// A pass is grid_step(s, w, count): the work for this thread's word w of each tile. s is its argument block
// (vec_args.cuh), and it adds to count, which is published. It reads and writes only at its own index, so
// that a thread may take several passes over a tile in sequence. GRID_PASS makes it a kernel, or, with
// GRID_FUSED, a step of one (vec_fused.cuh).
#ifdef GRID_FUSED
#define GRID_PASS(NAME, STEP) typedef STEP grid_step_args;
#else
#define GRID_PASS(NAME, STEP)                        \
  GRID_KERNEL NAME(const __grid_constant__ STEP s) { \
    grid_counter count = 0;                          \
    GRID_TILES(w, s.a.n) grid_step(s, w, count);     \
    grid_publish_count(s.a.tally, count);            \
  }
#endif
#endif
