/* Peer pressure by the definition: each vertex counts the votes that it gets in one array for all clusters.
 */
#include "bench/check/communities/check_peer_pressure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  check_rows in;
  double *vote; /* of a vertex for each of its neighbors and itself */
  double *sum;  /* by cluster */
  uint64_t *old, *now;
} election;

static bool begin(election *e, const check_graph *g) {
  check_rows out = {0};
  const uint64_t n = g->n;
  *e = (election){.vote = malloc((n + 1) * sizeof *e->vote), .sum = calloc(n + 1, sizeof *e->sum)};
  e->old = malloc((n + 1) * sizeof *e->old), e->now = malloc((n + 1) * sizeof *e->now);
  const bool made = e->vote != NULL && e->sum != NULL && e->old != NULL && e->now != NULL &&
                    check_rows_make(&out, g, false) && check_rows_make(&e->in, g, true);
  for (uint64_t v = 0; made && v < n; v++) {
    const bool loop = check_rows_find(&out, v, v) < out.start[n];
    e->vote[v] = round(0x1p22 / (double)(out.start[v + 1] - out.start[v] + !loop));
    e->old[v] = e->now[v] = v;
  }
  check_rows_free(&out);
  return made;
}

static void end(election *e) {
  free(e->vote), free(e->sum), free(e->old), free(e->now);
  check_rows_free(&e->in);
}

/* The cluster of most votes for v, of several the smallest; the sums become 0 again. */
static uint64_t elect(election *e, uint64_t v) {
  const check_rows *r = &e->in;
  uint64_t best = e->old[v];
  e->sum[best] = e->vote[v];
  for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++)
    if (r->to[k] != v) e->sum[e->old[r->to[k]]] += e->vote[r->to[k]];
  for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++) {
    const uint64_t c = e->old[r->to[k]];
    if (e->sum[c] > e->sum[best] || (c < best && e->sum[c] == e->sum[best])) best = c;
  }
  e->sum[e->old[v]] = 0;
  for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++) e->sum[e->old[r->to[k]]] = 0;
  return best;
}

static uint64_t iterate(election *e, uint64_t n, uint64_t limit) {
  uint64_t k = 0;
  for (bool changed = true; changed && k < limit; k++) {
    for (uint64_t v = 0; v < n; v++) e->now[v] = elect(e, v);
    changed = memcmp(e->old, e->now, n * sizeof *e->old) != 0;
    memcpy(e->old, e->now, n * sizeof *e->old);
  }
  return k;
}

static const char *compare(election *e, uint64_t n, const double *cluster, uint64_t iterations,
                           uint64_t limit, char *text, size_t capacity) {
  const uint64_t want = iterate(e, n, limit);
  for (uint64_t v = 0; v < n; v++) {
    if (cluster[v] == (double)e->old[v]) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " is in cluster %" PRIu64 ", the answer says %.17g", v,
             e->old[v], cluster[v]);
    return text;
  }
  if (iterations == want) return NULL;
  snprintf(text, capacity, "%" PRIu64 " iterations, the answer says %" PRIu64, want, iterations);
  return text;
}

const char *check_peer_pressure(const check_graph *g, const double *cluster, uint64_t iterations,
                                uint64_t limit, char *text, size_t capacity) {
  election e;
  const char *why =
      begin(&e, g) ? compare(&e, g->n, cluster, iterations, limit, text, capacity) : check_no_memory;
  end(&e);
  return why;
}
