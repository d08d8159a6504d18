/* The operators of gridblas_table_gxb.h: functions of one value, without loops over arrays or kernels;
 * products by the plain ones have kernels compiled at run time. */
#include "semiring/builtin.h"
#include "semiring/gxb_functions.h"

/* One value at any alignment; z may equal x or y. */
#define READ(T, a, x) \
  GRID_C_##T a;       \
  memcpy(&a, x, sizeof a)
#define WRITE(Z, z, value)    \
  const GRID_C_##Z c = value; \
  memcpy(z, &c, sizeof c)

/* ---- unary operators ----------------------------------------------------------------------------------- */

#define UNARY(OP, T, Z, E, CODE)                                                                           \
  static void unary_##OP##_##T(void *z, const void *x) {                                                   \
    READ(T, a, x);                                                                                         \
    WRITE(Z, z, GRID_CALL1(E, T, a));                                                                      \
  }                                                                                                        \
  static struct GrB_UnaryOp_opaque object_##OP##_##T = {GRID_BUILTIN(GRID_IS_UNARY_OP, "GxB_" #OP "_" #T), \
                                                        CODE,                                              \
                                                        &grid_type_##Z,                                    \
                                                        &grid_type_##T,                                    \
                                                        unary_##OP##_##T,                                  \
                                                        NULL,                                              \
                                                        "GxB_" #OP "_" #T};                                \
  GrB_UnaryOp GxB_##OP##_##T = &object_##OP##_##T;
#define UNARY_PLAIN(P, NAME, OP, T, Z, E) UNARY(OP, T, Z, E, GRID_OP_##OP)
#define UNARY_OTHER(OP, T, Z, E)          UNARY(OP, T, Z, E, GRID_OP_OTHER)
GRID_GXB_UNARY_PLAIN(UNARY_PLAIN)
GRID_GXB_UNARY_OTHER(UNARY_OTHER)

#define UNARY_ALIAS(NAME, OP, T) GrB_UnaryOp GxB_##NAME = &grid_unary_##OP##_##T;
GRID_GXB_UNARY_ALIASES(UNARY_ALIAS)

#define UNARY_POSITION(OP, WHAT, SHIFT, T)                       \
  static struct GrB_UnaryOp_opaque object_##OP##_##T = {         \
      .head = GRID_BUILTIN(GRID_IS_UNARY_OP, "GxB_" #OP "_" #T), \
      .op = GRID_OP_OTHER,                                       \
      .z = &grid_type_##T,                                       \
      .x = &grid_type_##T,                                       \
      .name = "GxB_" #OP "_" #T,                                 \
      .position = GRID_POSITION_##WHAT,                          \
      .shift = SHIFT};                                           \
  GrB_UnaryOp GxB_##OP##_##T = &object_##OP##_##T;
GRID_GXB_POSITIONS(UNARY_POSITION)

/* ---- binary operators ---------------------------------------------------------------------------------- */

/* An operand that the operator ignores may be NULL. */
#define READ_1(T, a, x) memcpy(&a, x, sizeof a)
#define READ_0(T, a, x) (void)x
#define BINARY(OP, T, Y, Z, UX, UY, E, CODE)                                                               \
  static void binary_##OP##_##T(void *z, const void *x, const void *y) {                                   \
    GRID_C_##T a = 0;                                                                                      \
    GRID_C_##Y b = 0;                                                                                      \
    READ_##UX(T, a, x);                                                                                    \
    READ_##UY(Y, b, y);                                                                                    \
    (void)a, (void)b;                                                                                      \
    WRITE(Z, z, GRID_CALL2(E, T, a, b));                                                                   \
  }                                                                                                        \
  struct GrB_BinaryOp_opaque grid_binary_##OP##_##T = {GRID_BUILTIN(GRID_IS_BINARY_OP, "GxB_" #OP "_" #T), \
                                                       CODE,                                               \
                                                       &grid_type_##Z,                                     \
                                                       &grid_type_##T,                                     \
                                                       &grid_type_##Y,                                     \
                                                       binary_##OP##_##T,                                  \
                                                       NULL,                                               \
                                                       UX,                                                 \
                                                       UY,                                                 \
                                                       "GxB_" #OP "_" #T};                                 \
  GrB_BinaryOp GxB_##OP##_##T = &grid_binary_##OP##_##T;
