/* The kind of array loop of each operator and type. A loop is compiled for several instruction sets
 * (simd_levels.h); one with the same results as another loop only calls it.
 *
 *   COMPUTE   a loop of its own
 *   UNSIGNED  that of the unsigned type of the same width
 *   LOGIC     that of the logical operator GRID_LOGIC_OP (BOOL)
 *   REVERSE   that of GRID_REVERSE_OP, with x and y exchanged
 *   COPY_X    the result is x
 *   COPY_Y    the result is y
 *   ONE       the result is 1
 *
 * GRID_KIND(OP, T) is one of these. */
#ifndef GRID_LOOP_KINDS_H
#define GRID_LOOP_KINDS_H
#define GRID_KIND_FIRST(CLASS)  COPY_X
#define GRID_KIND_SECOND(CLASS) COPY_Y
#define GRID_KIND_ANY(CLASS)    COPY_Y
#define GRID_KIND_ONEB(CLASS)   ONE
#define GRID_KIND_MIN(CLASS)    GRID_ORDERED_##CLASS
#define GRID_KIND_MAX(CLASS)    GRID_ORDERED_##CLASS
#define GRID_KIND_PLUS(CLASS)   GRID_SIGNLESS_##CLASS
#define GRID_KIND_MINUS(CLASS)  GRID_SIGNLESS_##CLASS
#define GRID_KIND_TIMES(CLASS)  GRID_SIGNLESS_##CLASS
#define GRID_KIND_DIV(CLASS)    COMPUTE
#define GRID_KIND_EQ(CLASS)     GRID_SIGNLESS_##CLASS
#define GRID_KIND_NE(CLASS)     GRID_SIGNLESS_##CLASS
#define GRID_KIND_GT(CLASS)     COMPUTE
#define GRID_KIND_LT(CLASS)     REVERSE
#define GRID_KIND_GE(CLASS)     COMPUTE
#define GRID_KIND_LE(CLASS)     REVERSE
#define GRID_KIND_LOR(CLASS)    COMPUTE
#define GRID_KIND_LAND(CLASS)   COMPUTE
#define GRID_KIND_LXOR(CLASS)   COMPUTE
#define GRID_KIND_LXNOR(CLASS)  COMPUTE
#define GRID_KIND_BOR(CLASS)    GRID_SIGNLESS_##CLASS
#define GRID_KIND_BAND(CLASS)   GRID_SIGNLESS_##CLASS
#define GRID_KIND_BXOR(CLASS)   GRID_SIGNLESS_##CLASS
#define GRID_KIND_BXNOR(CLASS)  GRID_SIGNLESS_##CLASS
/* unary */
#define GRID_KIND_IDENTITY(CLASS) COPY_X
#define GRID_KIND_AINV(CLASS)     GRID_NEGATED_##CLASS
#define GRID_KIND_MINV(CLASS)     COMPUTE
#define GRID_KIND_ABS(CLASS)      COMPUTE
#define GRID_KIND_LNOT(CLASS)     COMPUTE
#define GRID_KIND_BNOT(CLASS)     GRID_SIGNLESS_##CLASS

/* Integer results with the same bits with and without sign; without that property; -x. */
#define GRID_SIGNLESS_BOOL LOGIC
#define GRID_SIGNLESS_INT  UNSIGNED
#define GRID_SIGNLESS_UINT COMPUTE
#define GRID_SIGNLESS_FP   COMPUTE
#define GRID_ORDERED_BOOL  LOGIC
#define GRID_ORDERED_INT   COMPUTE
#define GRID_ORDERED_UINT  COMPUTE
#define GRID_ORDERED_FP    COMPUTE
#define GRID_NEGATED_BOOL  COPY_X
#define GRID_NEGATED_INT   UNSIGNED
#define GRID_NEGATED_UINT  COMPUTE
#define GRID_NEGATED_FP    COMPUTE

#define GRID_LOGIC_MIN   LAND
#define GRID_LOGIC_MAX   LOR
#define GRID_LOGIC_PLUS  LOR
#define GRID_LOGIC_MINUS LXOR
#define GRID_LOGIC_TIMES LAND
#define GRID_LOGIC_EQ    LXNOR
#define GRID_LOGIC_NE    LXOR

#define GRID_REVERSE_LT GT
#define GRID_REVERSE_LE GE

#define GRID_KIND2(OP, CLASS) GRID_KIND_##OP(CLASS)
#define GRID_KIND1(OP, CLASS) GRID_KIND2(OP, CLASS)
#define GRID_KIND(OP, T)      GRID_KIND1(OP, GRID_CLASS_##T)
#endif
