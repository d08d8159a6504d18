/* GxB_select: each operator is an index-unary operator of GrB_select. */
#include "gridblas_gxb_select.h"

#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "semiring/op_codes.h"

static const char call[] = "GxB_select";

struct GxB_SelectOp_opaque {
  int op; /* of the index-unary operator */
  bool zero;
};
#define OBJECT(NAME, OP, ZERO)                                                  \
  static const struct GxB_SelectOp_opaque object_##NAME = {GRID_OP_##OP, ZERO}; \
  GxB_SelectOp GxB_##NAME = &object_##NAME;
GRID_SELECT_OPS(OBJECT)

/* The handles by code: the operators of positions, and those that compare values of each real type. */
#define ROW(P, NAME, OP, T, Y, Z, UX, E) {GRID_OP_##OP, UX ? (int)GRID_T_##T : -1, &P##_##NAME},
#define ROW_COMPLEX(OP, T, E)            {GRID_OP_##OP, GRID_T_##T, &GxB_##OP##_##T},
static const struct {
  int op, type; /* -1: any type */
  const GrB_IndexUnaryOp *handle;
} rows[] = {GRID_INDEX_OPS(ROW) GRID_GXB_INDEX_OPS(ROW_COMPLEX)};

static GrB_Info find_operator(GrB_IndexUnaryOp *to, GxB_SelectOp op, GrB_Type type, grid_head *out) {
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (rows[k].op == op->op && (rows[k].type == -1 || rows[k].type == (int)type->code)) {
      *to = *rows[k].handle;
      return GrB_SUCCESS;
    }
  if (type->code == GRID_T_UDT)
    return grid_fail(out, GrB_DOMAIN_MISMATCH, "%s: values of type %s cannot be compared", call, type->name);
  return grid_fail(out, GrB_NOT_IMPLEMENTED, "%s: complex values have no order", call);
}

/* *to: the operator; *zero: its value is 0, else the thunk's. */
static GrB_Info prepare(GrB_IndexUnaryOp *to, bool *zero, GxB_SelectOp op, GrB_Type type, GrB_Scalar thunk,
                        grid_head *out) {
  GrB_Info info;
  if (!op) return grid_fail(out, GrB_NULL_POINTER, "%s: argument op is NULL", call);
  if (thunk) TRY(grid_check_scalar(thunk, out, call, "thunk"));
  *zero = op->zero || !thunk || !thunk->present;
  info = find_operator(to, op, type, out);
done:
  return info;
}

GrB_Info GxB_Vector_select(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                           const GxB_SelectOp op, const GrB_Vector u, const GrB_Scalar thunk,
                           const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_IndexUnaryOp by;
  bool zero;
  GrB_Info info;
  TRY(grid_check_uncounted(w, call, "w"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(prepare(&by, &zero, op, u->type, thunk, &w->head));
  info = zero ? GrB_Vector_select_INT64(w, mask, accum, by, u, 0, desc)
              : GrB_Vector_select_Scalar(w, mask, accum, by, u, thunk, desc);
done:
  return info;
}

GrB_Info GxB_Matrix_select(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                           const GxB_SelectOp op, const GrB_Matrix A, const GrB_Scalar thunk,
                           const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_IndexUnaryOp by;
  bool zero;
  GrB_Info info;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(prepare(&by, &zero, op, A->type, thunk, &C->head));
  info = zero ? GrB_Matrix_select_INT64(C, Mask, accum, by, A, 0, desc)
              : GrB_Matrix_select_Scalar(C, Mask, accum, by, A, thunk, desc);
done:
  return info;
}
