/* Parts by METIS (Karypis and Kumar, "Multilevel k-way partitioning scheme for irregular graphs"): about
 * equal work, few edges between different parts. */
#include "dist/order/order_graph.h"

#ifdef GRIDBLAS_METIS
#include <metis.h>

#include "semiring/support/mem.h"

/* The arrays that METIS reads and writes. */
typedef struct {
  idx_t *start, *neighbor, *weight, *part;
} metis_arrays;

static void arrays_free(metis_arrays *a) {
  grid_free(a->start);
  grid_free(a->neighbor);
  grid_free(a->weight);
  grid_free(a->part);
}

/* METIS adds weights in its integers, so they are scaled down in a large graph. A vertex of more than one
 * part's work counts as a whole part: METIS would bisect it alone. */
static void set_weights(idx_t *weight, const grid_order_graph *g) {
  uint64_t all = 0;
  for (uint64_t v = 0; v < g->n; v++) all += grid_order_work(g->degree[v]);
  const uint64_t scale = all / (IDX_MAX / 2) + 1, most = all / scale / g->parts + 1;
  for (uint64_t v = 0; v < g->n; v++) {
    const uint64_t work = grid_order_work(g->degree[v]) / scale;
    weight[v] = work == 0 ? 1 : (idx_t)(work < most ? work : most);
  }
}

static GrB_Info arrays_make(metis_arrays *a, const grid_order_graph *g) {
  const uint64_t n = g->n, m = g->start[n];
  if (m > IDX_MAX)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "Grid_Matrix_order: METIS takes graphs of at most %llu neighbors, not %llu",
                     (unsigned long long)IDX_MAX, (unsigned long long)m);
  *a = (metis_arrays){grid_malloc(n + 1, sizeof *a->start), grid_malloc(m, sizeof *a->neighbor),
                      grid_malloc(n, sizeof *a->weight), grid_malloc(n, sizeof *a->part)};
  if (!a->start || !a->neighbor || !a->weight || !a->part)
    return grid_fail_memory(NULL, "a graph for METIS", m + 3 * n, sizeof *a->part);
  for (uint64_t v = 0; v <= n; v++) a->start[v] = (idx_t)g->start[v];
  for (uint64_t k = 0; k < m; k++) a->neighbor[k] = (idx_t)g->neighbor[k];
  set_weights(a->weight, g);
  return GrB_SUCCESS;
}

/* Cut edges are minimized, not values to send. PageRank sends as many bytes either way (0.96 to 1.04), and
 * METIS takes a half to a tenth of the time (web:16, web:18, rmat:16 in 4 and 16 parts). */
static GrB_Info partition(metis_arrays *a, const grid_order_graph *g) {
  idx_t n = (idx_t)g->n, parts = (idx_t)g->parts, constraints = 1, cut, option[METIS_NOPTIONS];
  METIS_SetDefaultOptions(option);
  option[METIS_OPTION_SEED] = (idx_t)(g->seed & INT32_MAX);
  const int status = METIS_PartGraphKway(&n, &constraints, a->start, a->neighbor, a->weight, NULL, NULL,
                                         &parts, NULL, NULL, option, &cut, a->part);
  if (status == METIS_OK) return GrB_SUCCESS;
  if (status == METIS_ERROR_MEMORY) return grid_fail(NULL, GrB_OUT_OF_MEMORY, "no memory for METIS");
  return grid_fail(NULL, GrB_PANIC, "METIS failed with status %d", status);
}

/* Vertices by part; those of a part keep their order. */
static void sort_by_part(uint32_t *order, uint64_t *first, const idx_t *part, const grid_order_graph *g) {
  for (uint64_t p = 0; p <= g->parts; p++) first[p] = 0;
  for (uint64_t v = 0; v < g->n; v++) first[part[v] + 1]++;
  for (uint64_t p = 0; p < g->parts; p++) first[p + 1] += first[p];
  for (uint64_t v = 0; v < g->n; v++) order[first[part[v]]++] = (uint32_t)v;
  for (uint64_t p = g->parts; p > 0; p--) first[p] = first[p - 1];
  first[0] = 0;
}

GrB_Info grid_order_metis(uint32_t *order, uint64_t *first, const grid_order_graph *g) {
  metis_arrays a = {0};
  GrB_Info info = GrB_SUCCESS;
  if (g->parts <= 1 || g->n <= g->parts || g->start[g->n] == 0) { /* METIS wants edges to cut */
    for (uint64_t v = 0; v < g->n; v++) order[v] = (uint32_t)v;
    grid_order_split(first, order, g);
    return info;
  }
  TRY(arrays_make(&a, g));
  TRY(partition(&a, g));
  sort_by_part(order, first, a.part, g);
done:
  arrays_free(&a);
  return info;
}
#endif
