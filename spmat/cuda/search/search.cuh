// Small steps that the phases of a search share: those of warps, the grid's barrier, and reports to the host.
// search.cu describes how the phases fit together, and search_peers.cuh the cooperation of several GPUs.
#ifndef GRID_SEARCH_CUH
#define GRID_SEARCH_CUH
#include <cuda/atomic>

#include "spmat/cuda/device/cuda.cuh"
#include "spmat/cuda/search/search_state.cuh"

namespace {

// ---- numbering of threads ---------------------------------------------------------------------------------

// Consecutive numbers are on different multiprocessors, so that little work is spread, too.
__device__ inline uint32_t grid_warp() {
  return warp() * gridDim.x + blockIdx.x;
}
__device__ inline uint32_t grid_warps() {
  return gridDim.x * WARPS;
}
__device__ inline uint32_t grid_thread() {
  return blockIdx.x * THREADS + threadIdx.x;
}
__device__ inline uint32_t grid_threads() {
  return gridDim.x * THREADS;
}

// ---- steps of a warp ------------------------------------------------------------------------------------

template <class T>
__device__ inline T inclusive_scan(T x) {
#pragma unroll
  for (uint32_t d = 1; d < 32; d *= 2) {
    const T y = __shfl_up_sync(ALL, x, d);
    if (lane() >= d) x += y;
  }
  return x;
}

// The lane that has entry e: the number of lanes whose entries end at or before it. `end` ascends by lane.
__device__ inline uint32_t lane_of_entry(uint32_t end, uint32_t e) {
  uint32_t owner = 0;
#pragma unroll
  for (uint32_t step = 16; step > 0; step /= 2)
    if (__shfl_sync(ALL, end, owner + step - 1) <= e) owner += step;
  return owner;
}

__device__ inline uint32_t sum_of_warp(uint32_t x) {
  return __reduce_add_sync(ALL, x);
}
__device__ inline uint64_t sum_of_warp(uint64_t x) {
#pragma unroll
  for (uint32_t d = 16; d > 0; d /= 2) x += __shfl_xor_sync(ALL, x, d);
  return x;
}

__device__ inline void add_to(uint32_t *to, uint32_t x) {
  atomicAdd(to, x);
}
__device__ inline void add_to(uint64_t *to, uint64_t x) {
  atomicAdd((unsigned long long *)to, (unsigned long long)x);
}

// A word that others may be changing; the value may be stale.
__device__ inline uint32_t load_volatile(uint32_t *p) {
#if GRID_SEARCH_L1
  return cuda::atomic_ref<uint32_t, cuda::thread_scope_block>(*p).load(cuda::std::memory_order_relaxed);
#else
  return cuda::atomic_ref<uint32_t, cuda::thread_scope_device>(*p).load(cuda::std::memory_order_relaxed);
#endif
}
__device__ inline uint32_t load_device_word(uint32_t *p) {
  return cuda::atomic_ref<uint32_t, cuda::thread_scope_device>(*p).load(cuda::std::memory_order_relaxed);
}

// Position of the calling warp's `count` elements after those counted by *counter: one atomic for the block.
__device__ uint32_t reserve(search_shared &sh, uint32_t *counter, uint32_t count) {
  if (lane() == 0) sh.at[warp()] = count;
  __syncthreads();
  if (warp() == 0) {
    const uint32_t thread_count = lane() < WARPS ? sh.at[lane()] : 0, upto = inclusive_scan(thread_count);
    uint32_t position = 0;
    if (lane() == 31 && upto) position = atomicAdd(counter, upto);
    position = __shfl_sync(ALL, position, 31);
    __syncwarp();
    if (lane() < WARPS) sh.at[lane()] = position + upto - thread_count;
  }
  __syncthreads();
  return sh.at[warp()];
}

// Adds the counts of the block's lanes. The sums are complete after the next barrier of the grid.
template <class T>
__device__ void add(search_shared &sh, uint32_t *a, uint32_t sum_a, T *b, T sum_b) {
  sum_a = sum_of_warp(sum_a);
  sum_b = sum_of_warp(sum_b);
  __syncthreads();
  if (lane() == 0) sh.at[warp()] = sum_a, sh.sum[warp()] = sum_b;
  __syncthreads();
  if (warp() == 0) {
    sum_a = sum_of_warp(lane() < WARPS ? sh.at[lane()] : 0);
    sum_b = sum_of_warp(lane() < WARPS ? (T)sh.sum[lane()] : 0);
    if (lane() == 0 && sum_a) add_to(a, sum_a);
    if (lane() == 0 && sum_b) add_to(b, sum_b);
  }
}

// Empties a warp's buffer of found vertices into the queue.
__device__ void empty_found(uint32_t *buffer, uint32_t *count, uint32_t *queue, uint32_t position) {
  __syncwarp();
  for (uint32_t i = lane(); i < *count; i += 32) queue[position + i] = buffer[i];
  __syncwarp();
  *count = 0;
}
__device__ void flush_found(uint32_t *buffer, uint32_t *count, uint32_t *queue, uint32_t *counter) {
  uint32_t position = 0;
  if (lane() == 0) position = atomicAdd(counter, *count);
  empty_found(buffer, count, queue, __shfl_sync(ALL, position, 0));
}

// The warp's words w (one a lane) become vertices in its buffer, which holds `count`, or, if they are very
// many, in the queue. Returns the new count. Words are seldom nonzero, so it is kept out of line.
__device__ __noinline__ uint32_t enqueue_lanes(uint32_t word, uint32_t w, uint32_t *buffer, uint32_t count,
                                               uint32_t *queue, uint32_t *counter) {
  const uint32_t thread_count = __popc(word), upto = inclusive_scan(thread_count),
                 total = __shfl_sync(ALL, upto, 31);
  if (count + total > FOUND) flush_found(buffer, &count, queue, counter);
  uint32_t *to = buffer, position = count;
  if (total > FOUND) {
    if (lane() == 0) position = atomicAdd(counter, total);
    position = __shfl_sync(ALL, position, 0);
    to = queue;
  } else {
    count += total;
  }
  position += upto - thread_count;
  for (; word; word &= word - 1) to[position++] = 32 * w + __ffs(word) - 1;
  __syncwarp();
  return count;
}
__device__ inline void enqueue_word(uint32_t word, uint32_t w, uint32_t *buffer, uint32_t *count,
                                    uint32_t *queue, uint32_t *counter) {
  if (__any_sync(ALL, word != 0)) *count = enqueue_lanes(word, w, buffer, *count, queue, counter);
}

// What a warp needs to push.
struct push_into {
  uint32_t *buffer, count;  // of the warp
  uint32_t *queue, *counter;
  uint32_t level;
  bool merged;
  bool retain;    // push along rows: others' vertices are retained for their owners to fetch,
  uint32_t sent;  // or the lane has sent so many
};

// ---- the barrier of the grid ----------------------------------------------------------------------------

typedef cuda::atomic_ref<uint32_t, cuda::thread_scope_device> device_word;

// Registers a block's arrival. Returns the number of arrivals, a multiple of gridDim.x for the last block.
__device__ inline uint32_t arrive(const search_args &a) {
  return device_word(a.set->arrived).fetch_add(1, cuda::std::memory_order_acq_rel) + 1;
}
// Waits for all blocks, of which this one was the n-th to arrive.
__device__ inline void wait_blocks(const search_args &a, uint32_t n) {
  const uint32_t all = (n + gridDim.x - 1) / gridDim.x * gridDim.x;
  device_word arrived(a.set->arrived);
  // each acquire invalidates L1, which the multiprocessor's other block may still use: only the last read is
  // one
  for (uint32_t spins = 1; arrived.load(cuda::std::memory_order_relaxed) < all; spins++) {
    if (a.processes > 1 && spins % 4096 == 0 && *(volatile uint32_t *)a.stop) break;
#if GRID_SEARCH_SLEEP_NS
    __nanosleep(GRID_SEARCH_SLEEP_NS);
#endif
  }
  (void)arrived.load(cuda::std::memory_order_acquire);
}

// All threads of all blocks call. True for thread 0 of each block, when all have arrived; the others of a
// block go on to the __syncthreads that the caller places after thread 0's work.
__device__ bool device_barrier(const search_args &a) {
  __syncthreads();
  if (threadIdx.x != 0) return false;
  wait_blocks(a, arrive(a));
  return true;
}

// ---- reports to the host ----------------------------------------------------------------------------------

// Each word shows by itself that it was written, so that no fence is needed between them.
__device__ void publish_word(const search_args &a, uint32_t word, uint64_t value) {
  cuda::atomic_ref<uint64_t, cuda::thread_scope_system>(a.record[word])
      .store(WRITTEN | (uint64_t)a.run << 32 | value, cuda::std::memory_order_relaxed);
}

// Called by thread 0 of block 0. Returns the time.
__device__ uint64_t report(const search_args &a, uint32_t level, bool pull, uint32_t found, uint32_t local,
                           uint64_t edges, uint64_t since) {
  const uint64_t t = clock_ns();
  publish_word(a, 4 * level + 3, local);
  publish_word(a, 4 * level + 2, t - since);
  publish_word(a, 4 * level + 1, edges);
  publish_word(a, 4 * level, (pull ? FLAG : 0) | found);
  return t;
}

// ---- the job's lists --------------------------------------------------------------------------------------

// Word w of the bitmap of a short list.
__device__ inline uint32_t word_of_list(const uint32_t *list, uint32_t n, uint32_t w) {
  uint32_t word = 0;
#pragma unroll
  for (uint32_t k = 0; k < GRID_SEARCH_SHORT_LIST; k++)
    if (k < n && list[k] >> 5 == w) word |= 1u << (list[k] & 31);
  return word;
}
__device__ inline uint32_t load_visited_before(const search_args &a, uint32_t w) {
  return a.visited_before ? __ldg(a.visited_before + w) : word_of_list(a.visited_list, a.nvisited_list, w);
}

// ---- found vertices ---------------------------------------------------------------------------------------

// The vertex that has number u among those of `from` in the block of member m of `to`.
__device__ inline uint32_t vertex_of_end(const search_args &a, const search_ends &ends, uint32_t m,
                                         uint32_t u) {
  return (m * ends.to.stride + u / a.q * ends.from.stride) * a.q + u % a.q;
}

// The list of the vertices that `level` finds; the start is level 0.
__device__ inline uint32_t *found_list(const search_args &a, uint32_t level) {
  return a.found + level % 2 * a.found_stride;
}

__device__ inline uint32_t tag_parent(const search_args &a, uint32_t level, uint32_t parent) {
  return level << a.id_bits | parent;
}
__device__ inline uint32_t untag_parent(const search_args &a, uint32_t x) {
  return x & ((1u << a.id_bits) - 1);
}
__device__ inline uint32_t tag_levels(const search_args &a) {
  return ALL >> a.id_bits;
}

__device__ inline void write_local_parent(const search_args &a, uint32_t v, uint32_t parent) {
  if (a.parent64)
    a.parent64[v] = parent;
  else if (a.parent32)
    a.parent32[v] = (int32_t)parent;
}
// MATRIX_BLOCK: the parents of others' vertices stay in the block.
__device__ inline void write_end_parent(const search_args &a, const search_ends &ends, uint32_t v,
                                        uint32_t parent) {
  const uint32_t local = v - ends.to.at * a.q;
  if (local < a.q)
    write_local_parent(a, local, vertex_of_end(a, ends, ends.to.at, parent));
  else
    ends.parent[v] = parent;
}
// Of a pull, and outside MATRIX_BLOCK.
template <search_layout LAYOUT>
__device__ inline void write_parent(const search_args &a, uint32_t v, uint32_t parent) {
  if (LAYOUT == MATRIX_BLOCK)
    write_end_parent(a, a.block.pull, v, parent);
  else
    write_local_parent(a, v, parent);
}
// With MATRIX_BLOCK the owner writes the level, when the blocks' results are combined.
template <search_layout LAYOUT>
__device__ inline void write_found(const search_args &a, uint32_t level, uint32_t v, uint32_t parent) {
  if (LAYOUT != MATRIX_BLOCK) a.level[v] = (uint8_t)level;
  write_parent<LAYOUT>(a, v, parent);
}

}  // namespace
#endif
