/* Community detection by label propagation, as LDBC Graphalytics defines it: in each iteration every vertex
 * takes the most frequent label among its neighbors, the smallest of several.
 *
 * With P(v, label(v)) = 1 the product F = S P counts: F(v, l) is the number of neighbors of v with label l;
 * an entry in either direction counts one. The winner of a row comes from a product with the vector 0, 1,
 * ...: its multiplication pairs each count with its label, its monoid takes the larger count, then the
 * smaller label.
 *
 * Source: Raghavan, Albert, Kumara, Near linear time algorithm to detect community structures in large-scale
 * networks (2007); synchronous and deterministic as in LDBC Graphalytics (Iosup et al., 2016, A.4). */
#include "algos/operators.h"
#include "algos/resume.h"
#include "algos/rounds.h"

WITH_TEXT(
    cdlp_vote, typedef struct {
      int64_t count;
      int64_t label;
    } cdlp_vote;)
WITH_TEXT(
    cdlp_more, static void cdlp_more(cdlp_vote *z, const cdlp_vote *x, const cdlp_vote *y) {
      *z = y->count > x->count || (y->count == x->count && y->label < x->label) ? *y : *x;
    })
WITH_TEXT(
    cdlp_votes, static void cdlp_votes(cdlp_vote *z, const int64_t *x, const int64_t *y) {
      z->count = *x;
      z->label = *y;
    })
WITH_TEXT(
    cdlp_label, static void cdlp_label(int64_t *z, const cdlp_vote *x) { *z = x->label; })

typedef struct {
  GrB_Type vote;
  GrB_BinaryOp more, votes;
  GrB_Monoid most;
  GrB_Semiring winner;
  GrB_UnaryOp label;
} cdlp_operators;

typedef struct {
  GrB_Index n;
  GrB_Matrix edges;   /* A, or S = A + A', INT64 */
  GrB_Semiring count; /* the pattern of the product with P */
  cdlp_operators op;
  GrB_Vector vertex;        /* INT64: v */
  GrB_Vector label;         /* INT64, full */
  GrB_Vector next;          /* INT64: of the vertices that have neighbors */
  GrB_Vector winning_votes; /* votes */
  GrB_Vector differ;        /* BOOL: workspace */
} cdlp_state;

static GrB_Info make_operators(cdlp_operators *b) {
  GrB_Info info;
  const cdlp_vote none = {0, INT64_MAX};
  TRY(Grid_Type_new(&b->vote, sizeof(cdlp_vote), "cdlp_vote", cdlp_vote_text));
  const GrB_Type v = b->vote;
  TRY(Grid_BinaryOp_new(&b->more, (binary)cdlp_more, v, v, v, "cdlp_more", plain(cdlp_more_text)));
  TRY(Grid_BinaryOp_new(&b->votes, (binary)cdlp_votes, v, GrB_INT64, GrB_INT64, "cdlp_votes",
                        plain(cdlp_votes_text)));
  TRY(GrB_Monoid_new_UDT(&b->most, b->more, (void *)&none));
  TRY(GrB_Semiring_new(&b->winner, b->most, b->votes));
  TRY(Grid_UnaryOp_new(&b->label, (unary)cdlp_label, GrB_INT64, v, "cdlp_label", plain(cdlp_label_text)));
out:
  return info;
}

static void free_operators(cdlp_operators *b) {
  GrB_Semiring_free(&b->winner);
  GrB_Monoid_free(&b->most);
  GrB_BinaryOp_free(&b->more);
  GrB_BinaryOp_free(&b->votes);
  GrB_UnaryOp_free(&b->label);
  GrB_Type_free(&b->vote);
}

/* edges(v, w) = the number of (v, w) and (w, v) that exist. In a symmetric matrix all entries count alike. */
static GrB_Info load_edges(cdlp_state *e, GrB_Matrix A) {
  GrB_Info info;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, A));
  e->edges = A;
  e->count = Grid_PLUS_ONEB_SEMIRING_INT64;
  if (storage.symmetric) goto out;
  e->edges = NULL;
  e->count = GrB_PLUS_TIMES_SEMIRING_INT64;
  TRY(GrB_Matrix_new(&e->edges, GrB_INT64, e->n, e->n));
  TRY(GrB_Matrix_apply_BinaryOp2nd_INT64(e->edges, NULL, NULL, GrB_ONEB_INT64, A, 1, NULL));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(e->edges, NULL, NULL, GrB_PLUS_INT64, e->edges, e->edges, GrB_DESC_T1));
