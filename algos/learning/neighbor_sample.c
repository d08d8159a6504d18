/* Samples of neighbors, hop by hop, for mini-batches of graph neural networks.
 *
 * hop(v) = 0 for the sources; the frontier of hop h has the vertices with hop(v) = h. Each process draws
 * entries of those of the frontier's rows that it has (frontier_rows.h):
 *   S(i,:) = min(degree(i), fanouts[h]) entries of A(i,:)   for i in the frontier
 *   hop(j) = h + 1                                          for the columns j drawn that have no hop yet
 * The numbers of the columns drawn are sent to the processes that own them in hop.
 *
 * k of d positions are drawn by Floyd's method, k random numbers in all: position t = random number below
 * j + 1 for j = d - k .. d - 1, and j itself where t was drawn before. Every subset is equally likely. The
 * random numbers depend on the vertex and the seed alone, so that the same sample comes from any grid.
 *
 * Sources: Hamilton, Ying, Leskovec (2017); Bentley, Floyd (1987). */
#include <stdlib.h>
#include <string.h>

#include "algos/learning/frontier_rows.h"
#include "algos/learning/grow.h"
#include "algos/support/random_values.h"

typedef struct {
  GrB_Index n;
  frontier_rows rows;
  GrB_Type type; /* of A */
  size_t bytes;  /* of a value */
  uint64_t key;
  GrB_Vector hop;      /* INT64 */
  GrB_Vector frontier; /* INT64 */
  GrB_Vector drawn;    /* INT64: entries at the columns drawn in a hop */
  bool *taken;         /* of the positions in a row; false between rows */
  GrB_Index positions; /* their number */
  /* the entries drawn on this process; those of the present hop begin at `begin` */
  GrB_Index *row, *col, begin, count;
  char *value;
} sampler;

/* ---- one process's part of a hop ---- */

static GrB_Index row_degree(const sampler *s, GrB_Index k) {
  return frontier_row_end(&s->rows, k) - frontier_row_start(&s->rows, k);
}

static GrB_Index count_draws(GrB_Index degree, int64_t fanout) {
  return fanout < 0 || degree < (GrB_Index)fanout ? degree : (GrB_Index)fanout;
}

static void add_entry(sampler *s, GrB_Index vertex, GrB_Index entry) {
  const local_rows *rows = &s->rows.rows;
  const char *value = rows->view.values;
  s->row[s->count] = vertex;
  s->col[s->count] = entry_column(rows, entry);
  memcpy(s->value + s->count * s->bytes, value + (rows->view.iso ? 0 : entry * s->bytes), s->bytes);
  s->count++;
}

/* Adds k entries of a row, which begins at `start`. */
static void sample_row(sampler *s, GrB_Index vertex, GrB_Index start, GrB_Index degree, GrB_Index k) {
  if (k == degree) {
    for (GrB_Index t = 0; t < degree; t++) add_entry(s, vertex, start + t);
    return;
  }
  GrB_Index *drawn = s->row + s->count; /* positions, until their entries are added */
  for (GrB_Index j = degree - k; j < degree; j++) {
    const GrB_Index t = (GrB_Index)(grid_random(vertex, j, s->key) * (double)(j + 1));
    const GrB_Index position = s->taken[t] ? j : t;
    s->taken[position] = true;
    *drawn++ = position;
  }
  for (GrB_Index t = 0; t < k; t++) {
    const GrB_Index position = s->row[s->count];
    s->taken[position] = false;
    add_entry(s, vertex, start + position);
  }
}

/* Space for `draws` more entries from rows of at most `degree`. Local. */
static GrB_Info make_space(sampler *s, GrB_Index draws, GrB_Index degree) {
  GrB_Info info = GrB_SUCCESS;
  GROW(s->row, s->count + draws + 1);
  GROW(s->col, s->count + draws + 1);
  GROW(s->value, (s->count + draws + 1) * s->bytes);
  if (degree <= s->positions) return info;
  GROW(s->taken, degree);
  memset(s->taken + s->positions, 0, degree - s->positions);
  s->positions = degree;
out:
  return info;
}

/* Local. */
static GrB_Info sample_rows(sampler *s, int64_t fanout) {
  GrB_Info info;
  GrB_Index draws = 0, most = 0;
  for (GrB_Index k = 0; k < s->rows.count; k++) {
    const GrB_Index degree = row_degree(s, k);
    draws += count_draws(degree, fanout);
    if (degree > most) most = degree;
  }
  TRY(make_space(s, draws, most));
  s->begin = s->count;
  for (GrB_Index k = 0; k < s->rows.count; k++) {
    const GrB_Index degree = row_degree(s, k);
    sample_row(s, s->rows.vertex[k], frontier_row_start(&s->rows, k), degree, count_draws(degree, fanout));
  }
out:
  return info;
}

