/* A minimum spanning forest by Kruskal's method with a filter. The edges of light weight are sorted and
 * joined. Of the heavier ones, most of which then lie within a tree, those between two trees are sorted and
 * joined.
 *
 * Sources: Kruskal, On the shortest spanning subtree of a graph (1956); Osipov, Sanders, Singler, The
 * filter-Kruskal minimum spanning tree algorithm (2009). */
#include "algos/trees_and_sets/msf.h"

#include <stdlib.h>
#include <string.h>

#include "algos/rows/local_rows.h"

typedef struct {
  uint64_t weight;
  uint32_t low, high;
} edge;

typedef struct {
  local_rows rows;
  uint32_t *root; /* root[v]: v, or a vertex of its tree that is nearer to the tree's root */
  edge *list, *sorted;
  size_t count, capacity; /* of the list */
  GrB_Index *low, *high;  /* of the edges of the forest, */
  uint64_t *weight;       /* and their weights */
  GrB_Index joined;
} pass;

static uint32_t find_root(uint32_t *root, uint32_t v) {
  while (root[v] != v) v = root[v] = root[root[v]];
  return v;
}

static bool append(pass *s, edge e) {
  if (s->count == s->capacity) {
    const size_t capacity = 2 * s->capacity + 1024;
    edge *const list = realloc(s->list, capacity * sizeof *list);
    if (list == NULL) return false;
    s->list = list, s->capacity = capacity;
  }
  s->list[s->count++] = e;
  return true;
}

/* list = the edges between two trees whose weights are from least to most, by their ends. */
static bool list_edges(pass *s, uint64_t least, uint64_t most) {
  const local_rows r = s->rows;
  const uint64_t *weight = r.view.values;
  const GrB_Index same = r.view.iso ? 0 : ~(GrB_Index)0;
  s->count = 0;
  for (uint32_t v = 0; v < r.count; v++) s->root[v] = find_root(s->root, v);
  for (uint32_t v = 0; v < r.count; v++) {
    const GrB_Index end = row_start(&r, v + 1);
    const uint32_t tree = s->root[v];
    for (GrB_Index e = row_start(&r, v); e < end; e++) {
      const uint64_t x = weight[e & same];
      const uint32_t w = (uint32_t)entry_column(&r, e);
      if (w > v && x >= least && x <= most && s->root[w] != tree && !append(s, (edge){x, v, w})) return false;
    }
  }
  return true;
}

/* Sorts the list by weights, by one digit after another, those that all have alike left out. Edges of equal
 * weight remain in order. */
static bool sort_edges(pass *s) {
  enum { DIGITS = 8, VALUES = 256 };
  size_t begin[DIGITS][VALUES] = {{0}};
  free(s->sorted);
  s->sorted = malloc((s->capacity + 1) * sizeof *s->sorted);
  if (s->sorted == NULL) return false;
  for (size_t k = 0; k < s->count; k++)
    for (int d = 0; d < DIGITS; d++) begin[d][s->list[k].weight >> 8 * d & (VALUES - 1)]++;
  for (int d = 0; d < DIGITS; d++) {
    if (s->count == 0 || begin[d][s->list[0].weight >> 8 * d & (VALUES - 1)] == s->count) continue;
    size_t sum = 0;
    for (int value = 0; value < VALUES; value++) {
      const size_t number = begin[d][value];
      begin[d][value] = sum, sum += number;
    }
    for (size_t k = 0; k < s->count; k++)
      s->sorted[begin[d][s->list[k].weight >> 8 * d & (VALUES - 1)]++] = s->list[k];
    edge *const swap = s->list;
    s->list = s->sorted, s->sorted = swap;
  }
  return true;
}

/* Takes the edges of the list that join two trees. */
static void join_trees(pass *s) {
  for (size_t k = 0; k < s->count; k++) {
    const edge e = s->list[k];
    const uint32_t a = find_root(s->root, e.low), b = find_root(s->root, e.high);
    if (a == b) continue;
    s->root[a < b ? b : a] = a < b ? a : b;
    s->low[s->joined] = e.low, s->high[s->joined] = e.high;
    s->weight[s->joined++] = e.weight;
  }
}

static int compare(const void *x, const void *y) {
  const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

/* A weight that about `share` of the entries do not exceed, from a sample. */
static uint64_t estimate_limit(const pass *s, double share) {
  enum { SAMPLES = 1024 };
  uint64_t sample[SAMPLES];
  const GrB_Index entries = s->rows.view.n_indices;
  const uint64_t *weight = s->rows.view.values;
  if (entries == 0 || !(share < 1) || s->rows.view.iso) return UINT64_MAX;
  for (GrB_Index k = 0; k < SAMPLES; k++)
    sample[k] = weight[(GrB_Index)((double)entries / SAMPLES * (double)k)];
  qsort(sample, SAMPLES, sizeof *sample, compare);
  return sample[(int)(share * SAMPLES)];
}

static bool grow(pass *s, double light) {
  const GrB_Index n = s->rows.count, entries = s->rows.view.n_indices;
  s->root = malloc((n + 1) * sizeof *s->root);
  s->low = malloc((n + 1) * sizeof *s->low);
  s->high = malloc((n + 1) * sizeof *s->high);
  s->weight = malloc((n + 1) * sizeof *s->weight);
  if (!s->root || !s->low || !s->high || !s->weight) return false;
  for (uint32_t v = 0; v < n; v++) s->root[v] = v;
  const uint64_t limit = estimate_limit(s, 2 * light / ((double)entries + 1));
  if (!list_edges(s, 0, limit) || !sort_edges(s)) return false;
  join_trees(s);
  if (limit == UINT64_MAX) return true;
  if (!list_edges(s, limit + 1, UINT64_MAX) || !sort_edges(s)) return false;
  join_trees(s);
  return true;
}

GrB_Info grid_msf_serial(GrB_Matrix *forest, GrB_Matrix K, GrB_Index n, double light) {
  GrB_Info info;
  pass s = {.count = 0};
  TRY(local_rows_view(&s.rows, K));
  TRY(Grid_agree(grow(&s, light) ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "Grid_msf: no memory for edges"));
  TRY(GrB_Matrix_new(forest, GrB_UINT64, n, n));
  TRY(Grid_Matrix_build(*forest, s.low, s.high, s.weight, GrB_UINT64, s.joined, NULL, 0));
out:
  local_rows_free(&s.rows);
  free(s.root), free(s.list), free(s.sorted), free(s.low), free(s.high), free(s.weight);
  return info;
}
