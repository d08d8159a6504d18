// A search on several GPUs of one machine: each has the rows of its own vertices, or a block, and maps the
// others' windows (spmat/window.h). Between phases all of them pass a barrier and exchange a few numbers,
// from which they draw the same conclusions. Then each fetches what it needs of the others' lists and bitmaps
// over NVLink, unless it was sent before.
#ifndef GRID_SEARCH_PEERS_CUH
#define GRID_SEARCH_PEERS_CUH
#include "spmat/cuda/search/search.cuh"

namespace {

constexpr uint32_t FETCH = 8;  // words that a thread has in flight
// Turns are 1 .. TURNS cyclically: never 0, and alternately odd and even.
constexpr uint32_t TURNS = (1u << (64 - FLAG_VALUE_BITS)) - 2;

// The address on another GPU that corresponds to p on this one.
template <typename T>
__device__ inline T *peer_address(const search_args &a, uint32_t other, T *p) {
  return (T *)((char *)a.window[other] + ((char *)p - (char *)a.window[a.process]));
}

// The other GPUs, k = 1 .. processes - 1; each GPU begins with a different one.
__device__ inline uint32_t peer_at(const search_args &a, uint32_t k) {
  const uint32_t other = a.process + k;
  return other < a.processes ? other : other - a.processes;
}

// The GPU that owns vertex u. There are few GPUs: comparing with all costs no more than a division.
__device__ inline uint32_t owner_of(const search_args &a, uint32_t u) {
  uint32_t owner = 0;
  for (uint32_t k = 1; k < a.processes; k++) owner += u >= a.first[k];
  return owner;
}

// ---- flags ----------------------------------------------------------------------------------------------

// The numbers that a GPU sent in this turn; false when another process has failed meanwhile. Only the last
// read acquires what the GPU did before: it costs less than a fence, of which each block would have one.
__device__ bool receive_flags(const search_args &a, uint64_t *flag_words, uint32_t turn, uint64_t *x) {
  typedef cuda::atomic_ref<uint64_t, cuda::thread_scope_system> word;
  for (uint32_t spins = 1;; spins++) {
    bool received = true;
#pragma unroll
    for (uint32_t k = 0; k < FLAG_WORDS; k++)
      x[k] = word(flag_words[k]).load(cuda::std::memory_order_relaxed);
#pragma unroll
    for (uint32_t k = 0; k < FLAG_WORDS; k++) {
      received = received && x[k] >> FLAG_VALUE_BITS == turn;
      x[k] &= (UINT64_C(1) << FLAG_VALUE_BITS) - 1;
    }
    if (received) {
      (void)word(flag_words[0]).load(cuda::std::memory_order_acquire);
      return false;
    }
    if (spins % 4096 == 0 && *(volatile uint32_t *)a.stop) break;
  }
  for (uint32_t k = 0; k < FLAG_WORDS; k++) x[k] = 0;
  return true;
}

// The sum over the first `count` lanes, in lane 0; other lanes get 0.
__device__ inline uint64_t sum_of_lanes(uint64_t x, uint32_t count) {
#pragma unroll 1
  for (uint32_t d = 1; d < count; d *= 2) x += __shfl_xor_sync(ALL, x, d);
  return x;
}

// By a warp of the block that has arrived last: sends this GPU's numbers to all, and to itself.
__device__ inline void send_flags(const search_args &a, uint32_t turn, const uint64_t *words) {
  cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_system);
  if (lane() < a.processes)
    for (uint32_t k = 0; k < FLAG_WORDS; k++)
      cuda::atomic_ref<uint64_t, cuda::thread_scope_system>(
          a.window[lane()]->flag_words[turn % 2][a.process][k])
          .store((uint64_t)turn << FLAG_VALUE_BITS | words[k], cuda::std::memory_order_relaxed);
  __syncwarp();
}

// By a warp of every block: waits for the numbers of all GPUs, a GPU in each lane.
__device__ __noinline__ void receive_from_peers(const search_args &a, search_shared &sh, uint32_t turn) {
  const uint32_t peer = lane();
  const bool one = peer < a.processes;
  bool stopped = false;
  uint64_t x[FLAG_WORDS] = {};
  if (one) stopped = receive_flags(a, a.window[a.process]->flag_words[turn % 2][peer], turn, x);
  __syncwarp();
  if (one) sh.received.first[peer] = (uint32_t)x[0];
#pragma unroll
  for (uint32_t k = 0; k < FLAG_WORDS; k++) {
    const uint64_t sum = sum_of_lanes(x[k], a.processes);
    if (peer == 0) sh.received.sum[k] = sum;
  }
  stopped = __any_sync(ALL, stopped);
  if (peer == 0) sh.received.stopped = stopped, sh.state.turn = turn;
  __syncwarp();
}

