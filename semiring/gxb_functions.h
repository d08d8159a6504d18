/* Expressions of the operators of gridblas_table_gxb.h that are not in gridblas_table.h: they call the
 * mathematical library, or work on complex numbers. Like those, GRID_E_NAME_CLASS(C, lo, hi, x, y) for the
 * class of the operands' type; class FC: complex. Special cases are those of SuiteSparse:GraphBLAS. */
#ifndef GRID_GXB_FUNCTIONS_H
#define GRID_GXB_FUNCTIONS_H
#include <complex.h>
#undef I /* an index list elsewhere */
#include <math.h>

#include "gridblas_gxb_operators.h"
#include "semiring/cast_rules.h"
#include "semiring/op_inline.h"

/* The functions of the operand's precision. */
#define GRID_MATH(name, x)      _Generic((x), float : name##f, default : name)(x)
#define GRID_MATH2(name, x, y)  _Generic((x), float : name##f, default : name)(x, y)
#define GRID_CMATH(name, x)     _Generic((x), float _Complex : name##f, default : name)(x)
#define GRID_CMATH2(name, x, y) _Generic((x), float _Complex : name##f, default : name)(x, y)
#define GRID_REAL(x)            GRID_CMATH(creal, x)
#define GRID_IMAG(x)            GRID_CMATH(cimag, x)
#define GRID_COMPLEX(C, real, imag) \
  _Generic((C){0}, float _Complex : grid_complex_fp32, default : grid_complex_fp64)(real, imag)

GRID_INLINE float _Complex grid_complex_fp32(float real, float imag) {
  return GxB_CMPLXF(real, imag);
}
GRID_INLINE double _Complex grid_complex_fp64(double real, double imag) {
  return GxB_CMPLX(real, imag);
}

/* ---- real numbers ---- */

/* NaN if an operand is; else x^0 is 1. */
GRID_INLINE double grid_power(double x, double y) {
  return isnan(x) || isnan(y) ? (double)NAN : y == 0 ? 1 : pow(x, y);
}
GRID_INLINE float grid_powerf(float x, float y) {
  return isnan(x) || isnan(y) ? NAN : y == 0 ? 1 : powf(x, y);
}
GRID_INLINE double grid_mantissa(double x) {
  int exponent;
  return frexp(x, &exponent);
}
GRID_INLINE float grid_mantissaf(float x) {
  int exponent;
  return frexpf(x, &exponent);
}
GRID_INLINE double grid_exponent(double x) {
  int exponent = 0;
  (void)frexp(x, &exponent);
  return exponent;
}
GRID_INLINE float grid_exponentf(float x) {
  return (float)grid_exponent((double)x);
}
/* lgamma() stores a sign for all threads. */
GRID_INLINE double grid_log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}
GRID_INLINE float grid_log_gammaf(float x) {
  int sign;
  return lgammaf_r(x, &sign);
}
GRID_INLINE double grid_scale(double x, double y) {
  return ldexp(x, GRID_CAST(INT32, FP64, y));
}
GRID_INLINE float grid_scalef(float x, float y) {
  return ldexpf(x, GRID_CAST(INT32, FP32, y));
}

