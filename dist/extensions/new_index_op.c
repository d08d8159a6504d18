/* GxB_BinaryOp_new_IndexOp: an index-binary operator and the value in a scalar become a binary operator. */
#include "dist/vector/vector.h"
#include "gridblas_gxb_objects.h"
#include "semiring/user_text.h"

GrB_Info GxB_BinaryOp_new_IndexOp(GrB_BinaryOp *op, const GxB_IndexBinaryOp index_op,
                                  const GrB_Scalar theta) {
  static const char call[] = "GxB_BinaryOp_new_IndexOp";
  void *value = NULL;
  GrB_Info info;
  TRY(grid_check_local(index_op, call, "index_op"));
  TRY(grid_check_object(theta, NULL, call, "theta"));
  if (!theta->present) return grid_fail(NULL, GrB_EMPTY_OBJECT, "%s: argument theta has no value", call);
  TRY(grid_check_cast(index_op->theta, theta->type, NULL, call, "theta", "index_op"));
  value = grid_malloc(1, index_op->theta->size);
  if (!value) return grid_fail_memory(NULL, call, 1, index_op->theta->size);
  grid_cast_array(value, index_op->theta, theta->val, theta->type, 1, 1);
  info = grid_index_binary_bind(op, index_op, value, call);
done:
  grid_free(value);
  return info;
}
