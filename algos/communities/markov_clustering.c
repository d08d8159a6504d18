/* Markov clustering: a random walk whose likely steps become ever more likely, until it stays in clusters.
 *
 * T(i,j) is the probability of a step from i to j, in units of 2^-UNIT_BITS. It begins with the weights of
 * the edges of i, and a loop as heavy as the heaviest, divided by their sum. An iteration
 *   expands   E = T T, the probabilities of two steps
 *   prunes    drops entries of less than a share of the largest of their row
 *   inflates  raises the others to a power, and divides them by the sum of their row
 * until T changes little. Vertices that the walk still connects are a cluster.
 *
 * All sums are of integers below 2^53: they do not depend on the order of additions, so the clusters are the
 * same on any number of processes.
 *
 * Source: van Dongen, Graph clustering by flow simulation (2000). */
#include <math.h>

#include "algos/components/components.h"
#include "algos/support/exact_weights.h"
#include "algos/checkpoints/resume_matrix.h"

enum { UNIT_BITS = 26, POWER_BITS = 32, CHANGE_BITS = 16 };
static const double pruned_share = 1e-3; /* of the largest entry of a row */

typedef struct {
  GrB_Index n;
  double inflation;
  GrB_Matrix T, E, D;
  GrB_Vector row; /* FP64 */
} walk;

/* *M = diag(row) M, each entry one product. */
static GrB_Info scale_rows(GrB_Matrix M, walk *w) {
  GrB_Info info;
  TRY(GrB_Matrix_free(&w->D));
  TRY(GrB_Matrix_diag(&w->D, w->row, 0));
  TRY(GrB_mxm(M, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->D, M, NULL));
out:
  return info;
}

/* M, of integers: divided by the sums of its rows, in units. */
static GrB_Info divide_by_sums(GrB_Matrix M, walk *w) {
  GrB_Info info;
  TRY(GrB_Matrix_reduce_Monoid(w->row, NULL, NULL, GrB_PLUS_MONOID_FP64, M, NULL));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(w->row, NULL, NULL, GrB_DIV_FP64, ldexp(1, UNIT_BITS), w->row, NULL));
  TRY(scale_rows(M, w));
  TRY(GrB_Matrix_apply(M, NULL, NULL, GxB_ROUND_FP64, M, NULL));
  TRY(GrB_Matrix_select_FP64(M, NULL, NULL, GrB_VALUEGT_FP64, M, 0.0, NULL));
out:
  return info;
}

/* T = the first steps. */
static GrB_Info begin(walk *w, GrB_Matrix A) {
  GrB_Info info;
  GrB_Vector loop = NULL;
  TRY(grid_exact_weights(&w->T, A, "Grid_markov_clustering"));
  TRY(GrB_Matrix_select_INT64(w->T, NULL, NULL, GrB_OFFDIAG, w->T, 0, NULL));
  TRY(GrB_Vector_new(&w->row, GrB_FP64, w->n));
  TRY(GrB_Vector_new(&loop, GrB_FP64, w->n));
  TRY(GrB_Vector_assign_FP64(loop, NULL, NULL, 1.0, GrB_ALL, w->n, NULL));
  TRY(GrB_Matrix_reduce_Monoid(w->row, NULL, NULL, GrB_MAX_MONOID_FP64, w->T, NULL));
  TRY(GrB_Vector_assign(loop, w->row, NULL, w->row, GrB_ALL, w->n, GrB_DESC_S));
  TRY(GrB_Matrix_diag(&w->D, loop, 0));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(w->T, NULL, NULL, GrB_PLUS_FP64, w->T, w->D, NULL));
  TRY(divide_by_sums(w->T, w));
  TRY(GrB_Matrix_new(&w->E, GrB_FP64, w->n, w->n));
out:
  GrB_Vector_free(&loop);
  return info;
}

/* E = each entry to the power `inflation`. The default, 2, is one product, on every device. */
static GrB_Info inflate(walk *w) {
  if (w->inflation == 2)
    return GrB_Matrix_eWiseMult_BinaryOp(w->E, NULL, NULL, GrB_TIMES_FP64, w->E, w->E, NULL);
  return GrB_Matrix_apply_BinaryOp2nd_FP64(w->E, NULL, NULL, GxB_POW_FP64, w->E, w->inflation, NULL);
}

