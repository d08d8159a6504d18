/* The kernels of TYPE, a numeric type, and their table. */
#define ADDER      PLUS
#define MULTIPLIER TIMES
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      PLUS
#define MULTIPLIER FIRST
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      PLUS
#define MULTIPLIER SECOND
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      PLUS
#define MULTIPLIER ONEB
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      PLUS
#define MULTIPLIER MIN
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MIN
#define MULTIPLIER PLUS
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MIN
#define MULTIPLIER FIRST
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MIN
#define MULTIPLIER SECOND
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MIN
#define MULTIPLIER MAX
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MAX
#define MULTIPLIER PLUS
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MAX
#define MULTIPLIER FIRST
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MAX
#define MULTIPLIER SECOND
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MAX
#define MULTIPLIER MIN
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      MAX
#define MULTIPLIER TIMES
#include "spmat/cpu/mxm/mxm_semiring.h"

#define ROW(ADD, MUL)                                                                          \
  {start_##ADD##_##MUL, rows_##ADD##_##MUL,        masked_##ADD##_##MUL,   dots_##ADD##_##MUL, \
   full_##ADD##_##MUL,  full_masked_##ADD##_##MUL, full_dots_##ADD##_##MUL},
const mxm_kernels GRID_PASTE(grid_mxm_kernels_, TYPE)[MXM_NPAIRS] = {MXM_PAIRS(ROW)};
