/* The merging of communities by the gain of modularity, as NetworkX's greedy_modularity_communities, for
 * gridblas/nx/labels.py: the same sums, and of equal gains the pair of least nodes.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int64_t merge_communities(int64_t n, const int64_t *begin, const int64_t *heads, const double *gains,
                                 bool directed, double resolution, double *out, double *in, int64_t cutoff,
                                 int64_t most, int64_t *into);

/* A community next to another one, and what modularity gains if both merge. */
typedef struct {
  int64_t node;
  double gain;
} neighbor;

/* The communities next to one, in ascending order, the best of them, and where the one is in the heap. */
typedef struct {
  neighbor *list;
  int64_t count, heap_index;
  neighbor best;
} row;

/* The rows, a heap of those that have neighbors, and the fractions of edges from and to each community (in an
 * undirected graph the same array). */
typedef struct {
  row *rows;
  int64_t *heap, heap_count;
  double *out, *in, resolution;
  bool directed;
} communities;

static bool is_better(neighbor a, neighbor b) {
  return a.gain > b.gain || (a.gain == b.gain && a.node < b.node);
}

static void find_best(row *r) {
  r->best = r->list[0];
  for (int64_t k = 1; k < r->count; k++)
    if (r->list[k].gain > r->best.gain) r->best = r->list[k];
}

/* ---- the heap ---- */

static bool is_before(const communities *c, int64_t u, int64_t v) {
  const double a = c->rows[u].best.gain, b = c->rows[v].best.gain;
  return a > b || (a == b && u < v);
}

static void heap_set(communities *c, int64_t at, int64_t node) {
  c->heap[at] = node;
  c->rows[node].heap_index = at;
}

/* A node goes to its place, from anywhere. */
static void heap_move(communities *c, int64_t at, int64_t node) {
  for (int64_t parent; at > 0 && is_before(c, node, c->heap[parent = (at - 1) / 2]); at = parent)
    heap_set(c, at, c->heap[parent]);
  for (int64_t child; (child = 2 * at + 1) < c->heap_count; at = child) {
    if (child + 1 < c->heap_count && is_before(c, c->heap[child + 1], c->heap[child])) child++;
    if (!is_before(c, c->heap[child], node)) break;
    heap_set(c, at, c->heap[child]);
  }
  heap_set(c, at, node);
}

static void heap_remove(communities *c, int64_t node) {
  const int64_t at = c->rows[node].heap_index, last = c->heap[--c->heap_count];
  if (last != node) heap_move(c, at, last);
}

/* ---- merging ---- */

