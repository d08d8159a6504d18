/* Casts between the predefined types, by the rules of cast_rules.h; complex numbers by their parts. */
#include <string.h>

#include "semiring/cast_rules.h"
#include "semiring/support/simd_levels.h"
#include "semiring/semiring.h"

typedef void (*cast_loop)(void *z, const void *x, size_t n);

/* Casts one value at any alignment. */
#define CAST(Z, X)                                                  \
  static inline GRID_C_##Z value_##Z##_##X(GRID_C_##X x) {          \
    return GRID_CAST(Z, X, x);                                      \
  }                                                                 \
  static void cast_##Z##_##X(void *z, const void *x, size_t size) { \
    (void)size;                                                     \
    GRID_C_##X a;                                                   \
    memcpy(&a, x, sizeof a);                                        \
    GRID_C_##Z c = value_##Z##_##X(a);                              \
    memcpy(z, &c, sizeof c);                                        \
  }
#define CAST_ROW(Z, C) GRID_WITH_TYPES(CAST, Z)
GRID_TYPES(CAST_ROW)

/* ---- complex numbers: a complex one is true if a part is not 0, and else its real part is cast ---- */

#define PART_FC32       FP32
#define PART_FC64       FP64
#define VALUE_OF2(Z, X) value_##Z##_##X
#define VALUE_OF(Z, X)  VALUE_OF2(Z, X)
#define C_OF2(T)        GRID_C_##T
#define C_OF(T)         C_OF2(T)
#define TO_COMPLEX(Z, X)                                            \
  static void cast_##Z##_##X(void *z, const void *x, size_t size) { \
    (void)size;                                                     \
    GRID_C_##X a;                                                   \
    memcpy(&a, x, sizeof a);                                        \
    const C_OF(PART_##Z) part[2] = {VALUE_OF(PART_##Z, X)(a), 0};   \
    memcpy(z, part, sizeof part);                                   \
  }
