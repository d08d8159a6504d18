/* Breadth-first search as masked vector-matrix products.
 *
 * The frontier q holds the vertices found last. q * A reaches all their neighbors; the complemented mask
 * removes those that have a parent; the rest is the next level. With the ANY_SECONDI semiring the values of
 * the product are the parents themselves: any frontier vertex with an edge to v. So a level costs one
 * product, one count and one assignment for each output. The product chooses push or pull.
 *
 * Sources: Buluc et al., Distributed-memory breadth-first search on massive graphs (2017); Beamer, Asanovic
 * and Patterson (2012) for the two directions. */
#include "algos/algos.h"

GrB_Info Grid_bfs(GrB_Vector *level, GrB_Vector *parent, GrB_Matrix A, GrB_Index source, int64_t limit) {
  SPAN;
  GrB_Vector q = NULL, found_level = NULL, found_parent = NULL;
  GrB_Info info;
  GrB_Index n, nq;

  TRY(check_outputs(level, parent, "Grid_bfs"));
  TRY(square_size(&n, A, "Grid_bfs"));
  TRY(check_vertex(source, n, "the source", "Grid_bfs"));

  /* Without parents the frontier needs no values at all, only its pattern. */
  const bool tree = parent != NULL;
  const GrB_Semiring reach = tree ? Grid_ANY_SECONDI_SEMIRING_INT64 : Grid_ANY_ONEB_SEMIRING_BOOL;

  /* q(source) = source, parent(source) = source, level(source) = 0 */
  TRY(GrB_Vector_new(&q, tree ? GrB_INT64 : GrB_BOOL, n));
  if (tree) {
    TRY(GrB_Vector_setElement_INT64(q, (int64_t)source, source));
    TRY(GrB_Vector_dup(&found_parent, q));
  } else {
    TRY(GrB_Vector_setElement_BOOL(q, true, source));
  }
  if (level != NULL) {
    TRY(GrB_Vector_new(&found_level, GrB_INT32, n));
    TRY(GrB_Vector_setElement_INT32(found_level, 0, source));
  }
  const GrB_Vector visited = tree ? found_parent : found_level;

  for (int32_t depth = 1; limit < 0 || depth <= limit; depth++) {
    /* q<!visited, replace> = q any.secondi A */
    TRY(GrB_vxm(q, visited, NULL, reach, q, A, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&nq, q));
    if (nq == 0) break;
    /* level<q> = depth */
    if (level != NULL) TRY(GrB_Vector_assign_INT32(found_level, q, NULL, depth, GrB_ALL, n, GrB_DESC_S));
    /* parent<q> = q */
    if (tree) TRY(GrB_Vector_assign(found_parent, q, NULL, q, GrB_ALL, n, GrB_DESC_S));
  }

  if (level != NULL) *level = found_level, found_level = NULL;
  if (tree) *parent = found_parent, found_parent = NULL;

out:
  GrB_Vector_free(&q);
  GrB_Vector_free(&found_level);
  GrB_Vector_free(&found_parent);
  return info;
}
