/* apply.c: GrB_apply on vectors. */
#include "dist/object/vector.h"

static const char call[] = "GrB_apply";

/* ---- unary operators ----------------------------------------------------------------------------------- */

GrB_Info GrB_Vector_apply(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_UnaryOp op,
                          const GrB_Vector u, const GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(op, &w->head, call, "op"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_check_output(w, mask, accum, desc, op->z, call, &d));
  TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
  TRY(grid_check_cast(op->x, u->type, &w->head, call, "u", "op"));
  grid_chunk t = grid_spare_chunk(w, op->z);
  info = grid_vec_apply(&t, &u->chunk, op);
  info = grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}

/* ---- operators with a value ---------------------------------------------------------------------------- */

/* The value given with the operator: of a predefined type, a user's (type NULL), or in a scalar. */
typedef struct {
  const void *x;
  GrB_Type type;
  GrB_Scalar scalar;
  bool is_scalar;
} given;

/* *x becomes the value in type `want`; `room` is where a cast may put it. */
static GrB_Info given_value(const void **x, uint64_t *room, given *g, GrB_Type want, grid_head *head) {
  GrB_Info info = GrB_SUCCESS;
  if (g->is_scalar) {
    TRY(grid_check_scalar(g->scalar, head, call, "the scalar"));
    g->type = g->scalar->type, g->x = g->scalar->val;
  } else if (!g->type) {
    TRY(grid_check_user_type(g->type = want, head, call));
  }
  if (!g->x) return grid_fail(head, GrB_NULL_POINTER, "%s: the value is NULL", call);
  TRY(grid_check_cast(want, g->type, head, call, "the value", "op"));
  if (g->is_scalar && !g->scalar->present)
    return grid_fail(head, GrB_EMPTY_OBJECT, "%s: the scalar is empty", call);
  *x = g->x;
  if (want != g->type) {
    grid_cast(want, g->type)(room, g->x, want->size);
    *x = room;
  }
done:
  return info;
}

/* op(x, u) when first, else op(u, y). */
static GrB_Info apply_binary(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, given g,
                             GrB_Vector u, GrB_Descriptor desc, bool first) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  const void *x;
  uint64_t room;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_binary(op, &w->head, call, "op"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_check_output(w, mask, accum, desc, op->z, call, &d));
  TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
  TRY(grid_check_cast(first ? op->y : op->x, u->type, &w->head, call, "u", "op"));
  TRY(given_value(&x, &room, &g, first ? op->x : op->y, &w->head));
  grid_chunk t = grid_spare_chunk(w, op->z);
  info = first ? grid_vec_apply_first(&t, x, &u->chunk, op) : grid_vec_apply_second(&t, &u->chunk, x, op);
  info = grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}

static GrB_Info apply_index(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op,
                            GrB_Vector u, given g, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  const void *y;
  uint64_t room;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(op, &w->head, call, "op"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_check_output(w, mask, accum, desc, op->z, call, &d));
  TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
  if (op->x) TRY(grid_check_cast(op->x, u->type, &w->head, call, "u", "op"));
  TRY(given_value(&y, &room, &g, op->y, &w->head));
  grid_chunk t = grid_spare_chunk(w, op->z);
  info = grid_vec_apply_index(&t, &u->chunk, op, y, grid_chunk_first(u->n, grid_here.k));
  info = grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}

#define DEFINE(FORM, C, GIVEN)                                                                            \
  GrB_Info GrB_Vector_apply_BinaryOp1st_##FORM(GrB_Vector w, const GrB_Vector mask,                       \
                                               const GrB_BinaryOp accum, const GrB_BinaryOp op, C x,      \
                                               const GrB_Vector u, const GrB_Descriptor desc) {           \
    return apply_binary(w, mask, accum, op, GIVEN, u, desc, true);                                        \
  }                                                                                                       \
  GrB_Info GrB_Vector_apply_BinaryOp2nd_##FORM(GrB_Vector w, const GrB_Vector mask,                       \
                                               const GrB_BinaryOp accum, const GrB_BinaryOp op,           \
                                               const GrB_Vector u, C x, const GrB_Descriptor desc) {      \
    return apply_binary(w, mask, accum, op, GIVEN, u, desc, false);                                       \
  }                                                                                                       \
  GrB_Info GrB_Vector_apply_IndexOp_##FORM(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                           const GrB_IndexUnaryOp op, const GrB_Vector u, C x,            \
                                           const GrB_Descriptor desc) {                                   \
    return apply_index(w, mask, accum, op, u, GIVEN, desc);                                               \
  }
#define DEFINE_TYPE(T, C) DEFINE(T, C, ((given){.x = &x, .type = GrB_##T}))
GRID_TYPES(DEFINE_TYPE)
DEFINE(UDT, const void *, ((given){.x = x}))
DEFINE(Scalar, const GrB_Scalar, ((given){.scalar = x, .is_scalar = true}))
