/* The rows of the vertices in a frontier, each on one process (frontier_rows.c). */
#ifndef GRID_FRONTIER_ROWS_H
#define GRID_FRONTIER_ROWS_H
#include "algos/rows/local_rows.h"

typedef struct {
  GrB_Matrix A;
  bool extracted;    /* in each hop, in place of a view of A */
  local_rows rows;   /* of A, or of the rows extracted */
  GrB_Index *vertex; /* of the frontier, those whose rows this process has */
  GrB_Index count;
} frontier_rows;

/* Free f in any case. Collective. */
GrB_Info grid_frontier_rows_begin(frontier_rows *f, GrB_Matrix A);
void grid_frontier_rows_free(frontier_rows *f);
/* Those of the vertices with an entry in `frontier`, of which there are some. Collective. */
GrB_Info grid_frontier_rows_read(frontier_rows *f, GrB_Vector frontier);

/* The entries of vertex number k are those from its start to its end. */
static inline GrB_Index frontier_row(const frontier_rows *f, GrB_Index k) {
  return f->extracted ? f->rows.first + k : f->vertex[k];
}
static inline GrB_Index frontier_row_start(const frontier_rows *f, GrB_Index k) {
  return row_start(&f->rows, frontier_row(f, k));
}
static inline GrB_Index frontier_row_end(const frontier_rows *f, GrB_Index k) {
  return row_start(&f->rows, frontier_row(f, k) + 1);
}
#endif
