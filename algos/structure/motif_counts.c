/* Connected subgraphs of 3 and 4 vertices. First all subgraphs of each kind are counted, with edges left out
 * or not. With d the degrees, t the triangles at vertices or edges, D the diamonds, C the squares, K the
 * cliques of four
 *   paths of 3   sum of d (d - 1) / 2               triangles  sum of t(v) / 3
 *   stars        sum of d (d - 1) (d - 2) / 6       paws       sum of t(v) (d - 2)
 *   paths of 4   sum over edges of (d(u) - 1) (d(v) - 1) - 3 triangles
 *   D            sum over edges of t (t - 1) / 2
 * Then those that are part of a larger kind are subtracted as often as it has them.
 *
 * Sources: Ahmed, Neville, Rossi, Duffield, Efficient graphlet counting for large networks (2015); Pinar,
 * Seshadhri, Vishal, ESCAPE: efficiently counting all 5-vertex subgraphs (2017). */
#include "algos/structure/motif_counts.h"

#include <math.h>
#include <stdlib.h>

#include "algos/structure/clique_count.h"
#include "algos/structure/common_neighbors.h"
#include "algos/rows/row_panels.h"
#include "algos/rows/local_values.h"
#include "algos/support/orient.h"

enum { MOTIFS = Grid_MOTIF_CLIQUE_4 + 1 };
/* Sums over vertices, the multiples of numbers of subgraphs. */
enum { PATHS_3, TRIANGLES_6, STARS, PATHS_4_2, PAWS_2, SQUARES_4, DIAMONDS_2, SUMS };

/* Each term is also added in floating point, where it does not overflow. */
typedef struct {
  uint64_t sum[SUMS];
  double bound[SUMS];
} sums;

/* Of the vertices of this process. */
enum { DEGREE, TRIANGLES_AT, SQUARES_AT, DIAMONDS_AT, PATHS_AT, VALUES };
typedef struct {
  GrB_Index n, count;
  int64_t *value[VALUES];
} vertices;

/* *paths(v) = the sum of d(u) - 1 over the neighbors u of v: paths of two edges from v. */
static GrB_Info count_paths(GrB_Vector *paths, GrB_Matrix S, GrB_Vector degree, GrB_Index n) {
  GrB_Info info;
  GrB_Vector less = NULL;
  TRY(GrB_Vector_new(&less, GrB_INT64, n));
  TRY(GrB_Vector_new(paths, GrB_INT64, n));
  TRY(GrB_Vector_apply_BinaryOp2nd_INT64(less, NULL, NULL, GrB_MINUS_INT64, degree, 1, NULL));
  TRY(GrB_mxv(*paths, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, S, less, NULL));
out:
  GrB_Vector_free(&less);
  return info;
}

static GrB_Info count_at_degrees(vertices *w, GrB_Matrix S) {
  GrB_Info info;
  GrB_Vector degree = NULL, paths = NULL;
  TRY(GrB_Vector_new(&degree, GrB_INT64, w->n));
  TRY(Grid_Matrix_degree(degree, S, false));
  TRY(count_paths(&paths, S, degree, w->n));
  TRY(grid_local_values(&w->value[DEGREE], &w->count, degree));
  TRY(grid_local_values(&w->value[PATHS_AT], &w->count, paths));
out:
  GrB_Vector_free(&degree);
  GrB_Vector_free(&paths);
  return info;
}

static GrB_Info count_at_pairs(vertices *w, GrB_Matrix S, uint64_t pairs) {
  GrB_Info info;
  grid_pair_sums s = {NULL};
  TRY(grid_sum_pairs(&s, S, w->n, pairs, true, "Grid_motif_counts"));
  TRY(grid_local_values(&w->value[TRIANGLES_AT], &w->count, s.triangles));
  TRY(grid_local_values(&w->value[SQUARES_AT], &w->count, s.squares));
  TRY(grid_local_values(&w->value[DIAMONDS_AT], &w->count, s.diamonds));
out:
  grid_pair_sums_free(&s);
  return info;
}

/* sum k += a b / c, which is an integer. */
static void add(sums *s, int k, uint64_t a, uint64_t b, uint64_t c) {
  s->sum[k] += a * b / c;
  s->bound[k] += (double)a * (double)b / (double)c;
}

static void add_degrees(sums *s, const vertices *w) {
  for (GrB_Index v = 0; v < w->count; v++) {
    const uint64_t d = (uint64_t)w->value[DEGREE][v];
    if (d < 2) continue;
    add(s, PATHS_3, d, d - 1, 2);
    add(s, STARS, d * (d - 1) / 2, d - 2, 3);
    add(s, PATHS_4_2, d - 1, (uint64_t)w->value[PATHS_AT][v], 1);
  }
}

