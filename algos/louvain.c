/* Communities by Louvain's and Leiden's methods: vertices move to the neighbouring community that raises the
 * modularity most, then each community becomes one vertex, and so on while the modularity grows.
 *
 * W is the graph of a level, k the sums of its rows, S their sum, K(c) the sum of k in community c. Moving v,
 * once it has left its own, to c raises the modularity by a multiple of
 *   S / (resolution k(v)) * (the weight from v to c, loops left out) - K(c)
 * so Grid_Matrix_best_label chooses, with the prices K and the bonus k(v) for staying. The next level's graph
 * is P' W P with P(v, community(v)) = 1. It keeps the size n: a community has the number of one of its
 * vertices, the other rows are empty.
 *
 * Vertices move in classes, drawn by a hash of their numbers for each sweep: of neighbours that move at the
 * same time each would follow the other. Where that does not raise the modularity, it is tried again with
 * ever more classes. Weights are rounded to integers so small that all sums of them are exact
 * (round_weights), so the answer does not depend on the order of additions: it is the same on any number of
 * processes.
 *
 * Leiden's method divides each community before it becomes a vertex: its vertices begin alone, and those that
 * are alone join others along its edges. Their parts become vertices, which begin the next level in the
 * community and may leave it. A vertex joins only what stays, so parts are connected; communities are divided
 * into their components at the end. The best part is taken, where the paper draws one.
 *
 * Sources: Blondel, Guillaume, Lambiotte, Lefebvre, Fast unfolding of communities in large networks (2008);
 * Traag, Waltman, van Eck, From Louvain to Leiden: guaranteeing well-connected communities (2019). */
#include <float.h>
#include <math.h>

#include "algos/components.h"
#include "algos/operators.h"

/* Vertices move in 2^FEWEST_BITS to 2^MOST_BITS classes, at first of about 2^CLASS_BITS or fewer each. */
enum { FEWEST_BITS = 3, FIRST_BITS = 5, MOST_BITS = 9, CLASS_BITS = 9, SWEEPS = 24, STILL = 50, ROUNDS = 2 };
static const double least_gain = 1e-7; /* of the modularity by a level */
static const double tie = 1e-12;       /* a gain, in parts of what a vertex can gain, that may be rounding */

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

typedef struct {
  GrB_Index n;
  double resolution;
  double total;     /* S */
  double quality;   /* modularity, but for 1e-8, in the same bits on any grid */
  const char *call; /* for messages */
  uint64_t key;     /* of the sweeps' hashes */
  uint64_t bits;    /* vertices move in 2^bits classes */
  bool refines;     /* Leiden's method */
  bool refining;    /* only vertices that are alone move, to communities that stay */
  GrB_Matrix first; /* the graph, FP64, weights integers */
  GrB_Matrix W;     /* of this level; may be `first` */
  GrB_Matrix links; /* W without loops; may be W, or in a refinement the links inside communities */
  GrB_Vector k;     /* FP64: of this level's vertices, as the next four */
  GrB_Vector label; /* INT64: community */
  GrB_Vector sum;   /* FP64: K */
  GrB_Vector scale; /* FP64: S / (resolution k), what the sums of links count */
  GrB_Vector bonus; /* FP64: k, and a little for ties */
  GrB_Vector flat;  /* INT64: the community of the first level's vertices that have edges */
  GrB_IndexUnaryOp class;
} louvain;

static GrB_Info fail(const louvain *e, GrB_Info info, const char *why) {
  char text[120];
  snprintf(text, sizeof text, "%s: %s", e->call, why);
  return Grid_agree(info, text);
}

/* ---- the first level's graph ---- */

/* Weights times a power of two, rounded to integers of which 2^52 exceeds the sum; then those of 0 are
 * dropped. Integers whose sum is below that lose nothing. */
