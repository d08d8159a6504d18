/* Reverse Cuthill-McKee (George and Liu, "Computer solution of large sparse positive definite systems",
 * chapter 4): breadth-first search from a vertex at the rim, neighbors by ascending degree, then reversed.
 * The neighbors of a vertex get numbers near its own. */
#include <stdlib.h>
#include <string.h>

#include "dist/order/order_graph.h"
#include "semiring/support/mem.h"

/* Vertices are named by their rank in ascending order of degree, ties ascending. */
typedef struct {
  const grid_order_graph *g;
  uint32_t *rank, *vertex; /* of each vertex; of each rank */
  uint32_t *stamp;         /* the last search that reached the vertex of each rank */
  uint32_t searches;
} rcm;

typedef struct {
  uint64_t end, last, levels; /* of the queue; where its last level begins */
} search_result;

/* Searches from `root`; the queue begins at queue[at]. */
static search_result search(rcm *r, uint32_t *queue, uint64_t at, uint32_t root) {
  const grid_order_graph *g = r->g;
  search_result s = {at + 1, at, 1};
  const uint32_t stamp = ++r->searches;
  uint64_t level_end = s.end;
  queue[at] = root;
  r->stamp[root] = stamp;
  for (uint64_t k = at; k < s.end; k++) {
    if (k == level_end) s.last = k, level_end = s.end, s.levels++;
    const uint32_t v = r->vertex[queue[k]];
    const uint64_t before = s.end;
    for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
      const uint32_t u = r->rank[g->neighbor[e]];
      if (r->stamp[u] == stamp) continue;
      r->stamp[u] = stamp;
      queue[s.end++] = u;
    }
    qsort(queue + before, s.end - before, sizeof *queue, grid_order_compare);
  }
  return s;
}

/* Orders the component of `root`: the search begins anew at a vertex of lowest degree in the last level for
 * as long as that gives more levels. Returns the end of the queue. */
static uint64_t order_component(rcm *r, uint32_t *queue, uint64_t at, uint32_t root) {
  search_result s = search(r, queue, at, root);
  while (s.end - at > 1) {
    uint32_t far = queue[s.last];
    for (uint64_t k = s.last; k < s.end; k++)
      if (queue[k] < far) far = queue[k];
    const search_result next = search(r, queue, at, far);
    if (next.levels <= s.levels) break;
    s = next;
  }
  return s.end;
}

static GrB_Info rank_by_degree(rcm *r) {
  const uint64_t n = r->g->n;
  uint32_t *inverse_degree = grid_malloc(n, sizeof *inverse_degree);
  if (!inverse_degree) return grid_fail_memory(NULL, "degrees", n, sizeof *inverse_degree);
  for (uint64_t v = 0; v < n; v++)
    inverse_degree[v] = UINT32_MAX - (uint32_t)(r->g->start[v + 1] - r->g->start[v]);
  const GrB_Info info = grid_order_by_count(r->vertex, inverse_degree, n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) r->rank[r->vertex[k]] = (uint32_t)k;
  grid_free(inverse_degree);
  return info;
}

GrB_Info grid_order_rcm(uint32_t *order, uint64_t *first, const grid_order_graph *g) {
  const uint64_t n = g->n;
  rcm r = {g, grid_malloc(n, sizeof *r.rank), grid_malloc(n, sizeof *r.vertex),
           grid_calloc(n, sizeof *r.stamp), 0};
  GrB_Info info =
      r.rank && r.vertex && r.stamp ? GrB_SUCCESS : grid_fail_memory(NULL, "a search", n, 3 * sizeof *r.rank);
  uint64_t at = 0;
  (void)first;
  if (info == GrB_SUCCESS) info = rank_by_degree(&r);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++)
    if (!r.stamp[k]) at = order_component(&r, order, at, (uint32_t)k);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n / 2; k++) {
    const uint32_t v = order[k];
    order[k] = order[n - 1 - k];
    order[n - 1 - k] = v;
  }
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) order[k] = r.vertex[order[k]];
  grid_free(r.rank);
  grid_free(r.vertex);
  grid_free(r.stamp);
  return info;
}