#define BINARY_PLAIN(P, NAME, OP, T, Z, UX, UY, E) BINARY(OP, T, T, Z, UX, UY, E, GRID_OP_##OP)
#define BINARY_OTHER(OP, T, Y, Z, UX, UY, E)       BINARY(OP, T, Y, Z, UX, UY, E, GRID_OP_OTHER)
GRID_GXB_BINARY_PLAIN(BINARY_PLAIN)
GRID_GXB_BINARY_OTHER(BINARY_OTHER)

#define BINARY_ALIAS(NAME, OP, T) GrB_BinaryOp GxB_##NAME = &grid_binary_##OP##_##T;
GRID_GXB_BINARY_ALIASES(BINARY_ALIAS)

/* In a product the inner index, from 0, has kernels of its own. */
#define IS_INNER(WHAT, SHIFT)                                                                           \
  ((GRID_POSITION_##WHAT == GRID_POSITION_FIRST_J || GRID_POSITION_##WHAT == GRID_POSITION_SECOND_I) && \
   (SHIFT) == 0)
#define BINARY_POSITION(OP, WHAT, SHIFT, T)                          \
  struct GrB_BinaryOp_opaque grid_binary_##OP##_##T = {              \
      .head = GRID_BUILTIN(GRID_IS_BINARY_OP, "GxB_" #OP "_" #T),    \
      .op = IS_INNER(WHAT, SHIFT) ? GRID_OP_SECONDI : GRID_OP_OTHER, \
      .z = &grid_type_##T,                                           \
      .x = &grid_type_##T,                                           \
      .y = &grid_type_##T,                                           \
      .name = "GxB_" #OP "_" #T,                                     \
      .position = GRID_POSITION_##WHAT,                              \
      .shift = SHIFT};                                               \
  GrB_BinaryOp GxB_##OP##_##T = &grid_binary_##OP##_##T;
GRID_GXB_BINARY_POSITIONS(BINARY_POSITION)

/* ---- index-unary operators ----------------------------------------------------------------------------- */

#define INDEX(OP, T, E)                                                                           \
  static void index_##OP##_##T(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) { \
    (void)i, (void)j;                                                                             \
    grid_binary_##E##_##T.f(z, x, y);                                                             \
  }                                                                                               \
  static struct GrB_IndexUnaryOp_opaque object_##OP##_##T = {                                     \
      .head = GRID_BUILTIN(GRID_IS_INDEX_UNARY_OP, "GxB_" #OP "_" #T),                            \
      .op = GRID_OP_OTHER,                                                                        \
      .z = &grid_type_BOOL,                                                                       \
      .x = &grid_type_##T,                                                                        \
      .y = &grid_type_##T,                                                                        \
      .f = index_##OP##_##T,                                                                      \
      .name = "GxB_" #OP "_" #T};                                                                 \
  GrB_IndexUnaryOp GxB_##OP##_##T = &object_##OP##_##T;
GRID_GXB_INDEX_OPS(INDEX)

/* ---- positions ----------------------------------------------------------------------------------------- */

GrB_BinaryOp grid_position_operand(GrB_Type type, bool first) {
  if (type == &grid_type_INT32) return first ? GrB_FIRST_INT32 : GrB_SECOND_INT32;
  return first ? GrB_FIRST_INT64 : GrB_SECOND_INT64;
}

GrB_IndexUnaryOp grid_position_index_op(GrB_Type type, bool rows) {
  if (type == &grid_type_INT32) return rows ? GrB_ROWINDEX_INT32 : GrB_COLINDEX_INT32;
  return rows ? GrB_ROWINDEX_INT64 : GrB_COLINDEX_INT64;
}

/* For GrB_build alone. */
static struct GrB_BinaryOp_opaque object_IGNORE_DUP = {
    .head = GRID_BUILTIN(GRID_IS_BINARY_OP, "GxB_IGNORE_DUP"),
    .op = GRID_OP_OTHER,
    .z = &grid_type_BOOL,
    .x = &grid_type_BOOL,
    .y = &grid_type_BOOL,
    .name = "GxB_IGNORE_DUP"};
GrB_BinaryOp GxB_IGNORE_DUP = &object_IGNORE_DUP;
