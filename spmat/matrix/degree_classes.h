/* Vertices in order of degree, as products read x (degree_ordered.h; dist/product/exchange/view_order.h):
 * most entries name a hub, and the values of hubs then share few cache lines. */
#ifndef GRID_DEGREE_CLASSES_H
#define GRID_DEGREE_CLASSES_H
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t used;      /* vertices with entries, which come first */
  uint64_t hubs, all; /* entries of the hubs, one vertex in 16; of all */
} grid_degree_ranking;

/* order[k] = the k-th of n vertices by descending class of their degrees, ties ascending, so that neighbors
 * within a class stay together. A class has degrees up to twice those of the next one. */
grid_degree_ranking grid_order_by_degree(const uint32_t *degree, uint64_t n, uint32_t *order);
/* Bytes of a vector whose values are read in order of degree only if it has more. */
uint64_t grid_degree_order_min_bytes(void);
/* Do the hubs have so many of the entries that an order can pay? */
bool grid_degree_order_can_pay(uint64_t hubs, uint64_t all);
/* Does an order pay, by the shortest times of products without it and with it? The gain depends on the
 * machine's caches. */
bool grid_degree_order_pays(const double min_seconds[2]);
#endif
