/* GrB_apply on matrices (specification 4.3.8). */
#include "dist/object/burble.h"
#include "dist/op/matrix/matrix_entrywise.h"
#include "spmat/lmat_ops.h"

static const char call[] = "GrB_apply";

/* Where the result goes. */
static grid_local_matrix *target(const grid_matrix_entrywise *e, grid_local_matrix *t) {
  return e->in_place ? e->in_place : t;
}

/* A form of the call as slices want it. */
typedef struct {
  const grid_matrix_entrywise *e;
  const void *op;
  grid_bound_scalar g;
  bool first;
} application;

static GrB_Info apply_index(grid_matrix_entrywise e, GrB_IndexUnaryOp op, grid_bound_scalar g);

/* A positional operator gives shift + the row or column of the entry in the result. */
static GrB_Info apply_position(grid_matrix_entrywise e, GrB_Type z, grid_position position, int shift) {
  const int64_t y = shift;
  return apply_index(e, grid_position_index_op(z, grid_position_is_row(position)),
                     (grid_bound_scalar){.x = &y, .type = GrB_INT64});
}

/* ---- unary operators ----------------------------------------------------------------------------------- */

static GrB_Info apply_unary(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                            const GrB_UnaryOp op, const GrB_Matrix A, const GrB_Descriptor desc);

static GrB_Info unary_slice(void *context, const grid_slices *s) {
  const application *x = context;
  const GrB_UnaryOp op = (GrB_UnaryOp)(uintptr_t)x->op;
  return apply_unary(s->C, s->mask, x->e->accum, op, s->A, s->desc);
}

static GrB_Info apply_unary(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                            const GrB_UnaryOp op, const GrB_Matrix A, const GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_local_matrix t;
  grid_matrix_entrywise e = {.call = call, .C = C, .mask = Mask, .accum = accum, .A = A, .desc = desc};
  if (op && grid_is_live(op) && op->position) return apply_position(e, op->z, op->position, op->shift);
  TRY(grid_matrix_entrywise_objects(&e, op, GRID_KIND_OF(op)));
  TRY(grid_matrix_entrywise_types(&e, op->x, op->z));
  bool out_of_core;
  TRY(grid_entrywise_out_of_core(&e, true, unary_slice, &(application){.e = &e, .op = op}, &out_of_core));
  if (out_of_core) return info;
  e.values = true;
  TRY(grid_matrix_entrywise_begin(&e, op->z));
  info = e.positions.chunk ? grid_vec_apply(&e.made, e.positions.chunk, op)
                           : grid_lmat_apply(target(&e, &t), e.in.lmat, op);
  info = grid_matrix_entrywise_end(&e, &t, info);
done:
  return info;
}

GrB_Info GrB_Matrix_apply(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_UnaryOp op,
                          const GrB_Matrix A, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(call, apply_unary(C, Mask, accum, op, A, desc), C, Mask, A);
}

/* ---- operators with a value ---------------------------------------------------------------------------- */

static GrB_Info apply_binary(grid_matrix_entrywise e, GrB_BinaryOp op, grid_bound_scalar g, bool first);

static GrB_Info binary_slice(void *context, const grid_slices *s) {
  const application *x = context;
  return apply_binary(grid_matrix_entrywise_slice(x->e, s), (GrB_BinaryOp)(uintptr_t)x->op, x->g, x->first);
}

