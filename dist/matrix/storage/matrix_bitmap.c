/* Bitmap and full blocks; see matrix_bitmap.h. */
#include "dist/matrix/storage/matrix_bitmap.h"

#include <stdlib.h>
#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/device/device.h"
#include "spmat/convert/lmat_bitmap.h"

/* ---- which matrices ------------------------------------------------------------------------------------ */

/* A matrix gets the bitmap form while that takes at most ENTER_RATIO times the bytes of rows, and loses it
 * above LEAVE_RATIO times. A position costs a third to a sixth of the time of an entry in rows. The gap
 * avoids conversion back and forth. */
enum { ENTER_RATIO = 2, LEAVE_RATIO = 8 };
/* A matrix with rows is copied by each partial write. Once the copied entries exceed 1 / COPY_SHARE of the
 * positions, the bitmap is worth UPDATE_RATIO times the bytes. */
enum { COPY_SHARE = 16, UPDATE_RATIO = 16 };
/* The largest number of positions, against mistakes of the estimate. */
#define MAX_POSITIONS (UINT64_C(1) << 36)
/* The largest number of positions with grid_tune.force_bitmap. */
#define MAX_FORCED (UINT64_C(1) << 22)

/* Number of positions; UINT64_MAX: overflow. */
static uint64_t positions(GrB_Matrix A) {
  uint64_t n;
  return __builtin_mul_overflow(A->nrows, A->ncols, &n) ? UINT64_MAX : n;
}

bool grid_can_be_dense(GrB_Matrix A) {
  const uint64_t most = grid_tune.force_bitmap ? MAX_FORCED : MAX_POSITIONS;
  return !grid_tune.force_rows && !grid_device_is_on() && !A->placement.on_device && !A->delegates.split &&
         positions(A) <= most && positions(A) > 0;
}

static bool fits_in_memory(GrB_Matrix A, uint64_t times) {
  if (!grid_can_be_dense(A)) return false;
  if (grid_tune.force_bitmap) return true;
  const double size = A->bitmap.is_iso ? 0 : (double)A->type->size,
               dense = (double)positions(A) * (size + 0.125), rows = (double)A->nvals * (size + 4);
  return A->nvals > 0 && dense <= (double)times * rows;
}

static bool is_often_updated(GrB_Matrix A) {
  return A->bitmap.changed >= positions(A) / COPY_SHARE;
}

bool grid_is_dense_profitable(GrB_Matrix A) {
  return fits_in_memory(A, is_often_updated(A) ? UPDATE_RATIO
                           : A->bitmap.present ? LEAVE_RATIO
                                               : ENTER_RATIO);
}

bool grid_is_dense_update(GrB_Matrix C) {
  return C->bitmap.only || (is_often_updated(C) && grid_is_dense_profitable(C));
}

bool grid_is_dense_mask(GrB_Matrix C, GrB_Matrix mask, const grid_desc *d) {
  return !mask || d->complement || grid_is_dense_profitable(mask) ||
         (grid_is_dense_update(C) && grid_is_dense_profitable(C));
}

/* ---- one form and the other ---------------------------------------------------------------------------- */

/* Rows and columns of the block without padding: no more than its axes have. */
static uint64_t local_rows(GrB_Matrix A) {
  return grid_block_length(A->nrows, true);
}
static uint64_t local_cols(GrB_Matrix A) {
  return grid_block_length(A->ncols, false);
}

grid_chunk grid_dense_result(GrB_Matrix C, GrB_Type type) {
  grid_chunk t;
  grid_chunk_init(&t, type, local_rows(C) * local_cols(C));
  return t;
}

/* Frees the rows; the block counts the bitmap's entries. */
void grid_dense_free_rows(GrB_Matrix A) {
  grid_lmat_free(&A->block);
  A->block.nvals = A->bitmap.chunk.nvals;
}

GrB_Info grid_dense_of_rows(grid_chunk *c, GrB_Matrix A) {
  return grid_lmat_to_chunk(c, &A->block, local_rows(A), local_cols(A));
}

GrB_Info grid_dense_local_rows(GrB_Matrix A) {
  if (!A->bitmap.only || grid_compressed_is_built(&A->block.by_row)) return GrB_SUCCESS;
  A->block.nvals = 0;
  GrB_Info info = grid_lmat_from_chunk(&A->block, &A->bitmap.chunk, local_rows(A), local_cols(A));
  if (info != GrB_SUCCESS) grid_dense_free_rows(A);
  return info;
}

