/* gridblas_table.h: THE operator table. Every predefined type, operator, monoid, semiring and descriptor is
 * one row here, and nowhere else. Declarations (GraphBLAS.h), function-pointer kernels, specialised product
 * kernels, CUDA kernels and tests are made from these rows by defining a macro X and handing it to a list:
 *
 *   GRID_TYPES(X)             X(T, C) T: BOOL ... FP64, C: the C type (complex types: gridblas_table_gxb.h,
 *     with all objects named GxB_)
 *   GRID_UNARY_OPS(X)         X(P, NAME, OP, T, Z, E) object P_NAME (GrB_ABS_INT8); z = E(x)
 *   GRID_BINARY_OPS(X)        X(P, NAME, OP, T, Z, UX, UY, E) z = E(x, y); x and y of type T, z of type Z;
 *                                                               UX, UY: does the result depend on x, on y?
 *   GRID_INDEX_OPS(X)         X(P, NAME, OP, T, Y, Z, UX, E) z = E(x, i, j, y); x (type T) counts if UX
 *   GRID_MONOIDS(X)           X(P, OP, T, ID, TERM, HAS, IDEM) object P_OP_MONOID_T; terminal TERM if HAS is
 *     1
 *   GRID_MONOIDS_UNNAMED(X)   the same rows for monoids without a predefined object
 *   GRID_SEMIRINGS(X)         X(ADD, MUL, T)
 *   GRID_DESCRIPTORS(X)       X(NAME, replace, structure, complement, tran0, tran1)
 *
 * P is GrB (the standard's) or Grid (ours; such an object also has its GxB_ name). OP is the operator's name
 * whatever the type: PLUS, LOR, ... Every binary operator row gives an inline function grid_op_OP_T
 * (semiring/op_inline.h). E is the name of a macro below that takes the C type first. With the name of a
 * class (BOOL, INT, UINT, FP) appended it is the expression for that class. So one text serves C and CUDA. */
#ifndef GRIDBLAS_TABLE_H
#define GRIDBLAS_TABLE_H
/* clang-format off */

/* ---- types ------------------------------------------------------------------------------------------- */

#define GRID_TYPES(X) X(BOOL, bool) GRID_NUMERIC_TYPES(X)
#define GRID_NUMERIC_TYPES(X) GRID_INT_TYPES(X) GRID_UINT_TYPES(X) GRID_FP_TYPES(X)
#define GRID_INT_TYPES(X) X(INT8, int8_t) X(INT16, int16_t) X(INT32, int32_t) X(INT64, int64_t)
#define GRID_UINT_TYPES(X) X(UINT8, uint8_t) X(UINT16, uint16_t) X(UINT32, uint32_t) X(UINT64, uint64_t)
#define GRID_FP_TYPES(X) X(FP32, float) X(FP64, double)
/* X(A, T) for every type: for a list inside GRID_TYPES, where that cannot be used again. */
#define GRID_WITH_TYPES(X, A)                                                                                  \
  X(A, BOOL) X(A, INT8) X(A, INT16) X(A, INT32) X(A, INT64) X(A, UINT8) X(A, UINT16) X(A, UINT32) X(A, UINT64) \
  X(A, FP32) X(A, FP64)

/* C type, class and limits by type name. */
#define GRID_C_BOOL bool
#define GRID_C_INT8 int8_t
#define GRID_C_INT16 int16_t
#define GRID_C_INT32 int32_t
#define GRID_C_INT64 int64_t
#define GRID_C_UINT8 uint8_t
#define GRID_C_UINT16 uint16_t
#define GRID_C_UINT32 uint32_t
#define GRID_C_UINT64 uint64_t
#define GRID_C_FP32 float
#define GRID_C_FP64 double
#define GRID_CLASS_BOOL BOOL
#define GRID_CLASS_INT8 INT
#define GRID_CLASS_INT16 INT
#define GRID_CLASS_INT32 INT
#define GRID_CLASS_INT64 INT
#define GRID_CLASS_UINT8 UINT
#define GRID_CLASS_UINT16 UINT
#define GRID_CLASS_UINT32 UINT
#define GRID_CLASS_UINT64 UINT
#define GRID_CLASS_FP32 FP
#define GRID_CLASS_FP64 FP
#define GRID_LEAST_BOOL false
#define GRID_LEAST_INT8 INT8_MIN
#define GRID_LEAST_INT16 INT16_MIN
#define GRID_LEAST_INT32 INT32_MIN
#define GRID_LEAST_INT64 INT64_MIN
#define GRID_LEAST_UINT8 0
#define GRID_LEAST_UINT16 0
#define GRID_LEAST_UINT32 0
#define GRID_LEAST_UINT64 0
#define GRID_LEAST_FP32 (-INFINITY)
#define GRID_LEAST_FP64 (-(double)INFINITY)
#define GRID_MOST_BOOL true
#define GRID_MOST_INT8 INT8_MAX
#define GRID_MOST_INT16 INT16_MAX
#define GRID_MOST_INT32 INT32_MAX
#define GRID_MOST_INT64 INT64_MAX
#define GRID_MOST_UINT8 UINT8_MAX
#define GRID_MOST_UINT16 UINT16_MAX
#define GRID_MOST_UINT32 UINT32_MAX
#define GRID_MOST_UINT64 UINT64_MAX
#define GRID_MOST_FP32 INFINITY
#define GRID_MOST_FP64 ((double)INFINITY)

