/* See matrix_output.h. Blocks of matrices of the same dimensions are laid out alike, so a write-back sends
 * nothing. Each process makes its new block beside the old one, all agree on the outcome, and each adopts its
 * block. */
#include "dist/matrix/storage/matrix_bitmap.h"

#include "spmat/cpu/matrix/lmat_overwrite.h"
#include "spmat/lmat_ops.h"

GrB_Info grid_check_shape(uint64_t rows, uint64_t cols, uint64_t want_rows, uint64_t want_cols,
                          grid_head *out, const char *call, const char *what, const char *other) {
  if (rows == want_rows && cols == want_cols) return GrB_SUCCESS;
  return grid_fail(out, GrB_DIMENSION_MISMATCH, "%s: %s is %llu x %llu, but %s is %llu x %llu", call, what,
                   (unsigned long long)rows, (unsigned long long)cols, other, (unsigned long long)want_rows,
                   (unsigned long long)want_cols);
}

GrB_Info grid_check_matrix_output(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Descriptor desc,
                                  GrB_Type ttype, const char *call, grid_desc *d) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix(C, call, "C"));
  if (mask) TRY(grid_check_object(mask, &C->head, call, "mask"));
  if (mask) TRY(grid_check_shape(mask->nrows, mask->ncols, C->nrows, C->ncols, &C->head, call, "mask", "C"));
  info = grid_check_write(&C->head, C->type, "C", mask ? mask->type : NULL, accum, desc, ttype, call, d);
done:
  return info;
}

/* The new block of C. */
static GrB_Info write_block(grid_local_matrix *z, GrB_Matrix C, grid_local_matrix *t,
                            const grid_lmat_write_spec *w) {
  grid_lmat_init(z, C->type, C->block.row.dim, C->block.col.dim);
  return grid_lmat_write_back(z, &C->block, t, w);
}

/* Is GRID_WHOLE already true? The same on all processes. */
static bool is_whole(GrB_Matrix A) {
  return !A->pages && !A->pending.n && !A->bitmap.only && !A->delegates.split &&
         A->placement.on_device == grid_device_is_on() && grid_compressed_is_built(&A->block.by_row);
}

/* C's block, if it is read, and the mask's can be read. info, the outcome of the steps before, is agreed on
 * only where this takes messages. */
static GrB_Info prepare(GrB_Matrix C, GrB_Matrix mask, bool reads, GrB_Info info) {
  if ((!mask || is_whole(mask)) && (!reads || is_whole(C))) return info;
  TRY(grid_agree(&C->head, info));
  if (reads) TRY(grid_matrix_require(C, GRID_WHOLE));
  if (mask) TRY(grid_matrix_require(mask, GRID_WHOLE));
done:
  return info;
}

/* *done: t was written into C's block, on all processes, since it changes no position. Agrees on info, too.
 */
static GrB_Info overwrite(bool *done, GrB_Matrix C, const grid_local_matrix *t, const grid_lmat_write_spec *w,
                          GrB_Info info) {
  grid_overwrite *o = NULL;
  if (info == GrB_SUCCESS) info = grid_overwrite_plan(&o, &C->block, t, w);
  uint64_t unlike = o == NULL;
  TRY(grid_agree_sum(&C->head, info, &unlike, 1));
  *done = unlike == 0;
  if (*done) grid_overwrite_run(o);
done:
  grid_overwrite_free(o);
  if (*done) grid_matrix_invalidate(C, GRID_ROW_VALUES_CHANGED);
  return info;
}

/* As overwrite, on the device, where T is accumulated. */
static GrB_Info accumulate(bool *done, GrB_Matrix C, const grid_local_matrix *t,
                           const grid_lmat_write_spec *w, GrB_Info info) {
  grid_accumulation a = {0};
  if (info == GrB_SUCCESS) info = grid_lmat_plan_accumulation(&a, &C->block, t, w->accum);
  uint64_t unlike = !a.possible;
  TRY(grid_agree_sum(&C->head, info, &unlike, 1));
  *done = unlike == 0;
  if (*done) info = grid_lmat_accumulate(&C->block, t, &a);
done:
  grid_accumulation_free(&a);
  if (*done) grid_matrix_invalidate(C, GRID_ROW_VALUES_CHANGED);
  return info;
}

/* Values of C alone change, or so it seems: *done as above. */
static GrB_Info write_values(bool *done, GrB_Matrix C, const grid_local_matrix *t,
                             const grid_lmat_write_spec *w, GrB_Info info) {
  *done = false;
  if (C->nvals == 0 || w->replace || !(w->mask || w->accum)) return info;
  if (!grid_device_is_on()) return overwrite(done, C, t, w, info);
  return w->accum && (w->masked || (!w->mask && !w->complement)) ? accumulate(done, C, t, w, info) : info;
}

GrB_Info grid_finish_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const grid_desc *d,
                            grid_local_matrix *t, bool masked, GrB_Info info) {
  grid_local_matrix z = {0};
  uint64_t rewritten = 0;
  const grid_lmat_write_spec w = {.mask = mask ? &mask->block : NULL,
                                  .structure = d->structure,
                                  .complement = d->complement,
                                  .replace = d->replace,
                                  .accum = accum,
                                  .masked = masked};
  const bool reads = grid_lmat_write_reads_c(&w);
  info = prepare(C, mask, reads, info);
  if (mask || reads) rewritten = C->bitmap.changed + C->nvals;
  bool is_done;
  info = write_values(&is_done, C, t, &w, info);
  if (is_done) {
    C->bitmap.changed = rewritten, grid_dense_force(C);
    goto done;
  }
  if (info == GrB_SUCCESS) info = write_block(&z, C, t, &w);
  info = grid_matrix_adopt(C, &(grid_build){0}, &z, info);
  if (info == GrB_SUCCESS) C->bitmap.changed = rewritten, grid_dense_force(C);
  grid_lmat_free(&z);
done:
  grid_lmat_free(t);
  return info;
}
