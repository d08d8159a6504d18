/* See index_binary.h. Each operand is copied by an index-unary operator into one whose values contain their
 * positions; the operation itself then has an ordinary operator, of two such values, on any grid. */
#include "dist/op/extensions/index_binary.h"

#include "dist/op/extensions/index_call.h"
#include "gridblas_gxb_operations.h"

/* ---- positions ---- */

static GrB_Info matrix_positions(GrB_Matrix *P, GrB_Matrix A, bool rows, int shift, GrB_Type type) {
  *P = NULL;
  const GrB_Info info = GrB_Matrix_new(P, type, A->nrows, A->ncols);
  if (info != GrB_SUCCESS) return info;
  return GrB_Matrix_apply_IndexOp_INT64(*P, NULL, NULL, grid_position_index_op(type, rows), A, shift, NULL);
}

/* ---- products ---- */

static GrB_Info mxm(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Semiring op, GrB_Matrix A,
                    GrB_Matrix B, GrB_Descriptor desc) {
  GRID_INDEX_CALL(call);
  GrB_Matrix P = NULL, Q = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, "GrB_mxm", &d));
  TRY(grid_index_call_begin(&call, op->mul, &C->head));
  struct GrB_Semiring_opaque semiring = grid_index_call_semiring(&call, op);
  TRY(grid_position_matrix(&P, A, &call.x, op->mul->x, d.tran0));
  TRY(grid_position_matrix(&Q, B, &call.y, op->mul->y, d.tran1));
  info = GrB_mxm(C, mask, accum, &semiring, P, Q, desc);
done:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

static GrB_Info mxv(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring op, GrB_Matrix A,
                    GrB_Vector u, GrB_Descriptor desc, bool flip) {
  GRID_INDEX_CALL(call);
  const GrB_Type a = flip ? &call.y : &call.x, v = flip ? &call.x : &call.y;
  GrB_Matrix P = NULL;
  GrB_Vector p = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, "GrB_mxv", &d));
  TRY(grid_index_call_begin(&call, op->mul, &w->head));
  struct GrB_Semiring_opaque semiring = grid_index_call_semiring(&call, op);
  TRY(grid_position_matrix(&P, A, a, flip ? op->mul->y : op->mul->x, flip ? d.tran1 : d.tran0));
  TRY(grid_position_vector(&p, u, v, flip ? op->mul->x : op->mul->y, flip));
  info =
      flip ? GrB_vxm(w, mask, accum, &semiring, p, P, desc) : GrB_mxv(w, mask, accum, &semiring, P, p, desc);
done:
  GrB_Matrix_free(&P);
  GrB_Vector_free(&p);
  return info;
}

static GrB_Info kronecker(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                          GrB_Matrix B, GrB_Descriptor desc) {
  GRID_INDEX_CALL(call);
  GrB_Matrix P = NULL, Q = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, "GrB_kronecker", &d));
  TRY(grid_index_call_begin(&call, op, &C->head));
  TRY(grid_position_matrix(&P, A, &call.x, op->x, d.tran0));
  TRY(grid_position_matrix(&Q, B, &call.y, op->y, d.tran1));
  info = GrB_Matrix_kronecker_BinaryOp(C, mask, accum, &call.multiply, P, Q, desc);
done:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

/* ---- eWise ---- */

static struct GrB_Descriptor_opaque descriptor_of(const grid_desc *d, bool of_inputs) {
  struct GrB_Descriptor_opaque of = {.head = GRID_NEW_HEAD(GRID_IS_DESCRIPTOR)};
  if (of_inputs)
    of.tran0 = d->tran0, of.tran1 = d->tran1;
  else
    of.replace = d->replace, of.complement = d->complement, of.structure = d->structure;
  return of;
}

static GrB_Info matrix_multiply(grid_index_call *call, GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum,
                                GrB_BinaryOp op, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc) {
  GrB_Matrix P = NULL, Q = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, "GrB_eWiseMult", &d));
  TRY(grid_position_matrix(&P, A, &call->x, op->x, d.tran0));
  TRY(grid_position_matrix(&Q, B, &call->y, op->y, d.tran1));
  info = GrB_Matrix_eWiseMult_BinaryOp(C, mask, accum, &call->multiply, P, Q, desc);
done:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

