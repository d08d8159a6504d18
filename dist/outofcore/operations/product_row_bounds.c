/* Upper bounds of the row lengths of a product; see outofcore_run.h. */
#include "dist/outofcore/operations/outofcore_run.h"

/* entries(i) = sum of the lengths of B's rows over A's entries of row i: one product with a vector. */
static GrB_Info count_entries(GrB_Vector *entries, GrB_Matrix A, GrB_Matrix B, bool tran1) {
  GrB_Vector length = NULL, sums = NULL;
  GrB_Semiring second = NULL;
  /* operators are local to each process */
  GrB_Info info = grid_agree(&A->head, GrB_Semiring_new(&second, GrB_PLUS_MONOID_UINT64, GrB_SECOND_UINT64));
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&length, GrB_UINT64, tran1 ? B->ncols : B->nrows);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&sums, GrB_UINT64, A->nrows);
  TRY(info);
  TRY(Grid_Matrix_degree(length, B, tran1));
  TRY(GrB_mxv(sums, NULL, NULL, second, A, length, NULL));
  *entries = sums, sums = NULL;
done:
  GrB_Semiring_free(&second);
  GrB_Vector_free(&length);
  GrB_Vector_free(&sums);
  return info;
}

GrB_Info grid_product_bounds(uint64_t **bound, const grid_axis *rows, uint64_t n, GrB_Matrix A, GrB_Matrix B,
                             bool tran1, uint64_t entry_bytes) {
  const uint64_t ncols = tran1 ? B->nrows : B->ncols;
  GrB_Vector entries = NULL;
  GrB_Index counted = 0, *row = NULL;
  uint64_t *count = NULL;
  GrB_Info info;
  *bound = NULL;
  TRY(count_entries(&entries, A, B, tran1));
  TRY(GrB_Vector_wait(entries, GrB_MATERIALIZE));
  TRY(grid_agree(&A->head, grid_chunk_wait(&entries->chunk))); /* a device may still count them */
  counted = entries->chunk.nvals;
  *bound = grid_calloc(n, sizeof **bound);
  row = grid_malloc(counted, sizeof *row);
  count = grid_malloc(counted, sizeof *count);
  info = *bound && row && count ? GrB_SUCCESS : grid_fail_memory(NULL, "bounds of rows", n, sizeof **bound);
  TRY(grid_agree(&A->head, info));
  TRY(grid_agree(&A->head, Grid_Vector_extractLocal(row, count, &counted, entries)));
  for (GrB_Index k = 0; k < counted; k++) {
    const uint64_t local = grid_local_row(A->nrows, row[k]),
                   number = rows->ids ? grid_axis_find(rows, local) : local;
    if (number < n) (*bound)[number] = entry_bytes * (count[k] < ncols ? count[k] : ncols);
  }
  /* a process has the sums of its chunk; its block has rows of others, too */
  if (grid_ctx.C > 1) TRY(grid_ctx.transport->allreduce(GRID_SET_ROW, *bound, n, GRID_MAX));
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
