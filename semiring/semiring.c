/* Semirings: predefined ones from the table, and user-created ones. */
#include "semiring/builtin.h"

#define OBJECT(P, ADD, MUL, T)                                                      \
  static struct GrB_Semiring_opaque semiring_##ADD##_##MUL##_##T = {                \
      GRID_BUILTIN(#P "_" #ADD "_" #MUL "_SEMIRING_" #T), &grid_monoid_##ADD##_##T, \
      &grid_binary_##MUL##_##T};                                                    \
  GrB_Semiring P##_##ADD##_##MUL##_SEMIRING_##T = &semiring_##ADD##_##MUL##_##T;
#define OBJECT_GRB(ADD, MUL, T)  OBJECT(GrB, ADD, MUL, T)
#define OBJECT_GRID(ADD, MUL, T) OBJECT(Grid, ADD, MUL, T)
GRID_SEMIRINGS_GRB(OBJECT_GRB)
GRID_SEMIRINGS_GRID(OBJECT_GRID)

GrB_Info GrB_Semiring_new(GrB_Semiring *semiring, GrB_Monoid add, GrB_BinaryOp mul) {
  const char *call = "GrB_Semiring_new";
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (semiring == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument semiring is NULL", call);
  TRY(grid_check_object(add, NULL, call, "add"));
  TRY(grid_check_object(mul, NULL, call, "mul"));
  if (mul->z != add->op->z)
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH,
                     "%s: argument mul gives %s, and the monoid add works on %s; they must be equal", call,
                     grid_type_name(mul->z), grid_type_name(add->op->z));
  GrB_Semiring s = grid_calloc(1, sizeof *s);
  if (s == NULL) return grid_fail_memory(NULL, call, 1, sizeof *s);
  s->head.magic = GRID_MAGIC;
  s->add = add;
  s->mul = mul;
  *semiring = s;
done:
  return info;
}
