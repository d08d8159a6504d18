/* The k-truss: edges with too few triangles are removed until all that remain have enough.
 *
 * A matrix L has each edge in one direction, S = L + L' in both. S S' counts the common neighbors of both
 * ends of an edge: its triangles. Where a round removes few edges, the triangles that they were in are
 * subtracted from the counts: the products then have the edges at their ends alone, or on a GPU, which looks
 * few entries up in many, the removed edges themselves.
 *
 * Source: Cohen, Trusses: cohesive subgraphs for social network analysis (2008). */
#include "algos/support/orient.h"
#include "algos/checkpoints/resume_matrix.h"

/* C<M> = the number of triangles of L that each edge of M is in; no entry where there are none. */
static GrB_Info supports(GrB_Matrix C, GrB_Matrix M, GrB_Matrix L) {
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL;
  TRY(GrB_Matrix_nrows(&n, L));
  TRY(GrB_Matrix_new(&S, GrB_BOOL, n, n));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(S, NULL, NULL, GrB_LOR, L, L, GrB_DESC_T1));
  TRY(GrB_mxm(C, M, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, S, S, GrB_DESC_RST1));
out:
  GrB_Matrix_free(&S);
  return info;
}

/* removed = the edges of L that C lacks. */
static GrB_Info find_removed(GrB_Matrix removed, GrB_Matrix L, GrB_Matrix C) {
  return GrB_Matrix_apply(removed, C, NULL, GrB_IDENTITY_BOOL, L, GrB_DESC_RSC);
}

/* adjacent = the edges of L that share a vertex with an edge that C lacks; those are removed next. */
static GrB_Info find_adjacent(GrB_Matrix adjacent, GrB_Matrix L, GrB_Matrix C, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix removed = NULL, diagonal = NULL;
  GrB_Vector end = NULL;
  TRY(GrB_Matrix_new(&removed, GrB_BOOL, n, n));
  TRY(GrB_Vector_new(&end, GrB_BOOL, n));
  TRY(find_removed(removed, L, C));
  TRY(GrB_Matrix_reduce_Monoid(end, NULL, NULL, GrB_LOR_MONOID_BOOL, removed, NULL));
  TRY(GrB_Matrix_reduce_Monoid(end, NULL, GrB_LOR, GrB_LOR_MONOID_BOOL, removed, GrB_DESC_T0));
  TRY(GrB_Matrix_diag(&diagonal, end, 0));
  TRY(GrB_mxm(adjacent, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, diagonal, L, NULL));
  TRY(GrB_mxm(adjacent, NULL, GrB_LOR, Grid_ANY_ONEB_SEMIRING_BOOL, L, diagonal, NULL));
out:
  GrB_Matrix_free(&removed);
  GrB_Matrix_free(&diagonal);
  GrB_Vector_free(&end);
  return info;
}

/* C, of the L before, becomes that of L, which has C's pattern. A triangle with a removed edge consists of
 * edges in `adjacent`, so that those of `adjacent` before and after differ by it alone. */
static GrB_Info subtract_lost(GrB_Matrix C, GrB_Matrix L, GrB_Matrix adjacent, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix remaining = NULL, count = NULL;
  TRY(GrB_Matrix_new(&remaining, GrB_BOOL, n, n));
  TRY(GrB_Matrix_new(&count, GrB_INT64, n, n));
  TRY(GrB_Matrix_apply(remaining, L, NULL, GrB_IDENTITY_BOOL, adjacent, GrB_DESC_RS));
  TRY(supports(count, remaining, adjacent));
  TRY(GrB_Matrix_apply(C, NULL, GrB_MINUS_INT64, GrB_IDENTITY_INT64, count, NULL));
  TRY(supports(count, remaining, remaining));
  TRY(GrB_Matrix_apply(C, NULL, GrB_PLUS_INT64, GrB_IDENTITY_INT64, count, NULL));
out:
  GrB_Matrix_free(&remaining);
  GrB_Matrix_free(&count);
  return info;
}

/* The same with the removed edges. Where S has the edges of L in both directions and R the removed ones, an
 * edge of L was in R S' + S R' + R R' triangles with removed edges. */
