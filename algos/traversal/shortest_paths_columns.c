/* Distances from several sources at once, by the rounds of Bellman and Ford. D has a column for each source,
 * and Q those entries of D that the last round changed. A round is A^T min.plus Q, of which the entries that
 * are less than D's, or that D lacks, change D and are the next Q.
 *
 * A round inspects the edges of all vertices in Q, and each is in Q as often as its distance changes. The GPU
 * inspects them faster than it starts the many short calls of delta-stepping.
 *
 * Sources: Bellman (1958), Ford (1956); as products of matrices: Kepner and Gilbert (2011). */
#include "algos/traversal/shortest_paths_columns.h"

/* Distances that a GPU's memory holds several times, and the fewest sources that gain. On an H200 16 of
 * rmat:18 take 36 ms in place of 138. Of mesh:1000x1000 16 take 2.9 s in place of some 6, but 2 take 1.4 in
 * place of 0.9. */
static const GrB_Index MOST_DISTANCES = (GrB_Index)1 << 29, LEAST_SOURCES = 8;

bool grid_shortest_paths_at_once(GrB_Index n, GrB_Index nsources) {
  return is_on_one_gpu() && nsources >= LEAST_SOURCES && nsources <= MOST_DISTANCES / (n + 1);
}

/* The rounds; D and Q have the sources. */
static GrB_Info run(GrB_Matrix D, GrB_Matrix Q, GrB_Matrix worse, GrB_Matrix A, const distances *d) {
  GrB_Info info;
  GrB_Index changed = 1;
  while (changed > 0) {
    TRY(GrB_mxm(Q, NULL, NULL, d->min_plus, A, Q, GrB_DESC_T0));
    TRY(grid_keep_improved_matrix(D, Q, worse, d));
    TRY(GrB_Matrix_nvals(&changed, Q));
  }
out:
  return info;
}

GrB_Info grid_shortest_paths_columns(GrB_Matrix *distance, GrB_Matrix A, const GrB_Index *sources,
                                     GrB_Index nsources, const distances *d) {
  GrB_Info info;
  GrB_Index n;
  distances narrow = *d;
  GrB_Matrix D = NULL, Q = NULL, worse = NULL;
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(grid_distances_narrow(&narrow, A, n));
  TRY(GrB_Matrix_new(&D, narrow.type, n, nsources));
  TRY(GrB_Matrix_new(&worse, GrB_BOOL, n, nsources));
  for (GrB_Index k = 0; k < nsources; k++) TRY(GrB_Matrix_setElement_INT64(D, 0, sources[k], k));
  TRY(GrB_Matrix_dup(&Q, D));
  TRY(run(D, Q, worse, A, &narrow));
  if (narrow.type != d->type) {
    TRY(GrB_Matrix_free(&Q));
    TRY(GrB_Matrix_new(&Q, d->type, n, nsources));
    TRY(GrB_Matrix_apply(Q, NULL, NULL, GrB_IDENTITY_INT64, D, NULL));
    *distance = Q, Q = NULL;
  } else {
    *distance = D, D = NULL;
  }
out:
  GrB_Matrix_free(&D);
  GrB_Matrix_free(&Q);
  GrB_Matrix_free(&worse);
  return info;
}
