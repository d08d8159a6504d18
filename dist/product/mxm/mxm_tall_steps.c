/* Pull and push of 64 columns (mxm_tall.h). */
#include <string.h>

#include "dist/product/mxm/mxm_tall.h"
#include "spmat/vector/bitmap_words.h"

/* Up to so many entries of A are pushed by one thread, without a GrB_mxv. */
enum { MAX_THREAD_ENTRIES = 1 << 19 };

/* ---- pull ---- */

GrB_Info grid_tall_make_bitmap(grid_tall_product *j) {
  grid_chunk *t = &j->t;
  if (t->format == GRID_BITMAP) return GrB_SUCCESS;
  GrB_Info info = grid_chunk_reserve_dense(t, true);
  if (info != GrB_SUCCESS) return info;
  const uint64_t words = grid_words(t->n);
#pragma omp parallel for schedule(static) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w++) t->bits[w] = 0;
  t->format = GRID_BITMAP;
  return GrB_SUCCESS;
}

/* Expands the list x to an array of words, 0 elsewhere. */
static GrB_Info fill_words(grid_chunk *x, grid_tall_product *j) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk all;
  grid_chunk_init(&all, x->type, x->n);
  TRY(grid_chunk_reserve_dense(&all, false));
  uint64_t *word = all.val;
  if (x->n) memset(word, 0, x->n * sizeof *word);
  for (uint64_t k = 0; k < x->nvals; k++) word[x->idx[k]] = ((const uint64_t *)x->val)[k];
  grid_chunk_swap(x, &all);
  j->word = word;
done:
  grid_chunk_free(&all);
  return info;
}

GrB_Info grid_tall_pull(grid_tall_product *j, grid_chunk *x) {
  const GrB_Matrix A = j->call->A;
  const grid_local_matrix *block = &A->block;
  grid_input in = {0};
  grid_chunk all;
  GrB_Info info;
  TRY(grid_matrix_require(A, j->p.transposed ? GRID_COLS | GRID_COL_HUB_NEIGHBORS : GRID_ROW_HUB_NEIGHBORS));
  info = grid_tall_make_bitmap(j);
  if (info == GrB_SUCCESS && !j->word) info = fill_words(x, j);
  TRY(grid_agree(&j->call->C->head, info));
  all = (grid_chunk){.n = x->n, .nvals = x->n, .type = x->type, .format = GRID_FULL};
  all.val = (void *)(uintptr_t)j->word;
  j->p.x = &all, j->p.n.nx = j->p.in.n;
  TRY(grid_agree(&j->call->C->head, grid_expand(&j->p, &in)));
  if (block->nvals)
    grid_mxm_tall_pull(&(grid_mxm_tall){.t = j->t.bits,
                                        .first = j->first,
                                        .allowed = &j->allowed,
                                        .rows = grid_out_axis(&j->p, block),
                                        .a = j->p.transposed ? &block->by_col : &block->by_row,
                                        .x = in.val,
                                        .any = j->any});
done:
  j->p.x = NULL;
  grid_input_free(&in);
  return info;
}

/* ---- push ---- */

/* x = a chunk whose entries are the words that are not 0. */
static GrB_Info chunk_of_words(grid_chunk *x, const uint64_t *word) {
  const uint64_t words = grid_words(x->n);
  uint64_t nvals = 0;
  GrB_Info info = grid_chunk_reserve_dense(x, false);
  if (info != GrB_SUCCESS) return info;
  uint64_t *val = x->val;
#pragma omp parallel for schedule(static) reduction(+ : nvals) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w++) {
    uint64_t nonempty = 0;
    for (uint64_t r = GRID_TALL_WORD * w; r < GRID_TALL_WORD * (w + 1) && r < x->n; r++) {
      val[r] = word[r];
      nonempty |= (uint64_t)(word[r] != 0) << (r - GRID_TALL_WORD * w);
    }
    x->bits[w] = nonempty;
    nvals += grid_popcount(nonempty);
  }
  x->nvals = nvals, x->format = GRID_BITMAP;
  if (nvals == 0) grid_chunk_empty(x);
  return info;
}

/* A push of few entries on one process: y = a list of words. */
static GrB_Info push_sparse(const grid_tall_product *j, const grid_chunk *x, grid_chunk *y) {
  const grid_chunk all = {
      .n = x->n, .nvals = x->n, .type = x->type, .format = GRID_FULL, .val = (void *)(uintptr_t)j->word};
  const GrB_Matrix A = j->call->A;
  const grid_local_matrix *b = &A->block;
  const bool by_row = j->p.transposed || A->properties.symmetric;
  const uint64_t rows = j->allowed.rows, words = grid_words(rows);
  uint64_t *word = NULL, *nonempty = NULL;
  GrB_Info info = by_row ? GrB_SUCCESS : grid_matrix_require(A, GRID_COLS);
  if (info != GrB_SUCCESS) return info;
  word = grid_malloc(rows, sizeof *word), nonempty = grid_calloc(words, sizeof *nonempty);
  if (!word || !nonempty) TRY(grid_fail_memory(NULL, "words of rows", rows, sizeof *word));
  const uint64_t found = grid_mxm_tall_push(&(grid_mxm_tall_sparse){.x = j->word ? &all : x,
                                                                    .first = j->first,
                                                                    .allowed = &j->allowed,
                                                                    .in = by_row ? &b->row : &b->col,
                                                                    .out = by_row ? &b->col : &b->row,
                                                                    .a = by_row ? &b->by_row : &b->by_col,
                                                                    .word = word,
                                                                    .nonempty = nonempty});
  TRY(grid_chunk_reserve_list(y, found, false));
  uint64_t *val = y->val;
  for (uint64_t w = 0, at = 0; w < words; w++)
    for (uint64_t s = nonempty[w]; s; s &= s - 1, at++) {
      y->idx[at] = GRID_TALL_WORD * w + grid_low_bit(s);
      val[at] = word[y->idx[at]];
    }
  y->nvals = found;
done:
  grid_free(word), grid_free(nonempty);
  return info;
}

