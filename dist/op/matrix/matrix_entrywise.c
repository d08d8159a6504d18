/* See matrix_entrywise.h. */
#include "dist/op/matrix/matrix_entrywise.h"

#include "semiring/op_codes.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"
#include "spmat/vector/bound_operator.h"

GrB_Info grid_matrix_entrywise_objects(const grid_matrix_entrywise *e, const void *op, grid_kind kind) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix(e->C, e->call, "C"));
  TRY(grid_check_handle(op, kind, &e->C->head, e->call, "op"));
  TRY(grid_check_object(e->A, &e->C->head, e->call, "A"));
done:
  return info;
}

static bool is_transposed(const grid_matrix_entrywise *e) {
  return e->second ? e->d.tran1 : e->d.tran0;
}

GrB_Info grid_matrix_entrywise_types(grid_matrix_entrywise *e, GrB_Type operand, GrB_Type result) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix_output(e->C, e->mask, e->accum, e->desc, result, e->call, &e->d));
  TRY(grid_operand_check(e->A, is_transposed(e), e->C, e->call, "A"));
  if (operand) TRY(grid_check_cast(operand, e->A->type, &e->C->head, e->call, "A", "op"));
done:
  return info;
}

GrB_Info grid_entrywise_out_of_core(const grid_matrix_entrywise *e, bool values,
                                    GrB_Info (*run)(void *context, const grid_slices *s), void *context,
                                    bool *done) {
  grid_desc d = e->d;
  d.tran0 = is_transposed(e);
  const grid_out_of_core x = {
      .C = e->C,
      .mask = e->mask,
      .A = e->A,
      .accum = e->accum,
      .d = &d,
      .symmetric = values && e->A->properties.symmetric && !e->mask && !e->accum && !d.complement,
      .run = run,
      .context = context};
  const GrB_Info info = grid_out_of_core_needed(&x, done);
  return info == GrB_SUCCESS && *done ? grid_out_of_core_run(&x) : info;
}

grid_matrix_entrywise grid_matrix_entrywise_slice(const grid_matrix_entrywise *e, const grid_slices *s) {
  return (grid_matrix_entrywise){
      .call = e->call, .C = s->C, .mask = s->mask, .accum = e->accum, .A = s->A, .desc = s->desc};
}

bool grid_uses_value(GrB_IndexUnaryOp op) {
  switch (op->op) {
    case GRID_OP_VALUEEQ:
    case GRID_OP_VALUENE:
    case GRID_OP_VALUELT:
    case GRID_OP_VALUELE:
    case GRID_OP_VALUEGT:
    case GRID_OP_VALUEGE:
      return true;
    default:
      return false;
  }
}

/* Known alike on all processes. The few entries of a sparse A join a C of places as such: its rows, which
 * must be made for others, are many. */
static bool is_positional(const grid_matrix_entrywise *e) {
  const bool merges_into_dense = grid_is_dense_update(e->C) && (e->accum || (e->mask && !e->d.replace));
  return !e->by_row && !is_transposed(e) && (grid_is_dense_profitable(e->A) || merges_into_dense) &&
         grid_can_be_dense(e->C) && grid_is_dense_mask(e->C, e->mask, &e->d);
}

/* C = f(C), of one type. Known alike on all processes. */
static bool goes_in_place(const grid_matrix_entrywise *e, GrB_Type result) {
  return e->values && e->C == e->A && !e->mask && !e->d.complement && !e->accum && !is_transposed(e) &&
         result == e->C->type && result->size <= GRID_SMALL_VALUE && !grid_device_is_on();
}

/* Are A's entries outside the mask of no use? Then the operator is applied to the others alone. Known alike
 * on all processes. */
static bool selects_first(const grid_matrix_entrywise *e) {
  return e->values && e->mask && e->d.replace && !e->accum && !is_transposed(e) && !grid_device_is_on();
}

/* e->allowed = the entries of A that the mask allows. */
static GrB_Info select_allowed(grid_matrix_entrywise *e, GrB_Type result) {
  const grid_local_matrix *a = e->in.lmat;
  GrB_Info info = grid_matrix_require(e->mask, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  const grid_union u = {.y = a,
                        .side_x = GRID_SIDE_NONE,
                        .side_y = e->d.complement ? GRID_SIDE_OUTSIDE_MASK : GRID_SIDE_IN_MASK,
                        .mask = &e->mask->block,
                        .structure = e->d.structure};
  grid_lmat_init(&e->allowed, e->A->type, a->row.dim, a->col.dim);
  info = grid_agree(&e->C->head, grid_lmat_union(&e->allowed, &u));
  if (info != GrB_SUCCESS) {
    grid_lmat_free(&e->allowed);
    return info;
  }
  e->in.lmat = &e->allowed;
  if (result == e->A->type && result->size <= GRID_SMALL_VALUE) e->in_place = &e->allowed;
  return info;
}

GrB_Info grid_matrix_entrywise_begin(grid_matrix_entrywise *e, GrB_Type result) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require(e->A, GRID_MERGED));
  if (e->mask) TRY(grid_matrix_require(e->mask, GRID_MERGED));
  if (is_positional(e)) {
    e->made = grid_dense_result(e->C, result);
    info = grid_dense_read(&e->positions, e->A);
    if (info != GrB_SUCCESS) grid_dense_free(&e->positions);
    return info;
  }
  info = grid_operand_read(&e->in, e->A, is_transposed(e), e->C, e->call);
  if (info == GrB_SUCCESS && selects_first(e)) info = select_allowed(e, result);
  if (info != GrB_SUCCESS) grid_operand_free(&e->in);
  if (goes_in_place(e, result)) e->in_place = &e->C->block;
done:
  return info;
}

GrB_Info grid_matrix_entrywise_end(grid_matrix_entrywise *e, grid_local_matrix *t, GrB_Info info) {
  if (e->positions.chunk) {
    info = grid_finish_dense(e->C, e->mask, e->accum, &e->d, &e->made, info);
    grid_dense_free(&e->positions);
    return info;
  }
  if (e->in_place == &e->C->block)
    grid_matrix_invalidate(e->C, GRID_ROW_VALUES_CHANGED);
  else
    info = grid_finish_matrix(e->C, e->mask, e->accum, &e->d, e->in_place ? e->in_place : t,
                              e->in.lmat == &e->allowed, info);
  if (!e->in_place) grid_lmat_free(&e->allowed);
  grid_operand_free(&e->in);
  return info;
}
