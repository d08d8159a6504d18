/* Square clustering: of the squares that the neighbors of a vertex could form, the share that exist.
 *
 * A pair u, w of v's neighbors is opposite in c(u,w) - 1 squares with v. It could be in one more for each
 * neighbor of u or of w that is not yet common. These are d(u) + d(w) - 2 (c(u,w) - 1) - 2 in all, less 2
 * where u and w are neighbors themselves. So with s squares and t triangles at v, of d neighbors, there could
 * be
 *   (d - 1) (sum of d(u) - d) - 2 t - s
 *
 * Sources: Lind, Gonzalez, Herrmann, Cycles and clustering in bipartite networks (2005); Zhang et al. (2008).
 */
#include "algos/structure/square_clustering.h"

#include "algos/structure/common_neighbors.h"
#include "algos/rows/row_panels.h"

/* *possible(v) = the formula above, where it is above 0. */
static GrB_Info count_possible(GrB_Vector *possible, const grid_pair_sums *s, GrB_Matrix S, GrB_Index n) {
  GrB_Info info;
  GrB_Vector d = NULL, p = NULL;
  TRY(GrB_Vector_new(&d, GrB_FP64, n));
  TRY(GrB_Vector_new(&p, GrB_FP64, n));
  TRY(Grid_Matrix_degree(d, S, false));
  TRY(GrB_mxv(p, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, S, d, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(p, NULL, NULL, GrB_MINUS_FP64, p, d, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(d, NULL, NULL, GrB_MINUS_FP64, d, 1, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(p, NULL, NULL, GrB_TIMES_FP64, p, d, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(p, NULL, NULL, GrB_MINUS_FP64, p, s->triangles, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(p, NULL, NULL, GrB_MINUS_FP64, p, s->squares, NULL));
  TRY(GrB_Vector_select_FP64(p, NULL, NULL, GrB_VALUEGT_FP64, p, 0, NULL));
  *possible = p, p = NULL;
out:
  GrB_Vector_free(&d);
  GrB_Vector_free(&p);
  return info;
}

GrB_Info grid_square_clustering_by_panels(GrB_Vector *coefficient, GrB_Matrix A, uint64_t pairs) {
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL;
  GrB_Vector share = NULL;
  grid_pair_sums s = {NULL};

  if (coefficient == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_square_clustering: coefficient is NULL");
  TRY(square_size(&n, A, "Grid_square_clustering"));
  TRY(grid_undirected_pattern(&S, A, n));
  TRY(grid_sum_pairs(&s, S, n, pairs, false, "Grid_square_clustering"));
  TRY(count_possible(&share, &s, S, n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(share, NULL, NULL, GrB_DIV_FP64, s.squares, share, NULL));
  TRY(GrB_Vector_assign_FP64(share, share, NULL, 0, GrB_ALL, n, GrB_DESC_SC));
  *coefficient = share, share = NULL;
out:
  GrB_Matrix_free(&S);
  grid_pair_sums_free(&s);
  GrB_Vector_free(&share);
  return info;
}

GrB_Info Grid_square_clustering(GrB_Vector *coefficient, GrB_Matrix A) {
  SPAN;
  return grid_square_clustering_by_panels(coefficient, A, GRID_PANEL_ENTRIES);
}
