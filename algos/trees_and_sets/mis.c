/* A maximal independent set: the vertices of the first color (Grid_Matrix_color). So it is the one that a
 * serial pass in the order of their priorities finds. */
#include "algos/algos.h"

GrB_Info Grid_mis(GrB_Vector *set, GrB_Matrix A, uint64_t seed) {
  SPAN;
  GrB_Vector color = NULL, members = NULL;
  GrB_Index n;
  GrB_Info info;

  if (set == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_mis: set is NULL");
  TRY(square_size(&n, A, "Grid_mis"));
  TRY(GrB_Vector_new(&color, GrB_INT64, n));
  TRY(GrB_Vector_new(&members, GrB_BOOL, n));
  TRY(Grid_Matrix_color(color, NULL, A, 1, seed));
  TRY(GrB_Vector_assign_BOOL(members, color, NULL, true, GrB_ALL, n, GrB_DESC_S));
  *set = members, members = NULL;

out:
  GrB_Vector_free(&color);
  GrB_Vector_free(&members);
  return info;
}
