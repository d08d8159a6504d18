/* A minimum spanning forest by Boruvka's method: every vertex begins as a tree, and in each round every tree
 * takes the lightest edge that leaves it. Trees joined by such an edge become one.
 *
 * Edges are ordered by weight, then by the smaller of their ends, then by the larger. No two are equal, so
 * there is one such forest on any number of processes. The edges that trees take form no cycle, except that
 * two trees may take the same edge.
 *
 * A product cannot skip the neighbors in a vertex's own tree, since its multiplication does not get the
 * vertex. So its monoid keeps the lightest edges to two different trees, at least one of which leaves the
 * vertex's own. A vertex without such an edge never gets one and leaves.
 *
 * Where a vertex has many edges, the forest of the lightest few is grown first: it is a part of the forest,
 * and most of the other edges then lie within one of its trees. So few rounds read them. A process that has
 * all edges takes one after another (msf_serial.c).
 *
 * Sources: Boruvka, O jistem problemu minimalnim (1926); Nesetril, Milkova, Nesetrilova, Otakar Boruvka on
 * minimum spanning tree problem (2001). */
#include <math.h>

#include "algos/support/operators.h"
#include "algos/support/serial.h"
#include "algos/trees_and_sets/msf.h"

/* Up to so many threads sorting on one is faster than rounds. (R-MAT 18, weights: 128 ms; rounds on 8 and 16
 * threads of a Xeon 212 and 166.) */
enum { SERIAL = 16 };

/* Weights as UINT64 in the same order, so that one semiring serves all types. */
WITH_TEXT(
    msf_from_real, static void msf_from_real(uint64_t *z, const double *x) {
      union {
        double real;
        uint64_t bits;
      } u;
      u.real = *x + 0.0; /* no -0 */
      *z = u.bits >> 63 ? ~u.bits : u.bits | 0x8000000000000000u;
      if (*x != *x) *z = 0xffffffffffffffffu; /* above infinity */
    })
WITH_TEXT(
    msf_to_real, static void msf_to_real(double *z, const uint64_t *x) {
      union {
        double real;
        uint64_t bits;
      } u;
      u.bits = *x >> 63 ? *x & 0x7fffffffffffffffu : ~*x;
      *z = u.real;
    })
WITH_TEXT(
    msf_from_whole,
    static void msf_from_whole(uint64_t *z, const int64_t *x) { *z = (uint64_t)*x ^ 0x8000000000000000u; })
WITH_TEXT(
    msf_to_whole,
    static void msf_to_whole(int64_t *z, const uint64_t *x) { *z = (int64_t)(*x ^ 0x8000000000000000u); })

/* A vertex and its tree, which is named by its smallest vertex. */
WITH_TEXT(
    msf_vertex, typedef struct {
      int64_t vertex;
      int64_t tree;
    } msf_vertex;)
WITH_TEXT(
    msf_store, static void msf_store(msf_vertex *z, const int64_t *x, const int64_t *y) {
      z->vertex = *x;
      z->tree = *y;
    })

/* The lightest edges of a vertex to two trees, the lighter first: each with its weight, its other end, and
 * that end's tree; -1: none. */
WITH_TEXT(
    msf_two, typedef struct {
      uint64_t weight[2];
      int64_t vertex[2];
      int64_t tree[2];
    } msf_two;)
WITH_TEXT(
    msf_candidate, static void msf_candidate(msf_two *z, const uint64_t *x, const msf_vertex *y) {
      z->weight[0] = *x;
      z->vertex[0] = y->vertex;
      z->tree[0] = y->tree;
      z->weight[1] = 0;
      z->vertex[1] = -1;
      z->tree[1] = -1;
    })
/* Edges of one vertex are compared by weight and other end, which is their order by weight, smaller end and
 * larger end. */
