/* Cuts that give every process as much work as the others: what Grid_Matrix_balance and Grid_Matrix_rebalance
 * share. Work is counted in entries, rows among them. */
#ifndef GRID_OP_BALANCE_H
#define GRID_OP_BALANCE_H
#include "dist/object/matrix/matrix.h"

/* A becomes one whose entries and degrees can be weighed. Collective, agreed on. */
GrB_Info grid_balance_ready(GrB_Matrix A);
/* Is it one whose cuts may move? The same on every process. */
bool grid_balance_can(GrB_Matrix A);
/* What a row costs beside its entries, in those. */
static inline double grid_balance_row(uint32_t degree, Grid_Rows rows) {
  return degree > 1 ? rows.many : rows.few;
}
/* Of this process, where rows cost as much as that. */
double grid_balance_work(GrB_Matrix A, Grid_Rows rows);
/* Errors of the numbers that both take. */
GrB_Info grid_balance_check(GrB_Matrix A, Grid_Rows rows, double seconds, double rounds, const char *call);

/* Seconds that a move takes for each unit of the largest process's work, as the last one did; tests set it.
 * The same on every process. */
extern double grid_move_rate;
/* Seconds that moving takes where the process with the most work has so much: as the last move did. */
double grid_balance_cost(double largest);
/* The last move has cost that much more. */
void grid_balance_cost_more(double seconds, double largest);

/* Grid_Matrix_balance of such a matrix. Collective, agreed on. */
GrB_Info grid_balance(Grid_Balance *b, GrB_Matrix A, Grid_Rows rows, double seconds, double rounds,
                      const char *call);
#endif
