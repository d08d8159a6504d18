/* What is counted and listed in the neighborhoods of nodes, for gridblas/nx/neighborhoods.py. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void count_triads(int64_t n, const int64_t *begin, const int64_t *heads, const uint8_t *directions,
                         int64_t *counts, int64_t *dyads);
EXPORT double near_neighbors(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *inside,
                             int64_t *level, int64_t *queue);
EXPORT void list_near(int64_t n, const int64_t *begin, const int64_t *heads, int64_t distance, int64_t *level,
                      int64_t *queue, int64_t *near_begin, int64_t *near);
EXPORT int64_t list_two_steps(int64_t count, const int64_t *between, const int64_t *begin,
                              const int64_t *heads, const double *share, int64_t *place, int64_t *found,
                              int64_t *common, double *shares);

/* Neighbors in ascending order, and the directions of their edges: 1 to them, 2 from them, 3 both. */
typedef struct {
  const int64_t *begin, *heads;
  const uint8_t *directions;
} arcs;

/* The next of the neighbors of v and of u, which are i and j: its directions from both, and which it is. */
typedef struct {
  int64_t node;
  int from_v, from_u;
} neighbor;

static neighbor next_neighbor(const arcs *a, int64_t v, int64_t u, int64_t *i, int64_t *j) {
  const int64_t none = INT64_MAX;
  const int64_t of_v = *i < a->begin[v + 1] ? a->heads[*i] : none,
                of_u = *j < a->begin[u + 1] ? a->heads[*j] : none;
  neighbor next = {.node = of_v < of_u ? of_v : of_u};
  if (of_v == next.node && of_v != none) next.from_v = a->directions[(*i)++];
  if (of_u == next.node && of_u != none) next.from_u = a->directions[(*j)++];
  return next;
}

/* Counts the triads of two nodes with an edge and a third that has an edge to one of them, each once: all
 * three ascend, or v < w < u and w has no edge to v. Returns how many other neighbors both have. */
static int64_t count_of_pair(const arcs *a, int64_t v, int64_t u, int direction, int64_t *counts) {
  int64_t number = 0, i = a->begin[v], j = a->begin[u];
  for (neighbor w; (w = next_neighbor(a, v, u, &i, &j)).node != INT64_MAX;) {
    if (w.node == v || w.node == u) continue;
    number++;
    if (u < w.node || (v < w.node && w.from_v == 0)) counts[direction + 4 * w.from_v + 16 * w.from_u]++;
  }
  return number;
}

/* counts[c], all 0: the triads with edges in the directions c & 3 between the first and second node, c >> 2 &
 * 3 between the first and third, c >> 4 between the second and third. dyads[0], dyads[1]: those of an edge in
 * one direction, or in both, and a node without an edge to it. */
void count_triads(int64_t n, const int64_t *begin, const int64_t *heads, const uint8_t *directions,
                  int64_t *counts, int64_t *dyads) {
  const arcs a = {begin, heads, directions};
  for (int64_t v = 0; v < n; v++)
    for (int64_t arc = begin[v]; arc < begin[v + 1]; arc++)
      if (heads[arc] > v)
        dyads[directions[arc] == 3] += n - 2 - count_of_pair(&a, v, heads[arc], directions[arc], counts);
}

/* The sum of 1 / distance from a node to all others within a set, that of nodes with inside[node] == set. */
static double closeness_in(const arcs *a, int64_t source, int64_t set, const int64_t *inside, int64_t *level,
                           int64_t *queue) {
  int64_t count = 1;
  double sum = 0;
  queue[0] = source, level[source] = 0;
  for (int64_t k = 0; k < count; k++)
    for (int64_t arc = a->begin[queue[k]]; arc < a->begin[queue[k] + 1]; arc++) {
      const int64_t to = a->heads[arc];
      if (inside[to] != set || level[to] >= 0) continue;
      level[to] = level[queue[k]] + 1;
      sum += 1 / (double)level[to];
      queue[count++] = to;
    }
  for (int64_t k = 0; k < count; k++) level[queue[k]] = -1;
  return sum;
}

/* The sum over the nodes of how near their neighbors are to each other without them. inside, level: all -1.
 * Edges are single. */
double near_neighbors(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *inside, int64_t *level,
                      int64_t *queue) {
  const arcs a = {.begin = begin, .heads = heads};
  double total = 0;
  for (int64_t v = 0; v < n; v++) {
    const int64_t size = begin[v + 1] - begin[v];
    double sum = 0;
    for (int64_t arc = begin[v]; arc < begin[v + 1]; arc++) inside[heads[arc]] = v;
    for (int64_t arc = begin[v]; size > 1 && arc < begin[v + 1]; arc++)
      sum += closeness_in(&a, heads[arc], v, inside, level, queue);
    if (size > 1) total += sum / (double)(size * (size - 1));
  }
  return total;
}

/* The nodes at most so far from a node, in the order in which a search finds them; the first is the node.
 * Returns how many. level: all -1, before and after. */
static int64_t search_near(const arcs *a, int64_t source, int64_t distance, int64_t *level, int64_t *queue) {
  int64_t count = 1;
  queue[0] = source, level[source] = 0;
  for (int64_t k = 0; k < count && level[queue[k]] < distance; k++)
    for (int64_t arc = a->begin[queue[k]]; arc < a->begin[queue[k] + 1]; arc++) {
      const int64_t to = a->heads[arc];
      if (level[to] >= 0) continue;
      level[to] = level[queue[k]] + 1;
      queue[count++] = to;
    }
  for (int64_t k = 0; k < count; k++) level[queue[k]] = -1;
  return count;
}

/* near[near_begin[v] .. near_begin[v + 1]): the nodes after v that are at most so far from it, in the order
 * of a search. near NULL: they are counted. */
void list_near(int64_t n, const int64_t *begin, const int64_t *heads, int64_t distance, int64_t *level,
               int64_t *queue, int64_t *near_begin, int64_t *near) {
  const arcs a = {.begin = begin, .heads = heads};
  int64_t count = 0;
  for (int64_t v = 0; v < n; v++) {
    const int64_t found = search_near(&a, v, distance, level, queue);
    near_begin[v] = count;
    for (int64_t k = 1; k < found; k++) {
      if (queue[k] < v) continue;
      if (near != NULL) near[count] = queue[k];
      count++;
    }
  }
  near_begin[n] = count;
}

/* found: the nodes that arcs lead to from the nodes `between`, each once; common: from how many of these, and
 * shares: the sum of their shares. Returns how many are found. place: all -1, before and after. */
int64_t list_two_steps(int64_t count, const int64_t *between, const int64_t *begin, const int64_t *heads,
                       const double *share, int64_t *place, int64_t *found, int64_t *common, double *shares) {
  int64_t number = 0;
  for (int64_t k = 0; k < count; k++)
    for (int64_t arc = begin[between[k]]; arc < begin[between[k] + 1]; arc++) {
      int64_t *at = &place[heads[arc]];
      if (*at < 0) {
        *at = number, found[number] = heads[arc];
        common[number] = 0, shares[number++] = 0;
      }
      common[*at]++;
      shares[*at] += share[between[k]];
    }
  for (int64_t k = 0; k < number; k++) place[found[k]] = -1;
  return number;
}