static GrB_Info round_weights(const louvain *e, GrB_Matrix W) {
  GrB_Info info;
  GrB_Index entries = 0, valid = 0;
  double most = 0;
  int bits;
  TRY(GrB_Matrix_nvals(&entries, W));
  TRY(GrB_Matrix_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, W, NULL));
  TRY(GrB_Matrix_select_FP64(W, NULL, NULL, GrB_VALUEGE_FP64, W, 0.0, NULL));
  TRY(GrB_Matrix_nvals(&valid, W));
  if (valid < entries || most > DBL_MAX)
    TRY(fail(e, GrB_INVALID_VALUE, "a weight is below 0, not a number or infinite"));
  frexp(entries == 0 ? 1 : most, &bits);
  for (GrB_Index k = entries; k > 0; k /= 2) bits++;
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(W, NULL, NULL, GrB_TIMES_FP64, W, ldexp(1, 51 - bits), NULL));
  TRY(GrB_Matrix_apply(W, NULL, NULL, GxB_ROUND_FP64, W, NULL));
  TRY(GrB_Matrix_select_FP64(W, NULL, NULL, GrB_VALUEGT_FP64, W, 0.0, NULL));
out:
  return info;
}

/* first = A, or A + A' where A is not known to be symmetric. */
static GrB_Info load_graph(louvain *e, GrB_Matrix A) {
  GrB_Info info;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, A));
  TRY(GrB_Matrix_new(&e->first, GrB_FP64, e->n, e->n));
  if (storage.symmetric)
    TRY(GrB_Matrix_apply(e->first, NULL, NULL, GrB_IDENTITY_FP64, A, NULL));
  else
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(e->first, NULL, NULL, GrB_PLUS_FP64, A, A, GrB_DESC_T1));
  TRY(round_weights(e, e->first));
  e->W = e->first;
out:
  return info;
}

/* ---- one level ---- */

/* *P(v, label(v)) = 1 */
static GrB_Info make_indicator(GrB_Matrix *P, const louvain *e) {
  GrB_Info info;
  TRY(GrB_Matrix_new(P, GrB_INT64, e->n, e->n));
  TRY(Grid_Matrix_indicator(*P, e->label));
out:
  return info;
}

/* sum = K; only communities that have vertices. */
static GrB_Info sum_communities(louvain *e) {
  return Grid_Vector_scatter(e->sum, NULL, NULL, GrB_PLUS_FP64, e->k, e->label, NULL);
}

static void free_links(louvain *e) {
  if (e->links != e->W) GrB_Matrix_free(&e->links);
  e->links = NULL;
}

/* links = W without loops */
static GrB_Info make_links(louvain *e) {
  GrB_Info info;
  GrB_Index all = 0, apart = 0;
  TRY(GrB_Matrix_new(&e->links, GrB_FP64, e->n, e->n));
  TRY(GrB_Matrix_select_INT64(e->links, NULL, NULL, GrB_OFFDIAG, e->W, 0, NULL));
  TRY(GrB_Matrix_nvals(&all, e->W));
  TRY(GrB_Matrix_nvals(&apart, e->links));
  if (all > apart) goto out;
  GrB_Matrix_free(&e->links);
  e->links = e->W;
out:
  return info;
}

