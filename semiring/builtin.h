/* The predefined operators and monoids as external objects, so that static objects can refer to each
 * other: GrB_PLUS_FP64 == &grid_binary_PLUS_FP64, GrB_PLUS_MONOID_FP64 == &grid_monoid_PLUS_FP64. */
#ifndef GRID_BUILTIN_H
#define GRID_BUILTIN_H
#include "semiring/semiring.h"

#define GRID_OBJECT(P, NAME, OP, T, Z, UX, UY, E) extern struct GrB_BinaryOp_opaque grid_binary_##OP##_##T;
GRID_BINARY_OPS(GRID_OBJECT)
GRID_GXB_BINARY_PLAIN(GRID_OBJECT)
#undef GRID_OBJECT
#define GRID_OBJECT(OP, T, Y, Z, UX, UY, E) extern struct GrB_BinaryOp_opaque grid_binary_##OP##_##T;
GRID_GXB_BINARY_OTHER(GRID_OBJECT)
#undef GRID_OBJECT
#define GRID_OBJECT(OP, WHAT, SHIFT, T) extern struct GrB_BinaryOp_opaque grid_binary_##OP##_##T;
GRID_GXB_BINARY_POSITIONS(GRID_OBJECT)
#undef GRID_OBJECT
#define GRID_OBJECT(P, NAME, OP, T, Z, E) extern struct GrB_UnaryOp_opaque grid_unary_##OP##_##T;
GRID_UNARY_OPS(GRID_OBJECT)
#undef GRID_OBJECT

#define GRID_OBJECT(P, OP, T, ID, TERM, HAS, IDEM) extern struct GrB_Monoid_opaque grid_monoid_##OP##_##T;
GRID_MONOIDS(GRID_OBJECT)
GRID_MONOIDS_UNNAMED(GRID_OBJECT)
#undef GRID_OBJECT
#define GRID_OBJECT(OP, T, ID) extern struct GrB_Monoid_opaque grid_monoid_##OP##_##T;
GRID_GXB_MONOIDS(GRID_OBJECT)
#undef GRID_OBJECT

/* The GrB_NAME of an object whose handle is P_NAME: the objects of Grid_ANY have SuiteSparse's name, too. */
#define GRID_NAME_GrB(name)  "GrB_" name
#define GRID_NAME_Grid(name) "GxB_" name
#define GRID_NAME_GxB(name)  "GxB_" name
#endif