/* GRID_EXPR(PLUS, FP64) is the macro GRID_E_PLUS_FP, ready to be called with (C type, least, most, x, y). */
#define GRID_PASTE2(a, b) a##b
#define GRID_PASTE(a, b) GRID_PASTE2(a, b)
#define GRID_EXPR(E, T) GRID_PASTE(GRID_E_##E##_, GRID_CLASS_##T)
#define GRID_CALL1(E, T, x) GRID_EXPR(E, T)(GRID_C_##T, GRID_LEAST_##T, GRID_MOST_##T, x)
#define GRID_CALL2(E, T, x, y) GRID_EXPR(E, T)(GRID_C_##T, GRID_LEAST_##T, GRID_MOST_##T, x, y)

/* ---- expressions: C is the C type, lo and hi its least and greatest value ---------------------------- */

/* Whole-number arithmetic wraps: it is done on uint64_t, where overflow is defined, and cut back to C. */
#define GRID_WRAP(C, a, op, b) ((C)((uint64_t)(a) op (uint64_t)(b)))

/* unary */
#define GRID_E_IDENTITY_BOOL(C, lo, hi, x) (x)
#define GRID_E_IDENTITY_INT(C, lo, hi, x) (x)
#define GRID_E_IDENTITY_UINT(C, lo, hi, x) (x)
#define GRID_E_IDENTITY_FP(C, lo, hi, x) (x)
#define GRID_E_AINV_BOOL(C, lo, hi, x) (x)
#define GRID_E_AINV_INT(C, lo, hi, x) GRID_WRAP(C, 0, -, x)
#define GRID_E_AINV_UINT(C, lo, hi, x) GRID_WRAP(C, 0, -, x)
#define GRID_E_AINV_FP(C, lo, hi, x) (-(x))
#define GRID_E_ABS_BOOL(C, lo, hi, x) (x)
#define GRID_E_ABS_INT(C, lo, hi, x) ((x) < 0 ? GRID_WRAP(C, 0, -, x) : (x))
#define GRID_E_ABS_UINT(C, lo, hi, x) (x)
#define GRID_E_ABS_FP(C, lo, hi, x) ((C)fabs(x))
#define GRID_E_MINV_BOOL(C, lo, hi, x) ((void)(x), true)
#define GRID_E_MINV_INT(C, lo, hi, x) GRID_E_DIV_INT(C, lo, hi, (C)1, x)
#define GRID_E_MINV_UINT(C, lo, hi, x) GRID_E_DIV_UINT(C, lo, hi, (C)1, x)
#define GRID_E_MINV_FP(C, lo, hi, x) ((C)1 / (x))
#define GRID_E_LNOT_BOOL(C, lo, hi, x) (!(x))
#define GRID_E_LNOT_INT(C, lo, hi, x) ((C)!(x))
#define GRID_E_LNOT_UINT(C, lo, hi, x) ((C)!(x))
#define GRID_E_LNOT_FP(C, lo, hi, x) ((C)((x) == 0))
#define GRID_E_BNOT_INT(C, lo, hi, x) ((C) ~(x))
#define GRID_E_BNOT_UINT(C, lo, hi, x) ((C) ~(x))
#define GRID_E_ONE_BOOL(C, lo, hi, x) ((void)(x), true)
#define GRID_E_ONE_INT(C, lo, hi, x) ((void)(x), (C)1)
#define GRID_E_ONE_UINT(C, lo, hi, x) ((void)(x), (C)1)
#define GRID_E_ONE_FP(C, lo, hi, x) ((void)(x), (C)1)
/* Exact: every processor gives the same result. */
#define GRID_E_SQRT_FP(C, lo, hi, x) ((C)sqrt(x))
#define GRID_E_SIGNUM_FP(C, lo, hi, x) ((x) != (x) ? (x) : (C)((x) < 0 ? -1 : (x) > 0))
#define GRID_E_CEIL_FP(C, lo, hi, x) ((C)ceil(x))
#define GRID_E_FLOOR_FP(C, lo, hi, x) ((C)floor(x))
#define GRID_E_ROUND_FP(C, lo, hi, x) ((C)round(x))
#define GRID_E_TRUNC_FP(C, lo, hi, x) ((C)trunc(x))
#define GRID_E_ISINF_FP(C, lo, hi, x) (fabs(x) == (C)INFINITY)
#define GRID_E_ISNAN_FP(C, lo, hi, x) ((x) != (x))
#define GRID_E_ISFINITE_FP(C, lo, hi, x) (fabs(x) < (C)INFINITY)

