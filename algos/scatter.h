/* Values that go to places which a vector names (scatter.c). */
#ifndef ALGOS_SCATTER_H
#define ALGOS_SCATTER_H
#include "algos/algos.h"

/* w(to(k)) = value(k), w's old entries gone, for every k; to: INT64, of entries that are indices of w; value:
 * of `type`, of `size` bytes, with entries where `to` has them, those that go to one place combined by dup.
 * value NULL: w(to(k)) = 1, once. `call` names who asks, should there be no memory. */
GrB_Info grid_scatter(GrB_Vector w, GrB_Vector to, GrB_Vector value, GrB_Type type, size_t size,
                      GrB_BinaryOp dup, const char *call);
#endif