out:
  return info;
}

/* next = the most frequent labels by F */
static GrB_Info find_most_frequent(cdlp_state *e, GrB_Matrix F) {
  GrB_Info info;
  TRY(GrB_mxv(e->winning_votes, NULL, NULL, e->op.winner, F, e->vertex, NULL));
  TRY(GrB_Vector_apply(e->next, NULL, NULL, e->op.label, e->winning_votes, NULL));
out:
  return info;
}

/* In the first iteration the labels are the vertices, so F = S. With a symmetric A each neighbor has one
 * vote. */
static GrB_Info vote_first(cdlp_state *e, GrB_Matrix A) {
  if (e->edges != A) return find_most_frequent(e, e->edges);
  return GrB_mxv(e->next, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, A, e->vertex, NULL);
}

static GrB_Info vote(cdlp_state *e) {
  GrB_Info info;
  GrB_Matrix P = NULL, F = NULL;
  TRY(GrB_Matrix_new(&P, GrB_INT64, e->n, e->n));
  TRY(GrB_Matrix_new(&F, GrB_INT64, e->n, e->n));
  TRY(Grid_Matrix_indicator(P, e->label));
  TRY(GrB_mxm(F, NULL, NULL, e->count, e->edges, P, NULL));
  TRY(find_most_frequent(e, F));
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&F);
  return info;
}

/* label = next where it has an entry; *changed: at least one label differs. */
static GrB_Info update_labels(cdlp_state *e, bool *changed) {
  GrB_Info info;
  *changed = false;
  TRY(GrB_Vector_eWiseMult_BinaryOp(e->differ, NULL, NULL, GrB_NE_INT64, e->next, e->label, NULL));
  TRY(GrB_Vector_reduce_BOOL(changed, NULL, GrB_LOR_MONOID_BOOL, e->differ, NULL));
  TRY(GrB_Vector_assign(e->label, e->next, NULL, e->next, GrB_ALL, e->n, GrB_DESC_S));
out:
  return info;
}

static GrB_Info allocate_workspace(cdlp_state *e) {
  GrB_Info info;
  TRY(GrB_Vector_new(&e->vertex, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->next, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->winning_votes, e->op.vote, e->n));
  TRY(GrB_Vector_new(&e->differ, GrB_BOOL, e->n));
  TRY(GrB_Vector_assign_INT64(e->vertex, NULL, NULL, 0, GrB_ALL, e->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->vertex, NULL, NULL, GrB_ROWINDEX_INT64, e->vertex, 0, NULL));
  TRY(GrB_Vector_dup(&e->label, e->vertex));
out:
  return info;
}

static GrB_Info run(cdlp_state *e, GrB_Matrix A, uint64_t iterations) {
  GrB_Info info;
  uint64_t k = 0;
  checkpoint_key c;
  bool changed = true; /* an iteration without a change is a fixed point */
  const Grid_Checkpoint_Item state[] = {{.name = "label", .vector = e->label},
                                        {.name = "changed", .bytes = &changed, .size = sizeof changed}};
  TRY(grid_checkpoint_key_make(&c, "cdlp", A, e->n));
  TRY(grid_checkpoint_resume(&k, &c, state, 2));
  grid_rebalance_begin();
  while (k < iterations && changed) {
    if (k > 0)
      TRY(grid_rebalance_round(e->edges,
                               (double)(iterations - k))); /* the first iteration needs no product S P */
    TRY(k == 0 ? vote_first(e, A) : vote(e));
    TRY(update_labels(e, &changed));
    TRY(grid_checkpoint_iteration(++k, &c, state, 2));
  }
out:
  return info;
}

GrB_Info Grid_cdlp(GrB_Vector *label, GrB_Matrix A, uint64_t iterations) {
  SPAN;
  cdlp_state e = {.n = 0};
  GrB_Info info;

  if (label == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_cdlp: label is NULL");
  TRY(square_size(&e.n, A, "Grid_cdlp"));
  TRY(Grid_agree(make_operators(&e.op), NULL));
  TRY(allocate_workspace(&e));
  TRY(load_edges(&e, A));
  TRY(run(&e, A, iterations));
  *label = e.label, e.label = NULL;

out:
  if (e.edges != A) GrB_Matrix_free(&e.edges);
  GrB_Vector_free(&e.vertex);
  GrB_Vector_free(&e.label);
  GrB_Vector_free(&e.next);
  GrB_Vector_free(&e.winning_votes);
  GrB_Vector_free(&e.differ);
  free_operators(&e.op);
  return info;
}