/* binary */
#define GRID_E_FIRST_BOOL(C, lo, hi, x, y) (x)
#define GRID_E_FIRST_INT(C, lo, hi, x, y) (x)
#define GRID_E_FIRST_UINT(C, lo, hi, x, y) (x)
#define GRID_E_FIRST_FP(C, lo, hi, x, y) (x)
#define GRID_E_SECOND_BOOL(C, lo, hi, x, y) (y)
#define GRID_E_SECOND_INT(C, lo, hi, x, y) (y)
#define GRID_E_SECOND_UINT(C, lo, hi, x, y) (y)
#define GRID_E_SECOND_FP(C, lo, hi, x, y) (y)
#define GRID_E_ONEB_BOOL(C, lo, hi, x, y) ((C)1)
#define GRID_E_ONEB_INT(C, lo, hi, x, y) ((C)1)
#define GRID_E_ONEB_UINT(C, lo, hi, x, y) ((C)1)
#define GRID_E_ONEB_FP(C, lo, hi, x, y) ((C)1)
#define GRID_E_ANY_BOOL(C, lo, hi, x, y) (y)
#define GRID_E_ANY_INT(C, lo, hi, x, y) (y)
#define GRID_E_ANY_UINT(C, lo, hi, x, y) (y)
#define GRID_E_ANY_FP(C, lo, hi, x, y) (y)
/* fmin and fmax: a NaN loses against a number; of equals it is x. NaN is asked for first: that branch is never taken, and
 * what is left is one instruction. */
#define GRID_E_MIN_BOOL(C, lo, hi, x, y) ((x) && (y))
#define GRID_E_MIN_INT(C, lo, hi, x, y) ((x) < (y) ? (x) : (y))
#define GRID_E_MIN_UINT(C, lo, hi, x, y) ((x) < (y) ? (x) : (y))
#define GRID_E_MIN_FP(C, lo, hi, x, y) ((x) != (x) ? (y) : (y) < (x) ? (y) : (x))
#define GRID_E_MAX_BOOL(C, lo, hi, x, y) ((x) || (y))
#define GRID_E_MAX_INT(C, lo, hi, x, y) ((x) > (y) ? (x) : (y))
#define GRID_E_MAX_UINT(C, lo, hi, x, y) ((x) > (y) ? (x) : (y))
#define GRID_E_MAX_FP(C, lo, hi, x, y) ((x) != (x) ? (y) : (y) > (x) ? (y) : (x))
#define GRID_E_PLUS_BOOL(C, lo, hi, x, y) ((x) || (y))
#define GRID_E_PLUS_INT(C, lo, hi, x, y) GRID_WRAP(C, x, +, y)
#define GRID_E_PLUS_UINT(C, lo, hi, x, y) GRID_WRAP(C, x, +, y)
#define GRID_E_PLUS_FP(C, lo, hi, x, y) ((x) + (y))
#define GRID_E_MINUS_BOOL(C, lo, hi, x, y) ((x) != (y))
#define GRID_E_MINUS_INT(C, lo, hi, x, y) GRID_WRAP(C, x, -, y)
#define GRID_E_MINUS_UINT(C, lo, hi, x, y) GRID_WRAP(C, x, -, y)
#define GRID_E_MINUS_FP(C, lo, hi, x, y) ((x) - (y))
#define GRID_E_TIMES_BOOL(C, lo, hi, x, y) ((x) && (y))
#define GRID_E_TIMES_INT(C, lo, hi, x, y) GRID_WRAP(C, x, *, y)
#define GRID_E_TIMES_UINT(C, lo, hi, x, y) GRID_WRAP(C, x, *, y)
#define GRID_E_TIMES_FP(C, lo, hi, x, y) ((x) * (y))
/* Whole numbers divided by zero: 0 for 0/0, else the greatest or (below zero) the least value; lo / -1 wraps.
 * */
#define GRID_E_DIV_BOOL(C, lo, hi, x, y) (x)
#define GRID_E_DIV_INT(C, lo, hi, x, y) \
  ((y) == -1 ? GRID_WRAP(C, 0, -, x) : (y) != 0 ? (C)((x) / (y)) : (C)((x) == 0 ? 0 : (x) < 0 ? lo : hi))
