/* Local clustering coefficients by masked products over a matrix that has each edge once.
 *
 * A triangle adds to each of its corners the number of edges on the opposite side: one or two in a directed
 * graph. L points i -> j -> k and i -> k in every triangle, and its values are the numbers of edges between
 * two vertices. Three products sum them: the opposite side is the entry of the first or of the second
 * operand.
 *
 * Source: Watts, Strogatz (1998); for directed graphs as in LDBC Graphalytics (Iosup et al., 2016). */
#include "algos/support/orient.h"

typedef struct {
  GrB_Matrix W; /* the numbers of edges, in L's direction */
  GrB_Matrix C; /* workspace */
  GrB_Semiring first, second;
  GrB_Vector sums;
} opposite_edges;

/* sums(v) += row sums (by_column: column sums) of C<M> = M (op) W or, transposed in desc, W'. */
static GrB_Info add_sums(opposite_edges *s, bool by_column, GrB_Matrix M, GrB_Semiring op,
                         GrB_Descriptor desc) {
  GrB_Info info;
  TRY(GrB_mxm(s->C, M, NULL, op, M, s->W, desc));
  TRY(GrB_Matrix_reduce_Monoid(s->sums, NULL, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, s->C,
                               by_column ? GrB_DESC_T0 : NULL));
out:
  return info;
}

/* Of triangles whose corner i is a row of M, some rows of W. */
static GrB_Info add_triangles(void *sums, GrB_Matrix M) {
  opposite_edges *s = sums;
  GrB_Info info;
  TRY(add_sums(s, false, M, s->second, GrB_DESC_RST1)); /* corner i: the edges between j and k */
  TRY(add_sums(s, true, M, s->first, GrB_DESC_RST1));   /* corner j: between i and k */
  TRY(add_sums(s, true, M, s->first, GrB_DESC_RS));     /* corner k: between i and j */
out:
  return info;
}

/* *across becomes the number of edges opposite to v over all its triangles; S has the numbers of edges. */
static GrB_Info weighted(GrB_Vector *across, GrB_Matrix S, GrB_Matrix L, GrB_Index n) {
  GrB_Info info;
  opposite_edges s = {0};
  /* each process creates its own semirings, so a single process may fail */
  info = GrB_Semiring_new(&s.first, GrB_PLUS_MONOID_INT64, GrB_FIRST_INT64);
  if (info == GrB_SUCCESS) info = GrB_Semiring_new(&s.second, GrB_PLUS_MONOID_INT64, GrB_SECOND_INT64);
  TRY(Grid_agree(info, NULL));
  TRY(GrB_Matrix_new(&s.W, GrB_INT64, n, n));
  TRY(GrB_Matrix_new(&s.C, GrB_INT64, n, n));
  TRY(GrB_Vector_new(&s.sums, GrB_INT64, n));
  TRY(GrB_Matrix_apply(s.W, L, NULL, GrB_IDENTITY_INT64, S, GrB_DESC_S));
  const Grid_Checkpoint_Item state[] = {{.name = "edges across", .vector = s.sums}};
  TRY(grid_for_parts("lcc", s.W, GrB_INT64, state, 1, add_triangles, &s));
  *across = s.sums, s.sums = NULL;
out:
  GrB_Semiring_free(&s.first);
  GrB_Semiring_free(&s.second);
  GrB_Matrix_free(&s.W);
  GrB_Matrix_free(&s.C);
  GrB_Vector_free(&s.sums);
  return info;
}

/* The same for an undirected graph: two edges for every triangle. */
static GrB_Info unweighted(GrB_Vector *across, GrB_Matrix L, GrB_Index n) {
  GrB_Info info;
  GrB_Vector at = NULL;
  uint64_t count;
  TRY(grid_count_triangles(&count, &at, L, n));
  TRY(GrB_Vector_apply_BinaryOp2nd_INT64(at, NULL, NULL, GrB_TIMES_INT64, at, 2, NULL));
  *across = at, at = NULL;
out:
  GrB_Vector_free(&at);
  return info;
}

/* *pairs(v) = d (d - 1), the ordered pairs of the d neighbors of v; d counts the edges of L that begin or
 * end at v. */
static GrB_Info neighbour_pairs(GrB_Vector *pairs, GrB_Matrix L, GrB_Index n) {
  GrB_Info info;
  GrB_Vector degree = NULL, less = NULL;
  TRY(GrB_Vector_new(&degree, GrB_INT64, n));
  TRY(GrB_Vector_new(&less, GrB_FP64, n));
  TRY(Grid_Matrix_degree(less, L, false));
  TRY(Grid_Matrix_degree(degree, L, true));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(degree, NULL, NULL, GrB_PLUS_INT64, degree, less, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(less, NULL, NULL, GrB_MINUS_FP64, degree, 1, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(less, NULL, NULL, GrB_TIMES_FP64, degree, less, NULL));
  *pairs = less, less = NULL;
out:
  GrB_Vector_free(&degree);
  GrB_Vector_free(&less);
  return info;
}

GrB_Info Grid_lcc(GrB_Vector *coefficient, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL, L = NULL;
  GrB_Vector across = NULL, pairs = NULL, all = NULL;

  if (coefficient == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_lcc: coefficient is NULL");
  TRY(square_size(&n, A, "Grid_lcc"));
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_orient(&L, S, n));
  TRY(S == A ? unweighted(&across, L, n) : weighted(&across, S, L, n));
  TRY(neighbour_pairs(&pairs, L, n));
  /* 0 where there is no triangle; a vertex with a triangle has pairs */
  TRY(GrB_Vector_eWiseMult_BinaryOp(pairs, NULL, NULL, GrB_DIV_FP64, across, pairs, NULL));
  TRY(GrB_Vector_new(&all, GrB_FP64, n));
  TRY(GrB_Vector_assign_FP64(all, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_assign(all, pairs, NULL, pairs, GrB_ALL, n, GrB_DESC_S));
  *coefficient = all, all = NULL;
out:
  grid_symmetrize_free(&S, A);
  GrB_Matrix_free(&L);
  GrB_Vector_free(&across);
  GrB_Vector_free(&pairs);
  GrB_Vector_free(&all);
  return info;
}
