/* A maximal matching of locally dominant edges. The edges are in one order (matching_order.h). In each round
 * every unmatched vertex takes its first edge to another unmatched vertex; an edge that both its ends take is
 * matched. So the matching is the one that a serial pass over the edges in that order finds: it depends on
 * the weights and the seed alone. Its weight is at least half of the largest possible, since each of its
 * edges excludes two others at most, none heavier. The hash keeps the number of rounds small where many edges
 * have the same weight.
 *
 * Sources: Preis, Linear time 1/2-approximation algorithm for maximum weighted matching in general graphs
 * (1999); in rounds: Manne, Bisseling, A parallel approximation algorithm for the weighted maximum matching
 * problem (2007); the hash: Steele, Lea, Flood, Fast splittable pseudorandom number generators (2014). */
#include "algos/support/paths.h"
#include "algos/support/serial.h"
#include "algos/trees_and_sets/matching_order.h"

/* Up to so many threads proposals on one are faster than rounds. (R-MAT 18, weights: 101 ms; rounds on 4, 8
 * and 16 threads of a Xeon 150, 99 and 76.) */
enum { SERIAL = 8 };

/* An edge as one of its ends sees it: the other end; -1: there is none. */
WITH_TEXT(
    matching_offer, typedef struct {
      double weight;
      uint64_t hash;
      int64_t vertex;
    } matching_offer;)
WITH_TEXT(
    matching_propose,
    static void matching_propose(matching_offer *z, const matching_edge *x, const int64_t *y) {
      z->weight = x->weight;
      z->hash = x->hash;
      z->vertex = *y;
    })
/* For the edges of one vertex the order by the other end is that by the larger and by the smaller end. */
WITH_TEXT(
    matching_first,
    static void matching_first(matching_offer *z, const matching_offer *x, const matching_offer *y) {
      const bool after =
          x->vertex >= 0 &&
          (y->vertex < 0 || y->weight < x->weight ||
           (y->weight == x->weight && (y->hash < x->hash || (y->hash == x->hash && y->vertex < x->vertex))));
      *z = after ? *x : *y;
    })
WITH_TEXT(
    matching_end, static void matching_end(int64_t *z, const matching_offer *x) { *z = x->vertex; })

typedef struct {
  GrB_Type edge, offer;
  GrB_IndexUnaryOp key;
  GrB_BinaryOp propose, first;
  GrB_Monoid monoid;
  GrB_Semiring semiring;
  GrB_UnaryOp end;
} operators;

typedef struct {
  GrB_Index n;
  operators op;
  GrB_Matrix K;      /* the edges in both directions, without loops */
  GrB_Vector q;      /* INT64: the vertex itself, of those that may still be matched */
  GrB_Vector offer;  /* the first edge to one of these */
  GrB_Vector choice; /* INT64: its other end */
  GrB_Vector back;   /* INT64: the choice of the choice */
  GrB_Vector both;   /* BOOL: two vertices have chosen each other */
  GrB_Vector mate;   /* INT64: of the matched vertices */
} matching;

static GrB_Info make_operators(operators *o) {
  GrB_Info info;
  const matching_offer none = {0, 0, -1};
  TRY(Grid_Type_new(&o->edge, sizeof(matching_edge), "matching_edge", matching_edge_text));
  TRY(Grid_Type_new(&o->offer, sizeof(matching_offer), "matching_offer", matching_offer_text));
  TRY(Grid_IndexUnaryOp_new(&o->key, (indexed)matching_key, o->edge, GrB_FP64, GrB_UINT64, "matching_key",
                            plain(matching_key_text)));
  TRY(Grid_BinaryOp_new(&o->propose, (binary)matching_propose, o->offer, o->edge, GrB_INT64,
                        "matching_propose", plain(matching_propose_text)));
  TRY(Grid_BinaryOp_new(&o->first, (binary)matching_first, o->offer, o->offer, o->offer, "matching_first",
                        plain(matching_first_text)));
  TRY(GrB_Monoid_new_UDT(&o->monoid, o->first, (void *)&none));
  TRY(GrB_Semiring_new(&o->semiring, o->monoid, o->propose));
  TRY(Grid_UnaryOp_new(&o->end, (unary)matching_end, GrB_INT64, o->offer, "matching_end",
                       plain(matching_end_text)));
out:
  return info;
}

static void free_operators(operators *o) {
  GrB_Semiring_free(&o->semiring);
  GrB_Monoid_free(&o->monoid);
  GrB_IndexUnaryOp_free(&o->key);
  GrB_BinaryOp_free(&o->propose);
  GrB_BinaryOp_free(&o->first);
  GrB_UnaryOp_free(&o->end);
  GrB_Type_free(&o->edge);
  GrB_Type_free(&o->offer);
}

/* *W becomes the weights of the edges as FP64, the heavier of two directions; entries of a BOOL matrix weigh
 * 1. */
