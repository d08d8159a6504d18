// Products without a mask by a B that has all entries, in the rows that A names. The kernels are in
// kernels/mxm_full.cuh.
#include "spmat/cuda/matrix/mxm_run.cuh"

#include "spmat/cuda/matrix/rows_of_counts.cuh"

namespace {

// *other: not all of B's rows 0 .. full - 1 have the entries 0 .. columns - 1, or another row has one.
__global__ void check_full_rows(const uint32_t *ptr, const uint32_t *idx, uint64_t rows, uint64_t full,
                                uint64_t columns, uint32_t *other) {
  GRID_FOR(r, rows + 1) {
    const uint64_t begin = (r < full ? r : full) * columns;
    if (ptr[r] != begin || (r < full && idx[begin + columns - 1] != columns - 1)) *other = 1;
  }
}
// *other: A names another row.
__global__ void check_named_rows(const uint32_t *idx, uint64_t n, uint64_t full, uint32_t *other) {
  GRID_FOR(e, n) if (idx[e] >= full) *other = 1;
}

// count[r] = the entries of C's row r
__global__ void count_full_rows(const uint32_t *a_ptr, uint64_t rows, uint64_t n, uint64_t *count) {
  GRID_FOR(r, rows) count[r] = a_ptr[r + 1] > a_ptr[r] ? n : 0;
}

}  // namespace

extern "C" GrB_Info grid_cuda_find_full_columns(uint64_t *columns, const grid_lmat_product *m) {
  uint32_t *other = NULL, first = 0, is_other = 0;
  uint64_t full;
  GrB_Info info = GrB_SUCCESS;
  *columns = 0;
  if (m->mask || m->constant) return info;
  TRY(grid_device_get(&first, m->b->ptr + 1, sizeof first));
  if (first == 0 || m->b_nvals % first || first > m->n) return info;
  full = m->b_nvals / first;
  if (full > m->inner) return info;
  other = (uint32_t *)grid_device_malloc(1, sizeof *other);
  if (!other) return grid_device_fail_memory(NULL, "a flag", 1, sizeof *other);
  TRY(grid_device_zero(other, sizeof *other));
  check_full_rows<<<grid_cuda_blocks_for(m->inner + 1), 256, 0, grid_cuda_stream()>>>(
      m->b->ptr, m->b->idx, m->inner, full, first, other);
  if (full < m->inner)
    check_named_rows<<<grid_cuda_blocks_for(m->a_nvals), 256, 0, grid_cuda_stream()>>>(m->a->idx, m->a_nvals,
                                                                                       full, other);
  TRY(grid_cuda_check_launch("looking for full rows"));
  TRY(grid_device_get(&is_other, other, sizeof is_other));
  if (!is_other) *columns = first;
done:
  grid_device_free(other);
  return info;
}

extern "C" GrB_Info grid_cuda_mxm_full(grid_mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m) {
  const size_t value = t->type->size, of_block = grid_mxm_full_adjacent(value) * GRID_MXM_THREADS * value;
  uint64_t *count = NULL;
  grid_mxm_code code = {};
  GrB_Info info;
  TRY(grid_mxm_compile(&code, m, GRID_MXM_FULL));
  count = (uint64_t *)grid_device_malloc(m->rows + 1, sizeof *count);
  if (!count) TRY(grid_device_fail_memory(NULL, "entries of rows", m->rows + 1, sizeof *count));
  TRY(grid_device_zero(count + m->rows, sizeof *count));
  count_full_rows<<<grid_cuda_blocks_for(m->rows), 256, 0, grid_cuda_stream()>>>(m->a->ptr, m->rows,
                                                                                 x->full_columns, count);
  TRY(grid_cuda_check_launch("entries of rows"));
  TRY(grid_cuda_rows_of_counts(t, count, m->rows));
  t->by_row.val = grid_device_malloc(t->nvals, value);
  if (!t->by_row.val) TRY(grid_device_fail_memory(NULL, "entries of a product", t->nvals, value));
  x->J.n = x->full_columns, x->J.c_start = t->by_row.ptr, x->J.c_idx = t->by_row.idx, x->J.c = t->by_row.val;
  if (x->rows.by_block)
    TRY(grid_cuda_mxm_launch(x, code.by_block, true, grid_cuda_mxm_blocks(of_block, x->rows.by_block),
                             of_block, x->a1, x->b1, "a product by a full matrix"));
  if (x->rows.by_warp)
    TRY(grid_cuda_mxm_launch(x, code.by_warp, false,
                             grid_cuda_blocks(m->rows, 32, 64u * (unsigned)grid_cuda_multiprocessors()), 0,
                             x->a1, x->b1, "a product by a full matrix"));
done:
  grid_device_free(count);
  return info;
}
