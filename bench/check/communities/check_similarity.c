/* Similarities, pair by pair: the rows of both vertices are merged. */
#include "bench/check/communities/check_similarity.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t degree(const check_rows *r, uint64_t v) {
  return r->start[v + 1] - r->start[v];
}

/* The similarity of u and v, or -1 without a common neighbour. */
static double similarity_of(const check_rows *out, const check_rows *into, int measure, uint64_t u,
                            uint64_t v) {
  uint64_t a = out->start[u], b = out->start[v], common = 0;
  const double du = (double)degree(out, u), dv = (double)degree(out, v);
  double sum = 0;
  while (a < out->start[u + 1] && b < out->start[v + 1]) {
    if (out->to[a] < out->to[b]) {
      a++;
    } else if (out->to[a] > out->to[b]) {
      b++;
    } else {
      const double d = (double)degree(into, out->to[a]);
      common++, a++, b++;
      if (measure == CHECK_ADAMIC_ADAR && d > 1) sum += 1 / log(d);
      if (measure == CHECK_RESOURCE_ALLOCATION) sum += 1 / d;
    }
  }
  const double c = (double)common;
  if (common == 0 || (measure == CHECK_ADAMIC_ADAR && sum == 0)) return -1;
  switch (measure) {
    case CHECK_JACCARD:
      return c / (du + dv - c);
    case CHECK_SORENSEN:
      return 2 * c / (du + dv);
    case CHECK_OVERLAP:
      return c / fmin(du, dv);
    case CHECK_COSINE:
      return c / sqrt(du * dv);
    case CHECK_COMMON:
      return c;
    default:
      return sum;
  }
}

/* A triple with the number that it has in the answer. */
typedef struct {
  uint64_t row, col;
  double value;
} triple;

static int by_position(const void *a, const void *b) {
  const triple *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return (x->col > y->col) - (x->col < y->col);
}

/* What is compared, and the triples that are not yet. */
typedef struct {
  const check_rows *out, *into, *pairs; /* pairs NULL: all */
  int measure;
  uint64_t k;
  const triple *next, *last;
  double *expected, *sorted; /* of one row's pairs, -1: without a common neighbour */
  char *text;
  size_t capacity;
} comparison;

static bool is_close(double x, double y) {
  return fabs(x - y) <= 1e-12 * fmax(1, y);
}

static int descending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

static uint64_t candidates(const comparison *c, uint64_t u) {
  return c->pairs == NULL ? c->out->n : degree(c->pairs, u);
}

static uint64_t candidate(const comparison *c, uint64_t u, uint64_t j) {
  return c->pairs == NULL ? j : c->pairs->to[c->pairs->start[u] + j];
}

/* Fills in the row's expected similarities. *similar: the entries that it must have; returns the least one of
 * these where others are left out, else -1. */
static double expect_row(uint64_t *similar, comparison *c, uint64_t u) {
  const uint64_t count = candidates(c, u);
  *similar = 0;
  for (uint64_t j = 0; j < count; j++) {
    const uint64_t v = candidate(c, u, j);
    const bool left_out = c->pairs == NULL && v == u;
    c->sorted[j] = c->expected[j] = left_out ? -1 : similarity_of(c->out, c->into, c->measure, u, v);
    if (c->expected[j] >= 0) ++*similar;
  }
  if (c->k == 0 || *similar <= c->k) return -1;
  *similar = c->k;
  qsort(c->sorted, count, sizeof *c->sorted, descending);
  return c->sorted[c->k - 1];
}

/* Compares row u with the next triples. */
static const char *compare_row(comparison *c, uint64_t u) {
  uint64_t similar, found = 0;
  const double least = expect_row(&similar, c, u);
  for (uint64_t j = 0; j < candidates(c, u); j++) {
    const uint64_t v = candidate(c, u, j);
    const double expected = c->expected[j];
    const bool present = c->next < c->last && c->next->row == u && c->next->col == v;
    const double value = present ? c->next->value : -1;
    const bool may_miss = expected <= least || is_close(expected, least);
    const bool may_be = expected >= 0 && (expected >= least || is_close(expected, least));
    if (present) c->next++, found++;
    if (present ? may_be && is_close(value, expected) : may_miss) continue;
    snprintf(c->text, c->capacity,
             "vertices number %" PRIu64 " and %" PRIu64 " have the similarity %g, not %g (-1: none)", u, v,
             value, expected);
    return c->text;
  }
  if (found == similar) return NULL;
  snprintf(c->text, c->capacity, "vertex number %" PRIu64 " has %" PRIu64 " similar vertices, not %" PRIu64,
           u, found, similar);
  return c->text;
}

/* All pairs, or those of `pairs`, in the order of the triples. */
static const char *compare(comparison *c) {
  for (uint64_t u = 0; u < c->out->n; u++) {
    const char *why = compare_row(c, u);
    if (why != NULL) return why;
  }
  return c->next == c->last ? NULL : "there are pairs that were not asked for, or several times";
}

const char *check_similarity(const check_graph *g, const check_graph *pairs, int measure, uint64_t k,
                             const uint64_t *row, const uint64_t *col, const double *value, uint64_t entries,
                             char *text, size_t capacity) {
  const char *why = check_no_memory;
  check_rows out = {0}, into = {0}, wanted = {0};
  triple *sorted = malloc((entries + 1) * sizeof *sorted);
  double *numbers = malloc((2 * g->n + 1) * sizeof *numbers);
  if (sorted != NULL && numbers != NULL && check_rows_make(&out, g, false) &&
      check_rows_make(&into, g, true) && (pairs == NULL || check_rows_make(&wanted, pairs, false))) {
    for (uint64_t e = 0; e < entries; e++) sorted[e] = (triple){row[e], col[e], value[e]};
    qsort(sorted, entries, sizeof *sorted, by_position);
    comparison c = {.out = &out, .into = &into, .pairs = pairs == NULL ? NULL : &wanted};
    c.measure = measure, c.k = k, c.text = text, c.capacity = capacity;
    c.next = sorted, c.last = sorted + entries;
    c.expected = numbers, c.sorted = numbers + g->n;
    why = compare(&c);
  }
  free(sorted), free(numbers);
  check_rows_free(&out), check_rows_free(&into), check_rows_free(&wanted);
  return why;
}
