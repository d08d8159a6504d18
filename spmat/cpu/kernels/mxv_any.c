/* Compiled product kernels of ANY, with the values of one operand or the inner index, and of the minimum
 * inner index. */
#include "spmat/cpu/kernels/mxv_kernels.h"

#define KERNEL_NAME2(f, MUL, WORD) f##_##MUL##_##WORD
#define KERNEL_NAME(f, MUL, WORD)  KERNEL_NAME2(f, MUL, WORD)

#define WORD uint8_t
#include "spmat/cpu/kernels/mxv_any_type.h"
#undef WORD
#define WORD uint16_t
#include "spmat/cpu/kernels/mxv_any_type.h"
#undef WORD
#define WORD uint32_t
#include "spmat/cpu/kernels/mxv_any_type.h"
#undef WORD
#define WORD uint64_t
#include "spmat/cpu/kernels/mxv_any_type.h"
#undef WORD

#define ROW(WORD, MUL) {pull_##MUL##_##WORD, push_##MUL##_##WORD},
const grid_ranges grid_kernels_any[4][GRID_NANY_MULS] = {{GRID_KERNEL_ANY_MULS(ROW, uint8_t)},
                                                         {GRID_KERNEL_ANY_MULS(ROW, uint16_t)},
                                                         {GRID_KERNEL_ANY_MULS(ROW, uint32_t)},
                                                         {GRID_KERNEL_ANY_MULS(ROW, uint64_t)}};

#define WORD int32_t
#include "spmat/cpu/kernels/mxv_positional.h"
#undef WORD
#define WORD int64_t
#include "spmat/cpu/kernels/mxv_positional.h"
#undef WORD

#define PAIR(f, WORD) \
  { pull_##f##_##WORD, push_##f##_##WORD }
const grid_ranges grid_kernels_any_position[2] = {PAIR(any, int32_t), PAIR(any, int64_t)},
                  grid_kernels_first_position[2] = {PAIR(first, int32_t), PAIR(first, int64_t)},
                  grid_kernels_min_position[2] = {PAIR(min, int32_t), PAIR(min, int64_t)};