/* What a vertex's links and its staying count, and each vertex alone in its community. */
static GrB_Info begin_level(louvain *e) {
  GrB_Info info;
  const double worth = e->total / (e->resolution > 0 ? e->resolution : 1);
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

/* *modularity of the labels. Both sums are of integers below 2^53, so that their order does not matter. */
static GrB_Info measure(double *modularity, louvain *e) {
  const double scale = 0x1p26;
  GrB_Info info;
  GrB_Matrix P = NULL, own = NULL;
  GrB_Vector share = NULL;
  double internal = 0, squares = 0;
  TRY(make_indicator(&P, e));
  TRY(GrB_Matrix_new(&own, GrB_FP64, e->n, e->n));
  TRY(GrB_mxm(own, P, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->W, P, GrB_DESC_S));
  TRY(GrB_Matrix_reduce_FP64(&internal, NULL, GrB_PLUS_MONOID_FP64, own, NULL));
  TRY(GrB_Vector_new(&share, GrB_FP64, e->n));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(share, NULL, NULL, GrB_TIMES_FP64, e->sum, scale / e->total, NULL));
  TRY(GrB_Vector_apply(share, NULL, NULL, GxB_ROUND_FP64, share, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(share, NULL, NULL, GrB_TIMES_FP64, share, share, NULL));
  TRY(GrB_Vector_reduce_FP64(&squares, NULL, GrB_PLUS_MONOID_FP64, share, NULL));
  *modularity = internal / e->total - e->resolution * (squares / scale / scale);
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&own);
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
  TRY(GrB_Vector_assign(label, rows, NULL, e->label, GrB_ALL, e->n, GrB_DESC_S));
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
  TRY(GrB_Vector_assign(left, target, NULL, e->label, GrB_ALL, e->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(k, target, NULL, e->k, GrB_ALL, e->n, GrB_DESC_S));
  TRY(Grid_Vector_scatter(e->sum, NULL, GrB_MINUS_FP64, GrB_PLUS_FP64, k, left, NULL));
  TRY(Grid_Vector_scatter(e->sum, NULL, GrB_PLUS_FP64, GrB_PLUS_FP64, k, target, NULL));
  TRY(GrB_Vector_assign(e->label, target, NULL, target, GrB_ALL, e->n, GrB_DESC_S));
out:
  GrB_Vector_free(&left);
  GrB_Vector_free(&k);
  return info;
}

/* The vertices of a class move, each to its best community; *moves += their number. */
static GrB_Info move_class(uint64_t *moves, louvain *e, uint64_t class) {
  GrB_Info info;
  GrB_Vector rows = NULL, target = NULL, changes = NULL;
  TRY(GrB_Vector_new(&rows, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&target, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&changes, GrB_BOOL, e->n));
  TRY(GrB_Vector_select_UINT64(rows, NULL, NULL, e->class, e->scale, e->key << 16 | class << 4 | e->bits,
                               NULL));
  if (e->refining) TRY(keep_alone(rows, e));
  TRY(Grid_Matrix_best_label(target, e->links, e->label, e->resolution > 0 ? e->sum : NULL, rows, e->bonus,
                             false));
  TRY(GrB_Vector_eWiseMult_BinaryOp(changes, NULL, NULL, GrB_NE_INT64, target, e->label, NULL));
  TRY(GrB_Vector_assign(target, changes, NULL, target, GrB_ALL, e->n, GrB_DESC_R));
  if (e->refining) TRY(keep_joins(target, e));
  TRY(move_to(moves, target, e));
out:
  GrB_Vector_free(&rows);
  GrB_Vector_free(&target);
  GrB_Vector_free(&changes);
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
    e->key++;
    for (uint64_t class = 0; class < (uint64_t)1 << e->bits; class ++) TRY(move_class(&now, e, class));
    *moves += now;
    if (now <= vertices / STILL) break;
  }
out:
  return info;
}

/* *W becomes P' W P: a vertex for each community. */
static GrB_Info aggregate(GrB_Matrix *W, louvain *e) {
  GrB_Info info;
  GrB_Matrix P = NULL, by_row = NULL;
  TRY(make_indicator(&P, e));
  TRY(GrB_Matrix_new(&by_row, GrB_FP64, e->n, e->n));
  TRY(GrB_Matrix_new(W, GrB_FP64, e->n, e->n));
  TRY(GrB_mxm(by_row, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->W, P, NULL));
  TRY(GrB_mxm(*W, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, P, by_row, GrB_DESC_T0));
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&by_row);
  return info;
}

/* flat(v) = label(flat(v)) */
static GrB_Info relabel(louvain *e) {
  return Grid_Vector_gather(e->flat, NULL, NULL, e->label, e->flat, NULL);
}

/* *I = the links inside communities: those for which P has equal rows. */
static GrB_Info make_internal(GrB_Matrix *I, louvain *e) {
  GrB_Info info;
  GrB_Matrix P = NULL;
  TRY(make_indicator(&P, e));
  TRY(GrB_Matrix_new(I, GrB_FP64, e->n, e->n));
  TRY(GrB_mxm(*I, e->links, NULL, GxB_PLUS_PAIR_FP64, P, P, GrB_DESC_ST1));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(*I, NULL, NULL, GrB_FIRST_FP64, e->links, *I, NULL));
out:
  GrB_Matrix_free(&P);
  return info;
}

