/* gridblas_gxb_operators.h: the predefined objects of SuiteSparse:GraphBLAS 10.5.1 that are not the
 * standard's, under its names and with its semantics: complex types, operators, monoids, semirings, and the
 * calls that take complex values. gridblas_table_gxb.h has a row for each object.
 *
 * Types       GxB_FC32, GxB_FC64: float and double complex (C: float _Complex; C++: std::complex<float>; with
 * the bytes of two floats). Any predefined type is cast to any: a real number gets the imaginary part 0; a
 * complex one loses its imaginary part, and is true unless it is 0. Operators   T: BOOL, INT8, ... FP64, and
 * F: FP32, FP64, and C: FC32, FC64 GxB_ONE_T and _C; GxB_LNOT_T: 1 where x is 0, else 0; GxB_ABS_T,
 * GxB_IDENTITY_C, GxB_AINV_C, GxB_MINV_C GxB_SQRT_F and _C; likewise LOG, EXP, LOG2, LOG10, EXP2, EXPM1,
 * LOG1P, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, ASINH, ACOSH, ATANH, SIGNUM, CEIL, FLOOR, ROUND,
 * TRUNC; ISINF, ISNAN, ISFINITE, with a BOOL result GxB_CBRT_F, ERF, ERFC, LGAMMA, TGAMMA, FREXPX and FREXPE
 * (mantissa and exponent) GxB_CONJ_C; GxB_ABS_C, CREAL, CIMAG, CARG with a real result GxB_RMINUS_T (y - x),
 * RDIV (y / x), POW (whole numbers: rounded towards 0 and limited to T's range); ISEQ, ISNE, ISGT, ISLT,
 * ISGE, ISLE, LOR, LAND, LXOR: 1 or 0 of type T; ANY: one of both; PAIR: 1 GxB_FIRST_C, SECOND, ONEB, PAIR,
 * ANY, PLUS, MINUS, RMINUS, TIMES, DIV, RDIV, POW, ISEQ, ISNE; EQ, NE (BOOL) GxB_ATAN2_F, HYPOT, FMOD,
 * REMAINDER, COPYSIGN, LDEXP (x 2^y); GxB_CMPLX_F: x + iy, of a complex type GxB_BGET_T, BSET, BCLR (bit
 * number y of x, from 1 to the bits of T; no such bit: 0 or x), BSHIFT (x 2^y, y of type INT8; to the right
 * of a signed number the sign is repeated), for whole numbers GxB_VALUEEQ_C, GxB_VALUENE_C (GrB_IndexUnaryOp)
 * Positions   for INT32 and INT64 (an index that does not fit INT32 wraps); values are not read, whatever
 * their type GxB_POSITIONI_T, POSITIONJ, POSITIONI1, POSITIONJ1 (GrB_UnaryOp): the row or column of an entry,
 * from 0 or 1; of a vector the column is 0 GxB_FIRSTI_T, FIRSTJ, SECONDI, SECONDJ and FIRSTI1, ...
 * (GrB_BinaryOp): the row or column of the first or second operand. In a product of A(i,k) and B(k,j) they
 * give i, k, k, j, where a vector is a column (the first operand of GrB_vxm: a row); in GrB_kronecker the row
 * or column of the factor's entry (transposed, if it is); elsewhere the row or column of the result. They are
 * no accumulators, and neither monoids nor GrB_build's dup: GrB_DOMAIN_MISMATCH. GxB_IGNORE_DUP   for
 * GrB_build alone: of entries with one index the last one is taken. Elsewhere GrB_INVALID_OBJECT. Monoids
 * GxB_OP_T_MONOID for MIN, MAX, PLUS, TIMES, ANY; LOR, LAND, LXOR, EQ (and LXNOR) of BOOL; PLUS, TIMES and
 *   ANY of complex types; BOR, BAND, BXOR, BXNOR of UINT8 ... UINT64
 * Semirings   GxB_ADD_MUL_T, T the operands' type: see the lists in gridblas_table_gxb.h
 * A handle may stand for an object with another name, which GrB_get and GxB_print then give: GxB_PAIR_FP64 is
 * GrB_ONEB_FP64, GxB_MIN_PLUS_FP64 is GrB_MIN_PLUS_SEMIRING_FP64, GxB_MIN_PAIR_FP64 is GxB_ANY_PAIR_FP64. */
#include "GraphBLAS.h" /* which includes this file in its turn */
#ifndef GRIDBLAS_GXB_OPERATORS_H
#define GRIDBLAS_GXB_OPERATORS_H
#include "gridblas_table_gxb.h"

