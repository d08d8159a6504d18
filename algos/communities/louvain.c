/* Communities by Louvain's and Leiden's methods: vertices move to the neighbouring community that raises the
 * modularity most, then each community becomes one vertex, and so on while the modularity grows.
 *
 * W is the graph of a level, k the sums of its rows, S their sum, K(c) the sum of k in community c. Moving v,
 * once it has left its own, to c raises the modularity by a multiple of
 *   S / (resolution k(v)) * (the weight from v to c, loops left out) - K(c)
 * so Grid_Matrix_best_label chooses, with the prices K and the bonus k(v) for staying. The communities are
 * numbered by their labels, and the next level's graph is P' W P with P(v, number(community(v))) = 1.
 *
 * Vertices move in classes, drawn by a hash of their numbers for every other sweep: of neighbours that
 * move at the same time each would follow the other. Where that does not raise the modularity, it is tried
 * again with ever more classes. Weights are rounded to integers so small that all sums of them are exact
 * (exact_weights.h), so the answer does not depend on the order of additions: it is the same on any number of
 * processes.
 *
 * Communities then have moved as a whole, so the first level's vertices move once more, and the levels follow
 * again. NetworKit's PLMR moves the vertices of every level once more.
 *
 * Leiden's method divides each community, this second time, before it becomes a vertex: its vertices begin
 * alone, and those that are alone join others along its edges. Their parts become vertices, which begin the
 * next level in the community and may leave it. A vertex joins only what stays, so parts are connected. The
 * first level's vertices move a last time, and communities are divided into their components. The best part
 * is taken, where the paper draws one.
 *
 * Sources: Blondel, Guillaume, Lambiotte, Lefebvre, Fast unfolding of communities in large networks (2008);
 * Staudt, Meyerhenke, Engineering parallel algorithms for community detection in massive networks (2016);
 * Traag, Waltman, van Eck, From Louvain to Leiden: guaranteeing well-connected communities (2019). */
#include <float.h>
#include <math.h>

#include "algos/communities/equal_labels.h"
#include "algos/components/components.h"
#include "algos/exact_weights.h"
#include "algos/operators.h"
#include "algos/renumber.h"
#include "algos/resume.h"

/* Vertices move in 2^FEWEST_BITS to 2^MOST_BITS classes, at first of about 2^CLASS_BITS or fewer each. The
 * sweeps end when one of STILL vertices or fewer move; STILL_FIRST: in the first level, which comes again. */
enum {
  FEWEST_BITS = 3,
  FIRST_BITS = 5,
  MOST_BITS = 9,
  CLASS_BITS = 9,
  SWEEPS = 24,
  DRAWN_FOR = 2,
  STILL_FIRST = 10,
  STILL = 20
};
static const double least_gain = 1e-7; /* of the modularity by a level */
static const double tie = 1e-12;       /* a gain, in parts of what a vertex can gain, that may be rounding */
static const double least_resolution = 0x1p-900; /* less changes no gain, and S / resolution could overflow */

/* Keeps the vertices of a class. thunk: key, 12 bits of the class, 4 of the logarithm of the classes. */
WITH_TEXT(
    louvain_class,
    static void louvain_class(bool *z, const double *x, uint64_t i, uint64_t j, const uint64_t *thunk) {
      (void)x;
      (void)j;
      uint64_t h = (i ^ *thunk >> 16) + 0x9e3779b97f4a7c15u;
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      *z = h >> (64 - (*thunk & 15)) == (*thunk >> 4 & 4095);
    })

/* Where the method is, beside the communities. */
typedef struct {
  uint64_t pass;  /* 0; 1: the levels again; 2: the first level alone */
  uint64_t once;  /* vertices move already in communities: one try is enough */
  uint64_t key;   /* of the hashes */
  double quality; /* modularity, but for 1e-8, in the same bits on any grid */
  GrB_Index n;    /* vertices of this level */
} progress;

