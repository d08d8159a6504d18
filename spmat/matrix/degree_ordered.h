/* Ranks: an orientation's entries once more, with their other ends numbered by degree. A product that reads a
 * value of x at every entry copies x into that order first: the hubs' values then share few lines of the
 * cache (docs/performance.md). The order of the entries stays, and with it that of all sums. */
#ifndef GRID_DEGREE_ORDERED_H
#define GRID_DEGREE_ORDERED_H
#include "spmat/matrix/local_matrix.h"

/* What they gain depends on the machine's caches, so a product's own time decides: that of the pulls before
 * they are made against that of the first ones with them, of the same semiring over x of the same size. */
typedef struct {
  const void *semiring;
  uint64_t bytes;
} grid_degree_order_use;

typedef struct grid_degree_order {
  uint64_t n;    /* other ends */
  uint64_t used; /* once made: one more than the last that has entries, where an array of x may end */
  bool refused;  /* they don't pay, or there was no memory */
  uint32_t *end; /* end[k]: the one of rank k < used */
  uint32_t *idx; /* of each entry the rank of its other end; NULL: not made yet */
  grid_degree_order_use use;
  uint64_t before, after; /* pulls of this use without and with them */
  double min_seconds[2];  /* the shortest of either, in seconds */
} grid_degree_order;

grid_degree_order *grid_degree_order_new(uint64_t n); /* NULL when out of memory: then there are none */
void grid_degree_order_free(grid_degree_order *r);
uint64_t grid_degree_order_bytes(const grid_degree_order *r, uint64_t nvals);
/* Those of c, of n vectors, which may be made now, for a pull; NULL: x is better read as it is. */
const grid_degree_order *grid_degree_order_get(const grid_compressed *c, uint64_t n,
                                               grid_degree_order_use use);
/* How long that pull took, whatever the answer was. */
void grid_degree_order_record(const grid_compressed *c, grid_degree_order_use use, double seconds);
/* Gives up what they hold: memory is short. */
void grid_degree_order_drop(const grid_compressed *c);
#endif
