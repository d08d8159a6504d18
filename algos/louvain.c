/* Communities by Louvain's and Leiden's methods: vertices move to the neighbouring community that raises the
 * modularity most, then each community becomes one vertex, and so on while the modularity grows.
 *
 * W is the graph of a level, k the sums of its rows, S their sum, K(c) the sum of k in community c, P(v,
 * community(v)) = 1. The weight from v to community c is (W P)(v,c), loops left out. Moving v, once it has
 * left its own, to c is worth
 *   score(v,c) = (W P)(v,c) / k(v) - (resolution / S) K(c)
 * times a number of v, so the best c is the winner of row v in one product over max. It beats staying if it
 * exceeds the own community's score without v itself. The next level's graph is P' W P. It keeps the size n:
 * a community has the number of one of its vertices, the other rows are empty.
 *
 * One eighth of the vertices moves at a time, drawn by a hash of their numbers for each sweep: of neighbours
 * that move at the same time each would follow the other. Where that does not raise the modularity, it is
 * tried again with ever fewer at a time. Weights are rounded to integers so small that all
 * sums of them are exact (round_weights), so the answer does not depend on the order of additions: it is the
 * same on any number of processes.
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

#include "algos/operators.h"

/* Vertices move in 2^FEWEST_BITS to 2^MOST_BITS classes. */
enum { FEWEST_BITS = 3, MOST_BITS = 9, SWEEPS = 24 };
static const double least_gain = 1e-7; /* of the modularity by a level */

WITH_TEXT(
    louvain_choice, typedef struct {
      double score;
      int64_t community;
    } louvain_choice;)
/* Keeps the rows of a class, without loops. thunk: key, 12 bits of the class, 4 of the logarithm of the
 * classes.
 */
WITH_TEXT(
    louvain_class,
    static void louvain_class(bool *z, const double *x, uint64_t i, uint64_t j, const uint64_t *thunk) {
      (void)x;
      uint64_t h = (i ^ *thunk >> 16) + 0x9e3779b97f4a7c15u;
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      *z = i != j && h >> (64 - (*thunk & 15)) == (*thunk >> 4 & 4095);
    })
WITH_TEXT(
    louvain_cost, static void louvain_cost(louvain_choice *z, const double *x, uint64_t i, uint64_t j,
                                           const int64_t *unused) {
      (void)j;
      (void)unused;
      z->score = *x;
      z->community = (int64_t)i;
    })
WITH_TEXT(
    louvain_score, static void louvain_score(louvain_choice *z, const double *x, const louvain_choice *y) {
      z->score = *x - y->score;
      z->community = y->community;
    })
WITH_TEXT(
    louvain_better,
    static void louvain_better(louvain_choice *z, const louvain_choice *x, const louvain_choice *y) {
      *z = y->score > x->score || (y->score == x->score && y->community < x->community) ? *y : *x;
    })
/* Rounding does not make a gain of none. */
WITH_TEXT(
    louvain_gains, static void louvain_gains(bool *z, const louvain_choice *x, const double *y) {
      *z = x->score > *y + 1e-12;
    })
WITH_TEXT(
    louvain_target, static void louvain_target(int64_t *z, const louvain_choice *x) { *z = x->community; })

typedef struct {
  GrB_Type choice;
  GrB_IndexUnaryOp class, cost;
  GrB_BinaryOp score, better, gains;
  GrB_UnaryOp target;
  GrB_Monoid best;
  GrB_Semiring winner;
} louvain_operators;

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
  GrB_Matrix D;     /* diag(1 / k) */
  GrB_Matrix P;     /* INT64 */
  GrB_Vector k;     /* FP64: of this level's vertices, as the next three */
  GrB_Vector label; /* INT64: community */
  GrB_Vector sum;   /* FP64: K */
  GrB_Vector cost;  /* FP64: (resolution / S) K */
  GrB_Vector stay;  /* FP64 */
  GrB_Vector flat;  /* INT64: the community of the first level's vertices that have edges */
  louvain_operators op;
} louvain;

static GrB_Info fail(const louvain *e, GrB_Info info, const char *why) {
  char text[120];
  snprintf(text, sizeof text, "%s: %s", e->call, why);
  return Grid_agree(info, text);
}

