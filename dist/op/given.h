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
#endif
