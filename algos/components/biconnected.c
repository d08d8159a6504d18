/* Biconnected components, articulation points and bridges.
 *
 * In a spanning forest every vertex but the roots has an edge to its parent. That edge and the one from the
 * parent upwards lie on a cycle if and only if an edge leads from the vertex's subtree out of the parent's.
 * The subtree of a sibling counts, too, where other edges connect it with the vertex's. Numbered in preorder,
 * a subtree is an interval. So the least and the largest number among the neighbors of a subtree's vertices
 * show whether an edge leads out. Where none does, the edge to the parent is a fence.
 *
 * In a breadth-first forest no other edge connects a vertex with an ancestor. So without the fences the
 * connected components are the biconnected ones, each without its top, the vertex closest to the root.
 *
 * Sources: Tarjan, Vishkin, An efficient parallel biconnectivity algorithm (1985); fences and the components
 * without them: Dong, Wang, Gu, Sun, Provably fast and space-efficient parallel biconnectivity (2023). */
#include "algos/components/components.h"
#include "algos/components/forest.h"
#include "algos/support/orient.h"

typedef struct {
  GrB_Matrix S; /* A in both directions */
  GrB_Index n;
  spanning_forest forest;
  GrB_Vector fence;  /* INT64: the parents, of vertices whose edge to the parent is a fence */
  GrB_Matrix fences; /* INT64: fences(v, parent) = 1 */
  GrB_Matrix edges;  /* BOOL: the pattern of S */
  GrB_Vector block;  /* INT64: the number of the component with the edge to the parent */
  GrB_Vector ones;   /* INT64: 1 for all vertices but the roots */
} blocks;

/* *inside = the vertices v whose subtree has no edge out of the parent's subtree. With x(v) the least and
 * y(v) the largest number of a neighbor, number(parent) <= x and y < number(parent) + size(parent).
 */
