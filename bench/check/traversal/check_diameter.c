/* A double sweep, followed by serial searches from its two ends and from where it began. That `diameter` is a
 * distance makes it a lower bound; that no search reaches farther says that the sweep went on to its end. */
#include "bench/check/traversal/check_diameter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  check_rows rows;
  int64_t *level; /* of the last search */
  uint64_t *queue;
} work;

/* Searches from v. Returns the largest distance; *end: the smallest vertex there. */
static int64_t search(work *w, uint64_t v, uint64_t *end) {
  const uint64_t count = check_search(w->level, w->queue, &w->rows, v, -1);
  const int64_t most = w->level[w->queue[count - 1]];
  for (*end = 0; w->level[*end] != most; ++*end) {
  }
  return most;
}

/* The number of v where the answer's level is 0: there must be one. */
static bool find_start(uint64_t *start, const double *level, uint64_t n) {
  uint64_t found = 0;
  for (uint64_t v = 0; v < n; v++)
    if (level[v] == 0) *start = v, found++;
  return found == 1;
}

static const char *compare(work *w, uint64_t source, const double *level, int64_t diameter, char *text,
                           size_t capacity) {
  uint64_t start = 0, end, unused;
  if (!find_start(&start, level, w->rows.n)) return "there is not one vertex at level 0";
  const int64_t most = search(w, start, &end);
  for (uint64_t v = 0; v < w->rows.n; v++) {
    if (w->level[v] < 0 ? level[v] != level[v] : level[v] == (double)w->level[v]) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " has the level %g where it is %" PRId64, v, level[v],
             w->level[v]);
    return text;
  }
  snprintf(text, capacity, "the answer is %" PRId64 ", from vertex number %" PRIu64 " it is %" PRId64,
           diameter, start, most);
  if (w->level[source] < 0) return "the path is in another component than the source";
  if (most != diameter || search(w, end, &unused) > diameter || search(w, source, &unused) > diameter)
    return text;
  return NULL;
}

const char *check_diameter(const check_graph *g, uint64_t source, const double *level, int64_t diameter,
                           char *text, size_t capacity) {
  check_graph both = *g;
  work w = {.level = malloc(g->n * sizeof *w.level), .queue = malloc(g->n * sizeof *w.queue)};
  const char *why = check_no_memory;
  both.both_directions = true, both.weight = NULL;
  if (w.level != NULL && w.queue != NULL && check_rows_make(&w.rows, &both, false))
    why = compare(&w, source, level, diameter, text, capacity);
  free(w.level), free(w.queue);
  check_rows_free(&w.rows);
  return why;
}
