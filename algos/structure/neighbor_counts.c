/* See neighbor_counts.h. */
#include "algos/structure/neighbor_counts.h"

GrB_Info grid_neighbor_counts(GrB_Vector *degree, GrB_Matrix A, GrB_Index n, bool by_column) {
  GrB_Info info;
  GrB_Matrix loops = NULL;
  GrB_Vector all = NULL, count = NULL;
  TRY(GrB_Matrix_new(&loops, GrB_BOOL, n, n));
  TRY(GrB_Vector_new(&all, GrB_INT64, n));
  TRY(GrB_Vector_new(&count, GrB_INT64, n));
  TRY(Grid_Matrix_degree(count, A, by_column));
  TRY(GrB_Vector_assign_INT64(all, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_assign(all, count, NULL, count, GrB_ALL, n, GrB_DESC_S));
  TRY(GrB_Matrix_select_INT64(loops, NULL, NULL, GrB_DIAG, A, 0, NULL));
  TRY(Grid_Matrix_degree(count, loops, by_column));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(all, NULL, NULL, GrB_MINUS_INT64, all, count, NULL));
  *degree = all, all = NULL;
out:
  GrB_Matrix_free(&loops);
  GrB_Vector_free(&all);
  GrB_Vector_free(&count);
  return info;
}
