/* A shortest path between two nodes around others, searched for from both ends in NetworkX's steps, for
 * gridblas/nx/shortest_simple_paths.py: of several shortest ones the same is found.
 */
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct {
  double distance;
  int64_t order, node;
} item;

/* What is known of the nodes in one direction, from the source (0) or the target (1). A node that was found
 * in this search has its number in `found`, and in `done` if its distance is the least. The arcs of node k
 * are heads[begin[k]..begin[k + 1]). The same as in gridblas/nx/shortest_simple_paths.py. */
typedef struct {
  const int64_t *begin, *heads;
  const double *weights;
  int64_t *found, *done, *parent;
  double *distance;
  int64_t *queue; /* nodes by levels; without weights */
  item *heap;     /* with weights: room for each arc and the end */
  int64_t count, level_begin, pushed;
} side;

typedef struct {
  int64_t directed, weighted, search; /* search: the number of the last one */
  int64_t source, target;
  int64_t *left_out, *closed; /* nodes that paths avoid, and to which no arc from the source may lead */
  int64_t *path;
  double length;
  side sides[2];
} path_search;

EXPORT int64_t find_path_around(path_search *s, int64_t left_out, int64_t closed, const int64_t *heads,
                                int64_t target);
EXPORT int64_t path_item_bytes(void);

int64_t path_item_bytes(void) {
  return sizeof(item);
}

/* ---- a heap ---- */

static bool precedes(const item *a, const item *b) {
  return a->distance < b->distance || (a->distance == b->distance && a->order < b->order);
}

static void push(side *a, int64_t node, double distance) {
  const item new = {distance, a->pushed++, node};
  int64_t at = a->count++;
  for (; at > 0 && precedes(&new, &a->heap[(at - 1) / 2]); at = (at - 1) / 2)
    a->heap[at] = a->heap[(at - 1) / 2];
  a->heap[at] = new;
}

static item pop(side *a) {
  const item first = a->heap[0], last = a->heap[--a->count];
  int64_t at = 0, child;
  while ((child = 2 * at + 1) < a->count) {
    if (child + 1 < a->count && precedes(&a->heap[child + 1], &a->heap[child])) child++;
    if (!precedes(&a->heap[child], &last)) break;
    a->heap[at] = a->heap[child];
    at = child;
  }
  a->heap[at] = last;
  return first;
}

/* ---- searches ---- */

/* Whether paths may not go from node to head, or in direction 1 from head to node. */
static bool is_closed(const path_search *s, int direction, int64_t node, int64_t head) {
  const int64_t from = direction ? head : node, to = direction ? node : head;
  if (s->left_out[head] == s->search) return true;
  if (from == s->source && s->closed[to] == s->search) return true;
  return !s->directed && to == s->source && s->closed[from] == s->search;
}

static void find(path_search *s, int direction, int64_t node, int64_t parent, double distance) {
  side *a = &s->sides[direction];
  a->found[node] = s->search, a->parent[node] = parent, a->distance[node] = distance;
}

/* Finds the nodes of the next level in one direction; returns the first that was found in both, or -1. */
static int64_t find_level(path_search *s, int direction) {
  side *a = &s->sides[direction], *other = &s->sides[!direction];
  const int64_t end = a->count;
  for (int64_t k = a->level_begin; k < end; k++) {
    const int64_t node = a->queue[k];
    for (int64_t arc = a->begin[node]; arc < a->begin[node + 1]; arc++) {
      const int64_t head = a->heads[arc];
      if (is_closed(s, direction, node, head)) continue;
      if (a->found[head] != s->search) {
        find(s, direction, head, node, 0);
        a->queue[a->count++] = head;
      }
      if (other->found[head] == s->search) return head;
    }
  }
  a->level_begin = end;
  return -1;
}

