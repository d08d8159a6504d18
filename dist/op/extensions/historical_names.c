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
