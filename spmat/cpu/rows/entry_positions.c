/* See entry_positions.h. */
#include "spmat/cpu/rows/entry_positions.h"

grid_coords_cursor grid_coords_begin(const grid_local_matrix *p, const grid_index_map *rows,
                                     const grid_index_map *cols, uint64_t e) {
  return (grid_coords_cursor){p, rows, cols, grid_row_of_entry(p, e)};
}

void grid_coords_read(grid_coords_cursor *w, uint64_t e, size_t n, uint64_t *i, uint64_t *j) {
  const uint32_t *idx = w->p->by_row.idx + e;
  const uint64_t to = e + n;
  for (uint64_t k = e; k < to;) {
    while (grid_vector_start(&w->p->by_row, w->row + 1) <= k) w->row++;
    const uint64_t end = grid_vector_start(&w->p->by_row, w->row + 1), stop = end < to ? end : to,
                   row = grid_index_map_at(w->rows, w->row);
    for (; k < stop; k++) i[k - e] = row;
  }
  if (!w->cols->axis->ids && !w->cols->table && !w->cols->q)
    for (size_t k = 0; k < n; k++) j[k] = w->cols->base + idx[k];
  else
    for (size_t k = 0; k < n; k++) j[k] = grid_index_map_at(w->cols, idx[k]);
}