static GrB_Info make_operators(louvain_operators *b) {
  GrB_Info info;
  const louvain_choice none = {-(double)INFINITY, INT64_MAX};
  TRY(Grid_Type_new(&b->choice, sizeof(louvain_choice), "louvain_choice", louvain_choice_text));
  const GrB_Type t = b->choice;
  TRY(Grid_IndexUnaryOp_new(&b->class, (indexed)louvain_class, GrB_BOOL, GrB_FP64, GrB_UINT64,
                            "louvain_class", plain(louvain_class_text)));
  TRY(Grid_IndexUnaryOp_new(&b->cost, (indexed)louvain_cost, t, GrB_FP64, GrB_INT64, "louvain_cost",
                            plain(louvain_cost_text)));
  TRY(Grid_BinaryOp_new(&b->score, (binary)louvain_score, t, GrB_FP64, t, "louvain_score",
                        plain(louvain_score_text)));
  TRY(Grid_BinaryOp_new(&b->better, (binary)louvain_better, t, t, t, "louvain_better",
                        plain(louvain_better_text)));
  TRY(Grid_BinaryOp_new(&b->gains, (binary)louvain_gains, GrB_BOOL, t, GrB_FP64, "louvain_gains",
                        plain(louvain_gains_text)));
  TRY(Grid_UnaryOp_new(&b->target, (unary)louvain_target, GrB_INT64, t, "louvain_target",
                       plain(louvain_target_text)));
  TRY(GrB_Monoid_new_UDT(&b->best, b->better, (void *)&none));
  TRY(GrB_Semiring_new(&b->winner, b->best, b->score));
out:
  return info;
}

static void free_operators(louvain_operators *b) {
  GrB_Semiring_free(&b->winner);
  GrB_Monoid_free(&b->best);
  GrB_UnaryOp_free(&b->target);
  GrB_BinaryOp_free(&b->score);
  GrB_BinaryOp_free(&b->better);
  GrB_BinaryOp_free(&b->gains);
  GrB_IndexUnaryOp_free(&b->class);
  GrB_IndexUnaryOp_free(&b->cost);
  GrB_Type_free(&b->choice);
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

/* k, D, and each vertex alone in its community. */
static GrB_Info begin_level(louvain *e) {
  GrB_Info info;
  GrB_Vector inverse = NULL;
  TRY(GrB_Matrix_reduce_Monoid(e->k, NULL, NULL, GrB_PLUS_MONOID_FP64, e->W, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->k, 0, NULL));
  TRY(GrB_Vector_new(&inverse, GrB_FP64, e->n));
  TRY(GrB_Vector_apply(inverse, NULL, NULL, GrB_MINV_FP64, e->k, NULL));
  GrB_Matrix_free(&e->D);
  TRY(GrB_Matrix_diag(&e->D, inverse, 0));
out:
  GrB_Vector_free(&inverse);
  return info;
}

/* P of the labels, sum = K = k P, cost = (resolution / S) K */
static GrB_Info update_labels(louvain *e) {
  GrB_Info info;
  TRY(GrB_Matrix_clear(e->P));
  TRY(Grid_Matrix_indicator(e->P, e->label));
  TRY(GrB_vxm(e->sum, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->k, e->P, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(e->cost, NULL, NULL, GrB_TIMES_FP64, e->sum, e->resolution / e->total,
                                        NULL));
out:
  return info;
}

/* *modularity of the labels. Both sums are of integers below 2^53, so that their order does not matter. */
static GrB_Info measure(double *modularity, louvain *e) {
  const double scale = 0x1p26;
  GrB_Info info;
  GrB_Matrix own = NULL;
  GrB_Vector share = NULL;
  double internal = 0, squares = 0;
  TRY(update_labels(e));
  TRY(GrB_Matrix_new(&own, GrB_FP64, e->n, e->n));
  TRY(GrB_mxm(own, e->P, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->W, e->P, GrB_DESC_S));
  TRY(GrB_Matrix_reduce_FP64(&internal, NULL, GrB_PLUS_MONOID_FP64, own, NULL));
  TRY(GrB_Vector_new(&share, GrB_FP64, e->n));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(share, NULL, NULL, GrB_TIMES_FP64, e->sum, scale / e->total, NULL));
  TRY(GrB_Vector_apply(share, NULL, NULL, GxB_ROUND_FP64, share, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(share, NULL, NULL, GrB_TIMES_FP64, share, share, NULL));
  TRY(GrB_Vector_reduce_FP64(&squares, NULL, GrB_PLUS_MONOID_FP64, share, NULL));
  *modularity = internal / e->total - e->resolution * (squares / scale / scale);
out:
  GrB_Matrix_free(&own);
  GrB_Vector_free(&share);
  return info;
}

/* F = the weights from the vertices of a class to the communities, divided by k. */
static GrB_Info weigh(GrB_Matrix F, louvain *e, uint64_t class) {
  GrB_Info info;
  TRY(GrB_Matrix_select_UINT64(F, NULL, NULL, e->op.class, e->W, e->key << 16 | class << 4 | e->bits, NULL));
  TRY(GrB_mxm(F, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, F, e->P, NULL));
  TRY(GrB_mxm(F, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->D, F, NULL));
out:
  return info;
}

/* stay(v) = F(v, own) - (resolution / S) (K(own) - k(v)) */
static GrB_Info score_staying(louvain *e, GrB_Matrix F) {
  GrB_Info info;
  GrB_Matrix own = NULL;
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(e->stay, NULL, NULL, GrB_TIMES_FP64, e->k, e->resolution / e->total,
                                        NULL));
  TRY(GrB_mxv(e->stay, NULL, GrB_MINUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, e->P, e->cost, NULL));
  TRY(GrB_Matrix_new(&own, GrB_FP64, e->n, e->n));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(own, NULL, NULL, GrB_FIRST_FP64, F, e->P, NULL));
  TRY(GrB_Matrix_reduce_Monoid(e->stay, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, own, NULL));
out:
  GrB_Matrix_free(&own);
  return info;
}

