/* Some operators of BOOL are equal under several names; compiled kernels are listed under one of them. */
#ifndef GRID_BOOL_OPERATORS_H
#define GRID_BOOL_OPERATORS_H
#include "semiring/op_codes.h"

static inline int grid_plain_bool(int op) {
  switch (op) {
    case GRID_OP_PLUS:
    case GRID_OP_MAX:
      return GRID_OP_LOR;
    case GRID_OP_TIMES:
    case GRID_OP_MIN:
      return GRID_OP_LAND;
    default:
      return op;
  }
}
#endif
