/* Simple cycles, for gridblas/nx/simple_cycles.py: Johnson's method (SIAM Journal on Computing 4, 1975),
 * where a node from which no cycle could be closed is locked until one behind it is left with success. With a
 * bound on the length a lock depends on the depth (Gupta and Suzumura, arXiv 2105.10094), and at first on the
 * distance to the start.
 *
 * Cycles are listed with their smallest node first, an undirected one with its second smaller than its last.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Arcs of node k: heads[begin[k]..begin[k + 1]); against them tails[into[k]..into[k + 1]), which are the arcs
 * `arcs`. What is between two calls stays in the arrays. The same as in gridblas/nx/simple_cycles.py. */
typedef struct {
  int64_t n, bound, directed; /* bound: the longest cycles; above n: all */
  const int64_t *begin, *heads, *into, *tails, *arcs;
  /* Of nodes: it is taken at depths below its lock, which is at most `most`. */
  int64_t *lock, *most, *reached, *stack;
  int64_t *out, *in;               /* of nodes: its arcs to and from nodes that are not dropped */
  bool *dropped;                   /* of nodes: no other cycle has it */
  bool *closes, *on_path, *closed; /* of nodes: an arc to the start counts; of depths: a cycle was found */
  bool *waits;                     /* of arcs: their tails are unlocked with their heads */
  int64_t *path, *next;            /* of depths */
  int64_t *state;
} cycle_search;

enum { START, SECOND, DEPTH, REACHED }; /* of state: the next start, its next arc, nodes on the path, ... */

EXPORT int64_t list_cycles(const cycle_search *s, int64_t steps, int64_t room, int64_t *ends, int64_t *nodes);

static int64_t first_nodes(const cycle_search *s) {
  return s->directed ? 1 : 2;
}

static void reach(const cycle_search *s, int64_t node, int64_t distance) {
  if (s->most[node] > 0) return;
  s->lock[node] = s->most[node] = s->bound > s->n ? s->n + 1 : s->bound + 1 - distance;
  s->reached[s->state[REACHED]++] = node;
}

/* The nodes behind the last of the first nodes from which the start can be reached; `last` closes no cycle.
 */
static void find_reached(const cycle_search *s, int64_t start, int64_t last) {
  const int64_t least = first_nodes(s) + 1; /* of `most` */
  for (int64_t at = s->into[start]; at < s->into[start + 1]; at++) {
    const int64_t node = s->tails[at];
    if (node <= last || s->dropped[node] || s->bound < least) continue;
    s->closes[node] = true;
    reach(s, node, 1);
  }
  int64_t level_end = s->state[REACHED], distance = 2;
  for (int64_t k = 0; k < s->state[REACHED]; k++) {
    if (k == level_end) level_end = s->state[REACHED], distance++;
    if (s->bound <= s->n && s->bound + 1 - distance < least) return;
    const int64_t node = s->reached[k];
    for (int64_t at = s->into[node]; at < s->into[node + 1]; at++)
      if (!s->dropped[s->tails[at]] && s->tails[at] != start && (s->directed || s->tails[at] != last))
        reach(s, s->tails[at], distance);
  }
}

static void forget_reached(const cycle_search *s) {
  for (int64_t k = 0; k < s->state[REACHED]; k++) {
    const int64_t node = s->reached[k];
    s->lock[node] = s->most[node] = 0;
    s->closes[node] = false;
    memset(s->waits + s->begin[node], 0, (size_t)(s->begin[node + 1] - s->begin[node]));
  }
  s->state[REACHED] = 0;
}

/* Drops a node, and then those with too few arcs for a cycle: without them searches do not pass through what
 * falls apart. */
static void drop(const cycle_search *s, int64_t node) {
  int64_t height = 0;
  if (s->dropped[node]) return;
  s->dropped[node] = true;
  s->stack[height++] = node;
  while (height > 0) {
    node = s->stack[--height];
    for (int64_t arc = s->begin[node]; arc < s->begin[node + 1]; arc++) {
      const int64_t head = s->heads[arc];
      if (--s->in[head] >= first_nodes(s) || s->dropped[head]) continue;
      s->dropped[head] = true;
      s->stack[height++] = head;
    }
    for (int64_t at = s->into[node]; at < s->into[node + 1]; at++) {
      const int64_t tail = s->tails[at];
      if (--s->out[tail] >= first_nodes(s) || s->dropped[tail]) continue;
      s->dropped[tail] = true;
      s->stack[height++] = tail;
    }
  }
}

