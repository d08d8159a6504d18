/* Operations by position: operands as bitmaps, results written into bitmaps. */
#include "dist/matrix/storage/matrix_bitmap.h"

/* Rows from which nothing was derived leave the memory to the bitmap. Where an operation requires them they
 * are made again, and then stay: A is not converted back and forth. */
static void release_rows(GrB_Matrix A) {
  if (A->properties.ready || A->properties.forms || A->delegates.split) return;
  A->bitmap.only = true;
  A->bitmap.is_iso = A->block.iso;
  grid_dense_free_rows(A);
}

GrB_Info grid_dense_read(grid_dense *x, GrB_Matrix A) {
  GrB_Info info = GrB_SUCCESS;
  *x = (grid_dense){0};
  grid_chunk_init(&x->owned, A->type, 0);
  TRY(grid_matrix_require(A, GRID_MERGED));
  const bool is_dense = grid_is_dense_profitable(A);
  if (!A->bitmap.present) {
    TRY(grid_matrix_require_host(A, 0, "bitmaps"));
    info = grid_dense_of_rows(&x->owned, A);
    /* later changes of a bitmap need no memory and cannot fail */
    if (info == GrB_SUCCESS && is_dense && x->owned.format == GRID_LIST && x->owned.nvals)
      info = grid_chunk_to_bitmap(&x->owned);
    TRY(grid_agree(&A->head, info));
    if (is_dense) {
      grid_chunk_free(&A->bitmap.chunk);
      A->bitmap.chunk = x->owned;
      grid_chunk_init(&x->owned, A->type, 0);
      A->bitmap.present = true;
      release_rows(A);
    }
  }
  x->chunk = A->bitmap.present ? &A->bitmap.chunk : &x->owned;
done:
  return info;
}

void grid_dense_free(grid_dense *x) {
  if (x->owned.type) grid_chunk_free(&x->owned);
  *x = (grid_dense){0};
}

void grid_dense_force(GrB_Matrix A) {
  grid_dense x;
  if (!grid_tune.force_bitmap || !grid_can_be_dense(A)) return;
  if (grid_dense_read(&x, A) == GrB_SUCCESS && A->bitmap.present) {
    grid_chunk dense = A->bitmap.chunk;
    const uint64_t nvals = A->nvals;
    const bool symmetric = A->properties.symmetric;
    grid_chunk_init(&A->bitmap.chunk, A->type, 0);
    grid_matrix_drop(A);
    A->properties.symmetric = symmetric;
    A->bitmap.chunk = dense;
    A->bitmap.present = A->bitmap.only = true;
    A->nvals = nvals;
    grid_dense_free_rows(A);
  }
  grid_dense_free(&x);
}

/* Writes t, which is spent, to c. is_shared: c is C's own, which changes only if all processes can write. */
static GrB_Info write_dense(GrB_Matrix C, grid_chunk *c, bool is_shared, const grid_mask *m,
                            GrB_BinaryOp accum, bool replace, grid_chunk *t, GrB_Info info) {
  grid_write w;
  bool is_planned = false;
  if (info == GrB_SUCCESS) {
    info = grid_write_prepare(&w, c, m, accum, replace, t, t, false);
    is_planned = info == GrB_SUCCESS;
  }
  if (is_shared) info = grid_agree(&C->head, info);
  if (is_planned && info == GrB_SUCCESS) grid_write_commit(&w);
  if (is_planned && info != GrB_SUCCESS) grid_write_cancel(&w);
  return info;
}

/* *c = the chunk to write, with C's entries: C's own, or *fresh. Collective, agreed on. */
static GrB_Info open_output(GrB_Matrix C, grid_chunk **c, grid_chunk *fresh) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require(C, GRID_MERGED));
  if (!C->bitmap.present) {
    TRY(grid_matrix_require_host(C, 0, "bitmaps"));
    info = grid_dense_of_rows(fresh, C);
    return grid_agree(&C->head, info);
  }
  *c = &C->bitmap.chunk;
done:
  return info;
}

GrB_Info grid_finish_dense(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const grid_desc *d,
                           grid_chunk *t, GrB_Info info) {
  const bool reads = accum || ((mask || d->complement) && !d->replace);
  grid_chunk fresh = grid_dense_result(C, C->type), *c = &fresh;
  grid_dense over = {0};
  grid_mask m = {0};
  if (mask || reads) TRY(grid_agree(&C->head, info));
  if (mask) TRY(grid_dense_read(&over, mask));
  if (reads) TRY(open_output(C, &c, &fresh));
  if (info == GrB_SUCCESS)
    info = grid_mask_read(&m, mask ? over.chunk : NULL, c->n, d->structure, d->complement);
  info = write_dense(C, c, c != &fresh, &m, accum, d->replace, t, info);
  grid_mask_free(&m);
  if (c != &fresh) {
    TRY(info);
    fresh = *c;
    grid_chunk_init(&C->bitmap.chunk, C->type, 0);
  }
  if (!reads) C->bitmap.changed = 0;
  info = grid_dense_adopt(C, &fresh, info);
done:
  grid_mask_free(&m);
  grid_dense_free(&over);
  grid_chunk_free(&fresh);
  grid_chunk_free(t);
  return info;
}
