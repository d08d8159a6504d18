/* A breadth-first spanning forest, and the numbers of its vertices in preorder.
 *
 * The search begins at the smallest vertex of every component. Sums over subtrees go back level by level.
 *
 * In preorder a vertex comes one after its parent, or, if its parent has a child before it, after that
 * sibling's subtree. So each vertex has one other that it follows, and a distance to it; the number is the
 * sum of the distances along these links up to the root. Pointer jumping finds all sums in as many rounds as
 * the longest chain of links has bits. Siblings stand side by side once the vertices are sorted by parents.
 *
 * Source: Tarjan, Vishkin, An efficient parallel biconnectivity algorithm (1985). */
#include "algos/components/forest.h"

#include "algos/components/components.h"

/* The first level: vertices that are the smallest of their component. */
static GrB_Info find_roots(GrB_Vector root, GrB_Matrix S, GrB_Index n) {
  GrB_Info info;
  GrB_Vector label = NULL, self = NULL, same = NULL;
  TRY(grid_components_step(&label, S));
  TRY(GrB_Vector_new(&self, GrB_INT64, n));
  TRY(GrB_Vector_new(&same, GrB_BOOL, n));
  TRY(GrB_Vector_apply_IndexOp_INT64(self, NULL, NULL, GrB_ROWINDEX_INT64, label, 0, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(same, NULL, NULL, GrB_EQ_INT64, self, label, NULL));
  TRY(GrB_Vector_assign(root, same, NULL, self, GrB_ALL, n, GrB_DESC_R));
out:
  GrB_Vector_free(&label);
  GrB_Vector_free(&self);
  GrB_Vector_free(&same);
  return info;
}

/* The search from all roots; parent gets the parents of all vertices but the roots. */
static GrB_Info search(spanning_forest *f, GrB_Matrix S) {
  GrB_Info info;
  GrB_Index found;
  GrB_Vector q = NULL, visited = NULL;
  TRY(GrB_Vector_new(&q, GrB_INT64, f->n));
  TRY(find_roots(q, S, f->n));
  TRY(GrB_Vector_dup(&visited, q));
  TRY(GrB_Vector_new(&f->parent, GrB_INT64, f->n));
  for (;;) {
    TRY(grid_levels_add(&f->levels, q));
    /* q<!visited, replace> = q any.secondi S; visited<q> = q; parent<q> = q */
    TRY(GrB_vxm(q, visited, NULL, Grid_ANY_SECONDI_SEMIRING_INT64, q, S, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&found, q));
    if (found == 0) break;
    TRY(GrB_Vector_assign(visited, q, NULL, q, GrB_ALL, f->n, GrB_DESC_S));
    TRY(GrB_Vector_assign(f->parent, q, NULL, q, GrB_ALL, f->n, GrB_DESC_S));
  }
out:
  GrB_Vector_free(&q);
  GrB_Vector_free(&visited);
  return info;
}

GrB_Info grid_forest_sum(const spanning_forest *f, GrB_Vector v, GrB_BinaryOp op) {
  GrB_Info info;
  GrB_Vector at = NULL, up = NULL;
  TRY(GrB_Vector_new(&at, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&up, GrB_INT64, f->n));
  for (GrB_Index d = f->levels.count - 1; d > 0; d--) {
    const GrB_Vector q = f->levels.q[d];
    /* at<q, replace> = v; up(q) op= at; v op= up */
    TRY(GrB_Vector_assign(at, q, NULL, v, GrB_ALL, f->n, GrB_DESC_RS));
    TRY(Grid_Vector_scatter(up, NULL, NULL, op, at, q, NULL));
    TRY(GrB_Vector_assign(v, up, op, up, GrB_ALL, f->n, GrB_DESC_S));
  }
out:
  GrB_Vector_free(&at);
  GrB_Vector_free(&up);
  return info;
}

/* before(v) = the sibling that precedes v, where there is one. */
static GrB_Info find_siblings(GrB_Vector before, const spanning_forest *f) {
  GrB_Info info;
  GrB_Vector key = NULL, vertex = NULL, above = NULL, position = NULL, same = NULL;
  const GrB_Index n = f->n;
  TRY(GrB_Vector_new(&key, GrB_INT64, n));
  TRY(GrB_Vector_new(&vertex, GrB_INT64, n));
  TRY(GrB_Vector_new(&above, GrB_INT64, n));
  TRY(GrB_Vector_new(&position, GrB_INT64, n));
  TRY(GrB_Vector_new(&same, GrB_BOOL, n));
  /* vertex(k) is the k-th vertex by parents, key(k) its parent */
  TRY(GxB_Vector_sort(key, vertex, GrB_LT_INT64, f->parent, NULL));
  /* above(k) = key(k - 1), then vertex(k - 1), where key(k) = key(k - 1) */
  TRY(GrB_Vector_apply_IndexOp_INT64(position, NULL, NULL, GrB_ROWINDEX_INT64, vertex, -1, NULL));
  TRY(GrB_Vector_select_INT64(position, NULL, NULL, GrB_VALUEGE_INT64, position, 0, NULL));
  TRY(Grid_Vector_gather(above, NULL, NULL, key, position, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(same, NULL, NULL, GrB_EQ_INT64, key, above, NULL));
  TRY(Grid_Vector_gather(above, NULL, NULL, vertex, position, NULL));
  TRY(GrB_Vector_assign(above, same, NULL, above, GrB_ALL, n, GrB_DESC_R));
  TRY(GrB_Vector_assign(vertex, above, NULL, vertex, GrB_ALL, n, GrB_DESC_RS));
  TRY(Grid_Vector_scatter(before, NULL, NULL, NULL, above, vertex, NULL));
out:
  GrB_Vector_free(&key);
  GrB_Vector_free(&vertex);
  GrB_Vector_free(&above);
  GrB_Vector_free(&position);
  GrB_Vector_free(&same);
  return info;
}

/* link(v) = the vertex that v follows, number(v) = the distance to it; of a root: itself, 0. */
static GrB_Info make_links(GrB_Vector link, spanning_forest *f) {
  GrB_Info info;
  GrB_Vector before = NULL, distance = NULL;
  const GrB_Vector root = f->levels.q[0];
  TRY(GrB_Vector_new(&before, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&distance, GrB_INT64, f->n));
  TRY(find_siblings(before, f));
  TRY(Grid_Vector_gather(distance, NULL, NULL, f->size, before, NULL));
  /* link = root, link<parent> = parent, link<before> = before; number likewise */
  TRY(GrB_Vector_assign(link, NULL, NULL, root, GrB_ALL, f->n, NULL));
  TRY(GrB_Vector_assign(link, f->parent, NULL, f->parent, GrB_ALL, f->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(link, before, NULL, before, GrB_ALL, f->n, GrB_DESC_S));
  TRY(GrB_Vector_assign_INT64(f->number, NULL, NULL, 1, GrB_ALL, f->n, NULL));
  TRY(GrB_Vector_assign_INT64(f->number, root, NULL, 0, GrB_ALL, f->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(f->number, distance, NULL, distance, GrB_ALL, f->n, GrB_DESC_S));
out:
  GrB_Vector_free(&before);
  GrB_Vector_free(&distance);
  return info;
}

/* number = the sums of the distances along the links. */
static GrB_Info number_vertices(spanning_forest *f) {
  GrB_Info info;
  bool changed = true;
  GrB_Vector link = NULL, next = NULL, differ = NULL;
  TRY(GrB_Vector_new(&f->number, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&link, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&next, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&differ, GrB_BOOL, f->n));
  TRY(make_links(link, f));
  while (changed) {
    /* number += number(link); link = link(link) */
    TRY(Grid_Vector_gather(next, NULL, NULL, f->number, link, NULL));
    TRY(GrB_Vector_eWiseMult_BinaryOp(f->number, NULL, NULL, GrB_PLUS_INT64, f->number, next, NULL));
    TRY(Grid_Vector_gather(next, NULL, NULL, link, link, NULL));
    TRY(GrB_Vector_eWiseMult_BinaryOp(differ, NULL, NULL, GrB_NE_INT64, link, next, NULL));
    TRY(GrB_Vector_reduce_BOOL(&changed, NULL, GrB_LOR_MONOID_BOOL, differ, NULL));
    const GrB_Vector swap = link;
    link = next, next = swap;
  }
out:
  GrB_Vector_free(&link);
  GrB_Vector_free(&next);
  GrB_Vector_free(&differ);
  return info;
}

GrB_Info grid_forest_make(spanning_forest *f, GrB_Matrix S, GrB_Index n) {
  GrB_Info info;
  f->n = n;
  TRY(search(f, S));
  TRY(GrB_Vector_new(&f->size, GrB_INT64, n));
  TRY(GrB_Vector_assign_INT64(f->size, NULL, NULL, 1, GrB_ALL, n, NULL));
  TRY(grid_forest_sum(f, f->size, GrB_PLUS_INT64));
  TRY(number_vertices(f));
out:
  return info;
}

void grid_forest_free(spanning_forest *f) {
  grid_levels_free(&f->levels);
  GrB_Vector_free(&f->parent);
  GrB_Vector_free(&f->size);
  GrB_Vector_free(&f->number);
}