WITH_TEXT(
    msf_lighter, static void msf_lighter(msf_two *z, const msf_two *x, const msf_two *y) {
      msf_two a = *x;
      for (int k = 0; k < 2; k++) {
        const uint64_t w = y->weight[k];
        const int64_t v = y->vertex[k], t = y->tree[k];
        if (t < 0) break;
        if (a.tree[0] < 0 || w < a.weight[0] || (w == a.weight[0] && v < a.vertex[0])) {
          if (t != a.tree[0]) {
            a.weight[1] = a.weight[0];
            a.vertex[1] = a.vertex[0];
            a.tree[1] = a.tree[0];
          }
          a.weight[0] = w;
          a.vertex[0] = v;
          a.tree[0] = t;
        } else if (t != a.tree[0] &&
                   (a.tree[1] < 0 || w < a.weight[1] || (w == a.weight[1] && v < a.vertex[1]))) {
          a.weight[1] = w;
          a.vertex[1] = v;
          a.tree[1] = t;
        }
      }
      *z = a;
    })

/* An edge that leaves a tree, and the tree that it leads to; -1: none. */
WITH_TEXT(
    msf_edge, typedef struct {
      uint64_t weight;
      int64_t low, high;
      int64_t tree;
    } msf_edge;)
WITH_TEXT(
    msf_pick, static void msf_pick(msf_edge *z, const msf_two *x, const msf_vertex *y) {
      const int k = x->tree[0] == y->tree;
      z->weight = x->weight[k];
      z->low = x->vertex[k] < y->vertex ? x->vertex[k] : y->vertex;
      z->high = x->vertex[k] < y->vertex ? y->vertex : x->vertex[k];
      z->tree = x->tree[k];
    })
WITH_TEXT(
    msf_leaves, static void msf_leaves(bool *z, const msf_edge *x, uint64_t i, uint64_t j, const int64_t *y) {
      (void)i;
      (void)j;
      (void)y;
      *z = x->tree >= 0;
    })
WITH_TEXT(
    msf_first, static void msf_first(msf_edge *z, const msf_edge *x, const msf_edge *y) {
      const bool less =
          x->weight < y->weight ||
          (x->weight == y->weight && (x->low < y->low || (x->low == y->low && x->high < y->high)));
      *z = less ? *x : *y;
    })
WITH_TEXT(
    msf_tree, static void msf_tree(int64_t *z, const msf_edge *x) { *z = x->tree; })
WITH_TEXT(
    msf_low, static void msf_low(int64_t *z, const msf_edge *x) { *z = x->low; })
WITH_TEXT(
    msf_high, static void msf_high(int64_t *z, const msf_edge *x) { *z = x->high; })

typedef struct {
  GrB_Type vertex, two, edge;
  GrB_UnaryOp from_weight, to_weight, tree, low, high;
  GrB_IndexUnaryOp leaves;
  GrB_BinaryOp store, look, lighter, pick_lightest, first;
  GrB_Monoid lightest;
  GrB_Semiring search;
} operators;

typedef struct {
  GrB_Index n;
  GrB_Type type;         /* of the forest's weights: FP32, FP64, UINT64 or INT64 */
  bool real;             /* the weights are FP32 or FP64 */
  GrB_Matrix K;          /* UINT64: the ordered weights, in both directions, without loops */
  GrB_Matrix light;      /* its lightest entries, or NULL */
  GrB_Vector all_labels; /* while these grow: INT64, the trees of all vertices; or NULL */
  operators op;
  /* of the vertices that may have an edge that leaves their tree */
  GrB_Vector label;  /* INT64: the tree */
  GrB_Vector vertex; /* the same with the vertex */
  GrB_Vector two, picked;
  /* of the trees that take an edge, at their smallest vertex */
  GrB_Vector best, parent, up, self;
  GrB_Vector stay, less; /* BOOL: workspace */
  GrB_Vector taken;      /* of all trees that were attached to another: the edge */
} trees;

/* ---- operators ---- */

static GrB_Info make_weights(trees *f, int32_t code) {
  operators *o = &f->op;
  const GrB_UnaryOp same = GrB_IDENTITY_UINT64;
  GrB_Info info;
  f->real = code == GrB_FP32_CODE || code == GrB_FP64_CODE;
  f->type = code == GrB_FP32_CODE     ? GrB_FP32
            : code == GrB_FP64_CODE   ? GrB_FP64
            : code == GrB_UINT64_CODE ? GrB_UINT64
                                      : GrB_INT64;
  if (code == GrB_UINT64_CODE) {
    o->from_weight = o->to_weight = same;
    return GrB_SUCCESS;
  }
  if (f->real) {
    TRY(Grid_UnaryOp_new(&o->from_weight, (unary)msf_from_real, GrB_UINT64, GrB_FP64, "msf_from_real",
                         plain(msf_from_real_text)));
    TRY(Grid_UnaryOp_new(&o->to_weight, (unary)msf_to_real, GrB_FP64, GrB_UINT64, "msf_to_real",
                         plain(msf_to_real_text)));
  } else {
    TRY(Grid_UnaryOp_new(&o->from_weight, (unary)msf_from_whole, GrB_UINT64, GrB_INT64, "msf_from_whole",
                         plain(msf_from_whole_text)));
    TRY(Grid_UnaryOp_new(&o->to_weight, (unary)msf_to_whole, GrB_INT64, GrB_UINT64, "msf_to_whole",
                         plain(msf_to_whole_text)));
  }
out:
  return info;
}

