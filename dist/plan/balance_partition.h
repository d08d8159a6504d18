/* Cuts that give every process as much work as the others: what Grid_Matrix_repartition and
 * Grid_Matrix_rebalance share. Work is counted in entries, rows among them. */
#ifndef GRID_BALANCE_PARTITION_H
#define GRID_BALANCE_PARTITION_H
#include "dist/matrix/matrix.h"

/* A becomes one whose entries and degrees can be weighed. Collective, agreed on. */
GrB_Info grid_repartition_prepare(GrB_Matrix A);
/* Is it one whose cuts may move? The same on every process. */
bool grid_can_repartition(GrB_Matrix A);
/* What a row costs beside its entries, in those. */
static inline double grid_row_cost(uint32_t degree, Grid_Row_Costs rows) {
  return degree > 1 ? rows.many : rows.few;
}
/* Of this process, where rows cost as much as that. */
double grid_partition_work(GrB_Matrix A, Grid_Row_Costs rows);
/* Errors of the numbers that both take. */
GrB_Info grid_repartition_check(GrB_Matrix A, Grid_Row_Costs rows, double seconds, double rounds,
                                const char *call);

/* Seconds that moving takes where the process with the most work has so much: as the last move did
 * (grid_tune.move_rate, the same on every process; docs/measurements/partitions.md). */
double grid_repartition_cost(double largest);
/* The last move has cost that much more. */
void grid_repartition_add_cost(double seconds, double largest);

/* Adds arrays of doubles (transport.h, allreduce_with). */
static inline void grid_sum_doubles(void *to, const void *from, size_t bytes, void *context) {
  double *z = to;
  const double *x = from;
  (void)context;
  for (size_t k = 0; k < bytes / sizeof *z; k++) z[k] += x[k];
}

/* Granules of 64 indices of a dimension n or, in a long one, of more: all of their work is known to all. */
typedef struct {
  uint64_t n, size, count; /* indices in one; granules */
  double *work;
} grid_granules;
/* Cuts of a square matrix's rows and columns on a grid of several rows and columns: in place of those given,
 * to ends of granules, such that blocks are as even as a search from there makes them. An entry of this
 * process weighs `each`, a chunk gets `longest` granules at most. Collective, agreed on. */
GrB_Info grid_partition_blocks(GrB_Matrix A, const grid_granules *g, Grid_Row_Costs rows, double each,
                               uint64_t longest, uint64_t *first);

/* Grid_Matrix_repartition of such a matrix. Collective, agreed on. */
GrB_Info grid_repartition_matrix(Grid_Repartition *b, GrB_Matrix A, Grid_Row_Costs rows, double seconds,
                                 double rounds, const char *call);
#endif
