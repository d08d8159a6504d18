// Fused consecutive passes over vectors of one length: each thread takes all of them over a tile before the
// next tile. GRID_STEPS(DO): DO(0) DO(1) ...; namespace step0 contains the first one's source, and so on.
// Each has its own count, and all are published together, since publishing takes longer than a pass over a
// short vector.
#include "bitmap_tile.cuh"

#define GRID_STEP_FIELD(K)   step##K::grid_step_args s##K;
#define GRID_STEP_COUNTER(K) grid_counter count##K = 0;
#define GRID_STEP_RUN(K)     step##K::grid_step(a.s##K, w, count##K);
#define GRID_STEP_TALLY(K)   &a.s##K.a.tally,
#define GRID_STEP_COUNT(K)   count##K,

typedef struct {
  GRID_STEPS(GRID_STEP_FIELD)
} grid_fused_args;

// grid_publish_count (bitmap_tile.cuh) of N kernels at once; below 2^32 each. Those without a slot are
// skipped.
template <int N>
GRID_FN void grid_publish_counts(const grid_tally *const (&t)[N], const grid_counter (&thread_counts)[N]) {
  __shared__ unsigned total[N];
  const grid_tally *first = nullptr;
  if (threadIdx.x < N) total[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < N; k++) {
    if (!t[k]->slot) continue;
    if (!first) first = t[k];
    const unsigned sum = __reduce_add_sync(~0u, (unsigned)thread_counts[k]);
    if ((threadIdx.x & 31) == 0 && sum) atomicAdd(&total[k], sum);
  }
  __syncthreads();
  if (threadIdx.x != 0 || !first) return;
#pragma unroll
  for (int k = 0; k < N; k++)
    if (t[k]->slot && total[k]) atomicAdd(&t[k]->accumulator->sum, (grid_counter)total[k]);
  if (!grid_tile_arrive(*first)) return;
#pragma unroll
  for (int k = 0; k < N; k++)
    if (t[k]->slot)
      *(volatile unsigned long long *)&t[k]->slot->count = atomicExch(&t[k]->accumulator->sum, 0ull);
  __threadfence_system();
#pragma unroll
  for (int k = 0; k < N; k++)
    if (t[k]->slot) *(volatile unsigned long long *)&t[k]->slot->ticket = t[k]->ticket;
}

GRID_KERNEL grid_fused(const __grid_constant__ grid_fused_args a) {
  GRID_STEPS(GRID_STEP_COUNTER)
  GRID_TILES(w, a.s0.a.n) {
    GRID_STEPS(GRID_STEP_RUN)
  }
  const grid_tally *const tallies[] = {GRID_STEPS(GRID_STEP_TALLY)};
  const grid_counter counts[] = {GRID_STEPS(GRID_STEP_COUNT)};
  grid_publish_counts(tallies, counts);
}
