/* See export_outofcore.h. By rows, entries are visited in the order of the arrays. By columns, a first
 * pass over all pages counts entries and a second one places them; rows ascend within a column because the
 * pages' rows ascend. */
#include "dist/interchange/export_outofcore.h"

#include <string.h>

#include "dist/interchange/outofcore_entries.h"
#include "dist/matrix/storage/matrix_outofcore.h"

/* Exports rows or columns first .. first + n. */
typedef struct {
  const grid_export_arrays *a;
  size_t size;
  uint64_t first, n;
  uint64_t row, entry; /* by rows: the next offset to write, and the entries so far */
  uint64_t *start;     /* by columns: the next position of each column */
} exporting;

/* ---- by rows ---- */

static void begin_rows(exporting *x, uint64_t row) {
  if (x->a->format != GrB_CSR_FORMAT || !x->a->indptr) return;
  for (; x->row <= row; x->row++) x->a->indptr[x->row] = x->entry;
}

static void store_by_row(void *context, const grid_paged_batch *e) {
  exporting *x = context;
  const grid_export_arrays *a = x->a;
  const bool tuples = a->format == GrB_COO_FORMAT && a->indptr;
  for (uint64_t k = 0; k < e->n; k++, x->entry++) {
    begin_rows(x, e->row[k] - x->first);
    if (tuples) a->indptr[x->entry] = e->row[k];
    if (a->indices) a->indices[x->entry] = e->col[k];
  }
  if (a->values) memcpy((char *)a->values + (x->entry - e->n) * x->size, e->val, e->n * x->size);
}

/* ---- by columns ---- */

static void count(void *context, const grid_paged_batch *e) {
  exporting *x = context;
  for (uint64_t k = 0; k < e->n; k++) {
    const uint64_t c = e->col[k] - x->first; /* wraps to a large value for columns below first */
    if (c >= x->n) continue;
    x->entry++;
    if (x->start) x->start[c + 1]++;
  }
}

GrB_Info grid_export_count_local(uint64_t *n, GrB_Matrix A) {
  const uint32_t *length = grid_pages_lengths(A->pages);
  uint64_t *entries = grid_calloc((size_t)grid_ctx.C, sizeof *entries); /* of each chunk of the block */
  GrB_Info info = entries
                      ? GrB_SUCCESS
                      : grid_fail_memory(&A->head, "lengths of rows", (uint64_t)grid_ctx.C, sizeof *entries);
  TRY(grid_agree(&A->head, info));
  for (int s = 0; s < grid_ctx.C; s++) {
    const uint64_t end = grid_axis_bound(&A->block.row, grid_block_offset(A->nrows, true, s + 1));
    for (uint64_t r = grid_axis_bound(&A->block.row, grid_block_offset(A->nrows, true, s));
         r < end && r < A->pages->rows; r++)
      entries[s] += length[r];
  }
  TRY(grid_ctx.transport->allreduce(GRID_SET_ROW, entries, (size_t)grid_ctx.C, GRID_SUM));
  *n = entries[grid_ctx.j];
done:
  grid_free(entries);
  return info;
}

GrB_Info grid_export_count(uint64_t *n, uint64_t *start, GrB_Matrix A, uint64_t first, uint64_t of) {
  exporting x = {.first = first, .n = of, .start = start};
  if (start) memset(start, 0, (of + 1) * sizeof *start);
  const GrB_Info info = grid_paged_entries(A, false, false, count, &x);
  for (uint64_t c = 0; start && c < of; c++) start[c + 1] += start[c];
  *n = x.entry;
  return info;
}

static void store_by_column(void *context, const grid_paged_batch *e) {
  exporting *x = context;
  const grid_export_arrays *a = x->a;
  for (uint64_t k = 0; k < e->n; k++) {
    const uint64_t c = e->col[k] - x->first;
    if (c >= x->n) continue;
    const uint64_t at = x->start[c]++;
    if (a->indices) a->indices[at] = e->row[k];
    if (a->values) memcpy((char *)a->values + at * x->size, e->val + k * x->size, x->size);
  }
}

/* ---- both ---- */

GrB_Info grid_export_pages(const grid_export_arrays *a, GrB_Matrix A, bool local_only, uint64_t *start) {
  const bool by_column = a->format == GrB_CSC_FORMAT;
  const uint64_t dim = by_column ? A->ncols : A->nrows;
  exporting x = {.a = a, .size = A->type->size, .n = dim, .start = start};
  if (local_only) {
    x.n = grid_chunk_length(dim, grid_ctx.k);
    x.first = grid_chunk_first(dim, grid_ctx.k);
  }
  if (by_column && a->indptr) memcpy(a->indptr, start, (x.n + 1) * sizeof *start);
  const GrB_Info info = grid_paged_entries(A, local_only && !by_column, a->values != NULL,
                                           by_column ? store_by_column : store_by_row, &x);
  if (!by_column && info == GrB_SUCCESS) begin_rows(&x, x.n);
  return info;
}
