/* A matching of locally dominant edges by proposals. Each vertex proposes to the neighbor of its first edge
 * that is before the edge of the proposal that this neighbor has. That one is replaced, and its vertex
 * proposes again. In the end two vertices that propose to each other are matched. The edges have one order,
 * so this is the matching that a pass over them in that order finds.
 *
 * Source: Manne, Halappanavar, New effective multithreaded matching algorithms (2014). */
#include <stdlib.h>

#include "algos/rows/local_rows.h"
#include "algos/trees_and_sets/matching_order.h"

/* A proposal to a vertex, by the edge to `from`; -1: none. */
typedef struct {
  double weight;
  int64_t from;
} proposal;

typedef struct {
  local_rows rows;
  uint64_t seed;
  proposal *best; /* to each vertex */
} pass;

static uint64_t hash_edge(const pass *s, int64_t v, int64_t w) {
  const double x = 0;
  matching_edge edge;
  matching_key(&edge, &x, (uint64_t)v, (uint64_t)w, &s->seed);
  return edge.hash;
}

/* Is a before b, both edges of v? Few have equal weights, so that hashes are computed for these alone. */
static inline bool is_before(const pass *s, int64_t v, proposal a, proposal b) {
  if (b.from < 0 || a.weight != b.weight) return b.from < 0 || a.weight > b.weight;
  const uint64_t x = hash_edge(s, v, a.from), y = hash_edge(s, v, b.from);
  return x > y || (x == y && a.from > b.from);
}

/* The neighbor of v, and the edge to it, to which v can propose; -1: none. */
static proposal find_neighbor(const pass *s, int64_t v) {
  const local_rows r = s->rows;
  const double *weight = r.view.values;
  const GrB_Index end = row_start(&r, (GrB_Index)v + 1), same = r.view.iso ? 0 : ~(GrB_Index)0;
  proposal first = {.weight = -1, .from = -1};
  for (GrB_Index e = row_start(&r, (GrB_Index)v); e < end; e++) {
    const double x = weight[e & same];
    if (x < first.weight) continue;
    const int64_t w = (int64_t)entry_column(&r, e);
    if (w != v && is_before(s, v, (proposal){x, w}, first) && is_before(s, w, (proposal){x, v}, s->best[w]))
      first = (proposal){x, w};
  }
  return first;
}

static void propose(pass *s, int64_t v) {
  while (v >= 0) {
    const proposal to = find_neighbor(s, v);
    if (to.from < 0) break;
    const int64_t replaced = s->best[to.from].from;
    s->best[to.from] = (proposal){to.weight, v};
    v = replaced;
  }
}

static GrB_Info build_mates(GrB_Vector *mate, const pass *s, GrB_Index *vertex, int64_t *other) {
  GrB_Info info;
  GrB_Index count = 0;
  for (GrB_Index v = 0; v < s->rows.count; v++) {
    const int64_t w = s->best[v].from;
    if (w >= 0 && s->best[w].from == (int64_t)v) vertex[count] = v, other[count++] = w;
  }
  TRY(GrB_Vector_new(mate, GrB_INT64, s->rows.count));
  TRY(Grid_Vector_build(*mate, vertex, other, GrB_INT64, count, NULL));
out:
  return info;
}

GrB_Info grid_matching_serial(GrB_Vector *mate, GrB_Matrix W, GrB_Index n, uint64_t seed) {
  GrB_Info info;
  pass s = {.seed = seed};
  GrB_Index *vertex = malloc((n + 1) * sizeof *vertex);
  int64_t *other = malloc((n + 1) * sizeof *other);
  s.best = malloc((n + 1) * sizeof *s.best);
  TRY(Grid_agree(vertex && other && s.best ? GrB_SUCCESS : GrB_OUT_OF_MEMORY,
                 "Grid_matching: no memory for proposals"));
  TRY(local_rows_view(&s.rows, W));
  for (GrB_Index v = 0; v < n; v++) s.best[v].from = -1;
  for (GrB_Index v = 0; v < n; v++) propose(&s, (int64_t)v);
  TRY(build_mates(mate, &s, vertex, other));
out:
  local_rows_free(&s.rows);
  free(vertex), free(other), free(s.best);
  return info;
}
