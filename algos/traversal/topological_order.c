/* A topological order and the longest paths of a directed acyclic graph, by peeling: vertices without an edge
 * into them are at level 0 and are removed with their edges; those that then have none are at level 1, and so
 * on. A vertex leaves in the round after the last of its predecessors, so its level is the number of edges on
 * a longest path to it. Vertices on a cycle, and those behind one, never leave. By levels, then by numbers,
 * is a topological order.
 *
 * Source: Kahn, Topological sorting of large networks (1962). */
#include "algos/structure/peel.h"

/* p.removed = the levels; *acyclic: all vertices have one. */
static GrB_Info find_levels(peel *p, bool *acyclic) {
  GrB_Info info;
  GrB_Index found;
  TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, p->ops.at_most, p->degree, 0, NULL));
  for (int64_t level = 0;; level++) {
    TRY(GrB_Vector_nvals(&found, p->q));
    if (found == 0) break;
    TRY(grid_peel_remove(p, level, 0));
  }
  TRY(GrB_Vector_nvals(&found, p->removed));
  *acyclic = found == p->n;
out:
  return info;
}

GrB_Info Grid_topological_order(GrB_Vector *order, GrB_Vector *level, bool *acyclic, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  peel p = {.A = NULL};
  GrB_Vector sorted = NULL;
  bool is_acyclic = false;

  if (order == NULL && level == NULL && acyclic == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_topological_order: all outputs are NULL");
  TRY(square_size(&n, A, "Grid_topological_order"));
  TRY(grid_peel_begin(&p, A, n, false));
  TRY(find_levels(&p, &is_acyclic));
  if (order != NULL) {
    TRY(GrB_Vector_new(&sorted, GrB_INT64, n));
    TRY(GxB_Vector_sort(NULL, sorted, GrB_LT_INT64, p.removed, NULL));
  }
  if (order != NULL) *order = sorted, sorted = NULL;
  if (level != NULL) *level = p.removed, p.removed = NULL;
  if (acyclic != NULL) *acyclic = is_acyclic;
out:
  grid_peel_free(&p);
  GrB_Vector_free(&sorted);
  return info;
}
