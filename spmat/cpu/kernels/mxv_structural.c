/* The product of patterns: y has bits only. */
#include "spmat/cpu/kernels/mxv_kernels.h"

#define KERNEL(f)  f##_structural
#define USES_A     0
#define ANY        1
#define STRUCTURAL 1
#include "spmat/cpu/kernels/mxv_range.h"

const grid_ranges grid_kernels_structural = {pull_structural, push_structural};
