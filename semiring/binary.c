/* Binary operators: the predefined ones from the table, and user-defined ones. */
#include "semiring/builtin.h"
#include "semiring/support/simd_levels.h"
#include "semiring/loop_kinds.h"
#include "semiring/op_inline.h"
#include "semiring/user_text.h"

#define FUNCTION(P, NAME, OP, T, Z, UX, UY, E)                      \
  static void f_##OP##_##T(void *z, const void *x, const void *y) { \
    grid_op_##OP##_##T(z, x, y);                                    \
  }                                                                 \
  static void loop_##OP##_##T(void *z, const void *x, size_t xstep, const void *y, size_t ystep, size_t n);
GRID_BINARY_OPS(FUNCTION)

/* Each loop has constant steps, so that it can be vectorized. z equals an operand or does not overlap it,
 * so iterations are independent (GRID_IVDEP). Single operands are read before the first result is stored. */
#define COMPUTE(OP, T, Z)                                                                         \
  GRID_LEVELS static void loop_##OP##_##T(void *zv, const void *xv, size_t xstep, const void *yv, \
                                          size_t ystep, size_t n) {                               \
    if (n == 0) return;                                                                           \
    GRID_C_##Z *z = zv;                                                                           \
    const GRID_C_##T *x = xv, *y = yv;                                                            \
    const GRID_C_##T x0 = x[0], y0 = y[0];                                                        \
    if (xstep == 0 && ystep == 0) {                                                               \
      const GRID_C_##Z c = grid_val_##OP##_##T(x0, y0);                                           \
      grid_copy_array(z, &c, 0, sizeof c, n);                                                     \
    } else if (ystep == 0) {                                                                      \
      GRID_IVDEP for (size_t k = 0; k < n; k++) z[k] = grid_val_##OP##_##T(x[k], y0);             \
    } else if (xstep == 0) {                                                                      \
      GRID_IVDEP for (size_t k = 0; k < n; k++) z[k] = grid_val_##OP##_##T(x0, y[k]);             \
    } else {                                                                                      \
      GRID_IVDEP for (size_t k = 0; k < n; k++) z[k] = grid_val_##OP##_##T(x[k], y[k]);           \
    }                                                                                             \
  }
/* Loops without arithmetic of their own. An unused operand may be NULL. */
#define NONTRIVIAL(OP, T, ...)                                                                               \
  static void loop_##OP##_##T(void *z, const void *x, size_t xstep, const void *y, size_t ystep, size_t n) { \
    (void)x, (void)xstep, (void)y, (void)ystep;                                                              \
    __VA_ARGS__;                                                                                             \
  }
#define UNSIGNED(OP, T, Z)                 NONTRIVIAL(OP, T, loop_##OP##_U##T(z, x, xstep, y, ystep, n))
#define LOGIC(OP, T, Z)                    NONTRIVIAL(OP, T, LOOP_OF(GRID_LOGIC_##OP, T)(z, x, xstep, y, ystep, n))
#define REVERSE(OP, T, Z)                  NONTRIVIAL(OP, T, LOOP_OF(GRID_REVERSE_##OP, T)(z, y, ystep, x, xstep, n))
#define LOOP_OF(OP, T)                     LOOP_OF2(OP, T)
#define LOOP_OF2(OP, T)                    loop_##OP##_##T
#define COPY_X(OP, T, Z)                   NONTRIVIAL(OP, T, grid_copy_array(z, x, xstep, sizeof(GRID_C_##T), n))
#define COPY_Y(OP, T, Z)                   NONTRIVIAL(OP, T, grid_copy_array(z, y, ystep, sizeof(GRID_C_##T), n))
#define ONE(OP, T, Z)                      NONTRIVIAL(OP, T, grid_copy_array(z, &(GRID_C_##T){1}, 0, sizeof(GRID_C_##T), n))
#define LOOP(P, NAME, OP, T, Z, UX, UY, E) GRID_KIND(OP, T)(OP, T, Z)
GRID_BINARY_OPS(LOOP)

#define OBJECT(P, NAME, OP, T, Z, UX, UY, E)                 \
  struct GrB_BinaryOp_opaque grid_binary_##OP##_##T = {      \
      GRID_BUILTIN(GRID_IS_BINARY_OP, GRID_NAME_##P(#NAME)), \
      GRID_OP_##OP,                                          \
      &grid_type_##Z,                                        \
      &grid_type_##T,                                        \
      &grid_type_##T,                                        \
      f_##OP##_##T,                                          \
      loop_##OP##_##T,                                       \
      UX,                                                    \
      UY,                                                    \
      GRID_NAME_##P(#NAME)};                                 \
  GrB_BinaryOp P##_##NAME = &grid_binary_##OP##_##T;
GRID_BINARY_OPS(OBJECT)

GrB_Info grid_binary_new(GrB_BinaryOp *op, grid_binary_fn f, GrB_Type ztype, GrB_Type xtype, GrB_Type ytype,
                         grid_user_text u, const char *call) {
  GrB_Info info = grid_user_operator_check(op, f != NULL, ztype, xtype, ytype, &u, call);
  if (info != GrB_SUCCESS) return info;
  GrB_BinaryOp o = grid_user_text_object(sizeof *o, &u);
  if (o == NULL) return grid_fail_memory(NULL, call, 1, sizeof *o);
  *o = (struct GrB_BinaryOp_opaque){GRID_NEW_HEAD(GRID_IS_BINARY_OP),
                                    GRID_OP_USER,
                                    ztype,
                                    xtype,
                                    ytype,
                                    f,
                                    NULL,
                                    true,
                                    true,
                                    u.name ? u.name : grid_no_name,
                                    u.text,
                                    grid_text_settings};
  *op = o;
  return GrB_SUCCESS;
}

GrB_Info GrB_BinaryOp_new(GrB_BinaryOp *op, void (*f)(void *, const void *, const void *), GrB_Type ztype,
                          GrB_Type xtype, GrB_Type ytype) {
  return grid_binary_new(op, f, ztype, xtype, ytype, (grid_user_text){NULL, NULL}, "GrB_BinaryOp_new");
}

GrB_Info Grid_BinaryOp_new(GrB_BinaryOp *op, void (*f)(void *, const void *, const void *), GrB_Type ztype,
                           GrB_Type xtype, GrB_Type ytype, const char *name, const char *definition) {
  return grid_binary_new(op, f, ztype, xtype, ytype, (grid_user_text){name, definition}, "Grid_BinaryOp_new");
}
