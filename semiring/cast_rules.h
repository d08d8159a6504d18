/* Cast rules between predefined types as expressions for C and CUDA. To BOOL: x != 0. Floating point to
 * integer saturates, NaN gives 0. To a narrower integer wraps; to floating point rounds. */
#ifndef GRID_CAST_RULES_H
#define GRID_CAST_RULES_H

/* GRID_CAST_<class of z>_<class of x>(C type of z, minimum, maximum, x, C type of x) */
#define GRID_CAST_BOOL(C, lo, hi, x)  ((x) != 0)
#define GRID_CAST_PLAIN(C, lo, hi, x) ((C)(x))
/* Limits are compared in x's type, where hi may round up: then x >= hi is out of range, too. */
#define GRID_CAST_SATURATE(C, lo, hi, x, XC) \
  ((x) != (x) ? (C)0 : (x) <= (XC)(lo) ? (C)(lo) : (x) >= (XC)(hi) ? (C)(hi) : (C)(x))
#define GRID_CAST_BOOL_BOOL(C, lo, hi, x, XC) GRID_CAST_BOOL(C, lo, hi, x)
#define GRID_CAST_BOOL_INT(C, lo, hi, x, XC)  GRID_CAST_BOOL(C, lo, hi, x)
#define GRID_CAST_BOOL_UINT(C, lo, hi, x, XC) GRID_CAST_BOOL(C, lo, hi, x)
#define GRID_CAST_BOOL_FP(C, lo, hi, x, XC)   GRID_CAST_BOOL(C, lo, hi, x)
#define GRID_CAST_INT_BOOL(C, lo, hi, x, XC)  GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_INT_INT(C, lo, hi, x, XC)   GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_INT_UINT(C, lo, hi, x, XC)  GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_INT_FP(C, lo, hi, x, XC)    GRID_CAST_SATURATE(C, lo, hi, x, XC)
#define GRID_CAST_UINT_BOOL(C, lo, hi, x, XC) GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_UINT_INT(C, lo, hi, x, XC)  GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_UINT_UINT(C, lo, hi, x, XC) GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_UINT_FP(C, lo, hi, x, XC)   GRID_CAST_SATURATE(C, lo, hi, x, XC)
#define GRID_CAST_FP_BOOL(C, lo, hi, x, XC)   GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_FP_INT(C, lo, hi, x, XC)    GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_FP_UINT(C, lo, hi, x, XC)   GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_FP_FP(C, lo, hi, x, XC)     GRID_CAST_PLAIN(C, lo, hi, x)
#define GRID_CAST_NAME2(a, b)                 GRID_CAST_##a##_##b
#define GRID_CAST_NAME(a, b)                  GRID_CAST_NAME2(a, b)

/* x, of type X, as type Z. */
#define GRID_CAST(Z, X, x) \
  GRID_CAST_NAME(GRID_CLASS_##Z, GRID_CLASS_##X)(GRID_C_##Z, GRID_LEAST_##Z, GRID_MOST_##Z, x, GRID_C_##X)

#endif