static void push(const cycle_search *s, int64_t node, bool closed) {
  const int64_t depth = s->state[DEPTH]++;
  s->path[depth] = node, s->next[depth] = s->begin[node];
  s->closed[depth] = closed, s->on_path[node] = true;
}

/* The first node of the next search, or the first two of an undirected one. Returns whether there are more.
 */
static bool begin_search(const cycle_search *s) {
  int64_t *start = &s->state[START], *arc = &s->state[SECOND];
  if (s->directed && *start > 0) drop(s, *start - 1);
  if (*start == s->n) return false;
  const int64_t end = s->begin[*start + 1];
  if (!s->directed)
    while (*arc < end && (s->dropped[*start] || s->dropped[s->heads[*arc]])) ++*arc;
  if (!s->directed && *arc == end) {
    drop(s, *start);
    ++*start; /* whose first arc is the next */
    return true;
  }
  const int64_t first = *start, last = s->directed ? first : s->heads[*arc];
  if (s->directed)
    ++*start;
  else
    ++*arc;
  if (s->dropped[first]) return true;
  find_reached(s, first, last);
  if (s->state[REACHED] == 0) return true;
  push(s, first, false);
  if (!s->directed) push(s, last, false);
  return true;
}

/* Unlocks a node, and those that wait for it. */
static void unlock(const cycle_search *s, int64_t node) {
  int64_t height = 0;
  s->lock[node] = s->most[node];
  s->stack[height++] = node;
  while (height > 0) {
    node = s->stack[--height];
    for (int64_t at = s->into[node]; at < s->into[node + 1]; at++) {
      const int64_t waiting = s->tails[at];
      if (!s->waits[s->arcs[at]] || s->on_path[waiting]) continue;
      s->waits[s->arcs[at]] = false;
      if (s->lock[waiting] == s->most[waiting]) continue;
      s->lock[waiting] = s->most[waiting];
      s->stack[height++] = waiting;
    }
  }
}

/* Goes back from the last node. */
static void leave(const cycle_search *s) {
  const int64_t depth = --s->state[DEPTH], node = s->path[depth];
  s->on_path[node] = false;
  if (depth < first_nodes(s)) return;
  if (s->closed[depth]) {
    s->closed[depth - 1] = true;
    unlock(s, node);
  } else {
    memset(s->waits + s->begin[node], 1, (size_t)(s->begin[node + 1] - s->begin[node]));
  }
}

/* Takes the next arc of the last node. Returns whether its head closes a cycle. */
static bool advance(const cycle_search *s) {
  const int64_t depth = s->state[DEPTH], node = s->path[depth - 1];
  for (int64_t *arc = &s->next[depth - 1]; *arc < s->begin[node + 1];) {
    const int64_t head = s->heads[(*arc)++];
    if (depth >= s->lock[head]) continue;
    s->lock[head] = s->bound > s->n ? 0 : depth;
    push(s, head, s->closes[head]);
    return s->closes[head];
  }
  leave(s);
  if (s->state[DEPTH] < first_nodes(s)) {
    while (s->state[DEPTH] > 0) leave(s);
    forget_reached(s);
  }
  return false;
}

/* The next cycles, up to ends[k] the nodes of cycle k, while there is room for another and for so many steps.
 * Returns how many; START is n at the end. */
int64_t list_cycles(const cycle_search *s, int64_t steps, int64_t room, int64_t *ends, int64_t *nodes) {
  int64_t count = 0, length = 0;
  for (; length < room && steps > 0; steps--) {
    if (s->state[DEPTH] == 0) {
      if (!begin_search(s)) break;
      steps -= s->state[REACHED];
    } else if (advance(s)) {
      const int64_t size = s->state[DEPTH];
      memcpy(nodes + length, s->path, (size_t)size * sizeof *nodes);
      ends[count++] = length += size;
    }
  }
  return count;
}