static GrB_Info subtract_removed(GrB_Matrix C, GrB_Matrix L, GrB_Matrix removed, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix S = NULL, R = NULL;
  TRY(GrB_Matrix_new(&S, GrB_BOOL, n, n));
  TRY(GrB_Matrix_new(&R, GrB_BOOL, n, n));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(S, NULL, NULL, GrB_LOR, L, L, GrB_DESC_T1));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(R, NULL, NULL, GrB_LOR, removed, removed, GrB_DESC_T1));
  const GrB_Matrix factor[3][2] = {{R, S}, {S, R}, {R, R}};
  for (int k = 0; k < 3; k++)
    TRY(GrB_mxm(C, L, GrB_MINUS_INT64, Grid_PLUS_ONEB_SEMIRING_INT64, factor[k][0], factor[k][1],
                GrB_DESC_ST1));
out:
  GrB_Matrix_free(&S);
  GrB_Matrix_free(&R);
  return info;
}

/* Counts are updated, not made anew, where an edge in so many is removed, and one in so many is adjacent to
 * it; on one GPU, by the removed edges, where one in so many is removed. */
enum { REMOVED = 1024, ADJACENT = 4, REMOVED_ON_DEVICE = 4 };

/* Removes edges from L, or from the L of a checkpoint, until all that remain have k - 2 triangles; C = their
 * numbers. */
static GrB_Info remove_edges(GrB_Matrix C, GrB_Matrix L, GrB_Matrix A, GrB_Index n, int64_t k) {
  GrB_Info info;
  GrB_Index left, remaining, affected;
  GrB_Matrix adjacent = NULL, removed = NULL;
  uint64_t rounds = 0;
  checkpoint_key c;
  const checkpoint_matrix state = {.name = "L", .M = L};
  TRY(grid_checkpoint_key_make(&c, "ktruss", A, n));
  c.key[3] = (uint64_t)k;
  TRY(grid_checkpoint_resume_matrices(&rounds, &c, NULL, 0, &state, 1));
  TRY(GrB_Matrix_nvals(&left, L));
  TRY(GrB_Matrix_new(&adjacent, GrB_BOOL, n, n));
  TRY(GrB_Matrix_new(&removed, GrB_BOOL, n, n));
  TRY(supports(C, L, L));
  for (;;) {
    TRY(GrB_Matrix_select_INT64(C, NULL, NULL, GrB_VALUEGE_INT64, C, k - 2, NULL));
    TRY(GrB_Matrix_nvals(&remaining, C));
    if (remaining == left || remaining == 0) break;
    affected = left;
    const bool by_removed = is_on_one_gpu() && left - remaining <= left / REMOVED_ON_DEVICE;
    if (by_removed) {
      TRY(find_removed(removed, L, C));
    } else if (left - remaining <= left / REMOVED) {
      TRY(find_adjacent(adjacent, L, C, n));
      TRY(GrB_Matrix_nvals(&affected, adjacent));
    }
    /* L<C, replace> = true */
    TRY(GrB_Matrix_assign_BOOL(L, C, NULL, true, GrB_ALL, n, GrB_ALL, n, GrB_DESC_RS));
    TRY(grid_checkpoint_iteration_matrices(++rounds, &c, NULL, 0, &state, 1));
    TRY(by_removed                         ? subtract_removed(C, L, removed, n)
        : affected <= remaining / ADJACENT ? subtract_lost(C, L, adjacent, n)
                                           : supports(C, L, L));
    left = remaining;
  }
out:
  GrB_Matrix_free(&adjacent);
  GrB_Matrix_free(&removed);
  return info;
}

GrB_Info Grid_ktruss(GrB_Matrix *truss, GrB_Matrix A, int64_t k) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL, L = NULL, C = NULL, both = NULL;

  if (truss == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_ktruss: truss is NULL");
  TRY(square_size(&n, A, "Grid_ktruss"));
  if (k < 3) return grid_refuse(GrB_INVALID_VALUE, "Grid_ktruss", "k is %" PRId64 ", below 3", k);
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_orient(&L, S, n));
  /* a GPU looks up the row at an edge's end in that at its beginning: the shorter one in the longer one */
  if (is_on_one_gpu()) TRY(GrB_transpose(L, NULL, NULL, L, NULL));
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
