/* Rich-club coefficients: vertices leave in ascending order of their degrees, and with each its edges to
 * those that are left. */
#include "bench/check/structure/check_rich_club.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint64_t degree, vertex;
} ranked;

static int compare_degrees(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  return (x->degree > y->degree) - (x->degree < y->degree);
}

static const char *compare(const check_rows *r, ranked *order, bool *gone, const double *coefficient,
                           uint64_t n, char *text, size_t capacity) {
  uint64_t removed = 0, ends = r->start[r->n];
  for (uint64_t v = 0; v < r->n; v++) order[v] = (ranked){r->start[v + 1] - r->start[v], v};
  qsort(order, r->n, sizeof *order, compare_degrees);
  for (uint64_t k = 0;; k++) {
    for (; removed < r->n && order[removed].degree <= k; removed++) {
      const uint64_t v = order[removed].vertex;
      gone[v] = true;
      for (uint64_t e = r->start[v]; e < r->start[v + 1]; e++) ends -= gone[r->to[e]] ? 0 : 2;
    }
    const uint64_t left = r->n - removed;
    if (left < 2 || k >= n) {
      if (left < 2 && k == n) return NULL;
      snprintf(text, capacity,
               "there are %" PRIu64 " coefficients where %" PRIu64 " vertices exceed %" PRIu64, n, left, k);
      return text;
    }
    const double expected = (double)ends / ((double)left * (double)(left - 1));
    if (fabs(coefficient[k] - expected) <= 1e-15) continue;
    snprintf(text, capacity, "degree %" PRIu64 " has the coefficient %.17g where it is %.17g", k,
             coefficient[k], expected);
    return text;
  }
}

const char *check_rich_club(const check_graph *g, const double *coefficient, uint64_t n, char *text,
                            size_t capacity) {
  check_graph both = *g;
  check_rows r;
  both.both_directions = true, both.loops = false, both.weight = NULL;
  if (!check_rows_make(&r, &both, false)) return check_no_memory;
  ranked *order = malloc((g->n + 1) * sizeof *order);
  bool *gone = calloc(g->n + 1, sizeof *gone);
  const char *why = order == NULL || gone == NULL ? check_no_memory
                                                  : compare(&r, order, gone, coefficient, n, text, capacity);
  free(order), free(gone);
  check_rows_free(&r);
  return why;
}
