/* A coloring by independent sets (mis.c).
 *
 * Color 0 is a maximal independent set of the graph, color k one of what the colors before leave, with the
 * same scores. So it is the coloring of a serial pass in that order, which gives each vertex the smallest
 * color that none of its neighbors has.
 *
 * What a few colors leave is small and dense, and has nearly as many colors left as before. There a round of
 * products costs more than the pass itself, which process 0 then makes (coloring_on_one_process.c).
 *
 * Sources: as in mis.c. */
#include "algos/trees_and_sets/coloring.h"

#include "algos/trees_and_sets/mis.h"

typedef struct {
  luby_state luby;
  GrB_Vector left; /* INT64: the scores of vertices without a color */
  GrB_Vector color;
  GrB_Index rest;    /* their number */
  uint64_t few;      /* vertices and entries that process 0 colors */
  GrB_Index counted; /* rest when the entries between its vertices were counted last */
} coloring;

/* *entries: those between vertices without a color. */
static GrB_Info count_entries(GrB_Index *entries, const coloring *c) {
  GrB_Info info;
  int64_t sum = 0;
  GrB_Vector inner = NULL;
  TRY(GrB_Vector_new(&inner, GrB_INT64, c->luby.n));
  TRY(GrB_mxv(inner, c->left, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, c->luby.A, c->left, GrB_DESC_RS));
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
  if (c->rest > c->few || c->rest > c->counted / 2) goto out;
  TRY(GrB_Matrix_nvals(&entries, c->luby.A));
  if (entries > c->few) TRY(count_entries(&entries, c));
  c->counted = c->rest;
  *small = entries <= c->few;
out:
  return info;
}

/* Color k. */
static GrB_Info color_set(coloring *c, uint64_t k) {
  GrB_Info info;
  luby_state *l = &c->luby;
  TRY(GrB_Vector_assign(l->score, NULL, NULL, c->left, GrB_ALL, l->n, NULL));
  TRY(GrB_Vector_clear(l->set));
  TRY(grid_luby_find_set(l));
  TRY(GrB_Vector_assign_INT64(c->color, l->set, NULL, (int64_t)k, GrB_ALL, l->n, GrB_DESC_S));
  TRY(GrB_Vector_assign(c->left, l->set, NULL, c->left, GrB_ALL, l->n, GrB_DESC_RSC));
  TRY(GrB_Vector_nvals(&c->rest, c->left));
out:
  return info;
}

static GrB_Info color_all(uint64_t *colors, coloring *c) {
  GrB_Info info = GrB_SUCCESS;
  luby_state *l = &c->luby;
  bool small;
  c->rest = c->counted = l->n;
  for (*colors = 0; c->rest > 0; ++*colors) {
    Grid_progress_set(l->n - c->rest, l->n);
    TRY(is_rest_small(&small, c));
    if (small) return grid_coloring_on_one_process(c->color, colors, *colors, l->A, c->left, l->is_symmetric);
    TRY(color_set(c, *colors));
  }
out:
  return info;
}

GrB_Info grid_coloring_until(uint64_t few, GrB_Vector *color, uint64_t *colors, GrB_Matrix A, uint64_t seed) {
  coloring c = {.luby.A = A, .few = few};
  uint64_t number;
  GrB_Info info;

  if (color == NULL && colors == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_coloring: both outputs are NULL");
  TRY(square_size(&c.luby.n, A, "Grid_coloring"));
  TRY(grid_luby_allocate(&c.luby));
  TRY(grid_luby_draw_scores(&c.luby, seed));
  TRY(GrB_Vector_dup(&c.left, c.luby.score));
  TRY(GrB_Vector_new(&c.color, GrB_INT64, c.luby.n));
  TRY(color_all(&number, &c));
  if (color != NULL) *color = c.color, c.color = NULL;
  if (colors != NULL) *colors = number;

out:
  GrB_Vector_free(&c.left);
  GrB_Vector_free(&c.color);
  grid_luby_free(&c.luby);
  return info;
}

GrB_Info Grid_coloring(GrB_Vector *color, uint64_t *colors, GrB_Matrix A, uint64_t seed) {
  SPAN;
  enum { FEW = 1 << 25 }; /* a pass over them takes less than a second */
  return grid_coloring_until(FEW, color, colors, A, seed);
}
