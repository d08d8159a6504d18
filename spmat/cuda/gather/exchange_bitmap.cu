// Exchanges any number of entries between GPUs in one kernel (spmat/vector/peer_exchange.h). Each GPU writes
// its bitmap, the starts of the values of each stretch, and the packed values to its receive buffer in the
// others' windows, and stores its own part. Then it reads its receive buffers. Links carry only existing
// entries, written once, without counts or copies in between.
#include "spmat/cuda/device/device_barrier.cuh"
#include "spmat/cuda/gather/index_values.cuh"
#include "spmat/cuda/vector/packed_segments.cuh"

extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/vector/peer_exchange.h"
}

namespace {

constexpr unsigned THREADS = 512, BLOCKS = 2;  // a multiprocessor

// Consecutive kernels alternate between two counters: each clears the other's.
__device__ uint32_t packed[2];
__device__ barrier_state barrier;

template <typename unit>
struct pass_args {
  grid_device_barrier m;
  const volatile uint32_t *stop;
  uint32_t now;  // index of its counter
  const uint32_t *bits;
  const unit *val;
  bool iso;       // x is iso
  uint64_t n, q;  // local indices, and those of each process
  uint32_t units;
  uint64_t start_at, val_at;  // in a receive buffer, after the bits
  uint32_t *result_bits;
  unit *result_val;  // NULL: bits only
};

// The receive buffer of sender `of` in the window of process `at`.
template <typename unit>
__device__ __forceinline__ char *recv_buffer_of(const pass_args<unit> &x, uint32_t at, uint32_t of) {
  return x.m.window[at] + x.m.recv_buffers + (of > at ? of - 1 : of) * x.m.recv_bytes;
}

__device__ __forceinline__ uint64_t first_stretch() {
  return (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / 32;
}
__device__ __forceinline__ uint64_t warp_count() {
  return gridDim.x * (uint64_t)(THREADS / 32);
}

template <typename unit>
__device__ void write_recv_buffer(const pass_args<unit> &x) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t me = x.m.rank;
  for (uint64_t s = first_stretch(); s * STRETCH < x.q; s += warp_count()) {
    const uint64_t w = 32 * s + lane;
    const bool in = w < x.q / 32;
    const uint32_t word = in ? grid_word32(x.bits, x.n, w) : 0;
    uint32_t all, base = 0, before = prefix_entries(word, &all);
    if (lane == 0 && all && x.result_val) base = atomicAdd(&packed[x.now], all);
    base = __shfl_sync(~0u, base, 0);
    if (in) x.result_bits[me * (x.q / 32) + w] = word;
    for (uint32_t d = 1; d < x.m.size; d++) {
      char *recv_buffer = recv_buffer_of(x, (me + d) % x.m.size, me);
      if (in) ((uint32_t *)recv_buffer)[w] = word;
      if (lane == 0) ((uint32_t *)(recv_buffer + x.start_at))[s] = base;
    }
    if (!x.result_val) continue;
    for_each_in_stretch(s, word, base + before, [&](uint64_t i, uint64_t at) {
      for (uint32_t k = 0; k < x.units; k++) {
        const unit value = x.val[(x.iso ? 0 : i * x.units) + k];
        x.result_val[(me * x.q + i) * x.units + k] = value;
        for (uint32_t d = 1; d < x.m.size; d++)
          ((unit *)(recv_buffer_of(x, (me + d) % x.m.size, me) + x.val_at))[at * x.units + k] = value;
      }
    });
  }
}

// Data written by others is read past the first-level cache.
template <typename unit>
__device__ void receive(const pass_args<unit> &x, uint32_t r) {
  const unsigned lane = threadIdx.x & 31;
  const char *recv_buffer = recv_buffer_of(x, x.m.rank, r);
  for (uint64_t s = first_stretch(); s * STRETCH < x.q; s += warp_count()) {
    const uint64_t w = 32 * s + lane;
    const bool in = w < x.q / 32;
    const uint32_t word = in ? __ldcv((const uint32_t *)recv_buffer + w) : 0;
    uint32_t all, before = prefix_entries(word, &all);
    if (in) x.result_bits[r * (x.q / 32) + w] = word;
    if (all == 0 || !x.result_val) continue;
    before += __ldcv((const uint32_t *)(recv_buffer + x.start_at) + s);
    for_each_in_stretch(s, word, before, [&](uint64_t i, uint64_t at) {
      for (uint32_t k = 0; k < x.units; k++)
        x.result_val[(r * x.q + i) * x.units + k] =
            __ldcv((const unit *)(recv_buffer + x.val_at) + at * x.units + k);
    });
  }
}

// The first barrier tells that the previous contents of the receive buffers have been read.
template <typename unit>
__global__ void __launch_bounds__(THREADS, BLOCKS) pass_entries(const __grid_constant__ pass_args<unit> x) {
  const auto nothing = [](uint32_t) { return 0u; };
  if (blockIdx.x == 0 && threadIdx.x == 0) packed[x.now ^ 1] = 0;
  if (!barrier_exchange(x.m, x.m.turn, x.stop, barrier, nothing)) return;
  write_recv_buffer(x);
  if (!barrier_exchange(x.m, x.m.turn + 1, x.stop, barrier, nothing)) return;
  for (uint32_t d = 1; d < x.m.size; d++) receive(x, (x.m.rank + d) % x.m.size);
}

template <typename unit>
GrB_Info start(pass_args<unit> x) {
  const unsigned most = BLOCKS * (unsigned)grid_cuda_multiprocessors(),
                 blocks = grid_cuda_blocks((x.q + STRETCH - 1) / STRETCH * 32, THREADS, most);
  void *args[] = {&x};
  return grid_cuda_start_exchange(GRID_EXCHANGE_BITMAP, (const void *)pass_entries<unit>, blocks, THREADS,
                                  args, "passing a vector's entries");
}

}  // namespace

extern "C" GrB_Info grid_cuda_pass(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q,
                                   uint64_t *bits, void *val) {
  const grid_pass_layout t = grid_pass_buffer_layout(q, size);
  GrB_Info info = GrB_SUCCESS;
  call_by_unit(size ? size : sizeof(uint64_t), [&](auto *unit, uint64_t units) {
    typedef std::remove_pointer_t<decltype(unit)> type;
    const pass_args<type> p = {*m,
                               grid_cuda_window_stop(),
                               grid_cuda_exchange_counters(GRID_EXCHANGE_BITMAP),
                               bits_of(x),
                               (const type *)x->val,
                               x->iso,
                               x->nvals ? x->n : 0,
                               q,
                               (uint32_t)units,
                               t.start,
                               t.val,
                               (uint32_t *)bits,
                               (type *)(size ? val : NULL)};
    info = start(p);
  });
  return info;
}