#ifdef __cplusplus
extern "C++" { /* also where C headers are included as such */
#include <complex>
}
typedef std::complex<float> GxB_FC32_t;
typedef std::complex<double> GxB_FC64_t;
#define GxB_CMPLXF(real, imag) std::complex<float>(real, imag)
#define GxB_CMPLX(real, imag)  std::complex<double>(real, imag)
#else
typedef float _Complex GxB_FC32_t;
typedef double _Complex GxB_FC64_t;
/* The complex number with these parts; 0, infinity and NaN are kept in each. */
#ifdef __GNUC__
#define GxB_CMPLXF(real, imag) __builtin_complex((float)(real), (float)(imag))
#define GxB_CMPLX(real, imag)  __builtin_complex((double)(real), (double)(imag))
#else
#include <complex.h>
#define GxB_CMPLXF(real, imag) CMPLXF((float)(real), (float)(imag))
#define GxB_CMPLX(real, imag)  CMPLX((double)(real), (double)(imag))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Further values of GrB_Type_Code. */
enum { GxB_FC32_CODE = 7070, GxB_FC64_CODE = 7071 };

#define GRID_DECLARE_GXB_TYPE(T, C)                           extern GrB_Type GxB_##T;
#define GRID_DECLARE_GXB_UNARY(P, NAME, OP, T, Z, E)          extern GrB_UnaryOp GxB_##NAME;
#define GRID_DECLARE_GXB_UNARY_OTHER(OP, T, Z, E)             extern GrB_UnaryOp GxB_##OP##_##T;
#define GRID_DECLARE_GXB_UNARY_POSITION(OP, WHAT, SHIFT, T)   extern GrB_UnaryOp GxB_##OP##_##T;
#define GRID_DECLARE_GXB_UNARY_ALIAS(NAME, OP, T)             extern GrB_UnaryOp GxB_##NAME;
#define GRID_DECLARE_GXB_BINARY(P, NAME, OP, T, Z, UX, UY, E) extern GrB_BinaryOp GxB_##NAME;
#define GRID_DECLARE_GXB_BINARY_OTHER(OP, T, Y, Z, UX, UY, E) extern GrB_BinaryOp GxB_##OP##_##T;
#define GRID_DECLARE_GXB_BINARY_POSITION(OP, WHAT, SHIFT, T)  extern GrB_BinaryOp GxB_##OP##_##T;
#define GRID_DECLARE_GXB_BINARY_ALIAS(NAME, OP, T)            extern GrB_BinaryOp GxB_##NAME;
#define GRID_DECLARE_GXB_INDEX(OP, T, E)                      extern GrB_IndexUnaryOp GxB_##OP##_##T;
#define GRID_DECLARE_GXB_MONOID(OP, T, ID)                    extern GrB_Monoid GxB_##OP##_##T##_MONOID;
#define GRID_DECLARE_GXB_SEMIRING(A, M, T, ADD, MUL, Z)       extern GrB_Semiring GxB_##A##_##M##_##T;
#define GRID_DECLARE_GXB_SEMIRING_ALIAS(A, M, T, ADD, MUL)    extern GrB_Semiring GxB_##A##_##M##_##T;
GRID_COMPLEX_TYPES(GRID_DECLARE_GXB_TYPE)
GRID_GXB_UNARY_PLAIN(GRID_DECLARE_GXB_UNARY)
GRID_GXB_UNARY_OTHER(GRID_DECLARE_GXB_UNARY_OTHER)
GRID_GXB_POSITIONS(GRID_DECLARE_GXB_UNARY_POSITION)
GRID_GXB_UNARY_ALIASES(GRID_DECLARE_GXB_UNARY_ALIAS)
GRID_GXB_BINARY_PLAIN(GRID_DECLARE_GXB_BINARY)
GRID_GXB_BINARY_OTHER(GRID_DECLARE_GXB_BINARY_OTHER)
GRID_GXB_BINARY_POSITIONS(GRID_DECLARE_GXB_BINARY_POSITION)
GRID_GXB_BINARY_ALIASES(GRID_DECLARE_GXB_BINARY_ALIAS)
GRID_GXB_INDEX_OPS(GRID_DECLARE_GXB_INDEX)
GRID_GXB_MONOIDS(GRID_DECLARE_GXB_MONOID)
GRID_GXB_MONOID_ALIASES(GRID_DECLARE_GXB_MONOID)
GRID_GXB_SEMIRINGS(GRID_DECLARE_GXB_SEMIRING)
GRID_GXB_SEMIRING_ALIASES(GRID_DECLARE_GXB_SEMIRING_ALIAS)
extern GrB_BinaryOp GxB_IGNORE_DUP;

/* Calls with complex values: T is FC32 or FC64. Each does what the call of the same name with GrB_ does
 * (GraphBLAS.h), with the same errors, and is collective where that is. (Source: SuiteSparse:GraphBLAS's
 * calls of these names.) */
#define GRID_DECLARE_GXB_COMPLEX(T, C)                                                                    \
  GrB_Info GxB_Monoid_new_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity);                           \
  GrB_Info GxB_Scalar_setElement_##T(GrB_Scalar s, C x);                                                  \
  GrB_Info GxB_Scalar_extractElement_##T(C *x, const GrB_Scalar s);                                       \
  GrB_Info GxB_Vector_build_##T(GrB_Vector w, const GrB_Index *indices, const C *values, GrB_Index nvals, \
                                const GrB_BinaryOp dup);                                                  \
  GrB_Info GxB_Vector_setElement_##T(GrB_Vector w, C x, GrB_Index i);                                     \
  GrB_Info GxB_Vector_extractElement_##T(C *x, const GrB_Vector v, GrB_Index i);                          \
  GrB_Info GxB_Vector_extractTuples_##T(GrB_Index *indices, C *values, GrB_Index *nvals, const GrB_Vector v);
