/* See transpose_exchange.h: what is sent. A process reads its rows twice: it counts the entries of each range
 * of each process, and stores their keys there. */
#include "dist/matrix/transfer/transpose_exchange.h"

#include <string.h>

#include "dist/matrix/transfer/matrix_route.h"
#include "semiring/threads/context_section.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"
#include "spmat/vector/value_sizes.h"

enum { WORD = 64 }; /* chunks and ranges begin at multiples of it */

typedef struct {
  grid_transpose_keys keys;
  const grid_local_matrix *p; /* without a list of columns */
  uint64_t nrows;
  uint32_t *bin;   /* of each word of columns: chunk * ranges + range */
  uint32_t *first; /* the first column of each of these */
  uint64_t bins;   /* of all processes, in their order */
  uint64_t threads;
  uint64_t *next;  /* of each thread and bin: the number of entries, then where the next one is stored */
  uint64_t *count; /* of each bin, then of each process */
  void *key;
  char *val;
} outgoing;

static uint64_t longest_chunk(uint64_t n) {
  uint64_t most = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    const uint64_t length = grid_chunk_padded_size(n, k);
    most = length > most ? length : most;
  }
  return most;
}

/* Ranges are short enough for the cache and for keys of 32 bits, unless that makes too many. */
static grid_transpose_keys choose_keys(GrB_Matrix A) {
  enum { ENTRIES = 1 << 17, MAX_BINS = 1 << 10 };
  const uint64_t rows = longest_chunk(A->ncols), P = (uint64_t)grid_ctx.P;
  const uint64_t entries = A->nvals / P / (uint64_t)grid_ctx.C; /* of a chunk of rows of the transpose */
  grid_transpose_keys f = {.col_bits = grid_index_bits(longest_chunk(A->nrows)),
                           .range_bits = grid_index_bits(rows)};
  for (int more = 1; UINT64_C(1) << f.range_bits > WORD && P << more <= MAX_BINS; more++) {
    if (entries >> (more - 1) <= ENTRIES && f.range_bits + f.col_bits <= 32) break;
    f.range_bits--;
  }
  f.ranges = ((rows - 1) >> f.range_bits) + 1;
  f.key_size = f.range_bits + f.col_bits <= 32 ? 4 : 8;
  f.val_size = A->block.iso ? 0 : A->type->size;
  return f;
}

/* ---- the keys ---- */

static void find_bins(outgoing *x, uint64_t ncols) {
  const uint64_t ranges = x->keys.ranges;
  for (int i = 0; i < grid_ctx.R; i++) {
    const uint64_t from = grid_block_offset(ncols, false, i), end = grid_block_offset(ncols, false, i + 1);
    for (uint64_t v = 0; v < ranges; v++)
      x->first[(uint64_t)i * ranges + v] = (uint32_t)(from + (v << x->keys.range_bits));
    for (uint64_t c = from; c < end; c += WORD)
      x->bin[c / WORD] = (uint32_t)((uint64_t)i * ranges + ((c - from) >> x->keys.range_bits));
  }
}

static uint64_t first_row(const outgoing *x, uint64_t t) {
  const grid_local_matrix *p = x->p;
  return t == 0 ? 0 : t == x->threads ? p->row.n : grid_row_of_entry(p, p->nvals / x->threads * t);
}

/* Counts the entries of thread t's rows in each bin; or stores them, with keys of key_size bytes and values
 * of `size`. */
GRID_ALWAYS_INLINE void walk_rows(const outgoing *x, uint64_t t, bool store, size_t key_size, size_t size) {
  const grid_local_matrix *p = x->p;
  const grid_compressed *c = &p->by_row;
  const char *val = c->val;
  uint64_t *next = x->next + t * x->bins, begin = 0, end = 0; /* of the chunk of rows */
  int m = -1;
  for (uint64_t r = first_row(x, t), stop = first_row(x, t + 1); r < stop; r++) {
    const uint64_t row = grid_axis_id(&p->row, r);
    uint64_t e = grid_vector_start(c, r);
    const uint64_t last = grid_vector_start(c, r + 1);
    if (e == last) continue; /* as past the block's last chunk, which may be shorter than others */
    while (row >= end) {
      if (++m > 0) next += x->keys.ranges * (uint64_t)grid_ctx.R;
      begin = grid_block_offset(x->nrows, true, m), end = grid_block_offset(x->nrows, true, m + 1);
    }
    for (; e < last; e++) {
      const uint32_t col = c->idx[e], bin = x->bin[col / WORD];
      const uint64_t k = next[bin]++;
      if (!store) continue;
      const uint64_t key = (uint64_t)(col - x->first[bin]) << x->keys.col_bits | (row - begin);
      if (key_size == 4)
        ((uint32_t *)x->key)[k] = (uint32_t)key;
      else
        ((uint64_t *)x->key)[k] = key;
      if (size) memcpy(x->val + k * size, val + e * size, size);
    }
  }
}

static void count_rows(const outgoing *x, uint64_t t) {
  walk_rows(x, t, false, 0, 0);
}