#define FROM_COMPLEX(Z, X)                                          \
  static void cast_##Z##_##X(void *z, const void *x, size_t size) { \
    (void)size;                                                     \
    C_OF(PART_##X) part[2];                                         \
    memcpy(part, x, sizeof part);                                   \
    GRID_C_##Z c = VALUE_OF(Z, PART_##X)(part[0]);                  \
    if (GRID_T_##Z == GRID_T_BOOL && part[1] != 0) c = 1;           \
    memcpy(z, &c, sizeof c);                                        \
  }
#define BETWEEN_COMPLEX(Z, X)                                                          \
  static void cast_##Z##_##X(void *z, const void *x, size_t size) {                    \
    (void)size;                                                                        \
    C_OF(PART_##X) from[2];                                                            \
    memcpy(from, x, sizeof from);                                                      \
    const C_OF(PART_##Z) part[2] = {(C_OF(PART_##Z))from[0], (C_OF(PART_##Z))from[1]}; \
    memcpy(z, part, sizeof part);                                                      \
  }
#define TO_COMPLEX_ROW(Z, C)   GRID_WITH_TYPES(TO_COMPLEX, Z)
#define FROM_COMPLEX_ROW(Z, C) FROM_COMPLEX(Z, FC32) FROM_COMPLEX(Z, FC64)
GRID_COMPLEX_TYPES(TO_COMPLEX_ROW)
GRID_TYPES(FROM_COMPLEX_ROW)
BETWEEN_COMPLEX(FC32, FC32)
BETWEEN_COMPLEX(FC32, FC64)
BETWEEN_COMPLEX(FC64, FC32)
BETWEEN_COMPLEX(FC64, FC64)

/* ---- arrays ---- */

/* The type pairs with an array loop: one for both signs where the bits are the same (loop_of). */
#define FROM_INT(X, Z)  X(Z, INT8) X(Z, INT16) X(Z, INT32) X(Z, INT64)
#define FROM_UINT(X, Z) X(Z, UINT8) X(Z, UINT16) X(Z, UINT32) X(Z, UINT64)
#define FROM_FP(X, Z)   X(Z, FP32) X(Z, FP64)
#define TO_UINT(X, Z)   X(Z, BOOL) FROM_UINT(X, Z) FROM_FP(X, Z)
#define TO_FP(X, Z)     X(Z, BOOL) FROM_INT(X, Z) FROM_UINT(X, Z) FROM_FP(X, Z)
#define SIGN_EXTENDED(X) \
  X(UINT16, INT8) X(UINT32, INT8) X(UINT64, INT8) X(UINT32, INT16) X(UINT64, INT16) X(UINT64, INT32)
#define LOOPS(X)     \
  FROM_UINT(X, BOOL) \
  FROM_FP(X, BOOL)   \
  FROM_FP(X, INT8)   \
  FROM_FP(X, INT16)  \
  FROM_FP(X, INT32)  \
  FROM_FP(X, INT64)  \
  TO_UINT(X, UINT8)  \
  TO_UINT(X, UINT16) TO_UINT(X, UINT32) TO_UINT(X, UINT64) SIGN_EXTENDED(X) TO_FP(X, FP32) TO_FP(X, FP64)

/* z equals x or does not overlap it, so iterations are independent (GRID_IVDEP). */
#define LOOP(Z, X)                                                             \
  GRID_LEVELS static void loop_##Z##_##X(void *zv, const void *xv, size_t n) { \
    GRID_C_##Z *z = zv;                                                        \
    const GRID_C_##X *x = xv;                                                  \
    GRID_IVDEP for (size_t k = 0; k < n; k++) z[k] = value_##Z##_##X(x[k]);    \
  }
LOOPS(LOOP)

#define VALUE(Z, X)     cast_##Z##_##X,
#define VALUE_ROW(Z, C) {GRID_WITH_TYPES(VALUE, Z) cast_##Z##_FC32, cast_##Z##_FC64},
#define ENTRY(Z, X)     [GRID_T_##Z][GRID_T_##X] = loop_##Z##_##X,
static const grid_cast_fn values[GRID_NPREDEFINED_TYPES][GRID_NPREDEFINED_TYPES] = {
    GRID_TYPES(VALUE_ROW) GRID_COMPLEX_TYPES(VALUE_ROW)};
static const cast_loop loops[GRID_NTYPES][GRID_NTYPES] = {LOOPS(ENTRY)};

static bool is_signed(GrB_Type t) {
  return GRID_T_INT8 <= t->code && t->code <= GRID_T_INT64;
}
static bool is_floating(GrB_Type t) {
  return t->code == GRID_T_FP32 || t->code == GRID_T_FP64;
}
static GrB_Type unsigned_of(GrB_Type t) {
  return grid_types[t->code - GRID_T_INT8 + GRID_T_UINT8];
}

/* NULL: x and z have the same bits. */
static cast_loop loop_of(GrB_Type z, GrB_Type x) {
  if (is_signed(z) && !is_floating(x)) z = unsigned_of(z);
  if (is_signed(x) && !is_floating(z) && z->size <= x->size) x = unsigned_of(x);
  return z == x ? NULL : loops[z->code][x->code];
}

static void copy(void *z, const void *x, size_t size) {
  memcpy(z, x, size);
}

grid_cast_fn grid_cast(GrB_Type z, GrB_Type x) {
  if (!grid_compatible(z, x)) return NULL;
  return z->code == GRID_T_UDT ? copy : values[z->code][x->code];
}

static void cast_elements(void *z, GrB_Type zt, const void *x, GrB_Type xt, size_t n) {
  const grid_cast_fn one = values[zt->code][xt->code];
  for (size_t k = 0; k < n; k++) one((char *)z + k * zt->size, (const char *)x + k * xt->size, zt->size);
}

void grid_cast_array(void *z, GrB_Type zt, const void *x, GrB_Type xt, size_t xstep, size_t n) {
  if (n == 0) return;
  const bool real = grid_type_is_real(zt) && grid_type_is_real(xt);
  const cast_loop loop = zt == xt || !real ? NULL : loop_of(zt, xt);
  if (zt != xt && !real && xstep) {
    cast_elements(z, zt, x, xt, n);
  } else if (!loop && (zt == xt || real)) {
    grid_copy_array(z, x, xstep, zt->size, n);
  } else if (xstep == 0) {
    grid_any_value c;
    values[zt->code][xt->code](&c, x, zt->size);
    grid_copy_array(z, &c, 0, zt->size, n);
  } else {
    loop(z, x, n);
  }
}

/* A user-defined value is never true: callers reject value masks of such types. */
bool grid_is_true(GrB_Type t, const void *x) {
  if (t->code == GRID_T_UDT) return false;
  bool b;
  values[GRID_T_BOOL][t->code](&b, x, t->size);
  return b;
}
