/* The predefined operators and monoids as external objects, so that static objects can refer to each
 * other: GrB_PLUS_FP64 == &grid_binary_PLUS_FP64, GrB_PLUS_MONOID_FP64 == &grid_monoid_PLUS_FP64. */
#ifndef GRID_BUILTIN_H
#define GRID_BUILTIN_H
#include "semiring/semiring.h"

#define GRID_OBJECT(P, NAME, OP, T, Z, UX, UY, E) extern struct GrB_BinaryOp_opaque grid_binary_##OP##_##T;
GRID_BINARY_OPS(GRID_OBJECT)
#undef GRID_OBJECT
/* The multiplication of the SECONDI semirings; programs have no handle for it. */
extern struct GrB_BinaryOp_opaque grid_binary_SECONDI_INT32, grid_binary_SECONDI_INT64;

#define GRID_OBJECT(P, OP, T, ID, TERM, HAS, IDEM) extern struct GrB_Monoid_opaque grid_monoid_##OP##_##T;
GRID_MONOIDS(GRID_OBJECT)
#undef GRID_OBJECT

#define GRID_BUILTIN(name) \
  { GRID_MAGIC, NULL, true, name }
#endif
