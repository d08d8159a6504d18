/* Distances from each vertex by a search of its own (check_paths.c). */
#include "bench/check/traversal/check_all_pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/check/traversal/check_paths.h"

/* source: of each row of the answer; NULL: its number. */
static const char *compare(double *t, check_paths_work *w, const check_rows *out, const check_rows *answer,
                           const uint64_t *source, char *text, size_t capacity) {
  for (uint64_t s = 0; s < answer->n; s++) {
    uint64_t reached = 0;
    const uint64_t from = source == NULL ? s : source[s];
    check_paths_search(t, w, out, from);
    for (uint64_t v = 0; v < out->n; v++) reached += check_paths_reached(w, from, v);
    for (uint64_t k = answer->start[s]; k < answer->start[s + 1]; k++) {
      if (answer->weight[k] == t[answer->to[k]]) continue;
      snprintf(text, capacity,
               "vertex number %" PRIu64 " is at the distance %.17g from %" PRIu64 ", the answer says %.17g",
               answer->to[k], t[answer->to[k]], from, answer->weight[k]);
      return text;
    }
    if (answer->start[s + 1] - answer->start[s] == reached) continue;
    snprintf(text, capacity,
             "vertex number %" PRIu64 " reaches %" PRIu64 " vertices, the answer has %" PRIu64, from, reached,
             answer->start[s + 1] - answer->start[s]);
    return text;
  }
  return NULL;
}

static const char *check(const check_graph *g, const check_graph *pairs, const uint64_t *source, char *text,
                         size_t capacity) {
  check_rows out = {0}, answer = {0};
  const char *why = check_no_memory;
  double *t = malloc((g->n + 1) * sizeof *t);
  check_paths_work w;
  if (check_paths_allocate(&w, g->n) && t != NULL && check_rows_make(&out, g, false) &&
      check_rows_make(&answer, pairs, false)) {
    why = compare(t, &w, &out, &answer, source, text, capacity);
    if (why == NULL && answer.start[pairs->n] != pairs->m) why = "a pair is there twice";
  }
  free(t);
  check_paths_free(&w);
  check_rows_free(&out), check_rows_free(&answer);
  return why;
}

const char *check_all_pairs(const check_graph *g, const uint64_t *row, const uint64_t *col,
                            const double *value, uint64_t entries, char *text, size_t capacity) {
  const check_graph pairs = {.n = g->n,
                             .m = entries,
                             .from = (uint64_t *)row,
                             .to = (uint64_t *)col,
                             .weight = (double *)value,
                             .loops = true};
  return check(g, &pairs, NULL, text, capacity);
}

const char *check_paths_many(const check_graph *g, const uint64_t *source, uint64_t nsources,
                             const uint64_t *number, const uint64_t *vertex, const double *value,
                             uint64_t entries, char *text, size_t capacity) {
  const check_graph pairs = {.n = nsources,
                             .m = entries,
                             .from = (uint64_t *)number,
                             .to = (uint64_t *)vertex,
                             .weight = (double *)value,
                             .loops = true};
  return check(g, &pairs, source, text, capacity);
}