static GrB_Info make_operators(operators *o) {
  GrB_Info info;
  const msf_two none = {{0, 0}, {-1, -1}, {-1, -1}};
  TRY(Grid_Type_new(&o->vertex, sizeof(msf_vertex), "msf_vertex", msf_vertex_text));
  TRY(Grid_Type_new(&o->two, sizeof(msf_two), "msf_two", msf_two_text));
  TRY(Grid_Type_new(&o->edge, sizeof(msf_edge), "msf_edge", msf_edge_text));
  TRY(Grid_BinaryOp_new(&o->store, (binary)msf_store, o->vertex, GrB_INT64, GrB_INT64, "msf_store",
                        plain(msf_store_text)));
  TRY(Grid_BinaryOp_new(&o->look, (binary)msf_candidate, o->two, GrB_UINT64, o->vertex, "msf_candidate",
                        plain(msf_candidate_text)));
  TRY(Grid_BinaryOp_new(&o->lighter, (binary)msf_lighter, o->two, o->two, o->two, "msf_lighter",
                        plain(msf_lighter_text)));
  TRY(GrB_Monoid_new_UDT(&o->lightest, o->lighter, (void *)&none));
  TRY(GrB_Semiring_new(&o->search, o->lightest, o->look));
  TRY(Grid_BinaryOp_new(&o->pick_lightest, (binary)msf_pick, o->edge, o->two, o->vertex, "msf_pick",
                        plain(msf_pick_text)));
  TRY(Grid_IndexUnaryOp_new(&o->leaves, (indexed)msf_leaves, GrB_BOOL, o->edge, GrB_INT64, "msf_leaves",
                            plain(msf_leaves_text)));
  TRY(Grid_BinaryOp_new(&o->first, (binary)msf_first, o->edge, o->edge, o->edge, "msf_first",
                        plain(msf_first_text)));
  TRY(Grid_UnaryOp_new(&o->tree, (unary)msf_tree, GrB_INT64, o->edge, "msf_tree", plain(msf_tree_text)));
  TRY(Grid_UnaryOp_new(&o->low, (unary)msf_low, GrB_INT64, o->edge, "msf_low", plain(msf_low_text)));
  TRY(Grid_UnaryOp_new(&o->high, (unary)msf_high, GrB_INT64, o->edge, "msf_high", plain(msf_high_text)));
out:
  return info;
}

static void free_operators(operators *o) {
  if (o->from_weight != GrB_IDENTITY_UINT64) {
    GrB_UnaryOp_free(&o->from_weight);
    GrB_UnaryOp_free(&o->to_weight);
  }
  GrB_Semiring_free(&o->search);
  GrB_Monoid_free(&o->lightest);
  GrB_UnaryOp_free(&o->tree);
  GrB_UnaryOp_free(&o->low);
  GrB_UnaryOp_free(&o->high);
  GrB_IndexUnaryOp_free(&o->leaves);
  GrB_BinaryOp_free(&o->store);
  GrB_BinaryOp_free(&o->look);
  GrB_BinaryOp_free(&o->lighter);
  GrB_BinaryOp_free(&o->pick_lightest);
  GrB_BinaryOp_free(&o->first);
  GrB_Type_free(&o->vertex);
  GrB_Type_free(&o->two);
  GrB_Type_free(&o->edge);
}

/* ---- a round ---- */

