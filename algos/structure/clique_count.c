/* Cliques of k vertices, extended by a vertex at a time over a matrix L that has each edge in one direction,
 * without cycles. A clique is found once, in the order of its edges.
 *
 * Row c of Q is a clique, its entries are the vertices that all of c's have edges to. At first Q = L. An
 * entry e = (c,v) of Q is a clique of one vertex more, whose row is that of c and of v: N(e,:) = Q(c,:) and
 * L(v,:), N<S Q> = V L with S(e,c) = V(e,v) = 1 The last two vertices are counted without storing them: C<Q>
 * = Q plus.oneb L'. Rows of Q are extended in panels, depth first, so memory grows with k, not with the
 * number of cliques.
 *
 * Sources: Chiba, Nishizeki, Arboricity and subgraph listing algorithms (1985); Danisch, Balalau, Sozio,
 * Listing k-cliques in sparse real-world graphs (2018). */
#include "algos/structure/clique_count.h"

#include <stdlib.h>

#include "algos/rows/row_panels.h"
#include "algos/rows/local_values.h"
#include "algos/support/orient.h"

typedef struct {
  GrB_Matrix L;
  GrB_Index n;
  uint64_t pairs, count;
  GrB_Vector at; /* NULL: not counted at vertices */
  const char *call;
  const checkpoint_key *key;
} cliques;

/* Rows of Q, extended by `more` vertices. */
typedef struct {
  cliques *c;
  GrB_Matrix Q;
  int64_t more;
  GrB_Vector sums; /* the cliques of each row */
} extension;

