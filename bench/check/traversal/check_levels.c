/* Breadth-first levels with a queue, one source at a time. */
#include "bench/check/traversal/check_levels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const char *check_levels(const check_graph *g, const uint64_t *source, uint64_t nsources, int64_t limit,
                         const uint64_t *row, const uint64_t *col, const double *value, uint64_t entries,
                         char *text, size_t capacity) {
  const char *why = check_no_memory;
  check_rows out;
  if (!check_rows_make(&out, g, false)) return why;
  int64_t *level = malloc(g->n * sizeof *level);
  uint64_t *queue = malloc(g->n * sizeof *queue), expected = 0;
  if (level != NULL && queue != NULL) {
    why = NULL;
    for (uint64_t s = 0; why == NULL && s < nsources; s++) {
      uint64_t found = 0;
      expected = check_search(level, queue, &out, source[s], limit);
      for (uint64_t k = 0; why == NULL && k < entries; k++) {
        if (row[k] != s) continue;
        found++;
        const double want = (double)level[col[k]];
        level[col[k]] = -2; /* so that a second entry of the vertex is an error */
        if (value[k] == want && want >= 0) continue;
        snprintf(text, capacity,
                 "vertex number %" PRIu64 " is at level %.0f of source number %" PRIu64
                 ", the answer says %.0f",
                 col[k], want, s, value[k]);
        why = text;
      }
      if (why == NULL && found != expected) {
        snprintf(text, capacity,
                 "source number %" PRIu64 " reaches %" PRIu64 " vertices, the answer says %" PRIu64, s,
                 expected, found);
        why = text;
      }
    }
  }
  free(level), free(queue);
  check_rows_free(&out);
  return why;
}