/* picked = the lightest edge in K of each vertex that leaves its tree; vertices without one leave. */
static GrB_Info pick_lightest(trees *f, GrB_Matrix K) {
  GrB_Info info;
  /* two<place, struct, replace> = K search place */
  TRY(GrB_mxv(f->two, f->vertex, NULL, f->op.search, K, f->vertex, GrB_DESC_RS));
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->picked, NULL, NULL, f->op.pick_lightest, f->two, f->vertex, NULL));
  TRY(GrB_Vector_select_INT64(f->picked, NULL, NULL, f->op.leaves, f->picked, 0, NULL));
  TRY(GrB_Vector_assign(f->label, f->picked, NULL, f->label, GrB_ALL, f->n, GrB_DESC_RS));
out:
  return info;
}

/* parent(t) = the tree that the edge of t leads to. Of two trees with the same edge the smaller becomes a
 * root, and the other keeps the edge. */
static GrB_Info hook_trees(trees *f) {
  GrB_Info info;
  TRY(GrB_Vector_apply(f->parent, NULL, NULL, f->op.tree, f->best, NULL));
  TRY(Grid_Vector_gather(f->up, NULL, NULL, f->parent, f->parent, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(f->self, NULL, NULL, GrB_ROWINDEX_INT64, f->parent, 0, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->stay, NULL, NULL, GrB_EQ_INT64, f->up, f->self, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->less, NULL, NULL, GrB_LT_INT64, f->self, f->parent, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->stay, NULL, NULL, GrB_LAND, f->stay, f->less, NULL));
  /* parent<stay> = self; best<!stay, replace> = best */
  TRY(GrB_Vector_assign(f->parent, f->stay, NULL, f->self, GrB_ALL, f->n, NULL));
  TRY(GrB_Vector_assign(f->best, f->stay, NULL, f->best, GrB_ALL, f->n, GrB_DESC_RC));
out:
  return info;
}

/* Replaces parents by the parents' parents until all are roots. */
static GrB_Info compress_trees(trees *f) {
  GrB_Info info;
  bool changed = true;
  while (changed) {
    TRY(Grid_Vector_gather(f->up, NULL, NULL, f->parent, f->parent, NULL));
    TRY(GrB_Vector_eWiseMult_BinaryOp(f->less, NULL, NULL, GrB_NE_INT64, f->up, f->parent, NULL));
    TRY(GrB_Vector_reduce_BOOL(&changed, NULL, GrB_LOR_MONOID_BOOL, f->less, NULL));
    const GrB_Vector swap = f->up;
    f->up = f->parent, f->parent = swap;
  }
out:
  return info;
}

/* all_labels = parent(all_labels), where there is a parent */
static GrB_Info relabel_all(trees *f) {
  GrB_Info info;
  TRY(Grid_Vector_gather(f->up, NULL, NULL, f->parent, f->all_labels, NULL));
  TRY(GrB_Vector_assign(f->all_labels, f->up, NULL, f->up, GrB_ALL, f->n, GrB_DESC_S));
out:
  return info;
}

/* Rounds over the edges K until none leaves its tree. */
static GrB_Info grow(trees *f, GrB_Matrix K) {
  GrB_Info info;
  GrB_Index left;
  for (;;) {
    TRY(GrB_Vector_apply_IndexOp_INT64(f->self, NULL, NULL, GrB_ROWINDEX_INT64, f->label, 0, NULL));
    TRY(GrB_Vector_eWiseMult_BinaryOp(f->vertex, NULL, NULL, f->op.store, f->self, f->label, NULL));
    TRY(pick_lightest(f, K));
    TRY(GrB_Vector_nvals(&left, f->picked));
    if (left == 0) break;
    /* best(t) = the first of the edges that the vertices of t picked */
    TRY(Grid_Vector_scatter(f->best, NULL, NULL, f->op.first, f->picked, f->label, NULL));
    TRY(hook_trees(f));
    /* taken<best> = best: a tree is attached to another once */
    TRY(GrB_Vector_assign(f->taken, f->best, NULL, f->best, GrB_ALL, f->n, GrB_DESC_S));
    TRY(compress_trees(f));
    TRY(Grid_Vector_gather(f->label, NULL, NULL, f->parent, f->label, NULL));
    if (f->all_labels != NULL) TRY(relabel_all(f));
  }
out:
  return info;
}

/* ---- start and result ---- */

/* K = the weights of A, the lighter of two directions. */
static GrB_Info load_weights(trees *f, GrB_Matrix A) {
  GrB_Info info;
  GrB_Index entries;
  uint64_t most = 0;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, A));
  TRY(GrB_Matrix_new(&f->K, GrB_UINT64, f->n, f->n));
  TRY(GrB_Matrix_apply(f->K, NULL, NULL, f->op.from_weight, A, NULL));
  TRY(GrB_Matrix_nvals(&entries, f->K));
  if (f->real && entries > 0) TRY(GrB_Matrix_reduce_UINT64(&most, NULL, GrB_MAX_MONOID_UINT64, f->K, NULL));
  if (most == UINT64_MAX) TRY(Grid_agree(GrB_INVALID_VALUE, "Grid_msf: a weight is not a number"));
  if (!storage.symmetric)
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(f->K, NULL, NULL, GrB_MIN_UINT64, f->K, f->K, GrB_DESC_T1));
out:
  return info;
}