// device_barrier over all GPUs. `flag_words` computes the numbers to send, once all blocks of this GPU have
// arrived, in the last one; sh.received has the numbers of all. Every block waits for the GPUs by itself.
// When another process has failed, blocks may draw different conclusions; then no wait lasts.
template <typename numbers>
__device__ bool peer_barrier(const search_args &a, search_shared &sh, numbers flag_words) {
  __syncthreads();
  if (warp() != 0) return false;
  const uint32_t turn = sh.state.turn % TURNS + 1;
  const bool is_last = lane() == 0 && arrive(a) % gridDim.x == 0;
  if (__any_sync(ALL, is_last)) {
    __syncwarp();
    uint64_t words[FLAG_WORDS] = {};
    flag_words(words);
    send_flags(a, turn, words);
  }
  receive_from_peers(a, sh, turn);
  return lane() == 0;
}

__device__ inline uint32_t member_process(const grid_search_members &set, uint32_t m) {
  return set.first + m * set.stride;
}

// Thread 0: prefix sums of the lengths of the lists of a set, their GPUs' first numbers.
__device__ void prefix_members(const grid_search_members &set, search_shared &sh) {
  uint32_t sum = 0;
  for (uint32_t m = 0; m < set.n; m++) {
    sh.upto[m] = sum;
    sum += sh.received.first[member_process(set, m)];
  }
  sh.upto[set.n] = sum;
}
// Thread 0: of the lists that a push needs; returns the total over all GPUs.
__device__ uint32_t prefix_lists(const search_args &a, search_shared &sh) {
  prefix_members(a.push_from, sh);
  return sh.received.stopped ? 0 : (uint32_t)sh.received.sum[0];
}
__device__ inline uint32_t local_list(const search_args &a, const search_shared &sh) {
  return sh.upto[a.push_from.at + 1] - sh.upto[a.push_from.at];
}

// ---- remote data ------------------------------------------------------------------------------------------

// Vertex i of the concatenated lists of a set's GPUs; `local` is this one's. *m: the GPU's number in the set.
__device__ inline uint32_t fetch_listed(const search_args &a, const grid_search_members &set,
                                        const search_shared &sh, const uint32_t *local, uint32_t i,
                                        uint32_t *m) {
  uint32_t k = 0;
  while (i >= sh.upto[k + 1]) k++;
  *m = k;
  return __ldcv(peer_address(a, member_process(set, k), local) + (i - sh.upto[k]));
}
// Vertex i of the frontier, by its number in this GPU's entries.
__device__ inline uint32_t fetch_found(const search_args &a, const search_shared &sh, const uint32_t *local,
                                       uint32_t i) {
  uint32_t m;
  const uint32_t v = fetch_listed(a, a.push_from, sh, local, i, &m);
  return a.first[m] + v;
}

// Values of vertices move between GPUs packed: those of 32 words of a bitmap lie together, in order, where
// the 32 words' vertices have their places. Both GPUs know the words.
//
// A warp calls value = load(v, i), then store(v, i, value), for vertex i of its 32 words (one a lane), v its
// number among 32 * 32. PACKED loads of each lane come before the stores, so that values can be packed in
// place. All lanes call; v is NO_ROW in those without a vertex.
template <typename loads, typename stores>
__device__ inline void move_packed(uint32_t word, loads load, stores store) {
  const uint32_t upto = inclusive_scan((uint32_t)__popc(word)), total = __shfl_sync(ALL, upto, 31);
#pragma unroll 1
  for (uint32_t i0 = 0; i0 < total; i0 += 32 * PACKED) {
    uint32_t v[PACKED], value[PACKED];
#pragma unroll
    for (uint32_t k = 0; k < PACKED; k++) {
      const uint32_t i = i0 + 32 * k + lane(), from = lane_of_entry(upto, i);
      const uint32_t owner_word = __shfl_sync(ALL, word, from);
      const uint32_t before = __shfl_sync(ALL, upto, from) - __popc(owner_word);
      v[k] = i < total ? 32 * from + nth_bit(owner_word, i - before) : NO_ROW;
      value[k] = i < total ? load(v[k], i) : 0;
    }
    __syncwarp();
#pragma unroll
    for (uint32_t k = 0; k < PACKED; k++) store(v[k], i0 + 32 * k + lane(), value[k]);
  }
}

// Fetches the others' words of a bitmap from their own memory. Each GPU begins behind its own words.
__device__ __noinline__ void fetch_bits(const search_args &a, uint32_t *bits) {
  const uint32_t end = a.words_all / 2, local_end = a.first[a.process + 1] / 64,
                 all = end - (local_end - a.local_word / 2);
  uint64_t *words = (uint64_t *)bits;
#pragma unroll 1
  for (uint32_t i0 = grid_thread(); i0 < all; i0 += grid_threads() * FETCH) {
    uint64_t x[FETCH], *to[FETCH];
#pragma unroll
    for (uint32_t k = 0; k < FETCH; k++) {
      const uint32_t i = i0 + k * grid_threads();
      if (i >= all) continue;
      const uint32_t w = i < end - local_end ? local_end + i : i - (end - local_end);
      to[k] = words + w;
      x[k] = __ldcv(peer_address(a, owner_of(a, 64 * w), to[k]));
    }
#pragma unroll
    for (uint32_t k = 0; k < FETCH; k++)
      if (i0 + k * grid_threads() < all) *to[k] = x[k];
  }
}

}  // namespace
#endif
