/* See entry_positions.h. */
#include "spmat/cpu/rows/entry_positions.h"

#include "semiring/support/simd_levels.h"

grid_coords_cursor grid_coords_begin(const grid_local_matrix *p, const grid_index_map *rows,
                                     const grid_index_map *cols, uint64_t e) {
  return (grid_coords_cursor){p, rows, cols, grid_row_of_entry(p, e)};
}

/* i[0 .. n) = row. If `capacity` elements of i, which later runs overwrite, are at least SHORT_RUN, a short
 * run is written as one of that length, without a loop. */
static inline void write_run(uint64_t *i, uint64_t n, uint64_t capacity, uint64_t row) {
  enum { SHORT_RUN = 8 };
  if (n <= SHORT_RUN && capacity >= SHORT_RUN)
    for (uint64_t k = 0; k < SHORT_RUN; k++) i[k] = row;
  else
    for (uint64_t k = 0; k < n; k++) i[k] = row;
}

GRID_LEVELS static void read_rows(grid_coords_cursor *w, uint64_t e, size_t n, uint64_t *i) {
  const uint64_t to = e + n;
  for (uint64_t k = e; k < to;) {
    while (grid_vector_start(&w->p->by_row, w->row + 1) <= k) w->row++;
    const uint64_t end = grid_vector_start(&w->p->by_row, w->row + 1), stop = end < to ? end : to;
    write_run(i + (k - e), stop - k, to - k, grid_index_map_at(w->rows, w->row));
    k = stop;
  }
}

static void read_columns(const grid_coords_cursor *w, uint64_t e, size_t n, uint64_t *j) {
  const uint32_t *idx = w->p->by_row.idx + e;
  if (!w->cols->axis->ids && !w->cols->table && !w->cols->q)
    for (size_t k = 0; k < n; k++) j[k] = w->cols->base + idx[k];
  else
    for (size_t k = 0; k < n; k++) j[k] = grid_index_map_at(w->cols, idx[k]);
}

void grid_coords_read(grid_coords_cursor *w, uint64_t e, size_t n, uint64_t *i, uint64_t *j) {
  if (i) read_rows(w, e, n, i);
  if (j) read_columns(w, e, n, j);
}
