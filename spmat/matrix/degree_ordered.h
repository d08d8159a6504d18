/* The entries of an orientation once more, with their other ends numbered by descending degree. A product
 * that reads a value of x for every entry first copies x into that order: the hubs' values then share few
 * cache lines (docs/measurements/gpu-products.md). The order of entries, and so of all sums, is unchanged. */
#ifndef GRID_DEGREE_ORDERED_H
#define GRID_DEGREE_ORDERED_H
#include "spmat/matrix/local_matrix.h"

/* Measured time decides: pulls before it is built against the first ones with it, for the same semiring and
 * size of x. */
typedef struct {
  const void *semiring;
  uint64_t bytes;
} grid_degree_order_use;

typedef struct grid_degree_order {
  uint64_t n;    /* other ends */
  uint64_t used; /* once built: ends with entries */
  bool refused;  /* it does not pay, or there was no memory */
  uint32_t *end; /* end[k]: the one of rank k < used */
  uint32_t *idx; /* of each entry the rank of its other end; NULL: not built yet */
  grid_degree_order_use use;
  uint64_t before, after; /* pulls of this use without and with it */
  double min_seconds[2];  /* shortest time of either, in seconds */
} grid_degree_order;

grid_degree_order *grid_degree_order_new(uint64_t n); /* NULL when out of memory: then there are none */
void grid_degree_order_free(grid_degree_order *r);
uint64_t grid_degree_order_bytes(const grid_degree_order *r, uint64_t nvals);
/* Is x so large, and has no measurement refused the order? Else the next functions are not for this pull. */
bool grid_degree_order_may_pay(const grid_compressed *c, grid_degree_order_use use);
/* The order of c, which has n vectors, for a pull, built now if due; NULL: read x as it is. */
const grid_degree_order *grid_degree_order_get(const grid_compressed *c, uint64_t n,
                                               grid_degree_order_use use);
/* How long that pull took, whatever the answer was. */
void grid_degree_order_record(const grid_compressed *c, grid_degree_order_use use, double seconds);
/* Gives up what they hold: memory is short. */
void grid_degree_order_drop(const grid_compressed *c);
#endif
