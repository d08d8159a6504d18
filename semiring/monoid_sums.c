/* A reduction loop for each monoid of the table; see monoid_sums.h. */
#include "semiring/monoid_sums.h"

#include <string.h>

#include "semiring/builtin.h"
#include "semiring/support/simd_levels.h"
#include "semiring/loop_kinds.h"
#include "semiring/op_inline.h"

/* Returns the sum of full groups of `lanes` values (at least one), whose lanes are combined, and of the rest;
 * does nothing if NAN_IN(x, lanes). */
#define LANES_OF(NAN_IN, ADD, C, lanes)                              \
  do {                                                               \
    C s[lanes];                                                      \
    size_t k = lanes;                                                \
    if (NAN_IN(x, lanes)) break;                                     \
    for (size_t l = 0; l < lanes; l++) s[l] = x[l];                  \
    for (; k + lanes <= n; k += lanes)                               \
      for (size_t l = 0; l < lanes; l++) s[l] = ADD(s[l], x[k + l]); \
    for (size_t h = lanes / 2; h > 0; h /= 2)                        \
      for (size_t l = 0; l < h; l++) s[l] = ADD(s[l], s[l + h]);     \
    C z = s[0];                                                      \
    for (; k < n; k++) z = ADD(z, x[k]);                             \
    return z;                                                        \
  } while (0)
/* The same for one group of 4: lanes of short segments would take longer in an array. */
#define ONE_GROUP(NAN_IN, ADD, C)                    \
  do {                                               \
    if (NAN_IN(x, 4)) break;                         \
    C z = ADD(ADD(x[0], x[2]), ADD(x[1], x[3]));     \
    for (size_t k = 4; k < n; k++) z = ADD(z, x[k]); \
    return z;                                        \
  } while (0)

/* MIN and MAX of floating-point numbers: one comparison suffices for a sum that is not NaN. So values are
 * added in lanes if none of those that begin a lane is NaN. */
#define IS_NAME(OP, NAME)    (strcmp(#OP, NAME) == 0)
#define IS_FP_MIN_MAX(OP, T) ((GRID_C_##T)0.5 == 0.5 && (IS_NAME(OP, "MIN") || IS_NAME(OP, "MAX")))

#define COMPUTE(OP, T, ID)                                                                             \
  GRID_INLINE GRID_C_##T next_##OP##_##T(GRID_C_##T s, GRID_C_##T x) {                                 \
    if (IS_FP_MIN_MAX(OP, T)) return (IS_NAME(OP, "MIN") ? x < s : x > s) ? x : s;                     \
    return grid_val_##OP##_##T(s, x);                                                                  \
  }                                                                                                    \
  GRID_INLINE bool nan_##OP##_##T(const GRID_C_##T *x, size_t n) {                                     \
    bool nan = false;                                                                                  \
    for (size_t l = 0; IS_FP_MIN_MAX(OP, T) && l < n; l++) nan |= x[l] != x[l];                        \
    return nan;                                                                                        \
  }                                                                                                    \
  GRID_INLINE GRID_C_##T sum_##OP##_##T(const GRID_C_##T *x, size_t n) {                               \
    enum { LONG_LANES = 64 / sizeof(GRID_C_##T), SHORT_LANES = 4 };                                    \
    if (n >= 2 * LONG_LANES)                                                                           \
      LANES_OF(nan_##OP##_##T, next_##OP##_##T, GRID_C_##T, LONG_LANES);                               \
    else if (n >= 2 * SHORT_LANES)                                                                     \
      LANES_OF(nan_##OP##_##T, next_##OP##_##T, GRID_C_##T, SHORT_LANES);                              \
    else if (n >= SHORT_LANES)                                                                         \
      ONE_GROUP(nan_##OP##_##T, next_##OP##_##T, GRID_C_##T);                                          \
    GRID_C_##T z = x[0];                                                                               \
    for (size_t k = 1; k < n; k++) z = grid_val_##OP##_##T(z, x[k]);                                   \
    return z;                                                                                          \
  }                                                                                                    \
  GRID_LEVELS static void sums_##OP##_##T(void *zv, const void *xv, const uint64_t *start, size_t n) { \
    GRID_C_##T *z = zv;                                                                                \
    const GRID_C_##T *x = xv;                                                                          \
    for (size_t v = 0; v < n; v++)                                                                     \
      if (start[v] < start[v + 1]) z[v] = sum_##OP##_##T(x + start[v], start[v + 1] - start[v]);       \
  }
/* Loops without arithmetic of their own: ANY gives the last value. */
#define SAME(OP, T, LOOP)                                                                \
  static void sums_##OP##_##T(void *z, const void *x, const uint64_t *start, size_t n) { \
    LOOP(z, x, start, n);                                                                \
  }
#define UNSIGNED(OP, T, ID) SAME(OP, T, sums_##OP##_U##T)
#define LOGIC(OP, T, ID)    SAME(OP, T, SUMS_OF(GRID_LOGIC_##OP, T))
#define SUMS_OF(OP, T)      SUMS_OF2(OP, T)
#define SUMS_OF2(OP, T)     sums_##OP##_##T
#define COPY_Y(OP, T, ID)                                                                  \
  static void sums_##OP##_##T(void *zv, const void *xv, const uint64_t *start, size_t n) { \
    GRID_C_##T *z = zv;                                                                    \
    const GRID_C_##T *x = xv;                                                              \
    for (size_t v = 0; v < n; v++)                                                         \
      if (start[v] < start[v + 1]) z[v] = x[start[v + 1] - 1];                             \
  }
#define DECLARE(P, OP, T, ID, TERM, HAS, IDEM) \
  static void sums_##OP##_##T(void *z, const void *x, const uint64_t *start, size_t n);
#define SUMS(P, OP, T, ID, TERM, HAS, IDEM) GRID_KIND(OP, T)(OP, T, ID)
GRID_MONOIDS(DECLARE)
GRID_MONOIDS_UNNAMED(DECLARE)
GRID_MONOIDS(SUMS)
GRID_MONOIDS_UNNAMED(SUMS)

#define ROW(P, OP, T, ID, TERM, HAS, IDEM) \
  [GRID_OP_##OP][GRID_T_##T] = {&grid_binary_##OP##_##T, sums_##OP##_##T},
static const struct {
  GrB_BinaryOp op;
  grid_sums_loop loop;
} rows[GRID_NOPS][GRID_NPREDEFINED_TYPES] = {GRID_MONOIDS(ROW) GRID_MONOIDS_UNNAMED(ROW)};

grid_sums_loop grid_sums_of(GrB_BinaryOp op) {
  const int type = (int)op->z->code;
  if (type >= GRID_NPREDEFINED_TYPES || rows[op->op][type].op != op) return NULL;
  return rows[op->op][type].loop;
}
