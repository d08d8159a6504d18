/* mxm_operand.c: see mxm_operand.h. */
#include "dist/product/mxm/mxm_operand.h"

#include "dist/matrix/transfer/matrix_route.h"
#include "dist/product/mxm/mxm_stages.h"

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
  TRY(grid_matrix_transposed(M, like, &o->own, false, x->call));
  o->lmat = &o->own;
done:
  GrB_Matrix_free(&like);
  return info;
}

GrB_Info grid_mxm_operand_expand(grid_mxm_operand *o, const grid_local_matrix *lmat) {
  o->lmat = &o->expanded.lmat;
  return grid_lmat_expand_hyper(&o->expanded, lmat, false);
}

void grid_mxm_operand_free(grid_mxm_operand *o) {
  grid_expanded_lmat_free(&o->expanded);
  grid_lmat_free(&o->own);
}

/* Views of the operands are made here, when both are ready: A may be B, whose orientations B's needs change.
 */
GrB_Info grid_mxm_operands_multiply(const grid_mxm_call *x, const grid_mxm_operand *a,
                                    const grid_mxm_operand *b, bool replicated, bool by_dots,
                                    grid_local_matrix *t) {
  const GrB_BinaryOp mul = x->s->mul;
  grid_rows bt = {0};
  if (by_dots) bt = grid_rows_of(b->lmat, !b->columns, mul->uses_y);
  const grid_stages g = {.s = x->s,
                         .a = grid_rows_of(a->lmat, a->columns, mul->uses_x),
                         .b = grid_rows_of(b->lmat, b->columns, mul->uses_y),
                         .whole = replicated,
                         .bt = bt.c && grid_compressed_is_built(bt.c) ? &bt : NULL,
                         .a_type = x->A->type,
                         .b_type = x->B->type,
                         .ninner = x->d->tran0 ? x->A->nrows : x->A->ncols,
                         .row_dim = x->C->block.row.dim,
                         .col_dim = x->C->block.col.dim,
                         .mask = x->mask ? &x->mask->block : NULL,
                         .structure = x->d->structure,
                         .complement = x->d->complement};
  return grid_multiply_stages(&g, t);
}
