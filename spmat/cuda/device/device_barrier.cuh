// Barriers of GPUs (spmat/window.h) inside cooperative kernels: the block that arrives last sends a number to
// each other GPU, receives theirs, and releases the blocks that wait.
#ifndef GRID_DEVICE_BARRIER_CUH
#define GRID_DEVICE_BARRIER_CUH
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
  GRID_EXCHANGE_BITMAP,  // this and the next have no counters
  GRID_EXCHANGE_DENSE,
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

__device__ __forceinline__ void send_flag(const grid_device_barrier &m, uint32_t turn, uint32_t r,
                                          uint32_t value) {
  typedef cuda::atomic_ref<uint64_t, cuda::thread_scope_system> flag;
  flag outgoing(((uint64_t *)(m.window[r] + m.flags[turn & 1]))[m.rank]);
  outgoing.store((uint64_t)turn << 32 | value, cuda::std::memory_order_release);
}

// The number from rank r.
__device__ __forceinline__ uint32_t wait_flag(const grid_device_barrier &m, uint32_t turn, uint32_t r,
                                              const volatile uint32_t *stop) {
  typedef cuda::atomic_ref<uint64_t, cuda::thread_scope_system> flag;
  flag incoming(((uint64_t *)(m.window[m.rank] + m.flags[turn & 1]))[r]);
  for (uint32_t spins = 1;; spins++) {
    const uint64_t x = incoming.load(cuda::std::memory_order_acquire);
    if (x >> 32 == turn) return (uint32_t)x;
    if (spins % 4096 == 0 && *stop) return NO_REPLY;
  }
}

__device__ __forceinline__ uint32_t exchange_flags(const grid_device_barrier &m, uint32_t turn, uint32_t r,
                                                   uint32_t value, const volatile uint32_t *stop) {
  send_flag(m, turn, r, value);
  return wait_flag(m, turn, r, stop);
}

// In device memory, zero at first. All blocks get the same answer at a barrier, so that none has arrived when
// a kernel ends, even if it lost a process.
struct barrier_state {
  uint32_t arrived;  // blocks at the barrier
  uint32_t passed;   // twice the number of barriers passed; + 1: the last lost a process
  volatile uint32_t received[GRID_WINDOWS];  // from each rank, at the last
};

// Sends and receives the numbers; true: no process was lost. For all threads of a block.
template <typename number>
__device__ __forceinline__ bool exchange_numbers(const grid_device_barrier &m, uint32_t turn,
                                                 const volatile uint32_t *stop, barrier_state &b,
                                                 number outgoing) {
  const uint32_t r = threadIdx.x;
  uint32_t x = 0;
  if (r < m.size)
    b.received[r] = x = r == m.rank ? outgoing(r) : exchange_flags(m, turn, r, outgoing(r), stop);
  return !__syncthreads_or(x == NO_REPLY);
}

// All threads of the grid call; all its blocks run at once. outgoing(r): the number for rank r, computed
// after all blocks have written; received: the number from rank r. false: a process was lost.
//
// Order of memory: a block's writes, also to other windows, come before its arrival (its threads' barrier,
// then a release). The last block acquires all arrivals, and releases its flags for the system after them;
// the others' flags are acquired before `passed` is released, and that is acquired by each block. No block
// misses the release, since it has read `passed` before it arrived.
template <typename number>
__device__ __forceinline__ bool barrier_exchange(const grid_device_barrier &m, uint32_t turn,
                                                 const volatile uint32_t *stop, barrier_state &b,
                                                 number outgoing) {
  typedef cuda::atomic_ref<uint32_t, cuda::thread_scope_device> word;
  __shared__ bool is_last;
  __shared__ uint32_t passed;
  uint32_t before = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    before = word(b.passed).load(cuda::std::memory_order_relaxed);
    is_last = word(b.arrived).fetch_add(1, cuda::std::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  const bool lost = is_last && !exchange_numbers(m, turn, stop, b, outgoing);
  if (threadIdx.x == 0) {
    passed = (before & ~1u) + 2 + lost;
    if (is_last) {
      word(b.arrived).store(0, cuda::std::memory_order_relaxed);
      word(b.passed).store(passed, cuda::std::memory_order_release);
    } else {
      do passed = word(b.passed).load(cuda::std::memory_order_acquire);
      while (passed == before);
    }
  }
  __syncthreads();
  return !(passed & 1);
}

}  // namespace
#endif
