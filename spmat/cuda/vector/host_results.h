/* Results of kernels for the host files of the CUDA backend; plain C. */
#ifndef GRID_HOST_RESULTS_H
#define GRID_HOST_RESULTS_H
#include "spmat/device/device.h"
#include "spmat/cuda/kernels/vec_args.cuh"

/* A tally for the next kernel on the library's stream, which counts or reduces (kernels/bitmap_tile.cuh).
 * grid_cuda_wait_count waits for its result: the count, and where a value is stored. A ticket's result is
 * overwritten after GRID_SLOTS later ones. */
#define GRID_SLOTS 1024
/* A kernel with several results has this many accumulators in all, after t->room. */
#define GRID_TALLY_ACCUMULATORS 8
GrB_Info grid_cuda_tally(grid_tally *t);
GrB_Info grid_cuda_wait_count(const grid_tally *t, uint64_t *count, const void **value);
GrB_Info grid_cuda_wait_ticket(uint64_t ticket, uint64_t *count, bool *known);
#endif
