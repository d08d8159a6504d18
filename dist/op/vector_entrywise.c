/* See vector_entrywise.h. */
#include "dist/op/vector_entrywise.h"

GrB_Info grid_entrywise_objects(const grid_entrywise *e, const void *op, grid_kind kind) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_uncounted(e->w, e->call, "w"));
  TRY(grid_check_handle(op, kind, &e->w->head, e->call, "op"));
  TRY(grid_check_uncounted_operand(e->u, &e->w->head, e->call, "u"));
done:
  return info;
}

GrB_Info grid_entrywise_types(grid_entrywise *e, GrB_Type operand, GrB_Type result) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_output(e->w, e->mask, e->accum, e->desc, result, e->call, &e->d));
  TRY(grid_check_size(e->u->n, e->w->n, &e->w->head, e->call, "u", "w"));
  if (operand) TRY(grid_check_cast(operand, e->u->type, &e->w->head, e->call, "u", "op"));
done:
  return info;
}

/* A user's function may write its result before it has read the operand. */
grid_chunk grid_entrywise_begin(grid_entrywise *e, GrB_Type z, int op) {
  e->is_in_place = (op != GRID_OP_USER || e->w != e->u) &&
                   grid_replaces_values(e->w, e->mask, e->accum, &e->d, z, e->u, e->u);
  if (e->is_in_place) return grid_replaced_chunk(e->w);
  grid_begin_output(e->w, z, e->accum, op);
  return grid_reusable_chunk(e->w, z);
}
