/* Bitmap and full blocks; see matrix_bitmap.h. */
#include "dist/matrix/storage/matrix_bitmap.h"

#include <stdlib.h>
#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/device/device.h"
#include "spmat/convert/lmat_bitmap.h"

/* ---- which matrices ------------------------------------------------------------------------------------ */

/* Places take the form while it has at most ENTER_RATIO times the bytes of rows, and keep it up to
 * LEAVE_RATIO times: a place costs a fraction of what an entry of a row does (docs/performance.md), and a
 * matrix does not go to and fro. */
enum { ENTER_RATIO = 2, LEAVE_RATIO = 8 };
/* One that is changed again and again, some entries at a time, is copied each time while it has rows. Once
 * the copies are a COPY_SHARE-th of its places, these are worth UPDATE_RATIO times the bytes. */
enum { COPY_SHARE = 16, UPDATE_RATIO = 16 };
/* With less it does not matter, with more a mistake would. */
#define MAX_POSITIONS (UINT64_C(1) << 36)
/* Tests that want every matrix so mean small ones. */
#define MAX_FORCED (UINT64_C(1) << 22)

/* UINT64_MAX: more than can be counted. */
static uint64_t positions(GrB_Matrix A) {
  return A->nrows <= UINT64_MAX / A->ncols ? A->nrows * A->ncols : UINT64_MAX;
}

bool grid_can_be_dense(GrB_Matrix A) {
  const uint64_t most = grid_tune.force_bitmap ? MAX_FORCED : MAX_POSITIONS;
  return !grid_tune.force_rows && !grid_device_is_on() && !A->placement.on_device && !A->delegates.split &&
         positions(A) <= most;
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

/* ---- one form and the other ------------------------------------------------------------------------------
 */

/* Rows and columns of the whole matrix that this process's block has: no more than its axes. */
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

/* The block has no rows, and its entries are counted. */
static void free_rows(GrB_Matrix A) {
  grid_lmat_free(&A->block);
  A->block.nvals = A->bitmap.chunk.nvals;
}

GrB_Info grid_dense_local_rows(GrB_Matrix A) {
  if (!A->bitmap.only || grid_compressed_is_built(&A->block.by_row)) return GrB_SUCCESS;
  A->block.nvals = 0;
  GrB_Info info = grid_lmat_from_chunk(&A->block, &A->bitmap.chunk, local_rows(A), local_cols(A));
  if (info != GrB_SUCCESS) free_rows(A);
  return info;
}

GrB_Info grid_dense_rows(GrB_Matrix A) {
  if (!A->bitmap.only) return GrB_SUCCESS;
  GrB_Info info = grid_agree(&A->head, grid_dense_local_rows(A));
  if (info == GrB_SUCCESS) A->bitmap.only = false, A->bitmap.changed = 0;
  return info;
}

GrB_Info grid_dense_read(grid_dense *x, GrB_Matrix A) {
  GrB_Info info = GrB_SUCCESS;
  *x = (grid_dense){0};
  grid_chunk_init(&x->own, A->type, 0);
  TRY(grid_matrix_require(A, GRID_MERGED));
  const bool stays_dense = grid_is_dense_profitable(A);
  if (!A->bitmap.present) {
    TRY(grid_matrix_require_host(A, 0, "bitmaps"));
    info = grid_lmat_to_chunk(&x->own, &A->block, local_rows(A), local_cols(A));
    /* changes that come need no memory in a bitmap, so that they cannot fail */
    if (info == GrB_SUCCESS && stays_dense && x->own.format == GRID_LIST && x->own.nvals)
      info = grid_chunk_to_bitmap(&x->own);
    TRY(grid_agree(&A->head, info));
    if (stays_dense) {
      grid_chunk_free(&A->bitmap.chunk);
      A->bitmap.chunk = x->own;
      grid_chunk_init(&x->own, A->type, 0);
      A->bitmap.present = true;
    }
  }
  x->chunk = A->bitmap.present ? &A->bitmap.chunk : &x->own;
done:
  return info;
}

void grid_dense_free(grid_dense *x) {
  if (x->own.type) grid_chunk_free(&x->own);
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
    free_rows(A);
  }
  grid_dense_free(&x);
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
  free_rows(to);
  return info;
}

