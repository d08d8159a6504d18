/* Sorts entries over all processes: by a major index, then by their values under a comparison, then by a
 * minor index. Each process gets a run of the sorted sequence (sorting by regular sampling: Shi and
 * Schaeffer, 1992).
 */
#ifndef GRID_SORT_ENTRIES_H
#define GRID_SORT_ENTRIES_H
#include "dist/vector/vector.h"

/* Entries of a process: major NULL: 0 for all; values of `type`. */
typedef struct {
  uint64_t n;
  const uint64_t *major, *minor;
  const char *val;
  GrB_Type type;
} grid_unsorted_entries;

/* A run: position[k] is entry k's place among those of its major index, over all processes. */
typedef struct {
  uint64_t n;
  uint64_t *major, *minor, *position;
  char *val;
} grid_sorted_run;

/* Does op compare two values of one type: (T, T) -> BOOL, to which `type` can be cast? */
GrB_Info grid_check_comparison(GrB_BinaryOp op, GrB_Type type, grid_head *out, const char *call);
/* Can positions be stored in a vector or matrix `what` of this type? */
GrB_Info grid_check_permutation(GrB_Type type, uint64_t size, grid_head *out, const char *call,
                                const char *what);

/* less: checked. info: this process's outcome so far, agreed on. Free the run, after an error too.
 * Collective, agreed on. */
GrB_Info grid_sort_entries(grid_sorted_run *run, const grid_unsorted_entries *in, GrB_BinaryOp less,
                           GrB_Info info);
void grid_sorted_run_free(grid_sorted_run *run);
#endif
