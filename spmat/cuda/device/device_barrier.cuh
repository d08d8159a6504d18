// Barriers of GPUs (spmat/window.h) inside cooperative kernels: all blocks of the grid synchronise, one of
// them sends a number to each other GPU and receives theirs, and all continue.
#ifndef GRID_DEVICE_BARRIER_CUH
#define GRID_DEVICE_BARRIER_CUH
#include <cooperative_groups.h>
#include <cuda/atomic>

#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/window.h"
}

// Ends all waits when it is not 0; mapped for the GPU. NULL: there are no windows.
extern "C" const volatile uint32_t *grid_cuda_window_stop(void);

// Exchanges whose kernels alternate between two sets of counters in device memory: each clears the other's.
typedef enum {
  GRID_EXCHANGE_SPARSE,
  GRID_EXCHANGE_BITMAP,
  GRID_EXCHANGE_DENSE,  // has no counters
  GRID_EXCHANGES
} grid_exchange_kind;
// The set of the next kernel, 0 or 1.
extern "C" uint32_t grid_cuda_exchange_counters(grid_exchange_kind kind);
// Starts it, all blocks at once.
extern "C" GrB_Info grid_cuda_start_exchange(grid_exchange_kind kind, const void *kernel, unsigned blocks,
                                             unsigned threads, void **args, const char *what);

namespace {

// Numbers sent are below NO_REPLY, which stands for a lost process.
constexpr uint32_t NO_REPLY = ~0u;

// The slot of sender `of` in the window of process `at`, for a turn.
__device__ __forceinline__ char *slot_of(const grid_device_barrier &m, uint32_t turn, uint32_t at,
                                         uint32_t of) {
  return m.window[at] + m.slots[turn & 1] + of * (uint64_t)GRID_SLOT_BYTES;
}

__device__ __forceinline__ uint32_t exchange_flags(const grid_device_barrier &m, uint32_t turn, uint32_t r,
                                                   uint32_t mine, const volatile uint32_t *stop) {
  typedef cuda::atomic_ref<uint64_t, cuda::thread_scope_system> flag;
  flag outgoing(((uint64_t *)(m.window[r] + m.flags[turn & 1]))[m.rank]);
  flag incoming(((uint64_t *)(m.window[m.rank] + m.flags[turn & 1]))[r]);
  outgoing.store((uint64_t)turn << 32 | mine, cuda::std::memory_order_release);
  for (uint32_t spins = 1;; spins++) {
    const uint64_t x = incoming.load(cuda::std::memory_order_acquire);
    if (x >> 32 == turn) return (uint32_t)x;
    if (spins % 4096 == 0 && *stop) return NO_REPLY;
  }
}

// All threads of the grid call. outgoing(r): the number for rank r, computed after all blocks have written;
// received[r], in device memory: the number from rank r.
template <typename number>
__device__ __forceinline__ void barrier_exchange(const grid_device_barrier &m, uint32_t turn,
                                                 const volatile uint32_t *stop, volatile uint32_t *received,
                                                 number outgoing) {
  const uint32_t r = threadIdx.x;
  __threadfence_system();
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && r < m.size) {
    received[r] = r == m.rank ? outgoing(r) : exchange_flags(m, turn, r, outgoing(r), stop);
    __threadfence();
  }
  cooperative_groups::this_grid().sync();
}

// Has no process been lost at the barrier?
__device__ __forceinline__ bool all_arrived(const grid_device_barrier &m, const volatile uint32_t *received) {
  for (uint32_t r = 0; r < m.size; r++)
    if (received[r] == NO_REPLY) return false;
  return true;
}

}  // namespace
#endif
