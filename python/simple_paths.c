/* Simple paths of a graph, and shortest paths by the nodes before each, in NetworkX's order, for
 * gridblas/nx/simple_paths.py. A search goes on where it was: the caller takes some paths after another, and
 * sees interrupts between.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* The arcs of node k are heads[begin[k]..begin[k + 1]). The same as in gridblas/nx/simple_paths.py. */
typedef struct {
  int64_t limit, by_arcs; /* arcs of a path at most; whether paths are listed by their arcs, else nodes */
  const int64_t *begin, *heads;
  const int64_t *distance; /* of each node to the nearest target; above the limit: there is none */
  const bool *target;
  bool *on_path;
  int64_t *path, *arc, *next; /* by depth: nodes, the arcs to them, and the next arc from each */
  int64_t *state;
} path_search;

enum { DEPTH, LEFT }; /* of state: nodes on the path (below 0: at the end), targets that are not on it */

/* Paths that are listed: up to ends[k] the items of path k. */
typedef struct {
  int64_t *ends, *items, count, length;
} list;

EXPORT int64_t list_simple_paths(const path_search *s, int64_t steps, int64_t room, int64_t *ends,
                                 int64_t *items);
EXPORT int64_t list_shortest_paths(const int64_t *begin, const int64_t *before, int64_t source,
                                   int64_t *stack, int64_t *next, bool *on_stack, int64_t *top, int64_t steps,
                                   int64_t room, int64_t *ends, int64_t *items);

/* The node behind the path is its next one. It is listed as the end of one, and searched from if that can
 * lead to a target. */
static void visit(const path_search *s, int64_t node, int64_t arc, list *paths) {
  const int64_t depth = s->state[DEPTH];
  s->path[depth] = node, s->arc[depth] = arc;
  if (s->target[node]) {
    const int64_t count = s->by_arcs ? depth : depth + 1;
    memcpy(paths->items + paths->length, s->by_arcs ? s->arc + 1 : s->path,
           (size_t)count * sizeof *paths->items);
    paths->ends[paths->count++] = paths->length += count;
  }
  if (depth >= s->limit || s->state[LEFT] == s->target[node] || s->distance[node] > s->limit - depth) return;
  s->on_path[node] = true, s->state[LEFT] -= s->target[node];
  s->next[depth] = s->begin[node];
  s->state[DEPTH]++;
}

/* Goes back from the last node. */
static void leave(const path_search *s) {
  const int64_t node = s->path[--s->state[DEPTH]];
  s->on_path[node] = false, s->state[LEFT] += s->target[node];
  if (s->state[DEPTH] == 0) s->state[DEPTH] = -1;
}

/* The next paths from path[0] to a target, while there is room for another and for so many steps. Returns how
 * many. DEPTH: 0 at first. */
int64_t list_simple_paths(const path_search *s, int64_t steps, int64_t room, int64_t *ends, int64_t *items) {
  list paths = {ends, items, 0, 0};
  if (s->state[DEPTH] == 0) {
    visit(s, s->path[0], -1, &paths);
    if (s->state[DEPTH] == 0) s->state[DEPTH] = -1;
  }
  for (; s->state[DEPTH] > 0 && paths.length < room && steps > 0; steps--) {
    const int64_t last = s->state[DEPTH] - 1, arc = s->next[last]++;
    if (arc == s->begin[s->path[last] + 1])
      leave(s);
    else if (!s->on_path[s->heads[arc]])
      visit(s, s->heads[arc], arc, &paths);
  }
  return paths.count;
}

/* The next paths from a source to stack[0], of which the nodes before node k are before[begin[k]..begin[k +
 * 1]); as above. *top: the height of the stack, -1 at the end. */
int64_t list_shortest_paths(const int64_t *begin, const int64_t *before, int64_t source, int64_t *stack,
                            int64_t *next, bool *on_stack, int64_t *top, int64_t steps, int64_t room,
                            int64_t *ends, int64_t *items) {
  list paths = {ends, items, 0, 0};
  for (; *top >= 0 && paths.length < room && steps > 0; steps--) {
    int64_t node = stack[*top];
    const bool at_source = node == source;
    if (at_source) { /* again after each node before it, from which edges of weight 0 lead */
      for (int64_t k = *top; k >= 0; k--) items[paths.length++] = stack[k];
      ends[paths.count++] = paths.length;
    }
    if (next[*top] == begin[node + 1]) {
      on_stack[node] = false, --*top;
      continue;
    }
    node = before[next[*top]++];
    if (at_source || on_stack[node]) continue;
    on_stack[node] = true, ++*top;
    stack[*top] = node, next[*top] = begin[node];
  }
  return paths.count;
}