/* ---- hops ---- */

static GrB_Info sample_hop(sampler *s, int64_t fanout, int64_t hop) {
  GrB_Info info;
  TRY(grid_frontier_rows_read(&s->rows, s->frontier));
  TRY(Grid_agree(sample_rows(s, fanout), "Grid_neighbor_sample: no memory for the entries drawn"));
  TRY(GrB_Vector_clear(s->drawn));
  TRY(Grid_Vector_build(s->drawn, s->col + s->begin, NULL, NULL, s->count - s->begin, NULL));
  /* frontier<!hop> = drawn; hop<frontier> = hop */
  TRY(GrB_Vector_assign(s->frontier, s->hop, NULL, s->drawn, GrB_ALL, s->n, GrB_DESC_RSC));
  TRY(GrB_Vector_assign_INT64(s->hop, s->frontier, NULL, hop, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

static GrB_Info sample_hops(sampler *s, const int64_t *fanouts, GrB_Index nfanouts) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Index width;
  for (GrB_Index h = 0; h < nfanouts; h++) {
    TRY(GrB_Vector_nvals(&width, s->frontier));
    if (width == 0) break;
    Grid_progress_set(h, nfanouts);
    TRY(sample_hop(s, fanouts[h], (int64_t)h + 1));
  }
out:
  return info;
}

/* hop(v) = 0 for the sources, which are the first frontier. */
static GrB_Info begin(sampler *s, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  TRY(Grid_agree(GxB_Matrix_type(&s->type, A), NULL));
  TRY(Grid_agree(GxB_Type_size(&s->bytes, s->type), NULL));
  TRY(grid_frontier_rows_begin(&s->rows, A));
  TRY(GrB_Vector_new(&s->hop, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->frontier, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->drawn, GrB_INT64, s->n));
  TRY(Grid_Vector_build(s->frontier, sources, NULL, NULL, Grid_rank() == 0 ? nsources : 0, NULL));
  TRY(GrB_Vector_assign_INT64(s->hop, s->frontier, NULL, 0, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

static GrB_Info make_sample(GrB_Matrix *sample, const sampler *s) {
  GrB_Info info;
  TRY(GrB_Matrix_new(sample, s->type, s->n, s->n));
  TRY(Grid_Matrix_build(*sample, s->row, s->col, s->value, s->type, s->count, NULL, 0));
out:
  return info;
}

/* ---- the function ---- */

static GrB_Info check_arguments(sampler *s, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources,
                                const int64_t *fanouts, GrB_Index nfanouts) {
  static const char call[] = "Grid_neighbor_sample";
  const GrB_Info info = square_size(&s->n, A, call);
  if (info != GrB_SUCCESS) return info;
  if ((sources == NULL && nsources > 0) || (fanouts == NULL && nfanouts > 0))
    return grid_refuse(GrB_NULL_POINTER, call, "sources or fanouts is NULL");
  for (GrB_Index k = 0; k < nsources; k++)
    if (sources[k] >= s->n) return grid_refuse(GrB_INVALID_INDEX, call, "a source is not a vertex of A");
  for (GrB_Index h = 0; h < nfanouts; h++)
    if (fanouts[h] < -1) return grid_refuse(GrB_INVALID_VALUE, call, "a fan-out is below -1");
  return GrB_SUCCESS;
}

GrB_Info Grid_neighbor_sample(GrB_Matrix *sample, GrB_Vector *hop, GrB_Matrix A, const GrB_Index *sources,
                              GrB_Index nsources, const int64_t *fanouts, GrB_Index nfanouts, uint64_t seed) {
  SPAN;
  GrB_Info info;
  sampler s = {.key = grid_random_key(seed)};
  GrB_Matrix made = NULL;

  if (sample == NULL && hop == NULL)
    return grid_refuse(GrB_NULL_POINTER, "Grid_neighbor_sample", "both outputs are NULL");
  TRY(check_arguments(&s, A, sources, nsources, fanouts, nfanouts));
  TRY(begin(&s, A, sources, nsources));
  TRY(sample_hops(&s, fanouts, nfanouts));
  if (sample != NULL) TRY(make_sample(&made, &s));
  if (sample != NULL) *sample = made, made = NULL;
  if (hop != NULL) *hop = s.hop, s.hop = NULL;
out:
  grid_frontier_rows_free(&s.rows);
  free(s.taken), free(s.row), free(s.col), free(s.value);
  GrB_Vector_free(&s.hop);
  GrB_Vector_free(&s.frontier);
  GrB_Vector_free(&s.drawn);
  GrB_Matrix_free(&made);
  return info;
}
