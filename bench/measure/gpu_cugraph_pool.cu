/* See gpu_cugraph_pool.h. */
#include "bench/measure/gpu_cugraph_pool.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <rmm/mr/cuda_async_memory_resource.hpp>
#include <rmm/mr/per_device_resource.hpp>

void gpu_cugraph_use_pool(void) {
  rmm::mr::set_current_device_resource(rmm::mr::cuda_async_memory_resource{});
}

void gpu_cugraph_finish(void) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return;
  fprintf(stderr, "the GPU failed: %s\n", cudaGetErrorString(error));
  exit(2);
}
