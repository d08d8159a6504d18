// Exchanges any number of entries between GPUs in one kernel (spmat/vector/peer_exchange.h). Half of the
// warps send: each writes the bits and packed values of tiles to its receive buffer in the others' windows,
// stores them in the result of this GPU, too, and sets the arrival flag of the section. The others receive:
// each waits for the flag of a section and stores its values, while later sections cross the link. Links
// carry only existing entries, written once, without counts or copies in between.
#include "spmat/cuda/device/device_barrier.cuh"
#include "spmat/cuda/gather/index_values.cuh"
#include "spmat/cuda/vector/packed_segments.cuh"

extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/vector/peer_exchange.h"
}

namespace {

constexpr unsigned THREADS = 512, BLOCKS = 2;  // a multiprocessor
constexpr unsigned SENDERS = THREADS / 64;     // warps of a block; as many receive
constexpr unsigned TILE = GRID_PASS_TILE, WORDS = TILE / 32;

template <typename unit>
struct pass_args {
  grid_device_barrier m;
  const volatile uint32_t *stop;
  const uint32_t *bits;
  const unit *val;
  bool iso;       // x is iso
  uint64_t n, q;  // local indices, and those of each process
  uint32_t units;
  uint64_t sections, tiles;  // a section has so many tiles
  uint64_t val_at;           // in a receive buffer, after the bits
  uint32_t *result_bits;
  unit *result_val;  // NULL: bits only
};

// store(index, rank, load(index, rank)) for each entry of a tile, a thread for each bit of a word. Loads of
// eight words are issued together, since each takes longer than all else.
template <typename unit, typename reader, typename writer>
__device__ __forceinline__ void move_entries(uint64_t tile, uint32_t word, uint32_t before, reader load,
                                             writer store) {
  constexpr unsigned BATCH = 8;
  const unsigned lane = threadIdx.x & 31;
  const uint64_t base = tile * TILE + lane;
  for (unsigned first = 0; first < WORDS; first += BATCH) {
    unit value[BATCH];
    uint32_t at[BATCH];
    uint32_t entries = 0;  // a bit for each word in which this thread has an entry
#pragma unroll
    for (unsigned k = 0; k < BATCH; k++) {
      const uint32_t w = __shfl_sync(~0u, word, first + k);
      at[k] = __shfl_sync(~0u, before, first + k) + (uint32_t)__popc(w & ((1u << lane) - 1));
      entries |= (w >> lane & 1) << k;
      if (w >> lane & 1) value[k] = load(base + 32 * (first + k), at[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < BATCH; k++)
      if (entries >> k & 1) store(base + 32 * (first + k), at[k], value[k]);
  }
}

// The receive buffer of sender `of` in the window of process `at`.
template <typename unit>
__device__ __forceinline__ char *recv_buffer_of(const pass_args<unit> &x, uint32_t at, uint32_t of) {
  return x.m.window[at] + x.m.recv_buffers + (of > at ? of - 1 : of) * x.m.recv_bytes;
}

template <typename unit>
__device__ __forceinline__ uint32_t *arrival_flag(const pass_args<unit> &x, uint32_t at, uint32_t of,
                                                  uint64_t section) {
  return (uint32_t *)(x.m.window[at] + x.m.arrivals) + (uint64_t)of * GRID_ARRIVAL_FLAGS + section;
}

// The staged values of a tile, to each of the others; whole units of 16 bytes are full packets of a link.
template <typename unit>
__device__ void send_staged(const pass_args<unit> &x, uint64_t tile, const unit *staged, uint32_t units) {
  const uint32_t lane = threadIdx.x & 31, count = (units * (uint32_t)sizeof(unit) + 15) / 16;
  const uint64_t offset = x.val_at + tile * TILE * x.units * sizeof(unit);
  __syncwarp();
  for (uint32_t d = 1; d < x.m.size; d++) {
    uint4 *to = (uint4 *)(recv_buffer_of(x, (x.m.rank + d) % x.m.size, x.m.rank) + offset);
    for (uint32_t k = lane; k < count; k += 32) to[k] = ((const uint4 *)staged)[k];
  }
  __syncwarp();
}

template <typename unit>
__device__ void send_value(const pass_args<unit> &x, uint64_t at, unit value) {
  for (uint32_t d = 1; d < x.m.size; d++)
    ((unit *)(recv_buffer_of(x, (x.m.rank + d) % x.m.size, x.m.rank) + x.val_at))[at] = value;
}

// staged: memory for TILE units. A tile with more is sent value by value.
template <typename unit>
__device__ void send_tile(const pass_args<unit> &x, uint64_t tile, unit *staged) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t me = x.m.rank;
  const uint64_t w = WORDS * tile + lane;
  const bool in = lane < WORDS && w < x.q / 32;
  const uint32_t word = in ? grid_word32(x.bits, x.n, w) : 0;
  uint32_t all, before = prefix_entries(word, &all);
  if (in) x.result_bits[me * (x.q / 32) + w] = word;
  for (uint32_t d = 1; d < x.m.size && in; d++)
    ((uint32_t *)recv_buffer_of(x, (me + d) % x.m.size, me))[w] = word;
  if (all == 0 || !x.result_val) return;
  const bool fits = all * x.units <= TILE;
  for (uint32_t k = 0; k < x.units; k++)
    move_entries<unit>(
        tile, word, before, [&](uint64_t i, uint32_t) { return x.val[(x.iso ? 0 : i * x.units) + k]; },
        [&](uint64_t i, uint32_t at, unit value) {
          x.result_val[(me * x.q + i) * x.units + k] = value;
          if (fits) staged[at * x.units + k] = value;
          if (!fits) send_value(x, (tile * TILE + at) * x.units + k, value);
        });
  if (fits) send_staged(x, tile, staged, all * x.units);
}

// Data written by others is read past the first-level cache.
template <typename unit>
__device__ void receive_tile(const pass_args<unit> &x, uint32_t r, uint64_t tile) {
  const unsigned lane = threadIdx.x & 31;
  const char *recv_buffer = recv_buffer_of(x, x.m.rank, r);
  const uint64_t w = WORDS * tile + lane;
  const bool in = lane < WORDS && w < x.q / 32;
  const uint32_t word = in ? __ldcv((const uint32_t *)recv_buffer + w) : 0;
  uint32_t all, before = prefix_entries(word, &all);
  if (in) x.result_bits[r * (x.q / 32) + w] = word;
  if (all == 0 || !x.result_val) return;
  const unit *from = (const unit *)(recv_buffer + x.val_at) + tile * TILE * x.units;
  for (uint32_t k = 0; k < x.units; k++)
    move_entries<unit>(
        tile, word, before, [&](uint64_t, uint32_t at) { return __ldcv(from + at * x.units + k); },
        [&](uint64_t i, uint32_t, unit value) { x.result_val[(r * x.q + i) * x.units + k] = value; });
}

// Have the others read the previous contents of their receive buffers? false: a process was lost.
template <typename unit>
__device__ bool wait_for_readers(const pass_args<unit> &x) {
  const uint32_t r = threadIdx.x & 31;
  const bool is_peer = r < x.m.size && r != x.m.rank;
  return __all_sync(~0u, !is_peer || wait_flag(x.m, x.m.turn, r, x.stop) != NO_REPLY);
}

// The fence orders the writes of all lanes, which __syncwarp has made visible to this one, before the flags.
template <typename unit>
__device__ void send_sections(const pass_args<unit> &x, uint64_t first, uint64_t step, unit *staged) {
  typedef cuda::atomic_ref<uint32_t, cuda::thread_scope_system> flag;
  const unsigned lane = threadIdx.x & 31;
  if (first >= x.sections || !wait_for_readers(x)) return;
  for (uint64_t s = first; s < x.sections; s += step) {
    for (uint64_t t = s * x.tiles; t < (s + 1) * x.tiles; t++) send_tile(x, t, staged);
    __syncwarp();
    if (lane) continue;
    cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_system);
    for (uint32_t d = 1; d < x.m.size; d++)
      flag(*arrival_flag(x, (x.m.rank + d) % x.m.size, x.m.rank, s))
          .store(x.m.turn, cuda::std::memory_order_relaxed);
  }
}

// false: a process was lost.
template <typename unit>
__device__ bool wait_for_section(const pass_args<unit> &x, uint32_t r, uint64_t section) {
  typedef cuda::atomic_ref<uint32_t, cuda::thread_scope_system> flag;
  bool arrived = true;
  if ((threadIdx.x & 31) == 0) {
    flag incoming(*arrival_flag(x, x.m.rank, r, section));
    for (uint32_t spins = 1; incoming.load(cuda::std::memory_order_relaxed) != x.m.turn && arrived; spins++)
      arrived = spins % 4096 || !*x.stop;
    cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_system);
  }
  __syncwarp();
  return __shfl_sync(~0u, arrived, 0);
}

