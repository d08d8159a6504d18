/* GrB_select on matrices (specification 4.3.9). */
#include <string.h>

#include "dist/object/burble.h"
#include "dist/op/matrix/matrix_entrywise.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "semiring/op_codes.h"
#include "spmat/lmat_ops.h"

static const char call[] = "GrB_select";

static GrB_Info matrix_select(grid_matrix_entrywise e, GrB_IndexUnaryOp op, grid_bound_scalar y);

typedef struct {
  const grid_matrix_entrywise *e;
  GrB_IndexUnaryOp op;
  grid_bound_scalar y;
} selection;

static GrB_Info select_slice(void *context, const grid_slices *s) {
  const selection *x = context;
  return matrix_select(grid_matrix_entrywise_slice(x->e, s), x->op, x->y);
}

static GrB_Info matrix_select(grid_matrix_entrywise e, GrB_IndexUnaryOp op, grid_bound_scalar y) {
  GrB_Info info = GrB_SUCCESS;
  const void *value;
  grid_any_value storage;
  grid_local_matrix t;
  TRY(grid_matrix_entrywise_objects(&e, op, GRID_KIND_OF(op)));
  TRY(grid_matrix_entrywise_types(&e, op->x, e.A->type));
  TRY(grid_check_cast(GrB_BOOL, op->z, &e.C->head, call, "op's result", "a decision"));
  TRY(grid_bound_scalar_value(&value, &storage, &y, op->y, &e.C->head, call));
  bool out_of_core;
  bool alike = grid_uses_value(op); /* symmetric as A is */
  if (op->op == GRID_OP_DIAG || op->op == GRID_OP_OFFDIAG) {
    int64_t diagonal;
    memcpy(&diagonal, value, sizeof diagonal);
    alike = diagonal == 0;
  }
  TRY(grid_entrywise_out_of_core(&e, alike, select_slice, &(selection){&e, op, y}, &out_of_core));
  if (out_of_core) return info;
  e.by_row = !grid_uses_value(op);
  TRY(grid_matrix_entrywise_begin(&e, e.A->type));
  info = e.positions.chunk ? grid_vec_select(&e.made, e.positions.chunk, op, value, 0)
                           : grid_lmat_select(&t, e.in.lmat, op, value, &e.in.rows, &e.in.cols);
  info = grid_matrix_entrywise_end(&e, &t, info);
done:
  return info;
}

#define DEFINE(P, FORM, T, BOUND)                                                                  \
  GrB_Info P##_Matrix_select_##FORM(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, \
                                    const GrB_IndexUnaryOp op, const GrB_Matrix A, T x,            \
                                    const GrB_Descriptor desc) {                                   \
    return GRID_TRACE_CALL(                                                                        \
        call,                                                                                      \
        matrix_select(                                                                             \
            (grid_matrix_entrywise){                                                               \
                .call = call, .C = C, .mask = Mask, .accum = accum, .A = A, .desc = desc},         \
            op, BOUND),                                                                            \
        C, Mask, A);                                                                               \
  }
GRID_DEFINE_BOUND
