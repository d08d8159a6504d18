/* The compiled kernels of BOOL that multiply matrices. */
#define TYPE       BOOL
#define ADDER      LOR
#define MULTIPLIER LAND
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      LOR
#define MULTIPLIER FIRST
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      LOR
#define MULTIPLIER SECOND
#include "spmat/cpu/mxm/mxm_semiring.h"
#define ADDER      LAND
#define MULTIPLIER LOR
#include "spmat/cpu/mxm/mxm_semiring.h"

#define ROW(ADD, MUL)                                                                          \
  {start_##ADD##_##MUL, rows_##ADD##_##MUL,        masked_##ADD##_##MUL,   dots_##ADD##_##MUL, \
   full_##ADD##_##MUL,  full_masked_##ADD##_##MUL, full_dots_##ADD##_##MUL},
const mxm_kernels grid_mxm_kernels_BOOL[MXM_NBOOL_PAIRS] = {MXM_BOOL_PAIRS(ROW)};
