/* A small vertex cover: the ends of the edges of a maximal matching, less those that are not needed.
 *
 * Each cover has an end of every edge of a matching, so the matched vertices are at most twice as many as the
 * fewest that cover all edges. A vertex of the cover whose neighbors are all in it may leave, if none of
 * these leaves, too: a maximal independent set of such vertices does. Then none can leave.
 *
 * Sources: Gavril in Garey, Johnson, Computers and intractability (1979). */
#include "algos/algos.h"
#include "algos/support/orient.h"

/* *needed = the vertices with a neighbor outside the cover; S: symmetric, without loops. */
static GrB_Info find_needed(GrB_Vector *needed, GrB_Matrix S, GrB_Vector cover, GrB_Index n) {
  GrB_Info info;
  GrB_Vector outside = NULL;
  TRY(GrB_Vector_new(needed, GrB_BOOL, n));
  TRY(GrB_Vector_new(&outside, GrB_BOOL, n));
  TRY(GrB_Vector_assign_BOOL(outside, cover, NULL, true, GrB_ALL, n, GrB_DESC_SC));
  TRY(GrB_mxv(*needed, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, S, outside, NULL));
out:
  GrB_Vector_free(&outside);
  return info;
}

/* *leaves = a maximal independent set of these vertices. */
static GrB_Info choose_leaving(GrB_Vector *leaves, GrB_Matrix S, GrB_Vector spare, GrB_Index n,
                               uint64_t seed) {
  GrB_Info info;
  GrB_Matrix D = NULL, among = NULL;
  GrB_Vector set = NULL;
  /* among = D S D, each entry one product */
  TRY(GrB_Matrix_diag(&D, spare, 0));
  TRY(GrB_Matrix_new(&among, GrB_BOOL, n, n));
  TRY(GrB_mxm(among, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, D, S, NULL));
  TRY(GrB_mxm(among, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, among, D, NULL));
  TRY(Grid_mis(&set, among, seed));
  TRY(GrB_Vector_new(leaves, GrB_BOOL, n));
  TRY(GrB_Vector_assign(*leaves, spare, NULL, set, GrB_ALL, n, GrB_DESC_S));
out:
  GrB_Matrix_free(&D);
  GrB_Matrix_free(&among);
  GrB_Vector_free(&set);
  return info;
}

/* Removes vertices from the cover that are not needed. */
static GrB_Info remove_spare(GrB_Vector cover, GrB_Matrix S, GrB_Index n, uint64_t seed) {
  GrB_Info info;
  GrB_Vector needed = NULL, spare = NULL, leaves = NULL;
  TRY(find_needed(&needed, S, cover, n));
  TRY(GrB_Vector_new(&spare, GrB_BOOL, n));
  TRY(GrB_Vector_assign(spare, needed, NULL, cover, GrB_ALL, n, GrB_DESC_SC));
  TRY(choose_leaving(&leaves, S, spare, n, seed));
  TRY(GrB_Vector_assign(cover, leaves, NULL, cover, GrB_ALL, n, GrB_DESC_RSC));
out:
  GrB_Vector_free(&needed);
  GrB_Vector_free(&spare);
  GrB_Vector_free(&leaves);
  return info;
}

/* *S = the pattern of A and its transpose, without loops. */
static GrB_Info load_graph(GrB_Matrix *S, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix both = NULL;
  TRY(GrB_Matrix_new(S, GrB_BOOL, n, n));
  TRY(grid_symmetrize(&both, A, n));
  TRY(GrB_Matrix_assign_BOOL(*S, both, NULL, true, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  TRY(GrB_Matrix_select_INT64(*S, NULL, NULL, GrB_OFFDIAG, *S, 0, NULL));
out:
  if (both != NULL) grid_symmetrize_free(&both, A);
  return info;
}

GrB_Info Grid_vertex_cover(GrB_Vector *cover, uint64_t *bound, GrB_Matrix A, uint64_t seed) {
  SPAN;
  GrB_Info info;
  GrB_Index n, matched = 0;
  GrB_Matrix S = NULL;
  GrB_Vector mate = NULL, found = NULL;

  TRY(check_outputs(cover, bound, "Grid_vertex_cover"));
  TRY(square_size(&n, A, "Grid_vertex_cover"));
  TRY(load_graph(&S, A, n));
  TRY(Grid_matching(&mate, S, seed));
  TRY(GrB_Vector_nvals(&matched, mate));
  TRY(GrB_Vector_new(&found, GrB_BOOL, n));
  TRY(GrB_Vector_assign_BOOL(found, mate, NULL, true, GrB_ALL, n, GrB_DESC_S));
  if (cover != NULL) TRY(remove_spare(found, S, n, seed));
  if (cover != NULL) *cover = found, found = NULL;
  if (bound != NULL) *bound = matched / 2;
out:
  GrB_Matrix_free(&S);
  GrB_Vector_free(&mate);
  GrB_Vector_free(&found);
  return info;
}
