/* GxB_SelectOp and the calls that take it: GrB_select with the index-unary operator that does the same. */
#include "dist/matrix/matrix.h"
#include "dist/op/bound_scalar.h"
#include "gridblas_gxb_operations.h"
#include "semiring/builtin.h"

/* What an operator compares with what. */
typedef enum { BY_POSITION, WITH_ZERO, WITH_THUNK } operand;
typedef enum { TRIL, TRIU, DIAG, OFFDIAG, EQ, NE, GT, GE, LT, LE } relation;

struct GB_SelectOp_opaque {
  grid_head head;
  operand with;
  relation is;
};
#define OBJECT(NAME, WITH, IS)                                                                           \
  static struct GB_SelectOp_opaque object_##NAME = {GRID_BUILTIN(GRID_IS_SELECT_OP, "GxB_" #NAME), WITH, \
                                                    IS};                                                 \
  GxB_SelectOp GxB_##NAME = &object_##NAME;
OBJECT(TRIL, BY_POSITION, TRIL)
OBJECT(TRIU, BY_POSITION, TRIU)
OBJECT(DIAG, BY_POSITION, DIAG)
OBJECT(OFFDIAG, BY_POSITION, OFFDIAG)
OBJECT(NONZERO, WITH_ZERO, NE)
OBJECT(EQ_ZERO, WITH_ZERO, EQ)
OBJECT(GT_ZERO, WITH_ZERO, GT)
OBJECT(GE_ZERO, WITH_ZERO, GE)
OBJECT(LT_ZERO, WITH_ZERO, LT)
OBJECT(LE_ZERO, WITH_ZERO, LE)
OBJECT(NE_THUNK, WITH_THUNK, NE)
OBJECT(EQ_THUNK, WITH_THUNK, EQ)
OBJECT(GT_THUNK, WITH_THUNK, GT)
OBJECT(GE_THUNK, WITH_THUNK, GE)
OBJECT(LT_THUNK, WITH_THUNK, LT)
OBJECT(LE_THUNK, WITH_THUNK, LE)

/* The comparison of values of a predefined type; NULL: the type is user-defined. */
#define CASE(T, C)                      \
  case GRID_T_##T:                      \
    return is == EQ   ? GrB_VALUEEQ_##T \
           : is == NE ? GrB_VALUENE_##T \
           : is == GT ? GrB_VALUEGT_##T \
           : is == GE ? GrB_VALUEGE_##T \
           : is == LT ? GrB_VALUELT_##T \
                      : GrB_VALUELE_##T;
static GrB_IndexUnaryOp comparison(grid_tcode type, relation is) {
  switch (type) {
    GRID_TYPES(CASE)
    default:
      return NULL;
  }
}
#undef CASE

/* The operator, and the scalar it takes: a value of a predefined type. */
typedef struct {
  GrB_IndexUnaryOp op;
  struct GrB_Scalar_opaque y;
  _Alignas(16) char thunk[16];
} selection;

static GrB_Info find_selection(selection *s, GxB_SelectOp op, GrB_Type type, GrB_Scalar thunk, grid_head *out,
                               const char *call) {
  GrB_Info info = grid_check_object(op, out, call, "op");
  if (info != GrB_SUCCESS) return info;
  if (thunk) TRY(grid_check_scalar(thunk, out, call, "Thunk"));
  *s = (selection){.op = op->is == TRIL      ? GrB_TRIL
                         : op->is == TRIU    ? GrB_TRIU
                         : op->is == DIAG    ? GrB_DIAG
                         : op->is == OFFDIAG ? GrB_OFFDIAG
                                             : comparison(type->code, op->is)};
  if (!s->op)
    return grid_fail(out, GrB_DOMAIN_MISMATCH, "%s: %s compares values, but %s is a user-defined type", call,
                     op->head.name, type->name);
  s->y = (struct GrB_Scalar_opaque){
      .head = GRID_NEW_HEAD(GRID_IS_SCALAR), .type = s->op->y, .present = true, .val = s->thunk};
  if (!thunk || !thunk->present || op->with == WITH_ZERO) return info;
  TRY(grid_check_cast(s->op->y, thunk->type, out, call, "Thunk", "op"));
  grid_cast_array(s->thunk, s->op->y, thunk->val, thunk->type, 1, 1);
done:
  return info;
}

GrB_Info GxB_Matrix_select(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                           const GxB_SelectOp op, const GrB_Matrix A, const GrB_Scalar Thunk,
                           const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_select";
  selection s;
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info == GrB_SUCCESS) info = grid_check_object(A, &C->head, call, "A");
  if (info == GrB_SUCCESS) info = find_selection(&s, op, A->type, Thunk, &C->head, call);
  return info == GrB_SUCCESS ? GrB_Matrix_select_Scalar(C, Mask, accum, s.op, A, &s.y, desc) : info;
}

GrB_Info GxB_Vector_select(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                           const GxB_SelectOp op, const GrB_Vector u, const GrB_Scalar Thunk,
                           const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_select";
  selection s;
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info == GrB_SUCCESS) info = grid_check_operand(u, &w->head, call, "u");
  if (info == GrB_SUCCESS) info = find_selection(&s, op, u->type, Thunk, &w->head, call);
  return info == GrB_SUCCESS ? GrB_Vector_select_Scalar(w, mask, accum, s.op, u, &s.y, desc) : info;
}

/* ---- properties of an operator ------------------------------------------------------------------------- */

static GrB_Info no_type(GrB_Type *type, GxB_SelectOp op, const char *call) {
  GrB_Info info = grid_check_argument(op, call, "selectop");
  if (info != GrB_SUCCESS) return info;
  if (!type) return grid_fail(&op->head, GrB_NULL_POINTER, "%s: the pointer to the type is NULL", call);
  *type = NULL;
  return info;
}

GrB_Info GxB_SelectOp_xtype(GrB_Type *xtype, const GxB_SelectOp selectop) {
  return no_type(xtype, selectop, "GxB_SelectOp_xtype");
}

GrB_Info GxB_SelectOp_ttype(GrB_Type *ttype, const GxB_SelectOp selectop) {
  return no_type(ttype, selectop, "GxB_SelectOp_ttype");
}

GrB_Info GxB_SelectOp_fprint(GxB_SelectOp selectop, const char *name, GxB_Print_Level pr, FILE *f) {
  static const char call[] = "GxB_SelectOp_fprint";
  GrB_Info info = grid_check_argument(selectop, call, "selectop");
  if (info != GrB_SUCCESS || pr == GxB_SILENT) return info;
  if (fprintf(f ? f : stdout, "\n%s: select operator: %s\n", name ? name : "", selectop->head.name) < 0)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the file cannot be written", call);
  return info;
}
