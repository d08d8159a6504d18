/* select.c: GrB_select on matrices (specification 4.3.9). */
#include <string.h>

#include "dist/object/burble.h"
#include "dist/op/matrix/entrywise.h"
#include "dist/op/sliced/sliced.h"
#include "semiring/op_codes.h"
#include "spmat/parts.h"

static const char call[] = "GrB_select";

static GrB_Info matrix_select(grid_matrix_entrywise e, GrB_IndexUnaryOp op, grid_given y);

typedef struct {
  const grid_matrix_entrywise *e;
  GrB_IndexUnaryOp op;
  grid_given y;
} selection;

static GrB_Info select_slice(void *context, const grid_slices *s) {
  const selection *x = context;
  return matrix_select(grid_matrix_entrywise_slice(x->e, s), x->op, x->y);
}

static GrB_Info matrix_select(grid_matrix_entrywise e, GrB_IndexUnaryOp op, grid_given y) {
  GrB_Info info = GrB_SUCCESS;
  const void *value;
  uint64_t room;
  grid_part t;
  TRY(grid_matrix_entrywise_objects(&e, op));
  TRY(grid_matrix_entrywise_types(&e, op->x, e.A->type));
  TRY(grid_check_cast(GrB_BOOL, op->z, &e.C->head, call, "op's result", "a decision"));
  TRY(grid_given_value(&value, &room, &y, op->y, &e.C->head, call));
  bool sliced;
  bool alike = grid_looks_at_value(op); /* symmetric as A is */
  if (op->op == GRID_OP_DIAG || op->op == GRID_OP_OFFDIAG) {
    int64_t diagonal;
    memcpy(&diagonal, value, sizeof diagonal);
    alike = diagonal == 0;
  }
  TRY(grid_matrix_entrywise_sliced(&e, alike, select_slice, &(selection){&e, op, y}, &sliced));
  if (sliced) return info;
  e.by_row = !grid_looks_at_value(op);
  TRY(grid_matrix_entrywise_begin(&e, e.A->type));
  info = e.places.chunk ? grid_vec_select(&e.made, e.places.chunk, op, value, 0)
                        : grid_parts_select(&t, e.in.part, op, value, &e.in.rows, &e.in.cols);
  info = grid_matrix_entrywise_end(&e, &t, info);
done:
  return info;
}

#define DEFINE(FORM, T, GIVEN)                                                                          \
  GrB_Info GrB_Matrix_select_##FORM(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,      \
                                    const GrB_IndexUnaryOp op, const GrB_Matrix A, T x,                 \
                                    const GrB_Descriptor desc) {                                        \
    return GRID_TOLD(call,                                                                              \
                     matrix_select(                                                                     \
                         (grid_matrix_entrywise){                                                       \
                             .call = call, .C = C, .mask = Mask, .accum = accum, .A = A, .desc = desc}, \
                         op, GIVEN),                                                                    \
                     C, Mask, A);                                                                       \
  }
GRID_DEFINE_GIVEN
