/* Element-wise operations, apply and select of matrices, and their write-back. */
#include "bench/ops/ops.h"

/* A new C of the operation's type takes the result. */
static GrB_Info new_result(ops *o, const row *r) {
  return GrB_Matrix_new(&o->C, r->type ? *r->type : GrB_FP64, o->g.n, o->g.n);
}
static GrB_Info copy_of_a(ops *o, const row *r) {
  TRY(GrB_Matrix_dup(&o->C, o->A[r->A]));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

static GrB_Info add(ops *o, const row *r) {
  TRY(new_result(o, r));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(o->C, NULL, NULL, *r->binary, o->A[r->A], o->A[r->B], NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info multiply(ops *o, const row *r) {
  TRY(new_result(o, r));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(o->C, NULL, NULL, *r->binary, o->A[r->A], o->A[r->B], NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

/* ---- write-back: C starts as a copy of A --------------------------------------------------------------- */

static GrB_Info accumulate(ops *o, const row *r) {
  TRY(GrB_Matrix_apply(o->C, NULL, GrB_PLUS_FP64, GrB_IDENTITY_FP64, o->A[r->B], NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info write_masked(ops *o, const row *r) {
  TRY(GrB_Matrix_apply(o->C, o->A[r->B], NULL, GrB_AINV_FP64, o->A[r->A], *r->desc));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

/* ---- apply and select ---------------------------------------------------------------------------------- */

static GrB_Info apply(ops *o, const row *r) {
  TRY(new_result(o, r));
  TRY(GrB_Matrix_apply(o->C, NULL, NULL, *r->unary, o->A[r->A], NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info apply_in_place(ops *o, const row *r) {
  TRY(GrB_Matrix_apply(o->C, NULL, NULL, *r->unary, o->C, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info apply_bound(ops *o, const row *r) {
  TRY(new_result(o, r));
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(o->C, NULL, NULL, *r->binary, o->A[r->A], 2, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info apply_index(ops *o, const row *r) {
  TRY(new_result(o, r));
  TRY(GrB_Matrix_apply_IndexOp_INT64(o->C, NULL, NULL, *r->index, o->A[r->A], 1, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info select_by_position(ops *o, const row *r) {
  TRY(new_result(o, r));
  TRY(GrB_Matrix_select_INT64(o->C, NULL, NULL, *r->index, o->A[r->A], 0, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}
static GrB_Info select_value(ops *o, const row *r) {
  TRY(new_result(o, r));
  TRY(GrB_Matrix_select_FP64(o->C, NULL, NULL, *r->index, o->A[r->A], 1, NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

const row entrywise_rows[] = {
    /* clang-format off */
    {"eWiseAdd.matrix", add, .result_in = IN_C, .A = A_FP64, .B = LOWER_FP64, .binary = &GrB_PLUS_FP64, .count = COUNT_MATRIX, .bytes = 18},
    {"eWiseAdd.matrix.bool", add, .result_in = IN_C, .type = &GrB_BOOL, .A = A_PATTERN, .B = LOWER_PATTERN, .binary = &GrB_LOR, .count = COUNT_MATRIX, .bytes = 6},
    {"eWiseAdd.matrix.mixed", add, .result_in = IN_C, .A = A_FP32, .B = A_INT32, .binary = &GrB_PLUS_FP64, .count = COUNT_MATRIX, .bytes = 16},
    {"eWiseMult.matrix", multiply, .result_in = IN_C, .A = A_FP64, .B = LOWER_FP64, .binary = &GrB_TIMES_FP64, .count = COUNT_MATRIX, .bytes = 18},
    {"eWiseMult.matrix.bool", multiply, .result_in = IN_C, .type = &GrB_BOOL, .A = A_PATTERN, .B = LOWER_PATTERN, .binary = &GrB_LAND, .count = COUNT_MATRIX, .bytes = 6},
    {"eWiseMult.matrix.same", multiply, .result_in = IN_C, .A = A_FP64, .B = A_FP64, .binary = &GrB_TIMES_FP64, .count = COUNT_MATRIX, .bytes = 20},
    {"write.accum", accumulate, copy_of_a, .result_in = IN_C, .A = A_FP64, .B = LOWER_FP64, .count = COUNT_MATRIX, .bytes = 18},
    {"write.mask", write_masked, copy_of_a, .result_in = IN_C, .A = A_FP64, .B = LOWER_FP64, .desc = &GrB_DESC_S, .count = COUNT_MATRIX, .bytes = 26},
    {"write.mask.value", write_masked, copy_of_a, .result_in = IN_C, .A = A_FP64, .B = LOWER_FP64, .desc = &GrB_DESC_R, .count = COUNT_MATRIX, .bytes = 22},
    {"apply.matrix", apply, .result_in = IN_C, .A = A_FP64, .unary = &GrB_AINV_FP64, .count = COUNT_MATRIX, .bytes = 16},
    {"apply.matrix.bool", apply, .result_in = IN_C, .type = &GrB_BOOL, .A = A_FP64, .unary = &GrB_IDENTITY_BOOL, .count = COUNT_MATRIX, .bytes = 9},
    {"apply.matrix.pattern", apply, .result_in = IN_C, .type = &GrB_BOOL, .A = A_PATTERN, .unary = &GrB_IDENTITY_BOOL, .count = COUNT_MATRIX},
    {"apply.matrix.inplace", apply_in_place, copy_of_a, .result_in = IN_C, .A = A_FP64, .unary = &GrB_AINV_FP64, .count = COUNT_MATRIX, .bytes = 16},
    {"apply.matrix.user", apply, .result_in = IN_C, .A = A_FP64, .unary = &bench_operators.square, .count = COUNT_MATRIX, .bytes = 16},
    {"apply.matrix.bound", apply_bound, .result_in = IN_C, .A = A_FP64, .binary = &GrB_TIMES_FP64, .count = COUNT_MATRIX, .bytes = 16},
    {"apply.matrix.index", apply_index, .result_in = IN_C, .type = &GrB_INT64, .A = A_FP64, .index = &GrB_COLINDEX_INT64, .count = COUNT_MATRIX, .bytes = 12},
    {"select.matrix.tril", select_by_position, .result_in = IN_C, .A = A_FP64, .index = &GrB_TRIL, .count = COUNT_MATRIX, .bytes = 12},
    {"select.matrix.offdiag", select_by_position, .result_in = IN_C, .A = A_FP64, .index = &GrB_OFFDIAG, .count = COUNT_MATRIX, .bytes = 24},
    {"select.matrix.value", select_value, .result_in = IN_C, .A = A_FP64, .index = &GrB_VALUEGT_FP64, .count = COUNT_MATRIX, .bytes = 18},
    {"select.matrix.tril.bool", select_by_position, .result_in = IN_C, .type = &GrB_BOOL, .A = A_PATTERN, .index = &GrB_TRIL, .count = COUNT_MATRIX, .bytes = 4},
    /* clang-format on */
    {NULL}};
