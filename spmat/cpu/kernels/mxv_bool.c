/* The compiled product kernels of BOOL. */
#define TYPE       BOOL
#define ADDER      LOR
#define MULTIPLIER LOR
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#define MULTIPLIER LAND
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#define MULTIPLIER FIRST
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#define MULTIPLIER SECOND
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#define MULTIPLIER ONEB
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#undef ADDER
#define ADDER      LAND
#define MULTIPLIER LOR
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#define MULTIPLIER LAND
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#define MULTIPLIER FIRST
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#define MULTIPLIER SECOND
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER
#define MULTIPLIER ONEB
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef MULTIPLIER

#define ROW(ADD, MUL) {pull_##ADD##_##MUL, push_##ADD##_##MUL},
#define ROWS(ADD)     {GRID_KERNEL_BOOL_MULS(ROW, ADD)},
const grid_ranges grid_kernels_BOOL[GRID_NBOOL_ADDS][GRID_NBOOL_MULS] = {GRID_KERNEL_BOOL_ADDS(ROWS)};
