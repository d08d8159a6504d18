/* The cost of each layout for a graph of which only the degrees are known. */
#include <inttypes.h>
#include <math.h>

#include "dist/plan/layout_cost.h"

enum { CLASSES = GRID_DEGREE_CLASSES };

void grid_sort_into_classes(grid_sorted_degrees *k, const Grid_Degrees *g) {
  const double even = g->count ? (double)g->n / (double)g->count : 0;
  *k = (grid_sorted_degrees){.c = {CLASSES, CLASSES, k->number, k->degree, !g->symmetric}};
  for (uint64_t v = 0; v < g->count; v++) {
    const unsigned class = grid_degree_class(g->degree[v]);
    const double vertex_weight = g->weight ? g->weight[v] : even;
    k->number[class] += vertex_weight;
    k->degree[class] += vertex_weight * (double)g->degree[v];
  }
  for (unsigned class = 0; class < CLASSES; class ++)
    if (k->number[class] > 0) k->degree[class] /= k->number[class];
}

/* As delegate_index.c, but all entries are assumed to be between two processes. */
static void choose_delegates(grid_sorted_degrees *k, const Grid_Degrees *g) {
  double all = 0, left = 0, normals = 0;
  int first = 0;
  for (int class = 0; class < CLASSES; class ++) all += k->number[class] * k->degree[class];
  for (; first < CLASSES; first++) { /* both ends of the other entries are normal vertices */
    left += k->number[first] * k->degree[first];
    if (left * left > GRID_MAX_REMOTE_SHARE * all * all) break;
    normals += k->number[first];
  }
  const double delegates = ((double)g->n - normals) * GRID_VERTICES_PER_DELEGATE;
  if (g->symmetric && g->n >= GRID_MIN_VERTICES && delegates <= (double)g->n) k->c.first = first;
}

static GrB_Info estimate_product(Grid_Search *s, const grid_sorted_degrees *k, uint64_t n, int P,
                                 uint32_t every) {
  double all = 0;
  *s = (Grid_Search){.P = P, .n = n, .q = ((n + (uint64_t)P - 1) / (uint64_t)P + 63) / 64 * 64};
  Grid_Level *l = s->level = grid_calloc(1, sizeof *l);
  if (!l) return grid_fail_memory(NULL, "a predicted product", 1, sizeof *l);
  s->levels = 1;
  *l = (Grid_Level){.every = every, .pull = true, .frontier = n};
  for (int class = 0; class < CLASSES; class ++) {
    const double rows = k->degree[class] > 0 ? k->number[class] : 0;
    all += rows * k->degree[class];
    l->found += rows;
    for (int x = 0; x < Grid_LAYOUT_COLUMNS; x++)
      l->finds[x] += rows * (2 << x) * (1 - pow(1 - 1.0 / (2 << x), k->degree[class]));
  }
  l->inspected = (uint64_t)all;
  return GrB_SUCCESS;
}

GrB_Info grid_check_degrees(const char *call, const Grid_Degrees *g) {
  if (!g || (!g->degree && g->count))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: an argument is NULL", call);
  if (!g->weight && g->count > g->n)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: degrees of %" PRIu64 " vertices of %" PRIu64, call,
                     g->count, g->n);
  return GrB_SUCCESS;
}

GrB_Info Grid_estimate_layouts(Grid_Layout to[Grid_LAYOUTS], int *count, int *best, uint64_t *delegates,
                               const Grid_Degrees *g, int P, uint32_t every, const Grid_Network *net) {
  static const char call[] = "Grid_estimate_layouts";
  Grid_Search s;
  grid_sorted_degrees k;
  GrB_Info info = grid_check_degrees(call, g);
  if (info != GrB_SUCCESS) return info;
  if (!to || !count || !best || !net)
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: an argument is NULL", call);
  if (P < 1 || P > GRID_MAX_PLANNED_PROCESSES)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %d processes; there may be 1 to 2^20", call, P);
  grid_sort_into_classes(&k, g);
  if (!every) choose_delegates(&k, g);
  info = every ? estimate_product(&s, &k, g->n, P, every) : grid_estimate_search(&s, &k.c, g->n, P);
  if (info != GrB_SUCCESS) return info;
  *count = Grid_layouts(to, best, &s, net, false);
  if (delegates) *delegates = s.d;
  grid_free_search(&s);
  return info;
}