typedef struct {
  GrB_Index n; /* vertices of this level */
  double resolution;
  double total; /* S */
  progress now;
  uint64_t entered; /* levels that have been begun */
  checkpoint_key computation;
  uint64_t bits;                   /* vertices move in 2^bits classes */
  uint64_t classes;                /* how many of these are there: */
  GrB_Vector rows[1 << MOST_BITS]; /* FP64: `scale` of the vertices of each class that may move */
  uint64_t still;                  /* sweeps end when one of so many vertices or fewer move */
  bool refines;                    /* Leiden's method: communities are divided */
  bool refining;                   /* only vertices that are alone move, to communities that stay */
  GrB_Matrix first;                /* the graph of the vertices that have edges, FP64, weights integers */
  GrB_Matrix W;                    /* of this level; may be `first` */
  GrB_Matrix links;  /* W without loops; may be W, or in a refinement the links inside communities */
  GrB_Matrix inside; /* the links inside communities, or NULL: not known */
  double linked;     /* the sum of the links */
  GrB_Vector k;      /* FP64: of this level's vertices, as the next four */
  GrB_Vector label;  /* INT64: community */
  GrB_Vector sum;    /* FP64: K */
  GrB_Vector scale;  /* FP64: S / (resolution k), what the sums of links count */
  GrB_Vector bonus;  /* FP64: k, and a little for ties */
  GrB_Vector flat;   /* INT64: the vertex of this level that a vertex of the first is in */
  GrB_Vector vertex; /* INT64: what the vertices of the first level were in A */
  GrB_IndexUnaryOp class;
} louvain;

/* ---- one level ---- */

/* *P(v, label(v)) = 1, for labels below `labels` */
static GrB_Info make_indicator(GrB_Matrix *P, const louvain *e, GrB_Index labels) {
  GrB_Info info;
  TRY(GrB_Matrix_new(P, GrB_INT64, e->n, labels));
  TRY(Grid_Matrix_indicator(*P, e->label));
out:
  return info;
}

/* sum = K; only communities that have vertices. */
static GrB_Info sum_communities(louvain *e) {
  return Grid_Vector_scatter(e->sum, NULL, NULL, GrB_PLUS_FP64, e->k, e->label, NULL);
}

/* Of this level; `first` stays. */
static void free_graph(louvain *e) {
  if (e->links != e->W) GrB_Matrix_free(&e->links);
  e->links = NULL;
  if (e->W != e->first) GrB_Matrix_free(&e->W);
  GrB_Matrix_free(&e->inside);
}

/* links = W without loops */
static GrB_Info make_links(louvain *e) {
  GrB_Info info;
  GrB_Index all = 0, apart = 0;
  TRY(GrB_Matrix_new(&e->links, GrB_FP64, e->n, e->n));
  TRY(GrB_Matrix_select_INT64(e->links, NULL, NULL, GrB_OFFDIAG, e->W, 0, NULL));
  TRY(GrB_Matrix_nvals(&all, e->W));
  TRY(GrB_Matrix_nvals(&apart, e->links));
  if (all == apart) {
    GrB_Matrix_free(&e->links);
    e->links = e->W;
  }
  TRY(GrB_Matrix_reduce_FP64(&e->linked, NULL, GrB_PLUS_MONOID_FP64, e->links, NULL));
out:
  return info;
}

static void free_vectors(louvain *e) {
  GrB_Vector_free(&e->k);
  GrB_Vector_free(&e->label);
  GrB_Vector_free(&e->sum);
  GrB_Vector_free(&e->scale);
  GrB_Vector_free(&e->bonus);
}

static GrB_Info new_vectors(louvain *e) {
  GrB_Info info;
  free_vectors(e);
  TRY(GrB_Matrix_nrows(&e->n, e->W));
  TRY(GrB_Vector_new(&e->k, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->label, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->sum, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->scale, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->bonus, GrB_FP64, e->n));
out:
  return info;
}

