/* The semirings with compiled kernels that multiply matrices: tables by type, indexed by the positions in the
 * lists below. */
#ifndef GRID_MXM_KERNELS_H
#define GRID_MXM_KERNELS_H
#include "semiring/op_codes.h"
#include "spmat/cpu/mxm/mxm_job.h"

/* X(ADD, MUL): for numbers */
#define MXM_PAIRS(X) \
  X(PLUS, TIMES)     \
  X(PLUS, FIRST)     \
  X(PLUS, SECOND)    \
  X(PLUS, ONEB)      \
  X(PLUS, MIN)       \
  X(MIN, PLUS)       \
  X(MIN, FIRST) X(MIN, SECOND) X(MIN, MAX) X(MAX, PLUS) X(MAX, FIRST) X(MAX, SECOND) X(MAX, MIN) X(MAX, TIMES)
/* for BOOL, where PLUS and MAX are LOR, TIMES and MIN are LAND */
#define MXM_BOOL_PAIRS(X) X(LOR, LAND) X(LOR, FIRST) X(LOR, SECOND) X(LAND, LOR)
/* for ANY: one kernel for all types of a size */
#define MXM_ANY_MULS(X) X(FIRST) X(SECOND)

#define MXM_ONE1(a)    +1
#define MXM_ONE2(a, b) +1
enum {
  MXM_NPAIRS = 0 MXM_PAIRS(MXM_ONE2),
  MXM_NBOOL_PAIRS = 0 MXM_BOOL_PAIRS(MXM_ONE2),
  MXM_NANY = 0 MXM_ANY_MULS(MXM_ONE1)
};
#undef MXM_ONE1
#undef MXM_ONE2

extern const mxm_kernels grid_mxm_kernels_FP32[MXM_NPAIRS], grid_mxm_kernels_FP64[MXM_NPAIRS],
    grid_mxm_kernels_INT32[MXM_NPAIRS], grid_mxm_kernels_INT64[MXM_NPAIRS];
extern const mxm_kernels grid_mxm_kernels_BOOL[MXM_NBOOL_PAIRS];
/* by the binary logarithm of the size in bytes */
extern const mxm_kernels grid_mxm_kernels_any[4][MXM_NANY];
/* the inner index, as INT32 and INT64 */
extern const mxm_kernels grid_mxm_kernels_any_position[2], grid_mxm_kernels_min_position[2];
extern const mxm_kernels grid_mxm_kernels_structural; /* patterns */
#endif
