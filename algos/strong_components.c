/* Strongly connected components: what can't lie on a cycle is trimmed, the component around a busy vertex
 * searched, the rest coloured.
 *
 * A vertex that has no edge in, or none out, but from or to those that are done is a component by itself.
 * Each vertex keeps how many such edges it has left; those that leave tell their neighbours, so that every
 * edge is looked at once for this.
 *
 * Most graphs have one component that holds most of the rest: what a vertex with many edges reaches, and is
 * reached from, by two searches that look at few edges.
 *
 * Of what is left each vertex takes as its colour the smallest vertex that reaches it: labels spread along
 * the edges, from those whose colour fell last. A vertex that has its own colour is the smallest of its
 * component, and those of its colour that reach it are the others: a search against the edges, inside of the
 * colour. All these components leave together, and the rest starts anew, with the directions exchanged: a
 * chain of components takes as many rounds as it has where the labels grow along the edges, one against them.
 *
 * Sources: the searches: Fleischer, Hendrickson, Pinar, On identifying strongly connected components in
 * parallel (2000); colours: Orzan, On distributed verification and verified distribution (2004), chapter 4;
 * trimming: McLendon, Hendrickson, Plimpton, Rauchwerger, Finding strongly connected components in
 * distributed graphs (2005). */
#include "algos/largest.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Vector label;    /* INT64: components of the vertices that are done */
  GrB_Vector in, out;  /* INT64: edges from and to vertices that are not done, where there were any */
  GrB_Vector color;    /* INT64: of those not done */
  GrB_Vector q;        /* INT64: the frontier of what goes on; labels or colours */
  GrB_Vector members;  /* INT64: the components that a round found */
  GrB_Vector offer;    /* INT64: what neighbours say */
  GrB_Vector same;     /* BOOL: workspace */
  GrB_Vector excluded; /* BOOL: where a search does not go */
} coloring;

/* offer = for vertices not done: min or max (`semiring` for either side) of the q of those with an edge to
 * them; against: of those that they have an edge to. */
static GrB_Info query_neighbors(coloring *s, bool against, GrB_Semiring first, GrB_Semiring second) {
  return against ? GrB_mxv(s->offer, s->label, NULL, second, s->A, s->q, GrB_DESC_RSC)
                 : GrB_vxm(s->offer, s->label, NULL, first, s->q, s->A, GrB_DESC_RSC);
}

/* ---- trimming ---- */

/* The edges of q are gone: *ended becomes those that have none left on one side. */
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

/* q, of labels, leaves, and after it those that are alone then. */
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

/* Those without an edge in, or without one out. */
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

/* The smallest vertex with most edges, of those in and those out the fewer counted; *any: some are left. */
static GrB_Info max_degree_vertex(GrB_Index *vertex, bool *any, coloring *s) {
  GrB_Info info;
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->q, s->label, NULL, GrB_MIN_INT64, s->in, s->out, GrB_DESC_RSC));
  TRY(grid_vector_argmax(vertex, any, s->q));
out:
  return info;
}

/* members = those that source reaches, against: that reach it, around those that are closed; they are, too,
 * then. */
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

/* The component of the busiest vertex leaves: in most graphs the only large one. */
static GrB_Info extract_largest(coloring *s) {
  GrB_Info info;
  GrB_Index hub = 0;
  bool any = false;
  int64_t first = 0;
  TRY(max_degree_vertex(&hub, &any, s));
  if (!any) goto out;
  TRY(GrB_Vector_assign_BOOL(s->excluded, s->label, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
  TRY(search(s, hub, false));
  /* a way back stays among those: closed<!members, replace> = true */
  TRY(GrB_Vector_assign_BOOL(s->excluded, s->members, NULL, true, GrB_ALL, s->n, GrB_DESC_RSC));
  TRY(search(s, hub, true));
  TRY(GrB_Vector_apply_IndexOp_INT64(s->offer, NULL, NULL, GrB_ROWINDEX_INT64, s->members, 0, NULL));
  TRY(GrB_Vector_reduce_INT64(&first, NULL, GrB_MIN_MONOID_INT64, s->offer, NULL));
  TRY(GrB_Vector_assign_INT64(s->q, s->members, NULL, first, GrB_ALL, s->n, GrB_DESC_RS));
  TRY(remove_vertices(s));
out:
  return info;
}

/* ---- colours ---- */

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

/* q<offer = color, replace> = offer; they are members, and done. */
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

/* From each vertex of its own colour back through its colour. The largest colour that a vertex hears of is
 * its own if it hears of that at all: colours don't fall against the way that they spread. */
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
  if (storage.symmetric) return Grid_components(component, A); /* who reaches is reached */
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
