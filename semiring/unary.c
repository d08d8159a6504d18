/* Unary operators: the predefined ones from the table, and user-defined ones. */
#include "semiring/builtin.h"
#include "semiring/support/simd_levels.h"
#include "semiring/loop_kinds.h"
#include "semiring/op_inline.h"
#include "semiring/user_text.h"

#define FUNCTION(P, NAME, OP, T, Z, E)               \
  static void f_##OP##_##T(void *z, const void *x) { \
    grid_op_##OP##_##T(z, x);                        \
  }                                                  \
  static void loop_##OP##_##T(void *zv, const void *xv, size_t xstep, size_t n);
GRID_UNARY_OPS(FUNCTION)

/* z equals x or does not overlap it, so iterations are independent (GRID_IVDEP). */
#define COMPUTE(OP, T, Z)                                                                     \
  GRID_LEVELS static void loop_##OP##_##T(void *zv, const void *xv, size_t xstep, size_t n) { \
    GRID_C_##Z *z = zv;                                                                       \
    const GRID_C_##T *x = xv;                                                                 \
    if (xstep != 0) {                                                                         \
      GRID_IVDEP for (size_t k = 0; k < n; k++) z[k] = grid_val_##OP##_##T(x[k]);             \
    } else if (n > 0) {                                                                       \
      const GRID_C_##Z c = grid_val_##OP##_##T(x[0]);                                         \
      grid_copy_array(z, &c, 0, sizeof c, n);                                                 \
    }                                                                                         \
  }
/* Loops without arithmetic of their own. */
#define UNSIGNED(OP, T, Z)                                                      \
  static void loop_##OP##_##T(void *z, const void *x, size_t xstep, size_t n) { \
    loop_##OP##_U##T(z, x, xstep, n);                                           \
  }
#define COPY_X(OP, T, Z)                                                        \
  static void loop_##OP##_##T(void *z, const void *x, size_t xstep, size_t n) { \
    grid_copy_array(z, x, xstep, sizeof(GRID_C_##T), n);                        \
  }
#define LOOP(P, NAME, OP, T, Z, E) GRID_KIND(OP, T)(OP, T, Z)
GRID_UNARY_OPS(LOOP)

#define OBJECT(P, NAME, OP, T, Z, E)                                                               \
  struct GrB_UnaryOp_opaque grid_unary_##OP##_##T = {GRID_BUILTIN(GRID_IS_UNARY_OP, #P "_" #NAME), \
                                                     GRID_OP_##OP,                                 \
                                                     &grid_type_##Z,                               \
                                                     &grid_type_##T,                               \
                                                     f_##OP##_##T,                                 \
                                                     loop_##OP##_##T,                              \
                                                     #P "_" #NAME};                                \
  GrB_UnaryOp P##_##NAME = &grid_unary_##OP##_##T;
GRID_UNARY_OPS(OBJECT)

GrB_Info grid_unary_new(GrB_UnaryOp *op, grid_unary_fn f, GrB_Type ztype, GrB_Type xtype, grid_user_text u,
                        const char *call) {
  GrB_Info info = grid_user_operator_check(op, f != NULL, ztype, xtype, xtype, &u, call);
  if (info != GrB_SUCCESS) return info;
  GrB_UnaryOp o = grid_user_text_object(sizeof *o, &u);
  if (o == NULL) return grid_fail_memory(NULL, call, 1, sizeof *o);
  *o = (struct GrB_UnaryOp_opaque){GRID_NEW_HEAD(GRID_IS_UNARY_OP),
                                   GRID_OP_USER,
                                   ztype,
                                   xtype,
                                   f,
                                   NULL,
                                   u.name ? u.name : grid_no_name,
                                   u.text,
                                   grid_text_settings};
  *op = o;
  return GrB_SUCCESS;
}

GrB_Info GrB_UnaryOp_new(GrB_UnaryOp *op, void (*f)(void *, const void *), GrB_Type ztype, GrB_Type xtype) {
  return grid_unary_new(op, f, ztype, xtype, (grid_user_text){NULL, NULL}, "GrB_UnaryOp_new");
}

GrB_Info Grid_UnaryOp_new(GrB_UnaryOp *op, void (*f)(void *, const void *), GrB_Type ztype, GrB_Type xtype,
                          const char *name, const char *definition) {
  return grid_unary_new(op, f, ztype, xtype, (grid_user_text){name, definition}, "Grid_UnaryOp_new");
}
