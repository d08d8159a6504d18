/* Monoids: predefined ones from the table, and user-created ones. */
#include <math.h>
#include <string.h>

#include "semiring/builtin.h"
#include "gridblas_gxb_objects.h"

#define VALUES(P, OP, T, ID, TERM, HAS, IDEM) \
  static GRID_C_##T identity_##OP##_##T = ID; \
  static GRID_C_##T terminal_##OP##_##T = TERM;
GRID_MONOIDS(VALUES)
GRID_MONOIDS_UNNAMED(VALUES)

#define NAME_GrB(OP, T)  "GrB_" #OP "_MONOID_" #T
#define NAME_Grid(OP, T) "GxB_" #OP "_" #T "_MONOID"
#define NAME_GxB(OP, T)  NAME_Grid(OP, T)
#define OBJECT(P, OP, T, ID, TERM, HAS, IDEM)                                                       \
  struct GrB_Monoid_opaque grid_monoid_##OP##_##T = {GRID_BUILTIN(GRID_IS_MONOID, NAME_##P(OP, T)), \
                                                     &grid_binary_##OP##_##T,                       \
                                                     &identity_##OP##_##T,                          \
                                                     HAS ? &terminal_##OP##_##T : NULL,             \
                                                     GRID_OP_##OP == GRID_OP_ANY,                   \
                                                     IDEM};
#define NAME(P, OP, T, ID, TERM, HAS, IDEM) GrB_Monoid P##_##OP##_MONOID_##T = &grid_monoid_##OP##_##T;
GRID_MONOIDS(OBJECT)
GRID_MONOIDS(NAME)
#define DEFINE_UNNAMED(P, OP, T, ID, TERM, HAS, IDEM) OBJECT(GxB, OP, T, ID, TERM, HAS, IDEM)
GRID_MONOIDS_UNNAMED(DEFINE_UNNAMED)

#define DEFINE_COMPLEX(OP, T, ID)                                                                   \
  static GRID_C_##T identity_##OP##_##T = ID;                                                       \
  struct GrB_Monoid_opaque grid_monoid_##OP##_##T = {GRID_BUILTIN(GRID_IS_MONOID, NAME_GxB(OP, T)), \
                                                     &grid_binary_##OP##_##T,                       \
                                                     &identity_##OP##_##T,                          \
                                                     NULL,                                          \
                                                     GRID_OP_##OP == GRID_OP_ANY,                   \
                                                     GRID_OP_##OP == GRID_OP_ANY};                  \
  GrB_Monoid GxB_##OP##_##T##_MONOID = &grid_monoid_##OP##_##T;
GRID_GXB_MONOIDS(DEFINE_COMPLEX)
#define ALIAS(A, T, OP) GrB_Monoid GxB_##A##_##T##_MONOID = &grid_monoid_##OP##_##T;
GRID_GXB_MONOID_ALIASES(ALIAS)

#define MONOID_ADDRESS(P, OP, T, ID, TERM, HAS, IDEM) &grid_monoid_##OP##_##T,
#define COMPLEX_ADDRESS(OP, T, ID)                    &grid_monoid_##OP##_##T,
static const GrB_Monoid builtin_monoids[] = {GRID_MONOIDS(MONOID_ADDRESS) GRID_MONOIDS_UNNAMED(MONOID_ADDRESS)
                                                 GRID_GXB_MONOIDS(COMPLEX_ADDRESS) NULL};

GrB_Monoid grid_monoid_find(GrB_BinaryOp op) {
  for (const GrB_Monoid *m = builtin_monoids; *m; m++)
    if ((*m)->op == op) return *m;
  return NULL;
}

static GrB_Info check(const void *monoid, GrB_BinaryOp op, const void *identity, grid_tcode code,
                      const char *call) {
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (monoid == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument monoid is NULL", call);
  TRY(grid_check_object(op, NULL, call, "op"));
  if (identity == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument identity is NULL", call);
  if (op->f == NULL)
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH,
                     "%s: argument op is %s, whose result depends on positions; a monoid's depends on values",
                     call, op->name);
  if (op->z != op->x || op->z != op->y)
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH,
                     "%s: argument op has types (%s, %s) -> %s; a monoid needs three equal types", call,
                     grid_type_name(op->x), grid_type_name(op->y), grid_type_name(op->z));
  if (op->z->code != code)
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH, "%s: argument identity has type %s, and op works on %s", call,
                     code == GRID_T_UDT ? "user-defined" : grid_type_name(grid_types[code]),
                     grid_type_name(op->z));
done:
  return info;
}

/* terminal: NULL, or the value. Both are stored behind the object in the same block, aligned for any type. */
static GrB_Info new_monoid(GrB_Monoid *monoid, GrB_BinaryOp op, const void *identity, const void *terminal,
                           grid_tcode code, const char *call) {
  GrB_Info info = check(monoid, op, identity, code, call);
  if (info != GrB_SUCCESS) return info;
  const size_t offset = (sizeof(struct GrB_Monoid_opaque) + 15) / 16 * 16, size = op->z->size,
               values = terminal ? 2 : 1;
  GrB_Monoid m;
  if (size > (SIZE_MAX - offset) / 2 - 15 ||
      (m = grid_calloc(1, offset + values * ((size + 15) / 16 * 16))) == NULL)
    return grid_fail_memory(NULL, call, values, size);
  m->head = (grid_head)GRID_NEW_HEAD(GRID_IS_MONOID);
  m->op = op;
  m->identity = (char *)m + offset;
  const struct GrB_Monoid_opaque *k = grid_monoid_find(op);
  memcpy(m->identity, k != NULL ? k->identity : identity, size);
  if (terminal) m->terminal = (char *)m->identity + (size + 15) / 16 * 16;
  if (terminal) memcpy(m->terminal, terminal, size);
  if (k != NULL) {
    m->terminal = k->terminal;
    m->any = k->any;
    m->idempotent = k->idempotent;
  }
  *monoid = m;
  return GrB_SUCCESS;
}

#define NEW(P, T, C)                                                                                  \
  GrB_Info P##_Monoid_new_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity) {                      \
    return new_monoid(monoid, op, &identity, NULL, GRID_T_##T, #P "_Monoid_new_" #T);                 \
  }                                                                                                   \
  GrB_Info GxB_Monoid_terminal_new_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity, C terminal) { \
    return new_monoid(monoid, op, &identity, &terminal, GRID_T_##T, "GxB_Monoid_terminal_new_" #T);   \
  }
GRID_PREDEFINED_TYPES(NEW)

GrB_Info GrB_Monoid_new_UDT(GrB_Monoid *monoid, GrB_BinaryOp op, const void *identity) {
  return new_monoid(monoid, op, identity, NULL, GRID_T_UDT, "GrB_Monoid_new_UDT");
}

GrB_Info GxB_Monoid_terminal_new_UDT(GrB_Monoid *monoid, GrB_BinaryOp op, void *identity, void *terminal) {
  const char *call = "GxB_Monoid_terminal_new_UDT";
  if (terminal == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument terminal is NULL", call);
  return new_monoid(monoid, op, identity, terminal, GRID_T_UDT, call);
}
