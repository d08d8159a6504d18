/* Combines and counts bitmaps, by a pass that may be fused with others (fused.h). */
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/fused.h"

GrB_Info grid_cuda_combine_counted(uint64_t *to, const uint64_t *a, const uint64_t *b, grid_bitmap_op how,
                                   uint64_t n, const grid_tally *t) {
  grid_bits_step s = {
      {n, (const uint32_t *)a, (const uint32_t *)b, (uint32_t *)to, how == GRID_OR, how == GRID_AND_NOT, *t}};
  return grid_pass_run(
      &(grid_pass){grid_cuda_bits_kernel(), &s, sizeof s, n, &s.a.tally, "combining bitmaps"});
}

GrB_Info grid_cuda_combine(uint64_t *to, const uint64_t *a, const uint64_t *b, grid_bitmap_op how, uint64_t n,
                           uint64_t *count) {
  GrB_Info info = GrB_SUCCESS;
  grid_tally t = {0};
  if (count) TRY(grid_cuda_tally(&t));
  TRY(grid_cuda_combine_counted(to, a, b, how, n, &t));
  if (count) TRY(grid_cuda_wait_count(&t, count, NULL));
done:
  return info;
}
