/* Breadth-first search from many vertices at once: matrices with a column for each. A level is one masked
 * product of the graph with the frontiers, which reads an edge once for many of them. Sources: Buluc and
 * Gilbert, The Combinatorial BLAS (2011); Then et al., The more the merrier (2014). */
#include "algos/algos.h"

/* Levels are stored in the smallest type that holds them. Before the level that does not fit they are
 * converted to a wider one. */
static GrB_Info widen(GrB_Matrix *found, int32_t depth) {
  GrB_Matrix wider = NULL;
  GrB_Index n, count;
  GrB_Info info = GrB_SUCCESS;
  const bool byte = depth == INT8_MAX + 1;
  if (!byte && depth != INT16_MAX + 1) return info;
  TRY(GrB_Matrix_nrows(&n, *found));
  TRY(GrB_Matrix_ncols(&count, *found));
  TRY(GrB_Matrix_new(&wider, byte ? GrB_INT16 : GrB_INT32, n, count));
  TRY(GrB_Matrix_apply(wider, NULL, NULL, byte ? GrB_IDENTITY_INT16 : GrB_IDENTITY_INT32, *found, NULL));
  TRY(GrB_Matrix_free(found));
  *found = wider, wider = NULL;
out:
  GrB_Matrix_free(&wider);
  return info;
}

GrB_Info Grid_bfs_many(GrB_Matrix *level, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources,
                       int64_t limit) {
  SPAN;
  GrB_Matrix q = NULL, found = NULL;
  GrB_Index n, nq;
  GrB_Info info;

  if (level == NULL || sources == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_bfs_many: sources or the output is NULL");
  TRY(square_size(&n, A, "Grid_bfs_many"));
  if (nsources == 0) return Grid_agree(GrB_INVALID_VALUE, "Grid_bfs_many: there are no sources");
  for (GrB_Index k = 0; k < nsources; k++)
    if (sources[k] >= n) return Grid_agree(GrB_INVALID_INDEX, "Grid_bfs_many: a source is not a vertex of A");

  /* q(source k, k) = true, level(source k, k) = 0 */
  TRY(GrB_Matrix_new(&q, GrB_BOOL, n, nsources));
  TRY(GrB_Matrix_new(&found, GrB_INT8, n, nsources));
  for (GrB_Index k = 0; k < nsources; k++) {
    TRY(GrB_Matrix_setElement_BOOL(q, true, sources[k], k));
    TRY(GrB_Matrix_setElement_INT32(found, 0, sources[k], k));
  }
  for (int32_t depth = 1; limit < 0 || depth <= limit; depth++) {
    /* q<!level, replace> = A^T any.oneb q */
    TRY(GrB_mxm(q, found, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, A, q, GrB_DESC_RSCT0));
    TRY(GrB_Matrix_nvals(&nq, q));
    if (nq == 0) break;
    TRY(widen(&found, depth));
    /* level<q> = depth */
    TRY(GrB_Matrix_assign_INT32(found, q, NULL, depth, GrB_ALL, n, GrB_ALL, nsources, GrB_DESC_S));
  }
  *level = found, found = NULL;

out:
  GrB_Matrix_free(&q);
  GrB_Matrix_free(&found);
  return info;
}