/* Refinement: removes from the targets those of vertices that are not alone, then those whose community moves
 * itself. */
static GrB_Info keep_joins(GrB_Vector target, louvain *e) {
  GrB_Info info;
  GrB_Vector size = NULL, no = NULL;
  GrB_Matrix to = NULL;
  TRY(GrB_Vector_new(&size, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&no, GrB_INT64, e->n));
  TRY(GrB_Matrix_new(&to, GrB_INT64, e->n, e->n));
  TRY(GrB_vxm(size, NULL, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, e->label, e->P, NULL));
  TRY(GrB_mxv(no, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, e->P, size, NULL));
  TRY(GrB_Vector_select_INT64(no, NULL, NULL, GrB_VALUEGT_INT64, no, 1, NULL));
  TRY(GrB_Vector_assign(target, no, NULL, target, GrB_ALL, e->n, GrB_DESC_RSC));
  TRY(Grid_Matrix_indicator(to, target));
  TRY(GrB_mxv(no, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, to, target, NULL));
  TRY(GrB_Vector_assign(target, no, NULL, target, GrB_ALL, e->n, GrB_DESC_RSC));
out:
  GrB_Vector_free(&size);
  GrB_Vector_free(&no);
  GrB_Matrix_free(&to);
  return info;
}

/* The vertices of a class move, each to its best community; *moves += their number. */
static GrB_Info move_class(uint64_t *moves, louvain *e, uint64_t class) {
  GrB_Info info;
  GrB_Matrix F = NULL;
  GrB_Vector cost = NULL, best = NULL, gains = NULL, target = NULL;
  GrB_Index moved = 0;
  TRY(GrB_Matrix_new(&F, GrB_FP64, e->n, e->n));
  TRY(GrB_Vector_new(&cost, e->op.choice, e->n));
  TRY(GrB_Vector_new(&best, e->op.choice, e->n));
  TRY(GrB_Vector_new(&gains, GrB_BOOL, e->n));
  TRY(GrB_Vector_new(&target, GrB_INT64, e->n));
  TRY(update_labels(e));
  TRY(weigh(F, e, class));
  TRY(score_staying(e, F));
  TRY(GrB_Vector_apply_IndexOp_INT64(cost, NULL, NULL, e->op.cost, e->cost, 0, NULL));
  TRY(GrB_mxv(best, NULL, NULL, e->op.winner, F, cost, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(gains, NULL, NULL, e->op.gains, best, e->stay, NULL));
  TRY(GrB_Vector_apply(target, gains, NULL, e->op.target, best, NULL));
  if (e->refining) TRY(keep_joins(target, e));
  TRY(GrB_Vector_nvals(&moved, target));
  TRY(GrB_Vector_assign(e->label, target, NULL, target, GrB_ALL, e->n, GrB_DESC_S));
  *moves += moved;
out:
  GrB_Matrix_free(&F);
  GrB_Vector_free(&cost);
  GrB_Vector_free(&best);
  GrB_Vector_free(&gains);
  GrB_Vector_free(&target);
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
    if (now <= vertices / 1000) break;
  }
out:
  return info;
}