static GrB_Info find_inside(GrB_Vector inside, const blocks *b) {
  GrB_Info info;
  const spanning_forest *f = &b->forest;
  GrB_Vector x = NULL, first = NULL, end = NULL, below = NULL;
  TRY(GrB_Vector_new(&x, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&first, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&end, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&below, GrB_BOOL, b->n));
  TRY(Grid_Vector_gather(first, NULL, NULL, f->number, f->parent, NULL));
  TRY(Grid_Vector_gather(end, NULL, NULL, f->size, f->parent, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(end, NULL, NULL, GrB_PLUS_INT64, first, end, NULL));
  /* x = S min.second number, over subtrees */
  TRY(GrB_mxv(x, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, b->S, f->number, NULL));
  TRY(grid_forest_sum(f, x, GrB_MIN_INT64));
  TRY(GrB_Vector_eWiseMult_BinaryOp(inside, NULL, NULL, GrB_GE_INT64, x, first, NULL));
  TRY(GrB_mxv(x, NULL, NULL, GrB_MAX_SECOND_SEMIRING_INT64, b->S, f->number, NULL));
  TRY(grid_forest_sum(f, x, GrB_MAX_INT64));
  TRY(GrB_Vector_eWiseMult_BinaryOp(below, NULL, NULL, GrB_LT_INT64, x, end, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(inside, NULL, NULL, GrB_LAND, inside, below, NULL));
out:
  GrB_Vector_free(&x);
  GrB_Vector_free(&first);
  GrB_Vector_free(&end);
  GrB_Vector_free(&below);
  return info;
}

/* The fences as a vector and as a matrix. */
static GrB_Info find_fences(blocks *b) {
  GrB_Info info;
  GrB_Vector inside = NULL;
  TRY(GrB_Vector_new(&inside, GrB_BOOL, b->n));
  TRY(GrB_Vector_new(&b->fence, GrB_INT64, b->n));
  TRY(find_inside(inside, b));
  TRY(GrB_Vector_assign(b->fence, inside, NULL, b->forest.parent, GrB_ALL, b->n, GrB_DESC_R));
  TRY(GrB_Matrix_new(&b->fences, GrB_INT64, b->n, b->n));
  TRY(Grid_Matrix_indicator(b->fences, b->fence));
out:
  GrB_Vector_free(&inside);
  return info;
}

/* *label = the components of the edges that are no fences. */
static GrB_Info find_components(GrB_Vector *label, blocks *b) {
  GrB_Info info;
  GrB_Matrix both = NULL, rest = NULL;
  TRY(GrB_Matrix_new(&both, GrB_INT64, b->n, b->n));
  TRY(GrB_Matrix_new(&rest, GrB_BOOL, b->n, b->n));
  TRY(GrB_Matrix_new(&b->edges, GrB_BOOL, b->n, b->n));
  TRY(GrB_Matrix_assign_BOOL(b->edges, b->S, NULL, true, GrB_ALL, b->n, GrB_ALL, b->n, GrB_DESC_S));
  /* rest<!(fences + fences')> = edges */
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(both, NULL, NULL, GrB_PLUS_INT64, b->fences, b->fences, GrB_DESC_T1));
  TRY(GrB_Matrix_assign(rest, both, NULL, b->edges, GrB_ALL, b->n, GrB_ALL, b->n, GrB_DESC_SC));
  TRY(grid_components_step(label, rest));
out:
  GrB_Matrix_free(&both);
  GrB_Matrix_free(&rest);
  return info;
}

/* block(v) = the rank of label(v) among the labels of vertices that are no roots. */
static GrB_Info number_blocks(blocks *b, GrB_Vector label) {
  GrB_Info info;
  GrB_Vector self = NULL, sorted = NULL, rank = NULL, same = NULL;
  TRY(GrB_Vector_new(&self, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&sorted, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&rank, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&same, GrB_BOOL, b->n));
  TRY(GrB_Vector_new(&b->block, GrB_INT64, b->n));
  TRY(GrB_Vector_assign(b->block, b->forest.parent, NULL, label, GrB_ALL, b->n, GrB_DESC_RS));
  /* self: the vertices with block(v) = v; sorted(rank) = self, then its reverse */
  TRY(GrB_Vector_apply_IndexOp_INT64(self, NULL, NULL, GrB_ROWINDEX_INT64, b->block, 0, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(same, NULL, NULL, GrB_EQ_INT64, self, b->block, NULL));
  TRY(GrB_Vector_assign(self, same, NULL, self, GrB_ALL, b->n, GrB_DESC_R));
  TRY(GxB_Vector_sort(sorted, NULL, GrB_LT_INT64, self, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(self, NULL, NULL, GrB_ROWINDEX_INT64, sorted, 0, NULL));
  TRY(Grid_Vector_scatter(rank, NULL, NULL, NULL, self, sorted, NULL));
  TRY(Grid_Vector_gather(b->block, NULL, NULL, rank, b->block, NULL));
out:
  GrB_Vector_free(&self);
  GrB_Vector_free(&sorted);
  GrB_Vector_free(&rank);
  GrB_Vector_free(&same);
  return info;
}

static GrB_Info find_blocks(blocks *b, GrB_Matrix A) {
  GrB_Info info;
  GrB_Vector label = NULL;
  TRY(grid_symmetrize(&b->S, A, b->n));
  TRY(grid_forest_make(&b->forest, b->S, b->n));
  TRY(find_fences(b));
  TRY(find_components(&label, b));
  TRY(number_blocks(b, label));
  TRY(GrB_Vector_new(&b->ones, GrB_INT64, b->n));
  TRY(GrB_Vector_assign_INT64(b->ones, b->forest.parent, NULL, 1, GrB_ALL, b->n, GrB_DESC_S));
out:
  GrB_Vector_free(&label);
  return info;
}

/* ---- results ---- */

/* U = the entries of P and P' above the diagonal. */
static GrB_Info select_upper(GrB_Matrix U, GrB_Matrix P) {
  GrB_Info info;
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(U, NULL, NULL, GrB_PLUS_INT64, P, P, GrB_DESC_T1));
  TRY(GrB_Matrix_select_INT64(U, NULL, NULL, GrB_TRIU, U, 1, NULL));
out:
  return info;
}

/* *component = the component of each edge (v, w), v < w: block(v), but where (v, w) is a fence that of the
 * lower of its ends in the forest. */
static GrB_Info label_edges(GrB_Matrix *component, const blocks *b) {
  GrB_Info info;
  GrB_Matrix D = NULL, upper = NULL, at_fences = NULL, C = NULL;
  TRY(GrB_Matrix_diag(&D, b->block, 0));
  TRY(GrB_Matrix_new(&C, GrB_INT64, b->n, b->n));
  TRY(GrB_Matrix_new(&upper, GrB_BOOL, b->n, b->n));
  TRY(GrB_Matrix_new(&at_fences, GrB_INT64, b->n, b->n));
  TRY(GrB_Matrix_select_INT64(upper, NULL, NULL, GrB_TRIU, b->edges, 1, NULL));
  /* C = D first upper; C<at_fences> = at_fences = D first fences. Each is one product, so any monoid does. */
  TRY(GrB_mxm(C, NULL, NULL, Grid_ANY_FIRST_SEMIRING_INT64, D, upper, NULL));
  TRY(GrB_mxm(at_fences, NULL, NULL, Grid_ANY_FIRST_SEMIRING_INT64, D, b->fences, NULL));
  TRY(select_upper(at_fences, at_fences));
  TRY(GrB_Matrix_assign(C, at_fences, NULL, at_fences, GrB_ALL, b->n, GrB_ALL, b->n, GrB_DESC_S));
  *component = C, C = NULL;
out:
  GrB_Matrix_free(&D);
  GrB_Matrix_free(&upper);
  GrB_Matrix_free(&at_fences);
  GrB_Matrix_free(&C);
  return info;
}

/* *articulation = the vertices in two components or more: that of the edge to the parent, where there is one,
 * and those whose top they are. */
static GrB_Info find_articulation(GrB_Vector *articulation, const blocks *b) {
  GrB_Info info;
  GrB_Vector block = NULL, up = NULL, top = NULL, count = NULL, several = NULL;
  TRY(GrB_Vector_new(&block, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&up, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&top, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&count, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&several, GrB_BOOL, b->n));
  /* block: of the vertices whose fence leads out of their component; up: their parents */
  TRY(GrB_Vector_assign(block, b->fence, NULL, b->block, GrB_ALL, b->n, GrB_DESC_RS));
  TRY(Grid_Vector_gather(up, NULL, NULL, b->block, b->fence, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(several, NULL, NULL, GrB_EQ_INT64, up, block, NULL));
  TRY(GrB_Vector_assign(block, several, NULL, block, GrB_ALL, b->n, GrB_DESC_RC));
  TRY(GrB_Vector_assign(up, block, NULL, b->fence, GrB_ALL, b->n, GrB_DESC_RS));
  /* top(c) = the parent, which is the same for all of component c; count(v) = the c with top(c) = v, ... */
  TRY(Grid_Vector_scatter(top, NULL, NULL, GrB_MIN_INT64, up, block, NULL));
  TRY(GrB_Vector_assign_INT64(block, top, NULL, 1, GrB_ALL, b->n, GrB_DESC_RS));
  TRY(Grid_Vector_scatter(count, NULL, NULL, GrB_PLUS_INT64, block, top, NULL));
  /* ... and one more */
  TRY(GrB_Vector_eWiseAdd_BinaryOp(count, NULL, NULL, GrB_PLUS_INT64, count, b->ones, NULL));
  TRY(GrB_Vector_select_INT64(count, NULL, NULL, GrB_VALUEGE_INT64, count, 2, NULL));
  TRY(GrB_Vector_assign_BOOL(several, count, NULL, true, GrB_ALL, b->n, GrB_DESC_RS));
  *articulation = several, several = NULL;
out:
  GrB_Vector_free(&block);
  GrB_Vector_free(&up);
  GrB_Vector_free(&top);
  GrB_Vector_free(&count);
  GrB_Vector_free(&several);
  return info;
}

/* *bridge = the edges to the parent that are a component of their own, (v, w) with v < w. */
static GrB_Info find_bridges(GrB_Matrix *bridge, const blocks *b) {
  GrB_Info info;
  GrB_Vector count = NULL, of = NULL;
  GrB_Matrix P = NULL, B = NULL;
  TRY(GrB_Vector_new(&count, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&of, GrB_INT64, b->n));
  TRY(GrB_Matrix_new(&P, GrB_INT64, b->n, b->n));
  TRY(GrB_Matrix_new(&B, GrB_BOOL, b->n, b->n));
  TRY(Grid_Vector_scatter(count, NULL, NULL, GrB_PLUS_INT64, b->ones, b->block, NULL));
  TRY(Grid_Vector_gather(of, NULL, NULL, count, b->block, NULL));
  TRY(GrB_Vector_select_INT64(of, NULL, NULL, GrB_VALUEEQ_INT64, of, 1, NULL));
  TRY(GrB_Vector_assign(of, of, NULL, b->forest.parent, GrB_ALL, b->n, GrB_DESC_RS));
  TRY(Grid_Matrix_indicator(P, of));
  TRY(select_upper(P, P));
  TRY(GrB_Matrix_assign_BOOL(B, P, NULL, true, GrB_ALL, b->n, GrB_ALL, b->n, GrB_DESC_S));
  *bridge = B, B = NULL;
out:
  GrB_Vector_free(&count);
  GrB_Vector_free(&of);
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&B);
  return info;
}

GrB_Info Grid_biconnected(GrB_Matrix *component, GrB_Vector *articulation, GrB_Matrix *bridge, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  blocks b = {.S = NULL};
  GrB_Matrix of_edges = NULL, bridges = NULL;
  GrB_Vector points = NULL;

  if (component == NULL && articulation == NULL && bridge == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_biconnected: all outputs are NULL");
  TRY(check_distinct(component, bridge, "Grid_biconnected"));
  TRY(square_size(&b.n, A, "Grid_biconnected"));
  TRY(find_blocks(&b, A));
  if (component != NULL) TRY(label_edges(&of_edges, &b));
  if (articulation != NULL) TRY(find_articulation(&points, &b));
  if (bridge != NULL) TRY(find_bridges(&bridges, &b));
  if (component != NULL) *component = of_edges, of_edges = NULL;
  if (articulation != NULL) *articulation = points, points = NULL;
  if (bridge != NULL) *bridge = bridges, bridges = NULL;
out:
  grid_symmetrize_free(&b.S, A);
  grid_forest_free(&b.forest);
  GrB_Vector_free(&b.fence);
  GrB_Vector_free(&b.block);
  GrB_Vector_free(&b.ones);
  GrB_Matrix_free(&b.fences);
  GrB_Matrix_free(&b.edges);
  GrB_Matrix_free(&of_edges);
  GrB_Matrix_free(&bridges);
  GrB_Vector_free(&points);
  return info;
}
