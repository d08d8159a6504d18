// C = D (+).(x) B or A (+).(x) D with a diagonal D that drops no entry: the other's pattern, and one product
// for each of its entries, without accumulators.
#include "spmat/cuda/matrix/selected_entries.cuh"

namespace {

// At most one entry a row, on the diagonal that begins at column `first`.
__global__ void check_diagonal(const uint32_t *ptr, const uint32_t *idx, uint64_t n, uint64_t first,
                               uint32_t *other) {
  GRID_FOR(r, n) {
    const uint32_t e = ptr[r], count = ptr[r + 1] - e;
    if (count > 1 || (count == 1 && idx[e] != first + r)) *other = 1;
  }
}

// with[e] = D's entry for e's row, or its column; *other: D lacks one.
__global__ void __launch_bounds__(GRID_CSR_THREADS)
    align_rows_kernel(grid_csr_pattern m, const uint32_t *diagonal, uint32_t *with, uint32_t *other) {
  grid_csr_for_each(m, [&](bool in, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!in) return;
    const uint64_t r = grid_csr_find_row(m.ptr, lo, hi, e);
    with[e] = diagonal[r];
    if (diagonal[r + 1] == diagonal[r]) *other = 1;
  });
}
__global__ void align_columns_kernel(const uint32_t *idx, uint64_t n, const uint32_t *diagonal,
                                     uint32_t *with, uint32_t *other) {
  GRID_FOR(e, n) {
    const uint32_t c = idx[e];
    with[e] = diagonal[c];
    if (diagonal[c + 1] == diagonal[c]) *other = 1;
  }
}

// A factor as a local matrix with borrowed arrays.
grid_local_matrix lmat_view(const grid_compressed *c, GrB_Type type, const void *one, uint64_t rows,
                            uint64_t cols, uint64_t nvals) {
  grid_local_matrix p = {};
  p.type = type, p.nvals = nvals;
  p.row.n = rows, p.col.n = cols;
  p.by_row = *c;
  p.iso = one != NULL, p.iso_val = (void *)(uintptr_t)one;
  p.device = true;
  return p;
}

// *with: by entry of `of`, the entry of d; NULL: d is no such diagonal. left: d is the left factor.
GrB_Info align_diagonal(const grid_local_matrix *d, const grid_local_matrix *of, bool left, uint64_t first,
                        uint32_t **with) {
  const cudaStream_t stream = grid_cuda_stream();
  uint32_t *other = NULL, is_other = 0;
  GrB_Info info = GrB_SUCCESS;
  *with = NULL;
  if (d->nvals > d->row.n || d->row.n != d->col.n) return info;
  other = (uint32_t *)grid_device_malloc(1, sizeof *other);
  if (!other) return grid_device_fail_memory(NULL, "a flag", 1, sizeof *other);
  TRY(grid_device_zero(other, sizeof *other));
  check_diagonal<<<grid_cuda_thread_blocks(d->row.n), 256, 0, stream>>>(d->by_row.ptr, d->by_row.idx,
                                                                        d->row.n, first, other);
  TRY(grid_cuda_check_launch("looking for a diagonal"));
  TRY(grid_device_get(&is_other, other, sizeof is_other));
  if (is_other) goto done;
  *with = (uint32_t *)grid_device_malloc(of->nvals, sizeof **with);
  if (!*with) TRY(grid_device_fail_memory(NULL, "entries of a diagonal", of->nvals, sizeof **with));
  if (left)
    align_rows_kernel<<<grid_cuda_csr_blocks(of->nvals), GRID_CSR_THREADS, 0, stream>>>(
        grid_csr_pattern_of(of), d->by_row.ptr, *with, other);
  else
    align_columns_kernel<<<grid_cuda_thread_blocks(of->nvals), 256, 0, stream>>>(of->by_row.idx, of->nvals,
                                                                                 d->by_row.ptr, *with, other);
  TRY(grid_cuda_check_launch("scaling a matrix"));
  TRY(grid_device_get(&is_other, other, sizeof is_other));
done:
  if (is_other || info != GrB_SUCCESS) {
    grid_device_free(*with);
    *with = NULL;
  }
  grid_device_free(other);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_scale(grid_local_matrix *t, const grid_lmat_product *m) {
  uint32_t *with = NULL;
  bool left = true;
  GrB_Info info = GrB_SUCCESS;
  if (m->mask || !m->b || !m->s->mul->f) return GRID_UNSUPPORTED;
  const grid_local_matrix a = lmat_view(m->a, m->a_type, m->a_iso, m->rows, m->inner, m->a_nvals),
                          b = lmat_view(m->b, m->b_type, m->b_iso, m->inner, m->n, m->b_nvals);
  TRY(align_diagonal(&a, &b, true, m->first, &with));
  if (!with && !m->b_rows_restricted) {
    left = false;
    TRY(align_diagonal(&b, &a, false, 0, &with));
  }
  if (!with) return GRID_UNSUPPORTED;
  {
    const grid_pair_args p = {&a, &b, left ? with : NULL, left ? NULL : with, m->s->mul, false, true};
    t->nvals = left ? b.nvals : a.nvals;
    if (m->constant)
      info = grid_lmat_set_iso(t, m->constant);
    else
      info = grid_cuda_pair_values(t, &p);
    if (info == GrB_SUCCESS) info = grid_cuda_pattern(t, left ? &b : &a);
    if (info == GRID_UNSUPPORTED) t->nvals = 0;
  }
done:
  grid_device_free(with);
  return info;
}
