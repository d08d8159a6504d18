/* What types, operators, monoids and semirings are made of (GxB_UnaryOp_ztype, GxB_Monoid_identity, ...). */
#include <stdio.h>
#include <string.h>

#include "semiring/semiring.h"
#include "gridblas_gxb_objects.h"
#include "semiring/support/no_value.h"

#define check(object, what, result, result_name, call) \
  check_handle(object, GRID_KIND_OF(object), what, result, result_name, call)
static GrB_Info check_handle(const void *object, grid_kind kind, const char *what, const void *result,
                             const char *result_name, const char *call) {
  GrB_Info info = grid_check_argument_handle(object, kind, call, what);
  if (info == GrB_SUCCESS && !result)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, result_name);
  return info;
}

/* ---- types ---- */

GrB_Info GxB_Type_name(char *name, const GrB_Type type) {
  GrB_Info info = check(type, "type", name, "name", "GxB_Type_name");
  if (info == GrB_SUCCESS) snprintf(name, GxB_MAX_NAME_LEN, "%s", grid_type_c_name(type));
  return info;
}

GrB_Info GxB_Type_size(size_t *size, const GrB_Type type) {
  GrB_Info info = check(type, "type", size, "size", "GxB_Type_size");
  if (info == GrB_SUCCESS) *size = type->size;
  return info;
}

GrB_Info GxB_Type_from_name(GrB_Type *type, const char *name) {
  static const char call[] = "GxB_Type_from_name";
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (!type || !name) return grid_fail(NULL, GrB_NULL_POINTER, "%s: an argument is NULL", call);
  *type = NULL;
  for (int k = 0; k < GRID_NPREDEFINED_TYPES && !*type; k++)
    if (strncmp(name, grid_type_c_name(grid_types[k]), GxB_MAX_NAME_LEN) == 0 ||
        strncmp(name, grid_types[k]->head.name, GxB_MAX_NAME_LEN) == 0)
      *type = grid_types[k];
  return GrB_SUCCESS;
}

/* ---- operands ---- */

static GrB_Info get_type_name(char *name, GrB_Type of) {
  snprintf(name, GxB_MAX_NAME_LEN, "%s", of ? grid_type_c_name(of) : "");
  return of ? GrB_SUCCESS : grid_no_value();
}

#define OPERAND_NAME(K, which)                                                                 \
  GrB_Info GxB_##K##_##which##type_name(char *type_name, const GrB_##K op) {                   \
    GrB_Info info = check(op, "op", type_name, "type_name", "GxB_" #K "_" #which "type_name"); \
    return info == GrB_SUCCESS ? get_type_name(type_name, op->which) : info;                   \
  }
#define OPERAND(K, which)                                                       \
  GrB_Info GxB_##K##_##which##type(GrB_Type *type, const GrB_##K op) {          \
    GrB_Info info = check(op, "op", type, "type", "GxB_" #K "_" #which "type"); \
    if (info == GrB_SUCCESS) *type = op->which;                                 \
    return info;                                                                \
  }                                                                             \
  OPERAND_NAME(K, which)
OPERAND(UnaryOp, z)
OPERAND(UnaryOp, x)
OPERAND(BinaryOp, z)
OPERAND(BinaryOp, x)
OPERAND(BinaryOp, y)
OPERAND_NAME(IndexUnaryOp, z)
OPERAND_NAME(IndexUnaryOp, x)
OPERAND_NAME(IndexUnaryOp, y)

/* ---- monoids and semirings ---- */

GrB_Info GxB_Monoid_operator(GrB_BinaryOp *op, const GrB_Monoid monoid) {
  GrB_Info info = check(monoid, "monoid", op, "op", "GxB_Monoid_operator");
  if (info == GrB_SUCCESS) *op = monoid->op;
  return info;
}

GrB_Info GxB_Monoid_identity(void *identity, const GrB_Monoid monoid) {
  GrB_Info info = check(monoid, "monoid", identity, "identity", "GxB_Monoid_identity");
  if (info == GrB_SUCCESS) memcpy(identity, monoid->identity, monoid->op->z->size);
  return info;
}

GrB_Info GxB_Monoid_terminal(bool *has_terminal, void *terminal, const GrB_Monoid monoid) {
  static const char call[] = "GxB_Monoid_terminal";
  GrB_Info info = check(monoid, "monoid", has_terminal, "has_terminal", call);
  if (info == GrB_SUCCESS) info = check(monoid, "monoid", terminal, "terminal", call);
  if (info != GrB_SUCCESS) return info;
  *has_terminal = monoid->terminal != NULL;
  if (monoid->terminal) memcpy(terminal, monoid->terminal, monoid->op->z->size);
  return GrB_SUCCESS;
}

GrB_Info GxB_Semiring_add(GrB_Monoid *add, const GrB_Semiring semiring) {
  GrB_Info info = check(semiring, "semiring", add, "add", "GxB_Semiring_add");
  if (info == GrB_SUCCESS) *add = semiring->add;
  return info;
}

GrB_Info GxB_Semiring_multiply(GrB_BinaryOp *multiply, const GrB_Semiring semiring) {
  GrB_Info info = check(semiring, "semiring", multiply, "multiply", "GxB_Semiring_multiply");
  if (info == GrB_SUCCESS) *multiply = semiring->mul;
  return info;
}
