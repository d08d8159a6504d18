/* transpose.c: GrB_transpose (specification 4.3.11). */
#include "dist/object/burble.h"
#include "dist/object/matrix/matrix_output.h"
#include "dist/object/matrix/matrix_route.h"
#include "dist/op/sliced/sliced.h"
#include "spmat/parts.h"

static const char call[] = "GrB_transpose";

static GrB_Info transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                          const GrB_Descriptor desc);

/* A slice has rows of the result: they are copied. */
static GrB_Info copy_slice(void *context, const grid_slices *s) {
  const grid_sliced *x = context;
  struct GrB_Descriptor_opaque desc = *s->desc;
  desc.tran0 = true;
  return transpose(s->C, s->mask, x->accum, s->A, &desc);
}

static GrB_Info transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                          const GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_part t;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_matrix_output(C, mask, accum, desc, A->type, call, &d));
  const bool same = d.tran0; /* transposed twice */
  TRY(grid_check_shape(C->nrows, C->ncols, same ? A->nrows : A->ncols, same ? A->ncols : A->nrows, &C->head,
                       call, "C", "the result"));
  grid_desc turned = d;
  turned.tran0 = !same;
  bool sliced;
  grid_sliced x = {.C = C, .mask = mask, .A = A, .accum = accum, .d = &turned, .run = copy_slice};
  x.context = &x;
  TRY(grid_sliced_wanted(&x, &sliced));
  if (sliced) return grid_sliced_run(&x);
  TRY(grid_matrix_read(A));
  if (same) {
    grid_part_init(&t, A->type, C->block.row.dim, C->block.col.dim);
    info = grid_parts_copy_rows(&t, &A->block);
  } else {
    info = grid_matrix_transposed(A, C, &t, true, call);
  }
  return grid_finish_matrix(C, mask, accum, &d, &t, false, info);
done:
  return info;
}

GrB_Info GrB_transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                       const GrB_Descriptor desc) {
  return GRID_TOLD(call, transpose(C, mask, accum, A, desc), C, mask, A);
}