/* BOR.SECOND */
static struct GrB_Semiring_opaque or_of_words(void) {
  return (struct GrB_Semiring_opaque){.head = GRID_BUILTIN(GRID_IS_SEMIRING, NULL),
                                      .add = grid_monoid_find(GrB_BOR_UINT64),
                                      .mul = GrB_SECOND_UINT64};
}

static GrB_Info push_words(const grid_tall_product *j, grid_chunk *x, GrB_Vector *y) {
  struct GrB_Semiring_opaque s = or_of_words();
  const grid_mxm_call *c = j->call;
  GrB_Vector u = NULL;
  GrB_Info info;
  info = j->word ? chunk_of_words(x, j->word) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) info = grid_chunk_choose_format(x);
  TRY(grid_agree(&c->C->head, info));
  TRY(GrB_Vector_new(&u, GrB_UINT64, j->p.in.n));
  TRY(GrB_Vector_new(y, GrB_UINT64, j->p.out.n));
  grid_chunk_swap(&u->chunk, x);
  info = GrB_mxv(*y, NULL, NULL, &s, c->A, u, c->d->tran0 ? GrB_DESC_T0 : NULL);
done:
  GrB_Vector_free(&u);
  return info;
}

/* t = a list of the positions of y's bits that the mask allows. masked: a bitmap mask was applied to y. */
static GrB_Info list_positions(grid_tall_product *j, const grid_chunk *y, bool masked) {
  grid_chunk *t = &j->t;
  const bool all = j->mask.all || (masked && j->mask.bits);
  const uint64_t cols = j->call->C->ncols;
  uint64_t most = 0;
  GrB_Info info = GrB_SUCCESS;
  for (grid_iter it = grid_iter_begin(y); grid_iter_next(&it);)
    most += grid_popcount(*(const uint64_t *)it.v);
  TRY(grid_chunk_reserve_list(t, most, true));
  t->nvals = 0;
  for (grid_iter it = grid_iter_begin(y); grid_iter_next(&it);)
    for (uint64_t word = *(const uint64_t *)it.v; word; word &= word - 1) {
      const uint64_t at = it.i * cols + grid_low_bit(word);
      if (all || grid_mask_has_index(&j->mask, at)) t->idx[t->nvals++] = at;
    }
done:
  return info;
}

static GrB_Info store_words(grid_tall_product *j, const grid_chunk *y) {
  const uint64_t cols = j->allowed.cols,
                 width = cols - j->first < GRID_TALL_WORD ? cols - j->first : GRID_TALL_WORD;
  GrB_Info info = grid_tall_make_bitmap(j);
  if (info != GrB_SUCCESS) return info;
  for (grid_iter it = grid_iter_begin(y); grid_iter_next(&it);)
    grid_mxm_tall_or(
        j->t.bits, it.i, cols, j->first,
        *(const uint64_t *)it.v & grid_position_window(&j->allowed, it.i * cols + j->first, width));
  return GrB_SUCCESS;
}

GrB_Info grid_tall_multiply(grid_tall_product *j, grid_chunk *x) {
  GrB_Vector y = NULL;
  GrB_Info info;
  TRY(push_words(j, x, &y));
  info = grid_agree(&j->call->C->head, store_words(j, &y->chunk));
done:
  GrB_Vector_free(&y);
  return info;
}

GrB_Info grid_tall_push(grid_tall_product *j, grid_chunk *x, bool *sparse) {
  const bool one_process = grid_ctx.P == 1 && !j->call->A->delegates.split && j->edges <= MAX_THREAD_ENTRIES;
  GrB_Vector y = NULL;
  uint64_t found = 0;
  grid_chunk local;
  GrB_Info info;
  grid_chunk_init(&local, GrB_UINT64, j->allowed.rows);
  if (one_process) {
    TRY(push_sparse(j, x, &local));
    found = local.nvals;
  } else {
    TRY(push_words(j, x, &y));
    TRY(grid_vector_count(&found, y));
  }
  const grid_chunk *words = one_process ? &local : &y->chunk;
  *sparse = j->call->C->ncols <= GRID_TALL_WORD && (one_process || found <= j->p.out.n / GRID_LIST_SHARE);
  info =
      grid_agree(&j->call->C->head, *sparse ? list_positions(j, words, one_process) : store_words(j, words));
done:
  GrB_Vector_free(&y);
  grid_chunk_free(&local);
  return info;
}