static GrB_Info load_weights(GrB_Matrix *W, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  Grid_Storage storage;
  distances d;
  double least;
  int32_t code = 0;
  TRY(grid_distances_of(&d, A, "Grid_matching"));
  TRY(grid_check_weights(&least, &d, A, true, "Grid_matching"));
  TRY(Grid_agree(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE), NULL));
  TRY(Grid_Matrix_storage(&storage, A));
  if (code == GrB_FP64_CODE) {
    TRY(GrB_Matrix_dup(W, A));
  } else {
    TRY(GrB_Matrix_new(W, GrB_FP64, n, n));
    TRY(code == GrB_BOOL_CODE ? GrB_Matrix_assign_FP64(*W, A, NULL, 1.0, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S)
                              : GrB_Matrix_apply(*W, NULL, NULL, GrB_IDENTITY_FP64, A, NULL));
  }
  if (!storage.symmetric)
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(*W, NULL, NULL, GrB_MAX_FP64, *W, *W, GrB_DESC_T1));
out:
  return info;
}

/* K = the weights and hashes of the edges. W loses its loops. */
static GrB_Info add_hashes(matching *m, GrB_Matrix W, uint64_t seed) {
  GrB_Info info;
  TRY(GrB_Matrix_select_INT64(W, NULL, NULL, GrB_OFFDIAG, W, 0, NULL));
  TRY(GrB_Matrix_new(&m->K, m->op.edge, m->n, m->n));
  TRY(GrB_Matrix_apply_IndexOp_UINT64(m->K, NULL, NULL, m->op.key, W, seed, NULL));
out:
  return info;
}

static GrB_Info allocate_workspace(matching *m) {
  GrB_Info info;
  TRY(GrB_Vector_new(&m->q, GrB_INT64, m->n));
  TRY(GrB_Vector_new(&m->offer, m->op.offer, m->n));
  TRY(GrB_Vector_new(&m->choice, GrB_INT64, m->n));
  TRY(GrB_Vector_new(&m->back, GrB_INT64, m->n));
  TRY(GrB_Vector_new(&m->both, GrB_BOOL, m->n));
  TRY(GrB_Vector_new(&m->mate, GrB_INT64, m->n));
  /* q(v) = v */
  TRY(GrB_Vector_assign_INT64(m->q, NULL, NULL, 0, GrB_ALL, m->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(m->q, NULL, NULL, GrB_ROWINDEX_INT64, m->q, 0, NULL));
out:
  return info;
}

static GrB_Info match_in_rounds(matching *m) {
  GrB_Info info;
  GrB_Index left;
  TRY(allocate_workspace(m));
  for (GrB_Descriptor desc = GrB_DESC_RS;; desc = GrB_DESC_RST0) {
    /* offer<q> = K first.propose q. K = K': with few vertices in q the transpose's product reads their rows,
     * so that K need not be stored by columns, too. */
    TRY(GrB_mxv(m->offer, m->q, NULL, m->op.semiring, m->K, m->q, desc));
    TRY(GrB_Vector_nvals(&left, m->offer));
    if (left == 0) break;
    TRY(GrB_Vector_apply(m->choice, NULL, NULL, m->op.end, m->offer, NULL));
    /* mate = choice, where back = choice(choice) is the vertex itself */
    TRY(Grid_Vector_gather(m->back, NULL, NULL, m->choice, m->choice, NULL));
    TRY(GrB_Vector_assign(m->q, m->choice, NULL, m->q, GrB_ALL, m->n, GrB_DESC_RS));
    TRY(GrB_Vector_eWiseMult_BinaryOp(m->both, NULL, NULL, GrB_EQ_INT64, m->back, m->q, NULL));
    TRY(GrB_Vector_assign(m->mate, m->both, NULL, m->choice, GrB_ALL, m->n, NULL));
    TRY(GrB_Vector_assign(m->q, m->both, NULL, m->q, GrB_ALL, m->n, GrB_DESC_RC));
  }
out:
  return info;
}

static GrB_Info match_by_products(GrB_Vector *mate, GrB_Matrix W, GrB_Index n, uint64_t seed) {
  matching m = {.n = n};
  GrB_Info info;
  /* each process creates its own operators, so a single process may fail */
  TRY(Grid_agree(make_operators(&m.op), NULL));
  TRY(add_hashes(&m, W, seed));
  TRY(match_in_rounds(&m));
  *mate = m.mate, m.mate = NULL;
out:
  GrB_Matrix_free(&m.K);
  GrB_Vector_free(&m.q);
  GrB_Vector_free(&m.offer);
  GrB_Vector_free(&m.choice);
  GrB_Vector_free(&m.back);
  GrB_Vector_free(&m.both);
  GrB_Vector_free(&m.mate);
  free_operators(&m.op);
  return info;
}

GrB_Info Grid_matching(GrB_Vector *mate, GrB_Matrix A, uint64_t seed) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix W = NULL;
  GrB_Vector found = NULL;

  if (mate == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_matching: mate is NULL");
  TRY(square_size(&n, A, "Grid_matching"));
  TRY(load_weights(&W, A, n));
  TRY(grid_prefers_serial(A, n, SERIAL) ? grid_matching_serial(&found, W, n, seed)
                                        : match_by_products(&found, W, n, seed));
  *mate = found, found = NULL;
out:
  GrB_Matrix_free(&W);
  GrB_Vector_free(&found);
  return info;
}
