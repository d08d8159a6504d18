/* entrywise.c: see entrywise.h. */
#include "dist/op/entrywise.h"

GrB_Info grid_entrywise_objects(const grid_entrywise *e, const void *op) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_vector(e->w, e->call, "w"));
  TRY(grid_check_object(op, &e->w->head, e->call, "op"));
  TRY(grid_check_object(e->u, &e->w->head, e->call, "u"));
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

GrB_Info grid_given_value(const void **x, uint64_t *room, const grid_given *given, GrB_Type want,
                          const grid_entrywise *e) {
  GrB_Info info = GrB_SUCCESS;
  grid_head *head = &e->w->head;
  grid_given g = *given;
  if (g.is_scalar) {
    TRY(grid_check_scalar(g.scalar, head, e->call, "the scalar"));
    g.type = g.scalar->type, g.x = g.scalar->val;
  } else if (!g.type) {
    TRY(grid_check_user_type(g.type = want, head, e->call));
  }
  if (!g.x) return grid_fail(head, GrB_NULL_POINTER, "%s: the value is NULL", e->call);
  TRY(grid_check_cast(want, g.type, head, e->call, "the value", "op"));
  if (g.is_scalar && !g.scalar->present)
    return grid_fail(head, GrB_EMPTY_OBJECT, "%s: the scalar is empty", e->call);
  *x = g.x;
  if (want != g.type) {
    grid_cast(want, g.type)(room, g.x, want->size);
    *x = room;
  }
done:
  return info;
}