/* *W becomes P' W P: a vertex for each community. */
static GrB_Info aggregate(GrB_Matrix *W, louvain *e) {
  GrB_Info info;
  GrB_Matrix by_row = NULL;
  TRY(update_labels(e));
  TRY(GrB_Matrix_new(&by_row, GrB_FP64, e->n, e->n));
  TRY(GrB_Matrix_new(W, GrB_FP64, e->n, e->n));
  TRY(GrB_mxm(by_row, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->W, e->P, NULL));
  TRY(GrB_mxm(*W, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->P, by_row, GrB_DESC_T0));
out:
  GrB_Matrix_free(&by_row);
  return info;
}

/* v = label(flat(v)) for flat's vertices v. */
static GrB_Info relabel(GrB_Vector flat, GrB_Vector label, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix P = NULL;
  TRY(GrB_Matrix_new(&P, GrB_INT64, n, n));
  TRY(Grid_Matrix_indicator(P, flat));
  TRY(GrB_mxv(flat, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, P, label, NULL));
out:
  GrB_Matrix_free(&P);
  return info;
}

/* *I = the edges of W inside communities. */
static GrB_Info make_internal(GrB_Matrix *I, louvain *e) {
  GrB_Info info;
  GrB_Matrix L = NULL, X = NULL, Y = NULL;
  TRY(GrB_Matrix_diag(&L, e->label, 0));
  TRY(GrB_Matrix_new(&X, GrB_INT64, e->n, e->n));
  TRY(GrB_Matrix_new(&Y, GrB_INT64, e->n, e->n));
  TRY(GrB_Matrix_new(I, GrB_FP64, e->n, e->n));
  TRY(GrB_mxm(X, NULL, NULL, GrB_MIN_FIRST_SEMIRING_INT64, L, e->W, NULL));
  TRY(GrB_mxm(Y, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, e->W, L, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(X, NULL, NULL, GrB_MINUS_INT64, X, Y, NULL));
  TRY(GrB_Matrix_select_INT64(X, NULL, NULL, GrB_VALUEEQ_INT64, X, 0, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(*I, NULL, NULL, GrB_FIRST_FP64, e->W, X, NULL));
out:
  GrB_Matrix_free(&L);
  GrB_Matrix_free(&X);
  GrB_Matrix_free(&Y);
  return info;
}

/* Divides each community: vertices begin alone, and join others along its edges. label becomes the parts;
 * *joins: the number of vertices that did. */
static GrB_Info refine(uint64_t *joins, louvain *e) {
  GrB_Info info;
  GrB_Matrix W = e->W, inside = NULL;
  TRY(make_internal(&inside, e));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->k, 0, NULL));
  e->W = inside, e->refining = true;
  info = move_vertices(joins, e);
  e->W = W, e->refining = false;
out:
  GrB_Matrix_free(&inside);
  return info;
}

/* Moves vertices; *grew: the modularity did, else the labels are as before. */
static GrB_Info improve(bool *grew, louvain *e) {
  GrB_Info info;
  GrB_Vector before = NULL;
  double quality = 0;
  uint64_t moves = 0;
  *grew = false;
  TRY(GrB_Vector_dup(&before, e->label));
  for (e->bits = FEWEST_BITS; e->bits <= MOST_BITS && !*grew; e->bits += 2) {
    TRY(move_vertices(&moves, e));
    if (moves == 0) break;
    TRY(measure(&quality, e));
    *grew = quality > e->quality + least_gain;
    if (!*grew) TRY(GrB_Vector_assign(e->label, NULL, NULL, before, GrB_ALL, e->n, NULL));
  }
  if (*grew) e->quality = quality;
  e->bits = FEWEST_BITS;
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
  TRY(relabel(e->flat, e->label, e->n));
  if (e->W != e->first) GrB_Matrix_free(&e->W);
  e->W = next, next = NULL;
  TRY(begin_level(e));
  /* a part has the number of one of its vertices */
  if (joins > 0) TRY(GrB_Vector_assign(e->label, e->k, NULL, community, GrB_ALL, e->n, GrB_DESC_S));
out:
  GrB_Matrix_free(&next);
  GrB_Vector_free(&community);
  return info;
}

