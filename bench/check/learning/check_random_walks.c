/* Each step of a walk is looked for among the edges. */
#include "bench/check/learning/check_random_walks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static bool is_step(const check_rows *r, uint64_t v, double to) {
  if (!(to >= 0) || to >= (double)r->n || to != floor(to)) return false;
  const uint64_t at = check_rows_find(r, v, (uint64_t)to);
  return at != r->start[r->n] && (r->weight == NULL || r->weight[at] > 0);
}

static bool has_steps(const check_rows *r, uint64_t v) {
  for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++)
    if (r->weight == NULL || r->weight[k] > 0) return true;
  return false;
}

static const char *check_walk(const check_rows *r, const double *walk, uint64_t start, uint64_t length) {
  uint64_t v = start, step = 1;
  if (walk[0] != (double)start) return "does not begin at its start";
  for (; step <= length && !isnan(walk[step]); step++) {
    if (!is_step(r, v, walk[step])) return "has a step that is not along an edge";
    v = (uint64_t)walk[step];
  }
  if (step <= length && has_steps(r, v)) return "ends at a vertex that has edges";
  for (; step <= length; step++)
    if (!isnan(walk[step])) return "goes on after its end";
  return NULL;
}

const char *check_random_walks(const check_graph *g, const double *walk, const uint64_t *start,
                               uint64_t nwalks, uint64_t length, char *text, size_t capacity) {
  check_rows r;
  const char *why = NULL;
  if (!check_rows_make(&r, g, false)) return check_no_memory;
  for (uint64_t k = 0; why == NULL && k < nwalks; k++) {
    why = check_walk(&r, walk + k * (length + 1), start[k], length);
    if (why != NULL) snprintf(text, capacity, "walk %" PRIu64 " %s", k, why);
  }
  check_rows_free(&r);
  return why == NULL ? NULL : text;
}
