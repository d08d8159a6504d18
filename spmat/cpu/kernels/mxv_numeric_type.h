/* The kernels of TYPE, a numeric type, and their table. A missing kernel is an undeclared name, a superfluous
 * one an unused function. */
#define MULTIPLIER TIMES
#include "spmat/cpu/kernels/mxv_monoids.h"
#undef MULTIPLIER
#define MULTIPLIER PLUS
#include "spmat/cpu/kernels/mxv_monoids.h"
#undef MULTIPLIER
#define MULTIPLIER FIRST
#include "spmat/cpu/kernels/mxv_monoids.h"
#undef MULTIPLIER
#define MULTIPLIER SECOND
#include "spmat/cpu/kernels/mxv_monoids.h"
#undef MULTIPLIER
#define MULTIPLIER ONEB
#include "spmat/cpu/kernels/mxv_monoids.h"
#undef MULTIPLIER
#define MULTIPLIER MIN
#include "spmat/cpu/kernels/mxv_monoids.h"
#undef MULTIPLIER
#define MULTIPLIER MAX
#include "spmat/cpu/kernels/mxv_monoids.h"
#undef MULTIPLIER

#define ROW(ADD, MUL) {pull_##ADD##_##MUL, push_##ADD##_##MUL},
#define ROWS(ADD)     {GRID_KERNEL_MULS(ROW, ADD)},
const grid_ranges GRID_PASTE(grid_kernels_, TYPE)[GRID_NADDS][GRID_NMULS] = {GRID_KERNEL_ADDS(ROWS)};
