/* The hops of a sample are computed again from its entries, level by level. */
#include "bench/check/learning/check_neighbor_sample.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint64_t *draws; /* of each vertex */
  bool *drawn;     /* of each edge of the rows */
  int64_t *hop;    /* -1: not reached */
} sample_counts;

static const char *count_entries(sample_counts *c, const check_rows *r, const check_sample *s, char *text,
                                 size_t capacity) {
  for (uint64_t k = 0; k < s->n; k++) {
    const uint64_t v = s->row[k], w = s->col[k], at = check_rows_find(r, v, w);
    const char *why = NULL;
    if (at == r->start[r->n])
      why = "is not an edge";
    else if (c->drawn[at])
      why = "was drawn twice";
    else if (r->weight != NULL && s->value[k] != r->weight[at])
      why = "has another weight";
    if (why == NULL) {
      c->drawn[at] = true, c->draws[v]++;
      continue;
    }
    snprintf(text, capacity, "%" PRIu64 " -> %" PRIu64 " %s", v, w, why);
    return text;
  }
  return NULL;
}

/* A hop passes over all entries: short samples only. */
static void compute_hops(sample_counts *c, const check_rows *r, const check_sample *s) {
  for (uint64_t v = 0; v < r->n; v++) c->hop[v] = -1;
  for (uint64_t k = 0; k < s->nsources; k++) c->hop[s->sources[k]] = 0;
  for (int64_t h = 0; h < (int64_t)s->nfanouts; h++)
    for (uint64_t k = 0; k < s->n; k++)
      if (c->hop[s->row[k]] == h && c->hop[s->col[k]] < 0) c->hop[s->col[k]] = h + 1;
}

static uint64_t expected_draws(const check_rows *r, const check_sample *s, uint64_t v, int64_t hop) {
  const uint64_t degree = r->start[v + 1] - r->start[v];
  if (hop < 0 || hop >= (int64_t)s->nfanouts) return 0;
  const int64_t fanout = s->fanouts[hop];
  return fanout < 0 || degree < (uint64_t)fanout ? degree : (uint64_t)fanout;
}

static const char *compare(const sample_counts *c, const check_rows *r, const check_sample *s, char *text,
                           size_t capacity) {
  for (uint64_t v = 0; v < r->n; v++) {
    const uint64_t want = expected_draws(r, s, v, c->hop[v]);
    if (c->draws[v] != want)
      snprintf(text, capacity, "%" PRIu64 " has %" PRIu64 " neighbors in the sample, where %" PRIu64 " fit",
               v, c->draws[v], want);
    else if (c->hop[v] < 0 ? !isnan(s->hop[v]) : s->hop[v] != (double)c->hop[v])
      snprintf(text, capacity, "the hop of %" PRIu64 " is %g, where it is %" PRId64, v, s->hop[v], c->hop[v]);
    else
      continue;
    return text;
  }
  return NULL;
}

const char *check_neighbor_sample(const check_graph *g, const check_sample *s, char *text, size_t capacity) {
  check_rows r;
  if (!check_rows_make(&r, g, false)) return check_no_memory;
  sample_counts c = {.draws = calloc(g->n + 1, sizeof *c.draws),
                     .drawn = calloc(r.start[g->n] + 1, sizeof *c.drawn),
                     .hop = calloc(g->n + 1, sizeof *c.hop)};
  const char *why = check_no_memory;
  if (c.draws != NULL && c.drawn != NULL && c.hop != NULL) {
    why = count_entries(&c, &r, s, text, capacity);
    compute_hops(&c, &r, s);
    if (why == NULL) why = compare(&c, &r, s, text, capacity);
  }
  free(c.draws), free(c.drawn), free(c.hop);
  check_rows_free(&r);
  return why;
}
