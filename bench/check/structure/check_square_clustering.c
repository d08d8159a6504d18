/* Square clustering by its definition: compares the lists of neighbors of each pair of a vertex's neighbors
 * (Zhang et al., 2008). */
#include "bench/check/structure/check_square_clustering.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static uint64_t count_common(const check_rows *r, uint64_t u, uint64_t w) {
  uint64_t count = 0, k = r->start[u], l = r->start[w];
  while (k < r->start[u + 1] && l < r->start[w + 1]) {
    count += r->to[k] == r->to[l];
    if (r->to[k] < r->to[l])
      k++;
    else
      l++;
  }
  return count;
}

static double coefficient_of(const check_rows *r, uint64_t v) {
  double squares = 0, possible = 0;
  for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++)
    for (uint64_t l = r->start[v]; l < k; l++) {
      const uint64_t u = r->to[k], w = r->to[l];
      const uint64_t q = count_common(r, u, w) - 1;
      const uint64_t not_free = q + 1 + (check_rows_find(r, u, w) < r->start[r->n]);
      squares += (double)q;
      possible +=
          (double)(r->start[u + 1] - r->start[u] - not_free + r->start[w + 1] - r->start[w] - not_free + q);
    }
  return possible > 0 ? squares / possible : 0;
}

const char *check_square_clustering(const check_graph *g, const double *coefficient, char *text,
                                    size_t capacity) {
  check_graph both = *g;
  check_rows r;
  const char *why = NULL;
  both.both_directions = true, both.loops = false, both.weight = NULL;
  if (!check_rows_make(&r, &both, false)) return check_no_memory;
  for (uint64_t v = 0; why == NULL && v < g->n; v++) {
    const double expected = coefficient_of(&r, v);
    if (fabs(coefficient[v] - expected) <= 1e-15) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " has the coefficient %.17g where it is %.17g", v,
             coefficient[v], expected);
    why = text;
  }
  check_rows_free(&r);
  return why;
}
