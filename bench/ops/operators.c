/* operators.c: semirings made of predefined parts, and a user's own operators. */
#include <math.h>

#include "bench/ops/ops.h"

made_operators made;

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
  TRY(GrB_BinaryOp_new(&made.distance, distance, GrB_FP64, GrB_FP64, GrB_FP64));
  TRY(GrB_BinaryOp_new(&made.larger, larger, GrB_FP64, GrB_FP64, GrB_FP64));
  TRY(GrB_UnaryOp_new(&made.square, square, GrB_FP64, GrB_FP64));
  TRY(GrB_IndexUnaryOp_new(&made.inside, inside, GrB_BOOL, GrB_FP64, GrB_FP64));
  TRY(GrB_IndexUnaryOp_new(&made.shifted, shifted, GrB_FP64, GrB_FP64, GrB_FP64));
  TRY(GrB_Monoid_new_FP64(&made.largest, made.larger, -INFINITY));
  TRY(GrB_Semiring_new(&made.plus_second_fp32, GrB_PLUS_MONOID_FP32, GrB_SECOND_FP32));
  TRY(GrB_Semiring_new(&made.plus_second_fp64, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64));
  TRY(GrB_Semiring_new(&made.plus_min_fp64, GrB_PLUS_MONOID_FP64, GrB_MIN_FP64));
  TRY(GrB_Semiring_new(&made.max_first_fp32, GrB_MAX_MONOID_FP32, GrB_FIRST_FP32));
  TRY(GrB_Semiring_new(&made.plus_oneb_int64, GrB_PLUS_MONOID_INT64, GrB_ONEB_INT64));
  TRY(GrB_Semiring_new(&made.plus_user, GrB_PLUS_MONOID_FP64, made.distance));
  return GrB_Semiring_new(&made.user_user, made.largest, made.distance);
}

GrB_Info operators_free(void) {
  GrB_Semiring *const semirings[] = {&made.plus_second_fp32, &made.plus_second_fp64, &made.plus_min_fp64,
                                     &made.max_first_fp32,   &made.plus_oneb_int64,  &made.plus_user,
                                     &made.user_user};
  for (size_t k = 0; k < sizeof semirings / sizeof *semirings; k++) TRY(GrB_Semiring_free(semirings[k]));
  TRY(GrB_Monoid_free(&made.largest));
  TRY(GrB_IndexUnaryOp_free(&made.inside));
  TRY(GrB_IndexUnaryOp_free(&made.shifted));
  TRY(GrB_UnaryOp_free(&made.square));
  TRY(GrB_BinaryOp_free(&made.larger));
  return GrB_BinaryOp_free(&made.distance);
}