/* E = the steps after T's. */
static GrB_Info step(walk *w) {
  GrB_Info info;
  TRY(GrB_mxm(w->E, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->T, w->T, NULL));
  /* the largest of each row becomes 1 */
  TRY(GrB_Matrix_reduce_Monoid(w->row, NULL, NULL, GrB_MAX_MONOID_FP64, w->E, NULL));
  TRY(GrB_Vector_apply(w->row, NULL, NULL, GrB_MINV_FP64, w->row, NULL));
  TRY(scale_rows(w->E, w));
  TRY(GrB_Matrix_select_FP64(w->E, NULL, NULL, GrB_VALUEGE_FP64, w->E, pruned_share, NULL));
  TRY(inflate(w));
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(w->E, NULL, NULL, GrB_TIMES_FP64, w->E, ldexp(1, POWER_BITS), NULL));
  TRY(GrB_Matrix_apply(w->E, NULL, NULL, GxB_ROUND_FP64, w->E, NULL));
  TRY(divide_by_sums(w->E, w));
out:
  return info;
}

/* T = E; *change: the largest difference of an entry. */
static GrB_Info replace(double *change, walk *w) {
  GrB_Info info;
  GrB_Matrix difference = NULL;
  TRY(GrB_Matrix_new(&difference, GrB_FP64, w->n, w->n));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(difference, NULL, NULL, GrB_MINUS_FP64, w->T, w->E, NULL));
  TRY(GrB_Matrix_apply(difference, NULL, NULL, GrB_ABS_FP64, difference, NULL));
  TRY(GrB_Matrix_reduce_FP64(change, NULL, GrB_MAX_MONOID_FP64, difference, NULL));
  const GrB_Matrix T = w->T;
  w->T = w->E, w->E = T;
out:
  GrB_Matrix_free(&difference);
  return info;
}

/* Iterations until T changes little, from T or from a checkpoint; *k: their number. */
static GrB_Info iterate(uint64_t *k, walk *w, GrB_Matrix A, uint64_t limit) {
  GrB_Info info;
  double change = INFINITY;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "change", .bytes = &change, .size = sizeof change}};
  TRY(grid_checkpoint_key_make(&c, "markov_clustering", A, w->n));
  c.key[3] = grid_key_of(w->inflation);
  TRY(grid_checkpoint_resume_matrices(k, &c, state, 1,
                                      &(checkpoint_matrix){.name = "T", .M = w->T, .type = GrB_FP64}, 1));
  TRY(grid_checkpoint_check_limit(&c, *k, limit));
  while (*k < limit && change > ldexp(1, UNIT_BITS - CHANGE_BITS)) {
    Grid_progress_set(*k, limit);
    TRY(step(w));
    TRY(replace(&change, w));
    const checkpoint_matrix T = {.name = "T", .M = w->T, .type = GrB_FP64};
    TRY(grid_checkpoint_iteration_matrices(++*k, &c, state, 1, &T, 1));
  }
out:
  return info;
}

GrB_Info Grid_markov_clustering(GrB_Vector *cluster, uint64_t *iterations, GrB_Matrix A, double inflation,
                                uint64_t limit) {
  SPAN;
  static const char call[] = "Grid_markov_clustering";
  GrB_Info info;
  GrB_Vector found = NULL;
  walk w = {.inflation = inflation};
  uint64_t k = 0;

  TRY(check_outputs(cluster, iterations, call));
  if (!(inflation > 1 && inflation <= 100))
    return grid_refuse(GrB_INVALID_VALUE, call, "inflation is %g, not above 1 and at most 100", inflation);
  TRY(square_size(&w.n, A, call));
  TRY(begin(&w, A));
  TRY(iterate(&k, &w, A, limit));
  TRY(grid_components_step(&found, w.T));
  if (cluster != NULL) *cluster = found, found = NULL;
  if (iterations != NULL) *iterations = k;
out:
  GrB_Matrix_free(&w.T);
  GrB_Matrix_free(&w.E);
  GrB_Matrix_free(&w.D);
  GrB_Vector_free(&w.row);
  GrB_Vector_free(&found);
  return info;
}
