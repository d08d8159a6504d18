/* monoid_sums.h: sums of runs of values by the operator of a monoid of the table. */
#ifndef GRID_MONOID_SUMS_H
#define GRID_MONOID_SUMS_H
#include "semiring/semiring.h"

/* z[v] = x[start[v]] + ... + x[start[v + 1] - 1] for v < n; where that is nothing z[v] stays as it is. A run
 * is added in 4 lanes, a longer one in lanes of 64 bytes, which are joined at its end: the same order on
 * every machine. */
typedef void (*grid_sums_loop)(void *z, const void *x, const uint64_t *start, size_t n);
/* NULL for an operator that has none: a user's, or one that is not associative. */
grid_sums_loop grid_sums_of(GrB_BinaryOp op);
#endif