/* ---- changes --------------------------------------------------------------------------------------------
 */

/* A is what `dense` holds, over all processes; rows go. One that is no longer dense enough gets them back, if
 * there is memory. Collective. */
static GrB_Info adopt_dense(GrB_Matrix A, grid_chunk *dense) {
  uint64_t sum[2] = {dense->nvals, dense->nvals > 0 && !dense->iso};
  const uint64_t rewritten = A->bitmap.changed;
  grid_matrix_drop(A);
  A->bitmap.changed = rewritten;
  A->bitmap.chunk = *dense;
  grid_chunk_init(dense, A->type, 0);
  A->bitmap.present = A->bitmap.only = true;
  free_rows(A);
  GrB_Info info = grid_agree_sum(&A->head, GrB_SUCCESS, sum, 2);
  if (info != GrB_SUCCESS) return info;
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
    if (grid_block_of(A->nrows, A->ncols, p->row[k], p->col[k]) != grid_ctx.k) continue;
    const uint64_t at = position_of(A, p->row[k], p->col[k]);
    info = p->removed[k] ? grid_chunk_remove(&A->bitmap.chunk, at)
                         : grid_chunk_set(&A->bitmap.chunk, at, p->val + k * A->type->size);
  }
  free_rows(A); /* some changes may be done: they wait on, and are done again */
  if ((info = grid_agree(&A->head, info)) != GrB_SUCCESS) return info;
  dense = A->bitmap.chunk;
  grid_chunk_init(&A->bitmap.chunk, A->type, 0);
  return adopt_dense(A, &dense);
}

/* ---- write-back ------------------------------------------------------------------------------------------
 */

/* The chunk that is written: C's own, or an empty one where nothing of C is read. */
static GrB_Info open_output(GrB_Matrix C, bool reads, grid_chunk **c, grid_chunk *fresh) {
  GrB_Info info = GrB_SUCCESS;
  *fresh = grid_dense_result(C, C->type);
  *c = fresh;
  if (!reads) return info;
  TRY(grid_matrix_require(C, GRID_MERGED));
  if (!C->bitmap.present) {
    TRY(grid_matrix_require_host(C, 0, "bitmaps"));
    info = grid_lmat_to_chunk(fresh, &C->block, local_rows(C), local_cols(C));
    return grid_agree(&C->head, info);
  }
  *c = &C->bitmap.chunk;
done:
  return info;
}

GrB_Info grid_finish_dense(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const grid_desc *d,
                           grid_chunk *t, GrB_Info info) {
  const bool reads = accum || ((mask || d->complement) && !d->replace);
  grid_chunk fresh, *c = &fresh;
  grid_dense over = {0};
  grid_mask m = {0};
  grid_write w;
  grid_chunk_init(&fresh, C->type, 0);
  TRY(grid_agree(&C->head, info));
  if (mask) TRY(grid_dense_read(&over, mask));
  TRY(open_output(C, reads, &c, &fresh));
  info = grid_mask_read(&m, mask ? over.chunk : NULL, c->n, d->structure, d->complement);
  bool planned = false;
  if (info == GrB_SUCCESS) {
    info = grid_write_prepare(&w, c, &m, accum, d->replace, t, t, false);
    planned = info == GrB_SUCCESS;
  }
  info = grid_agree(&C->head, info);
  if (planned && info != GrB_SUCCESS) grid_write_cancel(&w);
  TRY(info);
  grid_write_commit(&w);
  grid_mask_free(&m);
  if (c != &fresh) {
    fresh = *c;
    grid_chunk_init(&C->bitmap.chunk, C->type, 0);
  }
  if (!reads) C->bitmap.changed = 0;
  info = adopt_dense(C, &fresh);
done:
  grid_mask_free(&m);
  grid_dense_free(&over);
  grid_chunk_free(&fresh);
  grid_chunk_free(t);
  return info;
}
