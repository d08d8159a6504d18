/* Strongly connected components: vertices on no cycle are trimmed, the component around a vertex of high
 * degree is found by two searches, and the rest by colors.
 *
 * A vertex without an edge from, or to, an unfinished vertex is a component. Each vertex has the number of
 * such edges on either side; a vertex that leaves decrements those of its neighbors, so that trimming reads
 * every edge once on each side.
 *
 * Most graphs have one component with most of the rest. It is the intersection of what a vertex with many
 * edges reaches and of what reaches it: two searches, which read few edges.
 *
 * In the rest the color of a vertex is the smallest vertex that reaches it; labels propagate along the edges
 * from the vertices whose color decreased last. A vertex with its own number as color is the smallest of its
 * component. The others are the vertices of that color that reach it: a search against the edges within the
 * color. All these components leave together, and the rest begins anew with the directions exchanged. A
 * chain of components takes as many rounds as it has components if labels grow along the edges, and one in
 * the other direction.
 *
 * Sources: the searches: Fleischer, Hendrickson, Pinar, On identifying strongly connected components in
 * parallel (2000); colors: Orzan, On distributed verification and verified distribution (2004), chapter 4;
 * trimming: McLendon, Hendrickson, Plimpton, Rauchwerger, Finding strongly connected components in
 * distributed graphs (2005). */
#include "algos/support/largest.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Vector label;    /* INT64: components of the finished vertices */
  GrB_Vector in, out;  /* INT64: edges from and to unfinished vertices, where there were any */
  GrB_Vector color;    /* INT64: of unfinished vertices */
  GrB_Vector q;        /* INT64: the frontier of the current step; labels or colors */
  GrB_Vector members;  /* INT64: the components found in a round */
  GrB_Vector offer;    /* INT64: what a product gathers from the neighbors */
  GrB_Vector same;     /* BOOL: workspace */
  GrB_Vector excluded; /* BOOL: vertices that a search does not enter */
} coloring;

/* offer = for unfinished vertices: the min or max (`semiring` for either side) of q over those with an edge
 * to them; against: over those that they have an edge to. */
static GrB_Info query_neighbors(coloring *s, bool against, GrB_Semiring first, GrB_Semiring second) {
  return against ? GrB_mxv(s->offer, s->label, NULL, second, s->A, s->q, GrB_DESC_RSC)
                 : GrB_vxm(s->offer, s->label, NULL, first, s->q, s->A, GrB_DESC_RSC);
}

/* ---- trimming ---- */

/* Removes the edges of q: *ended becomes the vertices without an edge left on one side. */
static GrB_Info subtract_degrees(GrB_Vector *ended, coloring *s, bool against) {
  GrB_Info info;
  const GrB_Semiring count = Grid_PLUS_ONEB_SEMIRING_INT64;
  const GrB_Vector left = against ? s->out : s->in;
  TRY(query_neighbors(s, against, count, count));
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->offer, NULL, NULL, GrB_MINUS_INT64, left, s->offer, NULL));
  TRY(GrB_Vector_assign(left, s->offer, NULL, s->offer, GrB_ALL, s->n, GrB_DESC_S));
  TRY(GrB_Vector_new(ended, GrB_INT64, s->n));
  TRY(GrB_Vector_select_INT64(*ended, NULL, NULL, GrB_VALUEEQ_INT64, s->offer, 0, NULL));
out:
  return info;
}

