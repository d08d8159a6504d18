// Loads and launches kernels compiled at run time.
#include "spmat/cuda/device/cuda.cuh"

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

extern "C" GrB_Info grid_jit_launch_shared(void *kernel, unsigned blocks, unsigned threads, size_t shared,
                                           void **args, const char *what) {
  cudaError_t e = cudaSuccess;
  if (shared)
    e = cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
  if (e == cudaSuccess)
    e = cudaLaunchKernel((const void *)kernel, dim3(blocks), dim3(threads), args, shared, grid_cuda_stream());
  return grid_cuda_check(e, what);
}
