// Loads and launches kernels compiled at run time.
#include "spmat/cuda/device/cuda.cuh"

#include <pthread.h>

extern "C" {
#include "spmat/cuda/jit/jit.h"
#include "spmat/cuda/jit/jit_load.h"
}

extern "C" GrB_Info grid_jit_load(void **library, const void *image) {
  cudaLibrary_t l = NULL;
  GrB_Info info =
      grid_cuda_check(cudaLibraryLoadData(&l, image, NULL, NULL, 0, NULL, NULL, 0), "loading a kernel");
  *library = l;
  return info;
}

extern "C" void grid_jit_unload(void *library) {
  if (library) (void)cudaLibraryUnload((cudaLibrary_t)library);
}

extern "C" GrB_Info grid_jit_find(void **kernel, void *library, const char *function) {
  cudaKernel_t k = NULL;
  GrB_Info info = grid_cuda_check(cudaLibraryGetKernel(&k, (cudaLibrary_t)library, function), function);
  *kernel = (void *)k;
  return info;
}

extern "C" GrB_Info grid_jit_launch(void *kernel, unsigned blocks, unsigned threads, void **args,
                                    const char *what) {
  return grid_jit_launch_shared(kernel, blocks, threads, 0, args, what);
}

// The limit of a kernel's shared memory is of the process, and contexts launch the same kernels at the same
// time: another one must not lower it before the launch.
static cudaError_t launch_with_limit(const void *kernel, unsigned blocks, unsigned threads, size_t shared,
                                     void **args, cudaStream_t stream) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
  if (e == cudaSuccess) e = cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), args, shared, stream);
  pthread_mutex_unlock(&lock);
  return e;
}

extern "C" GrB_Info grid_jit_launch_shared(void *kernel, unsigned blocks, unsigned threads, size_t shared,
                                           void **args, const char *what) {
  const cudaStream_t stream = grid_cuda_stream();
  const cudaError_t e =
      shared ? launch_with_limit((const void *)kernel, blocks, threads, shared, args, stream)
             : cudaLaunchKernel((const void *)kernel, dim3(blocks), dim3(threads), args, 0, stream);
  return grid_cuda_check(e, what);
}