/* Divides each community: vertices begin alone, and join others along its edges. label becomes the parts;
 * *joins: the number of vertices that did. */
static GrB_Info refine(uint64_t *joins, louvain *e) {
  GrB_Info info;
  GrB_Matrix links = e->links, inside = NULL;
  TRY(make_internal(&inside, e));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->k, 0, NULL));
  TRY(sum_communities(e));
  e->links = inside, e->refining = true;
  info = move_vertices(joins, e);
  e->links = links, e->refining = false;
out:
  GrB_Matrix_free(&inside);
  return info;
}

/* The number of bits of the classes that are tried first: more for more vertices. */
static GrB_Info first_bits(uint64_t *bits, const louvain *e) {
  GrB_Index vertices = 0;
  const GrB_Info info = GrB_Vector_nvals(&vertices, e->k);
  for (*bits = FEWEST_BITS; *bits < FIRST_BITS && vertices >> (*bits + CLASS_BITS);) ++*bits;
  return info;
}

/* Moves vertices; *grew: the modularity did, else the labels are as before. */
static GrB_Info improve(bool *grew, louvain *e) {
  GrB_Info info;
  GrB_Vector before = NULL;
  double quality = 0;
  uint64_t moves = 0, first = 0;
  *grew = false;
  TRY(GrB_Vector_dup(&before, e->label));
  TRY(first_bits(&first, e));
  for (e->bits = first; e->bits <= MOST_BITS; e->bits += 2) {
    TRY(move_vertices(&moves, e));
    if (moves == 0) break;
    TRY(measure(&quality, e));
    *grew = quality > e->quality + least_gain;
    if (*grew) break;
    TRY(GrB_Vector_assign(e->label, NULL, NULL, before, GrB_ALL, e->n, NULL));
    TRY(sum_communities(e));
  }
  if (*grew) e->quality = quality;
  e->bits = first;
out:
  GrB_Vector_free(&before);
  return info;
}

/* The communities, or their parts, become the vertices of the next level, which begin alone, or in their
 * community. */