#define GRID_E_LOG_FP(C, lo, hi, x)    GRID_MATH(log, x)
#define GRID_E_EXP_FP(C, lo, hi, x)    GRID_MATH(exp, x)
#define GRID_E_LOG2_FP(C, lo, hi, x)   GRID_MATH(log2, x)
#define GRID_E_LOG10_FP(C, lo, hi, x)  GRID_MATH(log10, x)
#define GRID_E_EXP2_FP(C, lo, hi, x)   GRID_MATH(exp2, x)
#define GRID_E_EXPM1_FP(C, lo, hi, x)  GRID_MATH(expm1, x)
#define GRID_E_LOG1P_FP(C, lo, hi, x)  GRID_MATH(log1p, x)
#define GRID_E_SIN_FP(C, lo, hi, x)    GRID_MATH(sin, x)
#define GRID_E_COS_FP(C, lo, hi, x)    GRID_MATH(cos, x)
#define GRID_E_TAN_FP(C, lo, hi, x)    GRID_MATH(tan, x)
#define GRID_E_ASIN_FP(C, lo, hi, x)   GRID_MATH(asin, x)
#define GRID_E_ACOS_FP(C, lo, hi, x)   GRID_MATH(acos, x)
#define GRID_E_ATAN_FP(C, lo, hi, x)   GRID_MATH(atan, x)
#define GRID_E_SINH_FP(C, lo, hi, x)   GRID_MATH(sinh, x)
#define GRID_E_COSH_FP(C, lo, hi, x)   GRID_MATH(cosh, x)
#define GRID_E_TANH_FP(C, lo, hi, x)   GRID_MATH(tanh, x)
#define GRID_E_ASINH_FP(C, lo, hi, x)  GRID_MATH(asinh, x)
#define GRID_E_ACOSH_FP(C, lo, hi, x)  GRID_MATH(acosh, x)
#define GRID_E_ATANH_FP(C, lo, hi, x)  GRID_MATH(atanh, x)
#define GRID_E_CBRT_FP(C, lo, hi, x)   GRID_MATH(cbrt, x)
#define GRID_E_ERF_FP(C, lo, hi, x)    GRID_MATH(erf, x)
#define GRID_E_ERFC_FP(C, lo, hi, x)   GRID_MATH(erfc, x)
#define GRID_E_LGAMMA_FP(C, lo, hi, x) GRID_MATH(grid_log_gamma, x)
#define GRID_E_TGAMMA_FP(C, lo, hi, x) GRID_MATH(tgamma, x)
#define GRID_E_FREXPX_FP(C, lo, hi, x) GRID_MATH(grid_mantissa, x)
#define GRID_E_FREXPE_FP(C, lo, hi, x) GRID_MATH(grid_exponent, x)

#define GRID_E_POW_BOOL(C, lo, hi, x, y) ((x) || !(y))
#define GRID_E_POW_INT(C, lo, hi, x, y) \
  GRID_CAST_SATURATE(C, lo, hi, grid_power((double)(x), (double)(y)), double)
#define GRID_E_POW_UINT(C, lo, hi, x, y)     GRID_E_POW_INT(C, lo, hi, x, y)
#define GRID_E_POW_FP(C, lo, hi, x, y)       GRID_MATH2(grid_power, x, y)
#define GRID_E_ATAN2_FP(C, lo, hi, x, y)     GRID_MATH2(atan2, x, y)
#define GRID_E_HYPOT_FP(C, lo, hi, x, y)     GRID_MATH2(hypot, x, y)
#define GRID_E_FMOD_FP(C, lo, hi, x, y)      GRID_MATH2(fmod, x, y)
#define GRID_E_REMAINDER_FP(C, lo, hi, x, y) GRID_MATH2(remainder, x, y)
#define GRID_E_COPYSIGN_FP(C, lo, hi, x, y)  GRID_MATH2(copysign, x, y)
#define GRID_E_LDEXP_FP(C, lo, hi, x, y)     GRID_MATH2(grid_scale, x, y)
#define GRID_E_CMPLX_FP(C, lo, hi, x, y) \
  _Generic((x), float : grid_complex_fp32, default : grid_complex_fp64)(x, y)

/* ---- bits; number 1 is the lowest ---- */

#define GRID_BITS(C)       ((int)sizeof(C) * 8)
#define GRID_HAS_BIT(C, y) ((y) > 0 && (y) <= (C)GRID_BITS(C))
#define GRID_BIT(C, y)     (UINT64_C(1) << (((unsigned)(y)-1) & 63))
#define GRID_E_BGET_INT(C, lo, hi, x, y) \
  ((C)(GRID_HAS_BIT(C, y) ? (uint64_t)(x) >> (((unsigned)(y)-1) & 63) & 1 : 0))
