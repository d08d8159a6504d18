/* entrywise.c: see entrywise.h. */
#include "dist/op/matrix/entrywise.h"

GrB_Info grid_matrix_entrywise_objects(const grid_matrix_entrywise *e, const void *op) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix(e->C, e->call, "C"));
  TRY(grid_check_object(op, &e->C->head, e->call, "op"));
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

GrB_Info grid_matrix_entrywise_begin(grid_matrix_entrywise *e) {
  GrB_Info info = grid_operand_read(&e->in, e->A, is_transposed(e), e->C, e->call);
  if (info != GrB_SUCCESS) grid_operand_free(&e->in);
  return info;
}

GrB_Info grid_matrix_entrywise_end(grid_matrix_entrywise *e, grid_part *t, GrB_Info info) {
  info = grid_finish_matrix(e->C, e->mask, e->accum, &e->d, t, false, info);
  grid_operand_free(&e->in);
  return info;
}
