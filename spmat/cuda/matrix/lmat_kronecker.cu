// The Kronecker product of two local matrices. An entry's position follows from the offsets of both: row ia *
// rows + ib has, for each entry of a's row ia, the whole of b's row ib.
#include "spmat/cuda/matrix/selected_entries.cuh"

extern "C" {
#include "semiring/support/tuning.h"
}

namespace {

enum { THREADS = GRID_CSR_THREADS };

// Of n rows. b has b_rows; its local matrix may have more, without entries.
__global__ void kron_starts(grid_csr_pattern a, grid_csr_pattern b, uint64_t b_rows, uint64_t n,
                            uint32_t *ptr) {
  GRID_FOR(r, n + 1) {
    const uint64_t i = r / b_rows < a.n ? r / b_rows : a.n;
    const uint32_t length = i < a.n ? a.ptr[i + 1] - a.ptr[i] : 0;
    ptr[r] = a.ptr[i] * (uint32_t)b.nvals + length * b.ptr[r % b_rows];
  }
}

__global__ void __launch_bounds__(THREADS)
    kron_entries(grid_csr_pattern z, grid_csr_pattern a, grid_csr_pattern b, uint64_t b_rows, uint64_t b_cols,
                 uint32_t *idx, uint32_t *from_a, uint32_t *from_b) {
  grid_csr_for_each(z, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!active) return;
    const uint64_t r = grid_csr_find_row(z.ptr, lo, hi, e), i = r / b_rows, j = r % b_rows;
    const uint32_t n = b.ptr[j + 1] - b.ptr[j], k = (uint32_t)(e - z.ptr[r]), x = a.ptr[i] + k / n,
                   y = b.ptr[j] + k % n;
    idx[e] = (uint32_t)(a.idx[x] * b_cols + b.idx[y]);
    from_a[e] = x;
    from_b[e] = y;
  });
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a,
                                        const grid_local_matrix *b, uint64_t rows, uint64_t cols,
                                        GrB_BinaryOp op) {
  const uint64_t n = a->nvals * b->nvals, dim = t->row.dim;  // both factors are below 2^32
  const bool alike = (a->iso || !op->uses_x) && (b->iso || !op->uses_y);
  uint32_t *from_a = NULL, *from_b = NULL;
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info = GrB_SUCCESS;
  if (n >= grid_tune.offsets64_from || grid_axis_is_too_long(dim, n) || grid_axis_is_too_long(t->col.dim, n))
    return GRID_UNSUPPORTED;
  t->by_row.ptr = (uint32_t *)grid_device_malloc(dim + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  from_a = (uint32_t *)grid_device_malloc(n, sizeof *from_a);
  from_b = (uint32_t *)grid_device_malloc(n, sizeof *from_b);
  if (!t->by_row.ptr || !t->by_row.idx || !from_a || !from_b)
    TRY(grid_device_fail_memory(NULL, "a Kronecker product", n + dim, 3 * sizeof(uint32_t)));
  t->nvals = n;
  t->row.n = dim, t->col.n = t->col.dim;
  kron_starts<<<grid_cuda_blocks_for(dim + 1), 256, 0, stream>>>(
      grid_csr_pattern_of(a), grid_csr_pattern_of(b), rows, dim, t->by_row.ptr);
  kron_entries<<<grid_cuda_csr_blocks(n), THREADS, 0, stream>>>(
      grid_csr_pattern_of(t), grid_csr_pattern_of(a), grid_csr_pattern_of(b), rows, cols, t->by_row.idx,
      from_a, from_b);
  TRY(grid_cuda_check_launch("a Kronecker product"));
  if (alike) {
    info = grid_cuda_intersect_one(t, a, b, op);
  } else {
    const grid_pair_args p = {a, b, from_a, from_b, op, false};
    info = grid_cuda_pair_values(t, &p);
  }
done:
  grid_device_free(from_a);
  grid_device_free(from_b);
  return info;
}
