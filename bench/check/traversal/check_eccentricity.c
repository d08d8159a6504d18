/* Eccentricities by a search from every vertex. */
#include "bench/check/traversal/check_eccentricity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  check_rows r;
  int64_t *level;
  uint64_t *queue;
} searches;

static bool begin(searches *s, const check_graph *g) {
  check_graph plain = *g;
  plain.both_directions = true;
  *s = (searches){.level = malloc((g->n + 1) * sizeof *s->level),
                  .queue = malloc((g->n + 1) * sizeof *s->queue)};
  return s->level != NULL && s->queue != NULL && check_rows_make(&s->r, &plain, false);
}

static void end(searches *s) {
  free(s->level), free(s->queue);
  check_rows_free(&s->r);
}

static const char *compare(searches *s, const double *eccentricity, int64_t radius, int64_t diameter,
                           char *text, size_t capacity) {
  int64_t least = INT64_MAX, most = 0;
  for (uint64_t v = 0; v < s->r.n; v++) {
    const uint64_t found = check_search(s->level, s->queue, &s->r, v, -1);
    const int64_t farthest = s->level[s->queue[found - 1]];
    least = farthest < least ? farthest : least;
    most = farthest > most ? farthest : most;
    if (eccentricity[v] == (double)farthest) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " has the eccentricity %g, where it is %" PRId64, v,
             eccentricity[v], farthest);
    return text;
  }
  if (radius == least && diameter == most) return NULL;
  snprintf(text, capacity,
           "radius and diameter are %" PRId64 " and %" PRId64 ", where they are %" PRId64 " and %" PRId64,
           radius, diameter, least, most);
  return text;
}

const char *check_eccentricity(const check_graph *g, const double *eccentricity, int64_t radius,
                               int64_t diameter, char *text, size_t capacity) {
  searches s;
  const char *why =
      begin(&s, g) ? compare(&s, eccentricity, radius, diameter, text, capacity) : check_no_memory;
  end(&s);
  return why;
}
