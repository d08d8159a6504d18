/* The rows of a matrix that another one refers to, from their owners (matrix_route.h), as runs of rows. */
#include <string.h>

#include "dist/matrix/transfer/matrix_route.h"
#include "dist/matrix/transfer/row_runs.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/bound_operator.h"

/* Requested rows of this process, one bit a row, for each process in turn. */
typedef struct {
  uint64_t *bits, words; /* P times as many */
} row_requests;

/* Requests the rows of B that occur as columns of `a`. Agrees on info, too. */
static GrB_Info exchange_requests(row_requests *w, GrB_Matrix B, const grid_local_matrix *a, GrB_Info info) {
  const uint64_t P = (uint64_t)grid_ctx.P, n = B->nrows;
  uint64_t *bits = grid_calloc(grid_words(n), sizeof *bits), *count = grid_malloc(P, sizeof *count), received;
  if (!bits || !count) info = grid_fail_memory(&B->head, "rows that are wanted", n / 64, sizeof *bits);
  TRY(grid_agree(&B->head, info));
  for (uint64_t e = 0; e < a->nvals; e++) {
    const uint64_t row = grid_axis_id(&a->col, a->by_row.idx[e]);
    bits[row >> 6] |= UINT64_C(1) << (row & 63);
  }
  for (uint64_t r = 0; r < P; r++) count[r] = grid_words(grid_chunk_length(n, (int)r));
  w->words = count[grid_ctx.k];
  info = grid_exchange_elements(bits, count, sizeof *bits, (void **)&w->bits, &received);
done:
  grid_free(bits);
  grid_free(count);
  return info;
}

/* Counts the runs that process r requests and their entries; write: appends them to those of the processes
 * before. */
static void walk_requested(const grid_outgoing_rows *x, const row_requests *w, uint64_t r, uint64_t first_row,
                           uint64_t *at_run, uint64_t *at, bool write) {
  const grid_compressed *c = &x->p->by_row;
  const uint64_t *bits = w->bits + r * w->words;
  for (uint64_t k = 0; k < w->words; k++)
    for (uint64_t s = bits[k]; s; s &= s - 1) {
      const uint64_t row = k * 64 + (uint64_t)__builtin_ctzll(s), from = grid_vector_start(c, row),
                     n = grid_vector_start(c, row + 1) - from;
      if (n == 0) continue;
      if (write) {
        x->run[*at_run] = (grid_row_run){(uint32_t)(first_row + row), (uint32_t)n};
        memcpy(x->idx + *at, c->idx + from, n * sizeof *c->idx);
        if (x->size && !x->p->iso)
          memcpy(x->val + *at * x->size, (const char *)c->val + from * x->size, n * x->size);
      }
      ++*at_run;
      *at += n;
    }
}

static GrB_Info load_requested(grid_outgoing_rows *x, const row_requests *w, uint64_t first_row) {
  uint64_t runs = 0, n = 0;
  for (int r = 0; r < grid_ctx.P; r++) runs += x->runs[r], n += x->entries[r];
  x->run = grid_malloc(runs, sizeof *x->run);
  x->idx = grid_malloc(n, sizeof *x->idx);
  x->val = x->size ? grid_malloc(n, x->size) : NULL;
  if (!x->run || !x->idx || (x->size && !x->val))
    return grid_fail_memory(NULL, "rows to send", n, sizeof *x->idx + x->size);
  runs = n = 0;
  for (int r = 0; r < grid_ctx.P; r++) walk_requested(x, w, (uint64_t)r, first_row, &runs, &n, true);
  if (x->size && x->p->iso) grid_value_fill(x->val, x->p->iso_val, x->size, n);
  return GrB_SUCCESS;
}

/* *sparse: all processes together request at most half of what all of B on each of them would be. */
static GrB_Info count_requested(grid_outgoing_rows *x, const row_requests *w, GrB_Matrix B, bool *sparse) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t all = 0;
  x->runs = grid_calloc(2 * P, sizeof *x->runs);
  GrB_Info info = x->runs ? GrB_SUCCESS : grid_fail_memory(&B->head, "runs of rows", 2 * P, 8);
  if (info == GrB_SUCCESS) {
    x->entries = x->runs + P;
    for (uint64_t r = 0; r < P; r++) walk_requested(x, w, r, 0, &x->runs[r], &x->entries[r], false);
    for (uint64_t r = 0; r < P; r++) all += x->entries[r];
  }
  info = grid_agree_sum(&B->head, info, &all, 1);
  *sparse = all <= P * (B->nvals / 2);
  return info;
}

GrB_Info grid_matrix_fetch_rows(grid_local_matrix *t, GrB_Matrix B, const grid_local_matrix *a,
                                bool *sparse) {
  const size_t size = B->type->size;
  grid_expanded_lmat u;
  grid_outgoing_rows s = {.p = &u.lmat};
  grid_incoming_rows x = {0};
  row_requests w = {0};
  bool iso;
  char *one = grid_calloc(1, size);
  GrB_Info info = grid_lmat_expand_hyper(&u, &B->block, true);
  if (info == GrB_SUCCESS && !one) info = grid_fail_memory(&B->head, "a value", 1, size);
  grid_lmat_init(t, B->type, grid_block_cols(B->nrows), grid_block_cols(B->ncols));
  *sparse = false;
  TRY(exchange_requests(&w, B, a, info));
  TRY(count_requested(&s, &w, B, sparse));
  if (!*sparse) goto done;
  if (one && B->block.iso && B->block.iso_val) memcpy(one, B->block.iso_val, size);
  TRY(grid_agree_on_iso_value(NULL, GrB_SUCCESS, B->block.nvals > 0, B->block.iso, size, one, &iso));
  s.size = iso ? 0 : size;
  TRY(grid_agree(&B->head, load_requested(&s, &w, grid_chunk_first(B->nrows, grid_ctx.k))));
  TRY(grid_exchange_rows(&s, &x));
  info = grid_agree(&B->head, grid_receive_rows(t, &x, false, true, iso ? one : NULL));
done:
  grid_expanded_lmat_free(&u);
  grid_free(w.bits);
  grid_free(one);
  grid_outgoing_rows_free(&s);
  grid_incoming_rows_free(&x);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}
