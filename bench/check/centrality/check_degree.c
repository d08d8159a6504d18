/* Degrees by the lengths of sorted rows. */
#include "bench/check/centrality/check_degree.h"

#include <inttypes.h>
#include <stdio.h>

static const char *compare(const check_rows *rows, const double *degree, const char *which, char *text,
                           size_t capacity) {
  for (uint64_t v = 0; v < rows->n; v++) {
    const uint64_t want = rows->start[v + 1] - rows->start[v];
    if (degree[v] == (double)want) continue;
    snprintf(text, capacity, "the %s-degree of vertex number %" PRIu64 " is %.17g, where it is %" PRIu64,
             which, v, degree[v], want);
    return text;
  }
  return NULL;
}

const char *check_degree(const check_graph *g, const double *out, const double *in, char *text,
                         size_t capacity) {
  check_graph plain = *g;
  const char *why = NULL;
  plain.loops = false, plain.weight = NULL;
  for (int into = 0; into < 2 && why == NULL; into++) {
    const double *degree = into ? in : out;
    check_rows rows = {0};
    if (degree == NULL) continue;
    why = check_rows_make(&rows, &plain, into) ? compare(&rows, degree, into ? "in" : "out", text, capacity)
                                               : check_no_memory;
    check_rows_free(&rows);
  }
  return why;
}