#define GRID_E_BSET_INT(C, lo, hi, x, y) \
  ((C)(GRID_HAS_BIT(C, y) ? (uint64_t)(x) | GRID_BIT(C, y) : (uint64_t)(x)))
#define GRID_E_BCLR_INT(C, lo, hi, x, y) \
  ((C)(GRID_HAS_BIT(C, y) ? (uint64_t)(x) & ~GRID_BIT(C, y) : (uint64_t)(x)))
#define GRID_E_BGET_UINT(C, lo, hi, x, y) GRID_E_BGET_INT(C, lo, hi, x, y)
#define GRID_E_BSET_UINT(C, lo, hi, x, y) GRID_E_BSET_INT(C, lo, hi, x, y)
#define GRID_E_BCLR_UINT(C, lo, hi, x, y) GRID_E_BCLR_INT(C, lo, hi, x, y)
/* To the right a signed number is filled with its sign. */
GRID_INLINE uint64_t grid_shift_left(uint64_t x, int by) {
  return by < 64 ? x << by : 0;
}
GRID_INLINE int64_t grid_shift_signed(int64_t x, int by) {
  if (by >= 0) return (int64_t)grid_shift_left((uint64_t)x, by);
  const int right = -by < 64 ? -by : 63;
  return x >= 0 ? x >> right : ~(~x >> right);
}
GRID_INLINE uint64_t grid_shift_unsigned(uint64_t x, int by) {
  if (by >= 0) return grid_shift_left(x, by);
  return -by < 64 ? x >> -by : 0;
}
#define GRID_E_BSHIFT_INT(C, lo, hi, x, y)  ((C)grid_shift_signed(x, y))
#define GRID_E_BSHIFT_UINT(C, lo, hi, x, y) ((C)grid_shift_unsigned(x, y))

/* ---- complex numbers ---- */

/* The textbook's product: an infinite part may make the other one NaN, which C's operator would mend. */
#define GRID_COMPLEX_PRODUCT(NAME, C, R, F)                                     \
  GRID_INLINE C NAME(C x, C y) {                                                \
    const R a = creal##F(x), b = cimag##F(x), c = creal##F(y), d = cimag##F(y); \
    return GRID_COMPLEX(C, a * c - b * d, a * d + b * c);                       \
  }
GRID_COMPLEX_PRODUCT(grid_complex_product, double _Complex, double, )
GRID_COMPLEX_PRODUCT(grid_complex_productf, float _Complex, float, f)

/* x / y by Smith's method; a real or imaginary divisor divides each part. Of two infinite parts of y only the
 * signs count. */
GRID_INLINE double _Complex grid_quotient(double _Complex x, double _Complex y) {
  const double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
  if (d == 0) return GxB_CMPLX(a / c, b / c);
  if (c == 0) return GxB_CMPLX(b / d, -a / d);
  const bool infinite = isinf(c) && isinf(d);
  const bool by_real = infinite || fabs(c) >= fabs(d);
  const double r = infinite ? (signbit(c) == signbit(d) ? 1 : -1) : by_real ? d / c : c / d;
  const double divisor = by_real ? c + r * d : r * c + d;
  if (by_real) return GxB_CMPLX((a + b * r) / divisor, (b - a * r) / divisor);
  return GxB_CMPLX((a * r + b) / divisor, (b * r - a) / divisor);
}
GRID_INLINE float _Complex grid_quotientf(float _Complex x, float _Complex y) {
  return (float _Complex)grid_quotient((double _Complex)x, (double _Complex)y);
}

