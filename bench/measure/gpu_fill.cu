// Takes a GPU's memory but for the megabytes given and holds it until it is killed: gpu_fill GPU
// MEGABYTES-LEFT. For the error cases of bench/gpu.sh.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  size_t free_bytes = 0, total = 0, left = (size_t)(argc > 2 ? atol(argv[2]) : 1024) << 20;
  void *p = NULL;
  if (cudaSetDevice(argc > 1 ? atoi(argv[1]) : 0) != cudaSuccess ||
      cudaMemGetInfo(&free_bytes, &total) != cudaSuccess || free_bytes <= left ||
      cudaMalloc(&p, free_bytes - left) != cudaSuccess) {
    printf("cannot fill the GPU: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  printf("filled\n");
  fflush(stdout);
  for (;;) pause();
}
