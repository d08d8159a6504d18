/* select.c: GrB_select on vectors. */
#include "dist/object/vector.h"

static const char call[] = "GrB_select";

/* y: of type ytype, or a user's type when that is NULL. */
static GrB_Info vector_select(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op,
                              GrB_Vector u, const void *y, GrB_Type ytype, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  uint64_t cast;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(op, &w->head, call, "op"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_check_output(w, mask, accum, desc, u->type, call, &d));
  TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
  if (op->x) TRY(grid_check_cast(op->x, u->type, &w->head, call, "u", "op"));
  TRY(grid_check_cast(GrB_BOOL, op->z, &w->head, call, "op's result", "a decision"));
  if (!ytype) TRY(grid_check_user_type(ytype = op->y, &w->head, call));
  if (!y) return grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument y is NULL", call);
  TRY(grid_check_cast(op->y, ytype, &w->head, call, "y", "op"));
  if (op->y != ytype) grid_cast(op->y, ytype)(&cast, y, op->y->size), y = &cast;
  grid_chunk t = grid_spare_chunk(w, u->type);
  info = grid_vec_select(&t, &u->chunk, op, y, grid_chunk_first(u->n, grid_here.k));
  info = grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}

#define DEFINE(T, C)                                                                            \
  GrB_Info GrB_Vector_select_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                 const GrB_IndexUnaryOp op, const GrB_Vector u, C y,            \
                                 const GrB_Descriptor desc) {                                   \
    return vector_select(w, mask, accum, op, u, &y, GrB_##T, desc);                             \
  }
GRID_TYPES(DEFINE)
#undef DEFINE
GrB_Info GrB_Vector_select_UDT(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                               const GrB_IndexUnaryOp op, const GrB_Vector u, const void *y,
                               const GrB_Descriptor desc) {
  return vector_select(w, mask, accum, op, u, y, NULL, desc);
}
GrB_Info GrB_Vector_select_Scalar(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                  const GrB_IndexUnaryOp op, const GrB_Vector u, const GrB_Scalar y,
                                  const GrB_Descriptor desc) {
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info == GrB_SUCCESS) info = grid_check_scalar(y, &w->head, call, "y");
  if (info != GrB_SUCCESS) return info;
  if (!y->present) return grid_fail(&w->head, GrB_EMPTY_OBJECT, "%s: argument y is an empty scalar", call);
  return vector_select(w, mask, accum, op, u, y->val, y->type, desc);
}
