// Expands a hypersparse local matrix: offsets for all rows, and columns by their local ids.
#include "spmat/cuda/matrix/selected_entries.cuh"

namespace {

// ids: the n listed rows.
__global__ void expand_starts(const uint32_t *ids, uint64_t n, const uint32_t *ptr, uint64_t rows,
                              uint32_t *to) {
  GRID_FOR(r, rows + 1) to[r] = ptr[grid_csr_lower_bound(ids, 0, (uint32_t)n, (uint32_t)r)];
}

__global__ void expand_column_ids(const uint32_t *ids, const uint32_t *idx, uint64_t n, uint32_t *to) {
  GRID_FOR(e, n) to[e] = ids[idx[e]];
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_expand_hyper(grid_local_matrix *t, const grid_local_matrix *p) {
  const uint64_t rows = t->row.dim, n = p->nvals;
  const grid_compressed *from = &p->by_row;
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info = GrB_SUCCESS;
  t->row.n = rows, t->col.n = t->col.dim, t->nvals = n;
  t->by_row.ptr = (uint32_t *)grid_device_malloc(rows + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  if (!t->by_row.ptr || !t->by_row.idx)
    TRY(grid_device_fail_memory(NULL, "rows of a hypersparse block", rows + n, sizeof(uint32_t)));
  if (p->row.ids)
    expand_starts<<<grid_cuda_blocks_for(rows + 1), 256, 0, stream>>>((const uint32_t *)p->row.ids, p->row.n,
                                                                      from->ptr, rows, t->by_row.ptr);
  else
    TRY(grid_device_copy(t->by_row.ptr, from->ptr, (rows + 1) * sizeof(uint32_t)));
  if (p->col.ids)
    expand_column_ids<<<grid_cuda_blocks_for(n), 256, 0, stream>>>((const uint32_t *)p->col.ids, from->idx, n,
                                                                   t->by_row.idx);
  else
    TRY(grid_device_copy(t->by_row.idx, from->idx, n * sizeof(uint32_t)));
  TRY(grid_cuda_check_launch("rows of a hypersparse block"));
  if (p->iso) {
    info = grid_lmat_set_iso(t, p->iso_val);
  } else {
    t->by_row.val = grid_device_malloc(n, p->type->size);
    if (!t->by_row.val) TRY(grid_device_fail_memory(NULL, "values of a hypersparse block", n, p->type->size));
    info = grid_device_copy(t->by_row.val, from->val, n * p->type->size);
  }
done:
  return info;
}
