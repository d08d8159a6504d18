// The reduction of u's entries by an associative, commutative operator. X_t, Z_t: types of u and of the
// result; cast_x: X_t to Z_t. The order depends only on the numbers of blocks and threads, so that equal
// input gives equal results.
#include "bitmap_tile.cuh"
#include "vec_args.cuh"

enum { REDUCE_THREADS = 256 };

typedef struct {
  Z_t z;
  bool has;
} grid_sum;

GRID_FN void grid_add_to(grid_sum *s, const Z_t &z) {
  s->z = s->has ? op(s->z, z) : z;
  s->has = true;
}

// Combines the block's partial results in its thread 0.
GRID_FN void grid_reduce_block(grid_sum *s) {
  __shared__ grid_sum all[REDUCE_THREADS];
  __syncthreads();
  all[threadIdx.x] = *s;
  for (unsigned d = REDUCE_THREADS / 2; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d && all[threadIdx.x + d].has) grid_add_to(&all[threadIdx.x], all[threadIdx.x + d].z);
  }
  __syncthreads();
  *s = all[0];
}

// sums: one for each block; the last block to finish combines them and publishes the result and, as count,
// whether there is one.
GRID_KERNEL grid_reduce(grid_vec_args a, const X_t *__restrict__ x, grid_sum *sums) {
  __shared__ bool last;
  grid_sum s;
  s.has = false;
  GRID_TILES(w, a.n) {
    const uint32_t word = grid_word32(a.u, a.n, w);
    if (__all_sync(~0u, word == ~0u)) {  // several loads are in flight
#pragma unroll 8
      for (unsigned k = 0; k < 32; k++) grid_add_to(&s, cast_x(x[grid_tile_index(w, k)]));
      continue;
    }
    GRID_FOR_TILE_LANE(k, word) {
      const uint64_t i = grid_tile_index(w, k);
      if (grid_tile_bit(word, k)) grid_add_to(&s, cast_x(x[i]));
    }
  }
  grid_reduce_block(&s);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = s;
    last = grid_tile_arrive(a.tally);
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  s.has = false;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += REDUCE_THREADS)
    if (sums[b].has) grid_add_to(&s, sums[b].z);
  grid_reduce_block(&s);
  if (threadIdx.x != 0) return;
  if (s.has) *(Z_t *)a.tally.slot->value = s.z;
  a.tally.slot->count = s.has;
  grid_publish(a.tally);
}
