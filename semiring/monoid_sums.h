/* Segmented reductions by the operator of a monoid of the table. */
#ifndef GRID_MONOID_SUMS_H
#define GRID_MONOID_SUMS_H
#include "semiring/semiring.h"

/* z[v] = x[start[v]] + ... + x[start[v + 1] - 1] for v < n; z[v] is unchanged if the segment is empty. A
 * segment is added in 4 lanes, a longer one in lanes of 64 bytes, which are combined at its end: the same
 * order on every machine. */
typedef void (*grid_sums_loop)(void *z, const void *x, const uint64_t *start, size_t n);
/* NULL for an operator without one: a user-defined or not associative one. */
grid_sums_loop grid_sums_of(GrB_BinaryOp op);
#endif