GrB_Info grid_dense_rows(GrB_Matrix A) {
  if (!A->bitmap.only) return GrB_SUCCESS;
  GrB_Info info = grid_agree(&A->head, grid_dense_local_rows(A));
  if (info == GrB_SUCCESS) A->bitmap.only = false, A->bitmap.changed = 0;
  return info;
}

static uint64_t position_of(GrB_Matrix A, GrB_Index i, GrB_Index j) {
  return grid_local_row(A->nrows, i) * local_cols(A) + grid_local_col(A->ncols, j);
}

uint64_t grid_dense_bytes(GrB_Matrix A) {
  const grid_chunk *c = &A->bitmap.chunk;
  if (!A->bitmap.present || c->nvals == 0) return 0;
  const uint64_t values = c->iso ? 1 : c->format == GRID_LIST ? c->nvals : c->n;
  return values * c->type->size + (c->format == GRID_BITMAP ? grid_words(c->n) * sizeof *c->bits
                                   : c->format == GRID_LIST ? c->nvals * sizeof *c->idx
                                                            : 0);
}

const void *grid_dense_find_value(GrB_Matrix A, GrB_Index i, GrB_Index j) {
  const void *v = NULL;
  return grid_chunk_get(&A->bitmap.chunk, position_of(A, i, j), &v) ? v : NULL;
}

GrB_Info grid_dense_copy(GrB_Matrix to, GrB_Matrix from) {
  GrB_Info info = grid_agree(&from->head, grid_chunk_copy(&to->bitmap.chunk, &from->bitmap.chunk));
  if (info != GrB_SUCCESS) return info;
  to->bitmap.present = to->bitmap.only = true;
  to->bitmap.is_iso = from->bitmap.is_iso;
  to->nvals = from->nvals;
  to->properties.symmetric = from->properties.symmetric;
  grid_dense_free_rows(to);
  return info;
}

/* ---- changes ------------------------------------------------------------------------------------------- */

/* See matrix_bitmap.h. A failure to make rows is none: A retains the bitmap. */
GrB_Info grid_dense_adopt(GrB_Matrix A, grid_chunk *dense, GrB_Info info) {
  uint64_t sum[2] = {dense->nvals, dense->nvals > 0 && !dense->iso};
  const uint64_t rewritten = A->bitmap.changed;
  if ((info = grid_agree_sum(&A->head, info, sum, 2)) != GrB_SUCCESS) return info;
  grid_matrix_drop(A);
  A->bitmap.changed = rewritten;
  A->bitmap.chunk = *dense;
  grid_chunk_init(dense, A->type, 0);
  A->bitmap.present = A->bitmap.only = true;
  grid_dense_free_rows(A);
  A->nvals = sum[0];
  A->bitmap.is_iso = sum[1] == 0;
  if (grid_is_dense_profitable(A) || grid_dense_rows(A) != GrB_SUCCESS) return GrB_SUCCESS;
  grid_chunk_free(&A->bitmap.chunk);
  A->bitmap.present = A->bitmap.is_iso = false;
  return GrB_SUCCESS;
}

GrB_Info grid_dense_change(GrB_Matrix A) {
  const grid_pending *p = &A->pending;
  GrB_Info info = GrB_SUCCESS;
  grid_chunk dense;
  for (uint64_t k = 0; k < p->n && info == GrB_SUCCESS; k++) {
    if (grid_block_of(A->nrows, A->ncols, grid_pending_row(p, k), grid_pending_col(p, k)) != grid_ctx.k)
      continue;
    const uint64_t at = position_of(A, grid_pending_row(p, k), grid_pending_col(p, k));
    info = p->removed[k] ? grid_chunk_remove(&A->bitmap.chunk, at)
                         : grid_chunk_set(&A->bitmap.chunk, at, p->val + k * A->type->size);
  }
  grid_dense_free_rows(A); /* changes may be partly done: they stay pending and are repeated */
  if ((info = grid_agree(&A->head, info)) != GrB_SUCCESS) return info;
  dense = A->bitmap.chunk;
  grid_chunk_init(&A->bitmap.chunk, A->type, 0);
  return grid_dense_adopt(A, &dense, info);
}