/* *whole: every vertex of the level is a community. */
static GrB_Info count_communities(bool *whole, louvain *e) {
  GrB_Info info;
  GrB_Index vertices = 0, communities = 0;
  TRY(update_labels(e));
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
  TRY(measure(&e->quality, e));
  for (;;) {
    TRY(improve(&grew, e));
    TRY(count_communities(&whole, e));
    if (whole) break;
    TRY(enter_level(e));
  }
  TRY(relabel(e->flat, e->label, e->n));
out:
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
  TRY(GrB_Matrix_clear(e->P));
  TRY(Grid_Matrix_indicator(e->P, e->flat));
  TRY(GrB_vxm(least, NULL, NULL, GrB_MIN_FIRST_SEMIRING_INT64, vertex, e->P, NULL));
  TRY(GrB_mxv(vertex, NULL, GrB_MIN_INT64, GrB_MIN_SECOND_SEMIRING_INT64, e->P, least, NULL));
  *community = vertex, vertex = NULL;
out:
  GrB_Vector_free(&vertex);
  GrB_Vector_free(&least);
  return info;
}

static GrB_Info find_communities(louvain *e, GrB_Matrix A) {
  GrB_Info info;
  TRY(GrB_Matrix_new(&e->P, GrB_INT64, e->n, e->n));
  TRY(GrB_Vector_new(&e->k, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->label, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->sum, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->cost, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->stay, GrB_FP64, e->n));
  TRY(load_graph(e, A));
  TRY(GrB_Matrix_reduce_FP64(&e->total, NULL, GrB_PLUS_MONOID_FP64, e->W, NULL));
  TRY(begin_level(e));
  TRY(GrB_Vector_dup(&e->flat, e->label));
  if (e->total > 0) TRY(run_levels(e));
out:
  return info;
}

/* Leiden: the components of the communities, which are better where one has several. */
static GrB_Info divide_communities(louvain *e, GrB_Vector community) {
  GrB_Info info;
  GrB_Matrix inside = NULL;
  GrB_Vector component = NULL;
  if (e->W != e->first) GrB_Matrix_free(&e->W);
  e->W = e->first;
  TRY(GrB_Vector_assign(e->label, NULL, NULL, community, GrB_ALL, e->n, NULL));
  TRY(make_internal(&inside, e));
  TRY(Grid_components(&component, inside));
  TRY(GrB_Vector_assign(community, NULL, NULL, component, GrB_ALL, e->n, NULL));
out:
  GrB_Matrix_free(&inside);
  GrB_Vector_free(&component);
  return info;
}

static GrB_Info compute(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                        uint64_t seed, bool refines, const char *call) {
  louvain e = {.resolution = resolution,
               .key = seed * 0x9e3779b97f4a7c15u,
               .bits = FEWEST_BITS,
               .refines = refines,
               .call = call};
  GrB_Vector found = NULL;
  GrB_Info info;
  if (community == NULL && modularity == NULL) return fail(&e, GrB_NULL_POINTER, "both outputs are NULL");
  if (!(resolution >= 0 && resolution <= DBL_MAX))
    return fail(&e, GrB_INVALID_VALUE, "resolution is not a finite number, 0 or more");
  TRY(square_size(&e.n, A, call));
  TRY(Grid_agree(make_operators(&e.op), NULL));
  TRY(find_communities(&e, A));
  TRY(name_communities(&found, &e));
  if (refines) TRY(divide_communities(&e, found));
  if (modularity != NULL) TRY(Grid_modularity(modularity, NULL, e.first, found, resolution));
  if (community != NULL) *community = found, found = NULL;
out:
  if (e.W != e.first) GrB_Matrix_free(&e.W);
  GrB_Matrix_free(&e.first);
  GrB_Matrix_free(&e.D);
  GrB_Matrix_free(&e.P);
  GrB_Vector_free(&e.k);
  GrB_Vector_free(&e.label);
  GrB_Vector_free(&e.sum);
  GrB_Vector_free(&e.cost);
  GrB_Vector_free(&e.stay);
  GrB_Vector_free(&e.flat);
  GrB_Vector_free(&found);
  free_operators(&e.op);
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