#define GRID_E_DIV_UINT(C, lo, hi, x, y) ((y) != 0 ? (C)((x) / (y)) : (C)((x) == 0 ? 0 : hi))
#define GRID_E_DIV_FP(C, lo, hi, x, y) ((x) / (y))
#define GRID_E_RMINUS_BOOL(C, lo, hi, x, y) GRID_E_MINUS_BOOL(C, lo, hi, y, x)
#define GRID_E_RMINUS_INT(C, lo, hi, x, y) GRID_E_MINUS_INT(C, lo, hi, y, x)
#define GRID_E_RMINUS_UINT(C, lo, hi, x, y) GRID_E_MINUS_UINT(C, lo, hi, y, x)
#define GRID_E_RMINUS_FP(C, lo, hi, x, y) GRID_E_MINUS_FP(C, lo, hi, y, x)
#define GRID_E_RDIV_BOOL(C, lo, hi, x, y) GRID_E_DIV_BOOL(C, lo, hi, y, x)
#define GRID_E_RDIV_INT(C, lo, hi, x, y) GRID_E_DIV_INT(C, lo, hi, y, x)
#define GRID_E_RDIV_UINT(C, lo, hi, x, y) GRID_E_DIV_UINT(C, lo, hi, y, x)
#define GRID_E_RDIV_FP(C, lo, hi, x, y) GRID_E_DIV_FP(C, lo, hi, y, x)
/* comparisons and logic: z is BOOL */
#define GRID_E_EQ_BOOL(C, lo, hi, x, y) ((x) == (y))
#define GRID_E_EQ_INT(C, lo, hi, x, y) ((x) == (y))
#define GRID_E_EQ_UINT(C, lo, hi, x, y) ((x) == (y))
#define GRID_E_EQ_FP(C, lo, hi, x, y) ((x) == (y))
#define GRID_E_NE_BOOL(C, lo, hi, x, y) ((x) != (y))
#define GRID_E_NE_INT(C, lo, hi, x, y) ((x) != (y))
#define GRID_E_NE_UINT(C, lo, hi, x, y) ((x) != (y))
#define GRID_E_NE_FP(C, lo, hi, x, y) ((x) != (y))
#define GRID_E_GT_BOOL(C, lo, hi, x, y) ((x) && !(y))
#define GRID_E_GT_INT(C, lo, hi, x, y) ((x) > (y))
#define GRID_E_GT_UINT(C, lo, hi, x, y) ((x) > (y))
#define GRID_E_GT_FP(C, lo, hi, x, y) ((x) > (y))
#define GRID_E_LT_BOOL(C, lo, hi, x, y) (!(x) && (y))
#define GRID_E_LT_INT(C, lo, hi, x, y) ((x) < (y))
#define GRID_E_LT_UINT(C, lo, hi, x, y) ((x) < (y))
#define GRID_E_LT_FP(C, lo, hi, x, y) ((x) < (y))
#define GRID_E_GE_BOOL(C, lo, hi, x, y) ((x) || !(y))
#define GRID_E_GE_INT(C, lo, hi, x, y) ((x) >= (y))
#define GRID_E_GE_UINT(C, lo, hi, x, y) ((x) >= (y))
#define GRID_E_GE_FP(C, lo, hi, x, y) ((x) >= (y))
#define GRID_E_LE_BOOL(C, lo, hi, x, y) (!(x) || (y))
#define GRID_E_LE_INT(C, lo, hi, x, y) ((x) <= (y))
#define GRID_E_LE_UINT(C, lo, hi, x, y) ((x) <= (y))
#define GRID_E_LE_FP(C, lo, hi, x, y) ((x) <= (y))
#define GRID_E_LOR_BOOL(C, lo, hi, x, y) ((x) || (y))
#define GRID_E_LAND_BOOL(C, lo, hi, x, y) ((x) && (y))
#define GRID_E_LXOR_BOOL(C, lo, hi, x, y) ((x) != (y))
#define GRID_E_LXNOR_BOOL(C, lo, hi, x, y) ((x) == (y))
/* comparisons and logic whose z has the operands' type: 1 or 0 */
#define GRID_E_ISEQ_BOOL(C, lo, hi, x, y) ((C)GRID_E_EQ_BOOL(C, lo, hi, x, y))
#define GRID_E_ISEQ_INT(C, lo, hi, x, y) ((C)GRID_E_EQ_INT(C, lo, hi, x, y))
#define GRID_E_ISEQ_UINT(C, lo, hi, x, y) ((C)GRID_E_EQ_UINT(C, lo, hi, x, y))
#define GRID_E_ISEQ_FP(C, lo, hi, x, y) ((C)GRID_E_EQ_FP(C, lo, hi, x, y))
#define GRID_E_ISNE_BOOL(C, lo, hi, x, y) ((C)GRID_E_NE_BOOL(C, lo, hi, x, y))
#define GRID_E_ISNE_INT(C, lo, hi, x, y) ((C)GRID_E_NE_INT(C, lo, hi, x, y))
#define GRID_E_ISNE_UINT(C, lo, hi, x, y) ((C)GRID_E_NE_UINT(C, lo, hi, x, y))
#define GRID_E_ISNE_FP(C, lo, hi, x, y) ((C)GRID_E_NE_FP(C, lo, hi, x, y))
#define GRID_E_ISGT_BOOL(C, lo, hi, x, y) ((C)GRID_E_GT_BOOL(C, lo, hi, x, y))
#define GRID_E_ISGT_INT(C, lo, hi, x, y) ((C)GRID_E_GT_INT(C, lo, hi, x, y))
#define GRID_E_ISGT_UINT(C, lo, hi, x, y) ((C)GRID_E_GT_UINT(C, lo, hi, x, y))
#define GRID_E_ISGT_FP(C, lo, hi, x, y) ((C)GRID_E_GT_FP(C, lo, hi, x, y))
#define GRID_E_ISLT_BOOL(C, lo, hi, x, y) ((C)GRID_E_LT_BOOL(C, lo, hi, x, y))
#define GRID_E_ISLT_INT(C, lo, hi, x, y) ((C)GRID_E_LT_INT(C, lo, hi, x, y))
#define GRID_E_ISLT_UINT(C, lo, hi, x, y) ((C)GRID_E_LT_UINT(C, lo, hi, x, y))
#define GRID_E_ISLT_FP(C, lo, hi, x, y) ((C)GRID_E_LT_FP(C, lo, hi, x, y))
#define GRID_E_ISGE_BOOL(C, lo, hi, x, y) ((C)GRID_E_GE_BOOL(C, lo, hi, x, y))
#define GRID_E_ISGE_INT(C, lo, hi, x, y) ((C)GRID_E_GE_INT(C, lo, hi, x, y))
#define GRID_E_ISGE_UINT(C, lo, hi, x, y) ((C)GRID_E_GE_UINT(C, lo, hi, x, y))
#define GRID_E_ISGE_FP(C, lo, hi, x, y) ((C)GRID_E_GE_FP(C, lo, hi, x, y))
#define GRID_E_ISLE_BOOL(C, lo, hi, x, y) ((C)GRID_E_LE_BOOL(C, lo, hi, x, y))
#define GRID_E_ISLE_INT(C, lo, hi, x, y) ((C)GRID_E_LE_INT(C, lo, hi, x, y))
#define GRID_E_ISLE_UINT(C, lo, hi, x, y) ((C)GRID_E_LE_UINT(C, lo, hi, x, y))
#define GRID_E_ISLE_FP(C, lo, hi, x, y) ((C)GRID_E_LE_FP(C, lo, hi, x, y))
#define GRID_E_LOR_INT(C, lo, hi, x, y) ((C)((x) != 0 || (y) != 0))
#define GRID_E_LOR_UINT(C, lo, hi, x, y) ((C)((x) != 0 || (y) != 0))
#define GRID_E_LOR_FP(C, lo, hi, x, y) ((C)((x) != 0 || (y) != 0))
#define GRID_E_LAND_INT(C, lo, hi, x, y) ((C)((x) != 0 && (y) != 0))
#define GRID_E_LAND_UINT(C, lo, hi, x, y) ((C)((x) != 0 && (y) != 0))
#define GRID_E_LAND_FP(C, lo, hi, x, y) ((C)((x) != 0 && (y) != 0))
#define GRID_E_LXOR_INT(C, lo, hi, x, y) ((C)(((x) != 0) != ((y) != 0)))
#define GRID_E_LXOR_UINT(C, lo, hi, x, y) ((C)(((x) != 0) != ((y) != 0)))
#define GRID_E_LXOR_FP(C, lo, hi, x, y) ((C)(((x) != 0) != ((y) != 0)))
#define GRID_E_BOR_INT(C, lo, hi, x, y) ((C)((x) | (y)))
#define GRID_E_BOR_UINT(C, lo, hi, x, y) ((C)((x) | (y)))
#define GRID_E_BAND_INT(C, lo, hi, x, y) ((C)((x) & (y)))
#define GRID_E_BAND_UINT(C, lo, hi, x, y) ((C)((x) & (y)))
#define GRID_E_BXOR_INT(C, lo, hi, x, y) ((C)((x) ^ (y)))
#define GRID_E_BXOR_UINT(C, lo, hi, x, y) ((C)((x) ^ (y)))
#define GRID_E_BXNOR_INT(C, lo, hi, x, y) ((C) ~((x) ^ (y)))
#define GRID_E_BXNOR_UINT(C, lo, hi, x, y) ((C) ~((x) ^ (y)))

