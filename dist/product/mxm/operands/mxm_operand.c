/* See mxm_operand.h. */
#include "dist/product/mxm/operands/mxm_operand.h"

#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/matrix/transfer/matrix_route.h"

GrB_Info grid_mxm_operand_prepare(const grid_mxm_call *x, GrB_Matrix M, bool transposed,
                                  grid_mxm_operand *o) {
  GrB_Matrix like = NULL;
  GrB_Info info;
  TRY(grid_matrix_require_host(M, 0, x->call));
  if (grid_ctx.P == 1 || !transposed) {
    o->lmat = &M->block, o->columns = transposed;
    return transposed ? grid_matrix_require(M, GRID_COLS) : GrB_SUCCESS;
  }
  TRY(GrB_Matrix_new(&like, M->type, M->ncols, M->nrows));
  TRY(grid_matrix_transposed(M, like, &o->owned, false, x->call));
  o->lmat = &o->owned;
done:
  GrB_Matrix_free(&like);
  return info;
}

GrB_Info grid_mxm_operand_share(grid_mxm_operand *o, GrB_Matrix M) {
  if (grid_ctx.C > 1 || !grid_can_share_rows(M)) return GrB_SUCCESS;
  return grid_share_rows(&o->owned, &M->block, M->nrows, M->ncols, true, &o->borrowed);
}

GrB_Info grid_mxm_operand_expand(grid_mxm_operand *o, const grid_local_matrix *lmat) {
  o->lmat = &o->expanded.lmat;
  return grid_lmat_expand_hyper(&o->expanded, lmat, false);
}

void grid_mxm_operand_free(grid_mxm_operand *o) {
  grid_expanded_lmat_free(&o->expanded);
  if (o->borrowed) o->owned.by_row = (grid_compressed){0};
  grid_lmat_free(&o->owned);
}
