/* row_tasks.h: the rows of aligned parts cut into tasks of about equal numbers of entries; a long row is cut
 * at a column, too, so that one row alone is work for all threads. */
#ifndef GRID_ROW_TASKS_H
#define GRID_ROW_TASKS_H
#include "spmat/convert/lmat_align.h"

/* Where a task begins: at entry at[k] of each part, in row `row` or where it begins. */
typedef struct {
  uint64_t row;
  uint64_t at[GRID_ALIGN_MAX];
} grid_split_point;

typedef struct {
  uint64_t tasks;
  grid_split_point *split; /* tasks + 1: task t lasts from cut[t] to cut[t + 1] */
  uint64_t most;           /* entries of all parts in one task, at most */
} grid_row_splits;

/* Tasks of about `entries` entries. Free cuts->cut. */
GrB_Info grid_split_rows(grid_row_splits *splits, const grid_aligned *a, uint64_t entries);

/* How many entries a task should have where an entry takes so many bytes of a thread's buffers. */
uint64_t grid_split_entries(const grid_aligned *a, size_t bytes);

/* The rows of a task, one after the other: entries from[k] to to[k] of part k are in row `row`. The last
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
/* The next segment of the first n parts; false at the task's end. */
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
