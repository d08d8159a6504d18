// See mxm_columns.cuh.
#include "spmat/cuda/matrix/mxm_columns.cuh"

#include "spmat/cuda/kernels/mxm_job.cuh"
#include "spmat/cuda/matrix/rows_of_counts.cuh"

namespace {

/* LEAST_MEAN: entries of a row of B, which the lanes of a warp read together. */
enum { WORDS = GRID_MXM_COLUMNS / 32, THREADS = 256, LEAST_MEAN = 2 };

// A warp copies a row's entries to their positions. T: a type of the values' size.
template <class T>
__global__ void __launch_bounds__(THREADS)
    copy_rows(const uint32_t *start, const uint32_t *bits, const T *value, uint64_t rows, uint64_t n,
              uint32_t *idx, T *to) {
  const unsigned lane = threadIdx.x & 31;
  for (uint64_t r = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / 32; r < rows;
       r += gridDim.x * (uint64_t)(THREADS / 32)) {
    uint64_t at = start[r];
    const uint64_t end = start[r + 1];
    for (unsigned w = 0; at < end; w++) {
      const uint32_t word = bits[r * WORDS + w];
      const uint64_t position = at + __popc(word & ((1u << lane) - 1));
      if (word >> lane & 1) idx[position] = 32 * w + lane, to[position] = value[r * n + 32 * w + lane];
      at += __popc(word);
    }
  }
}

template <class T>
void launch_copy(grid_local_matrix *t, const uint32_t *bits, const void *value, uint64_t rows, uint64_t n) {
  const unsigned most = 32u * (unsigned)grid_cuda_multiprocessors();
  copy_rows<T><<<grid_cuda_blocks(rows, THREADS / 32, most), THREADS, 0, grid_cuda_stream()>>>(
      t->by_row.ptr, bits, (const T *)value, rows, n, t->by_row.idx, (T *)t->by_row.val);
}

}  // namespace

extern "C" bool grid_cuda_is_product_by_columns(const grid_lmat_product *m, uint64_t size) {
  const bool is_word = size == 1 || size == 2 || size == 4 || size == 8;
  return !m->constant && is_word && m->n <= GRID_MXM_COLUMNS && m->b_nvals / LEAST_MEAN >= m->inner &&
         m->rows * (m->n * size + WORDS * sizeof(uint32_t)) <= grid_device_free_bytes() / 4;
}

extern "C" GrB_Info grid_cuda_rows_of_columns(grid_local_matrix *t, uint64_t *count, const uint32_t *bits,
                                              const void *value, uint64_t rows, uint64_t n) {
  const uint64_t size = t->type->size;
  GrB_Info info;
  TRY(grid_cuda_rows_of_counts(t, count, rows));
  t->by_row.val = grid_device_malloc(t->nvals, size);
  if (!t->by_row.val) TRY(grid_device_fail_memory(NULL, "entries of a product", t->nvals, size));
  if (size == 1)
    launch_copy<uint8_t>(t, bits, value, rows, n);
  else if (size == 2)
    launch_copy<uint16_t>(t, bits, value, rows, n);
  else if (size == 4)
    launch_copy<uint32_t>(t, bits, value, rows, n);
  else
    launch_copy<uint64_t>(t, bits, value, rows, n);
  info = grid_cuda_check_launch("rows of a product");
done:
  return info;
}
