/* gridblas_gxb_select.h: selection by the operators of GxB_select, the forerunner of GrB_select, as
 * SuiteSparse:GraphBLAS 10.5.1 has them. New programs use GrB_select. */
#ifndef GRIDBLAS_GXB_SELECT_H
#define GRIDBLAS_GXB_SELECT_H
#include "GraphBLAS.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef const struct GxB_SelectOp_opaque *GxB_SelectOp;

/* X(NAME, OP, ZERO): GxB_NAME selects as GrB_OP does (GrB_VALUEEQ of the matrix's type, ...), with the thunk
 * as its value, or with 0 if ZERO. */
/* clang-format off */
#define GRID_SELECT_OPS(X)                                                                    \
  X(TRIL, TRIL, 0) X(TRIU, TRIU, 0) X(DIAG, DIAG, 0) X(OFFDIAG, OFFDIAG, 0)                   \
  X(NONZERO, VALUENE, 1) X(EQ_ZERO, VALUEEQ, 1) X(GT_ZERO, VALUEGT, 1) X(GE_ZERO, VALUEGE, 1) \
  X(LT_ZERO, VALUELT, 1) X(LE_ZERO, VALUELE, 1) X(NE_THUNK, VALUENE, 0) X(EQ_THUNK, VALUEEQ, 0) \
  X(GT_THUNK, VALUEGT, 0) X(GE_THUNK, VALUEGE, 0) X(LT_THUNK, VALUELT, 0) X(LE_THUNK, VALUELE, 0)
/* clang-format on */
#define GRID_DECLARE_SELECT_OP(NAME, OP, ZERO) extern GxB_SelectOp GxB_##NAME;
GRID_SELECT_OPS(GRID_DECLARE_SELECT_OP)

/* w<mask> accum= the entries of u (C<Mask> accum= those of A, transposed by GrB_INP0 = GrB_TRAN) that op
 * selects, by their value or their position: GxB_TRIL: column - row <= thunk; GxB_TRIU: >=, GxB_DIAG: ==,
 * GxB_OFFDIAG: !=. A value is compared with the thunk cast to its type. thunk may be NULL or empty: 0.
 * Errors: GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH (values of a user-defined type), GrB_NOT_IMPLEMENTED
 * (complex values by their order). Collective. (Source: SuiteSparse:GraphBLAS, GxB_select.) */
GrB_Info GxB_Vector_select(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                           const GxB_SelectOp op, const GrB_Vector u, const GrB_Scalar thunk,
                           const GrB_Descriptor desc);
GrB_Info GxB_Matrix_select(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                           const GxB_SelectOp op, const GrB_Matrix A, const GrB_Scalar thunk,
                           const GrB_Descriptor desc);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#else
#define GxB_select(C, Mask, accum, op, A, thunk, desc) \
  _Generic((C), GrB_Vector                             \
           : GxB_Vector_select, GrB_Matrix             \
           : GxB_Matrix_select)(C, Mask, accum, op, A, thunk, desc)
#endif
#endif
