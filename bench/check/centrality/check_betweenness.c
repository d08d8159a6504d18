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
} work;

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
      if (w->depth[x] == w->depth[v] + 1) w->delta[v] += w->paths[v] / w->paths[x] * (1 + w->delta[x]);
    }
    if (v != source) w->sum[v] += w->delta[v];
  }
}

const char *check_betweenness(const check_graph *g, const uint64_t *source, uint64_t nsources,
                              const double *centrality, double allowed, char *text, size_t capacity) {
  const uint64_t n = g->n;
  const char *why = check_no_memory;
  check_rows out;
  if (!check_rows_make(&out, g, false)) return why;
  work w = {malloc(n * sizeof *w.queue), malloc(n * sizeof *w.depth), malloc(n * sizeof *w.paths),
            malloc(n * sizeof *w.delta), calloc(n, sizeof *w.sum)};
  if (w.queue != NULL && w.depth != NULL && w.paths != NULL && w.delta != NULL && w.sum != NULL) {
    double most = 0;
    for (uint64_t k = 0; k < nsources; k++) from_one(&w, &out, source[k]);
    for (uint64_t v = 0; v < n; v++) most = w.sum[v] > most ? w.sum[v] : most;
    why = NULL;
    for (uint64_t v = 0; why == NULL && v < n; v++)
      if (!(fabs(centrality[v] - w.sum[v]) <= allowed * most)) {
        snprintf(text, capacity, "vertex number %" PRIu64 " has the centrality %.15g, the answer says %.15g",
                 v, w.sum[v], centrality[v]);
        why = text;
      }
  }
  free(w.queue), free(w.depth), free(w.paths), free(w.delta), free(w.sum);
  check_rows_free(&out);
  return why;
}