/* The first position of a row whose node is not less. */
static int64_t position(const row *r, int64_t node) {
  int64_t low = 0, high = r->count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (r->list[middle].node < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void move_entries(row *r, int64_t to, int64_t from, int64_t count) {
  memmove(r->list + to, r->list + from, (size_t)count * sizeof *r->list);
}

/* In a row v takes the place of u, or both become one. */
static void replace_entry(row *r, int64_t u, neighbor v) {
  const int64_t old = position(r, u), new = position(r, v.node);
  const bool has_u = old < r->count && r->list[old].node == u;
  const bool has_v = new < r->count && r->list[new].node == v.node;
  if (has_v) r->list[new].gain = v.gain;
  if (has_u && has_v) move_entries(r, old, old + 1, --r->count - old);
  if (has_u == has_v || has_v) return;
  const int64_t at = old < new ? new - 1 : new; /* where v comes once u is gone */
  if (old < at) move_entries(r, old, old + 1, at - old);
  if (at < old) move_entries(r, at + 1, at, old - at);
  r->list[at] = v;
}

static void update_row(communities *c, int64_t w, int64_t u, neighbor v) {
  row *const r = &c->rows[w];
  replace_entry(r, u, v);
  if (is_better(v, r->best))
    r->best = v;
  else if (r->best.node == u || r->best.node == v.node)
    find_best(r);
  heap_move(c, r->heap_index, w);
}

/* What w gains less by u's edges, which do not lead to it. */
static double expected_weight(const communities *c, int64_t u, int64_t w) {
  return c->resolution * (c->out[u] * c->in[w] + c->out[w] * c->in[u]);
}

/* u becomes a part of v. */
static bool merge(communities *c, int64_t u, int64_t v) {
  const row from = c->rows[u], to = c->rows[v];
  neighbor *list = malloc((size_t)(from.count + to.count) * sizeof *list);
  int64_t count = 0, i = 0, k = 0;
  if (list == NULL) return false;
  while (i < from.count || k < to.count) {
    const bool has_u = k == to.count || (i < from.count && from.list[i].node <= to.list[k].node);
    const bool has_v = i == from.count || (k < to.count && to.list[k].node <= from.list[i].node);
    neighbor w = {has_u ? from.list[i].node : to.list[k].node, 0};
    if (w.node != u && w.node != v) {
      if (has_u && has_v)
        w.gain = to.list[k].gain + from.list[i].gain;
      else
        w.gain = has_v ? to.list[k].gain - expected_weight(c, u, w.node)
                       : from.list[i].gain - expected_weight(c, v, w.node);
      list[count++] = w;
      update_row(c, w.node, u, (neighbor){v, w.gain});
    }
    i += has_u, k += has_v;
  }
  heap_remove(c, u);
  free(from.list), free(to.list);
  c->rows[u].list = NULL, c->rows[v].list = list, c->rows[v].count = count;
  if (count > 0) {
    find_best(&c->rows[v]);
    heap_move(c, c->rows[v].heap_index, v);
  } else {
    heap_remove(c, v);
  }
  c->out[v] += c->out[u];
  if (c->directed) c->in[v] += c->in[u];
  return true;
}

static bool make_rows(communities *c, int64_t n, const int64_t *begin, const int64_t *heads,
                      const double *gains) {
  for (int64_t k = 0; k < n; k++) {
    row *const r = &c->rows[k];
    r->count = begin[k + 1] - begin[k];
    if (r->count == 0) continue;
    if ((r->list = malloc((size_t)r->count * sizeof *r->list)) == NULL) return false;
    for (int64_t i = 0; i < r->count; i++) r->list[i] = (neighbor){heads[begin[k] + i], gains[begin[k] + i]};
    find_best(r);
    heap_move(c, c->heap_count++, k);
  }
  return true;
}

/* Merges the two communities that gain most, one pair after another, while there are more than `cutoff`, and
 * the gain is not below 0 or there are more than `most`. into[u], -1 at first, becomes the v that u was
 * merged into. Returns the number of communities, negated if none is next to another, or 0 where memory is
 * missing. The arcs go in both directions, without loops, in ascending order of heads. out, in: of nodes, and
 * change. */
int64_t merge_communities(int64_t n, const int64_t *begin, const int64_t *heads, const double *gains,
                          bool directed, double resolution, double *out, double *in, int64_t cutoff,
                          int64_t most, int64_t *into) {
  communities c = {
      calloc((size_t)n, sizeof(row)), calloc((size_t)n, sizeof(int64_t)), 0, out, in, resolution, directed};
  bool room = c.rows != NULL && c.heap != NULL && make_rows(&c, n, begin, heads, gains);
  int64_t count = n;
  while (room && count > cutoff && c.heap_count > 1) {
    const int64_t u = c.heap[0], v = c.rows[u].best.node;
    if (c.rows[u].best.gain < 0 && count <= most) break;
    room = merge(&c, u, v);
    into[u] = v;
    count--;
  }
  const bool apart = count > cutoff && c.heap_count <= 1;
  for (int64_t k = 0; c.rows != NULL && k < n; k++) free(c.rows[k].list);
  free(c.rows), free(c.heap);
  return !room ? 0 : apart ? -count : count;
}
