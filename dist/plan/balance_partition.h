/* Partitions that give all processes the same work: what Grid_Matrix_repartition and Grid_Matrix_rebalance
 * share. The unit of work is an entry; a row costs several of them. */
#ifndef GRID_BALANCE_PARTITION_H
#define GRID_BALANCE_PARTITION_H
#include "dist/matrix/matrix.h"

/* Makes entries and degrees of A ready to be counted. Collective, agreed on. */
GrB_Info grid_repartition_prepare(GrB_Matrix A);
/* Can the partition of A change? The same on every process. */
bool grid_can_repartition(GrB_Matrix A);
/* The cost of a row besides its entries, in entries. */
static inline double grid_row_cost(uint32_t degree, Grid_Row_Costs rows) {
  return degree > 1 ? rows.long_row : rows.short_row;
}
/* The work of this process. */
double grid_partition_work(GrB_Matrix A, Grid_Row_Costs rows);
/* Checks the arguments that both have. */
GrB_Info grid_repartition_check(GrB_Matrix A, Grid_Row_Costs rows, double seconds, double rounds,
                                const char *call);

/* Expected seconds of a repartition if the largest work of a process is this, from the time of the last one
 * (grid_tune.move_rate, the same on every process; docs/measurements/partitions.md). */
double grid_repartition_cost(double largest);
/* Adds to the time of the last repartition. */
void grid_repartition_add_cost(double seconds, double largest);

/* Adds arrays of doubles (transport.h, allreduce_with). */
static inline void grid_sum_doubles(void *to, const void *from, size_t bytes, void *context) {
  double *z = to;
  const double *x = from;
  (void)context;
  for (size_t k = 0; k < bytes / sizeof *z; k++) z[k] += x[k];
}

/* The work of each granule of a dimension n, on all processes. A granule has 64 indices, in a long dimension
 * more. */
typedef struct {
  uint64_t n, size, count; /* indices in one; granules */
  double *work;
} grid_granules;
/* One partition of the rows and columns of a square matrix on a grid of several rows and columns. A search
 * from the boundaries in `first`, moved to ends of granules, makes blocks more even. `entry_weight`: the work
 * of an entry of this process; `longest`: the most granules of a chunk. Collective, agreed on. */
GrB_Info grid_partition_blocks(GrB_Matrix A, const grid_granules *g, Grid_Row_Costs rows, double entry_weight,
                               uint64_t longest, uint64_t *first);

/* Grid_Matrix_repartition of such a matrix. Collective, agreed on. */
GrB_Info grid_repartition_matrix(Grid_Repartition *b, GrB_Matrix A, Grid_Row_Costs rows, double seconds,
                                 double rounds, const char *call);
#endif