/* index-unary: C is the type of the result; i and j are GrB_Index, y a signed number. A difference of two
 * indices fits into int64_t (indices are below 2^60) while index + y may not, so bands are compared by
 * differences. */
#define GRID_GAP(j, i) ((int64_t)(j) - (int64_t)(i))
#define GRID_I_ROWINDEX(C, x, i, j, y) GRID_WRAP(C, i, +, y)
#define GRID_I_COLINDEX(C, x, i, j, y) GRID_WRAP(C, j, +, y)
#define GRID_I_DIAGINDEX(C, x, i, j, y) GRID_WRAP(C, GRID_GAP(j, i), -, y)
#define GRID_I_TRIL(C, x, i, j, y) (GRID_GAP(j, i) <= (y))
#define GRID_I_TRIU(C, x, i, j, y) (GRID_GAP(j, i) >= (y))
#define GRID_I_DIAG(C, x, i, j, y) (GRID_GAP(j, i) == (y))
#define GRID_I_OFFDIAG(C, x, i, j, y) (GRID_GAP(j, i) != (y))
#define GRID_I_COLLE(C, x, i, j, y) ((int64_t)(j) <= (y))
#define GRID_I_COLGT(C, x, i, j, y) ((int64_t)(j) > (y))
#define GRID_I_ROWLE(C, x, i, j, y) ((int64_t)(i) <= (y))
#define GRID_I_ROWGT(C, x, i, j, y) ((int64_t)(i) > (y))
#define GRID_I_VALUEEQ(C, x, i, j, y) ((x) == (y))
#define GRID_I_VALUENE(C, x, i, j, y) ((x) != (y))
#define GRID_I_VALUELT(C, x, i, j, y) ((x) < (y))
#define GRID_I_VALUELE(C, x, i, j, y) ((x) <= (y))
#define GRID_I_VALUEGT(C, x, i, j, y) ((x) > (y))
#define GRID_I_VALUEGE(C, x, i, j, y) ((x) >= (y))

/* ---- operator names: the codes GRID_OP_... in semiring/op_codes.h ------------------------------------ */

