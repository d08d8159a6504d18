/* part_where.c: see part_where.h. */
#include "spmat/cpu/rows/part_where.h"

grid_where grid_where_begin(const grid_part *p, const grid_places *rows, const grid_places *cols,
                            uint64_t e) {
  return (grid_where){p, rows, cols, grid_row_of_entry(p, e)};
}

void grid_where_read(grid_where *w, uint64_t e, size_t n, uint64_t *i, uint64_t *j) {
  const uint32_t *idx = w->p->by_row.idx + e;
  const uint64_t to = e + n;
  for (uint64_t k = e; k < to;) {
    while (grid_vector_start(&w->p->by_row, w->row + 1) <= k) w->row++;
    const uint64_t end = grid_vector_start(&w->p->by_row, w->row + 1), stop = end < to ? end : to,
                   row = grid_place(w->rows, w->row);
    for (; k < stop; k++) i[k - e] = row;
  }
  if (!w->cols->axis->ids && !w->cols->table && !w->cols->q)
    for (size_t k = 0; k < n; k++) j[k] = w->cols->base + idx[k];
  else
    for (size_t k = 0; k < n; k++) j[k] = grid_place(w->cols, idx[k]);
}
