/* Reciprocity of a directed graph: the share of edges whose reverse is an edge, too. Without loops, with B =
 * the entries of A whose transposed entry exists, that is the number of entries of B over that of A. A vertex
 * has as many edges that are in B from it as to it, so its own is
 *   2 out(B) / (out(A) + in(A))
 *
 * Source: Wasserman, Faust, Social network analysis (1994). */
#include "algos/algos.h"

typedef struct {
  GrB_Index n;
  GrB_Matrix edges;    /* INT64: 1 where A has an entry off the diagonal */
  GrB_Matrix reversed; /* its transpose, whose rows have the edges to a vertex */
  GrB_Matrix both;     /* INT64: 1 where it has both directions */
} directed;

static GrB_Info find_both(directed *d, GrB_Matrix A) {
  GrB_Info info;
  TRY(GrB_Matrix_new(&d->edges, GrB_INT64, d->n, d->n));
  TRY(GrB_Matrix_new(&d->reversed, GrB_INT64, d->n, d->n));
  TRY(GrB_Matrix_new(&d->both, GrB_INT64, d->n, d->n));
  TRY(GrB_Matrix_assign_INT64(d->edges, A, NULL, 1, GrB_ALL, d->n, GrB_ALL, d->n, GrB_DESC_S));
  TRY(GrB_Matrix_select_INT64(d->edges, NULL, NULL, GrB_OFFDIAG, d->edges, 0, NULL));
  TRY(GrB_transpose(d->reversed, NULL, NULL, d->edges, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(d->both, NULL, NULL, GrB_TIMES_INT64, d->edges, d->reversed, NULL));
out:
  return info;
}

/* *r = 2 out(both) / (out + in), 0 where a vertex has no edges in both directions. */
static GrB_Info of_vertices(GrB_Vector *r, const directed *d) {
  GrB_Info info;
  GrB_Vector twice = NULL, all = NULL, in = NULL;
  TRY(GrB_Vector_new(&twice, GrB_FP64, d->n));
  TRY(GrB_Vector_new(&all, GrB_FP64, d->n));
  TRY(GrB_Vector_new(&in, GrB_FP64, d->n));
  TRY(GrB_Vector_new(r, GrB_FP64, d->n));
  TRY(Grid_Matrix_degree(twice, d->both, false));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(twice, NULL, NULL, GrB_PLUS_FP64, twice, twice, NULL));
  TRY(Grid_Matrix_degree(all, d->edges, false));
  TRY(Grid_Matrix_degree(in, d->reversed, false));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(all, NULL, NULL, GrB_PLUS_FP64, all, in, NULL));
  TRY(GrB_Vector_assign_FP64(*r, NULL, NULL, 0.0, GrB_ALL, d->n, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(*r, NULL, GrB_PLUS_FP64, GrB_DIV_FP64, twice, all, NULL));
out:
  GrB_Vector_free(&twice);
  GrB_Vector_free(&all);
  GrB_Vector_free(&in);
  return info;
}

GrB_Info Grid_reciprocity(double *reciprocity, GrB_Vector *per_vertex, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  directed d = {.n = 0};
  GrB_Vector shares = NULL;
  GrB_Index all, both;

  TRY(check_outputs(reciprocity, per_vertex, "Grid_reciprocity"));
  TRY(square_size(&d.n, A, "Grid_reciprocity"));
  TRY(find_both(&d, A));
  TRY(GrB_Matrix_nvals(&all, d.edges));
  TRY(GrB_Matrix_nvals(&both, d.both));
  if (per_vertex != NULL) TRY(of_vertices(&shares, &d));
  if (reciprocity != NULL) *reciprocity = all == 0 ? 0 : (double)both / (double)all;
  if (per_vertex != NULL) *per_vertex = shares, shares = NULL;
out:
  GrB_Matrix_free(&d.edges);
  GrB_Matrix_free(&d.reversed);
  GrB_Matrix_free(&d.both);
  GrB_Vector_free(&shares);
  return info;
}
