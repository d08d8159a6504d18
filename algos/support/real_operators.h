/* The operators of an algorithm that computes in FP32 or FP64. */
#ifndef GRID_REAL_OPERATORS_H
#define GRID_REAL_OPERATORS_H
#include <float.h>

#include "algos/algos.h"

typedef struct {
  GrB_Type type;
  GrB_BinaryOp plus, minus, times, div, first, second;
  GrB_UnaryOp absolute;
  GrB_Monoid sum;
  double largest; /* finite number of the type */
} real_operators;

static inline real_operators real_operators_of(bool single) {
#define REAL_OPERATORS(T, LARGEST)                                                                   \
  (real_operators) {                                                                                 \
    GrB_##T, GrB_PLUS_##T, GrB_MINUS_##T, GrB_TIMES_##T, GrB_DIV_##T, GrB_FIRST_##T, GrB_SECOND_##T, \
        GrB_ABS_##T, GrB_PLUS_MONOID_##T, LARGEST                                                    \
  }
  return single ? REAL_OPERATORS(FP32, (double)FLT_MAX) : REAL_OPERATORS(FP64, DBL_MAX);
#undef REAL_OPERATORS
}
#endif
