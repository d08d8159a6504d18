/* Exact eccentricities of an undirected graph: for each vertex the distance of the farthest that it reaches.
 *
 * A search from v finds that of v, and bounds for each vertex w at distance d that it reaches:
 *   max(d, ecc(v) - d) <= ecc(w) <= ecc(v) + d
 * by the triangle inequality. Vertices whose bounds agree need no search of their own. Searches of several
 * components do not meet, so one search begins in all of them. It begins in turn at the vertex of each with
 * the largest upper bound, which is at its rim, and with the smallest lower bound, in the middle.
 *
 * Once such a search settles few vertices, searches from BATCH vertices at a time follow
 * (Grid_Matrix_distances). Either they settle the open vertices themselves, or those farthest from the center
 * c of their component, whichever are fewer. With all vertices at a distance of k or more from c searched,
 * ecc(w) <= max(lower bound of w, d(c,w) + k - 1). A vertex whose own upper bound does not exceed any open
 * vertex's lower bound need not be searched for this. If only the radius or the diameter is wanted, a vertex
 * whose bounds show that it cannot have that eccentricity is not open either.
 *
 * Sources: Takes, Kosters, Computing the eccentricity distribution of large graphs (2013); Crescenzi and
 * others, On computing the diameter of real-world undirected graphs (2013); the searches together: Then et
 * al., The more the merrier: efficient multi-source graph traversal (2014). */
#include "algos/components/components.h"
#include "algos/support/orient.h"
#include "algos/support/renumber.h"
#include "algos/checkpoints/resume.h"

enum { BATCH = 64 };

typedef struct {
  GrB_Matrix S;
  GrB_Index n;
  GrB_Vector component;       /* INT64, full, as the next four */
  GrB_Vector lower, upper;    /* bounds */
  GrB_Vector least, distance; /* the smallest eccentricity searched from in the component; d(c,v) */
  GrB_Vector open;            /* INT64: lower bounds of vertices whose eccentricity is still wanted */
  bool wants_all, wants_radius, wants_diameter; /* the outputs; with the first, the others follow */
  int64_t found;       /* without wants_all and wants_radius: the largest lower bound; else 0 */
  GrB_Vector searched; /* BOOL */
  GrB_Vector level, q; /* workspace */
  uint64_t searches;   /* so far: iterations of checkpoints */
  checkpoint_key key;
} bounds;

/* ---- start ---- */

static GrB_Info fill(GrB_Vector *v, GrB_Index n, int64_t x) {
  GrB_Info info;
  TRY(GrB_Vector_new(v, GrB_INT64, n));
  TRY(GrB_Vector_assign_INT64(*v, NULL, NULL, x, GrB_ALL, n, NULL));
out:
  return info;
}

static GrB_Info begin(bounds *b) {
  GrB_Info info;
  const int64_t far = (int64_t)b->n;
  TRY(grid_components_step(&b->component, b->S));
  TRY(fill(&b->lower, b->n, 0));
  TRY(fill(&b->upper, b->n, 0));
  TRY(fill(&b->least, b->n, far));
  TRY(fill(&b->distance, b->n, 0));
  TRY(GrB_Vector_new(&b->open, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&b->searched, GrB_BOOL, b->n));
  TRY(GrB_Vector_new(&b->level, GrB_INT64, b->n));
  TRY(GrB_Vector_new(&b->q, GrB_BOOL, b->n));
  /* a vertex without an edge reaches none */
  TRY(Grid_Matrix_degree(b->open, b->S, false));
  TRY(GrB_Vector_assign_INT64(b->upper, b->open, NULL, far, GrB_ALL, b->n, GrB_DESC_S));
out:
  return info;
}

/* undecided = the vertices whose eccentricity is wanted and not known. A vertex that cannot have the largest
 * or the smallest one does not matter if only these are wanted. */