static void add_pairs(sums *s, const vertices *w) {
  for (GrB_Index v = 0; v < w->count; v++) {
    const uint64_t d = (uint64_t)w->value[DEGREE][v], t = (uint64_t)w->value[TRIANGLES_AT][v];
    add(s, SQUARES_4, (uint64_t)w->value[SQUARES_AT][v], 1, 1);
    add(s, DIAMONDS_2, (uint64_t)w->value[DIAMONDS_AT][v], 1, 1);
    add(s, TRIANGLES_6, t, 1, 1);
    if (t > 0) add(s, PAWS_2, t, d - 2, 1);
  }
}

/* Fails where the sum over the processes could be 2^62 or more. The bounds are added as multiples of 2^32. */
static GrB_Info refuse_large(const sums *s) {
  GrB_Info info;
  uint64_t bound[SUMS];
  for (int k = 0; k < SUMS; k++) bound[k] = (uint64_t)fmin(s->bound[k] * 0x1p-32, 0x1p44);
  TRY(Grid_sum(bound, SUMS));
  for (int k = 0; k < SUMS; k++)
    if (bound[k] >= UINT64_C(1) << 30)
      return grid_refuse(GrB_INVALID_VALUE, "Grid_motif_counts",
                         "there may be 2^59 subgraphs of a kind or more");
out:
  return info;
}

/* A diamond has 1 square, 4 paws, 2 stars and 6 paths of 4. A clique has 3 squares, 6 diamonds, 12 paws, 4
 * stars and 12 paths of 4. A paw has a star and 2 paths of 4, a square 4 of these. */
static void subtract_larger(int64_t count[MOTIFS], const sums *s, uint64_t cliques) {
  const int64_t K = (int64_t)cliques, triangles = (int64_t)s->sum[TRIANGLES_6] / 6;
  const int64_t diamonds = (int64_t)s->sum[DIAMONDS_2] / 2 - 6 * K;
  const int64_t squares = (int64_t)s->sum[SQUARES_4] / 4 - diamonds - 3 * K;
  const int64_t paws = (int64_t)s->sum[PAWS_2] / 2 - 4 * diamonds - 12 * K;
  const int64_t paths = (int64_t)s->sum[PATHS_4_2] / 2 - 3 * triangles;
  count[Grid_MOTIF_PATH_3] = (int64_t)s->sum[PATHS_3] - 3 * triangles;
  count[Grid_MOTIF_TRIANGLE] = triangles;
  count[Grid_MOTIF_STAR_4] = (int64_t)s->sum[STARS] - paws - 2 * diamonds - 4 * K;
  count[Grid_MOTIF_PATH_4] = paths - 4 * squares - 2 * paws - 6 * diamonds - 12 * K;
  count[Grid_MOTIF_PAW] = paws;
  count[Grid_MOTIF_CYCLE_4] = squares;
  count[Grid_MOTIF_DIAMOND] = diamonds;
  count[Grid_MOTIF_CLIQUE_4] = K;
}

static GrB_Info count_all(int64_t count[MOTIFS], GrB_Matrix S, GrB_Index n, uint64_t pairs) {
  GrB_Info info;
  GrB_Matrix L = NULL;
  vertices w = {.n = n};
  sums s = {{0}, {0}};
  uint64_t cliques;
  TRY(count_at_degrees(&w, S));
  add_degrees(&s, &w);
  TRY(refuse_large(&s)); /* before the products */
  TRY(count_at_pairs(&w, S, pairs));
  add_pairs(&s, &w);
  TRY(refuse_large(&s));
  TRY(Grid_sum(s.sum, SUMS));
  TRY(grid_orient(&L, S, n));
  grid_checkpoint_suspend(true); /* those of the pairs remain */
  info =
      grid_count_cliques(&cliques, NULL, L, n, 4, pairs, &(checkpoint_key){.name = ""}, "Grid_motif_counts");
  grid_checkpoint_suspend(false);
  TRY(info);
  subtract_larger(count, &s, cliques);
out:
  for (int k = 0; k < VALUES; k++) free(w.value[k]);
  GrB_Matrix_free(&L);
  return info;
}

GrB_Info grid_motif_counts_by_panels(GrB_Vector *count, GrB_Matrix A, uint64_t pairs) {
  GrB_Info info;
  GrB_Index n, index[MOTIFS];
  int64_t found[MOTIFS];
  GrB_Matrix S = NULL;
  GrB_Vector all = NULL;

  if (count == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_motif_counts: count is NULL");
  TRY(square_size(&n, A, "Grid_motif_counts"));
  TRY(grid_undirected_pattern(&S, A, n));
  TRY(count_all(found, S, n, pairs));
  for (GrB_Index k = 0; k < MOTIFS; k++) index[k] = k;
  TRY(GrB_Vector_new(&all, GrB_INT64, MOTIFS));
  TRY(Grid_Vector_build(all, index, found, GrB_INT64, Grid_rank() == 0 ? MOTIFS : 0, NULL));
  *count = all, all = NULL;
out:
  GrB_Matrix_free(&S);
  GrB_Vector_free(&all);
  return info;
}

GrB_Info Grid_motif_counts(GrB_Vector *count, GrB_Matrix A) {
  SPAN;
  return grid_motif_counts_by_panels(count, A, GRID_PANEL_ENTRIES);
}
