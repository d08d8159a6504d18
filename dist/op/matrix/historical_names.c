/* Calls under SuiteSparse:GraphBLAS's names that became the standard's: thin calls of these. */
#include "dist/matrix/matrix.h"
#include "gridblas_gxb_operations.h"

GrB_Info GxB_Matrix_apply_BinaryOp1st(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                                      const GrB_BinaryOp op, const GrB_Scalar x, const GrB_Matrix A,
                                      const GrB_Descriptor desc) {
  return GrB_Matrix_apply_BinaryOp1st_Scalar(C, Mask, accum, op, x, A, desc);
}
GrB_Info GxB_Matrix_apply_BinaryOp2nd(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                                      const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Scalar y,
                                      const GrB_Descriptor desc) {
  return GrB_Matrix_apply_BinaryOp2nd_Scalar(C, Mask, accum, op, A, y, desc);
}
GrB_Info GxB_Vector_apply_BinaryOp1st(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                      const GrB_BinaryOp op, const GrB_Scalar x, const GrB_Vector u,
                                      const GrB_Descriptor desc) {
  return GrB_Vector_apply_BinaryOp1st_Scalar(w, mask, accum, op, x, u, desc);
}
GrB_Info GxB_Vector_apply_BinaryOp2nd(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                      const GrB_BinaryOp op, const GrB_Vector u, const GrB_Scalar y,
                                      const GrB_Descriptor desc) {
  return GrB_Vector_apply_BinaryOp2nd_Scalar(w, mask, accum, op, u, y, desc);
}
GrB_Info GxB_Matrix_resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new) {
  return GrB_Matrix_resize(C, nrows_new, ncols_new);
}
GrB_Info GxB_Vector_resize(GrB_Vector w, GrB_Index nrows_new) {
  return GrB_Vector_resize(w, nrows_new);
}
GrB_Info GxB_kron(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_BinaryOp op,
                  const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc) {
  return GrB_Matrix_kronecker_BinaryOp(C, Mask, accum, op, A, B, desc);
}

/* ---- scalars ------------------------------------------------------------------------------------------- */

GrB_Info GxB_Scalar_new(GrB_Scalar *s, GrB_Type type) {
  return GrB_Scalar_new(s, type);
}
GrB_Info GxB_Scalar_dup(GrB_Scalar *s, const GrB_Scalar t) {
  return GrB_Scalar_dup(s, t);
}
GrB_Info GxB_Scalar_clear(GrB_Scalar s) {
  return GrB_Scalar_clear(s);
}
GrB_Info GxB_Scalar_nvals(GrB_Index *nvals, const GrB_Scalar s) {
  return GrB_Scalar_nvals(nvals, s);
}
GrB_Info GxB_Scalar_free(GrB_Scalar *s) {
  return GrB_Scalar_free(s);
}
GrB_Info GxB_Scalar_wait(GrB_Scalar *s) {
  return GrB_Scalar_wait(s ? *s : NULL, GrB_MATERIALIZE);
}
GrB_Info GxB_Scalar_error(const char **error, const GrB_Scalar s) {
  return GrB_Scalar_error(error, s);
}
#define ELEMENT(T, C, GIVEN)                                         \
  GrB_Info GxB_Scalar_setElement_##T(GrB_Scalar s, GIVEN x) {        \
    return GrB_Scalar_setElement_##T(s, x);                          \
  }                                                                  \
  GrB_Info GxB_Scalar_extractElement_##T(C *x, const GrB_Scalar s) { \
    return GrB_Scalar_extractElement_##T(x, s);                      \
  }
#define ELEMENT_TYPE(T, C) ELEMENT(T, C, C)
GRID_TYPES(ELEMENT_TYPE)
ELEMENT(UDT, void, const void *)
