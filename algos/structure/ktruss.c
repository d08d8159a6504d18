/* The k-truss: edges with too few triangles are removed until all that remain have enough.
 *
 * The triangles of every edge are counted over a matrix L that has each edge in one direction and no cycles,
 * so a triangle is i -> j, j -> k, i -> k. Three masked products each find it from one of its sides. A
 * subset of L has no cycles either, so the directions, from low degrees to high ones (orient.c), remain
 * valid.
 *
 * Source: Cohen, Trusses: cohesive subgraphs for social network analysis (2008). */
#include "algos/orient.h"
#include "algos/resume_matrix.h"

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

/* Removes edges from L, or from the L of a checkpoint, until all that remain have k - 2 triangles; C = their
 * numbers. */
static GrB_Info remove_edges(GrB_Matrix C, GrB_Matrix L, GrB_Matrix A, GrB_Index n, int64_t k) {
  GrB_Info info;
  GrB_Index left, kept;
  uint64_t rounds = 0;
  checkpoint_key c;
  const checkpoint_matrix state = {.name = "L", .M = L, .pattern = true};
  TRY(grid_checkpoint_key_make(&c, "ktruss", A, n));
  c.key[3] = (uint64_t)k;
  TRY(grid_checkpoint_resume_matrices(&rounds, &c, NULL, 0, &state, 1));
  TRY(GrB_Matrix_nvals(&left, L));
  for (;;) {
    TRY(supports(C, L));
    TRY(GrB_Matrix_select_INT64(C, NULL, NULL, GrB_VALUEGE_INT64, C, k - 2, NULL));
    TRY(GrB_Matrix_nvals(&kept, C));
    if (kept == left || kept == 0) break;
    /* L<C, replace> = true */
    TRY(GrB_Matrix_assign_BOOL(L, C, NULL, true, GrB_ALL, n, GrB_ALL, n, GrB_DESC_RS));
    left = kept;
    TRY(grid_checkpoint_iteration_matrices(++rounds, &c, NULL, 0, &state, 1));
  }
out:
  return info;
}

GrB_Info Grid_ktruss(GrB_Matrix *truss, GrB_Matrix A, int64_t k) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL, L = NULL, C = NULL, both = NULL;

  if (truss == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_ktruss: truss is NULL");
  TRY(square_size(&n, A, "Grid_ktruss"));
  if (k < 3) return Grid_agree(GrB_INVALID_VALUE, "Grid_ktruss: k is below 3");
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_orient(&L, S, n));
  TRY(GrB_Matrix_new(&C, GrB_INT64, n, n));
  TRY(remove_edges(C, L, A, n, k));
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
