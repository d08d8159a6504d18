/* A coloring by a serial pass in the order of hashed priorities, or what gives the same (Grid_Matrix_color).
 */
#include "algos/algos.h"

GrB_Info Grid_coloring(GrB_Vector *color, uint64_t *colors, GrB_Matrix A, uint64_t seed) {
  SPAN;
  GrB_Vector found = NULL;
  GrB_Index n;
  GrB_Info info;

  TRY(check_outputs(color, colors, "Grid_coloring"));
  TRY(square_size(&n, A, "Grid_coloring"));
  TRY(GrB_Vector_new(&found, GrB_INT64, n));
  TRY(Grid_Matrix_color(found, colors, A, UINT64_MAX, seed));
  if (color != NULL) *color = found, found = NULL;

out:
  GrB_Vector_free(&found);
  return info;
}
