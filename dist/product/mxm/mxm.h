/* One call of GrB_mxm, as its methods see it (docs/how/product.md). */
#ifndef GRID_MXM_H
#define GRID_MXM_H
#include "dist/matrix/matrix_output.h"
#include "dist/plan/method.h"

/* C<mask> accum= A B with A, B or both transposed (d). All has been checked. */
typedef struct {
  grid_plan plan;
  const char *call;
  GrB_Matrix C, mask, A, B;
  GrB_BinaryOp accum;
  GrB_Semiring s;
  const grid_desc *d;
} grid_mxm_call;

static inline const grid_mxm_call *grid_mxm_of(const grid_plan *plan) {
  return (const grid_mxm_call *)plan;
}

static inline const grid_local_matrix *grid_mxm_mask_block(const grid_mxm_call *x) {
  return x->mask ? &x->mask->block : NULL;
}

/* GrB_mxm without a line of its own in the trace: for row panels of its operands. */
GrB_Info grid_mxm_untraced(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Semiring op, GrB_Matrix A,
                           GrB_Matrix B, GrB_Descriptor desc);

/* The run of a method: `multiply` makes t, with only entries that the mask allows; all agree on its outcome,
 * then C<mask> accum= t. GRID_UNSUPPORTED: C is unchanged. */
GrB_Info grid_mxm_run_method(grid_plan *plan,
                             GrB_Info (*multiply)(const grid_mxm_call *x, grid_local_matrix *t));

/* Under a mask with few entries for each entry of A, dot products of A's rows with B's own rows (B is
 * transposed) are expected to cost least. */
static inline bool grid_mxm_is_dot_cheaper(const grid_mxm_call *x) {
  const grid_desc *d = x->d;
  if (!d->tran1 || !x->mask || d->complement) return false;
  const uint64_t inner = d->tran0 ? x->A->nrows : x->A->ncols;
  return inner == 0 || x->C->ncols == 0 || x->mask->nvals / x->C->ncols <= 4 * (x->A->nvals / inner + 1);
}

extern const grid_method_table grid_mxm_methods;
#endif
