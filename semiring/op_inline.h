/* Every operator of the table as inline functions, for kernels compiled for one operator:
 *   grid_val_PLUS_FP64(x, y)    on values (double, double -> double)
 *   grid_op_PLUS_FP64(z, x, y)  in memory of any alignment; z may equal x or y; an unused operand may be NULL
 * and likewise with one operand for unary operators. SECONDI has no function: its result is an index. */
#ifndef GRID_OP_INLINE_H
#define GRID_OP_INLINE_H
#include <math.h>
#include <string.h>

#include "GraphBLAS.h"

#if defined(__GNUC__)
#define GRID_INLINE static inline __attribute__((always_inline, unused))
#else
#define GRID_INLINE static inline
#endif

#define GRID_DEFINE(P, NAME, OP, T, Z, E)                       \
  GRID_INLINE GRID_C_##Z grid_val_##OP##_##T(GRID_C_##T x) {    \
    return GRID_CALL1(E, T, x);                                 \
  }                                                             \
  GRID_INLINE void grid_op_##OP##_##T(void *z, const void *x) { \
    GRID_C_##T a;                                               \
    memcpy(&a, x, sizeof a);                                    \
    GRID_C_##Z c = grid_val_##OP##_##T(a);                      \
    memcpy(z, &c, sizeof c);                                    \
  }
GRID_UNARY_OPS(GRID_DEFINE)
#undef GRID_DEFINE

#define GRID_DEFINE(P, NAME, OP, T, Z, UX, UY, E)                              \
  GRID_INLINE GRID_C_##Z grid_val_##OP##_##T(GRID_C_##T x, GRID_C_##T y) {     \
    (void)x, (void)y;                                                          \
    return GRID_CALL2(E, T, x, y);                                             \
  }                                                                            \
  GRID_INLINE void grid_op_##OP##_##T(void *z, const void *x, const void *y) { \
    GRID_C_##T a = 0, b = 0;                                                   \
    if (UX) memcpy(&a, x, sizeof a);                                           \
    if (UY) memcpy(&b, y, sizeof b);                                           \
    GRID_C_##Z c = grid_val_##OP##_##T(a, b);                                  \
    memcpy(z, &c, sizeof c);                                                   \
  }
GRID_BINARY_OPS(GRID_DEFINE)
#undef GRID_DEFINE
#endif
