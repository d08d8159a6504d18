/* The types and operators of a minimum spanning forest by products (msf.c). */
#include "algos/support/operators.h"
#include "algos/trees_and_sets/msf.h"

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

GrB_Info grid_msf_make_weights(grid_msf_operators *o, int32_t code) {
  const GrB_UnaryOp same = GrB_IDENTITY_UINT64;
  GrB_Info info;
  o->is_real = code == GrB_FP32_CODE || code == GrB_FP64_CODE;
  o->weight = code == GrB_FP32_CODE     ? GrB_FP32
              : code == GrB_FP64_CODE   ? GrB_FP64
              : code == GrB_UINT64_CODE ? GrB_UINT64
                                        : GrB_INT64;
  if (code == GrB_UINT64_CODE) {
    o->from_weight = o->to_weight = same;
    return GrB_SUCCESS;
  }
  if (o->is_real) {
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

GrB_Info grid_msf_make_search(grid_msf_operators *o) {
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

void grid_msf_free_operators(grid_msf_operators *o) {
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

uint64_t grid_msf_encode(const grid_msf_operators *o, double x) {
  uint64_t z;
  if (o->is_real) {
    msf_from_real(&z, &x);
    return z;
  }
  const int64_t whole = (int64_t)x;
  if (o->weight == GrB_UINT64) return (uint64_t)whole;
  msf_from_whole(&z, &whole);
  return z;
}
