/* Rows that are sent to other processes as runs (matrix_send_rows.c, matrix_fetch_rows.c), and received
 * (row_runs.c). A run is what one process has of a row of the result for another: the row there and its
 * length. Columns and values follow in the order of the runs. */
#ifndef GRID_ROW_RUNS_H
#define GRID_ROW_RUNS_H
#include "spmat/matrix/local_matrix.h"

typedef struct {
  uint32_t row, n;
} grid_row_run;

typedef struct {
  const grid_local_matrix *p;
  size_t size;                 /* bytes of a value; 0: no values are sent */
  uint32_t *row_home, *row_to; /* of each row: the row of the grid, the local row there */
  uint32_t *col_home, *col_to; /* NULL: column 0 of the grid; the same index */
  bool rows_ascend;            /* row_home ascends */
  uint64_t unordered;          /* columns do not ascend in their destination */
  uint64_t *runs, *entries;    /* P of each: what each process gets */
  grid_row_run *run;
  uint32_t *idx; /* memory of idx and val, or NULL where p's own arrays are sent */
  char *val;
} grid_outgoing_rows;
void grid_outgoing_rows_free(grid_outgoing_rows *x);

typedef struct {
  grid_row_run *run;
  uint64_t runs, n;
  uint32_t *idx;
  char *val;
  size_t size;
  uint64_t *at;  /* destination of each run's entries; NULL: where they are */
  bool repeated; /* a row has several runs, */
  bool sorted;   /* which arrive in order of their columns */
} grid_incoming_rows;
void grid_incoming_rows_free(grid_incoming_rows *x);

/* Sends s to all processes, and receives x. Collective. */
GrB_Info grid_exchange_rows(const grid_outgoing_rows *s, grid_incoming_rows *x);
/* The rows of t, whose axes are as long as their dimensions, from x. unordered: columns may not ascend;
 * plain: the axes are no lists, however few rows there are; one: the value of all entries, or NULL. Local. */
GrB_Info grid_receive_rows(grid_local_matrix *t, grid_incoming_rows *x, bool unordered, bool plain,
                           const void *one);
#endif