/* A node where paths from both ends meet, or -1. */
static int64_t meet_by_levels(path_search *s) {
  side *a = s->sides;
  for (int direction = 0; direction < 2; direction++) {
    a[direction].queue[0] = direction ? s->target : s->source;
    a[direction].count = 1, a[direction].level_begin = 0;
  }
  for (;;) {
    const int64_t ahead = a[0].count - a[0].level_begin, back = a[1].count - a[1].level_begin;
    if (ahead == 0 || back == 0) return -1;
    const int64_t node = find_level(s, ahead > back);
    if (node >= 0) return node;
  }
}

/* Where the shortest path that is known meets, and its nodes on both sides: these may get other parents. */
typedef struct {
  int64_t node, parents[2];
  double length;
} meeting;

static void relax(path_search *s, int direction, int64_t node, meeting *best) {
  side *a = &s->sides[direction], *other = &s->sides[!direction];
  for (int64_t arc = a->begin[node]; arc < a->begin[node + 1]; arc++) {
    const int64_t head = a->heads[arc];
    if (is_closed(s, direction, node, head) || a->done[head] == s->search) continue;
    const double distance = a->distance[node] + a->weights[arc];
    if (a->found[head] == s->search && !(distance < a->distance[head])) continue;
    find(s, direction, head, node, distance);
    push(a, head, distance);
    if (other->found[head] != s->search) continue;
    const double length = s->sides[0].distance[head] + s->sides[1].distance[head];
    if (best->node < 0 || best->length > length)
      *best = (meeting){head, {s->sides[0].parent[head], s->sides[1].parent[head]}, length};
  }
}

static meeting meet_by_weights(path_search *s) {
  meeting best = {-1, {-1, -1}, 0};
  for (int direction = 0; direction < 2; direction++) {
    side *a = &s->sides[direction];
    a->count = a->pushed = 0;
    push(a, direction ? s->target : s->source, 0);
  }
  for (int direction = 0; s->sides[0].count > 0 && s->sides[1].count > 0; direction = !direction) {
    side *a = &s->sides[direction];
    const int64_t node = pop(a).node;
    if (a->done[node] == s->search) continue;
    a->done[node] = s->search;
    if (s->sides[!direction].done[node] == s->search) return best;
    relax(s, direction, node, &best);
  }
  return (meeting){-1, {-1, -1}, 0};
}

/* Lists the path through a node, whose parents are given; returns how many nodes it has. */
static int64_t list_path(const path_search *s, const meeting *at) {
  int64_t count = 1;
  for (int64_t node = at->parents[0]; node >= 0; node = s->sides[0].parent[node]) count++;
  const int64_t middle = count - 1;
  s->path[middle] = at->node;
  for (int64_t node = at->parents[0], k = middle; node >= 0; node = s->sides[0].parent[node])
    s->path[--k] = node;
  for (int64_t node = at->parents[1]; node >= 0; node = s->sides[1].parent[node]) s->path[count++] = node;
  return count;
}

/* The path to a target from the last of the path's first left_out + 1 nodes, without the others, and not at
 * first to one of these heads. Returns how many nodes path then has, and sets length; 0: there is none. */
int64_t find_path_around(path_search *s, int64_t left_out, int64_t closed, const int64_t *heads,
                         int64_t target) {
  s->search++, s->length = 0;
  s->source = s->path[left_out], s->target = target;
  for (int64_t k = 0; k < left_out; k++) s->left_out[s->path[k]] = s->search;
  for (int64_t k = 0; k < closed; k++) s->closed[heads[k]] = s->search;
  if (s->source == target) return s->path[0] = target, 1;
  find(s, 0, s->source, -1, 0), find(s, 1, target, -1, 0);
  meeting at = {-1, {-1, -1}, 0};
  if (s->weighted)
    at = meet_by_weights(s);
  else if ((at.node = meet_by_levels(s)) >= 0)
    at.parents[0] = s->sides[0].parent[at.node], at.parents[1] = s->sides[1].parent[at.node];
  s->length = at.length;
  return at.node < 0 ? 0 : list_path(s, &at);
}
