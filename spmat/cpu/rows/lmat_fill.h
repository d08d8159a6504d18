/* lmat_fill.h: the rows of a part made by all threads in one pass, where nobody knows beforehand how many
 * entries come. Tasks are in the order of the result. A thread makes a task's entries in buffers that stay in
 * its cache, is told by the task before it where they begin, and copies them there. */
#ifndef GRID_LMAT_FILL_H
#define GRID_LMAT_FILL_H
#include "spmat/cpu/rows/row_tasks.h"

/* What a task writes to. */
typedef struct {
  uint32_t *idx;
  char *val;
  grid_offsets start; /* start[r + 1] = entries so far, at the end of each row r of the task */
  void *workspace;    /* this thread's */
} grid_fill_to;

/* Makes the entries from cut[0] to cut[1]; returns how many. */
typedef uint64_t (*grid_fill_task)(const void *context, const grid_split_point *split,
                                   const grid_fill_to *to);

typedef struct {
  grid_fill_task task;
  const void *context;
  const grid_row_splits *splits;
  uint64_t most;    /* entries of one task, at most: cuts->most will do */
  uint64_t bound;   /* entries of all, at most */
  bool values;      /* or the part has one value, which is the caller's business */
  size_t workspace; /* bytes for each thread */
} grid_fill;

/* p has axes, nothing else: it gets by_row and nvals. On failure it has not. */
GrB_Info grid_lmat_fill_rows(grid_local_matrix *p, const grid_fill *f);
#endif
