/* A mask over the rows and columns that a product of matrices numbers. */
#include "dist/product/mask_rows.h"

void grid_mask_rows_free(grid_mask_rows *m) {
  grid_free(m->start);
  grid_free(m->end);
  grid_free(m->idx);
  grid_free(m->map);
  *m = (grid_mask_rows){0};
}

/* map[c] = number of the mask's column c among cols, or UINT32_MAX. */
static GrB_Info map_columns(grid_mask_rows *m, const grid_axis *from, const grid_axis *cols) {
  m->map = grid_malloc(from->n, sizeof *m->map);
  if (!m->map) return grid_fail_memory(NULL, "columns of a mask", from->n, sizeof *m->map);
  for (uint64_t c = 0, at = 0; c < from->n; c++) {
    const uint64_t id = grid_axis_id(from, c);
    if (cols->ids)
      while (at < cols->n && grid_axis_id(cols, at) < id) at++;
    else
      at = id;
    m->map[c] = at < cols->n && grid_axis_id(cols, at) == id ? (uint32_t)at : UINT32_MAX;
  }
  return GrB_SUCCESS;
}

static bool same_axis(const grid_axis *a, const grid_axis *b) {
  return !a->ids && !b->ids;
}

/* Entries of the mask's row that count, in the numbering of the product. */
static uint64_t take(const grid_mask_rows *m, const grid_part *mask, bool structure, uint64_t e, uint64_t end,
                     uint32_t *to) {
  const grid_compressed *c = &mask->by_row;
  uint64_t n = 0;
  for (; e < end; e++) {
    if (!structure && !grid_is_true(mask->type, grid_part_value(mask, e))) continue;
    const uint32_t j = m->map ? m->map[c->idx[e]] : c->idx[e];
    if (j != UINT32_MAX) to[n++] = j;
  }
  return n;
}

/* What each of the rows has in the mask; rows that the mask has not are empty. */
static void find_rows(grid_mask_rows *m, const grid_part *mask, const grid_axis *rows) {
  for (uint64_t r = 0, at = 0; r < rows->n; r++) {
    const uint64_t id = grid_axis_id(rows, r);
    if (mask->row.ids)
      while (at < mask->row.n && grid_axis_id(&mask->row, at) < id) at++;
    else
      at = id;
    if (at >= mask->row.n || grid_axis_id(&mask->row, at) != id) continue;
    m->start[r] = grid_vector_start(&mask->by_row, at);
    m->end[r] = grid_vector_start(&mask->by_row, at + 1);
  }
}

GrB_Info grid_mask_rows_make(grid_mask_rows *m, const grid_part *mask, bool structure, const grid_axis *rows,
                             const grid_axis *cols) {
  GrB_Info info = GrB_SUCCESS;
  const grid_compressed *c = &mask->by_row;
  *m = (grid_mask_rows){0};
  if (mask->iso && mask->nvals && grid_is_true(mask->type, mask->iso_val)) structure = true;
  if (structure && same_axis(&mask->row, rows) && same_axis(&mask->col, cols)) {
    m->v = (mxm_vectors){.from = c->ptr,
                         .to = c->ptr ? c->ptr + 1 : NULL,
                         .wide_from = c->wide,
                         .wide_to = c->wide ? c->wide + 1 : NULL,
                         .idx = c->idx};
    return info;
  }
  m->start = grid_calloc(rows->n, sizeof *m->start);
  m->end = grid_calloc(rows->n, sizeof *m->end);
  if (!m->start || !m->end) TRY(grid_fail_memory(NULL, "rows of a mask", rows->n, sizeof *m->start));
  m->v = (mxm_vectors){.wide_from = m->start, .wide_to = m->end, .idx = c->idx};
  if (mask->nvals == 0) return info;
  find_rows(m, mask, rows);
  if (structure && same_axis(&mask->col, cols)) return info;
  if (!same_axis(&mask->col, cols)) TRY(map_columns(m, &mask->col, cols));
  m->idx = grid_malloc(mask->nvals, sizeof *m->idx);
  if (!m->idx) TRY(grid_fail_memory(NULL, "entries of a mask", mask->nvals, sizeof *m->idx));
#pragma omp parallel for schedule(dynamic, 1024) if (mask->nvals > 1 << 14)
  for (uint64_t r = 0; r < rows->n; r++)
    m->end[r] = m->start[r] + take(m, mask, structure, m->start[r], m->end[r], m->idx + m->start[r]);
  m->v.idx = m->idx;
done:
  return info;
}
