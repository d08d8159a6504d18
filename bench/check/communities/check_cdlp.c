/* Label propagation by the definition of LDBC Graphalytics: for each vertex the labels of its neighbors are
 * listed and sorted; the longest run wins, the first of several. */
#include "bench/check/communities/check_cdlp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two arrays of labels, and the list of a vertex's neighbors' labels. */
typedef struct {
  uint64_t *old, *now, *heard;
  check_rows out, in; /* in: empty for undirected graphs */
} propagation;

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static uint64_t collect_labels(propagation *p, uint64_t count, const check_rows *r, uint64_t v) {
  if (r->n == 0) return count;
  for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++) p->heard[count++] = p->old[r->to[k]];
  return count;
}

static uint64_t most_frequent(uint64_t *list, uint64_t count) {
  uint64_t longest = 0, winner = 0;
  qsort(list, count, sizeof *list, ascending);
  for (uint64_t k = 0, run = 0; k < count; k++) {
    run = k > 0 && list[k] == list[k - 1] ? run + 1 : 1;
    if (run > longest) longest = run, winner = list[k];
  }
  return winner;
}

static void iterate(propagation *p, uint64_t n) {
  for (uint64_t v = 0; v < n; v++) {
    const uint64_t count = collect_labels(p, collect_labels(p, 0, &p->out, v), &p->in, v);
    p->now[v] = count == 0 ? p->old[v] : most_frequent(p->heard, count);
  }
  uint64_t *swap = p->old;
  p->old = p->now, p->now = swap;
}

static bool propagate(propagation *p, const check_graph *g, uint64_t iterations) {
  if (!check_rows_make(&p->out, g, false)) return false;
  if (!g->both_directions && !check_rows_make(&p->in, g, true)) return false;
  const uint64_t n = g->n, most = p->out.start[n] + (g->both_directions ? 0 : p->in.start[n]);
  p->old = malloc((n + 1) * sizeof *p->old);
  p->now = malloc((n + 1) * sizeof *p->now);
  p->heard = malloc((most + 1) * sizeof *p->heard);
  if (p->old == NULL || p->now == NULL || p->heard == NULL) return false;
  for (uint64_t v = 0; v < n; v++) p->old[v] = v;
  for (uint64_t k = 0; k < iterations; k++) {
    iterate(p, n);
    if (memcmp(p->old, p->now, n * sizeof *p->old) == 0) break;
  }
  return true;
}

const char *check_cdlp(const check_graph *g, uint64_t iterations, const double *label, char *text,
                       size_t capacity) {
  propagation p = {.old = NULL};
  const char *why = propagate(&p, g, iterations) ? NULL : check_no_memory;
  for (uint64_t v = 0; why == NULL && v < g->n; v++)
    if (!(label[v] == (double)p.old[v])) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has the label %" PRIu64 ", the answer says %.0f", v,
               p.old[v], label[v]);
      why = text;
    }
  free(p.old), free(p.now), free(p.heard);
  check_rows_free(&p.out);
  check_rows_free(&p.in);
  return why;
}