static GrB_Info enter_level(louvain *e) {
  GrB_Info info;
  GrB_Matrix next = NULL;
  GrB_Vector community = NULL;
  uint64_t joins = 0;
  TRY(GrB_Vector_dup(&community, e->label));
  if (e->refines) TRY(refine(&joins, e));
  if (joins == 0) TRY(GrB_Vector_assign(e->label, NULL, NULL, community, GrB_ALL, e->n, NULL));
  TRY(aggregate(&next, e));
  TRY(relabel(e));
  free_links(e);
  if (e->W != e->first) GrB_Matrix_free(&e->W);
  e->W = next, next = NULL;
  TRY(begin_level(e));
  /* a part has the number of one of its vertices */
  if (joins > 0) {
    TRY(GrB_Vector_assign(e->label, e->k, NULL, community, GrB_ALL, e->n, GrB_DESC_S));
    TRY(sum_communities(e));
  }
out:
  GrB_Matrix_free(&next);
  GrB_Vector_free(&community);
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

/* Levels until each vertex is a community and none joins another. */
static GrB_Info run_levels(louvain *e) {
  GrB_Info info;
  bool grew = false, whole = false;
  for (;;) {
    TRY(improve(&grew, e));
    TRY(count_communities(&whole, e));
    if (whole) break;
    TRY(enter_level(e));
  }
  TRY(relabel(e));
out:
  return info;
}

/* The first level again, in the communities found so far. */
static GrB_Info start_again(louvain *e) {
  GrB_Info info;
  GrB_Vector found = NULL;
  TRY(GrB_Vector_dup(&found, e->flat));
  free_links(e);
  if (e->W != e->first) GrB_Matrix_free(&e->W);
  e->W = e->first;
  TRY(begin_level(e));
  TRY(GrB_Vector_assign(e->flat, NULL, NULL, e->label, GrB_ALL, e->n, NULL));
  TRY(GrB_Vector_assign(e->label, NULL, NULL, found, GrB_ALL, e->n, NULL));
  TRY(sum_communities(e));
out:
  GrB_Vector_free(&found);
  return info;
}

/* *community = the smallest vertex with v's label, v itself where v has no edges. */
static GrB_Info name_communities(GrB_Vector *community, louvain *e) {
  GrB_Info info;
  GrB_Vector vertex = NULL, least = NULL;
  TRY(GrB_Vector_new(&vertex, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&least, GrB_INT64, e->n));
  TRY(GrB_Vector_assign_INT64(vertex, NULL, NULL, 0, GrB_ALL, e->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(vertex, NULL, NULL, GrB_ROWINDEX_INT64, vertex, 0, NULL));
  TRY(Grid_Vector_scatter(least, NULL, NULL, GrB_MIN_INT64, vertex, e->flat, NULL));
  TRY(Grid_Vector_gather(vertex, NULL, GrB_MIN_INT64, least, e->flat, NULL));
  *community = vertex, vertex = NULL;
out:
  GrB_Vector_free(&vertex);
  GrB_Vector_free(&least);
  return info;
}

static GrB_Info find_communities(louvain *e, GrB_Matrix A) {
  GrB_Info info;
  TRY(GrB_Vector_new(&e->k, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->label, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->sum, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->scale, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->bonus, GrB_FP64, e->n));
  TRY(load_graph(e, A));
  TRY(GrB_Matrix_reduce_FP64(&e->total, NULL, GrB_PLUS_MONOID_FP64, e->W, NULL));
  TRY(begin_level(e));
  TRY(GrB_Vector_dup(&e->flat, e->label));
  if (e->total == 0) goto out;
  TRY(measure(&e->quality, e));
  TRY(run_levels(e));
  for (int round = 1; e->refines && round < ROUNDS; round++) {
    TRY(start_again(e));
    TRY(run_levels(e));
  }
out:
  return info;
}

/* Leiden: the components of the communities, which are better where one has several. */
static GrB_Info divide_communities(louvain *e, GrB_Vector community) {
  GrB_Info info;
  GrB_Matrix inside = NULL;
  GrB_Vector component = NULL;
  free_links(e);
  if (e->W != e->first) GrB_Matrix_free(&e->W);
  e->W = e->links = e->first;
  TRY(GrB_Vector_assign(e->label, NULL, NULL, community, GrB_ALL, e->n, NULL));
  TRY(make_internal(&inside, e));
  TRY(grid_components_step(&component, inside));
  TRY(GrB_Vector_assign(community, NULL, NULL, component, GrB_ALL, e->n, NULL));
out:
  GrB_Matrix_free(&inside);
  GrB_Vector_free(&component);
  return info;
}

static GrB_Info compute(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                        uint64_t seed, bool refines, const char *call) {
  louvain e = {.resolution = resolution, .key = seed * 0x9e3779b97f4a7c15u, .refines = refines, .call = call};
  GrB_Vector found = NULL;
  GrB_Info info;
  if (community == NULL && modularity == NULL) return fail(&e, GrB_NULL_POINTER, "both outputs are NULL");
  if (!(resolution >= 0 && resolution <= DBL_MAX))
    return fail(&e, GrB_INVALID_VALUE, "resolution is not a finite number, 0 or more");
  TRY(square_size(&e.n, A, call));
  TRY(Grid_agree(Grid_IndexUnaryOp_new(&e.class, (indexed)louvain_class, GrB_BOOL, GrB_FP64, GrB_UINT64,
                                       "louvain_class", plain(louvain_class_text)),
                 NULL));
  TRY(find_communities(&e, A));
  TRY(name_communities(&found, &e));
  if (refines) TRY(divide_communities(&e, found));
  if (modularity != NULL) TRY(Grid_modularity(modularity, NULL, e.first, found, resolution));
  if (community != NULL) *community = found, found = NULL;
out:
  free_links(&e);
  if (e.W != e.first) GrB_Matrix_free(&e.W);
  GrB_Matrix_free(&e.first);
  GrB_Vector_free(&e.k);
  GrB_Vector_free(&e.label);
  GrB_Vector_free(&e.sum);
  GrB_Vector_free(&e.scale);
  GrB_Vector_free(&e.bonus);
  GrB_Vector_free(&e.flat);
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
