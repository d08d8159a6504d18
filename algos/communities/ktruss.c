/* The k-truss: edges with too few triangles are removed until all that remain have enough.
 *
 * The triangles of every edge are counted over a matrix L that has each edge in one direction and no cycles,
 * so a triangle is i -> j, j -> k, i -> k. Three masked products each find it from one of its sides. A
 * subset of L has no cycles either, so the directions, from low degrees to high ones (orient.c), remain
 * valid.
 *
 * Source: Cohen, Trusses: cohesive subgraphs for social network analysis (2008). */
#include "algos/orient.h"

/* C<L> = the number of triangles of each edge of L; no entry where there are none. */
static GrB_Info supports(GrB_Matrix C, GrB_Matrix L) {
  GrB_Info info;
  const GrB_Semiring ones = Grid_PLUS_ONEB_SEMIRING_INT64;
  TRY(GrB_mxm(C, L, NULL, ones, L, L, GrB_DESC_RST1));          /* edge i -> j, by k */
  TRY(GrB_mxm(C, L, GrB_PLUS_INT64, ones, L, L, GrB_DESC_S));   /* edge i -> k, by j */
  TRY(GrB_mxm(C, L, GrB_PLUS_INT64, ones, L, L, GrB_DESC_ST0)); /* edge j -> k, by i */
out:
  return info;
}

GrB_Info Grid_ktruss(GrB_Matrix *truss, GrB_Matrix A, int64_t k) {
  SPAN;
  GrB_Info info;
  GrB_Index n, left, kept;
  GrB_Matrix S = NULL, L = NULL, C = NULL, both = NULL;

  if (truss == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_ktruss: truss is NULL");
  TRY(square_size(&n, A, "Grid_ktruss"));
  if (k < 3) return Grid_agree(GrB_INVALID_VALUE, "Grid_ktruss: k is below 3");
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_orient(&L, S, n));
  TRY(GrB_Matrix_new(&C, GrB_INT64, n, n));
  TRY(GrB_Matrix_nvals(&left, L));
  for (;;) {
    TRY(supports(C, L));
    TRY(GrB_Matrix_select_INT64(C, NULL, NULL, GrB_VALUEGE_INT64, C, k - 2, NULL));
    TRY(GrB_Matrix_nvals(&kept, C));
    if (kept == left || kept == 0) break;
    /* L<C, replace> = true */
    TRY(GrB_Matrix_assign_BOOL(L, C, NULL, true, GrB_ALL, n, GrB_ALL, n, GrB_DESC_RS));
    left = kept;
  }
  /* both = C + C' */
  TRY(GrB_Matrix_new(&both, GrB_INT64, n, n));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(both, NULL, NULL, GrB_PLUS_INT64, C, C, GrB_DESC_T1));
  *truss = both, both = NULL;
out:
  grid_symmetrize_free(&S, A);
  GrB_Matrix_free(&L);
  GrB_Matrix_free(&C);
  GrB_Matrix_free(&both);
  return info;
}