template <typename unit>
__device__ void receive_sections(const pass_args<unit> &x, uint64_t first, uint64_t step) {
  for (uint64_t s = first; s < x.sections; s += step)
    for (uint32_t d = 1; d < x.m.size; d++) {
      const uint32_t r = (x.m.rank + d) % x.m.size;
      if (!wait_for_section(x, r, s)) return;
      for (uint64_t t = s * x.tiles; t < (s + 1) * x.tiles; t++) receive_tile(x, r, t);
    }
}

// All its blocks run at once, since senders wait for other GPUs to start, and receivers for their senders.
// Earlier kernels of this GPU have read its receive buffers, so the first block says so at once. A GPU ends
// its kernel only when all sections have arrived: flags of this turn are read before those of the next are
// sent.
template <typename unit>
__global__ void __launch_bounds__(THREADS, BLOCKS) pass_entries(const __grid_constant__ pass_args<unit> x) {
  __shared__ __align__(16) unit staged[SENDERS][TILE];
  const unsigned warp = threadIdx.x / 32;
  const uint64_t first = blockIdx.x * (uint64_t)SENDERS + warp % SENDERS,
                 step = gridDim.x * (uint64_t)SENDERS;
  if (blockIdx.x == 0 && threadIdx.x < x.m.size && threadIdx.x != x.m.rank)
    send_flag(x.m, x.m.turn, threadIdx.x, 0);
  if (warp < SENDERS)
    send_sections(x, first, step, staged[warp]);
  else
    receive_sections(x, first, step);
}

