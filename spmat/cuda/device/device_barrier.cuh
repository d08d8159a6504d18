// Barriers of GPUs (spmat/window.h), as kernels hold them: all blocks of a kernel that was started for a
// whole grid come together, one of them tells the other GPUs a number each and hears theirs, and all go on.
#ifndef GRID_DEVICE_BARRIER_CUH
#define GRID_DEVICE_BARRIER_CUH
#include <cooperative_groups.h>
#include <cuda/atomic>

#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/window.h"
}

// What ends all waiting when it is not 0, as the GPU sees it; NULL: there are no windows.
extern "C" const volatile uint32_t *grid_cuda_window_stop(void);

namespace {

// What a process tells is below NO_REPLY, which stands for one that is gone.
constexpr uint32_t NO_REPLY = ~0u;

// Where process `at` finds what process `of` sends in a turn.
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

// All threads of the grid call. told(r): what rank r is told, asked once all blocks have written; come[r], in
// device memory, is what it tells.
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

}  // namespace
#endif
