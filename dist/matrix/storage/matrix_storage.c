/* The table of storage forms; see matrix_storage.h. */
#include "dist/matrix/storage/matrix_storage.h"

#include "dist/matrix/matrix_require.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/object/burble.h"
#include "spmat/backend.h"

/* ---- rows of one block, compressed (CSR, or DCSR where axes are lists) ---- */

static const char *rows_name(GrB_Matrix A) {
  const grid_local_matrix *p = &A->block;
  const bool hyper = p->row.ids || p->col.ids;
  if (grid_compressed_is_built(&p->by_col))
    return hyper ? "hypersparse rows and columns" : "rows and columns";
  return hyper ? "hypersparse rows" : "rows";
}

/* A bitmap may stand beside the rows. */
static uint64_t rows_bytes(GrB_Matrix A) {
  return grid_lmat_bytes(&A->block) + grid_dense_bytes(A);
}

/* The compact index of local index id, or UINT64_MAX. */
static uint64_t compact_index(const grid_axis *a, uint64_t id) {
  return a->ids || id >= a->n ? grid_axis_find(a, id) : id;
}

const void *grid_lmat_find_hypersparse(const grid_local_matrix *p, uint64_t row, uint64_t col) {
  const uint64_t r = compact_index(&p->row, row), c = compact_index(&p->col, col);
  if (r == UINT64_MAX || c == UINT64_MAX) return NULL;
  const uint64_t at = grid_lmat_find(p, r, c);
  return at == UINT64_MAX ? NULL : grid_lmat_value(p, at);
}

/* Of a block on the device the value is copied to A, which holds it until the next call. */
static GrB_Info rows_find(GrB_Matrix A, GrB_Index i, GrB_Index j, const void **v) {
  const grid_local_matrix *p = &A->block;
  const uint64_t row = grid_local_row(A->nrows, i), col = grid_local_col(A->ncols, j);
  bool found = false;
  *v = p->device ? NULL : grid_lmat_find_value(p, row, col);
  if (!p->device || !p->nvals) return GrB_SUCCESS;
  GrB_Info info = grid_cuda->lmat_ops->element(p, row, col, &found, A->placement.fetched);
  if (info == GrB_SUCCESS && found) *v = A->placement.fetched;
  return info;
}

static GrB_Info rows_copy(GrB_Matrix to, GrB_Matrix from) {
  GrB_Info info = grid_lmat_copy(&to->block, &from->block);
  to->nvals = from->nvals;
  to->properties.symmetric = from->properties.symmetric;
  to->placement.on_device = from->placement.on_device;
  to->delegates.decided = from->delegates.decided;
  if (info == GrB_SUCCESS) info = grid_degrees_copy(to, from);
  TRY(grid_agree(&from->head, info));
  to->properties = from->properties;
done:
  return info;
}

/* ---- a split matrix: rows of the nn block, and parts with delegates ---- */

static const char *parts_name(GrB_Matrix A) {
  (void)A;
  return "split";
}

static GrB_Info parts_copy(GrB_Matrix to, GrB_Matrix from) {
  grid_tuples t = {0};
  GrB_Info info;
  TRY(grid_agree(&from->head, grid_matrix_tuples(from, &t)));
  TRY(grid_matrix_fill(to,
                       &(grid_build){.row = t.row,
                                     .col = t.col,
                                     .val = t.val,
                                     .type = from->type,
                                     .one = from->block.iso_val,
                                     .n = t.n,
                                     .newest_wins = true},
                       "GrB_Matrix_dup"));
  to->properties.symmetric = from->properties.symmetric;
done:
  grid_tuples_free(&t);
  return info;
}

/* ---- bitmap or full ---- */

static const char *bitmap_name(GrB_Matrix A) {
  return grid_form_of(&A->bitmap.chunk);
}

static GrB_Info bitmap_find(GrB_Matrix A, GrB_Index i, GrB_Index j, const void **v) {
  *v = grid_dense_find_value(A, i, j);
  return GrB_SUCCESS;
}

/* ---- out of core ---- */

static const char *outofcore_name(GrB_Matrix A) {
  (void)A;
  return "pages";
}

static GrB_Info outofcore_find(GrB_Matrix A, GrB_Index i, GrB_Index j, const void **v) {
  const uint64_t row = compact_index(&A->block.row, grid_local_row(A->nrows, i)),
                 col = compact_index(&A->block.col, grid_local_col(A->ncols, j));
  return grid_pages_find(A->pages, row, col, v);
}

static GrB_Info outofcore_merge(GrB_Matrix A) {
  GrB_Info info = grid_paged_load(A);
  return info == GrB_SUCCESS && A->pending.n ? grid_storage_of(A)->merge(A) : info;
}

/* ---- the table ---- */

static const grid_storage rows = {rows_name, rows_bytes, rows_find, rows_copy, grid_matrix_merge_rows};
static const grid_storage parts = {parts_name, rows_bytes, rows_find, parts_copy, grid_matrix_merge_parts};
static const grid_storage bitmap = {bitmap_name, rows_bytes, bitmap_find, grid_dense_copy, grid_dense_change};
static const grid_storage outofcore = {outofcore_name, grid_paged_bytes, outofcore_find, grid_paged_copy,
                                       outofcore_merge};

const grid_storage *grid_storage_of(GrB_Matrix A) {
  if (grid_is_stored_by_rows(A)) return &rows;
  return A->pages ? &outofcore : A->bitmap.only ? &bitmap : &parts;
}
