// What every CUDA source of the backend shares: the stream, the check of a call's outcome, launch sizes.
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

// The C headers of the lower modules; the system's, which they include, come before.
extern "C" {
#include "spmat/backend.h"
#include "spmat/cuda/device/stream.h"
}

// The GPU's multiprocessors.
extern "C" int grid_cuda_multiprocessors(void);
// Gives back what the pool keeps: in segments of other sizes it may be in the way of what is asked for.
extern "C" void grid_cuda_trim_pool(void);
// GrB_SUCCESS, or the error as a GrB_Info with a text that names the step: GrB_OUT_OF_MEMORY or GrB_PANIC.
extern "C" GrB_Info grid_cuda_check(cudaError_t e, const char *what);

// Waits until *told, in host memory, is the ticket, which a kernel on the stream writes there.
extern "C" GrB_Info grid_cuda_wait_counter(const unsigned long long *ticket_slot, uint64_t ticket);

// f reads up to 64 bytes from the device from now on, sooner than a copy; NULL: copies do.
extern "C" void grid_cuda_set_small_reader(GrB_Info (*f)(void *to, const void *from, uint64_t bytes));

// The last launch's outcome.
static inline GrB_Info grid_cuda_check_launch(const char *what) {
  return grid_cuda_check(cudaGetLastError(), what);
}

// Blocks for n threads of work, at most `most` (grid-stride loops do the rest); at least 1.
static inline unsigned grid_cuda_blocks(uint64_t n, unsigned threads, unsigned most) {
  uint64_t blocks = (n + threads - 1) / threads;
  return blocks == 0 ? 1 : blocks < most ? (unsigned)blocks : most;
}

#define GRID_FOR(i, n)                                               \
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, \
                i##_step = (uint64_t)gridDim.x * blockDim.x;         \
       i < (n); i += i##_step)
#endif
