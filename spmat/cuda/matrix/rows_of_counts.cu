// See rows_of_counts.cuh.
#include "spmat/cuda/matrix/rows_of_counts.cuh"

extern "C" {
#include "semiring/support/tuning.h"
}

namespace {

__global__ void narrow_starts(const uint64_t *from, uint64_t n, uint32_t *to) {
  GRID_FOR(r, n) to[r] = (uint32_t)from[r];
}

}  // namespace

extern "C" GrB_Info grid_cuda_rows_of_counts(grid_local_matrix *t, uint64_t *count, uint64_t rows) {
  uint64_t total = 0;
  GrB_Info info;
  TRY(grid_cuda_exclusive_sums(count, rows + 1));
  TRY(grid_cuda_fetch(&total, count + rows));
  if (total >= grid_tune.offsets64_from) TRY(GRID_UNSUPPORTED);
  t->by_row.ptr = (uint32_t *)grid_device_malloc(rows + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(total, sizeof(uint32_t));
  if (!t->by_row.ptr || !t->by_row.idx)
    TRY(grid_device_fail_memory(NULL, "entries of a product", rows + total, sizeof(uint32_t)));
  narrow_starts<<<grid_cuda_blocks_for(rows + 1), 256, 0, grid_cuda_stream()>>>(count, rows + 1,
                                                                                t->by_row.ptr);
  TRY(grid_cuda_check_launch("rows of a product"));
  t->nvals = total;
done:
  return info;
}
