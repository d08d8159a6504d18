/* GrB_transpose (specification 4.3.11). */
#include "dist/object/burble.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "spmat/lmat_ops.h"

static const char call[] = "GrB_transpose";

static GrB_Info transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                          const GrB_Descriptor desc);

/* A slice has rows of the result: they are copied. */
static GrB_Info copy_slice(void *context, const grid_slices *s) {
  const grid_out_of_core *x = context;
  struct GrB_Descriptor_opaque desc = *s->desc;
  desc.tran0 = true;
  return transpose(s->C, s->mask, x->accum, s->A, &desc);
}

/* Is C the transpose of A, without a mask, an accumulator or a cast? */
static bool is_transpose_alone(const grid_out_of_core *x) {
  return x->d->tran0 && !x->mask && !x->d->complement && !x->accum && x->A->type == x->C->type;
}

static GrB_Info transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                          const GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_local_matrix t;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_matrix_output(C, mask, accum, desc, A->type, call, &d));
  const bool same = d.tran0; /* transposed twice */
  TRY(grid_check_shape(C->nrows, C->ncols, same ? A->nrows : A->ncols, same ? A->ncols : A->nrows, &C->head,
                       call, "C", "the result"));
  grid_desc transposed = d;
  transposed.tran0 = !same;
  bool out_of_core;
  grid_out_of_core x = {.C = C, .mask = mask, .A = A, .accum = accum, .d = &transposed, .run = copy_slice};
  x.context = &x;
  TRY(grid_out_of_core_needed(&x, &out_of_core));
  if (out_of_core && is_transpose_alone(&x) && grid_is_paged_hypersparse(A))
    return grid_transpose_hypersparse(C, A);
  if (out_of_core) return grid_out_of_core_run(&x);
  TRY(grid_matrix_require(A, GRID_WHOLE));
  if (same) {
    grid_lmat_init(&t, A->type, C->block.row.dim, C->block.col.dim);
    info = grid_lmat_copy_rows(&t, &A->block);
  } else {
    info = grid_matrix_transposed(A, C, &t, true, call);
  }
  return grid_finish_matrix(C, mask, accum, &d, &t, false, info);
done:
  return info;
}

GrB_Info GrB_transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                       const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(call, transpose(C, mask, accum, A, desc), C, mask, A);
}
