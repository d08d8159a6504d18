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
 * Where a vertex has many edges, the forest of the lightest few is grown first. It is a part of the forest,
 * and most of the other edges then lie within one of its trees. So few rounds read them. A process that has
 * all edges takes one after another (msf_serial.c).
 *
 * Sources: Boruvka, O jistem problemu minimalnim (1926); Nesetril, Milkova, Nesetrilova, Otakar Boruvka on
 * minimum spanning tree problem (2001). */
#include <math.h>

#include "algos/support/serial.h"
#include "algos/trees_and_sets/msf.h"

/* Up to so many threads sorting on one is faster than rounds. (R-MAT 18, weights: 128 ms; rounds on 8 and 16
 * threads of a Xeon 212 and 166.) */
enum { SERIAL = 16 };

typedef struct {
  GrB_Index n;
  GrB_Matrix K;          /* UINT64: the ordered weights, in both directions */
  GrB_Matrix light;      /* its lightest entries, or NULL */
  GrB_Vector all_labels; /* while these grow: INT64, the trees of all vertices; or NULL */
  grid_msf_operators op;
  /* of the vertices that may have an edge that leaves their tree */
  GrB_Vector label;  /* INT64: the tree */
  GrB_Vector vertex; /* the same with the vertex */
  GrB_Vector two, picked;
  /* of the trees that take an edge, at their smallest vertex */
  GrB_Vector best, parent, up, self;
  GrB_Vector is_root, less; /* BOOL: workspace */
  GrB_Vector taken;         /* of all trees that were attached to another: the edge */
} trees;

/* ---- a round ---- */

/* picked = the lightest edge in K of each vertex that leaves its tree; vertices without one leave. */
static GrB_Info pick_lightest(trees *f, GrB_Matrix K) {
  GrB_Info info;
  /* two<vertex, struct, replace> = K search vertex */
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
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->is_root, NULL, NULL, GrB_EQ_INT64, f->up, f->self, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->less, NULL, NULL, GrB_LT_INT64, f->self, f->parent, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->is_root, NULL, NULL, GrB_LAND, f->is_root, f->less, NULL));
  /* parent<is_root> = self; best<!is_root, replace> = best */
  TRY(GrB_Vector_assign(f->parent, f->is_root, NULL, f->self, GrB_ALL, f->n, NULL));
  TRY(GrB_Vector_assign(f->best, f->is_root, NULL, f->best, GrB_ALL, f->n, GrB_DESC_RC));
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
  if (f->op.is_real && entries > 0)
    TRY(GrB_Matrix_reduce_UINT64(&most, NULL, GrB_MAX_MONOID_UINT64, f->K, NULL));
  if (most == UINT64_MAX) TRY(Grid_agree(GrB_INVALID_VALUE, "Grid_msf: a weight is not a number"));
  if (!storage.symmetric)
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(f->K, NULL, NULL, GrB_MIN_UINT64, f->K, f->K, GrB_DESC_T1));
out:
  return info;
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
  TRY(GrB_Matrix_select_UINT64(f->light, NULL, NULL, GrB_VALUELE_UINT64, f->K, grid_msf_encode(&f->op, limit),
                               NULL));
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
  TRY(GrB_Vector_new(&f->is_root, GrB_BOOL, f->n));
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
  TRY(GrB_Matrix_new(&weights, f->op.weight, f->n, f->n));
  TRY(GrB_Matrix_apply(weights, edges, NULL, f->op.to_weight, f->K, GrB_DESC_S));
  *result = weights, weights = NULL;
out:
  GrB_Matrix_free(&low);
  GrB_Matrix_free(&high);
  GrB_Matrix_free(&edges);
  GrB_Matrix_free(&weights);
  return info;
}

/* *forest: by rounds over the light edges, then over all. A loop leads to the vertex's own tree and is never
 * taken. */
static GrB_Info find_by_products(GrB_Matrix *forest, trees *f, GrB_Matrix A) {
  GrB_Info info;
  TRY(Grid_agree(grid_msf_make_search(&f->op), NULL));
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
  TRY(GrB_Matrix_new(&weights, f->op.weight, f->n, f->n));
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
  TRY(Grid_agree(grid_msf_make_weights(&f.op, code), NULL));
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
  GrB_Vector_free(&f.is_root);
  GrB_Vector_free(&f.less);
  GrB_Vector_free(&f.taken);
  grid_msf_free_operators(&f.op);
  return info;
}