/* Real operands have a real power, if there is one. NaN if an operand has one; else x^0 is 1. */
#define GRID_COMPLEX_POWER(NAME, C, R, F)                                                         \
  GRID_INLINE C NAME(C x, C y) {                                                                  \
    const R a = creal##F(x), b = cimag##F(x), c = creal##F(y), d = cimag##F(y);                   \
    if (b == 0 && d == 0 && (a >= 0 || isnan(c) || c == trunc##F(c))) return grid_power##F(a, c); \
    if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) return GRID_COMPLEX(C, (R)NAN, (R)NAN);     \
    if (c == 0 && d == 0) return 1;                                                               \
    return cpow##F(x, y);                                                                         \
  }
GRID_COMPLEX_POWER(grid_complex_power, double _Complex, double, )
GRID_COMPLEX_POWER(grid_complex_powerf, float _Complex, float, f)

/* x / |x|, or 0. */
GRID_INLINE double _Complex grid_complex_sign(double _Complex x) {
  const double size = cabs(x);
  return creal(x) == 0 && cimag(x) == 0 ? 0 : GxB_CMPLX(creal(x) / size, cimag(x) / size);
}
GRID_INLINE float _Complex grid_complex_signf(float _Complex x) {
  const float size = cabsf(x);
  return crealf(x) == 0 && cimagf(x) == 0 ? 0 : GxB_CMPLXF(crealf(x) / size, cimagf(x) / size);
}

/* f of each part. */
#define GRID_PARTS(C, f, x) GRID_COMPLEX(C, GRID_MATH(f, GRID_REAL(x)), GRID_MATH(f, GRID_IMAG(x)))
#define GRID_LN2            0.693147180559945309417232121458
#define GRID_LN10           2.302585092994045684017991454684
GRID_INLINE double _Complex grid_complex_log2(double _Complex x) {
  const double _Complex z = clog(x);
  return GxB_CMPLX(creal(z) / GRID_LN2, cimag(z) / GRID_LN2);
}
GRID_INLINE float _Complex grid_complex_log2f(float _Complex x) {
  const float _Complex z = clogf(x);
  return GxB_CMPLXF(crealf(z) / (float)GRID_LN2, cimagf(z) / (float)GRID_LN2);
}
GRID_INLINE double _Complex grid_complex_log10(double _Complex x) {
  const double _Complex z = clog(x);
  return GxB_CMPLX(creal(z) / GRID_LN10, cimag(z) / GRID_LN10);
}
GRID_INLINE float _Complex grid_complex_log10f(float _Complex x) {
  const float _Complex z = clogf(x);
  return GxB_CMPLXF(crealf(z) / (float)GRID_LN10, cimagf(z) / (float)GRID_LN10);
}

#define GRID_E_IDENTITY_FC(C, lo, hi, x) (x)
#define GRID_E_AINV_FC(C, lo, hi, x)     (-(x))
#define GRID_E_MINV_FC(C, lo, hi, x)     GRID_CMATH2(grid_quotient, (C)1, x)
#define GRID_E_ONE_FC(C, lo, hi, x)      ((void)(x), (C)1)
#define GRID_E_CONJ_FC(C, lo, hi, x)     GRID_CMATH(conj, x)
#define GRID_E_ABS_FC(C, lo, hi, x)      GRID_CMATH(cabs, x)
#define GRID_E_CREAL_FC(C, lo, hi, x)    GRID_REAL(x)
#define GRID_E_CIMAG_FC(C, lo, hi, x)    GRID_IMAG(x)
#define GRID_E_CARG_FC(C, lo, hi, x)     GRID_CMATH(carg, x)
#define GRID_E_SQRT_FC(C, lo, hi, x)     GRID_CMATH(csqrt, x)
#define GRID_E_LOG_FC(C, lo, hi, x)      GRID_CMATH(clog, x)
#define GRID_E_EXP_FC(C, lo, hi, x)      GRID_CMATH(cexp, x)
#define GRID_E_LOG2_FC(C, lo, hi, x)     GRID_CMATH(grid_complex_log2, x)
#define GRID_E_LOG10_FC(C, lo, hi, x)    GRID_CMATH(grid_complex_log10, x)
#define GRID_E_EXP2_FC(C, lo, hi, x)     GRID_CMATH2(grid_complex_power, (C)2, x)
#define GRID_E_EXPM1_FC(C, lo, hi, x)    (GRID_CMATH(cexp, x) - 1)
#define GRID_E_LOG1P_FC(C, lo, hi, x)    GRID_CMATH(clog, (x) + 1)
#define GRID_E_SIN_FC(C, lo, hi, x)      GRID_CMATH(csin, x)
#define GRID_E_COS_FC(C, lo, hi, x)      GRID_CMATH(ccos, x)
#define GRID_E_TAN_FC(C, lo, hi, x)      GRID_CMATH(ctan, x)
#define GRID_E_ASIN_FC(C, lo, hi, x)     GRID_CMATH(casin, x)
#define GRID_E_ACOS_FC(C, lo, hi, x)     GRID_CMATH(cacos, x)
#define GRID_E_ATAN_FC(C, lo, hi, x)     GRID_CMATH(catan, x)
#define GRID_E_SINH_FC(C, lo, hi, x)     GRID_CMATH(csinh, x)
#define GRID_E_COSH_FC(C, lo, hi, x)     GRID_CMATH(ccosh, x)
#define GRID_E_TANH_FC(C, lo, hi, x)     GRID_CMATH(ctanh, x)
#define GRID_E_ASINH_FC(C, lo, hi, x)    GRID_CMATH(casinh, x)
#define GRID_E_ACOSH_FC(C, lo, hi, x)    GRID_CMATH(cacosh, x)
#define GRID_E_ATANH_FC(C, lo, hi, x)    GRID_CMATH(catanh, x)
#define GRID_E_SIGNUM_FC(C, lo, hi, x)   GRID_CMATH(grid_complex_sign, x)
#define GRID_E_CEIL_FC(C, lo, hi, x)     GRID_PARTS(C, ceil, x)
#define GRID_E_FLOOR_FC(C, lo, hi, x)    GRID_PARTS(C, floor, x)
#define GRID_E_ROUND_FC(C, lo, hi, x)    GRID_PARTS(C, round, x)
#define GRID_E_TRUNC_FC(C, lo, hi, x)    GRID_PARTS(C, trunc, x)
#define GRID_E_ISINF_FC(C, lo, hi, x)    (isinf(GRID_REAL(x)) || isinf(GRID_IMAG(x)))
#define GRID_E_ISNAN_FC(C, lo, hi, x)    (isnan(GRID_REAL(x)) || isnan(GRID_IMAG(x)))
#define GRID_E_ISFINITE_FC(C, lo, hi, x) (isfinite(GRID_REAL(x)) && isfinite(GRID_IMAG(x)))

#define GRID_E_FIRST_FC(C, lo, hi, x, y)  (x)
#define GRID_E_SECOND_FC(C, lo, hi, x, y) (y)
#define GRID_E_ANY_FC(C, lo, hi, x, y)    (y)
#define GRID_E_ONEB_FC(C, lo, hi, x, y)   ((C)1)
#define GRID_E_PLUS_FC(C, lo, hi, x, y)   ((x) + (y))
#define GRID_E_MINUS_FC(C, lo, hi, x, y)  ((x) - (y))
#define GRID_E_RMINUS_FC(C, lo, hi, x, y) ((y) - (x))
#define GRID_E_TIMES_FC(C, lo, hi, x, y)  GRID_CMATH2(grid_complex_product, x, y)
#define GRID_E_DIV_FC(C, lo, hi, x, y)    GRID_CMATH2(grid_quotient, x, y)
#define GRID_E_RDIV_FC(C, lo, hi, x, y)   GRID_CMATH2(grid_quotient, y, x)
#define GRID_E_POW_FC(C, lo, hi, x, y)    GRID_CMATH2(grid_complex_power, x, y)
#define GRID_E_ISEQ_FC(C, lo, hi, x, y)   ((C)((x) == (y)))
#define GRID_E_ISNE_FC(C, lo, hi, x, y)   ((C)((x) != (y)))
#define GRID_E_EQ_FC(C, lo, hi, x, y)     ((x) == (y))
#define GRID_E_NE_FC(C, lo, hi, x, y)     ((x) != (y))
#endif
