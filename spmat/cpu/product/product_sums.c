/* Sums of arrays of products: a loop for each predefined monoid. */
#include "semiring/op_inline.h"
#include "spmat/cpu/product/cpu_product.h"

/* z + t. A minimum of numbers is one instruction; a branch that is never taken handles NaN. */
#define NEXT(OP, T, z, t)                              \
  (GRID_OP_##OP == GRID_OP_MIN   ? (z) != (z)  ? (t)   \
                                   : (t) < (z) ? (t)   \
                                               : (z)   \
     : GRID_OP_##OP == GRID_OP_MAX ? (z) != (z)  ? (t) \
                                     : (t) > (z) ? (t) \
                                                 : (z) \
                                   : grid_val_##OP##_##T(z, t))

#define LOOPS(P, OP, T, ID, TERM, HAS, IDEM)                                                      \
  static void rows_##OP##_##T(void *yv, const grid_segment *s, size_t n, const void *tv) {        \
    GRID_C_##T *y = yv;                                                                           \
    const GRID_C_##T *t = tv;                                                                     \
    for (size_t k = 0; k < n; k++) {                                                              \
      const GRID_C_##T *end = t + s[k].n;                                                         \
      GRID_C_##T z = s[k].has_value ? y[s[k].v] : *t++;                                           \
      for (; t < end; t++) z = NEXT(OP, T, z, *t);                                                \
      y[s[k].v] = z;                                                                              \
    }                                                                                             \
  }                                                                                               \
  static uint64_t scatter_##OP##_##T(void *yv, uint64_t *bits, const uint32_t *v, const void *tv, \
                                     size_t n) {                                                  \
    GRID_C_##T *y = yv;                                                                           \
    const GRID_C_##T *t = tv;                                                                     \
    uint64_t found = 0;                                                                           \
    for (size_t k = 0; k < n; k++) {                                                              \
      uint64_t *word = &bits[v[k] >> 6], bit = UINT64_C(1) << (v[k] & 63);                        \
      if (*word & bit) {                                                                          \
        y[v[k]] = grid_val_##OP##_##T(y[v[k]], t[k]);                                             \
      } else {                                                                                    \
        y[v[k]] = t[k];                                                                           \
        *word |= bit;                                                                             \
        found++;                                                                                  \
      }                                                                                           \
    }                                                                                             \
    return found;                                                                                 \
  }
GRID_MONOIDS(LOOPS)
GRID_MONOIDS_UNNAMED(LOOPS)

#define ROW(P, OP, T, ID, TERM, HAS, IDEM) [GRID_OP_##OP][GRID_T_##T] = {rows_##OP##_##T, scatter_##OP##_##T},
static const grid_sums sums[GRID_NOPS][GRID_NTYPES] = {GRID_MONOIDS(ROW) GRID_MONOIDS_UNNAMED(ROW)};

const grid_sums *grid_find_sums(GrB_Monoid m) {
  const GrB_Type t = m->op->z;
  if (!grid_type_is_real(t) || m->op->x != t) return NULL;
  const grid_sums *s = &sums[m->op->op][t->code];
  return s->rows ? s : NULL;
}
