/* Degree centrality: how many edges begin and end at each vertex, without loops.
 *
 * Source: Freeman, Centrality in social networks: conceptual clarification (1978). */
#include "algos/structure/neighbor_counts.h"

GrB_Info Grid_degree(GrB_Vector *out_degree, GrB_Vector *in_degree, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Vector out = NULL, in = NULL;
  GrB_Index n;

  TRY(check_outputs(out_degree, in_degree, "Grid_degree"));
  TRY(square_size(&n, A, "Grid_degree"));
  if (out_degree != NULL) TRY(grid_neighbor_counts(&out, A, n, false));
  if (in_degree != NULL) TRY(grid_neighbor_counts(&in, A, n, true));
  if (out_degree != NULL) *out_degree = out, out = NULL;
  if (in_degree != NULL) *in_degree = in, in = NULL;
out:
  GrB_Vector_free(&out);
  GrB_Vector_free(&in);
  return info;
}
