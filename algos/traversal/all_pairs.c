/* Distances between all pairs of vertices, by the rounds of Bellman and Ford from all sources at once.
 *
 * D(s,v) is the least length of a path of up to k edges from s to v; Q has the entries that round k changed.
 * A round is Q min.plus A, of which the entries that are less than D's, or that D lacks, change D and are the
 * next Q. Weights of 0 or more make no cycles that shorten paths, so the rounds end after n - 1 at most.
 * Squaring D needs fewer products, but of full matrices; and sums from left to right, as here, are those of
 * the methods for one source.
 *
 * The product with a full matrix reads no indices. So A of a dense graph, and D, get the length infinity
 * where there is no edge. D loses these entries at the end. One CPU multiplies so; several processes do not.
 *
 * Sources: Bellman (1958), Ford (1956); as products of matrices: Kepner and Gilbert (2011). */
#include <float.h>
#include <math.h>

#include "algos/checkpoints/resume_matrix.h"
#include "algos/support/paths.h"

/* With this share of the entries a product takes longer than with all: 86 ms and 24 of 470 vertices on one
 * thread, with a share of 0.15 as long. */
static const double FULL_SHARE = 0.25;

/* *D(v,v) = 0 */
static GrB_Info make_diagonal(GrB_Matrix *D, GrB_Index n, const distances *d) {
  GrB_Info info;
  GrB_Vector zero = NULL;
  TRY(GrB_Vector_new(&zero, d->type, n));
  TRY(GrB_Vector_assign_INT64(zero, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Matrix_diag(D, zero, 0));
out:
  GrB_Vector_free(&zero);
  return info;
}

/* *full: infinity everywhere but where M has entries: these. */
static GrB_Info make_full(GrB_Matrix *full, GrB_Matrix M, GrB_Index n, const distances *d) {
  GrB_Info info;
  TRY(GrB_Matrix_new(full, d->type, n, n));
  TRY(GrB_Matrix_assign_FP64(*full, NULL, NULL, INFINITY, GrB_ALL, n, GrB_ALL, n, NULL));
  TRY(GrB_Matrix_assign(*full, M, NULL, M, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
out:
  return info;
}

/* *dense: A has so many entries that infinity should be in the others' places, and no path is so long. */
static GrB_Info is_dense(bool *dense, GrB_Matrix A, GrB_Index n, const distances *d) {
  GrB_Info info;
  GrB_Index entries;
  double longest = 0;
  *dense = false;
  TRY(GrB_Matrix_nvals(&entries, A));
  if (!d->real || (double)entries <= FULL_SHARE * (double)n * (double)n) goto out;
  if (Grid_size() > 1 || Grid_device() != Grid_CPU) goto out;
  TRY(GrB_Matrix_reduce_FP64(&longest, NULL, GrB_MAX_MONOID_FP64, A, NULL));
  *dense = longest < (d->type == GrB_FP32 ? (double)FLT_MAX : DBL_MAX) / (double)n;
out:
  return info;
}

/* The distances found, the entries that the last round changed, and the graph; full: D and W have infinity
 * where there is no path, and no edge. */
typedef struct {
  GrB_Matrix D, Q, W, worse;
  GrB_Index n;
  distances d;
  bool full;
} pairs;

/* Fills p after *rounds: 0, or those of a checkpoint. */
static GrB_Info start(pairs *p, uint64_t *rounds, const checkpoint_key *c, GrB_Matrix A) {
  GrB_Info info;
  GrB_Matrix full = NULL;
  TRY(is_dense(&p->full, A, p->n, &p->d));
  TRY(make_diagonal(&p->Q, p->n, &p->d));
  TRY(GrB_Matrix_dup(&p->D, p->Q));
  const checkpoint_matrix state[] = {{.name = "distance", .M = p->D, .type = p->d.type},
                                     {.name = "changed", .M = p->Q, .type = p->d.type}};
  TRY(grid_checkpoint_resume_matrices(rounds, c, NULL, 0, state, 2));
  TRY(GrB_Matrix_new(&p->worse, GrB_BOOL, p->n, p->n));
  if (!p->full) goto out;
  TRY(make_full(&p->W, A, p->n, &p->d));
  TRY(make_full(&full, p->D, p->n, &p->d));
  TRY(GrB_Matrix_free(&p->D));
  p->D = full, full = NULL;
out:
  GrB_Matrix_free(&full);
  return info;
}

/* *F = the distances of pairs with a path. */
static GrB_Info finite_distances(GrB_Matrix *F, const pairs *p) {
  GrB_Info info;
  TRY(GrB_Matrix_new(F, p->d.type, p->n, p->n));
  TRY(GrB_Matrix_select_FP64(*F, NULL, NULL, GrB_VALUELT_FP64, p->D, INFINITY, NULL));
out:
  return info;
}

static GrB_Info write_checkpoint(const pairs *p, uint64_t rounds, const checkpoint_key *c) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Matrix F = NULL;
  if (!grid_checkpoint_is_due(rounds)) return info;
  if (p->full) TRY(finite_distances(&F, p));
  const checkpoint_matrix state[] = {{.name = "distance", .M = p->full ? F : p->D, .type = p->d.type},
                                     {.name = "changed", .M = p->Q, .type = p->d.type}};
  TRY(grid_checkpoint_iteration_matrices(rounds, c, NULL, 0, state, 2));
out:
  GrB_Matrix_free(&F);
  return info;
}

GrB_Info Grid_all_pairs(GrB_Matrix *distance, GrB_Matrix A) {
  SPAN;
  static const char call[] = "Grid_all_pairs";
  GrB_Info info;
  GrB_Index changed;
  pairs p = {.D = NULL};
  checkpoint_key c;
  uint64_t rounds = 0;
  double least;

  if (distance == NULL) return grid_refuse(GrB_NULL_POINTER, call, "distance is NULL");
  TRY(square_size(&p.n, A, call));
  TRY(grid_distances_of(&p.d, A, call));
  TRY(grid_check_weights(&least, &p.d, A, true, call));
  TRY(grid_check_sum(&p.d, A, call));
  TRY(grid_checkpoint_key_make(&c, "all_pairs", A, p.n));
  TRY(start(&p, &rounds, &c, A));
  TRY(GrB_Matrix_nvals(&changed, p.Q));
  while (changed > 0) {
    TRY(GrB_mxm(p.Q, NULL, NULL, p.d.min_plus, p.Q, p.full ? p.W : A, NULL));
    TRY(grid_keep_improved_matrix(p.D, p.Q, p.worse, &p.d));
    TRY(write_checkpoint(&p, ++rounds, &c));
    TRY(GrB_Matrix_nvals(&changed, p.Q));
  }
  if (p.full) TRY(GrB_Matrix_select_FP64(p.D, NULL, NULL, GrB_VALUELT_FP64, p.D, INFINITY, NULL));
  *distance = p.D, p.D = NULL;
out:
  GrB_Matrix_free(&p.D);
  GrB_Matrix_free(&p.Q);
  GrB_Matrix_free(&p.W);
  GrB_Matrix_free(&p.worse);
  return info;
}
