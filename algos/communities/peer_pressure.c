/* Clusters by peer pressure: in each iteration every vertex votes for its neighbors to join its cluster, and
 * each vertex joins the cluster with most votes.
 *
 * A vertex divides its vote among the vertices that its edges lead to and itself. Each gets VOTE / their
 * number, rounded to an integer, so that sums of votes do not depend on their order. With a loop at each
 * vertex, V(j,i) = VOTE / outdegree(i) for each edge i -> j. The cluster of j is the label of largest sum in
 * row j of V, which Grid_Matrix_best_label finds.
 *
 * Source: Gilbert, Reinhardt, Shah, High-performance graph algorithms from parallel sparse matrices (2007).
 */
#include <math.h>

#include "algos/checkpoints/resume.h"

/* The votes of 2^VOTE_BITS vertices for one have an exact sum. */
enum { VOTE_BITS = 30, SUM_BITS = 52 };

/* *V = the votes. */
static GrB_Info make_votes(GrB_Matrix *V, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix edges = NULL, D = NULL;
  GrB_Vector x = NULL;
  TRY(GrB_Vector_new(&x, GrB_FP64, n));
  TRY(GrB_Vector_assign_FP64(x, NULL, NULL, 1.0, GrB_ALL, n, NULL));
  TRY(GrB_Matrix_diag(&D, x, 0));
  TRY(GrB_Matrix_new(&edges, GrB_FP64, n, n));
  TRY(GrB_Matrix_assign_FP64(edges, A, NULL, 1.0, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(edges, NULL, NULL, GrB_MAX_FP64, edges, D, NULL));
  TRY(Grid_Matrix_degree(x, edges, false));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(x, NULL, NULL, GrB_DIV_FP64, ldexp(1, SUM_BITS - VOTE_BITS), x,
                                        NULL));
  TRY(GrB_Vector_apply(x, NULL, NULL, GxB_ROUND_FP64, x, NULL));
  TRY(GrB_Matrix_free(&D));
  TRY(GrB_Matrix_diag(&D, x, 0));
  /* V = edges' D, each entry one product */
  TRY(GrB_Matrix_new(V, GrB_FP64, n, n));
  TRY(GrB_mxm(*V, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, edges, D, GrB_DESC_T0));
out:
  GrB_Matrix_free(&edges);
  GrB_Matrix_free(&D);
  GrB_Vector_free(&x);
  return info;
}

GrB_Info Grid_peer_pressure(GrB_Vector *cluster, uint64_t *iterations, GrB_Matrix A, uint64_t limit) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix V = NULL;
  GrB_Vector label = NULL, next = NULL, differ = NULL;
  uint64_t k = 0;
  bool changed = true;
  checkpoint_key c;

  TRY(check_outputs(cluster, iterations, "Grid_peer_pressure"));
  TRY(square_size(&n, A, "Grid_peer_pressure"));
  TRY(make_votes(&V, A, n));
  TRY(GrB_Vector_new(&label, GrB_INT64, n));
  TRY(GrB_Vector_new(&next, GrB_INT64, n));
  TRY(GrB_Vector_new(&differ, GrB_BOOL, n));
  TRY(GrB_Vector_assign_INT64(label, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(label, NULL, NULL, GrB_ROWINDEX_INT64, label, 0, NULL));
  const Grid_Checkpoint_Item state[] = {{.name = "label", .vector = label},
                                        {.name = "changed", .bytes = &changed, .size = sizeof changed}};
  TRY(grid_checkpoint_key_make(&c, "peer_pressure", A, n));
  TRY(grid_checkpoint_resume(&k, &c, state, 2));
  TRY(grid_checkpoint_check_limit(&c, k, limit));
  while (k < limit && changed) {
    Grid_progress_set(k, limit);
    TRY(Grid_Matrix_best_label(next, V, label, NULL, NULL, NULL, false));
    TRY(GrB_Vector_eWiseMult_BinaryOp(differ, NULL, NULL, GrB_NE_INT64, next, label, NULL));
    TRY(GrB_Vector_reduce_BOOL(&changed, NULL, GrB_LOR_MONOID_BOOL, differ, NULL));
    TRY(GrB_Vector_assign(label, next, NULL, next, GrB_ALL, n, GrB_DESC_S));
    TRY(grid_checkpoint_iteration(++k, &c, state, 2));
  }
  if (cluster != NULL) *cluster = label, label = NULL;
  if (iterations != NULL) *iterations = k;
out:
  GrB_Matrix_free(&V);
  GrB_Vector_free(&label);
  GrB_Vector_free(&next);
  GrB_Vector_free(&differ);
  return info;
}
