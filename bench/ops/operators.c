/* Semirings of predefined parts, and user-defined operators. */
#include <math.h>

#include "bench/ops/ops.h"

bench_operator_set bench_operators;

static void distance(void *z, const void *x, const void *y) {
  *(double *)z = fabs(*(const double *)x - *(const double *)y);
}

static void larger(void *z, const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  *(double *)z = a > b ? a : b;
}

static void square(void *z, const void *x) {
  *(double *)z = *(const double *)x * *(const double *)x;
}

static void inside(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)j;
  *(bool *)z = *(const double *)x > *(const double *)y && i % 3 != 0;
}

static void shifted(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)j;
  *(double *)z = *(const double *)x + *(const double *)y * (double)(i % 7);
}

GrB_Info operators_make(void) {
  TRY(GrB_BinaryOp_new(&bench_operators.distance, distance, GrB_FP64, GrB_FP64, GrB_FP64));
  TRY(GrB_BinaryOp_new(&bench_operators.larger, larger, GrB_FP64, GrB_FP64, GrB_FP64));
  TRY(GrB_UnaryOp_new(&bench_operators.square, square, GrB_FP64, GrB_FP64));
  TRY(GrB_IndexUnaryOp_new(&bench_operators.inside, inside, GrB_BOOL, GrB_FP64, GrB_FP64));
  TRY(GrB_IndexUnaryOp_new(&bench_operators.shifted, shifted, GrB_FP64, GrB_FP64, GrB_FP64));
  TRY(GrB_Monoid_new_FP64(&bench_operators.largest, bench_operators.larger, -INFINITY));
  TRY(GrB_Semiring_new(&bench_operators.plus_second_fp32, GrB_PLUS_MONOID_FP32, GrB_SECOND_FP32));
  TRY(GrB_Semiring_new(&bench_operators.plus_second_fp64, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64));
  TRY(GrB_Semiring_new(&bench_operators.plus_min_fp64, GrB_PLUS_MONOID_FP64, GrB_MIN_FP64));
  TRY(GrB_Semiring_new(&bench_operators.max_first_fp32, GrB_MAX_MONOID_FP32, GrB_FIRST_FP32));
  TRY(GrB_Semiring_new(&bench_operators.plus_oneb_int64, GrB_PLUS_MONOID_INT64, GrB_ONEB_INT64));
  TRY(GrB_Semiring_new(&bench_operators.plus_user, GrB_PLUS_MONOID_FP64, bench_operators.distance));
  return GrB_Semiring_new(&bench_operators.user_user, bench_operators.largest, bench_operators.distance);
}

GrB_Info operators_free(void) {
  GrB_Semiring *const semirings[] = {&bench_operators.plus_second_fp32, &bench_operators.plus_second_fp64,
                                     &bench_operators.plus_min_fp64,    &bench_operators.max_first_fp32,
                                     &bench_operators.plus_oneb_int64,  &bench_operators.plus_user,
                                     &bench_operators.user_user};
  for (size_t k = 0; k < sizeof semirings / sizeof *semirings; k++) TRY(GrB_Semiring_free(semirings[k]));
  TRY(GrB_Monoid_free(&bench_operators.largest));
  TRY(GrB_IndexUnaryOp_free(&bench_operators.inside));
  TRY(GrB_IndexUnaryOp_free(&bench_operators.shifted));
  TRY(GrB_UnaryOp_free(&bench_operators.square));
  TRY(GrB_BinaryOp_free(&bench_operators.larger));
  return GrB_BinaryOp_free(&bench_operators.distance);
}
