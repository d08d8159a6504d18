// Products of matrices under a mask that bounds C: a sum and a bit for each of the mask's entries; and their
// computation by rows. The kernels are in kernels/mxm_masked.cuh.
#include "spmat/cuda/matrix/mxm_run.cuh"

#include "spmat/cuda/kernels/mxm_masked.cuh"
#include "spmat/cuda/product/structural_ops.cuh"

extern "C" {
#include "spmat/cuda/product/cuda_product.h"
}

namespace {

__global__ void __launch_bounds__(GRID_MXM_THREADS) masked_by_block(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_masked_by_block<grid_structural_ops>(J, a, b);
}
__global__ void __launch_bounds__(GRID_MXM_SHORT_THREADS)
    masked_by_warp(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_masked_by_warp<grid_structural_ops>(J, a, b);
}

}  // namespace

extern "C" GrB_Info grid_masked_sums_make(grid_masked_sums *s, grid_mxm_run *x, const grid_lmat_product *m,
                                          size_t value) {
  const uint64_t n = m->mask->nvals;
  GrB_Info info;
  s->value = value;
  TRY(grid_cuda_selection_make(&s->found, n));
  TRY(grid_device_zero(s->found.bits, (n / 32 + 1) * sizeof *s->found.bits));
  if (value) {
    s->val = grid_device_malloc(n, value);
    if (!s->val) TRY(grid_device_fail_memory(NULL, "sums of a masked product", n, value));
  }
  x->J.dot = s->val, x->J.dot_bits = s->found.bits;
done:
  return info;
}

extern "C" GrB_Info grid_masked_sums_keep(grid_local_matrix *t, grid_masked_sums *s,
                                          const grid_local_matrix *mask) {
  uint32_t *from = NULL;
  GrB_Info info;
  TRY(grid_cuda_selection_count(&s->found));
  TRY(grid_cuda_select_pattern(t, mask, &s->found, &from));
  if (s->value && t->nvals) {
    t->by_row.val = grid_device_malloc(t->nvals, s->value);
    if (!t->by_row.val) TRY(grid_device_fail_memory(NULL, "values of a product", t->nvals, s->value));
    TRY(grid_cuda_gather_values(t->by_row.val, s->val, from, t->nvals, s->value));
  }
done:
  grid_device_free(from);
  return info;
}

extern "C" void grid_masked_sums_free(grid_masked_sums *s) {
  grid_cuda_selection_free(&s->found);
  grid_device_free(s->val);
}

extern "C" GrB_Info grid_cuda_mxm_masked(grid_mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m) {
  const size_t value = m->constant ? 0 : t->type->size, table = 2 * GRID_MXM_PIECE * sizeof(grid_mxm_slot_t);
  grid_mxm_code code = {(void *)masked_by_block, (void *)masked_by_warp};
  grid_masked_sums sums = {};
  GrB_Info info;
  if (value) TRY(grid_mxm_compile(&code, m, GRID_MXM_MASKED));
  TRY(grid_masked_sums_make(&sums, x, m, value));
  if (x->rows.by_block)
    TRY(grid_cuda_mxm_launch(x, code.by_block, true, grid_cuda_mxm_blocks(table, x->rows.by_block), table,
                             x->a1, x->b1, "a masked product by rows"));
  if (x->rows.by_warp)
    TRY(grid_cuda_mxm_launch(x, code.by_warp, false, grid_cuda_mxm_warp_blocks(x->rows.by_warp), 0, x->a1,
                             x->b1, "a masked product by rows"));
  info = grid_masked_sums_keep(t, &sums, m->mask);
done:
  grid_masked_sums_free(&sums);
  return info;
}
