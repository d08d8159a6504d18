/* Semirings: predefined ones from the table, and user-created ones. */
#include "semiring/builtin.h"

#define OBJECT(ADD, MUL, T, Z, NAME)                                 \
  static struct GrB_Semiring_opaque semiring_##ADD##_##MUL##_##T = { \
      GRID_BUILTIN(GRID_IS_SEMIRING, NAME), &grid_monoid_##ADD##_##Z, &grid_binary_##MUL##_##T};
#define OBJECT_GRB(ADD, MUL, T)                                \
  OBJECT(ADD, MUL, T, T, "GrB_" #ADD "_" #MUL "_SEMIRING_" #T) \
  GrB_Semiring GrB_##ADD##_##MUL##_SEMIRING_##T = &semiring_##ADD##_##MUL##_##T;
/* Ours have SuiteSparse's names, which calls ONEB PAIR. */
#define NAME_SECONDI "SECONDI"
#define NAME_ONEB    "PAIR"
#define NAME_FIRST   "FIRST"
#define NAME_SECOND  "SECOND"
#define OBJECT_GRID(ADD, MUL, T)                            \
  OBJECT(ADD, MUL, T, T, "GxB_" #ADD "_" NAME_##MUL "_" #T) \
  GrB_Semiring Grid_##ADD##_##MUL##_SEMIRING_##T = &semiring_##ADD##_##MUL##_##T;
#define OBJECT_GXB(A, M, T, ADD, MUL, Z)          \
  OBJECT(ADD, MUL, T, Z, "GxB_" #A "_" #M "_" #T) \
  GrB_Semiring GxB_##A##_##M##_##T = &semiring_##ADD##_##MUL##_##T;
#define ALIAS(A, M, T, ADD, MUL) GrB_Semiring GxB_##A##_##M##_##T = &semiring_##ADD##_##MUL##_##T;
GRID_SEMIRINGS_GRB(OBJECT_GRB)
GRID_SEMIRINGS_GRID(OBJECT_GRID)
GRID_GXB_SEMIRINGS(OBJECT_GXB)
GRID_GXB_SEMIRING_ALIASES(ALIAS)

GrB_Info GrB_Semiring_new(GrB_Semiring *semiring, GrB_Monoid add, GrB_BinaryOp mul) {
  const char *call = "GrB_Semiring_new";
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (semiring == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument semiring is NULL", call);
  TRY(grid_check_object(add, NULL, call, "add"));
  TRY(grid_check_object(mul, NULL, call, "mul"));
  if (mul == GxB_IGNORE_DUP)
    return grid_fail(NULL, GrB_INVALID_OBJECT,
                     "%s: argument mul is GxB_IGNORE_DUP, which is for GrB_build alone", call);
  if (mul->z != add->op->z)
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH,
                     "%s: argument mul gives %s, and the monoid add works on %s; they must be equal", call,
                     grid_type_name(mul->z), grid_type_name(add->op->z));
  GrB_Semiring s = grid_calloc(1, sizeof *s);
  if (s == NULL) return grid_fail_memory(NULL, call, 1, sizeof *s);
  s->head = (grid_head)GRID_NEW_HEAD(GRID_IS_SEMIRING);
  s->add = add;
  s->mul = mul;
  *semiring = s;
done:
  return info;
}