GRID_COMPLEX_TYPES(GRID_DECLARE_GXB_COMPLEX)
#define GRID_DECLARE_GXB_COMPLEX_MATRIX(T, C_TYPE)                                                           \
  GrB_Info GxB_Matrix_build_##T(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols,                  \
                                const C_TYPE *values, GrB_Index nvals, const GrB_BinaryOp dup);              \
  GrB_Info GxB_Matrix_setElement_##T(GrB_Matrix C, C_TYPE x, GrB_Index i, GrB_Index j);                      \
  GrB_Info GxB_Matrix_extractElement_##T(C_TYPE *x, const GrB_Matrix A, GrB_Index i, GrB_Index j);           \
  GrB_Info GxB_Matrix_extractTuples_##T(GrB_Index *rows, GrB_Index *cols, C_TYPE *values, GrB_Index *nvals,  \
                                        const GrB_Matrix A);                                                 \
  GrB_Info GxB_Matrix_import_##T(GrB_Matrix *A, GrB_Type d, GrB_Index nrows, GrB_Index ncols,                \
                                 const GrB_Index *indptr, const GrB_Index *indices, const C_TYPE *values,    \
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values,                \
                                 GrB_Format format);                                                         \
  GrB_Info GxB_Matrix_export_##T(GrB_Index *indptr, GrB_Index *indices, C_TYPE *values, GrB_Index *n_indptr, \
                                 GrB_Index *n_indices, GrB_Index *n_values, GrB_Format format,               \
                                 GrB_Matrix A);
GRID_COMPLEX_TYPES(GRID_DECLARE_GXB_COMPLEX_MATRIX)
#define GRID_DECLARE_GXB_COMPLEX_REDUCE(T, C)                                             \
  GrB_Info GxB_Vector_reduce_##T(C *x, const GrB_BinaryOp accum, const GrB_Monoid monoid, \
                                 const GrB_Vector u, const GrB_Descriptor desc);          \
  GrB_Info GxB_Matrix_reduce_##T(C *x, const GrB_BinaryOp accum, const GrB_Monoid monoid, \
                                 const GrB_Matrix A, const GrB_Descriptor desc);
GRID_COMPLEX_TYPES(GRID_DECLARE_GXB_COMPLEX_REDUCE)
#define GRID_DECLARE_GXB_COMPLEX_VECTOR_OPERATIONS(T, C)                                                   \
  GrB_Info GxB_Vector_assign_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, C x,       \
                                 const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc);       \
  GrB_Info GxB_Vector_apply_BinaryOp1st_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                            const GrB_BinaryOp op, C x, const GrB_Vector u,                \
                                            const GrB_Descriptor desc);                                    \
  GrB_Info GxB_Vector_apply_BinaryOp2nd_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                            const GrB_BinaryOp op, const GrB_Vector u, C y,                \
                                            const GrB_Descriptor desc);                                    \
  GrB_Info GxB_Vector_apply_IndexOp_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,     \
                                        const GrB_IndexUnaryOp op, const GrB_Vector u, C y,                \
                                        const GrB_Descriptor desc);                                        \
  GrB_Info GxB_Vector_select_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,            \
                                 const GrB_IndexUnaryOp op, const GrB_Vector u, C y,                       \
                                 const GrB_Descriptor desc);
GRID_COMPLEX_TYPES(GRID_DECLARE_GXB_COMPLEX_VECTOR_OPERATIONS)
#define GRID_DECLARE_GXB_COMPLEX_MATRIX_OPERATIONS(T, C_TYPE)                                               \
  GrB_Info GxB_Matrix_assign_##T(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, C_TYPE x,   \
                                 const GrB_Index *row_indices, GrB_Index nrows,                             \
                                 const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc); \
  GrB_Info GxB_Matrix_apply_BinaryOp1st_##T(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,  \
                                            const GrB_BinaryOp op, C_TYPE x, const GrB_Matrix A,            \
                                            const GrB_Descriptor desc);                                     \
  GrB_Info GxB_Matrix_apply_BinaryOp2nd_##T(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,  \
                                            const GrB_BinaryOp op, const GrB_Matrix A, C_TYPE y,            \
                                            const GrB_Descriptor desc);                                     \
  GrB_Info GxB_Matrix_apply_IndexOp_##T(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,      \
                                        const GrB_IndexUnaryOp op, const GrB_Matrix A, C_TYPE y,            \
                                        const GrB_Descriptor desc);                                         \
  GrB_Info GxB_Matrix_select_##T(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,             \
                                 const GrB_IndexUnaryOp op, const GrB_Matrix A, C_TYPE y,                   \
                                 const GrB_Descriptor desc);
GRID_COMPLEX_TYPES(GRID_DECLARE_GXB_COMPLEX_MATRIX_OPERATIONS)

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
