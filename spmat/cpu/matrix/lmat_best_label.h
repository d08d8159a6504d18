/* Grid_Matrix_best_label for rows of a local matrix, which lies on the host and has all columns. */
#ifndef GRID_LMAT_BEST_LABEL_H
#define GRID_LMAT_BEST_LABEL_H
#include "spmat/matrix/local_matrix.h"

/* Values of 8 bytes, one for each vertex whose bit is set. */
typedef struct {
  const void *value;    /* NULL: no vertex has one */
  const uint64_t *bits; /* NULL: every vertex has one */
} grid_vertex_values;

typedef struct {
  const grid_local_matrix *a;
  const void *val;          /* of its entries, of this type, */
  GrB_Type type;            /* which casts to FP64, */
  bool iso;                 /* or one value of all */
  const uint64_t *row;      /* n rows, ascending */
  const double *scale;      /* of these; NULL: 1 */
  grid_vertex_values label; /* INT64 */
  grid_vertex_values price; /* FP64, of labels; 0 where there is none */
  grid_vertex_values bonus; /* FP64; 0 where there is none */
  bool keeps;               /* a row's own label is one of them, with the bonus */
  uint64_t n;
} grid_label_rows;

/* best[k]: the label of row k of these; below 0: it has none. */
GrB_Info grid_lmat_best_label(int64_t *best, const grid_label_rows *r);
#endif
