/* Reachable vertices by depth-first search from each vertex. */
#include "bench/check/traversal/check_transitive_closure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Marks the vertices behind v with v + 1; their number. v itself counts if a cycle leads back to it. */
static uint64_t search(uint64_t *mark, uint64_t *stack, const check_rows *out, uint64_t v) {
  uint64_t depth = 0, found = 0;
  stack[depth++] = v;
  while (depth > 0) {
    const uint64_t u = stack[--depth];
    for (uint64_t k = out->start[u]; k < out->start[u + 1]; k++) {
      const uint64_t w = out->to[k];
      if (mark[w] == v + 1) continue;
      mark[w] = v + 1, found++;
      if (w != v) stack[depth++] = w; /* v's own edges are read already */
    }
  }
  return found;
}

static const char *compare(uint64_t *mark, uint64_t *stack, const check_rows *out, const check_rows *answer,
                           char *text, size_t capacity) {
  for (uint64_t v = 0; v < out->n; v++) {
    const uint64_t found = search(mark, stack, out, v), said = answer->start[v + 1] - answer->start[v];
    for (uint64_t k = answer->start[v]; k < answer->start[v + 1]; k++) {
      if (mark[answer->to[k]] == v + 1) continue;
      snprintf(text, capacity, "no path leads from vertex number %" PRIu64 " to %" PRIu64, v, answer->to[k]);
      return text;
    }
    if (said == found) continue;
    snprintf(text, capacity,
             "vertex number %" PRIu64 " reaches %" PRIu64 " vertices, the answer has %" PRIu64, v, found,
             said);
    return text;
  }
  return NULL;
}

const char *check_transitive_closure(const check_graph *g, const uint64_t *row, const uint64_t *col,
                                     uint64_t entries, char *text, size_t capacity) {
  const check_graph pairs = {
      .n = g->n, .m = entries, .from = (uint64_t *)row, .to = (uint64_t *)col, .loops = true};
  check_rows out = {0}, answer = {0};
  const char *why = check_no_memory;
  uint64_t *mark = calloc(g->n + 1, sizeof *mark), *stack = calloc(g->n + 1, sizeof *stack);
  if (mark != NULL && stack != NULL && check_rows_make(&out, g, false) &&
      check_rows_make(&answer, &pairs, false)) {
    why = compare(mark, stack, &out, &answer, text, capacity);
    if (why == NULL && answer.start[g->n] != entries) why = "a pair is there twice";
  }
  free(mark), free(stack);
  check_rows_free(&out), check_rows_free(&answer);
  return why;
}
