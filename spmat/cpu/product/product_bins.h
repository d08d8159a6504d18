/* An ordered push whose work does not grow with the number of threads. Each thread takes an equal share of
 * the edges and writes their outputs and products into bins, one for each range of outputs. Then every bin is
 * summed by one thread, in order of x. So sums have the same bits as those of the usual kernels, and the
 * outputs of a bin fit the cache. */
#ifndef GRID_PRODUCT_BINS_H
#define GRID_PRODUCT_BINS_H
#include "spmat/local_product.h"

/* Are the operators predefined ones on numbers, and the vectors short? Without bins every thread looks into
 * every vector; with them an edge costs about half as much again, and two threads never gain. The job's
 * push_edges are exact. */
bool grid_push_uses_bins(const grid_job *J, int threads);
/* start[f] edges precede the f-th vector of x, start[nx] all. Adds to J->found. */
GrB_Info grid_push_bins(grid_job *J, const uint64_t *start, int threads);
#endif
