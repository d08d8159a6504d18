/* See order_graph.h: the methods that need degrees only, and what all methods share. */
#include "dist/order/order_graph.h"

#include "semiring/support/mem.h"
#include "spmat/sort/sort_by_count.h"

uint64_t grid_order_work(uint32_t degree) {
  const Grid_Row_Costs rows = Grid_ROW_COSTS_PRODUCT;
  return degree + 2 * (uint64_t)(degree > 2 ? rows.long_row : rows.short_row);
}

int grid_order_compare(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

GrB_Info grid_order_by_count(uint32_t *order, const uint32_t *count, uint64_t n) {
  uint32_t *scratch = grid_malloc(n, sizeof *scratch);
  if (!scratch) return grid_fail_memory(NULL, "the order of vertices", n, sizeof *scratch);
  grid_sort_by_count(order, scratch, count, n);
  grid_free(scratch);
  return GrB_SUCCESS;
}

void grid_order_split(uint64_t *first, const uint32_t *order, const grid_order_graph *g) {
  double all = 0, sum = 0;
  uint64_t part = 1;
  for (uint64_t v = 0; v < g->n; v++) all += (double)grid_order_work(g->degree[v]);
  first[0] = 0;
  for (uint64_t k = 0; k < g->n; k++) {
    const double half = (double)grid_order_work(g->degree[order[k]]) / 2;
    for (; part < g->parts && sum + half >= all * (double)part / (double)g->parts; part++) first[part] = k;
    sum += 2 * half;
  }
  for (; part <= g->parts; part++) first[part] = g->n;
}

GrB_Info grid_order_degree(uint32_t *order, uint64_t *first, const grid_order_graph *g) {
  (void)first;
  return grid_order_by_count(order, g->degree, g->n);
}

/* The finalizer of splitmix64. */
static uint64_t hash_number(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* By a hash of the seed and the vertex. */
GrB_Info grid_order_random(uint32_t *order, uint64_t *first, const grid_order_graph *g) {
  uint32_t *hash = grid_malloc(g->n, sizeof *hash);
  (void)first;
  if (!hash) return grid_fail_memory(NULL, "random numbers", g->n, sizeof *hash);
  for (uint64_t v = 0; v < g->n; v++)
    hash[v] = (uint32_t)hash_number(hash_number(g->seed) + (v + 1) * UINT64_C(0x9e3779b97f4a7c15));
  const GrB_Info info = grid_order_by_count(order, hash, g->n);
  grid_free(hash);
  return info;
}
