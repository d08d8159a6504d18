/* Makes the rows of a local matrix with all threads in one pass, without counting entries first. Tasks are in
 * the order of the result. A thread makes a task's entries in buffers that stay in its cache, gets their
 * position from the previous task, and copies them there. */
#ifndef GRID_LMAT_FILL_H
#define GRID_LMAT_FILL_H
#include "spmat/cpu/rows/row_tasks.h"

/* What a task writes to. */
typedef struct {
  uint32_t *idx;
  char *val;
  grid_offsets start; /* start[r + 1] = entries of the task so far, stored at the end of each of its rows r */
  void *workspace;    /* of this thread */
} grid_fill_to;

/* Makes the entries from split[0] to split[1]; returns how many. */
typedef uint64_t (*grid_fill_task)(const void *context, const grid_split_point *split,
                                   const grid_fill_to *to);

typedef struct {
  grid_fill_task task;
  const void *context;
  const grid_row_splits *splits;
  uint64_t most;    /* most entries of one task: splits->most suffices */
  uint64_t bound;   /* most entries of all tasks */
  bool values;      /* else the matrix is iso, and the caller sets its value */
  size_t workspace; /* bytes for each thread */
} grid_fill;

/* p has axes, nothing else: it gets by_row and nvals. On failure it is unchanged. */
GrB_Info grid_lmat_fill_rows(grid_local_matrix *p, const grid_fill *f);
#endif
