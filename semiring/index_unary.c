/* Index-unary operators: the predefined ones from the table, and user-defined ones. */
#include <string.h>

#include "semiring/builtin.h"
#include "semiring/support/simd_levels.h"
#include "semiring/user_text.h"

#define FUNCTION(P, NAME, OP, T, Y, Z, UX, E)                                                       \
  static inline GRID_C_##Z value_##OP##_##T(GRID_C_##T x, GrB_Index i, GrB_Index j, GRID_C_##Y y) { \
    (void)x, (void)i, (void)j;                                                                      \
    return GRID_I_##E(GRID_C_##Z, x, i, j, y);                                                      \
  }                                                                                                 \
  static void f_##OP##_##T(void *z, const void *xp, GrB_Index i, GrB_Index j, const void *yp) {     \
    GRID_C_##T x = 0;                                                                               \
    GRID_C_##Y y;                                                                                   \
    if (UX) memcpy(&x, xp, sizeof x);                                                               \
    memcpy(&y, yp, sizeof y);                                                                       \
    GRID_C_##Z c = value_##OP##_##T(x, i, j, y);                                                    \
    memcpy(z, &c, sizeof c);                                                                        \
  }
GRID_INDEX_OPS(FUNCTION)

/* An operator that uses the value compares it with y: it has the loop of that binary operator. */
#define VALUE_LOOP(OP, T, BINARY)                                                                          \
  static void loop_##OP##_##T(void *z, const void *x, size_t xstep, GrB_Index first, const GrB_Index *idx, \
                              const void *y, size_t n) {                                                   \
    (void)first, (void)idx;                                                                                \
    grid_binary_##BINARY##_##T.loop(z, x, xstep, y, 0, n);                                                 \
  }                                                                                                        \
  static void positions_##OP##_##T(void *z, const void *x, size_t xstep, const GrB_Index *i,               \
                                   const GrB_Index *j, const void *y, size_t n) {                          \
    (void)i, (void)j;                                                                                      \
    grid_binary_##BINARY##_##T.loop(z, x, xstep, y, 0, n);                                                 \
  }

/* A loop per kind of operands, so that it can be vectorized. */
#define POSITION_LOOP(OP, T, Y, Z)                                                                \
  GRID_LEVELS static void loop_##OP##_##T(void *zv, const void *x, size_t xstep, GrB_Index first, \
                                          const GrB_Index *idx, const void *yp, size_t n) {       \
    GRID_C_##Z *restrict z = zv;                                                                  \
    GRID_C_##Y y;                                                                                 \
    (void)x, (void)xstep;                                                                         \
    memcpy(&y, yp, sizeof y);                                                                     \
    if (idx) {                                                                                    \
      for (size_t k = 0; k < n; k++) z[k] = value_##OP##_##T(0, first + idx[k], 0, y);            \
    } else {                                                                                      \
      for (size_t k = 0; k < n; k++) z[k] = value_##OP##_##T(0, first + k, 0, y);                 \
    }                                                                                             \
  }                                                                                               \
  static void positions_##OP##_##T(void *zv, const void *x, size_t xstep, const GrB_Index *i,     \
                                   const GrB_Index *j, const void *yp, size_t n) {                \
    GRID_C_##Z *restrict z = zv;                                                                  \
    GRID_C_##Y y;                                                                                 \
    (void)x, (void)xstep;                                                                         \
    memcpy(&y, yp, sizeof y);                                                                     \
    for (size_t k = 0; k < n; k++) z[k] = value_##OP##_##T(0, i[k], j[k], y);                     \
  }
#define LOOP_0(OP, T, Y, Z)               POSITION_LOOP(OP, T, Y, Z)
#define LOOP_1(OP, T, Y, Z)               GRID_PASTE(LOOP_, OP)(T)
#define LOOP_VALUEEQ(T)                   VALUE_LOOP(VALUEEQ, T, EQ)
#define LOOP_VALUENE(T)                   VALUE_LOOP(VALUENE, T, NE)
#define LOOP_VALUELT(T)                   VALUE_LOOP(VALUELT, T, LT)
#define LOOP_VALUELE(T)                   VALUE_LOOP(VALUELE, T, LE)
#define LOOP_VALUEGT(T)                   VALUE_LOOP(VALUEGT, T, GT)
#define LOOP_VALUEGE(T)                   VALUE_LOOP(VALUEGE, T, GE)
#define LOOP(P, NAME, OP, T, Y, Z, UX, E) LOOP_##UX(OP, T, Y, Z)
GRID_INDEX_OPS(LOOP)

#define OBJECT(P, NAME, OP, T, Y, Z, UX, E)                  \
  static struct GrB_IndexUnaryOp_opaque index_##OP##_##T = { \
      GRID_BUILTIN(GRID_IS_INDEX_UNARY_OP, #P "_" #NAME),    \
      GRID_OP_##OP,                                          \
      &grid_type_##Z,                                        \
      UX ? &grid_type_##T : NULL,                            \
      &grid_type_##Y,                                        \
      f_##OP##_##T,                                          \
      loop_##OP##_##T,                                       \
      positions_##OP##_##T,                                  \
      #P "_" #NAME};                                         \
  GrB_IndexUnaryOp P##_##NAME = &index_##OP##_##T;
GRID_INDEX_OPS(OBJECT)

GrB_Info grid_index_unary_new(GrB_IndexUnaryOp *op, grid_index_fn f, GrB_Type ztype, GrB_Type xtype,
                              GrB_Type ytype, grid_user_text u, const char *call) {
  GrB_Info info = grid_user_operator_check(op, f != NULL, ztype, xtype, ytype, &u, call);
  if (info != GrB_SUCCESS) return info;
  GrB_IndexUnaryOp o = grid_user_text_object(sizeof *o, &u);
  if (o == NULL) return grid_fail_memory(NULL, call, 1, sizeof *o);
  *o = (struct GrB_IndexUnaryOp_opaque){
      GRID_NEW_HEAD(GRID_IS_INDEX_UNARY_OP), GRID_OP_USER, ztype, xtype, ytype, f, NULL, NULL,
      u.name ? u.name : grid_no_name,        u.text};
  *op = o;
  return GrB_SUCCESS;
}

GrB_Info GrB_IndexUnaryOp_new(GrB_IndexUnaryOp *op,
                              void (*f)(void *, const void *, GrB_Index, GrB_Index, const void *),
                              GrB_Type ztype, GrB_Type xtype, GrB_Type ytype) {
  return grid_index_unary_new(op, f, ztype, xtype, ytype, (grid_user_text){NULL, NULL},
                              "GrB_IndexUnaryOp_new");
}

GrB_Info Grid_IndexUnaryOp_new(GrB_IndexUnaryOp *op,
                               void (*f)(void *, const void *, GrB_Index, GrB_Index, const void *),
                               GrB_Type ztype, GrB_Type xtype, GrB_Type ytype, const char *name,
                               const char *definition) {
  return grid_index_unary_new(op, f, ztype, xtype, ytype, (grid_user_text){name, definition},
                              "Grid_IndexUnaryOp_new");
}