template <typename unit>
GrB_Info start(pass_args<unit> x) {
  const unsigned most = BLOCKS * (unsigned)grid_cuda_multiprocessors(),
                 blocks = grid_cuda_blocks(x.sections * 32, THREADS / 2, most);
  void *args[] = {&x};
  return grid_cuda_start_exchange(GRID_EXCHANGE_BITMAP, (const void *)pass_entries<unit>, blocks, THREADS,
                                  args, "passing a vector's entries");
}

}  // namespace

extern "C" GrB_Info grid_cuda_pass(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q,
                                   uint64_t *bits, void *val) {
  const uint64_t all = (q + TILE - 1) / TILE, least = (all + GRID_ARRIVAL_FLAGS - 1) / GRID_ARRIVAL_FLAGS,
                 tiles = least > 2 ? least : 2;  // a flag waits for its writes: not after each tile
  GrB_Info info = GrB_SUCCESS;
  call_by_unit(size ? size : sizeof(uint64_t), [&](auto *unit, uint64_t units) {
    typedef std::remove_pointer_t<decltype(unit)> type;
    const pass_args<type> p = {*m,
                               grid_cuda_window_stop(),
                               bits_of(x),
                               (const type *)x->val,
                               x->iso,
                               x->nvals ? x->n : 0,
                               q,
                               (uint32_t)units,
                               (all + tiles - 1) / tiles,
                               tiles,
                               grid_pass_values_at(q),
                               (uint32_t *)bits,
                               (type *)(size ? val : NULL)};
    info = start(p);
  });
  return info;
}
