/* See lmat_diagonal.h. Each row has at most one entry, so that nothing is sorted. */
#include "spmat/cpu/index/lmat_diagonal.h"

#include "semiring/support/tuning.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"
#include "spmat/vec_ops.h"

/* Sets the axis: a list of first + idx[0 .. n) if few vectors are used, else all vectors. idx NULL: all are
 * used. */
static GrB_Info set_axis(grid_axis *a, const uint64_t *idx, uint64_t first, uint64_t n) {
  a->n = a->dim;
  if (!idx || !grid_axis_is_hyper_for(a, n, n)) return GrB_SUCCESS;
  GrB_Info info = grid_axis_list(a, n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) grid_axis_store(a, k, first + idx[k]);
  return info;
}

/* Row and column of each entry. */
static void write_positions(const grid_local_matrix *t, const uint64_t *idx, grid_offsets start, uint64_t row,
                            uint64_t col) {
  const uint64_t n = t->nvals, rows = t->row.n;
  const bool all_rows = !t->row.ids, all_cols = !t->col.ids;
#pragma omp parallel for schedule(static) if (n > 1 << 16)
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t from = !all_rows ? k : k ? row + idx[k - 1] + 1 : 0, to = all_rows ? row + idx[k] : k;
    for (uint64_t r = from; r <= to; r++) grid_offset_set(start, r, k);
    t->by_row.idx[k] = (uint32_t)(all_cols ? col + idx[k] : k);
  }
  for (uint64_t r = !all_rows ? n : n ? row + idx[n - 1] + 1 : 0; r <= rows; r++)
    grid_offset_set(start, r, n);
}

/* The same for a full vector: consecutive numbers. */
static void store_offsets(const grid_local_matrix *t, uint32_t *start, uint64_t row, uint64_t col) {
  const uint32_t n = (uint32_t)t->nvals, rows = (uint32_t)t->row.n, first = (uint32_t)row;
  uint32_t *restrict idx = t->by_row.idx, *restrict from = start + first;
  for (uint32_t r = 0; r < first; r++) start[r] = 0;
#pragma omp parallel for schedule(static) if (n > 1 << 16)
  for (uint32_t k = 0; k < n; k++) {
    from[k] = k;
    idx[k] = (uint32_t)col + k;
  }
  for (uint64_t r = (uint64_t)first + n; r <= rows; r++) start[r] = n;
}

static GrB_Info set_positions(grid_local_matrix *t, const uint64_t *idx, uint64_t row, uint64_t col) {
  const uint64_t n = t->nvals, rows = t->row.n;
  grid_offsets start;
  if (!grid_offsets_make(&start, rows + 1, n))
    return grid_fail_memory(NULL, "rows of a diagonal", rows + 1, sizeof(uint64_t));
  t->by_row = (grid_compressed){
      .ptr = start.offsets32, .offsets64 = start.offsets64, .idx = grid_malloc(n, sizeof(uint32_t))};
  if (!t->by_row.idx) return grid_fail_memory(NULL, "entries of a diagonal", n, sizeof(uint32_t));
  if (idx)
    write_positions(t, idx, start, row, col);
  else
    store_offsets(t, start.offsets32, row, col);
  return GrB_SUCCESS;
}

/* The indices of v's entries; NULL: v is full, and the axes have no lists. */
static GrB_Info list_entries(uint64_t **idx, const grid_local_matrix *t, const grid_chunk *v) {
  const uint64_t n = v->nvals;
  *idx = NULL;
  if (n && n == v->n && n < grid_tune.offsets64_from && !grid_axis_is_hyper_for(&t->row, n, n) &&
      !grid_axis_is_hyper_for(&t->col, n, n))
    return GrB_SUCCESS;
  *idx = grid_malloc(n, sizeof **idx);
  if (!*idx) return grid_fail_memory(NULL, "entries of a diagonal", n, sizeof **idx);
  return grid_vec_tuples(*idx, NULL, v->type, v, 0);
}

GrB_Info grid_cpu_lmat_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col) {
  const uint64_t n = v->nvals;
  const bool iso = v->iso && n && !v->device;
  uint64_t *idx;
  GrB_Info info;
  TRY(list_entries(&idx, t, v));
  TRY(set_axis(&t->row, idx, row, n));
  TRY(set_axis(&t->col, idx, col, n));
  t->nvals = n;
  TRY(set_positions(t, idx, row, col));
  if (iso) TRY(grid_lmat_set_iso(t, v->val));
  if (!iso) {
    t->by_row.val = grid_malloc(n, v->type->size);
    if (!t->by_row.val) TRY(grid_fail_memory(NULL, "values of a diagonal", n, v->type->size));
    TRY(grid_vec_tuples(NULL, t->by_row.val, v->type, v, 0));
  }
done:
  grid_free(idx);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}
