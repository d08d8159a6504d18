/* Grid_Matrix_color by products: by independent sets.
 *
 * Color 0 is a maximal independent set of the graph, color k one of what the colors before leave, with the
 * same scores. So it is the coloring of a serial pass in that order, which gives each vertex the smallest
 * color that none of its neighbors has.
 *
 * A set is made in rounds: the vertices whose score exceeds those of all undecided neighbors join the set,
 * and their neighbors are excluded.
 *
 * What a few colors leave is small and dense, and has nearly as many colors left as before. There a round of
 * products costs more than the pass itself, which process 0 then makes (color_remainder.c).
 *
 * Sources: Luby, A simple parallel algorithm for the maximal independent set problem (1986); with one order
 * for all rounds: Blelloch, Fineman, Shun, Greedy sequential maximal independent set and matching are
 * parallel on average (2012); the hash: Steele, Lea, Flood, Fast splittable pseudorandom number generators
 * (2014). */
#include "dist/op/graph/public_calls/color_products.h"

#include "dist/op/graph/public_calls/public_calls.h"
#include "spmat/color_order.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  bool is_symmetric;    /* A equals its transpose, so its rows hold all neighbors */
  GrB_Vector color;     /* INT64 */
  GrB_Vector left;      /* INT64: the scores of vertices without a color */
  GrB_Index rest;       /* their number */
  uint64_t limit;       /* vertices and entries that process 0 colors */
  GrB_Index counted;    /* rest when the entries between its vertices were counted last */
  GrB_Vector set;       /* BOOL: the vertices of this color */
  GrB_Vector score;     /* INT64: of the undecided vertices */
  GrB_Vector most;      /* INT64: the largest score among a vertex's undecided neighbors */
  GrB_Vector added;     /* INT64: vertices that join in this round */
  GrB_Vector dominated; /* BOOL: excluded by a neighbor; workspace */
  GrB_Vector adjacent;  /* BOOL: has a neighbor that joined */
} coloring;

static GrB_Info allocate(coloring *c) {
  GrB_Vector *const of_int[] = {&c->color, &c->left, &c->score, &c->most, &c->added};
  GrB_Vector *const of_bool[] = {&c->set, &c->dominated, &c->adjacent};
  GrB_Info info;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, c->A));
  c->is_symmetric = storage.symmetric;
  for (size_t k = 0; k < sizeof of_int / sizeof *of_int; k++) TRY(GrB_Vector_new(of_int[k], GrB_INT64, c->n));
  for (size_t k = 0; k < sizeof of_bool / sizeof *of_bool; k++)
    TRY(GrB_Vector_new(of_bool[k], GrB_BOOL, c->n));
out:
  return info;
}

static void free_coloring(coloring *c) {
  GrB_Vector *const all[] = {&c->color, &c->left, &c->score,     &c->most,
                             &c->added, &c->set,  &c->dominated, &c->adjacent};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) GrB_Vector_free(all[k]);
}

/* The priority of a vertex (spmat/color_order.h), as a signed number in the same order. */
WITH_TEXT(
    mis_score, static,
    void mis_score(int64_t *z, const bool *x, uint64_t i, uint64_t j, const uint64_t *key) {
      (void)x;
      (void)j;
      uint64_t h = (i ^ *key) + 0x9e3779b97f4a7c15u;
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      h ^= h >> 31;
      *z = (int64_t)(h ^ (uint64_t)1 << 63);
    })

/* left = the scores of all vertices. */
static GrB_Info draw_scores(coloring *c, uint64_t seed) {
  GrB_IndexUnaryOp op = NULL;
  GrB_Info info = Grid_agree(Grid_IndexUnaryOp_new(&op, (GxB_index_unary_function)mis_score, GrB_INT64,
                                                   GrB_BOOL, GrB_UINT64, "mis_score", mis_score_text),
                             NULL);
  TRY(info);
  TRY(GrB_Vector_assign_BOOL(c->set, NULL, NULL, true, GrB_ALL, c->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_UINT64(c->left, NULL, NULL, op, c->set, grid_color_key(seed), NULL));
  info = GrB_Vector_clear(c->set);
out:
  GrB_IndexUnaryOp_free(&op);
  return info;
}

/* added = the undecided vertices whose score exceeds those of all undecided neighbors; a loop does not count.
 */
static GrB_Info add_local_maxima(coloring *c) {
  GrB_Info info;
  TRY(GrB_mxv(c->most, c->score, NULL, GrB_MAX_SECOND_SEMIRING_INT64, c->A, c->score, GrB_DESC_RS));
  if (!c->is_symmetric)
    TRY(GrB_vxm(c->most, c->score, GrB_MAX_INT64, GrB_MAX_FIRST_SEMIRING_INT64, c->score, c->A, GrB_DESC_S));
  TRY(GrB_Vector_eWiseMult_BinaryOp(c->dominated, NULL, NULL, GrB_LT_INT64, c->score, c->most, NULL));
  TRY(GrB_Vector_assign(c->added, c->dominated, NULL, c->score, GrB_ALL, c->n, GrB_DESC_RC));
out:
  return info;
}

/* Decides the vertices that joined, and their neighbors. */
static GrB_Info remove_decided(coloring *c) {
  GrB_Info info;
  TRY(GrB_Vector_assign_BOOL(c->set, c->added, NULL, true, GrB_ALL, c->n, GrB_DESC_S));
  TRY(GrB_mxv(c->adjacent, c->score, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, c->A, c->added, GrB_DESC_RS));
  if (!c->is_symmetric)
    TRY(GrB_vxm(c->adjacent, c->score, GrB_LOR, Grid_ANY_ONEB_SEMIRING_BOOL, c->added, c->A, GrB_DESC_S));
  /* score<!added, replace>, score<!adjacent, replace> = score */
  TRY(GrB_Vector_assign(c->score, c->added, NULL, c->score, GrB_ALL, c->n, GrB_DESC_RSC));
  TRY(GrB_Vector_assign(c->score, c->adjacent, NULL, c->score, GrB_ALL, c->n, GrB_DESC_RSC));
out:
  return info;
}

/* set = a maximal independent set of the vertices with a score, which have none afterwards. */
static GrB_Info find_set(coloring *c) {
  GrB_Info info;
  TRY(GrB_Vector_clear(c->set));
  for (GrB_Index undecided;;) {
    TRY(GrB_Vector_nvals(&undecided, c->score));
    if (undecided == 0) break;
    TRY(add_local_maxima(c));
    TRY(remove_decided(c));
  }
out:
  return info;
}

/* *entries: those between vertices without a color. */
static GrB_Info count_entries(GrB_Index *entries, const coloring *c) {
  GrB_Info info;
  int64_t sum = 0;
  GrB_Vector inner = NULL;
  TRY(GrB_Vector_new(&inner, GrB_INT64, c->n));
  TRY(GrB_mxv(inner, c->left, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, c->A, c->left, GrB_DESC_RS));
  TRY(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, inner, NULL));
  *entries = (GrB_Index)sum;
out:
  GrB_Vector_free(&inner);
  return info;
}

