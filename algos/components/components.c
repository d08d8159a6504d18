/* Connected components: a few levels of a search find most of the component of a vertex of highest degree; a
 * few rounds of label propagation, or FastSV, find the rest.
 *
 * FastSV maintains a forest: f(v) is the parent of v, never larger than v, and gp(v) = f(f(v)). Each round
 * computes the smallest grandparent among a vertex's neighbors (one product A min.second gp). The vertex,
 * its parent, and the vertex again get as parent whatever is smaller: that grandparent or their own. When no
 * grandparent changes, every tree is flat and is a component, and its root is the smallest vertex.
 *
 * Most graphs have one component with nearly all edges. A few levels of a search from a vertex of highest
 * degree reach most of it and read few of its edges. The vertices reached are one tree. If they are a whole
 * component, which is usual, the remaining vertices form whole components, and only they take part from then
 * on. Most of these have two or three vertices, which get the smallest vertex as label in as many rounds of
 * label propagation, of fewer calls than those of FastSV. Otherwise the tree gets the label GIANT, which is
 * smaller than all others, and leaves: its neighbors read that label from their side. A vertex whose label
 * becomes GIANT leaves, too.
 *
 * Sources: Zhang, Azad, Buluc, Parallel algorithms for finding connected components using linear algebra
 * (2020); the first search as in Slota, Rajamanickam, Madduri, BFS and coloring-based parallel algorithms
 * for strongly connected components and related problems (2014). */
#include <string.h>

#include "algos/components/components.h"
#include "algos/support/largest.h"
#include "algos/checkpoints/resume.h"

enum { GIANT = -1, SEARCH_LEVELS = 12, PROPAGATIONS = 6, SHORT_SHARE = 32 };

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  bool is_symmetric;     /* A equals its transpose, so its rows hold all neighbors */
  GrB_Vector degree;     /* INT64: the number of entries of each nonempty row */
  GrB_Vector label;      /* INT64, full: parents, also of vertices that have left */
  GrB_Vector read_label; /* INT64: grandparents as neighbors read them, at least of vertices that took part */
  GrB_Vector f, gp;      /* INT64: those of the vertices that take part */
  GrB_Vector least;      /* INT64: the smallest grandparent among a vertex's neighbours */
  GrB_Vector hooked;     /* INT64: the smallest value that children offer to their parent; workspace */
  GrB_Vector differ;     /* BOOL: workspace */
  bool whole;            /* the first search reached a whole component, whose label is known */
  uint64_t rounds;       /* of FastSV */
  checkpoint_key key;
} forest;

/* ---- the first search ---- */

/* The smallest vertex of highest degree; *any: at least one vertex has an edge. */
static GrB_Info max_degree_vertex(GrB_Index *vertex, bool *any, forest *s) {
  GrB_Info info;
  TRY(GrB_Vector_new(&s->degree, GrB_INT64, s->n));
  TRY(Grid_Matrix_degree(s->degree, s->A, false));
  TRY(grid_vector_argmax(vertex, any, s->degree));
out:
  return info;
}

