/* GrB_mxm where only the pattern counts and B has few columns, on a grid with several columns
 * (mxm_tall.c: with one). A row of B becomes a word, a bit for each of 64 columns, by a product of B with a
 * vector of bits. The words are a vector, which A multiplies; each process then gets those of its block's
 * rows from the processes that share the rows, and makes them entries of its block's columns. */
#include <string.h>

#include "dist/matrix/matrix_output.h"
#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/mxm_tall.h"
#include "spmat/convert/lmat_bitmap.h"
#include "spmat/vector/bitmap_words.h"

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  return grid_ctx.C > 1 && grid_mxm_is_pattern_of_words(x) &&
         (plan->forced == &grid_mxm_method_tall_grid || grid_mxm_is_tall_profitable(x));
}

/* *bits = a vector of B's columns; those from `first` on have a bit each. */
static GrB_Info make_bits(GrB_Vector *bits, uint64_t cols, uint64_t first) {
  GrB_Index index[GRID_TALL_WORD];
  uint64_t value[GRID_TALL_WORD], n = 0;
  for (; n < GRID_TALL_WORD && first + n < cols; n++) index[n] = first + n, value[n] = UINT64_C(1) << n;
  GrB_Info info = GrB_Vector_new(bits, GrB_UINT64, cols);
  return info == GrB_SUCCESS ? GrB_Vector_build_UINT64(*bits, index, value, n, NULL) : info;
}

/* *y = the words of A B for 64 columns. */
static GrB_Info multiply_words(const grid_mxm_call *x, uint64_t first, GrB_Vector *y) {
  struct GrB_Semiring_opaque s = grid_mxm_or_of_words();
  GrB_Vector bits = NULL, u = NULL;
  GrB_Info info;
  TRY(make_bits(&bits, x->B->ncols, first));
  TRY(GrB_Vector_new(&u, GrB_UINT64, x->B->nrows));
  TRY(GrB_mxv(u, NULL, NULL, &s, x->B, bits, NULL));
  TRY(GrB_Vector_new(y, GrB_UINT64, x->C->nrows));
  info = GrB_mxv(*y, NULL, NULL, &s, x->A, u, x->d->tran0 ? GrB_DESC_T0 : NULL);
done:
  GrB_Vector_free(&bits);
  GrB_Vector_free(&u);
  return info;
}

/* *all = the words of the block's rows, 0 where y has none; the caller frees it. */
static GrB_Info gather_words(const grid_mxm_call *x, GrB_Vector y, uint64_t **all) {
  const uint64_t n = x->C->nrows, rows = grid_block_rows(n);
  uint64_t *own = grid_calloc(grid_chunk_padded_size(n, grid_ctx.k), sizeof *own);
  GrB_Info info =
      own ? grid_chunk_to_host(&y->chunk) : grid_fail_memory(NULL, "words of rows", n, sizeof *own);
  *all = grid_calloc(rows, sizeof **all);
  if (!*all) info = grid_fail_memory(NULL, "words of rows", rows, sizeof **all);
  TRY(grid_agree(&x->C->head, info));
  for (grid_iter it = grid_iter_begin(&y->chunk); grid_iter_next(&it);) memcpy(&own[it.i], it.v, sizeof *own);
  info = grid_gather_chunks(GRID_SET_ROW, n, own, 64, *all);
done:
  grid_free(own);
  return info;
}

/* The columns of C's block up to the last one that exists: few, even where a block has room for more. */
static uint64_t count_columns(const grid_mxm_call *x) {
  const uint64_t n = x->C->ncols;
  uint64_t end = 0;
  for (int s = 0; s < grid_block_chunks(false); s++) {
    const uint64_t length = grid_chunk_length(n, grid_block_chunk(false, s));
    if (length) end = grid_block_offset(n, false, s) + length;
  }
  return end;
}

/* Adds to t, a bitmap by position in the block's `cols` columns, the words' bits that are columns of it. */
static void add_entries(const grid_mxm_call *x, grid_chunk *t, uint64_t cols, uint64_t first,
                        const uint64_t *word) {
  const uint64_t rows = x->C->block.row.dim;
  uint64_t column[GRID_TALL_WORD], held = 0;
  for (uint64_t b = 0; b < GRID_TALL_WORD && first + b < x->C->ncols; b++)
    if (grid_chunk_of(x->C->ncols, first + b) / grid_ctx.R == grid_ctx.j) {
      column[b] = grid_local_col(x->C->ncols, first + b);
      held |= UINT64_C(1) << b;
    }
  for (uint64_t r = 0; r < rows && held; r++)
    for (uint64_t s = word[r] & held; s; s &= s - 1) {
      const uint64_t at = r * cols + column[grid_low_bit(s)];
      t->bits[at >> 6] |= UINT64_C(1) << (at & 63);
      t->nvals++;
    }
}

static GrB_Info multiply(const grid_mxm_call *x, grid_chunk *t, uint64_t cols) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector y = NULL;
  uint64_t *word = NULL;
  for (uint64_t first = 0; first < x->C->ncols; first += GRID_TALL_WORD) {
    TRY(multiply_words(x, first, &y));
    TRY(gather_words(x, y, &word));
    add_entries(x, t, cols, first, word);
    GrB_Vector_free(&y);
    grid_free(word), word = NULL;
  }
done:
  GrB_Vector_free(&y);
  grid_free(word);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  const grid_local_matrix *block = &x->C->block;
  const uint64_t cols = count_columns(x);
  grid_local_matrix result;
  grid_chunk t;
  GrB_Info info;
  grid_lmat_init(&result, x->s->mul->z, block->row.dim, block->col.dim);
  grid_chunk_init(&t, x->s->mul->z, block->row.dim * cols);
  info = grid_chunk_reserve_dense(&t, true);
  if (info == GrB_SUCCESS && t.n) memset(t.bits, 0, grid_words(t.n) * sizeof *t.bits);
  TRY(grid_agree(&x->C->head, info));
  t.format = GRID_BITMAP;
  info = multiply(x, &t, cols);
  if (info == GrB_SUCCESS) info = grid_tall_set_value(x->s, &t);
  if (info == GrB_SUCCESS) info = grid_chunk_choose_format(&t);
  if (info == GrB_SUCCESS) info = grid_lmat_from_chunk(&result, &t, block->row.dim, cols);
  info = grid_finish_matrix(x->C, x->mask, x->accum, x->d, &result, false, info);
done:
  grid_chunk_free(&t);
  return info;
}

const grid_method grid_mxm_method_tall_grid = {.name = "tall-grid", .applies = applies, .run = run};
