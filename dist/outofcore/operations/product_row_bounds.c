/* Upper bounds of the row lengths of a product; see outofcore_run.h. */
#include "dist/outofcore/operations/outofcore_run.h"

/* entries(i) = sum of the lengths of B's rows over A's entries of row i: one product with a vector. */
static GrB_Info count_entries(GrB_Vector *entries, GrB_Matrix A, bool tran0, GrB_Matrix B, bool tran1) {
  GrB_Vector length = NULL, sums = NULL;
  GrB_Semiring second = NULL;
  /* operators are local to each process */
  GrB_Info info = grid_agree(&A->head, GrB_Semiring_new(&second, GrB_PLUS_MONOID_UINT64, GrB_SECOND_UINT64));
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&length, GrB_UINT64, tran1 ? B->ncols : B->nrows);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&sums, GrB_UINT64, tran0 ? A->ncols : A->nrows);
  TRY(info);
  TRY(Grid_Matrix_degree(length, B, tran1));
  TRY(GrB_mxv(sums, NULL, NULL, second, A, length, tran0 ? GrB_DESC_T0 : NULL));
  *entries = sums, sums = NULL;
done:
  GrB_Semiring_free(&second);
  GrB_Vector_free(&length);
  GrB_Vector_free(&sums);
  return info;
}

/* Gathers the bounds of this process's chunk to those of all rows of its block. */
static GrB_Info share_bounds(uint64_t **own, uint64_t nrows) {
  const uint64_t rows = grid_block_rows(nrows);
  uint64_t *all = NULL;
  if (grid_ctx.C == 1) return GrB_SUCCESS;
  all = grid_malloc(rows, sizeof *all);
  GrB_Info info = grid_agree(NULL, all ? GrB_SUCCESS : grid_fail_memory(NULL, "bounds of rows", rows, 8));
  if (info == GrB_SUCCESS) info = grid_gather_chunks(GRID_SET_ROW, nrows, *own, 8 * sizeof **own, all);
  grid_free(*own);
  *own = all;
  return info;
}

GrB_Info grid_product_bounds(uint64_t **bound, GrB_Matrix A, bool tran0, GrB_Matrix B, bool tran1,
                             uint64_t each) {
  const uint64_t nrows = tran0 ? A->ncols : A->nrows, ncols = tran1 ? B->nrows : B->ncols,
                 rows = grid_own_padded_size(nrows), first = grid_chunk_first(nrows, grid_ctx.k);
  GrB_Vector entries = NULL;
  GrB_Index n = rows, *row = NULL;
  uint64_t *count = NULL;
  GrB_Info info;
  *bound = NULL;
  TRY(count_entries(&entries, A, tran0, B, tran1));
  *bound = grid_calloc(rows, sizeof **bound);
  row = grid_malloc(rows, sizeof *row);
  count = grid_malloc(rows, sizeof *count);
  info = *bound && row && count ? GrB_SUCCESS : grid_fail_memory(NULL, "bounds of rows", rows, 24);
  TRY(grid_agree(&A->head, info));
  TRY(grid_agree(&A->head, Grid_Vector_extractLocal(row, count, &n, entries)));
  for (GrB_Index k = 0; k < n; k++) (*bound)[row[k] - first] = each * (count[k] < ncols ? count[k] : ncols);
  TRY(share_bounds(bound, nrows));
done:
  GrB_Vector_free(&entries);
  grid_free(row);
  grid_free(count);
  if (info != GrB_SUCCESS) {
    grid_free(*bound);
    *bound = NULL;
  }
  return info;
}
