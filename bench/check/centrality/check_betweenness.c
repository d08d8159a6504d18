/* Betweenness centrality by Brandes' method with a queue, one source at a time: counts the paths, then
 * accumulates dependencies in reverse order of the queue. */
#include "bench/check/centrality/check_betweenness.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint64_t *queue;
  int64_t *depth;
  double *paths, *delta, *sum;
  double *edge; /* a sum for each edge of the rows */
} work;

static bool allocate(work *w, const check_rows *out) {
  const uint64_t n = out->n + 1;
  *w = (work){malloc(n * sizeof *w->queue), malloc(n * sizeof *w->depth),
              malloc(n * sizeof *w->paths), malloc(n * sizeof *w->delta),
              calloc(n, sizeof *w->sum),    calloc(out->start[out->n] + 1, sizeof *w->edge)};
  return w->queue != NULL && w->depth != NULL && w->paths != NULL && w->delta != NULL && w->sum != NULL &&
         w->edge != NULL;
}

static void free_work(work *w) {
  free(w->queue), free(w->depth), free(w->paths), free(w->delta), free(w->sum), free(w->edge);
}

static void from_one(work *w, const check_rows *out, uint64_t source) {
  const uint64_t n = out->n;
  uint64_t count = 1;
  for (uint64_t v = 0; v < n; v++) w->depth[v] = -1, w->paths[v] = w->delta[v] = 0;
  w->depth[source] = 0, w->paths[source] = 1, w->queue[0] = source;
  for (uint64_t k = 0; k < count; k++) {
    const uint64_t v = w->queue[k];
    for (uint64_t e = out->start[v]; e < out->start[v + 1]; e++) {
      const uint64_t x = out->to[e];
      if (w->depth[x] < 0) w->depth[x] = w->depth[v] + 1, w->queue[count++] = x;
      if (w->depth[x] == w->depth[v] + 1) w->paths[x] += w->paths[v];
    }
  }
  for (uint64_t k = count; k-- > 0;) {
    const uint64_t v = w->queue[k];
    for (uint64_t e = out->start[v]; e < out->start[v + 1]; e++) {
      const uint64_t x = out->to[e];
      if (w->depth[x] != w->depth[v] + 1) continue;
      const double share = w->paths[v] / w->paths[x] * (1 + w->delta[x]);
      w->delta[v] += share;
      w->edge[e] += share;
    }
    if (v != source) w->sum[v] += w->delta[v];
  }
}

/* allowed: relative to the largest sum; bound: of n (n - 1) */
static const char *compare(work *w, const check_rows *out, const double *centrality, double allowed,
                           double bound, char *text, size_t capacity) {
  const uint64_t n = out->n;
  double most = 0;
  for (uint64_t v = 0; v < n; v++) most = fmax(most, w->sum[v]);
  const double tolerance = allowed * most + bound * (double)n * ((double)n - 1);
  for (uint64_t v = 0; v < n; v++)
    if (!(fabs(centrality[v] - w->sum[v]) <= tolerance)) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has the centrality %.15g, the answer says %.15g", v,
               w->sum[v], centrality[v]);
      return text;
    }
  return NULL;
}

/* source NULL: all vertices */
static void from_sources(work *w, const check_rows *out, const uint64_t *source, uint64_t nsources) {
  const uint64_t count = source == NULL ? out->n : nsources;
  for (uint64_t k = 0; k < count; k++) from_one(w, out, source == NULL ? k : source[k]);
}

static const char *check(const check_graph *g, const uint64_t *source, uint64_t nsources,
                         const double *centrality, double allowed, double bound, char *text,
                         size_t capacity) {
  const char *why = check_no_memory;
  check_rows out;
  work w;
  if (!check_rows_make(&out, g, false)) return why;
  if (allocate(&w, &out)) {
    from_sources(&w, &out, source, nsources);
    why = compare(&w, &out, centrality, allowed, bound, text, capacity);
  }
  free_work(&w);
  check_rows_free(&out);
  return why;
}

const char *check_betweenness(const check_graph *g, const uint64_t *source, uint64_t nsources,
                              const double *centrality, double allowed, char *text, size_t capacity) {
  return check(g, source, nsources, centrality, allowed, 0, text, capacity);
}

const char *check_betweenness_bound(const check_graph *g, const double *centrality, double bound, char *text,
                                    size_t capacity) {
  return check(g, NULL, 0, centrality, 1e-10, bound, text, capacity);
}

/* The value of each edge is set to NaN when it is compared, so that none counts twice. */
static const char *compare_edges(work *w, const check_rows *out, const check_entries *answer, double allowed,
                                 char *text, size_t capacity) {
  const uint64_t m = out->start[out->n];
  double most = 0;
  for (uint64_t e = 0; e < m; e++) most = fmax(most, w->edge[e]);
  for (uint64_t k = 0; k < answer->count; k++) {
    const uint64_t e = check_rows_find(out, answer->row[k], answer->col[k]);
    if (e == m || isnan(w->edge[e])) return "there are entries that are no edges, or several times";
    if (!(fabs(answer->value[k] - w->edge[e]) <= allowed * most)) {
      snprintf(text, capacity,
               "the edge from vertex number %" PRIu64 " to %" PRIu64
               " has the centrality %.15g, the answer says %.15g",
               answer->row[k], answer->col[k], w->edge[e], answer->value[k]);
      return text;
    }
    w->edge[e] = (double)NAN;
  }
  return answer->count == m ? NULL : "an edge has no centrality";
}

const char *check_edge_betweenness(const check_graph *g, const uint64_t *source, uint64_t nsources,
                                   const check_entries *answer, double allowed, char *text, size_t capacity) {
  const char *why = check_no_memory;
  check_rows out;
  work w;
  if (!check_rows_make(&out, g, false)) return why;
  if (allocate(&w, &out)) {
    from_sources(&w, &out, source, nsources);
    why = compare_edges(&w, &out, answer, allowed, text, capacity);
  }
  free_work(&w);
  check_rows_free(&out);
  return why;
}