/* The ordered weight of x, which is within the range of INT64. */
static uint64_t encode(const trees *f, double x) {
  uint64_t z;
  if (f->real) {
    msf_from_real(&z, &x);
    return z;
  }
  const int64_t whole = (int64_t)x;
  if (f->type == GrB_UINT64) return (uint64_t)whole;
  msf_from_whole(&z, &whole);
  return z;
}

/* So many light entries a vertex are wanted, and they must be this many times fewer than all. */
static const double LIGHT_ENTRIES = 4, LIGHT_SHARE = 3;

/* ---- by products ---- */

/* light = about LIGHT_ENTRIES entries a vertex, if weights are even between the least and twice the mean. */
static GrB_Info select_light(trees *f, GrB_Matrix A) {
  GrB_Info info;
  GrB_Index stored, entries, light; /* A may have an edge in one direction, K has both */
  double least, sum;
  TRY(GrB_Matrix_nvals(&stored, A));
  TRY(GrB_Matrix_nvals(&entries, f->K));
  const double share = LIGHT_ENTRIES * (double)f->n / (double)entries;
  if (!(share * LIGHT_SHARE <= 1)) goto out;
  TRY(GrB_Matrix_reduce_FP64(&least, NULL, GrB_MIN_MONOID_FP64, A, NULL));
  TRY(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  const double limit = least + 2 * (sum / (double)stored - least) * share;
  if (!(fabs(limit) < 9e18)) goto out; /* infinite weights; beyond INT64 */
  TRY(GrB_Matrix_new(&f->light, GrB_UINT64, f->n, f->n));
  TRY(GrB_Matrix_select_UINT64(f->light, NULL, NULL, GrB_VALUELE_UINT64, f->K, encode(f, limit), NULL));
  TRY(GrB_Matrix_nvals(&light, f->light));
  if ((double)light * LIGHT_SHARE > (double)entries) GrB_Matrix_free(&f->light);
out:
  return info;
}

static GrB_Info allocate_workspace(trees *f) {
  GrB_Info info;
  TRY(GrB_Vector_new(&f->label, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&f->vertex, f->op.vertex, f->n));
  TRY(GrB_Vector_new(&f->two, f->op.two, f->n));
  TRY(GrB_Vector_new(&f->picked, f->op.edge, f->n));
  TRY(GrB_Vector_new(&f->best, f->op.edge, f->n));
  TRY(GrB_Vector_new(&f->parent, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&f->up, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&f->self, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&f->stay, GrB_BOOL, f->n));
  TRY(GrB_Vector_new(&f->less, GrB_BOOL, f->n));
  TRY(GrB_Vector_new(&f->taken, f->op.edge, f->n));
  /* label(v) = v */
  TRY(GrB_Vector_assign_INT64(f->label, NULL, NULL, 0, GrB_ALL, f->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(f->label, NULL, NULL, GrB_ROWINDEX_INT64, f->label, 0, NULL));
out:
  return info;
}

/* *P(t, e(t)) = 1, where e(t) is the end that `end` selects of the edge of t. */
static GrB_Info point_at_ends(GrB_Matrix *P, trees *f, GrB_UnaryOp end) {
  GrB_Info info;
  TRY(GrB_Vector_apply(f->up, NULL, NULL, end, f->taken, NULL));
  TRY(GrB_Matrix_new(P, GrB_BOOL, f->n, f->n));
  TRY(Grid_Matrix_indicator(*P, f->up));
out:
  return info;
}

/* *result = the weights of the edges taken, which are L' H with L(t, low(t)) = H(t, high(t)) = 1. */
static GrB_Info build_result(GrB_Matrix *result, trees *f) {
  GrB_Info info;
  GrB_Matrix low = NULL, high = NULL, edges = NULL, weights = NULL;
  TRY(point_at_ends(&low, f, f->op.low));
  TRY(point_at_ends(&high, f, f->op.high));
  TRY(GrB_Matrix_new(&edges, GrB_BOOL, f->n, f->n));
  TRY(GrB_mxm(edges, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, low, high, GrB_DESC_T0));
  TRY(GrB_Matrix_new(&weights, f->type, f->n, f->n));
  TRY(GrB_Matrix_apply(weights, edges, NULL, f->op.to_weight, f->K, GrB_DESC_S));
  *result = weights, weights = NULL;
out:
  GrB_Matrix_free(&low);
  GrB_Matrix_free(&high);
  GrB_Matrix_free(&edges);
  GrB_Matrix_free(&weights);
  return info;
}

/* *forest: by rounds over the light edges, then over all, which lose their loops. */
static GrB_Info find_by_products(GrB_Matrix *forest, trees *f, GrB_Matrix A) {
  GrB_Info info;
  TRY(Grid_agree(make_operators(&f->op), NULL));
  TRY(GrB_Matrix_select_INT64(f->K, NULL, NULL, GrB_OFFDIAG, f->K, 0, NULL));
  TRY(allocate_workspace(f));
  TRY(select_light(f, A));
  if (f->light != NULL) {
    TRY(GrB_Vector_dup(&f->all_labels, f->label));
    TRY(grow(f, f->light));
    TRY(GrB_Vector_assign(f->label, NULL, NULL, f->all_labels, GrB_ALL, f->n, NULL));
    GrB_Vector_free(&f->all_labels);
    GrB_Matrix_free(&f->light);
  }
  TRY(grow(f, f->K));
  TRY(build_result(forest, f));
out:
  return info;
}

/* ---- serially ---- */

static GrB_Info find_serially(GrB_Matrix *forest, const trees *f) {
  GrB_Info info;
  GrB_Matrix found = NULL, weights = NULL;
  TRY(grid_msf_serial(&found, f->K, f->n, LIGHT_ENTRIES / 2 * (double)f->n));
  TRY(GrB_Matrix_new(&weights, f->type, f->n, f->n));
  TRY(GrB_Matrix_apply(weights, NULL, NULL, f->op.to_weight, found, NULL));
  *forest = weights, weights = NULL;
out:
  GrB_Matrix_free(&found);
  GrB_Matrix_free(&weights);
  return info;
}

GrB_Info Grid_msf(GrB_Matrix *forest, GrB_Matrix A) {
  SPAN;
  trees f = {.n = 0};
  int32_t code = 0;
  GrB_Info info;

  if (forest == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_msf: forest is NULL");
  TRY(square_size(&f.n, A, "Grid_msf"));
  TRY(Grid_agree(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE), NULL));
  if (code == GrB_UDT_CODE)
    return Grid_agree(GrB_DOMAIN_MISMATCH, "Grid_msf: the weights have a user-defined type");
  TRY(Grid_agree(make_weights(&f, code), NULL));
  TRY(load_weights(&f, A));
  TRY(grid_prefers_serial(A, f.n, SERIAL) ? find_serially(forest, &f) : find_by_products(forest, &f, A));

out:
  GrB_Matrix_free(&f.K);
  GrB_Matrix_free(&f.light);
  GrB_Vector_free(&f.all_labels);
  GrB_Vector_free(&f.label);
  GrB_Vector_free(&f.vertex);
  GrB_Vector_free(&f.two);
  GrB_Vector_free(&f.picked);
  GrB_Vector_free(&f.best);
  GrB_Vector_free(&f.parent);
  GrB_Vector_free(&f.up);
  GrB_Vector_free(&f.self);
  GrB_Vector_free(&f.stay);
  GrB_Vector_free(&f.less);
  GrB_Vector_free(&f.taken);
  free_operators(&f.op);
  return info;
}