/* The vertices of q, with their labels, leave, and then those that become isolated. */
static GrB_Info remove_vertices(coloring *s) {
  GrB_Info info;
  GrB_Index found;
  GrB_Vector ends = NULL, starts = NULL;
  for (;;) {
    TRY(GrB_Vector_nvals(&found, s->q));
    if (found == 0) break;
    TRY(GrB_Vector_assign(s->label, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
    TRY(subtract_degrees(&ends, s, false));
    TRY(subtract_degrees(&starts, s, true));
    TRY(GrB_Vector_eWiseAdd_BinaryOp(s->q, NULL, NULL, GrB_MIN_INT64, ends, starts, NULL));
    TRY(GrB_Vector_apply_IndexOp_INT64(s->q, NULL, NULL, GrB_ROWINDEX_INT64, s->q, 0, NULL));
    GrB_Vector_free(&ends);
    GrB_Vector_free(&starts);
  }
out:
  GrB_Vector_free(&ends);
  GrB_Vector_free(&starts);
  return info;
}

/* The vertices without an edge in, or without one out. */
static GrB_Info trim(coloring *s) {
  GrB_Info info;
  TRY(GrB_Vector_assign_INT64(s->q, s->in, NULL, 0, GrB_ALL, s->n, GrB_DESC_SC));
  TRY(GrB_Vector_assign_INT64(s->q, s->out, NULL, 0, GrB_ALL, s->n, GrB_DESC_SC));
  TRY(GrB_Vector_apply_IndexOp_INT64(s->q, NULL, NULL, GrB_ROWINDEX_INT64, s->q, 0, NULL));
  TRY(remove_vertices(s));
out:
  return info;
}

/* ---- the largest ---- */

/* The smallest vertex for which the fewer of its edges in and edges out are the most; *any: some vertices
 * are left. */
static GrB_Info max_degree_vertex(GrB_Index *vertex, bool *any, coloring *s) {
  GrB_Info info;
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->q, s->label, NULL, GrB_MIN_INT64, s->in, s->out, GrB_DESC_RSC));
  TRY(grid_vector_argmax(vertex, any, s->q));
out:
  return info;
}

/* members = the vertices that source reaches, against: that reach it, without entering excluded ones; they
 * become excluded. */
