/* Casts between the predefined types, by the rules of cast_rules.h. */
#include <string.h>

#include "semiring/cast_rules.h"
#include "semiring/levels.h"
#include "semiring/semiring.h"

typedef void (*cast_loop)(void *z, const void *x, size_t xstep, size_t n);

/* One pair of types: a value at any place, and an array. */
#define CAST(Z, X)                                                                           \
  static inline GRID_C_##Z value_##Z##_##X(GRID_C_##X x) {                                   \
    return GRID_CAST(Z, X, x);                                                               \
  }                                                                                          \
  static void cast_##Z##_##X(void *z, const void *x, size_t size) {                          \
    (void)size;                                                                              \
    GRID_C_##X a;                                                                            \
    memcpy(&a, x, sizeof a);                                                                 \
    GRID_C_##Z c = value_##Z##_##X(a);                                                       \
    memcpy(z, &c, sizeof c);                                                                 \
  }                                                                                          \
  GRID_LEVELS static void loop_##Z##_##X(void *zv, const void *xv, size_t xstep, size_t n) { \
    GRID_C_##Z *z = zv;                                                                      \
    const GRID_C_##X *x = xv;                                                                \
    if (xstep != 0) {                                                                        \
      for (size_t k = 0; k < n; k++) z[k] = value_##Z##_##X(x[k]);                           \
    } else if (n > 0) {                                                                      \
      const GRID_C_##Z c = value_##Z##_##X(x[0]);                                            \
      for (size_t k = 0; k < n; k++) z[k] = c;                                               \
    }                                                                                        \
  }
#define CAST_ROW(Z, C) GRID_WITH_TYPES(CAST, Z)
GRID_TYPES(CAST_ROW)

#define VALUE(Z, X)     cast_##Z##_##X,
#define LOOP(Z, X)      loop_##Z##_##X,
#define VALUE_ROW(Z, C) {GRID_WITH_TYPES(VALUE, Z)},
#define LOOP_ROW(Z, C)  {GRID_WITH_TYPES(LOOP, Z)},
static const grid_cast_fn values[GRID_NTYPES][GRID_NTYPES] = {GRID_TYPES(VALUE_ROW)};
static const cast_loop loops[GRID_NTYPES][GRID_NTYPES] = {GRID_TYPES(LOOP_ROW)};

static void copy(void *z, const void *x, size_t size) {
  memcpy(z, x, size);
}

grid_cast_fn grid_cast(GrB_Type z, GrB_Type x) {
  if (!grid_compatible(z, x)) return NULL;
  return z->code == GRID_T_UDT ? copy : values[z->code][x->code];
}

void grid_cast_array(void *z, GrB_Type zt, const void *x, GrB_Type xt, size_t xstep, size_t n) {
  if (n == 0) return;
  if (zt == xt && xstep != 0) {
    memcpy(z, x, n * zt->size);
  } else if (zt->code == GRID_T_UDT) {
    for (size_t k = 0; k < n; k++) memcpy((char *)z + k * zt->size, x, zt->size);
  } else {
    loops[zt->code][xt->code](z, x, xstep, n);
  }
}

/* A user-defined value is never true: callers refuse value masks of such types. */
bool grid_is_true(GrB_Type t, const void *x) {
  if (t->code == GRID_T_UDT) return false;
  bool b;
  values[GRID_T_BOOL][t->code](&b, x, t->size);
  return b;
}
