/* The transpose of a hypersparse matrix that is out of core, on one process: entries are sorted by the
 * numbers in the pages, which ascend as the indices do, and the lists of rows and columns change places. */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/permute_sorted.h"
#include "spmat/matrix/axis.h"

static GrB_Info sort_entries(void *context, const grid_local_matrix *rows, uint64_t first) {
  grid_entry_sort *s = context;
  const grid_compressed *c = &rows->by_row;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t r = 0; r < rows->row.n; r++)
    for (uint64_t e = c->ptr[r]; e < c->ptr[r + 1]; e++)
      TRY(grid_entry_sort_append(s, c->idx[e], first + r, rows->iso ? NULL : grid_lmat_value(rows, e)));
done:
  return info;
}

/* *out, to be freed also after an error: the columns of A's pages as rows. */
static GrB_Info make_pages(grid_pages **out, GrB_Matrix A) {
  const uint64_t rows = A->block.col.n, cols = A->block.row.n;
  const grid_pages *g = A->pages;
  grid_entry_sort s;
  GrB_Info info = grid_pages_new(out, g->path, A->type, rows, cols);
  if (info != GrB_SUCCESS) return info;
  info = grid_entry_sort_begin(&s, g->path, rows, cols, g->one ? 0 : A->type->size, A->block.nvals);
  if (info == GrB_SUCCESS) info = grid_pages_stream(A->pages, NULL, sort_entries, &s);
  if (info == GrB_SUCCESS) info = grid_entry_sort_write(&s, *out, A->type, g->one);
  grid_entry_sort_end(&s);
  grid_pages_complete(*out);
  return info;
}

GrB_Info grid_transpose_hypersparse(GrB_Matrix C, GrB_Matrix A, bool *done) {
  const bool symmetric = A->properties.symmetric; /* C may be A */
  grid_axis axes[2] = {{0}};
  grid_pages *out = NULL;
  bool fits;
  GrB_Info info = GrB_SUCCESS;
  *done = false;
  if (!grid_is_paged_hypersparse(A) || A->pending.n || grid_ctx.P > 1 || A->type != C->type) return info;
  TRY(grid_paged_check_fit(A, &fits));
  if (fits) return info;
  info = make_pages(&out, A);
  if (info == GrB_SUCCESS) info = grid_axis_copy(&axes[0], &A->block.col);
  if (info == GrB_SUCCESS) info = grid_axis_copy(&axes[1], &A->block.row);
  TRY(grid_paged_adopt(C, out, axes, info));
  C->properties.symmetric = symmetric;
  *done = true;
done:
  return info;
}
