/* GrB_mxm on one process where only the pattern counts and A has few rows, as the frontiers of several
 * searches do. An entry of B is read once for all rows of A, whose columns are words of bits
 * (spmat/cpu/mxm/mxm_bitwords.h). */
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/product/mxm/mxm.h"
#include "dist/product/mxm/mxm_methods.h"
#include "semiring/support/tuning.h"
#include "spmat/cpu/mxm/mxm_bitwords.h"

/* With more rows, a bit for each element of C would be too much memory. */
enum { MAX_ROWS = 256 };

/* The number of products plus `extra`; the count stops when it reaches `enough`. */
static uint64_t count_products(const grid_local_matrix *a, const grid_compressed *rows, uint64_t extra,
                               uint64_t enough) {
  uint64_t sum = extra;
  for (uint64_t e = 0; e < a->nvals && sum < enough; e++) {
    const uint64_t k = grid_axis_id(&a->col, a->by_row.idx[e]);
    sum += grid_vector_start(rows, k + 1) - grid_vector_start(rows, k);
  }
  return sum;
}

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  const GrB_Monoid add = x->s->add;
  return grid_ctx.P == 1 && x->s->mul->op == GRID_OP_ONEB && (add->any || add->idempotent) && !x->d->tran0 &&
         x->C->nrows <= MAX_ROWS && grid_can_be_dense(x->C);
}

/* Are there enough products? Multiplication row by row takes a step for each product, and one for each entry
 * of a complemented mask. */
static bool is_profitable(const grid_mxm_call *x) {
  const GrB_Matrix A = x->A, B = x->B;
  const grid_desc *d = x->d;
  const uint64_t enough = B->nvals / grid_tune.mxm_bitmap_share + 1,
                 marked = x->mask && d->complement ? x->mask->nvals : 0;
  if (A->bitmap.only || A->nvals >= x->C->ncols)
    return true; /* enough, at the mean number of entries of B's rows */
  return A->nvals > 0 &&
         count_products(&A->block, d->tran1 ? &B->block.by_col : &B->block.by_row, marked, enough) >= enough;
}

/* Makes the rows of A and B. GRID_UNSUPPORTED: a block is hypersparse or on the device, or the method does
 * not pay. */
static GrB_Info prepare(const grid_mxm_call *x) {
  const GrB_Matrix A = x->A, B = x->B;
  GrB_Info info;
  TRY(grid_matrix_require_host(B, 0, x->call));
  if (B->block.row.ids || B->block.col.ids || B->block.device) return GRID_UNSUPPORTED;
  TRY(grid_matrix_require(A, GRID_MERGED));
  if (!A->bitmap.only) {
    TRY(grid_matrix_require_host(A, 0, x->call));
    if (A->block.device) return GRID_UNSUPPORTED;
  }
  if (x->d->tran1) TRY(grid_matrix_require(B, GRID_COLS)); /* the rows of B transposed */
  if (x->plan.forced != &grid_mxm_method_bitmap && !is_profitable(x)) info = GRID_UNSUPPORTED;
done:
  return info;
}

/* The mask by position, if it is a bitmap; any other mask is applied when C is written. */
static grid_position_bits bits_of_mask(const grid_mask *m, const GrB_Matrix C) {
  const bool all = m->all || !m->bits;
  return (grid_position_bits){
      .bits = m->bits, .all = all, .invert = !all && m->complement, .rows = C->nrows, .cols = C->ncols};
}

/* t, a chunk over the positions of C, gets the pattern and one value. */
static GrB_Info fill(const grid_mxm_call *x, grid_chunk *t, const grid_mxm_bits_a *a,
                     const grid_position_bits *allowed) {
  const GrB_BinaryOp mul = x->s->mul;
  const uint64_t inner = a->inner, n = x->C->ncols, words = grid_words(t->n);
  uint64_t *word = grid_malloc(inner + n, sizeof *word), nvals = 0;
  GrB_Info info = GrB_SUCCESS;
  if (!word) TRY(grid_fail_memory(&x->C->head, "words of a product", inner + n, sizeof *word));
  TRY(grid_chunk_reserve_dense(t, true));
#pragma omp parallel for schedule(static)
  for (uint64_t w = 0; w < words; w++) t->bits[w] = 0;
  grid_mxm_bits(t->bits, a, allowed, x->d->tran1 ? &x->B->block.by_row : &x->B->block.by_col, word,
                word + inner);
#pragma omp parallel for schedule(static) reduction(+ : nvals)
  for (uint64_t w = 0; w < words; w++) nvals += (uint64_t)__builtin_popcountll(t->bits[w]);
  const uint64_t none[2] = {0};
  mul->f(t->val, none, none); /* ONEB reads neither operand */
  t->format = GRID_BITMAP, t->iso = true, t->nvals = nvals;
  if (nvals == 0) grid_chunk_empty(t);
  info = grid_chunk_choose_format(t);
done:
  grid_free(word);
  return info;
}

static GrB_Info multiply(const grid_mxm_call *x, grid_chunk *t) {
  const GrB_Matrix A = x->A;
  GrB_Info info;
  grid_dense mask = {0};
  grid_mask m = {0};
  grid_position_bits by_position;
  grid_mxm_bits_a a = {.rows = A->nrows, .inner = A->ncols};
  TRY(grid_matrix_require(x->B, x->d->tran1 ? GRID_ROW_HUB_NEIGHBORS : GRID_COLS | GRID_COL_HUB_NEIGHBORS));
  if (x->mask && x->mask->bitmap.present) TRY(grid_dense_read(&mask, x->mask));
  TRY(grid_mask_read(&m, mask.chunk, t->n, x->d->structure, mask.chunk && x->d->complement));
  if (A->bitmap.present && A->bitmap.chunk.format != GRID_LIST) {
    by_position = (grid_position_bits){A->bitmap.chunk.bits, A->bitmap.chunk.format == GRID_FULL, false,
                                       A->nrows, A->ncols};
    a.positions = &by_position;
  } else {
    TRY(grid_matrix_require_host(A, 0, x->call));
    a.lmat = &A->block;
  }
  const grid_position_bits allowed = bits_of_mask(&m, x->C);
  info = fill(x, t, &a, &allowed);
done:
  grid_mask_free(&m);
  grid_dense_free(&mask);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  const GrB_Info ready = prepare(x);
  if (ready != GrB_SUCCESS) return ready;
  grid_chunk t = grid_dense_result(x->C, x->s->mul->z);
  const GrB_Info info = multiply(x, &t);
  return grid_finish_dense(x->C, x->mask, x->accum, x->d, &t, info);
}

const grid_method grid_mxm_method_bitmap = {.name = "bitmap", .applies = applies, .run = run};