/* *small: process 0 colors the rest. Entries are counted whenever half of the vertices have left, unless A
 * has so few in all. The first color goes to most vertices of a sparse graph. */
static GrB_Info is_rest_small(bool *small, coloring *c) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Index entries;
  *small = false;
  if (c->rest > c->limit || c->rest > c->counted / 2) goto out;
  TRY(GrB_Matrix_nvals(&entries, c->A));
  if (entries > c->limit) TRY(count_entries(&entries, c));
  c->counted = c->rest;
  *small = entries <= c->limit;
out:
  return info;
}

/* The last color, k: `left` is not needed afterwards. */
static GrB_Info color_last_set(coloring *c, uint64_t k) {
  GrB_Info info;
  const GrB_Vector score = c->score;
  c->score = c->left, c->left = score;
  TRY(find_set(c));
  TRY(GrB_Vector_assign_INT64(c->color, c->set, NULL, (int64_t)k, GrB_ALL, c->n, GrB_DESC_S));
out:
  return info;
}

/* Color k. */
static GrB_Info color_set(coloring *c, uint64_t k) {
  GrB_Info info;
  TRY(GrB_Vector_assign(c->score, NULL, NULL, c->left, GrB_ALL, c->n, NULL));
  TRY(find_set(c));
  TRY(GrB_Vector_assign_INT64(c->color, c->set, NULL, (int64_t)k, GrB_ALL, c->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(c->left, c->set, NULL, c->left, GrB_ALL, c->n, GrB_DESC_RSC));
  TRY(GrB_Vector_nvals(&c->rest, c->left));
out:
  return info;
}

/* With the colors below `most`: what the others are does not matter to them. */
static GrB_Info color_all(uint64_t *colors, coloring *c, uint64_t most) {
  GrB_Info info = GrB_SUCCESS;
  bool small = false;
  c->rest = c->counted = c->n;
  for (*colors = 0; c->rest > 0 && *colors < most; ++*colors) {
    Grid_progress_set(c->n - c->rest, c->n);
    TRY(is_rest_small(&small, c));
    if (small) break;
    TRY(*colors + 1 == most ? color_last_set(c, *colors) : color_set(c, *colors));
  }
  if (!small) goto out;
  TRY(grid_color_remainder(c->color, colors, *colors, c->A, c->left, c->is_symmetric));
  if (*colors <= most) goto out;
  TRY(GrB_Vector_select_INT64(c->color, NULL, NULL, GrB_VALUELT_INT64, c->color, (int64_t)most, NULL));
  *colors = most;
out:
  return info;
}

GrB_Info grid_color_by_products_until(uint64_t limit, GrB_Vector color, uint64_t *colors, GrB_Matrix A,
                                      uint64_t most, uint64_t seed) {
  coloring c = {.A = A, .limit = limit};
  uint64_t number;
  GrB_Info info;
  TRY(GrB_Vector_size(&c.n, color));
  TRY(allocate(&c));
  TRY(draw_scores(&c, seed));
  TRY(color_all(&number, &c, most));
  TRY(GrB_Vector_assign(color, NULL, NULL, c.color, GrB_ALL, c.n, NULL));
  if (colors) *colors = number;
out:
  free_coloring(&c);
  return info;
}

GrB_Info grid_color_by_products(GrB_Vector color, uint64_t *colors, GrB_Matrix A, uint64_t most,
                                uint64_t seed) {
  enum { LIMIT = 1 << 25 }; /* a pass over them takes less than a second */
  return grid_color_by_products_until(LIMIT, color, colors, A, most, seed);
}
