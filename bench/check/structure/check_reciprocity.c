/* Reciprocity by merging the sorted rows of edges out of and into each vertex. */
#include "bench/check/structure/check_reciprocity.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The number of vertices in both rows of v. */
static uint64_t count_common(const check_rows *out, const check_rows *in, uint64_t v) {
  uint64_t a = out->start[v], b = in->start[v], both = 0;
  while (a < out->start[v + 1] && b < in->start[v + 1]) {
    const uint64_t x = out->to[a], y = in->to[b];
    both += x == y;
    a += x <= y;
    b += y <= x;
  }
  return both;
}

static const char *compare(const check_rows *out, const check_rows *in, double reciprocity,
                           const double *per_vertex, char *text, size_t capacity) {
  uint64_t both = 0;
  for (uint64_t v = 0; v < out->n; v++) {
    const uint64_t common = count_common(out, in, v);
    const uint64_t all = out->start[v + 1] - out->start[v] + in->start[v + 1] - in->start[v];
    const double want = all == 0 ? 0 : 2 * (double)common / (double)all;
    both += common;
    if (fabs(per_vertex[v] - want) < 1e-14) continue;
    snprintf(text, capacity, "the reciprocity of vertex number %" PRIu64 " is %.17g, where it is %.17g", v,
             per_vertex[v], want);
    return text;
  }
  const uint64_t edges = out->start[out->n];
  const double want = edges == 0 ? 0 : (double)both / (double)edges;
  if (fabs(reciprocity - want) < 1e-14) return NULL;
  snprintf(text, capacity, "the reciprocity is %.17g, where it is %.17g", reciprocity, want);
  return text;
}

const char *check_reciprocity(const check_graph *g, double reciprocity, const double *per_vertex, char *text,
                              size_t capacity) {
  check_graph plain = *g;
  check_rows out = {0}, in = {0};
  plain.loops = false, plain.weight = NULL;
  const char *why = check_no_memory;
  if (check_rows_make(&out, &plain, false) && check_rows_make(&in, &plain, true))
    why = compare(&out, &in, reciprocity, per_vertex, text, capacity);
  check_rows_free(&out), check_rows_free(&in);
  return why;
}
