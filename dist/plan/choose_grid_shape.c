/* The shape of the grid for a graph that is not there yet, of which the degrees are known. */
#include <inttypes.h>
#include <math.h>

#include "dist/plan/layout_cost.h"
#include "dist/grid/layout.h"
#include "dist/plan/network.h"

enum { CLASSES = GRID_DEGREE_CLASSES };

typedef struct {
  double number[CLASSES], degree[CLASSES];
  grid_degree_classes c;
} classes;

static void sort_into_classes(classes *k, const Grid_Degrees *g) {
  const double each = g->count ? (double)g->n / (double)g->count : 0;
  *k = (classes){.c = {CLASSES, CLASSES, k->number, k->degree, !g->symmetric}};
  for (uint64_t v = 0; v < g->count; v++) {
    const unsigned class = grid_degree_class(g->degree[v]);
    k->number[class] += each;
    k->degree[class] += each * (double)g->degree[v];
  }
  for (unsigned class = 0; class < CLASSES; class ++)
    if (k->number[class] > 0) k->degree[class] /= k->number[class];
}

/* As delegate_index.c does, but that every entry is taken to be between two processes. */
static void choose_delegates(classes *k, const Grid_Degrees *g) {
  double all = 0, left = 0, normals = 0;
  int first = 0;
  for (int class = 0; class < CLASSES; class ++) all += k->number[class] * k->degree[class];
  for (; first < CLASSES; first++) { /* both ends of an entry outside are normals */
    left += k->number[first] * k->degree[first];
    if (left * left > GRID_MAX_REMOTE_SHARE * all * all) break;
    normals += k->number[first];
  }
  const double delegates = ((double)g->n - normals) * GRID_VERTICES_PER_DELEGATE;
  if (g->symmetric && g->n >= GRID_MIN_VERTICES && delegates <= (double)g->n) k->c.first = first;
}

static GrB_Info estimate_product(Grid_Search *s, const classes *k, uint64_t n, uint32_t every) {
  double all = 0;
  *s = (Grid_Search){.P = grid_ctx.P, .n = n, .q = grid_even_size(n)};
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

static GrB_Info estimate_shape(int *C, const Grid_Degrees *g, uint32_t every, const Grid_Network *net) {
  Grid_Layout to[Grid_LAYOUTS];
  Grid_Search s;
  classes k;
  int best;
  sort_into_classes(&k, g);
  if (!every) choose_delegates(&k, g);
  GrB_Info info =
      every ? estimate_product(&s, &k, g->n, every) : grid_estimate_search(&s, &k.c, g->n, grid_ctx.P);
  if (info != GrB_SUCCESS) return info;
  Grid_layouts(to, &best, &s, net, false);
  *C = to[best].C;
  grid_free_search(&s);
  return info;
}

GrB_Info Grid_choose_shape(int *R, int *C, const Grid_Degrees *g, uint32_t every) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_choose_shape";
  Grid_Network net;
  int columns = 1;
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!R || !C || !g || (!g->degree && g->count))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: an argument is NULL", call);
  if (g->count > g->n)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: degrees of %" PRIu64 " vertices of %" PRIu64, call,
                     g->count, g->n);
  if (grid_ctx.P > 1) TRY(grid_network_cost(&net));
  if (grid_ctx.P > 1) TRY(grid_agree(NULL, estimate_shape(&columns, g, every, &net)));
  /* machines that differ may round differently */
  if (grid_ctx.P > 1) TRY(grid_ctx.transport->bcast(GRID_SET_ALL, &columns, sizeof columns, 0));
  *C = columns;
  *R = grid_ctx.P / columns;
done:
  return info;
}
