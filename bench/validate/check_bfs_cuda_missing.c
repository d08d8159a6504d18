/* Replaces check_bfs_cuda.c in a build without CUDA: the CPU checks. */
#include "bench/validate/check_bfs.h"

int check_cuda_open(checker *c) {
  c->device = NULL;
  return STATUS_OK;
}
