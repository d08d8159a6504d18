/* Unary operators: the predefined ones from the table, and user-defined ones. */
#include "semiring/builtin.h"
#include "semiring/levels.h"
#include "semiring/op_inline.h"
#include "semiring/user_text.h"

#define FUNCTIONS(P, NAME, OP, T, Z, E)                                                       \
  static void f_##OP##_##T(void *z, const void *x) {                                          \
    grid_op_##OP##_##T(z, x);                                                                 \
  }                                                                                           \
  GRID_LEVELS static void loop_##OP##_##T(void *zv, const void *xv, size_t xstep, size_t n) { \
    GRID_C_##Z *z = zv;                                                                       \
    const GRID_C_##T *x = xv;                                                                 \
    if (xstep != 0) {                                                                         \
      for (size_t k = 0; k < n; k++) z[k] = grid_val_##OP##_##T(x[k]);                        \
    } else if (n > 0) {                                                                       \
      const GRID_C_##Z c = grid_val_##OP##_##T(x[0]);                                         \
      for (size_t k = 0; k < n; k++) z[k] = c;                                                \
    }                                                                                         \
  }
GRID_UNARY_OPS(FUNCTIONS)

#define OBJECT(P, NAME, OP, T, Z, E)                                               \
  static struct GrB_UnaryOp_opaque unary_##OP##_##T = {GRID_BUILTIN(#P "_" #NAME), \
                                                       GRID_OP_##OP,               \
                                                       &grid_type_##Z,             \
                                                       &grid_type_##T,             \
                                                       f_##OP##_##T,               \
                                                       loop_##OP##_##T,            \
                                                       #P "_" #NAME};              \
  GrB_UnaryOp P##_##NAME = &unary_##OP##_##T;
GRID_UNARY_OPS(OBJECT)

static GrB_Info new_op(GrB_UnaryOp *op, void (*f)(void *, const void *), GrB_Type ztype, GrB_Type xtype,
                       grid_user_text u, const char *call) {
  GrB_Info info = grid_user_operator_check(op, f != NULL, ztype, xtype, xtype, &u, call);
  if (info != GrB_SUCCESS) return info;
  GrB_UnaryOp o = grid_user_text_object(sizeof *o, &u);
  if (o == NULL) return grid_fail_memory(NULL, call, 1, sizeof *o);
  *o = (struct GrB_UnaryOp_opaque){{GRID_MAGIC, NULL, false},        GRID_OP_USER, ztype, xtype, f, NULL,
                                   u.name ? u.name : "user-defined", u.text};
  *op = o;
  return GrB_SUCCESS;
}

GrB_Info GrB_UnaryOp_new(GrB_UnaryOp *op, void (*f)(void *, const void *), GrB_Type ztype, GrB_Type xtype) {
  return new_op(op, f, ztype, xtype, (grid_user_text){NULL, NULL}, "GrB_UnaryOp_new");
}

GrB_Info Grid_UnaryOp_new(GrB_UnaryOp *op, void (*f)(void *, const void *), GrB_Type ztype, GrB_Type xtype,
                          const char *name, const char *definition) {
  return new_op(op, f, ztype, xtype, (grid_user_text){name, definition}, "Grid_UnaryOp_new");
}
