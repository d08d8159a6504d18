/* See row_panel.h. */
#include "dist/outofcore/operations/row_panel.h"

#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/lmat_format.h"

/* Does an axis of A's block have a list? */
static bool is_listed(GrB_Matrix A) {
  return A->block.row.ids || A->block.col.ids;
}

/* Offset of row r's entries in a block. */
static uint64_t start_of(const grid_local_matrix *p, uint64_t r) {
  if (p->nvals == 0) return 0;
  return grid_vector_start(&p->by_row, grid_axis_bound(&p->row, r));
}

uint64_t grid_row_entries(GrB_Matrix A, uint64_t r) {
  const grid_pages *g = A->pages;
  if (!g) return start_of(&A->block, r + 1) - start_of(&A->block, r);
  if (A->block.row.ids) r = grid_axis_find(&A->block.row, r);
  return r < g->rows ? grid_pages_lengths(g)[r] : 0;
}

uint64_t grid_row_bytes(GrB_Matrix A, uint64_t r) {
  const bool one = A->pages ? A->pages->one != NULL : A->block.iso;
  if (is_listed(A)) return grid_row_entries(A, r) * (one ? GRID_HYPERSPARSE_ENTRY : GRID_HYPERSPARSE_VALUED);
  return grid_row_entries(A, r) * (sizeof(uint32_t) + (one ? 0 : A->type->size));
}

/* p, with dimensions and type, gets rows first .. end of a block in memory whose axes have no lists. */
static GrB_Info copy_rows(grid_local_matrix *p, const grid_local_matrix *from, uint64_t first, uint64_t end) {
  const uint64_t a = start_of(from, first), n = start_of(from, end) - a, dim = p->row.dim;
  const size_t size = from->iso ? 0 : from->type->size;
  grid_compressed *c = &p->by_row;
  GrB_Info info = GrB_SUCCESS;
  if (n == 0) return info;
  grid_offsets o;
  if (!grid_offsets_make(&o, dim + 1, n)) TRY(grid_fail_memory(NULL, "rows of a slice", dim, 4));
  c->ptr = o.offsets32, c->offsets64 = o.offsets64;
  c->idx = grid_malloc(n, sizeof *c->idx);
  c->val = size ? grid_malloc(n, size) : NULL;
  if (!c->idx || (size && !c->val)) TRY(grid_fail_memory(NULL, "entries of a slice", n, 4 + size));
  for (uint64_t r = 0; r <= dim; r++) {
    const uint64_t at = r <= first ? a : r >= end ? a + n : grid_vector_start(&from->by_row, r);
    grid_offset_set(o, r, at - a);
  }
  memcpy(c->idx, from->by_row.idx + a, n * sizeof *c->idx);
  if (size) memcpy(c->val, (const char *)from->by_row.val + a * size, n * size);
  p->row.n = dim, p->col.n = p->col.dim;
  p->nvals = n;
  if (from->iso) TRY(grid_lmat_set_iso(p, from->iso_val));
  info = grid_lmat_choose_format(p);
done:
  if (info != GrB_SUCCESS) grid_lmat_free(p);
  return info;
}

uint64_t grid_slice_bytes(int share) {
  grid_pages_evict(grid_pages_cached_bytes());
  const uint64_t bytes = grid_paged_budget_left() / (uint64_t)share;
  return bytes > grid_tune.row_panel_min_bytes ? bytes : grid_tune.row_panel_min_bytes;
}

GrB_Info grid_slice_like(GrB_Matrix *slice, GrB_Matrix A) {
  return GrB_Matrix_new(slice, A->type, A->nrows, A->ncols);
}

GrB_Info grid_slice_lmat(grid_local_matrix *p, GrB_Matrix A, uint64_t first, uint64_t end) {
  if (is_listed(A)) return grid_hypersparse_rows(p, A, first, end);
  return A->pages ? grid_pages_read_rows(p, A->pages, first, end) : copy_rows(p, &A->block, first, end);
}

GrB_Info grid_slice_make(GrB_Matrix *slice, GrB_Matrix A, uint64_t first, uint64_t end) {
  grid_local_matrix p;
  GrB_Info info = grid_slice_like(slice, A);
  if (info != GrB_SUCCESS) return info;
  grid_lmat_init(&p, A->type, A->block.row.dim, A->block.col.dim);
  info = grid_slice_lmat(&p, A, first, end);
  info = grid_matrix_adopt(*slice, &(grid_build){0}, &p, info);
  grid_lmat_free(&p);
  if (info != GrB_SUCCESS) GrB_Matrix_free(slice);
  return info;
}
