// Gathers chunks of a vector as they are, in one kernel (spmat/vector/peer_exchange.h). Each GPU writes its
// bits and values at their positions in the gathered vector of every process, which lies in the receive
// buffers of the windows. So they cross each link once, and nothing is copied after.
#include "spmat/cuda/device/device_barrier.cuh"
#include "spmat/cuda/gather/index_values.cuh"

extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/vector/peer_exchange.h"
}

namespace {

constexpr unsigned THREADS = 512, BLOCKS = 2;  // a multiprocessor

template <typename unit>
struct dense_args {
  grid_device_barrier m;
  barrier_state *barrier;  // of the context
  const volatile uint32_t *stop;
  const uint32_t *bits;  // NULL: all n have entries
  const unit *val;       // NULL: bits only
  bool iso, with_bits;
  uint64_t n, q;  // local indices, and those of each process
  uint32_t units;
  uint64_t val_at;  // in the gathered vector, after the bits
};

template <typename unit>
__device__ __forceinline__ char *gathered_at(const dense_args<unit> &x, uint32_t d) {
  return x.m.window[(x.m.rank + d) % x.m.size] + x.m.recv_buffers;
}

template <typename unit>
__device__ void write_bits(const dense_args<unit> &x, uint64_t first, uint64_t step) {
  for (uint64_t w = first; w < x.q / 32; w += step) {
    const uint32_t word = grid_word32(x.bits, x.n, w);
    for (uint32_t d = 0; d < x.m.size; d++) ((uint32_t *)gathered_at(x, d))[x.m.rank * (x.q / 32) + w] = word;
  }
}

// The value of an iso vector, n times.
template <typename unit>
__device__ void write_copies(const dense_args<unit> &x, uint64_t first, uint64_t step) {
  const uint64_t at = x.val_at / sizeof(unit) + x.m.rank * x.q * x.units;
  for (uint64_t k = first; k < x.n * x.units; k += step)
    for (uint32_t d = 0; d < x.m.size; d++) ((unit *)gathered_at(x, d))[at + k] = x.val[k % x.units];
}

// Chunks begin at multiples of 64 values, so that their addresses are multiples of 16 bytes.
template <typename unit>
__device__ void write_values(const dense_args<unit> &x, uint64_t first, uint64_t step) {
  constexpr uint64_t UNITS = sizeof(uint4) / sizeof(unit);
  const uint64_t at = x.val_at / sizeof(unit) + x.m.rank * x.q * x.units, count = x.n * x.units;
  for (uint64_t k = first; k < count / UNITS; k += step) {
    const uint4 v = ((const uint4 *)x.val)[k];
    for (uint32_t d = 0; d < x.m.size; d++) ((uint4 *)((unit *)gathered_at(x, d) + at))[k] = v;
  }
  const uint64_t k = count / UNITS * UNITS + first;
  for (uint32_t d = 0; d < x.m.size && k < count; d++) ((unit *)gathered_at(x, d))[at + k] = x.val[k];
}

// After the first barrier all have read what the receive buffers held before.
template <typename unit>
__global__ void __launch_bounds__(THREADS, BLOCKS) write_chunks(const __grid_constant__ dense_args<unit> x) {
  const uint64_t first = blockIdx.x * (uint64_t)THREADS + threadIdx.x, step = gridDim.x * (uint64_t)THREADS;
  const auto nothing = [](uint32_t) { return 0u; };
  if (!barrier_exchange(x.m, x.m.turn, x.stop, *x.barrier, nothing)) return;
  if (x.with_bits) write_bits(x, first, step);
  if (x.val && x.iso) write_copies(x, first, step);
  if (x.val && !x.iso) write_values(x, first, step);
  (void)barrier_exchange(x.m, x.m.turn + 1, x.stop, *x.barrier, nothing);
}

}  // namespace

extern "C" GrB_Info grid_cuda_gather_dense(const grid_device_barrier *m, const grid_chunk *x, size_t size,
                                           uint64_t q, bool full, uint64_t **bits, void **val) {
  const uint64_t val_at = grid_dense_values_at(q, m->size, full), n = x->nvals ? x->n : 0,
                 work = size ? q * size / sizeof(uint4) : q / 32;
  char *buffer = m->window[m->rank] + m->recv_buffers;
  GrB_Info info = GrB_SUCCESS;
  *bits = full ? NULL : (uint64_t *)buffer;
  *val = size ? buffer + val_at : NULL;
  call_by_unit(size ? size : sizeof(uint64_t), [&](auto *unit, uint64_t units) {
    typedef std::remove_pointer_t<decltype(unit)> type;
    dense_args<type> a = {*m,
                          (barrier_state *)grid_cuda_counters(GRID_DENSE_EXCHANGE_COUNTERS),
                          grid_cuda_window_stop(),
                          bits_of(x),
                          (const type *)(size && n ? x->val : NULL),
                          x->iso,
                          !full,
                          n,
                          q,
                          (uint32_t)units,
                          val_at};
    void *args[] = {&a};
    info = grid_cuda_start_exchange(
        GRID_EXCHANGE_DENSE, (const void *)write_chunks<type>,
        grid_cuda_blocks(work, THREADS, BLOCKS * (unsigned)grid_cuda_multiprocessors()), THREADS, args,
        "gathering a vector");
  });
  return info;
}
