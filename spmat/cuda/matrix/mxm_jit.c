/* The preamble of the kernels of a product of matrices (kernels/mxm_jit.cuh) for any semiring. */
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/product/cuda_product.h"

void grid_mxm_preamble(grid_jit_source *s, GrB_Semiring op, GrB_Type a, GrB_Type b, bool dots) {
  const grid_job J = {.s = op, .a_type = a, .x_type = b};
  grid_product_preamble(s, &J, GRID_METHOD_PUSH);
  grid_jit_define(s, "GRID_DOTS", dots);
}

/* For grid_jit_kernel_or_cpu. The CPU sums 8 bytes for each pair of entries, of which uneven degrees make
 * several times as many as even ones. */
static uint64_t work_bytes(const grid_lmat_product *m) {
  const double pairs = (double)m->a_nvals * (double)m->b_nvals / (double)(m->inner ? m->inner : 1);
  return pairs < 1e15 ? (uint64_t)(64 * pairs) : UINT64_MAX;
}

GrB_Info grid_mxm_compile(grid_mxm_code *code, const grid_lmat_product *m, grid_mxm_kernels which) {
  static const struct {
    bool dots;
    const char *by_block, *by_warp;
  } names[] = {
      [GRID_MXM_ROWS] = {false, "grid_mxm_by_block", "grid_mxm_short"},
      [GRID_MXM_MASKED] = {false, "grid_mxm_masked_block", "grid_mxm_masked_warp"},
      [GRID_MXM_COLUMN_SUMS] = {false, "grid_mxm_columns_block", "grid_mxm_columns_warp"},
      [GRID_MXM_FULL] = {false, "grid_mxm_full_block", "grid_mxm_full_warp"},
      [GRID_MXM_DOTS] = {true, "grid_mxm_by_block", "grid_mxm_short"},
      [GRID_MXM_DOTS_BY_ENTRY] = {true, NULL, "grid_mxm_by_entry"},
  };
  grid_jit_source s;
  GrB_Info info = GrB_SUCCESS;
  if (!grid_product_is_supported(m->s)) {
    grid_report_fallback("product with an operator that has no source text");
    return GRID_UNSUPPORTED;
  }
  if (names[which].by_block) {
    grid_mxm_preamble(&s, m->s, m->a_type, m->b_type, names[which].dots);
    TRY(grid_jit_kernel_or_cpu(&code->by_block, &s, "mxm_jit.cuh", names[which].by_block, work_bytes(m)));
  }
  grid_mxm_preamble(&s, m->s, m->a_type, m->b_type, names[which].dots);
  TRY(grid_jit_kernel_or_cpu(&code->by_warp, &s, "mxm_jit.cuh", names[which].by_warp, work_bytes(m)));
done:
  return info;
}
