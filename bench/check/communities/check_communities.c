/* Modularity from the list of edges, and whether it could be larger by joining two communities. */
#include "bench/check/communities/check_communities.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Sums of weights of the edges out of each community, into it, and inside it. */
typedef struct {
  uint64_t n;
  bool transposed; /* every edge counts the other way, too */
  check_rows rows;
  double *out, *in, *inside, total;
} sums;

static void add_edge(sums *s, uint64_t c, uint64_t d, double weight) {
  s->out[c] += weight, s->in[d] += weight, s->total += weight;
  if (c == d) s->inside[c] += weight;
}

static double weight_of(const check_rows *r, uint64_t k) {
  return r->weight != NULL ? r->weight[k] : 1;
}

/* community NULL: every vertex alone. */
static bool make_sums(sums *s, const check_graph *g, const double *community, bool transposed) {
  *s = (sums){.n = g->n, .transposed = transposed && !g->both_directions};
  if (!check_rows_make(&s->rows, g, false)) return false;
  s->out = calloc(g->n + 1, sizeof *s->out);
  s->in = calloc(g->n + 1, sizeof *s->in);
  s->inside = calloc(g->n + 1, sizeof *s->inside);
  if (s->out == NULL || s->in == NULL || s->inside == NULL) return false;
  for (uint64_t v = 0; v < g->n; v++)
    for (uint64_t k = s->rows.start[v]; k < s->rows.start[v + 1]; k++) {
      const uint64_t w = s->rows.to[k], c = community != NULL ? (uint64_t)community[v] : v,
                     d = community != NULL ? (uint64_t)community[w] : w;
      add_edge(s, c, d, weight_of(&s->rows, k));
      if (s->transposed) add_edge(s, d, c, weight_of(&s->rows, k));
    }
  return true;
}

static void free_sums(sums *s) {
  check_rows_free(&s->rows);
  free(s->out), free(s->in), free(s->inside);
}

static double modularity_of(const sums *s, double resolution) {
  double sum = 0;
  for (uint64_t c = 0; c < s->n && s->total != 0; c++)
    sum += s->inside[c] / s->total - resolution * (s->out[c] / s->total) * (s->in[c] / s->total);
  return sum;
}

double check_modularity(const check_graph *g, const double *community, double resolution,
                        double *conductance) {
  sums s;
  double found = (double)NAN;
  if (make_sums(&s, g, community, false)) {
    found = modularity_of(&s, resolution);
    for (uint64_t c = 0; c < g->n && conductance != NULL; c++) conductance[c] = (double)NAN;
    for (uint64_t v = 0; v < g->n && conductance != NULL; v++) {
      const uint64_t c = (uint64_t)community[v];
      const double leaves = s.out[c] - s.inside[c], rest = s.total - s.out[c];
      const bool rounded = fabs(leaves) <= 1e-12 * fabs(s.out[c]);
      conductance[c] = rounded ? 0 : leaves / (s.out[c] < rest ? s.out[c] : rest);
    }
  }
  free_sums(&s);
  return found;
}

/* The edges between different communities. */
typedef struct {
  uint64_t c, d;
  double weight;
} link;

static int by_ends(const void *a, const void *b) {
  const link *x = a, *y = b;
  if (x->c != y->c) return x->c < y->c ? -1 : 1;
  return (x->d > y->d) - (x->d < y->d);
}

/* What joining two communities with these edges adds to the modularity, the largest of all. */
static double best_join(link *list, uint64_t count, const sums *s, double resolution, link *best) {
  double most = 0;
  qsort(list, count, sizeof *list, by_ends);
  for (uint64_t k = 0, next; k < count; k = next) {
    double weight = 0;
    for (next = k; next < count && by_ends(&list[k], &list[next]) == 0; next++) weight += list[next].weight;
    const double gain = 2 * (weight / s->total -
                             resolution * (s->out[list[k].c] / s->total) * (s->out[list[k].d] / s->total));
    if (gain > most) most = gain, *best = list[k];
  }
  return most;
}

static const char *check_joins(const sums *s, const double *community, double resolution, double allowed,
                               char *text, size_t capacity) {
  uint64_t count = 0;
  link best = {0, 0, 0}, *list = malloc((s->rows.start[s->n] + 1) * sizeof *list);
  if (list == NULL) return check_no_memory;
  for (uint64_t v = 0; v < s->n; v++)
    for (uint64_t k = s->rows.start[v]; k < s->rows.start[v + 1]; k++) {
      uint64_t c = (uint64_t)community[v], d = (uint64_t)community[s->rows.to[k]];
      if (c == d || (c > d && !s->transposed)) continue; /* an undirected edge is listed both ways */
      list[count++] = (link){c < d ? c : d, c < d ? d : c, weight_of(&s->rows, k)};
    }
  const double gain = best_join(list, count, s, resolution, &best);
  free(list);
  if (gain <= allowed) return NULL;
  snprintf(text, capacity,
           "communities number %" PRIu64 " and %" PRIu64 " joined have a modularity larger by %.3g", best.c,
           best.d, gain);
  return text;
}

static uint64_t root_of(uint64_t *up, uint64_t v) {
  while (up[v] != v) v = up[v] = up[up[v]];
  return v;
}

/* The smallest vertex of a set is its root. */
static const char *check_connected(const sums *s, const double *community, char *text, size_t capacity) {
  const char *why = NULL;
  uint64_t *up = malloc((s->n + 1) * sizeof *up);
  if (up == NULL) return check_no_memory;
  for (uint64_t v = 0; v < s->n; v++) up[v] = v;
  for (uint64_t v = 0; v < s->n; v++)
    for (uint64_t k = s->rows.start[v]; k < s->rows.start[v + 1]; k++) {
      const uint64_t a = root_of(up, v), b = root_of(up, s->rows.to[k]);
      if (community[v] == community[s->rows.to[k]]) up[a < b ? b : a] = a < b ? a : b;
    }
  for (uint64_t v = 0; why == NULL && v < s->n; v++) {
    if (root_of(up, v) == (uint64_t)community[v]) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " is not connected with its community", v);
    why = text;
  }
  free(up);
  return why;
}

static const char *check_names(uint64_t n, const double *community, char *text, size_t capacity) {
  for (uint64_t v = 0; v < n; v++) {
    const double c = community[v];
    if (c >= 0 && c <= (double)v && c == floor(c) && community[(uint64_t)c] == c) continue;
    snprintf(text, capacity, "the community of vertex number %" PRIu64 " is %.17g, not its smallest vertex",
             v, c);
    return text;
  }
  return NULL;
}

const char *check_communities(const check_graph *g, const double *community, double modularity,
                              double resolution, double allowed, bool connected, char *text,
                              size_t capacity) {
  sums s, alone;
  const char *why = check_names(g->n, community, text, capacity);
  if (why != NULL) return why;
  why = check_no_memory;
  const bool made = make_sums(&s, g, community, true), both = make_sums(&alone, g, NULL, true) && made;
  if (both) {
    const double want = modularity_of(&s, resolution), least = modularity_of(&alone, resolution);
    why = NULL;
    if (!(fabs(want - modularity) <= allowed)) {
      snprintf(text, capacity, "the communities have modularity %.15g, the answer says %.15g", want,
               modularity);
      why = text;
    } else if (want < least - allowed) {
      snprintf(text, capacity, "the communities have modularity %.15g, single vertices %.15g", want, least);
      why = text;
    } else if (connected)
      why = check_connected(&s, community, text, capacity);
    else if (s.total > 0)
      why = check_joins(&s, community, resolution, allowed, text, capacity);
  }
  free_sums(&s), free_sums(&alone);
  return why;
}
