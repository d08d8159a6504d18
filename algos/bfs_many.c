/* Breadth-first search from many vertices at once: matrices with a row for each. A level is one masked
 * product of the frontiers with the graph, which looks at an edge once for many of them. Sources: Buluc and
 * Gilbert, The Combinatorial BLAS (2011); Gilbert, Reinhardt, Shah (2006). */
#include "algos/algos.h"

GrB_Info Grid_bfs_many(GrB_Matrix *level, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources,
                       int64_t limit) {
  GrB_Matrix q = NULL, found = NULL;
  GrB_Index n, nq;
  GrB_Info info;

  if (level == NULL || sources == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_bfs_many: sources or the output is NULL");
  TRY(square_size(&n, A, "Grid_bfs_many"));
  if (nsources == 0) return Grid_agree(GrB_INVALID_VALUE, "Grid_bfs_many: there are no sources");
  for (GrB_Index k = 0; k < nsources; k++)
    if (sources[k] >= n) return Grid_agree(GrB_INVALID_INDEX, "Grid_bfs_many: a source is not a vertex of A");

  /* q(k, source k) = true, level(k, source k) = 0 */
  TRY(GrB_Matrix_new(&q, GrB_BOOL, nsources, n));
  TRY(GrB_Matrix_new(&found, GrB_INT32, nsources, n));
  for (GrB_Index k = 0; k < nsources; k++) {
    TRY(GrB_Matrix_setElement_BOOL(q, true, k, sources[k]));
    TRY(GrB_Matrix_setElement_INT32(found, 0, k, sources[k]));
  }
  for (int32_t depth = 1; limit < 0 || depth <= limit; depth++) {
    /* q<!level, replace> = q any.oneb A */
    TRY(GrB_mxm(q, found, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, q, A, GrB_DESC_RSC));
    TRY(GrB_Matrix_nvals(&nq, q));
    if (nq == 0) break;
    /* level<q> = depth */
    TRY(GrB_Matrix_apply_BinaryOp2nd_INT32(found, q, NULL, GrB_SECOND_INT32, q, depth, GrB_DESC_S));
  }
  *level = found, found = NULL;

out:
  GrB_Matrix_free(&q);
  GrB_Matrix_free(&found);
  return info;
}
