/* Compiled kernels that multiply matrices over ANY, with the values of one operand or the inner index; over
 * the minimum inner index; and over patterns. */
#include <stddef.h>

#include "spmat/cpu/mxm/mxm_kernels.h"

#define NAME2(f, WHAT, WORD) f##_##WHAT##_##WORD
#define NAME(f, WHAT, WORD)  NAME2(f, WHAT, WORD)
#define WORD                 uint8_t
#include "spmat/cpu/mxm/mxm_any_type.h"
#undef WORD
#define WORD uint16_t
#include "spmat/cpu/mxm/mxm_any_type.h"
#undef WORD
#define WORD uint32_t
#include "spmat/cpu/mxm/mxm_any_type.h"
#undef WORD
#define WORD uint64_t
#include "spmat/cpu/mxm/mxm_any_type.h"
#undef WORD

#define ROW(MUL) {NULL, NAME(rows, MUL, WORD), NAME(masked, MUL, WORD), NAME(dots, MUL, WORD)},
const mxm_kernels grid_mxm_kernels_any[4][MXM_NANY] = {
#define WORD uint8_t
    {MXM_ANY_MULS(ROW)},
#undef WORD
#define WORD uint16_t
    {MXM_ANY_MULS(ROW)},
#undef WORD
#define WORD uint32_t
    {MXM_ANY_MULS(ROW)},
#undef WORD
#define WORD uint64_t
    {MXM_ANY_MULS(ROW)},
#undef WORD
};

#define WORD int32_t
#include "spmat/cpu/mxm/mxm_positional.h"
#undef WORD
#define WORD int64_t
#include "spmat/cpu/mxm/mxm_positional.h"
#undef WORD
#define PAIR(f, WORD) \
  { NULL, rows_##f##_##WORD, masked_##f##_##WORD, dots_##f##_##WORD }
const mxm_kernels grid_mxm_kernels_any_position[2] = {PAIR(any, int32_t), PAIR(any, int64_t)},
                  grid_mxm_kernels_min_position[2] = {PAIR(min, int32_t), PAIR(min, int64_t)};

#define KERNEL(f)  f##_structural
#define USES_A     0
#define USES_X     0
#define POSITION   0
#define ANY        1
#define STRUCTURAL 1
#define STARTS     0
#define STOP       0
#define COUNTS     0
#include "spmat/cpu/mxm/mxm_rows.h"

const mxm_kernels grid_mxm_kernels_structural = {NULL, rows_structural, masked_structural, dots_structural};
