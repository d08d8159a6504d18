/* The semirings with compiled kernels, by type (mxv_fp32.c, mxv_fp64.c, mxv_int32.c, mxv_int64.c, mxv_bool.c,
 * mxv_any.c): tables indexed by the positions of monoids and multipliers in the lists below; NULL: none. */
#ifndef GRID_MXV_KERNELS_H
#define GRID_MXV_KERNELS_H
#include "semiring/op_codes.h"
#include "spmat/cpu/kernels/mxv_job.h"

/* X(ADD) and X(ADD, MUL): for numbers */
#define GRID_KERNEL_ADDS(X) X(PLUS) X(MIN) X(MAX)
#define GRID_KERNEL_MULS(X, ADD) \
  X(ADD, TIMES) X(ADD, PLUS) X(ADD, FIRST) X(ADD, SECOND) X(ADD, ONEB) X(ADD, MIN) X(ADD, MAX)
/* for BOOL, where PLUS and MAX are LOR, TIMES and MIN are LAND */
#define GRID_KERNEL_BOOL_ADDS(X)      X(LOR) X(LAND)
#define GRID_KERNEL_BOOL_MULS(X, ADD) X(ADD, LOR) X(ADD, LAND) X(ADD, FIRST) X(ADD, SECOND) X(ADD, ONEB)
/* for ANY: one kernel for all types of a size */
#define GRID_KERNEL_ANY_MULS(X, ADD) X(ADD, FIRST) X(ADD, SECOND)

#define GRID_COUNT1(ADD)      +1
#define GRID_COUNT2(ADD, MUL) +1
enum {
  GRID_NADDS = 0 GRID_KERNEL_ADDS(GRID_COUNT1),
  GRID_NMULS = 0 GRID_KERNEL_MULS(GRID_COUNT2, _),
  GRID_NBOOL_ADDS = 0 GRID_KERNEL_BOOL_ADDS(GRID_COUNT1),
  GRID_NBOOL_MULS = 0 GRID_KERNEL_BOOL_MULS(GRID_COUNT2, _),
  GRID_NANY_MULS = 0 GRID_KERNEL_ANY_MULS(GRID_COUNT2, _)
};
#undef GRID_COUNT1
#undef GRID_COUNT2

extern const grid_ranges grid_kernels_FP32[GRID_NADDS][GRID_NMULS], grid_kernels_FP64[GRID_NADDS][GRID_NMULS],
    grid_kernels_INT32[GRID_NADDS][GRID_NMULS], grid_kernels_INT64[GRID_NADDS][GRID_NMULS];
extern const grid_ranges grid_kernels_BOOL[GRID_NBOOL_ADDS][GRID_NBOOL_MULS];
/* by the binary logarithm of the size in bytes */
extern const grid_ranges grid_kernels_any[4][GRID_NANY_MULS];
/* the inner index: [0] as INT32, [1] as INT64; `first`: the minimum where positions ascend with the inner
 * index */
extern const grid_ranges grid_kernels_any_position[2], grid_kernels_first_position[2],
    grid_kernels_min_position[2];
/* Patterns: y has bits only. */
extern const grid_ranges grid_kernels_structural;
#endif