static void store_rows(const outgoing *x, uint64_t t) {
  const size_t key_size = x->keys.key_size, size = x->keys.val_size;
#define CALL(S) key_size == 4 ? walk_rows(x, t, true, 4, S) : walk_rows(x, t, true, 8, S)
  if (size == 0)
    CALL(0);
  else
    GRID_BY_SIZE(size, CALL)
#undef CALL
}

static void on_each_thread(const outgoing *x, void (*step)(const outgoing *x, uint64_t t)) {
  if (x->p->nvals == 0) return;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(static, 1) num_threads((int)x->threads) if (x->threads > 1)
  for (uint64_t t = 0; t < x->threads; t++) {
    GRID_WORKER_SCOPE(context);
    step(x, t);
  }
}

/* Numbers of entries become positions. */
static void find_positions(outgoing *x) {
  uint64_t at = 0;
  for (uint64_t b = 0; b < x->bins; b++) {
    const uint64_t before = at;
    for (uint64_t t = 0; t < x->threads; t++) {
      const uint64_t n = x->next[t * x->bins + b];
      x->next[t * x->bins + b] = at;
      at += n;
    }
    x->count[b] = at - before;
  }
}

static GrB_Info load(outgoing *x, uint64_t ncols) {
  const uint64_t n = x->p->nvals, words = grid_block_cols(ncols) / WORD;
  x->threads = n > 1 << 15 ? (uint64_t)grid_ctx.threads : 1;
  x->bins = (uint64_t)grid_ctx.P * x->keys.ranges;
  x->bin = grid_malloc(words, sizeof *x->bin);
  x->first = grid_malloc((uint64_t)grid_ctx.R * x->keys.ranges, sizeof *x->first);
  x->next = grid_calloc(x->threads * x->bins, sizeof *x->next);
  x->count = grid_malloc(x->bins, sizeof *x->count);
  x->key = grid_malloc(n, x->keys.key_size);
  x->val = x->keys.val_size ? grid_malloc(n, x->keys.val_size) : NULL;
  if (!x->bin || !x->first || !x->next || !x->count || !x->key || (x->keys.val_size && !x->val))
    return grid_fail_memory(NULL, "entries to send", n, x->keys.key_size + x->keys.val_size);
  find_bins(x, ncols);
  on_each_thread(x, count_rows);
  find_positions(x);
  on_each_thread(x, store_rows);
  return GrB_SUCCESS;
}

/* ---- the exchange ---- */

static GrB_Info exchange(outgoing *s, grid_transpose_segments *x) {
  const uint64_t P = (uint64_t)grid_ctx.P, ranges = s->keys.ranges;
  GrB_Info info;
  TRY(grid_exchange_range_counts(s->count, ranges, &x->start));
  for (uint64_t p = 0; p < P; p++) {
    uint64_t sum = 0;
    for (uint64_t v = 0; v < ranges; v++) sum += s->count[p * ranges + v];
    s->count[p] = sum;
  }
  grid_array_exchange a[] = {{s->key, s->count, s->keys.key_size}, {s->val, s->count, s->keys.val_size}};
  info = grid_exchange_arrays(a, s->keys.val_size ? 2 : 1);
  x->key = a[0].recv, x->n = a[0].n;
  x->val = a[1].recv;
done:
  return info;
}

static void outgoing_free(outgoing *x) {
  grid_free(x->bin);
  grid_free(x->first);
  grid_free(x->next);
  grid_free(x->count);
  grid_free(x->key);
  grid_free(x->val);
  *x = (outgoing){.bins = 0};
}

bool grid_transpose_exchange_applies(GrB_Matrix A) {
  const uint64_t most = 8 * A->nvals / (uint64_t)grid_ctx.P + (1 << 14);
  const uint64_t dims[] = {grid_block_rows(A->nrows), grid_block_cols(A->nrows), grid_block_rows(A->ncols),
                           grid_block_cols(A->ncols)};
  bool fit = most < grid_tune.index32_max;
  for (int k = 0; k < 4; k++) fit = fit && dims[k] <= most;
  return fit;
}

GrB_Info grid_transpose_exchange(GrB_Matrix A, grid_local_matrix *t) {
  grid_expanded_lmat u = {0};
  outgoing s = {.keys = choose_keys(A), .p = &u.lmat, .nrows = A->nrows};
  grid_transpose_segments x = {.keys = s.keys, .nrows = A->nrows, .ncols = A->ncols};
  GrB_Info info = grid_lmat_expand_hyper(&u, &A->block, false);
  if (info == GrB_SUCCESS) info = load(&s, A->ncols);
  grid_expanded_lmat_free(&u);
  TRY(grid_agree(&A->head, info));
  TRY(exchange(&s, &x));
  outgoing_free(&s);
  info = grid_transpose_receive(&x, t);
  t->iso = x.keys.val_size == 0;
  if (info == GrB_SUCCESS && t->iso && A->block.iso_val) info = grid_lmat_set_iso(t, A->block.iso_val);
  if (info == GrB_SUCCESS) info = grid_lmat_choose_format(t);
  TRY(grid_agree(&A->head, info));
done:
  outgoing_free(&s);
  grid_free(x.start);
  grid_free(x.key);
  grid_free(x.val);
  return info;
}
