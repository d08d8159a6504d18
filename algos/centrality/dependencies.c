/* The dependencies of a source, with vectors.
 *
 * Forward: a breadth-first search that counts shortest paths. paths.q[d] holds the number of shortest paths
 * from the source for each vertex at depth d. paths.q[d] plus.first A sums those of a vertex's neighbors one
 * level above, and the mask keeps only vertices not visited before: paths.q[d + 1].
 *
 * Backward, from the deepest level: the dependency of the source on v is delta(v) = paths(v) * t(v), with
 * t(v) = sum over the children w of v: (1 + delta(w)) / paths(w) = 1 / paths(w) + t(w). So the t of a level
 * is one product with the level below, masked by the vertices of the level.
 *
 * Many sources at once would be matrices with a row for each source and the same steps. But a product with a
 * vector chooses its direction at each level. A vector is distributed over all processes, where a matrix
 * of few rows is on few of them. One source at a time is faster at every size measured (scales
 * 8 to 18, a mesh, 4 processes).
 *
 * Path counts are FP64: exact up to 2^53. Sources: Brandes (2001); in matrix form Kepner and Gilbert (2011).
 */
#include "algos/centrality/dependencies.h"

GrB_Info grid_dependencies_begin(dependencies *b, GrB_Matrix A, GrB_Index n) {
  *b = (dependencies){.A = A, .n = n};
  /* each process creates its own semirings, so a single process may fail */
  GrB_Info info = GrB_Semiring_new(&b->plus_first, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64);
  if (info == GrB_SUCCESS) info = GrB_Semiring_new(&b->plus_second, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64);
  TRY(Grid_agree(info, NULL));
  TRY(GrB_Vector_new(&b->visited, GrB_BOOL, n));
  TRY(GrB_Vector_new(&b->q, GrB_FP64, n));
  TRY(GrB_Vector_new(&b->t, GrB_FP64, n));
out:
  return info;
}

void grid_dependencies_free(dependencies *b) {
  grid_levels_free(&b->paths);
  GrB_Semiring_free(&b->plus_first);
  GrB_Semiring_free(&b->plus_second);
  GrB_Vector_free(&b->visited);
  GrB_Vector_free(&b->q);
  GrB_Vector_free(&b->t);
}

GrB_Info grid_count_paths(dependencies *b, GrB_Index source) {
  GrB_Info info;
  GrB_Index found;
  TRY(GrB_Vector_clear(b->t));
  TRY(GrB_Vector_clear(b->visited));
  TRY(GrB_Vector_clear(b->q));
  TRY(GrB_Vector_setElement_FP64(b->q, 1.0, source));
  for (;;) {
    TRY(grid_levels_add(&b->paths, b->q));
    /* visited<q> = true; q<!visited, replace> = q plus.first A */
    TRY(GrB_Vector_assign_BOOL(b->visited, b->q, NULL, true, GrB_ALL, b->n, GrB_DESC_S));
    TRY(GrB_vxm(b->q, b->visited, NULL, b->plus_first, b->q, b->A, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&found, b->q));
    if (found == 0) break;
  }
out:
  return info;
}

GrB_Info grid_add_path_ends(dependencies *b, GrB_Index d) {
  return GrB_Vector_apply(b->t, NULL, GrB_PLUS_FP64, GrB_MINV_FP64, b->paths.q[d], NULL);
}

GrB_Info grid_climb(dependencies *b, GrB_Index d) {
  return GrB_mxv(b->t, b->paths.q[d - 1], NULL, b->plus_second, b->A, b->t, GrB_DESC_RS);
}

GrB_Info grid_add_dependencies(dependencies *b, GrB_Vector sum, GrB_Vector squares, GrB_Index source) {
  GrB_Info info;
  TRY(grid_count_paths(b, source));
  /* a source is not between itself and another vertex, so level 0 is left out */
  for (GrB_Index d = b->paths.count - 1; d > 1; d--) {
    const GrB_Vector above = b->paths.q[d - 1];
    TRY(grid_add_path_ends(b, d));
    TRY(grid_climb(b, d));
    /* sum += delta = t .* paths */
    TRY(GrB_Vector_eWiseMult_BinaryOp(sum, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, b->t, above, NULL));
    if (squares == NULL) continue;
    TRY(GrB_Vector_eWiseMult_BinaryOp(b->q, NULL, NULL, GrB_TIMES_FP64, b->t, above, NULL));
    TRY(GrB_Vector_eWiseMult_BinaryOp(squares, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, b->q, b->q, NULL));
  }
  grid_levels_clear(&b->paths);
out:
  return info;
}
