/* The kernels of one semiring, given by ADDER and MULTIPLIER, names of the operator table, and TYPE.
 * Properties that the source (mxv_range.h) needs besides the table's expressions are defined here and in
 * mxv_monoid_macros.h. */
#ifndef GRID_MXV_SEMIRING_H
#define GRID_MXV_SEMIRING_H
#include "semiring/op_inline.h"
#include "spmat/cpu/kernels/multiplier_operands.h"
#include "spmat/cpu/kernels/mxv_kernels.h"
#include "spmat/cpu/kernels/mxv_monoid_macros.h"

#define KERNEL_NAME2(f, ADD, MUL) f##_##ADD##_##MUL
#define KERNEL_NAME(f, ADD, MUL)  KERNEL_NAME2(f, ADD, MUL)
#define VALUE(T)                  GRID_PASTE(GRID_C_, T)
#define CALL(OP, T, x, y)         GRID_CALL2(OP, T, x, y)

/* Sums of ones, of integers: those of floating-point numbers are rounded one by one. */
#define COUNTS_PLUS_ONEB_INT        1
#define COUNTS_OF2(ADD, MUL, CLASS) COUNTS_##ADD##_##MUL##_##CLASS
#define COUNTS_OF(ADD, MUL, CLASS)  COUNTS_OF2(ADD, MUL, CLASS)

#endif

#define KERNEL(f)       KERNEL_NAME(f, ADDER, MULTIPLIER)
#define Z               VALUE(TYPE)
#define A               VALUE(TYPE)
#define X               VALUE(TYPE)
#define USES_A          GRID_PASTE(USES_A_, MULTIPLIER)
#define USES_X          GRID_PASTE(USES_X_, MULTIPLIER)
#define MUL(a, x)       CALL(MULTIPLIER, TYPE, a, x)
#define POSITION        0
#define ANY             0
#define ADD(z, t)       CALL(ADDER, TYPE, z, t)
#define PLAIN(z)        GRID_PASTE(PLAIN_, ADDER)(z)
#define ADD_PLAIN(z, t) GRID_PASTE(SUM_, ADDER)(z, t)
#define STOP            GRID_PASTE(STOP_, ADDER)
#define STOPS(z)        GRID_PASTE(STOPS_, ADDER)(z)
#define FIRST_HIT       0
#define COUNTS          COUNTS_OF(ADDER, MULTIPLIER, GRID_PASTE(GRID_CLASS_, TYPE))
#include "spmat/cpu/kernels/mxv_range.h"
