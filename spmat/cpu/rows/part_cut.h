/* part_cut.h: the rows of aligned parts cut into tasks of about equal numbers of entries; a long row is cut
 * at a column, too, so that one row alone is work for all threads. */
#ifndef GRID_PART_CUT_H
#define GRID_PART_CUT_H
#include "spmat/convert/part_align.h"

/* Where a task begins: at entry at[k] of each part, in row `row` or where it begins. */
typedef struct {
  uint64_t row;
  uint64_t at[GRID_ALIGN_MOST];
} grid_cut;

typedef struct {
  uint64_t tasks;
  grid_cut *cut; /* tasks + 1: task t lasts from cut[t] to cut[t + 1] */
  uint64_t most; /* entries of all parts in one task, at most */
} grid_row_cuts;

/* Tasks of about `entries` entries. Free cuts->cut. */
GrB_Info grid_cut_rows(grid_row_cuts *cuts, const grid_aligned *a, uint64_t entries);

/* How many entries a task should have where an entry takes so many bytes of a thread's buffers. */
uint64_t grid_cut_entries(const grid_aligned *a, size_t bytes);

/* The rows of a task, one after the other: entries from[k] to to[k] of part k are in row `row`. The last
 * piece may be the beginning of a row that a later task ends. */
typedef struct {
  uint64_t row;
  bool ends; /* the row ends here */
  uint64_t from[GRID_ALIGN_MOST], to[GRID_ALIGN_MOST];
} grid_piece;

static inline void grid_piece_begin(grid_piece *p, const grid_cut *cut) {
  p->row = cut[0].row - 1;
  for (int k = 0; k < GRID_ALIGN_MOST; k++) p->to[k] = cut[0].at[k];
}
/* The next piece of the first n parts; false at the task's end. */
static inline bool grid_piece_next(grid_piece *p, const grid_aligned *a, size_t n, const grid_cut *cut) {
  const uint64_t r = ++p->row;
  if (r > cut[1].row) return false;
  p->ends = r < cut[1].row;
  for (size_t k = 0; k < n && k < GRID_ALIGN_MOST; k++) {
    p->from[k] = p->to[k];
    p->to[k] = p->ends ? grid_aligned_start(&a->part[k], r + 1) : cut[1].at[k];
  }
  return true;
}
#endif