#define GRID_UNARY_NAMES(X) X(IDENTITY) X(AINV) X(MINV) X(ABS) X(LNOT) X(BNOT) X(ONE)
#define GRID_BINARY_NAMES(X) \
  X(FIRST) X(SECOND) X(ONEB) X(ANY) X(MIN) X(MAX) X(PLUS) X(MINUS) X(TIMES) X(DIV) \
  X(EQ) X(NE) X(GT) X(LT) X(GE) X(LE) X(LOR) X(LAND) X(LXOR) X(LXNOR) X(BOR) X(BAND) X(BXOR) X(BXNOR) X(SECONDI) \
  X(RMINUS) X(RDIV) X(ISEQ) X(ISNE) X(ISGT) X(ISLT) X(ISGE) X(ISLE)
#define GRID_INDEX_NAMES(X)                                                                                   \
  X(ROWINDEX) X(COLINDEX) X(DIAGINDEX) X(TRIL) X(TRIU) X(DIAG) X(OFFDIAG) X(COLLE) X(COLGT) X(ROWLE) X(ROWGT) \
  X(VALUEEQ) X(VALUENE) X(VALUELT) X(VALUELE) X(VALUEGT) X(VALUEGE)

/* ---- unary operators --------------------------------------------------------------------------------- */

#define GRID_U(X, OP, T) X(GrB, OP##_##T, OP, T, T, OP)
#define GRID_U_INT(X, OP)                                                            \
  GRID_U(X, OP, INT8) GRID_U(X, OP, INT16) GRID_U(X, OP, INT32) GRID_U(X, OP, INT64) \
  GRID_U(X, OP, UINT8) GRID_U(X, OP, UINT16) GRID_U(X, OP, UINT32) GRID_U(X, OP, UINT64)
#define GRID_U_NUM(X, OP) GRID_U_INT(X, OP) GRID_U(X, OP, FP32) GRID_U(X, OP, FP64)
#define GRID_U_ALL(X, OP) GRID_U(X, OP, BOOL) GRID_U_NUM(X, OP)
#define GRID_UNARY_OPS(X)                                                                                \
  GRID_U_ALL(X, IDENTITY) GRID_U_ALL(X, AINV) GRID_U_ALL(X, MINV) GRID_U_ALL(X, ABS) GRID_U_INT(X, BNOT) \
  X(GrB, LNOT, LNOT, BOOL, BOOL, LNOT)

/* ---- binary operators -------------------------------------------------------------------------------- */

/* same: T x T -> T; test: T x T -> BOOL */
#define GRID_B(X, P, OP, T, UX, UY) X(P, OP##_##T, OP, T, T, UX, UY, OP)
#define GRID_B_INT(X, P, OP, UX, UY)                                                               \
  GRID_B(X, P, OP, INT8, UX, UY) GRID_B(X, P, OP, INT16, UX, UY) GRID_B(X, P, OP, INT32, UX, UY)   \
  GRID_B(X, P, OP, INT64, UX, UY) GRID_B(X, P, OP, UINT8, UX, UY) GRID_B(X, P, OP, UINT16, UX, UY) \
  GRID_B(X, P, OP, UINT32, UX, UY) GRID_B(X, P, OP, UINT64, UX, UY)
#define GRID_B_ALL(X, P, OP, UX, UY)                                                         \
  GRID_B(X, P, OP, BOOL, UX, UY) GRID_B_INT(X, P, OP, UX, UY) GRID_B(X, P, OP, FP32, UX, UY) \
  GRID_B(X, P, OP, FP64, UX, UY)
#define GRID_TEST(X, OP, T) X(GrB, OP##_##T, OP, T, BOOL, 1, 1, OP)
#define GRID_TEST_ALL(X, OP) \
  GRID_TEST(X, OP, BOOL) GRID_TEST(X, OP, INT8) GRID_TEST(X, OP, INT16) GRID_TEST(X, OP, INT32) \
  GRID_TEST(X, OP, INT64) GRID_TEST(X, OP, UINT8) GRID_TEST(X, OP, UINT16) GRID_TEST(X, OP, UINT32) \
  GRID_TEST(X, OP, UINT64) GRID_TEST(X, OP, FP32) GRID_TEST(X, OP, FP64)
#define GRID_LOGIC(X, OP) X(GrB, OP, OP, BOOL, BOOL, 1, 1, OP)
#define GRID_BINARY_OPS(X)                                                                                 \
  GRID_B_ALL(X, GrB, FIRST, 1, 0) GRID_B_ALL(X, GrB, SECOND, 0, 1) GRID_B_ALL(X, GrB, ONEB, 0, 0)          \
  GRID_B_ALL(X, GrB, MIN, 1, 1) GRID_B_ALL(X, GrB, MAX, 1, 1) GRID_B_ALL(X, GrB, PLUS, 1, 1)               \
  GRID_B_ALL(X, GrB, MINUS, 1, 1) GRID_B_ALL(X, GrB, TIMES, 1, 1) GRID_B_ALL(X, GrB, DIV, 1, 1)            \
  GRID_TEST_ALL(X, EQ) GRID_TEST_ALL(X, NE) GRID_TEST_ALL(X, GT) GRID_TEST_ALL(X, LT) GRID_TEST_ALL(X, GE) \
  GRID_TEST_ALL(X, LE)                                                                                     \
  GRID_LOGIC(X, LOR) GRID_LOGIC(X, LAND) GRID_LOGIC(X, LXOR) GRID_LOGIC(X, LXNOR)                          \
  GRID_B_INT(X, GrB, BOR, 1, 1) GRID_B_INT(X, GrB, BAND, 1, 1) GRID_B_INT(X, GrB, BXOR, 1, 1)              \
  GRID_B_INT(X, GrB, BXNOR, 1, 1)                                                                          \
  GRID_B_ALL(X, Grid, ANY, 1, 1)

