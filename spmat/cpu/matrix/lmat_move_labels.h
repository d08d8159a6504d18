/* Grid_Matrix_move_labels for a whole matrix, by the threads of one process. */
#ifndef GRID_LMAT_MOVE_LABELS_H
#define GRID_LMAT_MOVE_LABELS_H
#include "spmat/cpu/matrix/lmat_best_label.h"

typedef struct {
  const grid_local_matrix *a; /* by rows, on the host */
  uint64_t n;                 /* vertices */
  int64_t *label;             /* of each, below n; changes, as the next two arrays of n elements */
  double *sum;                /* of the weights with each label: it becomes that */
  const double *weight, *scale, *bonus;
  const Grid_Label_Sweep *how;
} grid_label_moves;

/* moves[k]: of sweep k, for each that how->sweeps allows. */
GrB_Info grid_lmat_move_labels(uint64_t *moves, const grid_label_moves *x);
#endif
