/* Divides the rows of aligned matrices into tasks of about equal numbers of entries. A long row is also
 * divided, at a column, so that a single row can occupy all threads. */
#ifndef GRID_ROW_TASKS_H
#define GRID_ROW_TASKS_H
#include "spmat/convert/lmat_align.h"

/* Where a task begins: at entry at[k] of each matrix k, in row `row` or at its beginning. */
typedef struct {
  uint64_t row;
  uint64_t at[GRID_ALIGN_MAX];
} grid_split_point;

typedef struct {
  uint64_t tasks;
  grid_split_point *split; /* tasks + 1: task t goes from split[t] to split[t + 1] */
  uint64_t most;           /* most entries of all matrices in one task */
} grid_row_splits;

/* Makes tasks of about `entries` entries. The caller frees splits->split. */
GrB_Info grid_split_rows(grid_row_splits *splits, const grid_aligned *a, uint64_t entries);

/* Entries that a task should have if an entry takes this many bytes of a thread's buffers. */
uint64_t grid_split_entries(const grid_aligned *a, size_t bytes);

/* Iterates over the rows of a task: entries from[k] .. to[k] - 1 of matrix k are in row `row`. The last
 * segment may be the beginning of a row that a later task ends. */
typedef struct {
  uint64_t row;
  bool ends; /* the row ends here */
  uint64_t from[GRID_ALIGN_MAX], to[GRID_ALIGN_MAX];
} grid_row_segment;

static inline void grid_row_segment_begin(grid_row_segment *p, const grid_split_point *split) {
  p->row = split[0].row - 1;
  for (int k = 0; k < GRID_ALIGN_MAX; k++) p->to[k] = split[0].at[k];
}
/* The next segment of the first n matrices; false at the task's end. */
static inline bool grid_row_segment_next(grid_row_segment *p, const grid_aligned *a, size_t n,
                                         const grid_split_point *split) {
  const uint64_t r = ++p->row;
  if (r > split[1].row) return false;
  p->ends = r < split[1].row;
  for (size_t k = 0; k < n && k < GRID_ALIGN_MAX; k++) {
    p->from[k] = p->to[k];
    p->to[k] = p->ends ? grid_aligned_start(&a->lmat[k], r + 1) : split[1].at[k];
  }
  return true;
}
#endif
