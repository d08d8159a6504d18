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

/* Compares the pair (u,v) with the next triple, which is passed if it is the pair's. */
static bool agrees(const triple **next, const triple *last, uint64_t u, uint64_t v, double expected,
                   char *text, size_t capacity) {
  const bool present = *next < last && (*next)->row == u && (*next)->col == v;
  const double value = present ? (*next)->value : -1;
  if (present) ++*next;
  if (present == (expected >= 0) && fabs(value - expected) <= 1e-12 * fmax(1, expected)) return true;
  snprintf(text, capacity,
           "vertices number %" PRIu64 " and %" PRIu64 " have the similarity %g, not %g (-1: none)", u, v,
           value, expected);
  return false;
}

/* All pairs, or those of `pairs`, in the order of the triples. */
static const char *compare(const check_rows *out, const check_rows *into, const check_rows *pairs,
                           int measure, const triple *next, const triple *last, char *text, size_t capacity) {
  for (uint64_t u = 0; u < out->n; u++) {
    const uint64_t count = pairs == NULL ? out->n : degree(pairs, u);
    for (uint64_t k = 0; k < count; k++) {
      const uint64_t v = pairs == NULL ? k : pairs->to[pairs->start[u] + k];
      if (pairs == NULL && v == u) continue;
      if (!agrees(&next, last, u, v, similarity_of(out, into, measure, u, v), text, capacity)) return text;
    }
  }
  return next == last ? NULL : "there are pairs that were not asked for, or several times";
}

const char *check_similarity(const check_graph *g, const check_graph *pairs, int measure, const uint64_t *row,
                             const uint64_t *col, const double *value, uint64_t entries, char *text,
                             size_t capacity) {
  const char *why = check_no_memory;
  check_rows out = {0}, into = {0}, wanted = {0};
  triple *sorted = malloc((entries + 1) * sizeof *sorted);
  if (sorted != NULL && check_rows_make(&out, g, false) && check_rows_make(&into, g, true) &&
      (pairs == NULL || check_rows_make(&wanted, pairs, false))) {
    for (uint64_t k = 0; k < entries; k++) sorted[k] = (triple){row[k], col[k], value[k]};
    qsort(sorted, entries, sizeof *sorted, by_position);
    why = compare(&out, &into, pairs == NULL ? NULL : &wanted, measure, sorted, sorted + entries, text,
                  capacity);
  }
  free(sorted);
  check_rows_free(&out), check_rows_free(&into), check_rows_free(&wanted);
  return why;
}