/* Adds the cliques of a row of Q and two more vertices; sums (if counted at vertices): those of each row. */
static GrB_Info count_last(cliques *c, GrB_Vector sums, GrB_Matrix Q) {
  GrB_Info info;
  GrB_Index rows;
  GrB_Matrix C = NULL;
  TRY(GrB_Matrix_nrows(&rows, Q));
  TRY(GrB_Matrix_new(&C, GrB_INT64, rows, c->n));
  /* C(c,v) = the cliques of c, v, and a vertex that both have edges to */
  TRY(GrB_mxm(C, Q, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, Q, c->L, GrB_DESC_ST1));
  TRY(GrB_Matrix_reduce_UINT64(&c->count, GrB_PLUS_UINT64, GrB_PLUS_MONOID_UINT64, C, NULL));
  /* one addition is below 2^62: a panel has fewer than 2^32 entries, each below the largest row of L */
  if (c->count >= UINT64_C(1) << 62)
    TRY(grid_refuse(GrB_INVALID_VALUE, c->call, "there are 2^62 cliques or more"));
  if (c->at == NULL) goto out;
  TRY(GrB_Matrix_reduce_Monoid(sums, NULL, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  TRY(GrB_Matrix_reduce_Monoid(c->at, NULL, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, C, GrB_DESC_T0));
  /* C(c,w) = those whose last vertex is w */
  TRY(GrB_mxm(C, Q, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, Q, c->L, GrB_DESC_RS));
  TRY(GrB_Matrix_reduce_Monoid(c->at, NULL, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, C, GrB_DESC_T0));
out:
  GrB_Matrix_free(&C);
  return info;
}

/* For the entries e = (c,v) of P, numbered process by process: *S(e,c) = *V(e,v) = 1. */
static GrB_Info number_entries(GrB_Matrix *S, GrB_Matrix *V, GrB_Matrix P) {
  GrB_Info info;
  GrB_Index rows, n, entries, count = 0, before, *number = NULL, *row = NULL, *col = NULL;
  TRY(GrB_Matrix_nrows(&rows, P));
  TRY(GrB_Matrix_ncols(&n, P));
  TRY(GrB_Matrix_nvals(&entries, P));
  TRY(Grid_agree(Grid_Matrix_extractLocal(NULL, NULL, NULL, &count, P), NULL));
  number = malloc((count + 1) * sizeof *number);
  row = malloc((count + 1) * sizeof *row);
  col = malloc((count + 1) * sizeof *col);
  const bool allocated = number != NULL && row != NULL && col != NULL;
  TRY(Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the cliques of a panel"));
  TRY(Grid_agree(Grid_Matrix_extractLocal(row, col, NULL, &count, P), NULL));
  TRY(grid_sum_before(&before, count));
  for (GrB_Index k = 0; k < count; k++) number[k] = before + k;
  TRY(GrB_Matrix_new(S, GrB_BOOL, entries, rows));
  TRY(GrB_Matrix_new(V, GrB_BOOL, entries, n));
  TRY(Grid_Matrix_build(*S, number, row, NULL, NULL, count, NULL, 0));
  TRY(Grid_Matrix_build(*V, number, col, NULL, NULL, count, NULL, 0));
out:
  free(number), free(row), free(col);
  return info;
}

static GrB_Info count_more(cliques *c, GrB_Vector sums, GrB_Matrix Q, int64_t more);

/* Adds the cliques of a row of P, a panel of Q's rows, and `more` further vertices; sums: those of each row.
 */
static GrB_Info extend_panel(cliques *c, GrB_Vector sums, GrB_Matrix P, int64_t more) {
  GrB_Info info;
  GrB_Index cliques_of_panel;
  GrB_Matrix S = NULL, V = NULL, both = NULL, N = NULL;
  GrB_Vector r = NULL;
  TRY(number_entries(&S, &V, P));
  TRY(GrB_Matrix_nrows(&cliques_of_panel, S));
  TRY(GrB_Matrix_new(&both, GrB_BOOL, cliques_of_panel, c->n));
  TRY(GrB_Matrix_new(&N, GrB_BOOL, cliques_of_panel, c->n));
  TRY(GrB_mxm(both, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, S, P, NULL));
  TRY(GrB_mxm(N, both, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, V, c->L, GrB_DESC_S));
  GrB_Matrix_free(&both);
  TRY(GrB_Vector_new(&r, GrB_INT64, cliques_of_panel));
  TRY(count_more(c, r, N, more - 1));
  if (c->at == NULL) goto out;
  TRY(GrB_mxv(sums, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, S, r, GrB_DESC_T0));
  TRY(GrB_mxv(c->at, NULL, GrB_PLUS_INT64, GrB_PLUS_TIMES_SEMIRING_INT64, V, r, GrB_DESC_T0));
out:
  GrB_Matrix_free(&S);
  GrB_Matrix_free(&V);
  GrB_Matrix_free(&both);
  GrB_Matrix_free(&N);
  GrB_Vector_free(&r);
  return info;
}

/* ... of the rows first .. end of Q. */
static GrB_Info extend_rows(void *work, GrB_Index first, GrB_Index end) {
  const extension *const e = work;
  GrB_Info info;
  GrB_Index entries;
  GrB_Matrix P = NULL;
  GrB_Vector part = NULL;
  TRY(grid_extract_rows(&P, e->Q, first, end - first));
  TRY(GrB_Matrix_nvals(&entries, P));
  if (entries == 0) goto out;
  TRY(GrB_Vector_new(&part, GrB_INT64, end - first));
  TRY(extend_panel(e->c, part, P, e->more));
  if (e->c->at != NULL) TRY(grid_add_rows(e->sums, part, first));
out:
  GrB_Matrix_free(&P);
  GrB_Vector_free(&part);
  return info;
}

/* ... of all rows of Q. The number of pairs of a clique and two of its entries bounds the entries of N. */
static GrB_Info count_more(cliques *c, GrB_Vector sums, GrB_Matrix Q, int64_t more) {
  GrB_Info info;
  GrB_Index rows;
  GrB_Vector bound = NULL;
  extension e = {.c = c, .Q = Q, .more = more, .sums = sums};
  const bool first = Q == c->L;
  const Grid_Checkpoint_Item state[] = {{.name = "count", .bytes = &c->count, .size = sizeof c->count},
                                        {.name = "in rows", .vector = sums},
                                        {.name = "at vertices", .vector = c->at}};
  if (more == 2) return count_last(c, sums, Q);
  TRY(GrB_Matrix_nrows(&rows, Q));
  TRY(GrB_Vector_new(&bound, GrB_FP64, rows));
  TRY(Grid_Matrix_degree(bound, Q, false));
  TRY(GrB_Vector_eWiseMult_BinaryOp(bound, NULL, NULL, GrB_TIMES_FP64, bound, bound, NULL));
  TRY(grid_for_panels(bound, c->pairs * (uint64_t)Grid_size(), first ? c->key : NULL, state,
                      c->at == NULL ? 2 : 3, extend_rows, &e));
out:
  GrB_Vector_free(&bound);
  return info;
}

GrB_Info grid_count_cliques(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix L, GrB_Index n, int64_t k,
                            uint64_t pairs, const checkpoint_key *key, const char *call) {
  GrB_Info info;
  GrB_Vector sums = NULL;
  cliques c = {.L = L, .n = n, .pairs = pairs, .call = call, .key = key};
  TRY(GrB_Vector_new(&sums, GrB_INT64, n));
  if (per_vertex != NULL) TRY(GrB_Vector_new(&c.at, GrB_INT64, n));
  TRY(count_more(&c, sums, L, k - 1));
  if (per_vertex != NULL) {
    /* those of the rows of L, the first vertices */
    TRY(GrB_Vector_eWiseAdd_BinaryOp(c.at, NULL, NULL, GrB_PLUS_INT64, c.at, sums, NULL));
    TRY(GrB_Vector_select_INT64(c.at, NULL, NULL, GrB_VALUENE_INT64, c.at, 0, NULL));
    *per_vertex = c.at, c.at = NULL;
  }
  *count = c.count;
out:
  GrB_Vector_free(&sums);
  GrB_Vector_free(&c.at);
  return info;
}

GrB_Info grid_clique_count_by_panels(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix A, int64_t k,
                                     uint64_t pairs) {
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL, L = NULL;
  GrB_Vector at = NULL;
  uint64_t found;
  checkpoint_key key;

  TRY(check_outputs(count, per_vertex, "Grid_clique_count"));
  if (k < 3) return grid_refuse(GrB_INVALID_VALUE, "Grid_clique_count", "k is %" PRId64 ", below 3", k);
  TRY(square_size(&n, A, "Grid_clique_count"));
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_orient(&L, S, n));
  TRY(grid_checkpoint_key_make(&key, "clique_count", L, n));
  key.key[3] = (uint64_t)k, key.key[4] = per_vertex != NULL;
  TRY(grid_count_cliques(&found, per_vertex == NULL ? NULL : &at, L, n, k, pairs, &key, "Grid_clique_count"));
  /* an entry for every vertex */
  if (per_vertex != NULL) TRY(GrB_Vector_assign_INT64(at, at, NULL, 0, GrB_ALL, n, GrB_DESC_SC));
  if (per_vertex != NULL) *per_vertex = at, at = NULL;
  if (count != NULL) *count = found;
out:
  grid_symmetrize_free(&S, A);
  GrB_Matrix_free(&L);
  GrB_Vector_free(&at);
  return info;
}

GrB_Info Grid_clique_count(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix A, int64_t k) {
  SPAN;
  return grid_clique_count_by_panels(count, per_vertex, A, k, GRID_PANEL_ENTRIES);
}