static GrB_Info find_undecided(GrB_Vector undecided, bounds *b) {
  GrB_Info info;
  GrB_Vector smaller = NULL;
  int64_t most = 0, least = 0;
  if (b->wants_all)
    return GrB_Vector_eWiseMult_BinaryOp(undecided, NULL, NULL, GrB_NE_INT64, b->lower, b->upper, NULL);
  TRY(GrB_Vector_new(&smaller, GrB_INT64, b->n));
  TRY(GrB_Vector_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, b->lower, NULL));
  TRY(GrB_Vector_reduce_INT64(&least, NULL, GrB_MIN_MONOID_INT64, b->upper, NULL));
  if (b->wants_diameter)
    TRY(GrB_Vector_apply_BinaryOp2nd_INT64(undecided, NULL, NULL, GrB_GT_INT64, b->upper, most, NULL));
  if (b->wants_radius) {
    TRY(GrB_Vector_select_INT64(smaller, NULL, NULL, GrB_VALUELT_INT64, b->lower, least, NULL));
    TRY(GrB_Vector_assign_BOOL(undecided, smaller, NULL, true, GrB_ALL, b->n, GrB_DESC_S));
  } else {
    b->found = most;
  }
out:
  GrB_Vector_free(&smaller);
  return info;
}

/* open = lower of the undecided vertices; *count: so many. */
static GrB_Info find_open(GrB_Index *count, bounds *b) {
  GrB_Info info;
  GrB_Vector undecided = NULL;
  TRY(GrB_Vector_new(&undecided, GrB_BOOL, b->n));
  TRY(find_undecided(undecided, b));
  TRY(GrB_Vector_assign(b->open, undecided, NULL, b->lower, GrB_ALL, b->n, GrB_DESC_R));
  TRY(GrB_Vector_nvals(count, b->open));
  Grid_progress_set(b->n - *count, b->n);
out:
  GrB_Vector_free(&undecided);
  return info;
}

/* ---- checkpoints: bounds, which any further searches improve to the same result ---- */

enum { STATE_ITEMS = 5 };
static Grid_Checkpoint_Item *state_of(Grid_Checkpoint_Item *state, const bounds *b) {
  state[0] = (Grid_Checkpoint_Item){.name = "lower", .vector = b->lower};
  state[1] = (Grid_Checkpoint_Item){.name = "upper", .vector = b->upper};
  state[2] = (Grid_Checkpoint_Item){.name = "least", .vector = b->least};
  state[3] = (Grid_Checkpoint_Item){.name = "distance", .vector = b->distance};
  state[4] = (Grid_Checkpoint_Item){.name = "searched", .vector = b->searched};
  return state;
}

static GrB_Info resume(bounds *b, GrB_Matrix A) {
  GrB_Info info;
  GrB_Index left;
  Grid_Checkpoint_Item state[STATE_ITEMS];
  TRY(grid_checkpoint_key_make(&b->key, "eccentricity", A, b->n));
  b->key.key[3] = b->wants_all, b->key.key[4] = b->wants_radius, b->key.key[5] = b->wants_diameter;
  TRY(grid_checkpoint_resume(&b->searches, &b->key, state_of(state, b), STATE_ITEMS));
  if (b->searches > 0) TRY(find_open(&left, b));
out:
  return info;
}

/* A search has improved the bounds. *left: vertices that are open still. */
static GrB_Info record(GrB_Index *left, bounds *b) {
  GrB_Info info;
  Grid_Checkpoint_Item state[STATE_ITEMS];
  TRY(grid_checkpoint_iteration(++b->searches, &b->key, state_of(state, b), STATE_ITEMS));
  TRY(find_open(left, b));
out:
  return info;
}

/* ---- a search in each component ---- */

/* *of = of each vertex of `v` the component. */
static GrB_Info components_of(GrB_Vector *of, const bounds *b, GrB_Vector v) {
  GrB_Info info;
  TRY(GrB_Vector_new(of, GrB_INT64, b->n));
  TRY(GrB_Vector_assign(*of, v, NULL, b->component, GrB_ALL, b->n, GrB_DESC_S));
out:
  return info;
}

