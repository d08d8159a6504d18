/* Shortest paths by Bellman and Ford's method with a queue (Moore 1959), for weights of either sign; the
 * parents by following them from every vertex to the source. */
#include "bench/check/traversal/check_paths.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool check_paths_allocate(check_paths_work *w, uint64_t n) {
  w->queue = malloc((n + 1) * sizeof *w->queue);
  w->hops = malloc((n + 1) * sizeof *w->hops);
  w->waiting = malloc((n + 1) * sizeof *w->waiting);
  return w->queue != NULL && w->hops != NULL && w->waiting != NULL;
}

void check_paths_free(check_paths_work *w) {
  free(w->queue), free(w->hops), free(w->waiting);
}

bool check_paths_reached(const check_paths_work *w, uint64_t source, uint64_t v) {
  return v == source || w->hops[v] > 0;
}

bool check_paths_search(double *t, check_paths_work *w, const check_rows *out, uint64_t source) {
  uint64_t head = 0, waiting = 1;
  for (uint64_t v = 0; v < out->n; v++) t[v] = (double)INFINITY, w->hops[v] = 0, w->waiting[v] = false;
  t[source] = 0;
  w->queue[0] = source;
  w->waiting[source] = true;
  for (; waiting > 0; waiting--) {
    const uint64_t u = w->queue[head];
    head = (head + 1) % out->n;
    w->waiting[u] = false;
    for (uint64_t k = out->start[u]; k < out->start[u + 1]; k++) {
      const uint64_t v = out->to[k];
      const double length = t[u] + (out->weight == NULL ? 1 : out->weight[k]);
      if (!(length < t[v]) && check_paths_reached(w, source, v)) continue; /* the first may be infinite */
      t[v] = length;
      w->hops[v] = w->hops[u] + 1;
      if (w->hops[v] >= out->n) return true;
      if (w->waiting[v]) continue;
      w->waiting[v] = true;
      w->queue[(head + waiting - 1) % out->n] = v; /* u has left the queue but is still counted */
      waiting++;
    }
  }
  return false;
}

/* The weight of the edge u -> v; NaN: there is none. */
static double weight_of(const check_rows *out, uint64_t u, uint64_t v) {
  const uint64_t at = check_rows_find(out, u, v);
  return at < out->start[out->n] ? out->weight[at] : (double)NAN;
}

static const char *compare(const double *t, const double *distance, uint64_t n, double allowed, char *text,
                           size_t capacity) {
  for (uint64_t v = 0; v < n; v++) {
    const bool reached = !isnan(distance[v]);
    if (!reached && isinf(t[v])) continue;
    if (reached && (distance[v] == t[v] || fabs(distance[v] - t[v]) <= allowed * fabs(t[v]))) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " is at the distance %.17g, the answer says %.17g", v,
             t[v], distance[v]);
    return text;
  }
  return NULL;
}

/* state[v]: 0 unvisited, 1 on the current path, 2 known to lead to the source. */
static const char *walk(const check_rows *out, uint64_t source, const double *t, const double *parent,
                        unsigned char *state, double allowed, char *text, size_t capacity) {
  state[source] = 2;
  if (parent[source] != (double)source) return "the source is not its own parent";
  for (uint64_t v = 0; v < out->n; v++) {
    if (isnan(parent[v]) != isnan(t[v])) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has a parent without a distance, or the opposite",
               v);
      return text;
    }
    if (isnan(parent[v]) || v == source) continue;
    if (!(parent[v] >= 0 && parent[v] < (double)out->n)) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has the parent %g", v, parent[v]);
      return text;
    }
    const uint64_t u = (uint64_t)parent[v];
    const double length = t[u] + weight_of(out, u, v);
    if (!(length == t[v] || fabs(length - t[v]) <= allowed * fabs(t[v]))) {
      snprintf(text, capacity,
               "the parent %" PRIu64 " of vertex number %" PRIu64
               " is at %.17g, itself at %.17g, the edge %g",
               u, v, t[u], t[v], weight_of(out, u, v));
      return text;
    }
  }
  for (uint64_t v = 0; v < out->n; v++) {
    if (isnan(parent[v])) continue;
    uint64_t end = v;
    while (state[end] == 0) state[end] = 1, end = (uint64_t)parent[end];
    if (state[end] == 1) {
      snprintf(text, capacity, "the parents of vertex number %" PRIu64 " lead round in a circle", v);
      return text;
    }
    for (uint64_t u = v; state[u] == 1; u = (uint64_t)parent[u]) state[u] = 2;
  }
  return NULL;
}

const char *check_paths(const check_graph *g, uint64_t source, const double *distance, const double *parent,
                        bool negative, double allowed, char *text, size_t capacity) {
  const uint64_t n = g->n;
  const char *why = check_no_memory;
  check_rows out;
  if (!check_rows_make(&out, g, false)) return why;
  double *t = malloc(n * sizeof *t);
  check_paths_work w;
  unsigned char *state = calloc(n, 1);
  if (check_paths_allocate(&w, n) && t != NULL && state != NULL) {
    const bool cycle = check_paths_search(t, &w, &out, source);
    why = cycle == negative ? NULL
          : cycle           ? "there is a cycle of negative weight, and the answer does not say so"
                            : "there is no cycle of negative weight, though the answer says so";
    if (why == NULL && !cycle) why = compare(t, distance, n, allowed, text, capacity);
    if (why == NULL && !cycle && parent != NULL)
      why = walk(&out, source, distance, parent, state, allowed, text, capacity);
  }
  free(t), free(state);
  check_paths_free(&w);
  check_rows_free(&out);
  return why;
}
