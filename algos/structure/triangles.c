/* Triangles by a masked product over a matrix that has each edge once.
 *
 * C<L> = L plus.oneb L' counts, for an edge i -> j of L, the vertices k with edges from both: each triangle
 * once, since L has no cycles. The direction of the edges decides the cost (orient.c).
 *
 * Sources: Azad, Buluc, Gilbert, Parallel triangle counting and enumeration using matrix algebra (2015); the
 * order by degrees: Chiba, Nishizeki (1985), Schank, Wagner (2005). */
#include "algos/support/orient.h"

GrB_Info Grid_triangles(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL, L = NULL;
  GrB_Vector nonzero = NULL, all = NULL;
  uint64_t found = 0;

  TRY(check_outputs(count, per_vertex, "Grid_triangles"));
  TRY(square_size(&n, A, "Grid_triangles"));
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_orient(&L, S, n));
  TRY(grid_count_triangles(&found, per_vertex == NULL ? NULL : &nonzero, L, n));
  if (per_vertex != NULL) {
    /* an entry for every vertex */
    TRY(GrB_Vector_new(&all, GrB_INT64, n));
    TRY(GrB_Vector_assign_INT64(all, NULL, NULL, 0, GrB_ALL, n, NULL));
    TRY(GrB_Vector_assign(all, nonzero, NULL, nonzero, GrB_ALL, n, GrB_DESC_S));
    *per_vertex = all, all = NULL;
  }
  if (count != NULL) *count = found;
out:
  grid_symmetrize_free(&S, A);
  GrB_Matrix_free(&L);
  GrB_Vector_free(&nonzero);
  GrB_Vector_free(&all);
  return info;
}