/* op(x, A) when first, else op(A, y). */
static GrB_Info apply_binary(grid_matrix_entrywise e, GrB_BinaryOp op, grid_bound_scalar g, bool first) {
  GrB_Info info = GrB_SUCCESS;
  const void *x;
  grid_any_value storage;
  grid_local_matrix t;
  e.second = first;
  if (op && grid_is_live(op) && op->position) return apply_position(e, op->z, op->position, op->shift);
  TRY(grid_matrix_entrywise_objects(&e, op, GRID_KIND_OF(op)));
  TRY(grid_check_binary(op, &e.C->head, call, "op"));
  TRY(grid_matrix_entrywise_types(&e, first ? op->y : op->x, op->z));
  TRY(grid_bound_scalar_value(&x, &storage, &g, first ? op->x : op->y, &e.C->head, call));
  bool out_of_core;
  TRY(grid_entrywise_out_of_core(&e, true, binary_slice, &(application){&e, op, g, first}, &out_of_core));
  if (out_of_core) return info;
  e.values = first ? op->uses_y : op->uses_x;
  TRY(grid_matrix_entrywise_begin(&e, op->z));
  if (!e.positions.chunk)
    info = grid_lmat_apply_bound(target(&e, &t), e.in.lmat, op, x, first);
  else if (first)
    info = grid_vec_apply_first(&e.made, x, e.positions.chunk, op);
  else
    info = grid_vec_apply_second(&e.made, e.positions.chunk, x, op);
  info = grid_matrix_entrywise_end(&e, &t, info);
done:
  return info;
}

static GrB_Info index_slice(void *context, const grid_slices *s) {
  const application *x = context;
  return apply_index(grid_matrix_entrywise_slice(x->e, s), (GrB_IndexUnaryOp)(uintptr_t)x->op, x->g);
}

static GrB_Info apply_index(grid_matrix_entrywise e, GrB_IndexUnaryOp op, grid_bound_scalar g) {
  GrB_Info info = GrB_SUCCESS;
  const void *y;
  grid_any_value storage;
  grid_local_matrix t;
  TRY(grid_matrix_entrywise_objects(&e, op, GRID_KIND_OF(op)));
  TRY(grid_matrix_entrywise_types(&e, op->x, op->z));
  TRY(grid_bound_scalar_value(&y, &storage, &g, op->y, &e.C->head, call));
  bool out_of_core;
  TRY(grid_entrywise_out_of_core(&e, grid_uses_value(op), index_slice,
                                 &(application){.e = &e, .op = op, .g = g}, &out_of_core));
  if (out_of_core) return info;
  e.by_row = !grid_uses_value(op);
  TRY(grid_matrix_entrywise_begin(&e, op->z));
  info = e.positions.chunk ? grid_vec_apply_index(&e.made, e.positions.chunk, op, y, 0)
                           : grid_lmat_apply_index(&t, e.in.lmat, op, y, &e.in.rows, &e.in.cols);
  info = grid_matrix_entrywise_end(&e, &t, info);
done:
  return info;
}

#define ARGUMENTS \
  ((grid_matrix_entrywise){.call = call, .C = C, .mask = Mask, .accum = accum, .A = A, .desc = desc})
#define DEFINE(P, FORM, T, BOUND)                                                                         \
  GrB_Info P##_Matrix_apply_BinaryOp1st_##FORM(GrB_Matrix C, const GrB_Matrix Mask,                       \
                                               const GrB_BinaryOp accum, const GrB_BinaryOp op, T x,      \
                                               const GrB_Matrix A, const GrB_Descriptor desc) {           \
    return GRID_TRACE_CALL(call, apply_binary(ARGUMENTS, op, BOUND, true), C, Mask, A);                   \
  }                                                                                                       \
  GrB_Info P##_Matrix_apply_BinaryOp2nd_##FORM(GrB_Matrix C, const GrB_Matrix Mask,                       \
                                               const GrB_BinaryOp accum, const GrB_BinaryOp op,           \
                                               const GrB_Matrix A, T x, const GrB_Descriptor desc) {      \
    return GRID_TRACE_CALL(call, apply_binary(ARGUMENTS, op, BOUND, false), C, Mask, A);                  \
  }                                                                                                       \
  GrB_Info P##_Matrix_apply_IndexOp_##FORM(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, \
                                           const GrB_IndexUnaryOp op, const GrB_Matrix A, T x,            \
                                           const GrB_Descriptor desc) {                                   \
    return GRID_TRACE_CALL(call, apply_index(ARGUMENTS, op, BOUND), C, Mask, A);                          \
  }
GRID_DEFINE_BOUND
