// A search on several GPUs of one machine: each has the rows of its own vertices, and sees the others'
// windows (spmat/window.h). Between phases all of them meet and tell each other a few numbers, from which
// they draw the same conclusions; then each fetches what it needs of the others' lists and bitmaps, over
// NVLink, if it was not sent before.
#ifndef GRID_CUDA_SEARCH_PEERS_CUH
#define GRID_CUDA_SEARCH_PEERS_CUH
#include "spmat/cuda/search/search.cuh"

namespace {

constexpr uint32_t FETCH = 8;  // words that a thread has on their way
// Turns are 1 .. TURNS, and so on: never 0, and even and odd by turns.
constexpr uint32_t TURNS = (1u << (64 - NOTE_BITS)) - 2;

// What lies at p on this GPU, on another one.
template <typename T>
__device__ inline T *at_peer(const search_args &a, uint32_t other, T *p) {
  return (T *)((char *)a.window[other] + ((char *)p - (char *)a.window[a.process]));
}

// The others, k = 1 .. processes - 1; each GPU begins with another one.
__device__ inline uint32_t other_of(const search_args &a, uint32_t k) {
  const uint32_t other = a.process + k;
  return other < a.processes ? other : other - a.processes;
}

// ---- notes ----------------------------------------------------------------------------------------------

// The numbers that a GPU told in this turn; 0 when another process has failed meanwhile, which is the
// outcome.
__device__ bool hear(const search_args &a, uint64_t *note, uint32_t turn, uint64_t *x) {
  for (uint32_t looks = 1;; looks++) {
    bool told = true;
#pragma unroll
    for (uint32_t k = 0; k < NOTES; k++)
      x[k] = cuda::atomic_ref<uint64_t, cuda::thread_scope_system>(note[k]).load(
          cuda::std::memory_order_relaxed);
#pragma unroll
    for (uint32_t k = 0; k < NOTES; k++) {
      told = told && x[k] >> NOTE_BITS == turn;
      x[k] &= (UINT64_C(1) << NOTE_BITS) - 1;
    }
    if (told) return false;
    if (looks % 4096 == 0 && *(volatile uint32_t *)a.stop) break;
  }
  for (uint32_t k = 0; k < NOTES; k++) x[k] = 0;
  return true;
}

// Of the first `count` lanes, to lane 0; the others have 0.
__device__ inline uint64_t sum_of_lanes(uint64_t x, uint32_t count) {
#pragma unroll 1
  for (uint32_t d = 1; d < count; d *= 2) x += __shfl_xor_sync(ALL, x, d);
  return x;
}

// A warp of block 0, when all blocks have come: tells, and hears what the others tell, a lane for each.
__device__ __noinline__ void tell_peers(const search_args &a, uint32_t turn, const uint64_t *mine) {
  const uint32_t peer = lane();
  const bool one = peer < a.processes;
  bool stopped = false;
  uint64_t x[NOTES] = {};
  __threadfence_system();
  if (one)
    for (uint32_t k = 0; k < NOTES; k++)
      cuda::atomic_ref<uint64_t, cuda::thread_scope_system>(a.window[peer]->note[turn % 2][a.process][k])
          .store((uint64_t)turn << NOTE_BITS | mine[k], cuda::std::memory_order_relaxed);
  __syncwarp();
  if (one) stopped = hear(a, a.window[a.process]->note[turn % 2][peer], turn, x);
  __threadfence_system();  // what they did before is seen after
  search_told *told = &a.set->told;
  if (one) told->first[peer] = (uint32_t)x[0];
#pragma unroll
  for (uint32_t k = 0; k < NOTES; k++) {
    const uint64_t sum = sum_of_lanes(x[k], a.processes);
    if (peer == 0) told->sum[k] = sum;
  }
  if (__any_sync(ALL, stopped) && peer == 0) told->stopped = 1;
  __syncwarp();
}

// As meet, of all GPUs. `note` gives the numbers to tell, once all blocks of this one have come, which they
// may have before (met); sh.told is what all have told.
template <typename numbers>
__device__ bool meet_peers(const search_args &a, search_shared &sh, numbers note, bool met = false) {
  __syncthreads();
  if (warp() != 0) return false;
  const uint32_t turn = sh.now.turn % TURNS + 1;
  device_word all_there(a.set->turn);
  uint32_t all = 0;
  if (lane() == 0 && !met) all = arrive(a);
  if (blockIdx.x == 0) {
    if (lane() == 0 && !met) await_all(a, all);
    __syncwarp();
    uint64_t mine[NOTES] = {};
    note(mine);
    tell_peers(a, turn, mine);
    if (lane() == 0) all_there.store(turn, cuda::std::memory_order_release);
  } else if (lane() == 0) {
    while (all_there.load(cuda::std::memory_order_relaxed) != turn) {
    }
  }
  if (lane() == 0) (void)all_there.load(cuda::std::memory_order_acquire);
  __syncwarp();
  const search_told *told = &a.set->told;
  if (lane() < NOTES) sh.told.sum[lane()] = told->sum[lane()];
  if (lane() < a.processes) sh.told.first[lane()] = told->first[lane()];
  if (lane() == 0) {
    sh.told.stopped = told->stopped;
    sh.now.turn = turn;
  }
  __syncwarp();
  return lane() == 0;
}

// Thread 0: the first number was how many vertices are in a GPU's list; all together.
__device__ uint32_t lists_told(const search_args &a, search_shared &sh) {
  uint32_t sum = 0;
  for (uint32_t p = 0; p < a.processes; p++) {
    sh.upto[p] = sum;
    sum += sh.told.first[p];
  }
  sh.upto[a.processes] = sum;
  return sh.told.stopped ? 0 : sum;
}
__device__ inline uint32_t own_list(const search_args &a, const search_shared &sh) {
  return sh.upto[a.process + 1] - sh.upto[a.process];
}

// ---- what others have -----------------------------------------------------------------------------------

// Vertex i of the lists of all GPUs, one behind the other; `own` is this one's.
__device__ inline uint32_t fetch_found(const search_args &a, const search_shared &sh, const uint32_t *own,
                                       uint32_t i) {
  uint32_t p = 0;
  while (i >= sh.upto[p + 1]) p++;
  return p * a.q + __ldcv(at_peer(a, p, own) + (i - sh.upto[p]));
}

// The others' words of a bitmap, from where they are their own.
__device__ __noinline__ void fetch_bits(const search_args &a, uint32_t *bits) {
  const uint32_t each = a.q / 64, all = (a.processes - 1) * each;
  uint64_t *words = (uint64_t *)bits;
#pragma unroll 1
  for (uint32_t i0 = grid_thread(); i0 < all; i0 += grid_threads() * FETCH) {
    uint64_t x[FETCH], *to[FETCH];
#pragma unroll
    for (uint32_t k = 0; k < FETCH; k++) {
      const uint32_t i = i0 + k * grid_threads();
      if (i >= all) continue;
      const uint32_t p = other_of(a, 1 + i / each);
      to[k] = words + (uint64_t)p * each + i % each;
      x[k] = __ldcv(at_peer(a, p, to[k]));
    }
#pragma unroll
    for (uint32_t k = 0; k < FETCH; k++)
      if (i0 + k * grid_threads() < all) *to[k] = x[k];
  }
}

}  // namespace
#endif
