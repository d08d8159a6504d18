/* Depth-first searches in NetworkX's order, for gridblas/nx/depth_first.py. */
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int64_t depth_first(const int64_t *begin, const int64_t *heads, int64_t starts, const int64_t *start,
                           double limit, bool all, bool *visited, int64_t *stack, int64_t *next,
                           int64_t *tail, int64_t *head, int64_t *kind);

enum { FORWARD, NONTREE, REVERSE, AT_LIMIT }; /* kinds of the steps of a search */

/* The nodes on the path from the start, the next arc of each, and the steps as they are made. */
typedef struct {
  const int64_t *begin, *heads;
  double limit;
  bool all, *visited;
  int64_t *stack, *next, depth;
  int64_t *tail, *head, *kind, count;
} search;

static void list_step(search *s, int64_t tail, int64_t head, int64_t kind) {
  if (kind != FORWARD && !s->all) return;
  s->tail[s->count] = tail, s->head[s->count] = head, s->kind[s->count++] = kind;
}

static void push(search *s, int64_t node) {
  s->next[s->depth] = s->begin[node];
  s->stack[s->depth++] = node;
}

/* Goes through the arcs of the last node, parallel ones once, until one leads to a node that is searched
 * from; where none does, goes back. */
static void advance(search *s) {
  const int64_t node = s->stack[s->depth - 1];
  int64_t *const arc = &s->next[s->depth - 1];
  while (*arc < s->begin[node + 1]) {
    const int64_t head = s->heads[(*arc)++];
    if (*arc - 1 > s->begin[node] && head == s->heads[*arc - 2]) continue;
    list_step(s, node, head, s->visited[head] ? NONTREE : FORWARD);
    if (s->visited[head]) continue;
    s->visited[head] = true;
    if ((double)s->depth < s->limit) {
      push(s, head);
      return;
    }
    list_step(s, node, head, AT_LIMIT);
  }
  s->depth--;
  list_step(s, s->depth > 0 ? s->stack[s->depth - 1] : node, node, REVERSE);
}

/* The steps of searches from nodes that no search before has visited; returns how many. all: not alone those
 * to new nodes. A start is a step from itself. visited: all false; stack, next: an integer a node. */
int64_t depth_first(const int64_t *begin, const int64_t *heads, int64_t starts, const int64_t *start,
                    double limit, bool all, bool *visited, int64_t *stack, int64_t *next, int64_t *tail,
                    int64_t *head, int64_t *kind) {
  search s = {begin, heads, limit, all, visited, stack, next, 0, tail, head, kind, 0};
  for (int64_t k = 0; k < starts; k++) {
    if (visited[start[k]]) continue;
    visited[start[k]] = true;
    list_step(&s, start[k], start[k], FORWARD);
    push(&s, start[k]);
    while (s.depth > 0) advance(&s);
  }
  return s.count;
}
