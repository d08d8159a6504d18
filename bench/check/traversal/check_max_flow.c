/* A maximum flow by its definition and by a search of the residual graph. */
#include "bench/check/traversal/check_max_flow.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  check_rows out, in;
  double *used;   /* of the positions of `out` */
  double *excess; /* of vertices */
  double scale;   /* the largest sum of capacities at a vertex */
  bool *visited;
  uint64_t *queue;
} network;

static double capacity_of(const network *f, uint64_t k) {
  return f->out.weight == NULL ? 1 : f->out.weight[k];
}

static bool is_small(const network *f, double x) {
  return fabs(x) <= 1e-11 * f->scale;
}

static const char *read_flow(network *f, const uint64_t *row, const uint64_t *col, const double *flow,
                             uint64_t entries, char *text, size_t capacity) {
  for (uint64_t e = 0; e < entries; e++) {
    const uint64_t k = check_rows_find(&f->out, row[e], col[e]);
    if (k < f->out.start[f->out.n] && f->used[k] == 0 && flow[e] > 0 && flow[e] <= capacity_of(f, k)) {
      f->used[k] = flow[e];
      f->excess[row[e]] -= flow[e];
      f->excess[col[e]] += flow[e];
      continue;
    }
    snprintf(text, capacity,
             "%.17g flows from vertex number %" PRIu64 " to %" PRIu64
             ", where there is no edge of this capacity, or twice",
             flow[e], row[e], col[e]);
    return text;
  }
  return NULL;
}

static const char *check_balance(const network *f, uint64_t source, uint64_t sink, double value, char *text,
                                 size_t capacity) {
  for (uint64_t v = 0; v < f->out.n; v++) {
    const double want = v == source ? -value : v == sink ? value : 0;
    if (is_small(f, f->excess[v] - want)) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " receives %.17g more than it sends, in place of %.17g",
             v, f->excess[v], want);
    return text;
  }
  return NULL;
}

static void visit(network *f, uint64_t *waiting, uint64_t v, double left) {
  if (f->visited[v] || is_small(f, left)) return;
  f->visited[v] = true;
  f->queue[(*waiting)++] = v;
}

/* Does a path with capacity left lead from source to sink? */
static bool has_path(network *f, uint64_t source, uint64_t sink) {
  const check_rows *out = &f->out, *in = &f->in;
  uint64_t waiting = 0;
  f->visited[source] = true;
  f->queue[waiting++] = source;
  for (uint64_t q = 0; q < waiting; q++) {
    const uint64_t v = f->queue[q];
    for (uint64_t k = out->start[v]; k < out->start[v + 1]; k++)
      visit(f, &waiting, out->to[k], capacity_of(f, k) - f->used[k]);
    for (uint64_t k = in->start[v]; k < in->start[v + 1]; k++)
      visit(f, &waiting, in->to[k], f->used[check_rows_find(out, in->to[k], v)]);
  }
  return f->visited[sink];
}

static void find_scale(network *f) {
  f->scale = 1;
  for (uint64_t v = 0; v < f->out.n; v++) {
    double sum = 0;
    for (uint64_t k = f->out.start[v]; k < f->out.start[v + 1]; k++) sum += capacity_of(f, k);
    f->scale = fmax(f->scale, sum);
  }
}

const char *check_max_flow(const check_graph *g, uint64_t source, uint64_t sink, double value,
                           const uint64_t *row, const uint64_t *col, const double *flow, uint64_t entries,
                           char *text, size_t capacity) {
  check_graph plain = *g;
  network f = {.used = NULL};
  const char *why = check_no_memory;
  plain.loops = false;
  f.excess = calloc(g->n + 1, sizeof *f.excess);
  f.visited = calloc(g->n + 1, sizeof *f.visited);
  f.queue = calloc(g->n + 1, sizeof *f.queue);
  if (f.excess != NULL && f.visited != NULL && f.queue != NULL && check_rows_make(&f.out, &plain, false) &&
      check_rows_make(&f.in, &plain, true))
    f.used = calloc(f.out.start[g->n] + 1, sizeof *f.used);
  if (f.used != NULL) {
    find_scale(&f);
    why = read_flow(&f, row, col, flow, entries, text, capacity);
    if (why == NULL) why = check_balance(&f, source, sink, value, text, capacity);
    if (why == NULL && has_path(&f, source, sink))
      why = "the flow is not the largest: a path has capacity left";
  }
  free(f.used), free(f.excess), free(f.visited), free(f.queue);
  check_rows_free(&f.out), check_rows_free(&f.in);
  return why;
}
