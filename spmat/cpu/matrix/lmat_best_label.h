/* Grid_Matrix_best_label for rows of a local matrix, which lies on the host: of rows that it has whole, and
 * in two steps of rows that several processes share. */
#ifndef GRID_LMAT_BEST_LABEL_H
#define GRID_LMAT_BEST_LABEL_H
#include "spmat/matrix/local_matrix.h"

/* Values of 8 bytes, one for each vertex whose bit is set. */
typedef struct {
  const void *value;    /* NULL: no vertex has one */
  const uint64_t *bits; /* NULL: every vertex has one */
} grid_vertex_values;

/* How the label of a row is chosen from the sums by label. */
typedef struct {
  const double *scale;      /* of the rows of a list, in its order; NULL: 1 */
  grid_vertex_values label; /* INT64, of rows; read if has_bonus */
  grid_vertex_values bonus; /* FP64, of rows; 0 where there is none */
  grid_vertex_values price; /* FP64, of labels; 0 where there is none */
  bool has_bonus;           /* a row gets a label only if it exceeds its own with the bonus */
} grid_label_choice;

typedef struct {
  const grid_local_matrix *a;
  const void *val;              /* of its entries, of this type, */
  GrB_Type type;                /* which casts to FP64, */
  bool iso;                     /* or one value of all */
  grid_vertex_values of_column; /* INT64: labels, by a's compact indices of columns */
  const uint64_t *row;          /* n local ids, ascending */
  uint64_t n;
} grid_label_rows;

/* best[k]: the label of row k of these; below 0: it has none. */
GrB_Info grid_lmat_best_label(int64_t *best, const grid_label_rows *r, const grid_label_choice *c);

/* The sum of a row's values in columns of this label. */
typedef struct {
  int64_t label;
  double sum;
} grid_label_sum;

/* Sums of a list of rows: those of row k are sum[start[k]] .. sum[start[k] + count[k] - 1]. */
typedef struct {
  uint64_t *start;
  uint64_t *count;
  grid_label_sum *sum;
} grid_label_sums;

/* The first step: the sums of n rows. *s becomes three new arrays, which the caller frees, also on failure.
 */
GrB_Info grid_lmat_sum_labels(grid_label_sums *s, const grid_label_rows *r);

/* Sums of a list of rows from one process: those of the k-th are sum[start[k]] .. sum[start[k + 1] - 1]. */
typedef struct {
  const uint64_t *start;
  const grid_label_sum *sum;
} grid_label_segment;

/* The second step: best[k], as above, of row[k] from the sums of several processes for the same list. */
GrB_Info grid_best_label_of_sums(int64_t *best, const grid_label_segment *segment, int segments,
                                 const uint64_t *row, uint64_t n, const grid_label_choice *c);
#endif
