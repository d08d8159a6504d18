/* Longest paths by depth-first search against the edges: the level of a vertex is one more than the largest
 * of its predecessors. It has none if one of them has none, or is on the path of the search. */
#include "bench/check/traversal/check_topological_order.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { UNSEEN, ON_PATH, DONE };

typedef struct {
  check_rows in;
  char *state;
  double *level; /* NaN: none */
  uint64_t *path, *next;
} longest;

/* The level of w, a predecessor of v, is known; infinite levels stand for cycles until the end. */
static void raise(longest *p, uint64_t v, double below) {
  if (below + 1 > p->level[v]) p->level[v] = below + 1;
}

static void search(longest *p, uint64_t from) {
  uint64_t depth = 1;
  p->path[0] = from;
  while (depth > 0) {
    const uint64_t v = p->path[depth - 1];
    if (p->state[v] == UNSEEN) p->state[v] = ON_PATH, p->level[v] = 0, p->next[v] = p->in.start[v];
    if (p->next[v] == p->in.start[v + 1]) {
      p->state[v] = DONE;
      depth--;
      if (depth > 0) raise(p, p->path[depth - 1], p->level[v]);
      continue;
    }
    const uint64_t w = p->in.to[p->next[v]++];
    if (p->state[w] == UNSEEN)
      p->path[depth++] = w;
    else
      raise(p, v, p->state[w] == ON_PATH ? (double)INFINITY : p->level[w]);
  }
}

static const char *compare(const longest *p, const double *level, bool acyclic, char *text, size_t capacity) {
  bool all = true;
  for (uint64_t v = 0; v < p->in.n; v++) {
    const bool none = isinf(p->level[v]);
    all = all && !none;
    if (none ? isnan(level[v]) : level[v] == p->level[v]) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " is at level %g, where it is %g (inf: none)", v,
             level[v], p->level[v]);
    return text;
  }
  if (all == acyclic) return NULL;
  snprintf(text, capacity, "the graph is said to have %s cycle", acyclic ? "no" : "a");
  return text;
}

const char *check_topological_order(const check_graph *g, const double *level, bool acyclic, char *text,
                                    size_t capacity) {
  longest p = {.state = NULL};
  const char *why = check_no_memory;
  if (!check_rows_make(&p.in, g, true)) return why;
  p.state = calloc(g->n + 1, sizeof *p.state);
  p.level = calloc(g->n + 1, sizeof *p.level);
  p.path = calloc(g->n + 1, sizeof *p.path);
  p.next = calloc(g->n + 1, sizeof *p.next);
  if (p.state != NULL && p.level != NULL && p.path != NULL && p.next != NULL) {
    for (uint64_t v = 0; v < g->n; v++)
      if (p.state[v] == UNSEEN) search(&p, v);
    why = compare(&p, level, acyclic, text, capacity);
  }
  free(p.state), free(p.level), free(p.path), free(p.next);
  check_rows_free(&p.in);
  return why;
}
