/* GrB_apply on vectors. */
#include "dist/lookahead/lookahead.h"
#include "dist/object/device_retry.h"
#include "dist/op/vector_entrywise.h"

static const char call[] = "GrB_apply";

/* A loop in lookahead may take the call: then nothing was looked at yet. g: what is given beside the
 * operator, if anything is. */
static GrB_Info apply_lookahead(const grid_entrywise *e, int op, GrB_Type z, grid_bound_scalar g, bool first,
                                bool *handled) {
  *handled = false;
  if (g.is_scalar || (g.x && !g.type)) return GrB_SUCCESS; /* scalars and users' types are not taken */
  return grid_lookahead_ewise(&(grid_lookahead_ewise_call){GRID_CALL_APPLY, e->w, e->mask, e->accum, e->desc,
                                                           e->u, NULL, op, z, g.x, g.type, first},
                              handled);
}

static GrB_Info apply_index(grid_entrywise e, GrB_IndexUnaryOp op, grid_bound_scalar g);

/* A positional operator gives shift + the index, or + 0, the column. */
static GrB_Info apply_position(grid_entrywise e, GrB_Type z, grid_position position, int shift) {
  const int64_t y = shift;
  return apply_index(e, grid_position_index_op(z, grid_position_is_row(position)),
                     (grid_bound_scalar){.x = &y, .type = GrB_INT64});
}

/* ---- unary operators ----------------------------------------------------------------------------------- */

static GrB_Info apply_unary(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                            const GrB_UnaryOp op, const GrB_Vector u, const GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_entrywise e = {call, w, mask, accum, u, desc};
  bool handled = false;
  if (op && grid_is_live(op) && op->position) return apply_position(e, op->z, op->position, op->shift);
  if (grid_lookahead_can_take(op, GRID_KIND_OF(op)))
    info = apply_lookahead(&e, op->op, op->z, (grid_bound_scalar){0}, false, &handled);
  if (handled || info != GrB_SUCCESS) return info;
  TRY(grid_entrywise_objects(&e, op, GRID_KIND_OF(op)));
  TRY(grid_entrywise_types(&e, op->x, op->z));
  grid_chunk t = grid_entrywise_begin(&e, op->z, op->op);
  info = grid_vec_apply(&t, &u->chunk, op);
  info = grid_entrywise_end(&e, &t, info);
done:
  return info;
}

GrB_Info GrB_Vector_apply(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_UnaryOp op,
                          const GrB_Vector u, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(call, apply_unary(w, mask, accum, op, u, desc), w, mask, u);
}

/* ---- operators with a value ---------------------------------------------------------------------------- */

/* op(x, u) when first, else op(u, y). */
static GrB_Info apply_binary(grid_entrywise e, GrB_BinaryOp op, grid_bound_scalar g, bool first) {
  GrB_Info info = GrB_SUCCESS;
  const void *x;
  grid_any_value storage;
  bool handled = false;
  if (op && grid_is_live(op) && op->position) return apply_position(e, op->z, op->position, op->shift);
  if (grid_lookahead_can_take(op, GRID_KIND_OF(op)))
    info = apply_lookahead(&e, op->op, op->z, g, first, &handled);
  if (handled || info != GrB_SUCCESS) return info;
  TRY(grid_entrywise_objects(&e, op, GRID_KIND_OF(op)));
  TRY(grid_check_binary(op, &e.w->head, call, "op"));
  TRY(grid_entrywise_types(&e, first ? op->y : op->x, op->z));
  TRY(grid_bound_scalar_value(&x, &storage, &g, first ? op->x : op->y, &e.w->head, call));
  grid_chunk t = grid_entrywise_begin(&e, op->z, op->op);
  const grid_chunk *u = &e.u->chunk;
  info = first ? grid_vec_apply_first(&t, x, u, op) : grid_vec_apply_second(&t, u, x, op);
  info = grid_entrywise_end(&e, &t, info);
done:
  return info;
}

static GrB_Info apply_index(grid_entrywise e, GrB_IndexUnaryOp op, grid_bound_scalar g) {
  GrB_Info info = GrB_SUCCESS;
  const void *y;
  grid_any_value storage;
  bool handled = false;
  if (grid_lookahead_can_take(op, GRID_KIND_OF(op)))
    info = apply_lookahead(&e, op->op, op->z, g, false, &handled);
  if (handled || info != GrB_SUCCESS) return info;
  TRY(grid_entrywise_objects(&e, op, GRID_KIND_OF(op)));
  TRY(grid_entrywise_types(&e, op->x, op->z));
  TRY(grid_bound_scalar_value(&y, &storage, &g, op->y, &e.w->head, call));
  grid_chunk t = grid_entrywise_begin(&e, op->z, op->op);
  info = grid_vec_apply_index(&t, &e.u->chunk, op, y, grid_chunk_first(e.u->n, grid_ctx.k));
  info = grid_entrywise_end(&e, &t, info);
done:
  return info;
}

#define ARGUMENTS ((grid_entrywise){call, w, mask, accum, u, desc})
#define DEFINE(P, FORM, C, BOUND)                                                                         \
  GrB_Info P##_Vector_apply_BinaryOp1st_##FORM(GrB_Vector w, const GrB_Vector mask,                       \
                                               const GrB_BinaryOp accum, const GrB_BinaryOp op, C x,      \
                                               const GrB_Vector u, const GrB_Descriptor desc) {           \
    return GRID_TRACE_CALL_RETRY(call, apply_binary(ARGUMENTS, op, BOUND, true), w, mask, u);             \
  }                                                                                                       \
  GrB_Info P##_Vector_apply_BinaryOp2nd_##FORM(GrB_Vector w, const GrB_Vector mask,                       \
                                               const GrB_BinaryOp accum, const GrB_BinaryOp op,           \
                                               const GrB_Vector u, C x, const GrB_Descriptor desc) {      \
    return GRID_TRACE_CALL_RETRY(call, apply_binary(ARGUMENTS, op, BOUND, false), w, mask, u);            \
  }                                                                                                       \
  GrB_Info P##_Vector_apply_IndexOp_##FORM(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                           const GrB_IndexUnaryOp op, const GrB_Vector u, C x,            \
                                           const GrB_Descriptor desc) {                                   \
    return GRID_TRACE_CALL_RETRY(call, apply_index(ARGUMENTS, op, BOUND), w, mask, u);                    \
  }
GRID_DEFINE_BOUND
