/* given.h: the value that is given beside an operator. */
#ifndef GRID_GIVEN_H
#define GRID_GIVEN_H
#include "dist/object/vector.h"

/* Of a predefined type, a user's (type NULL), or in a scalar. */
typedef struct {
  const void *x;
  GrB_Type type;
  GrB_Scalar scalar;
  bool is_scalar;
} grid_given;
/* *x becomes the value in type `want`; `room` is where a cast may put it. Errors go to `out`. */
GrB_Info grid_given_value(const void **x, uint64_t *room, const grid_given *given, GrB_Type want,
                          grid_head *out, const char *call);

/* The forms of a call that takes a value x: DEFINE(FORM, C, GIVEN) for each, x being declared C in it. */
#define GRID_DEFINE_GIVEN_TYPE(T, C) DEFINE(T, C, ((grid_given){.x = &x, .type = GrB_##T}))
#define GRID_DEFINE_GIVEN                           \
  GRID_TYPES(GRID_DEFINE_GIVEN_TYPE)                \
  DEFINE(UDT, const void *, ((grid_given){.x = x})) \
  DEFINE(Scalar, const GrB_Scalar, ((grid_given){.scalar = x, .is_scalar = true}))
#endif