/* ---- index-unary operators --------------------------------------------------------------------------- */

#define GRID_X_INDEX(X, OP) \
  X(GrB, OP##_INT32, OP, INT32, INT32, INT32, 0, OP) X(GrB, OP##_INT64, OP, INT64, INT64, INT64, 0, OP)
#define GRID_X_POSITION(X, OP) X(GrB, OP, OP, INT64, INT64, BOOL, 0, OP)
#define GRID_X_VALUE(X, OP, T) X(GrB, OP##_##T, OP, T, T, BOOL, 1, OP)
#define GRID_X_VALUES(X, OP)                                                                                    \
  GRID_X_VALUE(X, OP, BOOL) GRID_X_VALUE(X, OP, INT8) GRID_X_VALUE(X, OP, INT16) GRID_X_VALUE(X, OP, INT32)     \
  GRID_X_VALUE(X, OP, INT64) GRID_X_VALUE(X, OP, UINT8) GRID_X_VALUE(X, OP, UINT16) GRID_X_VALUE(X, OP, UINT32) \
  GRID_X_VALUE(X, OP, UINT64) GRID_X_VALUE(X, OP, FP32) GRID_X_VALUE(X, OP, FP64)
#define GRID_INDEX_OPS(X)                                                                                 \
  GRID_X_INDEX(X, ROWINDEX) GRID_X_INDEX(X, COLINDEX) GRID_X_INDEX(X, DIAGINDEX)                          \
  GRID_X_POSITION(X, TRIL) GRID_X_POSITION(X, TRIU) GRID_X_POSITION(X, DIAG) GRID_X_POSITION(X, OFFDIAG)              \
  GRID_X_POSITION(X, COLLE) GRID_X_POSITION(X, COLGT) GRID_X_POSITION(X, ROWLE) GRID_X_POSITION(X, ROWGT)             \
  GRID_X_VALUES(X, VALUEEQ) GRID_X_VALUES(X, VALUENE) GRID_X_VALUES(X, VALUELT) GRID_X_VALUES(X, VALUELE) \
  GRID_X_VALUES(X, VALUEGT) GRID_X_VALUES(X, VALUEGE)

/* ---- monoids ----------------------------------------------------------------------------------------- */

#define GRID_M_MIN(X, T) X(GrB, MIN, T, GRID_MOST_##T, GRID_LEAST_##T, 1, 1)
#define GRID_M_MAX(X, T) X(GrB, MAX, T, GRID_LEAST_##T, GRID_MOST_##T, 1, 1)
#define GRID_M_PLUS(X, T) X(GrB, PLUS, T, 0, 0, 0, 0)
#define GRID_M_TIMES(X, T) X(GrB, TIMES, T, 1, 0, 1, 0)
#define GRID_M_TIMES_FP(X, T) X(GrB, TIMES, T, 1, 0, 0, 0) /* 0 * NaN and 0 * infinity are not 0 */
/* ANY stops at every value: `any` in struct GrB_Monoid_opaque says so, not a terminal value. */
#define GRID_M_ANY(X, T) X(Grid, ANY, T, 0, 0, 0, 1)
#define GRID_M_INT(X, M) \
  M(X, INT8) M(X, INT16) M(X, INT32) M(X, INT64) M(X, UINT8) M(X, UINT16) M(X, UINT32) M(X, UINT64)
#define GRID_M_NUM(X, M) GRID_M_INT(X, M) M(X, FP32) M(X, FP64)
#define GRID_MONOIDS(X) \
  GRID_M_NUM(X, GRID_M_MIN) GRID_M_NUM(X, GRID_M_MAX) GRID_M_NUM(X, GRID_M_PLUS) GRID_M_INT(X, GRID_M_TIMES) \
  GRID_M_TIMES_FP(X, FP32) GRID_M_TIMES_FP(X, FP64) \
  X(GrB, LOR, BOOL, false, true, 1, 1) X(GrB, LAND, BOOL, true, false, 1, 1) \
  X(GrB, LXOR, BOOL, false, 0, 0, 0) X(GrB, LXNOR, BOOL, true, 0, 0, 0) \
  GRID_M_ANY(X, BOOL) GRID_M_NUM(X, GRID_M_ANY)
/* Monoids that GrB_Monoid_new knows by their operator, beside those above, though no predefined object stands
 * for them. */
#define GRID_M_BOR(X, T) X(GrB, BOR, T, 0, (GRID_C_##T) ~(GRID_C_##T)0, 1, 1)
#define GRID_M_BAND(X, T) X(GrB, BAND, T, (GRID_C_##T) ~(GRID_C_##T)0, 0, 1, 1)
#define GRID_M_BXOR(X, T) X(GrB, BXOR, T, 0, 0, 0, 0)
#define GRID_M_BXNOR(X, T) X(GrB, BXNOR, T, (GRID_C_##T) ~(GRID_C_##T)0, 0, 0, 0)
#define GRID_MONOIDS_UNNAMED(X) \
  GRID_M_INT(X, GRID_M_BOR) GRID_M_INT(X, GRID_M_BAND) GRID_M_INT(X, GRID_M_BXOR) GRID_M_INT(X, GRID_M_BXNOR) \
  X(GrB, MIN, BOOL, true, false, 1, 1) X(GrB, TIMES, BOOL, true, false, 1, 1) \
  X(GrB, MAX, BOOL, false, true, 1, 1) X(GrB, PLUS, BOOL, false, true, 1, 1) \
  X(GrB, NE, BOOL, false, 0, 0, 0) X(GrB, MINUS, BOOL, false, 0, 0, 0) X(GrB, EQ, BOOL, true, 0, 0, 0)

/* ---- semirings: object P_ADD_MUL_SEMIRING_T ---------------------------------------------------------- */

#define GRID_S_NUM(X, ADD, MUL)                                                  \
  X(ADD, MUL, INT8) X(ADD, MUL, INT16) X(ADD, MUL, INT32) X(ADD, MUL, INT64)     \
  X(ADD, MUL, UINT8) X(ADD, MUL, UINT16) X(ADD, MUL, UINT32) X(ADD, MUL, UINT64) \
  X(ADD, MUL, FP32) X(ADD, MUL, FP64)
#define GRID_S_ALL(X, ADD, MUL) X(ADD, MUL, BOOL) GRID_S_NUM(X, ADD, MUL)
/* The standard's. */
#define GRID_SEMIRINGS_GRB(X)                                                                             \
  GRID_S_NUM(X, PLUS, TIMES) GRID_S_NUM(X, PLUS, MIN)                                                     \
  GRID_S_NUM(X, MIN, PLUS) GRID_S_NUM(X, MIN, TIMES) GRID_S_NUM(X, MIN, FIRST) GRID_S_NUM(X, MIN, SECOND) \
  GRID_S_NUM(X, MIN, MAX)                                                                                 \
  GRID_S_NUM(X, MAX, PLUS) GRID_S_NUM(X, MAX, TIMES) GRID_S_NUM(X, MAX, FIRST) GRID_S_NUM(X, MAX, SECOND) \
  GRID_S_NUM(X, MAX, MIN)                                                                                 \
  X(LOR, LAND, BOOL) X(LAND, LOR, BOOL) X(LXOR, LAND, BOOL) X(LXNOR, LOR, BOOL)
/* Ours. SECONDI is the inner index k of a product A(i,k) * x(k): it looks at no value. */
#define GRID_SEMIRINGS_GRID(X)                                                                \
  X(ANY, SECONDI, INT32) X(ANY, SECONDI, INT64) X(MIN, SECONDI, INT32) X(MIN, SECONDI, INT64) \
  GRID_S_ALL(X, ANY, ONEB) GRID_S_ALL(X, ANY, FIRST) GRID_S_ALL(X, ANY, SECOND) GRID_S_NUM(X, PLUS, ONEB)
#define GRID_SEMIRINGS(X) GRID_SEMIRINGS_GRB(X) GRID_SEMIRINGS_GRID(X)

/* ---- descriptors: object GrB_DESC_NAME --------------------------------------------------------------- */

/* X(NAME, replace, structure, complement, tran0, tran1) */
#define GRID_DESCRIPTORS(X)                                                                   \
  X(T1, 0, 0, 0, 0, 1) X(T0, 0, 0, 0, 1, 0) X(T0T1, 0, 0, 0, 1, 1)                            \
  X(C, 0, 0, 1, 0, 0) X(CT1, 0, 0, 1, 0, 1) X(CT0, 0, 0, 1, 1, 0) X(CT0T1, 0, 0, 1, 1, 1)     \
  X(S, 0, 1, 0, 0, 0) X(ST1, 0, 1, 0, 0, 1) X(ST0, 0, 1, 0, 1, 0) X(ST0T1, 0, 1, 0, 1, 1)     \
  X(SC, 0, 1, 1, 0, 0) X(SCT1, 0, 1, 1, 0, 1) X(SCT0, 0, 1, 1, 1, 0) X(SCT0T1, 0, 1, 1, 1, 1) \
  X(R, 1, 0, 0, 0, 0) X(RT1, 1, 0, 0, 0, 1) X(RT0, 1, 0, 0, 1, 0) X(RT0T1, 1, 0, 0, 1, 1)     \
  X(RC, 1, 0, 1, 0, 0) X(RCT1, 1, 0, 1, 0, 1) X(RCT0, 1, 0, 1, 1, 0) X(RCT0T1, 1, 0, 1, 1, 1) \
  X(RS, 1, 1, 0, 0, 0) X(RST1, 1, 1, 0, 0, 1) X(RST0, 1, 1, 0, 1, 0) X(RST0T1, 1, 1, 0, 1, 1) \
  X(RSC, 1, 1, 1, 0, 0) X(RSCT1, 1, 1, 1, 0, 1) X(RSCT0, 1, 1, 1, 1, 0) X(RSCT0T1, 1, 1, 1, 1, 1)

#endif
