/* See index_call.h. */
#include "dist/op/extensions/index_call.h"

#include <string.h>

/* A value with its position: row, column, and the value from byte VALUE on. */
enum { VALUE = 2 * sizeof(GrB_Index), ALIGNMENT = 16 };

static void multiply(void *z, const void *x, const void *y, const void *data) {
  const grid_index_binary *op = data;
  GrB_Index at[4];
  memcpy(at, x, VALUE);
  memcpy(at + 2, y, VALUE);
  op->f(z, (const char *)x + VALUE, at[0], at[1], (const char *)y + VALUE, at[2], at[3], op->theta);
}

/* z = (i, j, x); y: the bytes of x and of z. */
static void position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  uint32_t bytes[2];
  const GrB_Index at[2] = {i, j};
  memcpy(bytes, y, sizeof bytes);
  memcpy(z, at, VALUE);
  memcpy((char *)z + VALUE, x, bytes[0]);
  memset((char *)z + VALUE + bytes[0], 0, bytes[1] - VALUE - bytes[0]);
}

/* For an operand that is transposed afterwards, and for the row vector of vxm. */
static void position_transposed(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  position(z, x, j, i, y);
}

/* ---- the types and operators of a call ---- */

static struct GrB_Type_opaque positioned_type(GrB_Type of) {
  return (struct GrB_Type_opaque){.head = GRID_NEW_HEAD(GRID_IS_TYPE),
                                  .code = GRID_T_UDT,
                                  .size = VALUE + (of->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
                                  .name = "a value with its position"};
}

static struct GrB_BinaryOp_opaque binary(GrB_Type z, GrB_Type x, GrB_Type y, grid_binary_fn f) {
  return (struct GrB_BinaryOp_opaque){.head = GRID_NEW_HEAD(GRID_IS_BINARY_OP),
                                      .op = GRID_OP_USER,
                                      .z = z,
                                      .x = x,
                                      .y = y,
                                      .f = f,
                                      .uses_x = true,
                                      .uses_y = true,
                                      .name = "operator of positions"};
}

GrB_Info grid_index_call_begin(grid_index_call *call, GrB_BinaryOp op, grid_head *head) {
  if (op->x->size > UINT32_MAX / 2 || op->y->size > UINT32_MAX / 2)
    return grid_fail(head, GrB_NOT_IMPLEMENTED, "%s: values of 2 GiB and more have no positions", op->name);
  grid_closure_set *c = call->closures = grid_closures_acquire();
  call->op = op->index;
  call->x = positioned_type(op->x);
  call->y = positioned_type(op->y);
  call->multiply = binary(op->z, &call->x, &call->y, grid_closure_bind(c, 0, multiply, op->index));
  call->second = binary(op->z, op->z, op->z, grid_closure_bind(c, 1, grid_closure_second, &op->z->size));
  call->copy_x = binary(op->x, op->x, op->y, grid_closure_bind(c, 2, grid_closure_first, &op->x->size));
  call->copy_y = binary(op->y, op->x, op->y, grid_closure_bind(c, 3, grid_closure_second, &op->y->size));
  return GrB_SUCCESS;
}

void grid_index_call_end(const grid_index_call *call) {
  grid_closures_release(call->closures);
}

struct GrB_Semiring_opaque grid_index_call_semiring(grid_index_call *call, GrB_Semiring op) {
  return (struct GrB_Semiring_opaque){
      .head = GRID_NEW_HEAD(GRID_IS_SEMIRING), .add = op->add, .mul = &call->multiply};
}

static struct GrB_IndexUnaryOp_opaque positioner(GrB_Type z, GrB_Type x, bool transposed) {
  return (struct GrB_IndexUnaryOp_opaque){.head = GRID_NEW_HEAD(GRID_IS_INDEX_UNARY_OP),
                                          .op = GRID_OP_USER,
                                          .z = z,
                                          .x = x,
                                          .y = GrB_UINT64,
                                          .f = transposed ? position_transposed : position,
                                          .name = "position"};
}

static uint64_t sizes_of(GrB_Type z, GrB_Type x) {
  const uint32_t bytes[2] = {(uint32_t)x->size, (uint32_t)z->size};
  uint64_t both;
  memcpy(&both, bytes, sizeof both);
  return both;
}

GrB_Info grid_position_matrix(GrB_Matrix *P, GrB_Matrix A, GrB_Type z, GrB_Type x, bool transposed) {
  struct GrB_IndexUnaryOp_opaque op = positioner(z, x, transposed);
  GrB_Info info;
  TRY(GrB_Matrix_new(P, z, A->nrows, A->ncols));
  info = GrB_Matrix_apply_IndexOp_UINT64(*P, NULL, NULL, &op, A, sizes_of(z, x), NULL);
done:
  return info;
}

GrB_Info grid_position_vector(GrB_Vector *p, GrB_Vector u, GrB_Type z, GrB_Type x, bool row) {
  struct GrB_IndexUnaryOp_opaque op = positioner(z, x, row);
  GrB_Info info;
  TRY(GrB_Vector_new(p, z, u->n));
  info = GrB_Vector_apply_IndexOp_UINT64(*p, NULL, NULL, &op, u, sizes_of(z, x), NULL);
done:
  return info;
}