/* x = the largest value in x of each vertex's component. */
static GrB_Info spread_largest(GrB_Vector x, const bounds *b) {
  GrB_Info info;
  GrB_Vector of = NULL, most = NULL;
  TRY(components_of(&of, b, x));
  TRY(GrB_Vector_new(&most, GrB_INT64, b->n));
  TRY(Grid_Vector_scatter(most, NULL, NULL, GrB_MAX_INT64, x, of, NULL));
  TRY(Grid_Vector_gather(x, NULL, NULL, most, of, NULL));
out:
  GrB_Vector_free(&of);
  GrB_Vector_free(&most);
  return info;
}

/* q = one vertex of each component: of those where `key` is largest the smallest. */
static GrB_Info choose_sources(bounds *b, GrB_Vector key) {
  GrB_Info info;
  GrB_Vector most = NULL, largest = NULL, of = NULL, vertex = NULL, first = NULL;
  TRY(GrB_Vector_dup(&most, key));
  TRY(GrB_Vector_new(&largest, GrB_BOOL, b->n));
  TRY(spread_largest(most, b));
  TRY(GrB_Vector_eWiseMult_BinaryOp(largest, NULL, NULL, GrB_EQ_INT64, key, most, NULL));
  TRY(GrB_Vector_new(&vertex, GrB_INT64, b->n));
  TRY(GrB_Vector_assign(vertex, largest, NULL, key, GrB_ALL, b->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(vertex, NULL, NULL, GrB_ROWINDEX_INT64, vertex, 0, NULL));
  TRY(components_of(&of, b, vertex));
  TRY(GrB_Vector_new(&first, GrB_INT64, b->n));
  TRY(Grid_Vector_scatter(first, NULL, NULL, GrB_MIN_INT64, vertex, of, NULL));
  TRY(Grid_Vector_scatter(vertex, NULL, NULL, GrB_MIN_INT64, first, first, NULL));
  TRY(GrB_Vector_clear(b->q));
  TRY(GrB_Vector_assign_BOOL(b->q, vertex, NULL, true, GrB_ALL, b->n, GrB_DESC_S));
out:
  GrB_Vector_free(&most);
  GrB_Vector_free(&largest);
  GrB_Vector_free(&of);
  GrB_Vector_free(&vertex);
  GrB_Vector_free(&first);
  return info;
}

/* level = the distance from the nearest vertex in q. */
static GrB_Info search(bounds *b) {
  GrB_Info info;
  GrB_Index found = 1;
  TRY(GrB_Vector_clear(b->level));
  for (int64_t d = 0; found > 0; d++) {
    TRY(GrB_Vector_assign_INT64(b->level, b->q, NULL, d, GrB_ALL, b->n, GrB_DESC_S));
    /* q<!level> = S any.oneb q */
    TRY(GrB_mxv(b->q, b->level, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, b->S, b->q, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&found, b->q));
  }
out:
  return info;
}

/* least, distance = those of this search, where `most` = the eccentricity of its source is smaller. */
static GrB_Info update_center(bounds *b, GrB_Vector most) {
  GrB_Info info;
  GrB_Vector nearer = NULL;
  TRY(GrB_Vector_new(&nearer, GrB_BOOL, b->n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(nearer, NULL, NULL, GrB_LT_INT64, most, b->least, NULL));
  TRY(GrB_Vector_assign(b->least, nearer, NULL, most, GrB_ALL, b->n, NULL));
  TRY(GrB_Vector_assign(b->distance, nearer, NULL, b->level, GrB_ALL, b->n, NULL));
out:
  GrB_Vector_free(&nearer);
  return info;
}

/* Improves the bounds by a search from the vertices in q, one of each component. */
static GrB_Info search_components(bounds *b) {
  GrB_Info info;
  GrB_Vector most = NULL, bound = NULL;
  TRY(GrB_Vector_assign_BOOL(b->searched, b->q, NULL, true, GrB_ALL, b->n, GrB_DESC_S));
  TRY(search(b));
  TRY(GrB_Vector_dup(&most, b->level));
  TRY(spread_largest(most, b));
  TRY(update_center(b, most));
  TRY(GrB_Vector_new(&bound, GrB_INT64, b->n));
  /* lower max= level, lower max= most - level, upper min= most + level */
  TRY(GrB_Vector_assign(b->lower, b->level, GrB_MAX_INT64, b->level, GrB_ALL, b->n, GrB_DESC_S));
  TRY(GrB_Vector_eWiseMult_BinaryOp(bound, NULL, NULL, GrB_MINUS_INT64, most, b->level, NULL));
  TRY(GrB_Vector_assign(b->lower, bound, GrB_MAX_INT64, bound, GrB_ALL, b->n, GrB_DESC_S));
  TRY(GrB_Vector_eWiseMult_BinaryOp(bound, NULL, NULL, GrB_PLUS_INT64, most, b->level, NULL));
  TRY(GrB_Vector_assign(b->upper, bound, GrB_MIN_INT64, bound, GrB_ALL, b->n, GrB_DESC_S));
out:
  GrB_Vector_free(&most);
  GrB_Vector_free(&bound);
  return info;
}

/* Searches while each settles more vertices than BATCH at a time may; the first begins at a vertex with most
 * edges. `open` has the degrees at first (after a checkpoint lower bounds). *left: vertices that are open
 * still. */
static GrB_Info close_bounds(GrB_Index *left, bounds *b) {
  GrB_Info info;
  GrB_Vector key = NULL;
  GrB_Index before;
  TRY(GrB_Vector_nvals(left, b->open));
  TRY(GrB_Vector_dup(&key, b->open));
  for (int round = 0; *left > 0; round++) {
    before = *left;
    TRY(choose_sources(b, key));
    TRY(search_components(b));
    TRY(record(left, b));
    if (round > 2 && before - *left < BATCH) break;
    TRY(GrB_Vector_assign(key, b->open, NULL, b->upper, GrB_ALL, b->n, GrB_DESC_RS));
    if (round % 2 == 1) TRY(GrB_Vector_apply(key, NULL, NULL, GrB_AINV_INT64, b->open, NULL));
  }
out:
  GrB_Vector_free(&key);
  return info;
}

/* ---- searches from BATCH vertices at a time ---- */

/* lower max= the distances from these vertices, whose own eccentricities are found. */
static GrB_Info search_batch(bounds *b, const GrB_Index *vertex, GrB_Index count) {
  GrB_Info info;
  int64_t eccentricity[BATCH];
  TRY(Grid_Matrix_distances(NULL, NULL, NULL, b->lower, eccentricity, b->S, vertex, count));
  for (GrB_Index k = 0; k < count; k++) {
    TRY(GrB_Vector_setElement_INT64(b->lower, eccentricity[k], vertex[k]));
    TRY(GrB_Vector_setElement_INT64(b->upper, eccentricity[k], vertex[k]));
    TRY(GrB_Vector_setElement_BOOL(b->searched, true, vertex[k]));
  }
out:
  return info;
}

/* Searches from the first BATCH of these vertices. */
static GrB_Info search_first(bounds *b, GrB_Vector vertices) {
  GrB_Info info;
  GrB_Vector number = NULL;
  GrB_Index vertex[BATCH], count = BATCH;
  int64_t place[BATCH];
  TRY(grid_renumber(&number, vertices));
  TRY(GrB_Vector_select_INT64(number, NULL, NULL, GrB_VALUELT_INT64, number, BATCH, NULL));
  TRY(GrB_Vector_extractTuples_INT64(vertex, place, &count, number));
  TRY(search_batch(b, vertex, count));
out:
  GrB_Vector_free(&number);
  return info;
}

/* rim = the vertices at distance k from their center that may be farther from an open vertex than its lower
 * bound, and than the diameter found; *count: so many. */
static GrB_Info find_rim(GrB_Vector rim, GrB_Index *count, bounds *b, int64_t k) {
  GrB_Info info;
  int64_t least;
  TRY(GrB_Vector_reduce_INT64(&least, NULL, GrB_MIN_MONOID_INT64, b->open, NULL));
  if (least < b->found) least = b->found;
  TRY(GrB_Vector_select_INT64(rim, NULL, NULL, GrB_VALUEEQ_INT64, b->distance, k, NULL));
  TRY(GrB_Vector_assign(rim, rim, NULL, b->upper, GrB_ALL, b->n, GrB_DESC_RS));
  TRY(GrB_Vector_select_INT64(rim, NULL, NULL, GrB_VALUEGT_INT64, rim, least, NULL));
  TRY(GrB_Vector_assign(rim, b->searched, NULL, rim, GrB_ALL, b->n, GrB_DESC_RSC));
  TRY(GrB_Vector_nvals(count, rim));
out:
  return info;
}

/* Vertices at a distance of k or more from their center are searched: open vertices' upper bounds. */
static GrB_Info lower_upper_bounds(bounds *b, int64_t k) {
  GrB_Info info;
  GrB_Vector bound = NULL;
  TRY(GrB_Vector_new(&bound, GrB_INT64, b->n));
  TRY(GrB_Vector_assign(bound, b->open, NULL, b->distance, GrB_ALL, b->n, GrB_DESC_S));
  TRY(GrB_Vector_apply_BinaryOp2nd_INT64(bound, NULL, NULL, GrB_PLUS_INT64, bound, k - 1, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(bound, NULL, NULL, GrB_MAX_INT64, bound, b->open, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_INT64(bound, NULL, NULL, GrB_MAX_INT64, bound, b->found, NULL));
  TRY(GrB_Vector_assign(b->upper, bound, GrB_MIN_INT64, bound, GrB_ALL, b->n, GrB_DESC_S));
out:
  GrB_Vector_free(&bound);
  return info;
}

static GrB_Info search_rest(bounds *b, GrB_Index left) {
  GrB_Info info;
  GrB_Vector rim = NULL;
  GrB_Index count;
  int64_t k = 0;
  TRY(GrB_Vector_new(&rim, GrB_INT64, b->n));
  TRY(GrB_Vector_reduce_INT64(&k, NULL, GrB_MAX_MONOID_INT64, b->distance, NULL));
  while (left > 0) {
    TRY(find_rim(rim, &count, b, k));
    if (count == 0) {
      TRY(lower_upper_bounds(b, k--));
      TRY(find_open(&left, b));
    } else {
      TRY(search_first(b, count < left ? rim : b->open));
      TRY(record(&left, b));
    }
  }
out:
  GrB_Vector_free(&rim);
  return info;
}

static void free_bounds(bounds *b) {
  GrB_Vector *const vectors[] = {&b->component, &b->lower,    &b->upper, &b->least, &b->distance,
                                 &b->open,      &b->searched, &b->level, &b->q};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) GrB_Vector_free(vectors[k]);
}

GrB_Info Grid_eccentricity(GrB_Vector *eccentricity, int64_t *radius, int64_t *diameter, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  bounds b = {
      .wants_all = eccentricity != NULL, .wants_radius = radius != NULL, .wants_diameter = diameter != NULL};
  int64_t least = 0, most = 0;
  GrB_Index left;

  if (eccentricity == NULL && radius == NULL && diameter == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_eccentricity: all outputs are NULL");
  TRY(check_distinct(radius, diameter, "Grid_eccentricity"));
  TRY(square_size(&b.n, A, "Grid_eccentricity"));
  TRY(grid_symmetrize(&b.S, A, b.n));
  TRY(begin(&b));
  TRY(resume(&b, A));
  TRY(close_bounds(&left, &b));
  TRY(search_rest(&b, left));
  if (b.n > 0) TRY(GrB_Vector_reduce_INT64(&least, NULL, GrB_MIN_MONOID_INT64, b.lower, NULL));
  if (b.n > 0) TRY(GrB_Vector_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, b.lower, NULL));
  if (radius != NULL) *radius = least;
  if (diameter != NULL) *diameter = most;
  if (eccentricity != NULL) *eccentricity = b.lower, b.lower = NULL;
out:
  if (b.S != NULL) grid_symmetrize_free(&b.S, A);
  free_bounds(&b);
  return info;
}
