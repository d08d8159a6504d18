/* A basis of the cycles of an undirected graph, as NetworkX finds it, for gridblas/nx/cycles.py. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int64_t find_cycles(int64_t n, const int64_t *begin, const int64_t *heads, int64_t root, int64_t *room,
                           int64_t *links, int64_t *ends, int64_t *nodes);

/* The tree of a search by a stack, and for each node the neighbors that an edge of it has been used from: a
 * list by the positions of its links. */
typedef struct {
  const int64_t *begin, *heads;
  int64_t *before, *stack, *first, *used, *wanted; /* of nodes; used, wanted: the last mark */
  int64_t *link, *from, links, height, mark;
  int64_t *ends, *nodes, cycles, length; /* the cycles; NULL: they are counted */
} search;

static void use_edge(search *s, int64_t node, int64_t from) {
  s->from[s->links] = from, s->link[s->links] = s->first[node];
  s->first[node] = s->links++;
}

static void mark_used(search *s, int64_t node, int64_t *marks) {
  s->mark++;
  for (int64_t k = s->first[node]; k >= 0; k = s->link[k]) marks[s->from[k]] = s->mark;
}

static void list_node(search *s, int64_t node) {
  if (s->nodes != NULL) s->nodes[s->length] = node;
  s->length++;
}

static void end_cycle(search *s) {
  if (s->ends != NULL) s->ends[s->cycles] = s->length;
  s->cycles++;
}

/* The cycle of an edge and the tree's paths from both its ends. */
static void list_cycle(search *s, int64_t node, int64_t head) {
  mark_used(s, head, s->wanted);
  const int64_t mark = s->mark;
  list_node(s, head), list_node(s, node);
  int64_t at = s->before[node];
  for (; s->wanted[at] != mark; at = s->before[at]) list_node(s, at);
  list_node(s, at);
  end_cycle(s);
}

static void visit(search *s, int64_t node) {
  mark_used(s, node, s->used);
  const int64_t mark = s->mark;
  for (int64_t arc = s->begin[node]; arc < s->begin[node + 1]; arc++) {
    const int64_t head = s->heads[arc];
    if (head == node) {
      list_node(s, node), end_cycle(s);
    } else if (s->before[head] < 0) {
      s->before[head] = node, s->stack[s->height++] = head;
      use_edge(s, head, node);
    } else if (s->used[head] != mark) {
      list_cycle(s, node, head);
      use_edge(s, head, node);
    }
  }
}

static void search_from(search *s, int64_t root) {
  if (root < 0 || s->before[root] >= 0) return;
  s->before[root] = root, s->stack[s->height++] = root;
  while (s->height > 0) visit(s, s->stack[--s->height]);
}

/* The nodes of the cycles, up to ends[k] those of cycle k, from the root (-1: none), then from the last nodes
 * on. Where ends is NULL, links[0] becomes the number of cycles. Returns how many nodes there are. room: five
 * integers a node; links: two an arc, and one. */
int64_t find_cycles(int64_t n, const int64_t *begin, const int64_t *heads, int64_t root, int64_t *room,
                    int64_t *links, int64_t *ends, int64_t *nodes) {
  search s = {begin,
              heads,
              room,
              room + n,
              room + 2 * n,
              room + 3 * n,
              room + 4 * n,
              links + 1,
              links + 1 + begin[n],
              0,
              0,
              0,
              ends,
              nodes,
              0,
              0};
  for (int64_t k = 0; k < n; k++) s.before[k] = s.first[k] = -1, s.used[k] = s.wanted[k] = 0;
  search_from(&s, root);
  for (int64_t k = n - 1; k >= 0; k--) search_from(&s, k);
  if (ends == NULL) links[0] = s.cycles;
  return s.length;
}
