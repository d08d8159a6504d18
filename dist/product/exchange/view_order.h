/* A pull of a full x that processes read in shared memory (dist/vector/shm_view.h), with each chunk of x in
 * order of degree. The values of hubs, which most entries name, then share few cache lines and pages. One
 * process has the same by degree_ordered.h, from a copy of its own. The order of entries, and so of all sums,
 * is unchanged. It follows from the pattern: it is made once a matrix, after several such pulls, and dropped
 * if these have not become faster. */
#ifndef GRID_VIEW_ORDER_H
#define GRID_VIEW_ORDER_H
#include "dist/grid/hooks.h"
#include "dist/product/dist_product.h"

typedef struct grid_view_order {
  uint64_t n, nvals;
  uint32_t
      *local_index;   /* local_index[k]: which of the n values of the local chunk is the k-th in the view */
  uint32_t *position; /* of each entry of the orientation that a pull reads, where the view has its input */
} grid_view_order;

/* After the choice of a method, with the forms that it reads: sets p->choice.orders_view, and whether
 * p->prefetched is such a view. Makes the order if it is time; where memory is short on some process there is
 * none. Collective, agreed on. */
GrB_Info grid_view_order_prepare(grid_product *p);
/* May x be sent with its counts in this order? It was last time, and this process's chunk is full. */
bool grid_view_order_is_expected(const grid_product *p);
/* Writes the local chunk, which is full, into the view. Local. */
void grid_view_order_write(const grid_product *p, const grid_shm_view *z);
/* The input from a view that all processes of the set have written. Local, cannot fail. */
GrB_Info grid_view_order_input(const grid_product *p, const grid_shm_view *z, grid_input *in);
/* Before and after a pull with this input. `start` is the time, or 0: a pull that is not measured, as on one
 * process, reads no clock. Local. */
double grid_view_order_begin(const grid_product *p, const grid_input *in);
void grid_view_order_end(const grid_product *p, const grid_input *in, double start);

extern const grid_cached_property grid_view_order_form;
#endif
