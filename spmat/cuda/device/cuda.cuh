// Shared by every CUDA source of the backend: the stream, the check of a call's outcome, launch sizes.
#ifndef GRID_CUDA_CUH
#define GRID_CUDA_CUH
#include <cuda_runtime.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// C headers of the lower modules; the system headers that they include come before.
extern "C" {
#include "spmat/backend.h"
#include "spmat/cuda/device/stream.h"
}

// The GPU's number of multiprocessors.
extern "C" int grid_cuda_multiprocessors(void);
// Limits of the GPU, which differ between compute capabilities. Bytes of shared memory that a block can have:
// 227 KiB in 9.0 and 10.0, 163 in 8.0, 99 in 8.6, 8.9 and 12.0.
typedef struct {
  size_t shared, l2;
  unsigned threads;  // of a multiprocessor
} grid_cuda_limit;
extern "C" grid_cuda_limit grid_cuda_limits(void);
// Words in device memory that the kernels of a context share: those of two contexts run at the same time.
// They are zero when the device is opened.
typedef enum {
  GRID_TALLY_COUNTERS,
  GRID_PRODUCT_COUNTERS,
  GRID_VECTOR_COUNTERS,
  GRID_SPARSE_EXCHANGE_COUNTERS,
  GRID_DENSE_EXCHANGE_COUNTERS,
  GRID_COUNTERS
} grid_counters;
enum { GRID_COUNTERS_BYTES = 1 << 15 };
extern "C" void *grid_cuda_counters(grid_counters of);
// Waits until the stream has no work left. A kernel that waits for a lost process is released first: a bare
// cudaStreamSynchronize would wait for it for ever.
extern "C" void grid_cuda_finish_stream(void);
// Returns the pool's unused memory to the GPU: in other sizes it may block the present request.
extern "C" void grid_cuda_trim_pool(void);
// GrB_SUCCESS, or the error as GrB_OUT_OF_MEMORY or GrB_PANIC, with a message that names the step.
extern "C" GrB_Info grid_cuda_check(cudaError_t e, const char *what);

// Waits until a kernel on the stream has written `ticket` to *ticket_slot, in host memory.
extern "C" GrB_Info grid_cuda_wait_counter(const unsigned long long *ticket_slot, uint64_t ticket);

// Sets a function that reads up to 64 bytes from the device faster than a copy; NULL: copies do.
extern "C" void grid_cuda_set_small_reader(GrB_Info (*f)(void *to, const void *from, uint64_t bytes));

// The outcome of the last launch.
static inline GrB_Info grid_cuda_check_launch(const char *what) {
  return grid_cuda_check(cudaGetLastError(), what);
}

// Thread blocks for n threads of work, at least 1 and at most `most` (grid-stride loops do the rest).
static inline unsigned grid_cuda_blocks(uint64_t n, unsigned threads, unsigned most) {
  uint64_t blocks = (n + threads - 1) / threads;
  return blocks == 0 ? 1 : blocks < most ? (unsigned)blocks : most;
}

#define GRID_FOR(i, n)                                               \
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, \
                i##_step = (uint64_t)gridDim.x * blockDim.x;         \
       i < (n); i += i##_step)
#endif
