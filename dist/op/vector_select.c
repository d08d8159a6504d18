/* GrB_select on vectors. */
#include "dist/object/device_retry.h"
#include "dist/op/vector_entrywise.h"

static const char call[] = "GrB_select";

static GrB_Info vector_select(grid_entrywise e, GrB_IndexUnaryOp op, grid_bound_scalar y) {
  GrB_Info info = GrB_SUCCESS;
  const void *value;
  grid_any_value storage;
  TRY(grid_entrywise_objects(&e, op, GRID_KIND_OF(op)));
  TRY(grid_entrywise_types(&e, op->x, e.u->type));
  TRY(grid_check_cast(GrB_BOOL, op->z, &e.w->head, call, "op's result", "a decision"));
  TRY(grid_bound_scalar_value(&value, &storage, &y, op->y, &e.w->head, call));
  grid_begin_output(e.w, e.u->type, e.accum, op->op);
  grid_chunk t = grid_reusable_chunk(e.w, e.u->type);
  info = grid_vec_select(&t, &e.u->chunk, op, value, grid_chunk_first(e.u->n, grid_ctx.k));
  info = grid_entrywise_end(&e, &t, info);
done:
  return info;
}

#define DEFINE(P, FORM, C, BOUND)                                                                     \
  GrB_Info P##_Vector_select_##FORM(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,    \
                                    const GrB_IndexUnaryOp op, const GrB_Vector u, C x,               \
                                    const GrB_Descriptor desc) {                                      \
    return GRID_TRACE_CALL_RETRY(                                                                     \
        call, vector_select((grid_entrywise){call, w, mask, accum, u, desc}, op, BOUND), w, mask, u); \
  }
GRID_DEFINE_BOUND