static GrB_Info search(coloring *s, GrB_Index source, bool against) {
  GrB_Info info;
  GrB_Index found;
  TRY(GrB_Vector_clear(s->members));
  TRY(GrB_Vector_clear(s->same));
  TRY(GrB_Vector_setElement_BOOL(s->same, true, source));
  for (;;) {
    TRY(GrB_Vector_assign_INT64(s->members, s->same, NULL, 0, GrB_ALL, s->n, GrB_DESC_S));
    TRY(GrB_Vector_assign_BOOL(s->excluded, s->same, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
    TRY(against
            ? GrB_mxv(s->same, s->excluded, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, s->A, s->same, GrB_DESC_RSC)
            : GrB_vxm(s->same, s->excluded, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, s->same, s->A, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&found, s->same));
    if (found == 0) break;
  }
out:
  return info;
}

/* The component of the vertex of highest degree leaves: the only large one in most graphs. */
static GrB_Info extract_largest(coloring *s) {
  GrB_Info info;
  GrB_Index hub = 0;
  bool any = false;
  int64_t first = 0;
  TRY(max_degree_vertex(&hub, &any, s));
  if (!any) goto out;
  TRY(GrB_Vector_assign_BOOL(s->excluded, s->label, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
  TRY(search(s, hub, false));
  /* the search back stays among these: excluded<!members, replace> = true */
  TRY(GrB_Vector_assign_BOOL(s->excluded, s->members, NULL, true, GrB_ALL, s->n, GrB_DESC_RSC));
  TRY(search(s, hub, true));
  TRY(GrB_Vector_apply_IndexOp_INT64(s->offer, NULL, NULL, GrB_ROWINDEX_INT64, s->members, 0, NULL));
  TRY(GrB_Vector_reduce_INT64(&first, NULL, GrB_MIN_MONOID_INT64, s->offer, NULL));
  TRY(GrB_Vector_assign_INT64(s->q, s->members, NULL, first, GrB_ALL, s->n, GrB_DESC_RS));
  TRY(remove_vertices(s));
out:
  return info;
}

/* ---- colors ---- */

/* color(v) = the smallest vertex that reaches v; against: that v reaches. */
static GrB_Info propagate_colors(coloring *s, bool against) {
  GrB_Info info;
  GrB_Index found;
  TRY(GrB_Vector_assign(s->q, NULL, NULL, s->color, GrB_ALL, s->n, NULL));
  for (;;) {
    TRY(query_neighbors(s, against, GrB_MIN_FIRST_SEMIRING_INT64, GrB_MIN_SECOND_SEMIRING_INT64));
    /* q<offer < color, replace> = offer */
    TRY(GrB_Vector_eWiseMult_BinaryOp(s->same, NULL, NULL, GrB_LT_INT64, s->offer, s->color, NULL));
    TRY(GrB_Vector_assign(s->q, s->same, NULL, s->offer, GrB_ALL, s->n, GrB_DESC_R));
    TRY(GrB_Vector_nvals(&found, s->q));
    if (found == 0) break;
    TRY(GrB_Vector_assign(s->color, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
  }
out:
  return info;
}

/* q<offer = color, replace> = offer; they become members and are finished */
static GrB_Info merge_components(GrB_Index *found, coloring *s) {
  GrB_Info info;
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->same, NULL, NULL, GrB_EQ_INT64, s->offer, s->color, NULL));
  TRY(GrB_Vector_assign(s->q, s->same, NULL, s->offer, GrB_ALL, s->n, GrB_DESC_R));
  TRY(GrB_Vector_nvals(found, s->q));
  TRY(GrB_Vector_assign(s->label, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(s->members, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

/* Searches back from each vertex that has its own number as color, within the color. The largest color that
 * a vertex gets from its neighbors is its own if it gets that at all: colors do not decrease against the
 * direction of their propagation. */
static GrB_Info gather(coloring *s, bool against) {
  GrB_Info info;
  GrB_Index found;
  TRY(GrB_Vector_clear(s->members));
  TRY(GrB_Vector_apply_IndexOp_INT64(s->offer, NULL, NULL, GrB_ROWINDEX_INT64, s->color, 0, NULL));
  TRY(merge_components(&found, s));
  while (found > 0) {
    TRY(query_neighbors(s, !against, GrB_MAX_FIRST_SEMIRING_INT64, GrB_MAX_SECOND_SEMIRING_INT64));
    TRY(merge_components(&found, s));
  }
out:
  return info;
}

static GrB_Info color_all(coloring *s) {
  GrB_Info info;
  GrB_Index left;
  for (bool against = false;; against = !against) {
    /* color<!label, replace> = the vertices themselves */
    TRY(GrB_Vector_assign_INT64(s->color, s->label, NULL, 0, GrB_ALL, s->n, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&left, s->color));
    if (left == 0) break;
    TRY(GrB_Vector_apply_IndexOp_INT64(s->color, NULL, NULL, GrB_ROWINDEX_INT64, s->color, 0, NULL));
    TRY(propagate_colors(s, against));
    TRY(gather(s, against));
    TRY(GrB_Vector_assign(s->q, NULL, NULL, s->members, GrB_ALL, s->n, NULL));
    TRY(remove_vertices(s));
  }
out:
  return info;
}

static GrB_Info allocate_workspace(coloring *s) {
  GrB_Info info;
  GrB_Vector *const vectors[] = {&s->label, &s->in, &s->out, &s->color, &s->q, &s->members, &s->offer};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    TRY(GrB_Vector_new(vectors[k], GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->same, GrB_BOOL, s->n));
  TRY(GrB_Vector_new(&s->excluded, GrB_BOOL, s->n));
  TRY(Grid_Matrix_degree(s->out, s->A, false));
  TRY(Grid_Matrix_degree(s->in, s->A, true));
out:
  return info;
}

GrB_Info Grid_strong_components(GrB_Vector *component, GrB_Matrix A) {
  SPAN;
  coloring s = {.A = A};
  Grid_Storage storage;
  GrB_Info info;

  if (component == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_strong_components: component is NULL");
  TRY(square_size(&s.n, A, "Grid_strong_components"));
  TRY(Grid_Matrix_storage(&storage, A));
  if (storage.symmetric)
    return Grid_components(component, A); /* in a symmetric graph reachability is mutual */
  TRY(allocate_workspace(&s));
  TRY(trim(&s));
  TRY(extract_largest(&s));
  TRY(color_all(&s));
  *component = s.label, s.label = NULL;

out:
  GrB_Vector_free(&s.label);
  GrB_Vector_free(&s.in);
  GrB_Vector_free(&s.out);
  GrB_Vector_free(&s.color);
  GrB_Vector_free(&s.q);
  GrB_Vector_free(&s.members);
  GrB_Vector_free(&s.offer);
  GrB_Vector_free(&s.same);
  GrB_Vector_free(&s.excluded);
  return info;
}
