/* Index-binary operators: z = f(x, ix, jx, y, iy, jy, theta), and the binary operators that they become with
 * a value theta. dist/op/extensions/index_binary.h has the operations with these. */
#include <string.h>

#include "semiring/builtin.h"
#include "semiring/user_text.h"

GrB_Info grid_index_binary_new(GxB_IndexBinaryOp *op, grid_index_binary_fn f, GrB_Type ztype, GrB_Type xtype,
                               GrB_Type ytype, GrB_Type theta_type, grid_user_text u, const char *call) {
  GrB_Info info = grid_user_operator_check(op, f != NULL, ztype, xtype, ytype, &u, call);
  if (info == GrB_SUCCESS) info = grid_check_object(theta_type, NULL, call, "theta_type");
  if (info != GrB_SUCCESS) return info;
  GxB_IndexBinaryOp o = grid_user_text_object(sizeof *o, &u);
  if (o == NULL) return grid_fail_memory(NULL, call, 1, sizeof *o);
  *o = (struct GxB_IndexBinaryOp_opaque){.head = GRID_NEW_HEAD(GRID_IS_INDEX_BINARY_OP),
                                         .z = ztype,
                                         .x = xtype,
                                         .y = ytype,
                                         .theta = theta_type,
                                         .f = f,
                                         .name = u.name ? u.name : grid_no_name,
                                         .text = u.text};
  *op = o;
  return GrB_SUCCESS;
}

/* A bound operator, followed by the value of theta. */
typedef struct {
  struct GrB_BinaryOp_opaque op;
  grid_index_binary index;
  _Alignas(16) char theta[];
} bound_op;

GrB_Info grid_index_binary_bind(GrB_BinaryOp *op, GxB_IndexBinaryOp index_op, const void *theta,
                                const char *call) {
  grid_user_text u = {index_op->name, index_op->text};
  const size_t size = (index_op->theta->size + 15) / 16 * 16;
  if (op == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument op is NULL", call);
  bound_op *o = grid_user_text_object(sizeof *o + size, &u);
  if (o == NULL) return grid_fail_memory(NULL, call, 1, sizeof *o + size);
  memcpy(o->theta, theta, index_op->theta->size);
  o->index = (grid_index_binary){index_op->f, index_op->theta, o->theta};
  o->op = (struct GrB_BinaryOp_opaque){.head = GRID_NEW_HEAD(GRID_IS_BINARY_OP),
                                       .op = GRID_OP_USER,
                                       .z = index_op->z,
                                       .x = index_op->x,
                                       .y = index_op->y,
                                       .uses_x = true,
                                       .uses_y = true,
                                       .name = index_op->name == grid_no_name ? grid_no_name : u.name,
                                       .text = u.text,
                                       .index = &o->index};
  *op = &o->op;
  return GrB_SUCCESS;
}
