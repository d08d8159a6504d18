/* An external sort of a process's entries of a result: each is appended once, and the entries, sorted, are
 * written as rows. All functions are local. */
#ifndef GRID_PERMUTE_SORTED_H
#define GRID_PERMUTE_SORTED_H
#include <string.h>

#include "dist/outofcore/pages/row_pages.h"
#include "dist/outofcore/sort/sort_runs.h"

typedef struct {
  grid_run_writer runs;
  int shift; /* bits of a column's number */
  uint64_t rows;
  size_t value_size; /* 0: all values are one */
} grid_entry_sort;

/* Can entries of `nrows` x `ncols`, with values of that size, be sorted so? */
bool grid_entry_sort_is_possible(uint64_t nrows, uint64_t ncols, size_t value_size);
/* The files of sorted entries, about so many, are made beside `path`. */
GrB_Info grid_entry_sort_begin(grid_entry_sort *s, const char *path, uint64_t nrows, uint64_t ncols,
                               size_t value_size, uint64_t entries);
/* value: of value_size bytes; NULL if all are one. */
static inline GrB_Info grid_entry_sort_append(grid_entry_sort *s, uint64_t i, uint64_t j, const void *value) {
  const GrB_Info info = grid_run_writer_reserve(&s->runs, 1);
  if (info != GrB_SUCCESS) return info;
  double bytes = 0; /* the value, whatever its type: no entry occurs twice, so values are not compared */
  if (value) memcpy(&bytes, value, s->value_size);
  grid_run_writer_append(&s->runs, i << s->shift | j, bytes);
  return info;
}
/* Appends all rows to `out`; `one` is the value of all entries, or NULL. */
GrB_Info grid_entry_sort_write(grid_entry_sort *s, grid_pages *out, GrB_Type type, const void *one);
void grid_entry_sort_end(grid_entry_sort *s);
#endif
