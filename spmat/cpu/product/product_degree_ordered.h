/* A pull that reads x in order of degree. */
#ifndef GRID_PRODUCT_DEGREE_ORDERED_H
#define GRID_PRODUCT_DEGREE_ORDERED_H
#include "spmat/cpu/kernels/mxv_job.h"
#include "spmat/matrix/degree_ordered.h"
#include "spmat/local_product.h"

/* x in that order, if it is used. */
typedef struct {
  uint64_t *bits;
  void *val;
  const grid_compressed *m; /* NULL: not used */
  grid_degree_order_use use;
  double since;
} grid_degree_order_x;

/* Gives the job j of a pull M's order and such an x, if M has an order or gets it now, and it pays. */
void grid_degree_order_begin(const grid_job *J, grid_range_job *j, grid_degree_order_x *x);
void grid_degree_order_end(grid_degree_order_x *x);
#endif
