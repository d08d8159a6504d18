/* The forms of GrB_extract, GrB_assign and GxB_subassign that take their indices as vectors. */
#include "dist/matrix/matrix.h"
#include "dist/op/index_vector.h"
#include "gridblas_gxb_operations.h"

/* NAME(parameters) = OPERATION, with l for the list that the vector V stands for; OUT: the output. */
#define WITH_LIST(NAME, KIND, OUT, V, FIELD, OPERATION, ...)                                                \
  GrB_Info NAME(__VA_ARGS__) {                                                                              \
    GRID_CALL_SCOPE;                                                                                        \
    grid_index_vector l = {0};                                                                              \
    GrB_Info info = grid_check_##KIND(OUT, #NAME, #OUT);                                                    \
    if (info == GrB_SUCCESS) info = grid_index_vector_read(&l, V, 0, desc, FIELD, &(OUT)->head, #NAME, #V); \
    if (info == GrB_SUCCESS) info = OPERATION;                                                              \
    grid_index_vector_free(&l);                                                                             \
    return info;                                                                                            \
  }
/* The same with two, r for rows and c for columns. */
#define WITH_LISTS(NAME, OPERATION, ...)                                                        \
  GrB_Info NAME(__VA_ARGS__) {                                                                  \
    GRID_CALL_SCOPE;                                                                            \
    grid_index_vector r = {0}, c = {0};                                                         \
    GrB_Info info = grid_check_matrix(C, #NAME, "C");                                           \
    if (info == GrB_SUCCESS)                                                                    \
      info = grid_index_vector_read(&r, rows, 0, desc, GRID_ROW_LIST, &C->head, #NAME, "rows"); \
    if (info == GrB_SUCCESS)                                                                    \
      info = grid_index_vector_read(&c, cols, 0, desc, GRID_COL_LIST, &C->head, #NAME, "cols"); \
    if (info == GrB_SUCCESS) info = OPERATION;                                                  \
    grid_index_vector_free(&r);                                                                 \
    grid_index_vector_free(&c);                                                                 \
    return info;                                                                                \
  }

/* ---- vectors ------------------------------------------------------------------------------------------- */

WITH_LIST(GxB_Vector_extract_Vector, vector, w, rows, GRID_ROW_LIST,
          GrB_Vector_extract(w, mask, accum, u, l.I, l.n, desc), GrB_Vector w, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Vector u, const GrB_Vector rows, const GrB_Descriptor desc)
WITH_LIST(GxB_Vector_assign_Vector, vector, w, rows, GRID_ROW_LIST,
          GrB_Vector_assign(w, mask, accum, u, l.I, l.n, desc), GrB_Vector w, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Vector u, const GrB_Vector rows, const GrB_Descriptor desc)
WITH_LIST(GxB_Vector_assign_Scalar_Vector, vector, w, rows, GRID_ROW_LIST,
          GrB_Vector_assign_Scalar(w, mask, accum, x, l.I, l.n, desc), GrB_Vector w, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Scalar x, const GrB_Vector rows, const GrB_Descriptor desc)
WITH_LIST(GxB_Vector_subassign_Vector, vector, w, rows, GRID_ROW_LIST,
          GxB_Vector_subassign(w, mask, accum, u, l.I, l.n, desc), GrB_Vector w, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Vector u, const GrB_Vector rows, const GrB_Descriptor desc)
WITH_LIST(GxB_Vector_subassign_Scalar_Vector, vector, w, rows, GRID_ROW_LIST,
          GxB_Vector_subassign_Scalar(w, mask, accum, x, l.I, l.n, desc), GrB_Vector w, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Scalar x, const GrB_Vector rows, const GrB_Descriptor desc)

/* ---- rows and columns ---------------------------------------------------------------------------------- */

WITH_LIST(GxB_Col_extract_Vector, vector, w, rows, GRID_ROW_LIST,
          GrB_Col_extract(w, mask, accum, A, l.I, l.n, j, desc), GrB_Vector w, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Matrix A, const GrB_Vector rows, GrB_Index j,
          const GrB_Descriptor desc)
WITH_LIST(GxB_Row_assign_Vector, matrix, C, cols, GRID_COL_LIST,
          GrB_Row_assign(C, mask, accum, u, i, l.I, l.n, desc), GrB_Matrix C, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Vector u, GrB_Index i, const GrB_Vector cols,
          const GrB_Descriptor desc)
WITH_LIST(GxB_Col_assign_Vector, matrix, C, rows, GRID_ROW_LIST,
          GrB_Col_assign(C, mask, accum, u, l.I, l.n, j, desc), GrB_Matrix C, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Vector u, const GrB_Vector rows, GrB_Index j,
          const GrB_Descriptor desc)
WITH_LIST(GxB_Row_subassign_Vector, matrix, C, cols, GRID_COL_LIST,
          GxB_Row_subassign(C, mask, accum, u, i, l.I, l.n, desc), GrB_Matrix C, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Vector u, GrB_Index i, const GrB_Vector cols,
          const GrB_Descriptor desc)
WITH_LIST(GxB_Col_subassign_Vector, matrix, C, rows, GRID_ROW_LIST,
          GxB_Col_subassign(C, mask, accum, u, l.I, l.n, j, desc), GrB_Matrix C, const GrB_Vector mask,
          const GrB_BinaryOp accum, const GrB_Vector u, const GrB_Vector rows, GrB_Index j,
          const GrB_Descriptor desc)

/* ---- matrices ------------------------------------------------------------------------------------------ */

WITH_LISTS(GxB_Matrix_extract_Vector, GrB_Matrix_extract(C, Mask, accum, A, r.I, r.n, c.I, c.n, desc),
           GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Matrix A,
           const GrB_Vector rows, const GrB_Vector cols, const GrB_Descriptor desc)
WITH_LISTS(GxB_Matrix_assign_Vector, GrB_Matrix_assign(C, Mask, accum, A, r.I, r.n, c.I, c.n, desc),
           GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Matrix A,
           const GrB_Vector rows, const GrB_Vector cols, const GrB_Descriptor desc)
WITH_LISTS(GxB_Matrix_assign_Scalar_Vector,
           GrB_Matrix_assign_Scalar(C, Mask, accum, x, r.I, r.n, c.I, c.n, desc), GrB_Matrix C,
           const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Scalar x, const GrB_Vector rows,
           const GrB_Vector cols, const GrB_Descriptor desc)
WITH_LISTS(GxB_Matrix_subassign_Vector, GxB_Matrix_subassign(C, Mask, accum, A, r.I, r.n, c.I, c.n, desc),
           GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Matrix A,
           const GrB_Vector rows, const GrB_Vector cols, const GrB_Descriptor desc)
WITH_LISTS(GxB_Matrix_subassign_Scalar_Vector,
           GxB_Matrix_subassign_Scalar(C, Mask, accum, x, r.I, r.n, c.I, c.n, desc), GrB_Matrix C,
           const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Scalar x, const GrB_Vector rows,
           const GrB_Vector cols, const GrB_Descriptor desc)
