/* Grid_Matrix_best_label for rows of a local matrix, which lies on the host and has all columns. */
#ifndef GRID_LMAT_BEST_LABEL_H
#define GRID_LMAT_BEST_LABEL_H
#include "spmat/matrix/local_matrix.h"

typedef struct {
  const grid_local_matrix *a;
  const double *val;    /* of its entries, */
  bool iso;             /* or one value of all */
  const uint64_t *row;  /* n rows, ascending */
  const double *scale;  /* of these; NULL: 1 */
  const int64_t *label; /* of every vertex; below 0: none */
  const double *price;  /* of every label; NULL: 0 */
  const double *bonus;  /* of every vertex; NULL: a row's own label is nothing special */
  uint64_t n;
} grid_label_rows;

/* best[k]: the label of row k of these; below 0: it has none. */
GrB_Info grid_lmat_best_label(int64_t *best, const grid_label_rows *r);
#endif
