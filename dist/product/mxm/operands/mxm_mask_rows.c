/* See mxm_mask_rows.h. */
#include "dist/product/mxm/operands/mxm_mask_rows.h"

#include "spmat/matrix/axis.h"

void grid_mask_rows_free(grid_mask_rows *m) {
  grid_free(m->start);
  grid_free(m->end);
  grid_free(m->idx);
  grid_free(m->map);
  *m = (grid_mask_rows){0};
}

/* Are positions on both axes equal to local ids? */
static bool are_full_axes(const grid_axis *a, const grid_axis *b) {
  return !a->ids && !b->ids;
}

/* to = the columns of the mask's entries e .. end that are true, in the numbering of the product. Returns how
 * many. */
static uint64_t select_entries(const grid_mask_rows *m, const grid_local_matrix *mask, bool structure,
                               uint64_t e, uint64_t end, uint32_t *to) {
  const grid_compressed *c = &mask->by_row;
  uint64_t n = 0;
  for (; e < end; e++) {
    if (!structure && !grid_is_true(mask->type, grid_lmat_value(mask, e))) continue;
    const uint32_t j = m->map ? m->map[c->idx[e]] : c->idx[e];
    if (j != UINT32_MAX) to[n++] = j;
  }
  return n;
}

/* m->start, m->end: the mask's entries in each of the rows; a row that the mask lacks is empty. */
static void find_rows(grid_mask_rows *m, const grid_local_matrix *mask, const grid_axis *rows) {
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

GrB_Info grid_mask_rows_make(grid_mask_rows *m, const grid_local_matrix *mask, bool structure,
                             const grid_axis *rows, const grid_axis *cols) {
  GrB_Info info = GrB_SUCCESS;
  const grid_compressed *c = &mask->by_row;
  *m = (grid_mask_rows){0};
  if (mask->iso && mask->nvals && grid_is_true(mask->type, mask->iso_val)) structure = true;
  if (structure && are_full_axes(&mask->row, rows) && are_full_axes(&mask->col, cols)) {
    m->v = (mxm_vectors){.from = c->ptr,
                         .to = c->ptr ? c->ptr + 1 : NULL,
                         .from64 = c->offsets64,
                         .to64 = c->offsets64 ? c->offsets64 + 1 : NULL,
                         .idx = c->idx};
    return info;
  }
  m->start = grid_calloc(rows->n, sizeof *m->start);
  m->end = grid_calloc(rows->n, sizeof *m->end);
  if (!m->start || !m->end) TRY(grid_fail_memory(NULL, "rows of a mask", rows->n, sizeof *m->start));
  m->v = (mxm_vectors){.from64 = m->start, .to64 = m->end, .idx = c->idx};
  if (mask->nvals == 0) return info;
  find_rows(m, mask, rows);
  if (structure && are_full_axes(&mask->col, cols)) return info;
  if (!are_full_axes(&mask->col, cols)) TRY(grid_axis_numbers(&m->map, &mask->col, cols));
  m->idx = grid_malloc(mask->nvals, sizeof *m->idx);
  if (!m->idx) TRY(grid_fail_memory(NULL, "entries of a mask", mask->nvals, sizeof *m->idx));
#pragma omp parallel for schedule(dynamic, 1024) if (mask->nvals > 1 << 14)
  for (uint64_t r = 0; r < rows->n; r++)
    m->end[r] =
        m->start[r] + select_entries(m, mask, structure, m->start[r], m->end[r], m->idx + m->start[r]);
  m->v.idx = m->idx;
done:
  return info;
}