/* reached: the vertices that a few levels find; *whole: they are a whole component. */
static GrB_Info search(GrB_Vector reached, GrB_Index source, bool *whole, forest *s) {
  GrB_Info info;
  GrB_Index found = 1;
  GrB_Vector q = NULL;
  TRY(GrB_Vector_new(&q, GrB_BOOL, s->n));
  TRY(GrB_Vector_setElement_BOOL(q, true, source));
  TRY(GrB_Vector_setElement_BOOL(reached, true, source));
  for (int level = 0; level < SEARCH_LEVELS; level++) {
    /* q<!reached, replace> = q any.oneb A, and also A any.oneb q where A is not symmetric */
    if (s->is_symmetric) {
      TRY(GrB_vxm(q, reached, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, q, s->A, GrB_DESC_RSC));
    } else {
      TRY(GrB_Vector_clear(s->differ));
      TRY(GrB_mxv(s->differ, reached, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, s->A, q, GrB_DESC_RSC));
      TRY(GrB_vxm(q, reached, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, q, s->A, GrB_DESC_RSC));
      TRY(GrB_Vector_eWiseAdd_BinaryOp(q, NULL, NULL, GrB_LOR, q, s->differ, NULL));
    }
    TRY(GrB_Vector_nvals(&found, q));
    if (found == 0) break;
    /* reached<q> = true */
    TRY(GrB_Vector_assign_BOOL(reached, q, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
  }
  *whole = found == 0;
out:
  GrB_Vector_free(&q);
  return info;
}

/* ---- FastSV ---- */

/* least<at, struct, replace> = the smallest of `read` among neighbors; complement: where `at` has no entry.
 */
static GrB_Info query_neighbors(forest *s, GrB_Vector read, GrB_Vector at, bool complement) {
  GrB_Info info;
  const GrB_Descriptor only = complement ? GrB_DESC_RSC : GrB_DESC_RS,
                       more = complement ? GrB_DESC_SC : GrB_DESC_S;
  TRY(GrB_mxv(s->least, at, NULL, GrB_MIN_SECOND_SEMIRING_INT64, s->A, read, only));
  if (!s->is_symmetric)
    TRY(GrB_vxm(s->least, at, GrB_MIN_INT64, GrB_MIN_FIRST_SEMIRING_INT64, read, s->A, more));
out:
  return info;
}

/* Decreases label and f: f = min(f, least, gp), and label(f(v)) = min(label(f(v)), least(v)). */
static GrB_Info hook(forest *s) {
  GrB_Info info;
  /* hooked(f(v)) = the least of all least(v) */
  TRY(Grid_Vector_scatter(s->hooked, NULL, NULL, GrB_MIN_INT64, s->least, s->f, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->f, NULL, NULL, GrB_MIN_INT64, s->f, s->least, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->f, NULL, NULL, GrB_MIN_INT64, s->f, s->gp, NULL));
  /* label<f> = f, label min= hooked; f<f> = label */
  TRY(GrB_Vector_assign(s->label, s->f, NULL, s->f, GrB_ALL, s->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(s->label, s->hooked, GrB_MIN_INT64, s->hooked, GrB_ALL, s->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(s->f, s->f, NULL, s->label, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

/* gp = label(f), which neighbors read; GIANT has no grandparent. Vertices that are finished leave. *changed:
 * at least one grandparent changed. */
static GrB_Info shortcut(forest *s, bool *changed) {
  GrB_Info info;
  *changed = false;
  /* hooked = f where it is a vertex; gp<f> = GIANT, gp<hooked> = label(hooked) */
  TRY(GrB_Vector_select_INT64(s->hooked, NULL, NULL, GrB_VALUEGE_INT64, s->f, 0, NULL));
  TRY(Grid_Vector_gather(s->least, NULL, NULL, s->label, s->hooked, NULL));
  TRY(GrB_Vector_assign_INT64(s->f, s->f, NULL, GIANT, GrB_ALL, s->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(s->f, s->least, NULL, s->least, GrB_ALL, s->n, GrB_DESC_S));
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->differ, NULL, NULL, GrB_NE_INT64, s->gp, s->f, NULL));
  TRY(GrB_Vector_reduce_BOOL(changed, NULL, GrB_LOR_MONOID_BOOL, s->differ, NULL));
  TRY(GrB_Vector_assign(s->read_label, s->f, NULL, s->f, GrB_ALL, s->n, GrB_DESC_S));
  /* vertices whose parent is a vertex continue: gp<hooked, replace> = f, f = hooked */
  TRY(GrB_Vector_assign(s->gp, s->hooked, NULL, s->f, GrB_ALL, s->n, GrB_DESC_RS));
  GrB_Vector swap = s->f;
  s->f = s->hooked, s->hooked = swap;
out:
  return info;
}

/* Initializes f and gp with the vertex itself, for vertices with a neighbor that were not reached. Those with
 * a reached neighbor leave in the first round, so later ones read no label of reached vertices: where f is
 * short, read_label is as short. */
static GrB_Info begin(forest *s, GrB_Vector reached) {
  GrB_Info info;
  GrB_Index count;
  TRY(GrB_Vector_assign_INT64(s->label, reached, NULL, GIANT, GrB_ALL, s->n, GrB_DESC_S));
  TRY(query_neighbors(s, s->label, reached, true));
  TRY(GrB_Vector_apply_IndexOp_INT64(s->f, NULL, NULL, GrB_ROWINDEX_INT64, s->least, 0, NULL));
  TRY(GrB_Vector_nvals(&count, s->f));
  TRY(GrB_Vector_dup(&s->read_label, count < s->n / SHORT_SHARE ? s->f : s->label));
  TRY(GrB_Vector_dup(&s->gp, s->f));
out:
  return info;
}

/* *first: the smallest vertex of v, which contains one up to `one`. The search goes through growing prefixes,
 * so that most often few index values are computed. s->differ and s->hooked are overwritten. */
static GrB_Info min_index(int64_t *first, forest *s, GrB_Vector v, GrB_Index one) {
  GrB_Info info;
  GrB_Index found = 0;
  for (GrB_Index last = one < 63 ? one : 63; found == 0; last = last < one / 64 ? 64 * last + 63 : one) {
    TRY(GrB_Vector_select_INT64(s->differ, NULL, NULL, GrB_ROWLE, v, (int64_t)last, NULL));
    TRY(GrB_Vector_nvals(&found, s->differ));
  }
  TRY(GrB_Vector_apply_IndexOp_INT64(s->hooked, NULL, NULL, GrB_ROWINDEX_INT64, s->differ, 0, NULL));
  TRY(GrB_Vector_reduce_INT64(first, NULL, GrB_MIN_MONOID_INT64, s->hooked, NULL));
out:
  return info;
}

/* Label propagation over f, whose vertices form whole components: f and label get the smallest vertex within
 * PROPAGATIONS edges. *changed: the last round still changed a label. A must be symmetric. s->differ and
 * s->least are overwritten; s->read_label has the labels of the last change. */
static GrB_Info propagate_labels(forest *s, bool *changed) {
  GrB_Info info;
  GrB_Index count = 1;
  TRY(GrB_Vector_new(&s->read_label, GrB_INT64, s->n));
  for (int round = 0; round < PROPAGATIONS; round++) {
    /* least<f> = the smallest changed label among neighbors; read_label = least where below f; f<read_label>
     * = read_label */
    TRY(GrB_mxv(s->least, s->f, NULL, GrB_MIN_SECOND_SEMIRING_INT64, s->A, round == 0 ? s->f : s->read_label,
                GrB_DESC_RS));
    TRY(GrB_Vector_eWiseMult_BinaryOp(s->differ, NULL, NULL, GrB_LT_INT64, s->least, s->f, NULL));
    TRY(GrB_Vector_assign(s->read_label, s->differ, NULL, s->least, GrB_ALL, s->n, GrB_DESC_R));
    TRY(GrB_Vector_nvals(&count, s->read_label));
    if (count == 0) break;
    TRY(GrB_Vector_assign(s->f, s->read_label, NULL, s->read_label, GrB_ALL, s->n, GrB_DESC_S));
  }
  *changed = count > 0;
  TRY(GrB_Vector_assign(s->label, s->f, NULL, s->f, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

/* The same where the whole component of hub was reached: its label is known, and no other vertex has an edge
 * to it. */
static GrB_Info begin_at_hub(forest *s, GrB_Vector reached, GrB_Index hub) {
  GrB_Info info;
  GrB_Index left;
  int64_t first;
  bool changed;
  TRY(min_index(&first, s, reached, hub));
  TRY(GrB_Vector_assign_INT64(s->label, reached, NULL, first, GrB_ALL, s->n, GrB_DESC_S));
  /* differ<!reached> = true where there is a degree; f<differ> = the vertex itself */
  TRY(GrB_Vector_assign_BOOL(s->differ, s->degree, NULL, true, GrB_ALL, s->n, GrB_DESC_RS));
  TRY(GrB_Vector_assign(s->differ, reached, NULL, s->differ, GrB_ALL, s->n, GrB_DESC_RSC));
  TRY(GrB_Vector_nvals(&left, s->differ));
  if (left == 0) goto out;
  TRY(GrB_Vector_apply_IndexOp_INT64(s->f, NULL, NULL, GrB_ROWINDEX_INT64, s->differ, 0, NULL));
  TRY(propagate_labels(s, &changed));
  if (!changed) {
    TRY(GrB_Vector_clear(s->f));
    goto out;
  }
  TRY(GrB_Vector_dup(&s->gp, s->f));
  TRY(GrB_Vector_assign(s->read_label, s->f, NULL, s->f, GrB_ALL, s->n, GrB_DESC_RS));
  TRY(query_neighbors(s, s->read_label, s->f, false));
out:
  return info;
}

/* A first search, and the state after it. */
static GrB_Info begin_from(forest *s, GrB_Vector reached, GrB_Index hub) {
  GrB_Info info;
  TRY(search(reached, hub, &s->whole, s));
  s->whole = s->whole && s->is_symmetric; /* otherwise degrees do not show which vertices have a neighbor */
  TRY(s->whole ? begin_at_hub(s, reached, hub) : begin(s, reached));
  GrB_Vector_free(&s->degree);
out:
  return info;
}

/* The vectors' handles change places between rounds. */
enum { STATE_ITEMS = 6 };
static void list_state(Grid_Checkpoint_Item *item, forest *s) {
  const Grid_Checkpoint_Item all[STATE_ITEMS] = {
      {.name = "label", .vector = s->label}, {.name = "seen", .vector = s->read_label},
      {.name = "parent", .vector = s->f},    {.name = "grandparent", .vector = s->gp},
      {.name = "least", .vector = s->least}, {.name = "whole", .bytes = &s->whole, .size = sizeof s->whole}};
  memcpy(item, all, sizeof all);
}

/* From a checkpoint's round, or unchanged. */
static GrB_Info resume(forest *s) {
  GrB_Info info;
  Grid_Checkpoint_Item state[STATE_ITEMS];
  if (!grid_checkpoint_is_set()) return GrB_SUCCESS;
  TRY(grid_checkpoint_key_make(&s->key, "components", s->A, s->n));
  TRY(GrB_Vector_new(&s->read_label, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->gp, GrB_INT64, s->n));
  list_state(state, s);
  TRY(grid_checkpoint_resume(&s->rounds, &s->key, state, STATE_ITEMS));
  if (s->rounds > 0) goto out;
  GrB_Vector_free(&s->read_label);
  GrB_Vector_free(&s->gp);
out:
  return info;
}

/* From the state of `begin`, or of a checkpoint, to one label for each component. */
static GrB_Info fastsv(forest *s) {
  GrB_Info info;
  GrB_Index left;
  bool changed = true;
  Grid_Checkpoint_Item state[STATE_ITEMS];
  for (;;) {
    TRY(GrB_Vector_nvals(&left, s->f));
    if (left == 0 || !changed) break;
    TRY(hook(s));
    TRY(shortcut(s, &changed));
    if (!changed) break;
    TRY(query_neighbors(s, s->read_label, s->f, false));
    list_state(state, s);
    TRY(grid_checkpoint_iteration(++s->rounds, &s->key, state, STATE_ITEMS));
  }
out:
  return info;
}

/* Replaces GIANT by the smallest vertex that has it. */
static GrB_Info relabel_giant(forest *s) {
  GrB_Info info;
  GrB_Index count;
  int64_t first = 0;
  GrB_Vector member = NULL;
  TRY(GrB_Vector_new(&member, GrB_BOOL, s->n));
  TRY(GrB_Vector_apply_BinaryOp2nd_INT64(member, NULL, NULL, GrB_EQ_INT64, s->label, GIANT, NULL));
  TRY(GrB_Vector_select_BOOL(member, NULL, NULL, GrB_VALUEEQ_BOOL, member, true, NULL));
  TRY(GrB_Vector_nvals(&count, member));
  if (count == 0) goto out;
  TRY(min_index(&first, s, member, s->n - 1));
  TRY(GrB_Vector_assign_INT64(s->label, member, NULL, first, GrB_ALL, s->n, GrB_DESC_S));
out:
  GrB_Vector_free(&member);
  return info;
}

static GrB_Info allocate_workspace(forest *s, GrB_Vector *reached) {
  GrB_Info info;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, s->A));
  s->is_symmetric = storage.symmetric;
  TRY(GrB_Vector_new(reached, GrB_BOOL, s->n));
  TRY(GrB_Vector_new(&s->label, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->f, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->least, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->hooked, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->differ, GrB_BOOL, s->n));
  /* label(v) = v */
  TRY(GrB_Vector_assign_INT64(s->label, NULL, NULL, 0, GrB_ALL, s->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(s->label, NULL, NULL, GrB_ROWINDEX_INT64, s->label, 0, NULL));
out:
  return info;
}

GrB_Info Grid_components(GrB_Vector *component, GrB_Matrix A) {
  SPAN;
  forest s = {.A = A};
  GrB_Vector reached = NULL;
  GrB_Index hub = 0;
  bool any = false;
  GrB_Info info;

  if (component == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_components: component is NULL");
  TRY(square_size(&s.n, A, "Grid_components"));
  TRY(allocate_workspace(&s, &reached));
  TRY(resume(&s));
  if (s.rounds == 0) {
    TRY(max_degree_vertex(&hub, &any, &s));
    if (any) TRY(begin_from(&s, reached, hub));
  }
  TRY(fastsv(&s));
  if (!s.whole) TRY(relabel_giant(&s));
  *component = s.label, s.label = NULL;

out:
  GrB_Vector_free(&reached);
  GrB_Vector_free(&s.degree);
  GrB_Vector_free(&s.label);
  GrB_Vector_free(&s.read_label);
  GrB_Vector_free(&s.f);
  GrB_Vector_free(&s.gp);
  GrB_Vector_free(&s.least);
  GrB_Vector_free(&s.hooked);
  GrB_Vector_free(&s.differ);
  return info;
}

GrB_Info grid_components_step(GrB_Vector *component, GrB_Matrix A) {
  grid_checkpoint_suspend(true);
  const GrB_Info info = Grid_components(component, A);
  grid_checkpoint_suspend(false);
  return info;
}
