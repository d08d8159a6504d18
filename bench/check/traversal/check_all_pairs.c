/* Distances from each vertex by Dijkstra's method without a heap: the nearest vertex is searched for among
 * all that are reached and not settled. */
#include "bench/check/traversal/check_all_pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The nearest vertex that is not settled; n: none is reached. */
static uint64_t nearest(const double *t, const bool *settled, uint64_t n) {
  uint64_t best = n;
  for (uint64_t v = 0; v < n; v++)
    if (!settled[v] && isfinite(t[v]) && (best == n || t[v] < t[best])) best = v;
  return best;
}

static void search(double *t, bool *settled, const check_rows *out, uint64_t source) {
  for (uint64_t v = 0; v < out->n; v++) t[v] = (double)INFINITY, settled[v] = false;
  t[source] = 0;
  for (uint64_t u; (u = nearest(t, settled, out->n)) < out->n;) {
    settled[u] = true;
    for (uint64_t k = out->start[u]; k < out->start[u + 1]; k++) {
      const double length = t[u] + (out->weight == NULL ? 1 : out->weight[k]);
      if (length < t[out->to[k]]) t[out->to[k]] = length;
    }
  }
}

/* source: of each row of the answer; NULL: its number. */
static const char *compare(double *t, bool *settled, const check_rows *out, const check_rows *answer,
                           const uint64_t *source, char *text, size_t capacity) {
  for (uint64_t s = 0; s < answer->n; s++) {
    uint64_t reached = 0;
    const uint64_t from = source == NULL ? s : source[s];
    search(t, settled, out, from);
    for (uint64_t v = 0; v < out->n; v++) reached += isfinite(t[v]);
    for (uint64_t k = answer->start[s]; k < answer->start[s + 1]; k++) {
      if (answer->weight[k] == t[answer->to[k]]) continue;
      snprintf(text, capacity,
               "vertex number %" PRIu64 " is at the distance %.17g from %" PRIu64 ", the answer says %.17g",
               answer->to[k], t[answer->to[k]], from, answer->weight[k]);
      return text;
    }
    if (answer->start[s + 1] - answer->start[s] == reached) continue;
    snprintf(text, capacity,
             "vertex number %" PRIu64 " reaches %" PRIu64 " vertices, the answer has %" PRIu64, from, reached,
             answer->start[s + 1] - answer->start[s]);
    return text;
  }
  return NULL;
}

static const char *check(const check_graph *g, const check_graph *pairs, const uint64_t *source, char *text,
                         size_t capacity) {
  check_rows out = {0}, answer = {0};
  const char *why = check_no_memory;
  double *t = malloc((g->n + 1) * sizeof *t);
  bool *settled = malloc((g->n + 1) * sizeof *settled);
  if (t != NULL && settled != NULL && check_rows_make(&out, g, false) &&
      check_rows_make(&answer, pairs, false)) {
    why = compare(t, settled, &out, &answer, source, text, capacity);
    if (why == NULL && answer.start[pairs->n] != pairs->m) why = "a pair is there twice";
  }
  free(t), free(settled);
  check_rows_free(&out), check_rows_free(&answer);
  return why;
}

const char *check_all_pairs(const check_graph *g, const uint64_t *row, const uint64_t *col,
                            const double *value, uint64_t entries, char *text, size_t capacity) {
  const check_graph pairs = {.n = g->n,
                             .m = entries,
                             .from = (uint64_t *)row,
                             .to = (uint64_t *)col,
                             .weight = (double *)value,
                             .loops = true};
  return check(g, &pairs, NULL, text, capacity);
}

const char *check_paths_many(const check_graph *g, const uint64_t *source, uint64_t nsources,
                             const uint64_t *number, const uint64_t *vertex, const double *value,
                             uint64_t entries, char *text, size_t capacity) {
  const check_graph pairs = {.n = nsources,
                             .m = entries,
                             .from = (uint64_t *)number,
                             .to = (uint64_t *)vertex,
                             .weight = (double *)value,
                             .loops = true};
  return check(g, &pairs, source, text, capacity);
}
