/* gridblas_gxb_operators.h: predefined objects of SuiteSparse:GraphBLAS 10.5.1, with its names and semantics,
 * and calls with complex values. gridblas_table_gxb.h has a row for each object.
 * - GxB_FC32, GxB_FC64: types, float and double _Complex (C++: std::complex). Cast from a real type the
 *   imaginary part is 0; cast to one it is lost, but to BOOL: true unless the number is 0.
 * - Unary operators, for T of the real types, F of FP32, FP64, and C of FC32, FC64: GxB_ONE_T and _C;
 * GxB_LNOT_T (1 where x is 0, else 0), GxB_ABS_T; GxB_IDENTITY_C, AINV, MINV, CONJ; GxB_ABS_C, CREAL, CIMAG,
 * CARG with a real result.
 * - GxB_SQRT_F and _C, LOG, EXP, LOG2, LOG10, EXP2, EXPM1, LOG1P, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH,
 * COSH, TANH, ASINH, ACOSH, ATANH, SIGNUM, CEIL, FLOOR, ROUND, TRUNC; ISINF, ISNAN, ISFINITE with a BOOL
 * result. For F alone: CBRT, ERF, ERFC, LGAMMA, TGAMMA, FREXPX and FREXPE (mantissa and exponent).
 * - Binary operators: GxB_RMINUS_T (y - x), RDIV (y / x), POW (of integers: cut, and limited to T's range),
 * ANY (one of both), PAIR (1), and with the result 1 or 0 of type T: ISEQ, ISNE, ISGT, ISLT, ISGE, ISLE, LOR,
 * LAND, LXOR.
 * - GxB_ATAN2_F, HYPOT, FMOD, REMAINDER, COPYSIGN, LDEXP (x 2^y, y cut), CMPLX (x + iy). For integers
 * GxB_BGET_T, BSET, BCLR (bit number y of x, from 1; if there is none: 0 or x), BSHIFT (x 2^y, y of type
 * INT8; the sign is kept).
 * - GxB_FIRST_C, SECOND, ONEB, PAIR, ANY, PLUS, MINUS, RMINUS, TIMES, DIV, RDIV, POW, ISEQ, ISNE; EQ, NE with
 * a BOOL result; GxB_VALUEEQ_C, VALUENE (GrB_IndexUnaryOp).
 * - Positional operators, of INT32 and INT64 (where indices wrap), read no values; operands may have any
 * type: GxB_POSITIONI_T, POSITIONJ, and from 1: POSITIONI1, POSITIONJ1: row or column of the entry.
 * - GxB_FIRSTI_T, FIRSTJ, SECONDI, SECONDJ, and from 1: FIRSTI1, ...: row or column of the first or second
 * operand. A product of A(i,k) and B(k,j) gives i, k, k, j; a vector is a column, and the first operand of
 * GrB_vxm a row. For GrB_kronecker it is the factor's entry, in other operations the result's. As an
 * accumulator, in a monoid and as GrB_build's dup such an operator is an error, GrB_DOMAIN_MISMATCH.
 * - GxB_IGNORE_DUP, for GrB_build: the last of the entries with one index is taken. Elsewhere:
 * GrB_INVALID_OBJECT.
 * - Monoids GxB_OP_T_MONOID: MIN, MAX, PLUS, TIMES, ANY; of BOOL LOR, LAND, LXOR, EQ, LXNOR; of C PLUS,
 * TIMES, ANY; of UINT8 ... UINT64 BOR, BAND, BXOR, BXNOR.
 * - Semirings GxB_ADD_MUL_T, where T is the type of the operands: the lists are in gridblas_table_gxb.h.
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
