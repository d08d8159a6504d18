/* The kernels of one semiring: ADDER and MULTIPLIER, names of the operator table, and TYPE are given; ADDER
 * and MULTIPLIER are undefined at the end. */
#ifndef GRID_MXM_SEMIRING_H
#define GRID_MXM_SEMIRING_H
#include "semiring/op_inline.h"
#include "spmat/cpu/kernels/multiplier_operands.h"
#include "spmat/cpu/kernels/mxv_monoid_macros.h"
#include "spmat/cpu/mxm/mxm_kernels.h"

#define MXM_NAME2(f, ADD, MUL) f##_##ADD##_##MUL
#define MXM_NAME(f, ADD, MUL)  MXM_NAME2(f, ADD, MUL)
#define MXM_CALL(OP, T, x, y)  GRID_CALL2(OP, T, x, y)

/* The start of a sum: START + t has the bits of t, also for t = -0.0 or NaN. */
#define MXM_START_PLUS_INT(T)     0
#define MXM_START_MIN_INT(T)      GRID_MOST_##T
#define MXM_START_MAX_INT(T)      GRID_LEAST_##T
#define MXM_START_PLUS_FP(T)      (GRID_C_##T)(-0.0)
#define MXM_START_MIN_FP(T)       (GRID_C_##T) NAN
#define MXM_START_MAX_FP(T)       (GRID_C_##T) NAN
#define MXM_START_LOR_BOOL(T)     false
#define MXM_START_LAND_BOOL(T)    true
#define MXM_START2(ADD, CLASS, T) MXM_START_##ADD##_##CLASS(T)
#define MXM_START1(ADD, CLASS, T) MXM_START2(ADD, CLASS, T)
#define MXM_START(ADD, T)         MXM_START1(ADD, GRID_PASTE(GRID_CLASS_, T), T)

#define MXM_COUNTS_PLUS_ONEB 1
#endif

#define KERNEL(f)  MXM_NAME(f, ADDER, MULTIPLIER)
#define Z          GRID_PASTE(GRID_C_, TYPE)
#define A          Z
#define X          Z
#define USES_A     GRID_PASTE(USES_A_, MULTIPLIER)
#define USES_X     GRID_PASTE(USES_X_, MULTIPLIER)
#define MUL(a, x)  MXM_CALL(MULTIPLIER, TYPE, a, x)
#define POSITION   0
#define ANY        0
#define STRUCTURAL 0
#define ADD(z, t)  MXM_CALL(ADDER, TYPE, z, t)
#define STARTS     1
#define START      MXM_START(ADDER, TYPE)
#define STOP       GRID_PASTE(STOP_, ADDER)
#define STOPS(z)   GRID_PASTE(STOPS_, ADDER)(z)
#define COUNTS     MXM_NAME(MXM_COUNTS, ADDER, MULTIPLIER)
#include "spmat/cpu/mxm/mxm_rows.h"
#undef ADDER
#undef MULTIPLIER