/* Of a sum, T has the results where both have entries; W = A or B elsewhere. */
static GrB_Info matrix_ewise(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                             GrB_Matrix B, GrB_Descriptor desc, bool add) {
  GRID_INDEX_CALL(call);
  GrB_Matrix T = NULL, W = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_index_call_begin(&call, op, &C->head));
  if (!add) return matrix_multiply(&call, C, mask, accum, op, A, B, desc);
  TRY(grid_desc_get(desc, "GrB_eWiseAdd", &d));
  struct GrB_Descriptor_opaque inputs = descriptor_of(&d, true), output = descriptor_of(&d, false);
  TRY(GrB_Matrix_new(&T, op->z, C->nrows, C->ncols));
  TRY(GrB_Matrix_new(&W, op->z, C->nrows, C->ncols));
  TRY(matrix_multiply(&call, T, NULL, NULL, op, A, B, &inputs));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(W, NULL, NULL, &call.second, A, B, &inputs));
  info = GrB_Matrix_eWiseAdd_BinaryOp(C, mask, accum, &call.second, W, T, &output);
done:
  GrB_Matrix_free(&T);
  GrB_Matrix_free(&W);
  return info;
}

/* F and G: the operands with their defaults where the other alone has an entry. */
static GrB_Info matrix_union(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                             GrB_Scalar alpha, GrB_Matrix B, GrB_Scalar beta, GrB_Descriptor desc) {
  GRID_INDEX_CALL(call);
  GrB_Matrix F = NULL, G = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, "GxB_eWiseUnion", &d));
  struct GrB_Descriptor_opaque inputs = descriptor_of(&d, true), output = descriptor_of(&d, false);
  TRY(grid_index_call_begin(&call, op, &C->head));
  TRY(GrB_Matrix_new(&F, op->x, C->nrows, C->ncols));
  TRY(GrB_Matrix_new(&G, op->y, C->nrows, C->ncols));
  TRY(GxB_Matrix_eWiseUnion(F, NULL, NULL, &call.copy_x, A, alpha, B, beta, &inputs));
  TRY(GxB_Matrix_eWiseUnion(G, NULL, NULL, &call.copy_y, A, alpha, B, beta, &inputs));
  info = matrix_multiply(&call, C, mask, accum, op, F, G, &output);
done:
  GrB_Matrix_free(&F);
  GrB_Matrix_free(&G);
  return info;
}

static GrB_Info vector_multiply(grid_index_call *call, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                GrB_BinaryOp op, GrB_Vector u, GrB_Vector v, GrB_Descriptor desc) {
  GrB_Vector p = NULL, q = NULL;
  GrB_Info info;
  TRY(grid_position_vector(&p, u, &call->x, op->x, false));
  TRY(grid_position_vector(&q, v, &call->y, op->y, false));
  info = GrB_Vector_eWiseMult_BinaryOp(w, mask, accum, &call->multiply, p, q, desc);
done:
  GrB_Vector_free(&p);
  GrB_Vector_free(&q);
  return info;
}

static GrB_Info vector_ewise(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                             GrB_Vector v, GrB_Descriptor desc, bool add) {
  GRID_INDEX_CALL(call);
  GrB_Vector t = NULL, e = NULL;
  GrB_Info info;
  TRY(grid_index_call_begin(&call, op, &w->head));
  if (!add) return vector_multiply(&call, w, mask, accum, op, u, v, desc);
  TRY(GrB_Vector_new(&t, op->z, w->n));
  TRY(GrB_Vector_new(&e, op->z, w->n));
  TRY(vector_multiply(&call, t, NULL, NULL, op, u, v, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(e, NULL, NULL, &call.second, u, v, NULL));
  info = GrB_Vector_eWiseAdd_BinaryOp(w, mask, accum, &call.second, e, t, desc);
done:
  GrB_Vector_free(&t);
  GrB_Vector_free(&e);
  return info;
}

static GrB_Info vector_union(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                             GrB_Scalar alpha, GrB_Vector v, GrB_Scalar beta, GrB_Descriptor desc) {
  GRID_INDEX_CALL(call);
  GrB_Vector f = NULL, g = NULL;
  GrB_Info info;
  TRY(grid_index_call_begin(&call, op, &w->head));
  TRY(GrB_Vector_new(&f, op->x, w->n));
  TRY(GrB_Vector_new(&g, op->y, w->n));
  TRY(GxB_Vector_eWiseUnion(f, NULL, NULL, &call.copy_x, u, alpha, v, beta, NULL));
  TRY(GxB_Vector_eWiseUnion(g, NULL, NULL, &call.copy_y, u, alpha, v, beta, NULL));
  info = vector_multiply(&call, w, mask, accum, op, f, g, desc);
done:
  GrB_Vector_free(&f);
  GrB_Vector_free(&g);
  return info;
}

const grid_index_binary_calls grid_index_binary_call_table = {.matrix_positions = matrix_positions,
                                                              .mxm = mxm,
                                                              .mxv = mxv,
                                                              .matrix_ewise = matrix_ewise,
                                                              .vector_ewise = vector_ewise,
                                                              .matrix_union = matrix_union,
                                                              .vector_union = vector_union,
                                                              .kronecker = kronecker};