/* What a vertex's links and its staying count, and each vertex alone in its community. */
static GrB_Info begin_level(louvain *e) {
  GrB_Info info;
  const double worth = e->total / (e->resolution > 0 ? e->resolution : 1);
  TRY(new_vectors(e));
  TRY(make_links(e));
  TRY(GrB_Matrix_reduce_Monoid(e->k, NULL, NULL, GrB_PLUS_MONOID_FP64, e->W, NULL));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(e->scale, NULL, NULL, GrB_DIV_FP64, worth, e->k, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(e->bonus, NULL, NULL, GrB_TIMES_FP64, e->k, e->resolution > 0, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(e->bonus, NULL, NULL, GrB_PLUS_FP64, e->bonus, worth * tie, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->k, 0, NULL));
  TRY(sum_communities(e));
out:
  return info;
}

static GrB_Info set_labels(louvain *e, GrB_Vector label) {
  GrB_Matrix_free(&e->inside);
  const GrB_Info info = GrB_Vector_assign(e->label, NULL, NULL, label, GrB_ALL, e->n, NULL);
  return info == GrB_SUCCESS ? sum_communities(e) : info;
}

/* inside = the links inside communities: those whose row and column have the same label. */
static GrB_Info find_inside(louvain *e) {
  GrB_Matrix_free(&e->inside);
  return grid_select_equal_labels(&e->inside, e->links, e->label);
}

/* *modularity of the labels, with the links inside communities known. rounded: from sums of integers below
 * 2^53, so that their order does not matter. */
static GrB_Info measure(double *modularity, louvain *e, bool rounded) {
  const double scale = rounded ? 0x1p26 : 1;
  GrB_Info info;
  GrB_Vector share = NULL;
  double internal = 0, squares = 0;
  TRY(GrB_Matrix_reduce_FP64(&internal, NULL, GrB_PLUS_MONOID_FP64, e->inside, NULL));
  TRY(GrB_Vector_new(&share, GrB_FP64, e->n));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(share, NULL, NULL, GrB_TIMES_FP64, e->sum, scale / e->total, NULL));
  if (rounded) TRY(GrB_Vector_apply(share, NULL, NULL, GxB_ROUND_FP64, share, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(share, NULL, NULL, GrB_TIMES_FP64, share, share, NULL));
  TRY(GrB_Vector_reduce_FP64(&squares, NULL, GrB_PLUS_MONOID_FP64, share, NULL));
  internal += e->total - e->linked;
  *modularity = internal / e->total - e->resolution * (squares / scale / scale);
out:
  GrB_Vector_free(&share);
  return info;
}

/* Refinement: removes from `rows` the vertices that are not alone. */
static GrB_Info keep_alone(GrB_Vector rows, louvain *e) {
  GrB_Info info;
  GrB_Vector label = NULL, sum = NULL, others = NULL;
  TRY(GrB_Vector_new(&label, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&sum, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&others, GrB_BOOL, e->n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(label, NULL, NULL, GrB_SECOND_INT64, rows, e->label, NULL));
  TRY(Grid_Vector_gather(sum, NULL, NULL, e->sum, label, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(others, NULL, NULL, GrB_NE_FP64, sum, e->k, NULL));
  TRY(GrB_Vector_assign(rows, others, NULL, rows, GrB_ALL, e->n, GrB_DESC_RC));
out:
  GrB_Vector_free(&label);
  GrB_Vector_free(&sum);
  GrB_Vector_free(&others);
  return info;
}

/* Refinement: removes the targets of vertices whose community moves itself. That is the one vertex in it,
 * which has its number: one that others have joined is not alone. */
static GrB_Info keep_joins(GrB_Vector target, louvain *e) {
  GrB_Info info;
  GrB_Vector moves = NULL;
  TRY(GrB_Vector_new(&moves, GrB_INT64, e->n));
  TRY(Grid_Vector_gather(moves, NULL, NULL, target, target, NULL));
  TRY(GrB_Vector_assign(target, moves, NULL, target, GrB_ALL, e->n, GrB_DESC_RSC));
out:
  GrB_Vector_free(&moves);
  return info;
}

/* label = target, and the sums of the communities left and joined change; *moves += the number of targets. */
static GrB_Info move_to(uint64_t *moves, GrB_Vector target, louvain *e) {
  GrB_Info info;
  GrB_Index moved = 0;
  GrB_Vector left = NULL, k = NULL;
  TRY(GrB_Vector_nvals(&moved, target));
  if (moved == 0) goto out;
  *moves += moved;
  TRY(GrB_Vector_new(&left, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&k, GrB_FP64, e->n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(left, NULL, NULL, GrB_SECOND_INT64, target, e->label, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(k, NULL, NULL, GrB_SECOND_FP64, target, e->k, NULL));
  TRY(Grid_Vector_scatter(e->sum, NULL, GrB_MINUS_FP64, GrB_PLUS_FP64, k, left, NULL));
  TRY(Grid_Vector_scatter(e->sum, NULL, GrB_PLUS_FP64, GrB_PLUS_FP64, k, target, NULL));
  TRY(GrB_Vector_assign(e->label, target, NULL, target, GrB_ALL, e->n, GrB_DESC_S));
out:
  GrB_Vector_free(&left);
  GrB_Vector_free(&k);
  return info;
}

/* The vertices of a class move, each to its best community; *moves += their number. */
static GrB_Info move_class(uint64_t *moves, louvain *e, GrB_Vector rows) {
  GrB_Info info;
  GrB_Vector target = NULL, changes = NULL;
  TRY(GrB_Vector_new(&target, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&changes, GrB_BOOL, e->n));
  if (e->refining) TRY(keep_alone(rows, e)); /* the others will not be alone again */
  TRY(Grid_Matrix_best_label(target, e->links, e->label, e->resolution > 0 ? e->sum : NULL, rows, e->bonus,
                             false));
  TRY(GrB_Vector_eWiseMult_BinaryOp(changes, NULL, NULL, GrB_NE_INT64, target, e->label, NULL));
  TRY(GrB_Vector_assign(target, changes, NULL, target, GrB_ALL, e->n, GrB_DESC_R));
  if (e->refining) TRY(keep_joins(target, e));
  TRY(move_to(moves, target, e));
out:
  GrB_Vector_free(&target);
  GrB_Vector_free(&changes);
  return info;
}

static void free_classes(louvain *e) {
  while (e->classes > 0) GrB_Vector_free(&e->rows[--e->classes]);
}

/* Puts each vertex into one of 2^bits classes. */
static GrB_Info draw_classes(louvain *e) {
  GrB_Info info;
  free_classes(e);
  e->now.key++;
  for (uint64_t class = 0; class < (uint64_t)1 << e->bits; class ++) {
    TRY(GrB_Vector_new(&e->rows[class], GrB_FP64, e->n));
    e->classes++;
    TRY(GrB_Vector_select_UINT64(e->rows[class], NULL, NULL, e->class, e->scale,
                                 e->now.key << 16 | class << 4 | e->bits, NULL));
  }
out:
  return info;
}

/* Sweeps until few vertices move; *moves: of all. */
static GrB_Info move_vertices(uint64_t *moves, louvain *e) {
  GrB_Info info;
  GrB_Index vertices = 0;
  *moves = 0;
  TRY(GrB_Vector_nvals(&vertices, e->k));
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    uint64_t now = 0;
    if (sweep % DRAWN_FOR == 0) TRY(draw_classes(e));
    for (uint64_t class = 0; class < e->classes; class ++) TRY(move_class(&now, e, e->rows[class]));
    *moves += now;
    if (now <= vertices / e->still) break;
  }
out:
  free_classes(e);
  return info;
}

/* *W becomes P' W P: a vertex for each of so many communities. */
static GrB_Info aggregate(GrB_Matrix *W, louvain *e, GrB_Index communities) {
  GrB_Info info;
  GrB_Matrix P = NULL, by_row = NULL;
  TRY(make_indicator(&P, e, communities));
  TRY(GrB_Matrix_new(&by_row, GrB_FP64, e->n, communities));
  TRY(GrB_Matrix_new(W, GrB_FP64, communities, communities));
  TRY(GrB_mxm(by_row, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->W, P, NULL));
  TRY(GrB_mxm(*W, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, P, by_row, GrB_DESC_T0));
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&by_row);
  return info;
}

/* label(v) = name(label(v)) */
static GrB_Info rename_labels(GrB_Vector label, GrB_Vector name) {
  return Grid_Vector_gather(label, NULL, NULL, name, label, NULL);
}

/* Divides each community: vertices begin alone, and join others along its edges. label becomes the parts;
 * *joins: the number of vertices that did. */
static GrB_Info refine(uint64_t *joins, louvain *e) {
  GrB_Info info;
  GrB_Matrix links = e->links;
  if (e->inside == NULL) TRY(find_inside(e));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->k, 0, NULL));
  TRY(sum_communities(e));
  e->links = e->inside, e->refining = true;
  info = move_vertices(joins, e);
  e->links = links, e->refining = false;
out:
  return info;
}

/* The number of bits of the classes that are tried first: more for more vertices. */
static GrB_Info first_bits(uint64_t *bits, const louvain *e) {
  GrB_Index vertices = 0;
  const GrB_Info info = GrB_Vector_nvals(&vertices, e->k);
  for (*bits = FEWEST_BITS; *bits < FIRST_BITS && vertices >> (*bits + CLASS_BITS);) ++*bits;
  return info;
}

/* Moves vertices if that raises the modularity, else the labels are as before. */
static GrB_Info improve(louvain *e) {
  GrB_Info info;
  GrB_Vector before = NULL;
  double quality = 0;
  uint64_t moves = 0, first = 0;
  TRY(GrB_Vector_dup(&before, e->label));
  TRY(first_bits(&first, e));
  for (e->bits = first; e->bits <= MOST_BITS; e->bits += 2) {
    TRY(move_vertices(&moves, e));
    if (moves == 0) break;
    TRY(find_inside(e));
    TRY(measure(&quality, e, true));
    if (quality > e->now.quality + least_gain) {
      e->now.quality = quality;
      break;
    }
    TRY(set_labels(e, before));
    if (e->now.once) break;
  }
  e->bits = first;
  e->now.once = false;
  e->still = STILL;
out:
  GrB_Vector_free(&before);
  return info;
}

/* *found(p) = the community of the parts' vertices, by the number of one of its parts: `label` has the number
 * of each vertex's part, of so many. */
static GrB_Info find_communities_of_parts(GrB_Vector *found, louvain *e, GrB_Vector community,
                                          GrB_Index parts) {
  GrB_Info info;
  GrB_Vector part = NULL, least = NULL;
  TRY(GrB_Vector_new(found, GrB_INT64, parts));
  TRY(GrB_Vector_new(&part, GrB_INT64, parts));
  TRY(GrB_Vector_new(&least, GrB_INT64, e->n));
  TRY(Grid_Vector_scatter(*found, NULL, NULL, GrB_MIN_INT64, community, e->label, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(part, NULL, NULL, GrB_ROWINDEX_INT64, *found, 0, NULL));
  TRY(Grid_Vector_scatter(least, NULL, NULL, GrB_MIN_INT64, part, *found, NULL));
  TRY(rename_labels(*found, least));
out:
  GrB_Vector_free(&part);
  GrB_Vector_free(&least);
  return info;
}

/* label = the numbers of the communities, of which there are *count. */
static GrB_Info renumber_communities(GrB_Index *count, louvain *e) {
  GrB_Info info;
  GrB_Vector number = NULL;
  TRY(sum_communities(e));
  TRY(grid_renumber(&number, e->sum));
  TRY(GrB_Vector_nvals(count, number));
  TRY(rename_labels(e->label, number));
out:
  GrB_Vector_free(&number);
  return info;
}

/* W = the next level's graph, and its vertices begin alone. */
static GrB_Info next_level(louvain *e, GrB_Index vertices) {
  GrB_Info info;
  GrB_Matrix next = NULL;
  TRY(aggregate(&next, e, vertices));
  free_graph(e);
  e->W = next, next = NULL;
  TRY(rename_labels(e->flat, e->label));
  TRY(begin_level(e));
out:
  GrB_Matrix_free(&next);
  return info;
}

/* The communities, or their parts, become the vertices of the next level, which begin alone, or in their
 * community. */
static GrB_Info enter_level(louvain *e) {
  GrB_Info info;
  GrB_Vector community = NULL, found = NULL;
  GrB_Index vertices = 0;
  uint64_t joins = 0;
  TRY(GrB_Vector_dup(&community, e->label));
  if (e->refines) TRY(refine(&joins, e));
  if (joins == 0) TRY(GrB_Vector_assign(e->label, NULL, NULL, community, GrB_ALL, e->n, NULL));
  TRY(renumber_communities(&vertices, e));
  if (joins > 0) TRY(find_communities_of_parts(&found, e, community, vertices));
  TRY(next_level(e, vertices));
  if (joins > 0) TRY(set_labels(e, found));
out:
  GrB_Vector_free(&community);
  GrB_Vector_free(&found);
  return info;
}

/* *whole: every vertex of the level is a community. */
static GrB_Info count_communities(bool *whole, louvain *e) {
  GrB_Info info;
  GrB_Index vertices = 0, communities = 0;
  TRY(sum_communities(e));
  TRY(GrB_Vector_nvals(&vertices, e->k));
  TRY(GrB_Vector_nvals(&communities, e->sum));
  *whole = vertices == communities;
out:
  return info;
}

/* ---- checkpoints: a level's vertex and community of each vertex of the first ---- */

enum { STATE_ITEMS = 3 };
static Grid_Checkpoint_Item *state_of(Grid_Checkpoint_Item *state, GrB_Vector flat, GrB_Vector community,
                                      progress *now) {
  state[0] = (Grid_Checkpoint_Item){.name = "vertex", .vector = flat};
  state[1] = (Grid_Checkpoint_Item){.name = "community", .vector = community};
  state[2] = (Grid_Checkpoint_Item){.name = "progress", .bytes = now, .size = sizeof *now};
  return state;
}

/* A level has been begun. */
static GrB_Info save(louvain *e) {
  Grid_Checkpoint_Item state[STATE_ITEMS];
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector community = NULL;
  e->entered++;
  if (!grid_checkpoint_is_set()) goto out;
  TRY(GrB_Vector_dup(&community, e->flat));
  TRY(rename_labels(community, e->label));
  e->now.n = e->n;
  TRY(grid_checkpoint_iteration(e->entered, &e->computation, state_of(state, e->flat, community, &e->now),
                                STATE_ITEMS));
out:
  GrB_Vector_free(&community);
  return info;
}

/* Goes to the level that was saved last, if there is one. */
static GrB_Info resume(louvain *e) {
  Grid_Checkpoint_Item state[STATE_ITEMS];
  GrB_Info info;
  GrB_Vector flat = NULL, community = NULL, found = NULL;
  TRY(GrB_Vector_new(&flat, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&community, GrB_INT64, e->n));
  TRY(grid_checkpoint_resume(&e->entered, &e->computation, state_of(state, flat, community, &e->now),
                             STATE_ITEMS));
  if (e->entered == 0) goto out;
  TRY(GrB_Vector_assign(e->label, NULL, NULL, flat, GrB_ALL, e->n, NULL));
  if (e->now.n < e->n) TRY(next_level(e, e->now.n));
  TRY(GrB_Vector_new(&found, GrB_INT64, e->n));
  TRY(Grid_Vector_scatter(found, NULL, NULL, GrB_MIN_INT64, community, flat, NULL));
  TRY(set_labels(e, found));
  e->still = STILL;
out:
  GrB_Vector_free(&flat);
  GrB_Vector_free(&community);
  GrB_Vector_free(&found);
  return info;
}

/* Levels until each vertex is a community and none joins another. */
static GrB_Info run_levels(louvain *e) {
  GrB_Info info;
  bool whole = false;
  for (;;) {
    TRY(improve(e));
    TRY(count_communities(&whole, e));
    if (whole) break;
    TRY(enter_level(e));
    TRY(save(e));
  }
  TRY(rename_labels(e->flat, e->label));
out:
  return info;
}

/* The first level again, in the communities found so far. */
static GrB_Info start_again(louvain *e) {
  GrB_Info info;
  GrB_Vector found = NULL;
  TRY(GrB_Vector_dup(&found, e->flat));
  free_graph(e);
  e->W = e->first;
  TRY(begin_level(e));
  TRY(GrB_Vector_assign(e->flat, NULL, NULL, e->label, GrB_ALL, e->n, NULL));
  TRY(set_labels(e, found));
  e->now.pass++;
  e->now.once = true; /* the communities are good already */
  TRY(save(e));
out:
  GrB_Vector_free(&found);
  return info;
}

/* first = the vertices of W with edges, and `vertex`. */
static GrB_Info remove_isolated(louvain *e, GrB_Matrix W, GrB_Index n) {
  GrB_Info info;
  GrB_Vector k = NULL, number = NULL, id = NULL;
  GrB_Index vertices;
  TRY(GrB_Vector_new(&k, GrB_FP64, n));
  TRY(GrB_Vector_new(&id, GrB_INT64, n));
  TRY(GrB_Matrix_reduce_Monoid(k, NULL, NULL, GrB_PLUS_MONOID_FP64, W, NULL));
  TRY(grid_extract_present(&e->first, W, k));
  TRY(GrB_Matrix_nrows(&vertices, e->first));
  TRY(GrB_Vector_new(&e->vertex, GrB_INT64, vertices));
  TRY(grid_renumber(&number, k));
  TRY(GrB_Vector_apply_IndexOp_INT64(id, NULL, NULL, GrB_ROWINDEX_INT64, number, 0, NULL));
  TRY(Grid_Vector_scatter(e->vertex, NULL, NULL, GrB_MIN_INT64, id, number, NULL));
out:
  GrB_Vector_free(&k);
  GrB_Vector_free(&number);
  GrB_Vector_free(&id);
  return info;
}

/* Leiden: label = the components of the communities, which are better where one has several. */
static GrB_Info divide_communities(louvain *e) {
  GrB_Info info;
  GrB_Vector component = NULL;
  TRY(grid_components_step(&component, e->inside));
  TRY(GrB_Vector_assign(e->label, NULL, NULL, component, GrB_ALL, e->n, NULL));
  TRY(sum_communities(e)); /* the links inside are the same */
out:
  GrB_Vector_free(&component);
  return info;
}

static GrB_Info find_communities(louvain *e, bool leiden) {
  GrB_Info info;
  e->W = e->first;
  e->still = STILL_FIRST;
  TRY(begin_level(e));
  TRY(GrB_Vector_dup(&e->flat, e->label));
  /* no link is inside a community yet */
  TRY(GrB_Matrix_new(&e->inside, GrB_FP64, e->n, e->n));
  TRY(measure(&e->now.quality, e, true));
  TRY(resume(e));
  while (e->now.pass < 2) {
    e->refines = leiden && e->now.pass == 1;
    TRY(run_levels(e));
    TRY(start_again(e));
  }
  if (leiden) TRY(improve(e));
  if (e->inside == NULL) TRY(find_inside(e));
  if (leiden) TRY(divide_communities(e));
out:
  return info;
}

/* *community = the smallest vertex of A with the label of each vertex; v itself where it has no edges. */
static GrB_Info name_communities(GrB_Vector *community, louvain *e, GrB_Index n) {
  GrB_Info info;
  GrB_Vector least = NULL, name = NULL;
  TRY(GrB_Vector_new(community, GrB_INT64, n));
  TRY(GrB_Vector_assign_INT64(*community, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(*community, NULL, NULL, GrB_ROWINDEX_INT64, *community, 0, NULL));
  if (e->vertex == NULL) goto out;
  TRY(GrB_Vector_new(&least, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&name, GrB_INT64, e->n));
  TRY(Grid_Vector_scatter(least, NULL, NULL, GrB_MIN_INT64, e->vertex, e->label, NULL));
  TRY(Grid_Vector_gather(name, NULL, NULL, least, e->label, NULL));
  TRY(Grid_Vector_scatter(*community, NULL, GrB_MIN_INT64, GrB_MIN_INT64, name, e->vertex, NULL));
out:
  GrB_Vector_free(&least);
  GrB_Vector_free(&name);
  return info;
}

static GrB_Info compute(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                        uint64_t seed, bool leiden, const char *call) {
  louvain e = {.resolution = resolution < least_resolution ? 0 : resolution,
               .now.key = seed * 0x9e3779b97f4a7c15u};
  GrB_Matrix W = NULL;
  GrB_Vector found = NULL;
  GrB_Index n;
  GrB_Info info;
  double found_modularity = 0;
  if (community == NULL && modularity == NULL)
    return grid_refuse(GrB_NULL_POINTER, call, "both outputs are NULL");
  if (!(resolution >= 0 && resolution <= DBL_MAX))
    return grid_refuse(GrB_INVALID_VALUE, call, "resolution is not a finite number, 0 or more");
  TRY(square_size(&n, A, call));
  TRY(Grid_agree(Grid_IndexUnaryOp_new(&e.class, (indexed)louvain_class, GrB_BOOL, GrB_FP64, GrB_UINT64,
                                       "louvain_class", plain(louvain_class_text)),
                 NULL));
  TRY(grid_checkpoint_key_make(&e.computation, leiden ? "leiden" : "louvain", A, n));
  e.computation.key[3] = grid_key_of(resolution), e.computation.key[4] = seed;
  TRY(grid_exact_weights(&W, A, call));
  TRY(GrB_Matrix_reduce_FP64(&e.total, NULL, GrB_PLUS_MONOID_FP64, W, NULL));
  if (e.total > 0) TRY(remove_isolated(&e, W, n));
  TRY(GrB_Matrix_free(&W));
  if (e.total > 0) TRY(find_communities(&e, leiden));
  if (e.total > 0) TRY(measure(&found_modularity, &e, false));
  TRY(name_communities(&found, &e, n));
  if (modularity != NULL) *modularity = found_modularity;
  if (community != NULL) *community = found, found = NULL;
out:
  free_graph(&e);
  free_vectors(&e);
  GrB_Matrix_free(&W);
  GrB_Matrix_free(&e.first);
  GrB_Vector_free(&e.flat);
  GrB_Vector_free(&e.vertex);
  GrB_Vector_free(&found);
  GrB_IndexUnaryOp_free(&e.class);
  return info;
}

GrB_Info Grid_louvain(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                      uint64_t seed) {
  SPAN;
  return compute(community, modularity, A, resolution, seed, false, "Grid_louvain");
}

GrB_Info Grid_leiden(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                     uint64_t seed) {
  SPAN;
  return compute(community, modularity, A, resolution, seed, true, "Grid_leiden");
}
