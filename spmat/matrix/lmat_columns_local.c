/* See lmat_columns_local.h. Each thread has a share of the rows. It counts the entries of the columns that
 * these use, and, when the counts of all threads have become positions, stores its entries there. */
#include "spmat/matrix/lmat_columns_local.h"

#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/device/device.h"
#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/value_sizes.h"

/* The rows of a thread, and the columns that they use. */
typedef struct {
  uint64_t from, end;    /* rows */
  uint64_t first, after; /* columns; none: after <= first */
  uint64_t *at;          /* of each of these columns: its entries, then the position of the next one */
} share;

typedef struct {
  const grid_local_matrix *p;
  uint64_t threads;
  share *of;       /* each thread */
  uint64_t *count; /* memory of all `at` */
  uint64_t *start; /* of each thread's block of columns: its first entry */
  grid_offsets offsets;
  uint32_t *idx;
  char *val;
} job;

static uint64_t length_of(const share *s) {
  return s->after > s->first ? s->after - s->first : 0;
}

/* Adds the columns of row r. */
static void widen(share *s, const grid_compressed *c, uint64_t r) {
  const uint64_t from = grid_vector_start(c, r), end = grid_vector_start(c, r + 1);
  if (from == end) return;
  if (c->idx[from] < s->first) s->first = c->idx[from];
  if (c->idx[end - 1] >= s->after) s->after = (uint64_t)c->idx[end - 1] + 1;
}

bool grid_lmat_has_local_columns(const grid_local_matrix *p) {
  /* so much of the window for a column: measured on 2 threads, up to 2^18 columns are faster directly */
  enum { COLUMN_BYTES = 32 };
  enum { SAMPLES = 16, ENTRIES = 4096, MOST_ROWS = 1024 };
  const grid_compressed *c = &p->by_row;
  const size_t size = sizeof *c->idx + (c->val ? p->type->size : 0);
  const uint64_t window = grid_tune.columns_window / size; /* entries */
  uint64_t local = 0;
  if (p->nvals == 0) return false; /* there may be no rows, and no offsets */
  if (p->nvals <= window || p->col.n <= grid_tune.columns_window / COLUMN_BYTES) return true;
  for (uint64_t k = 0; k < SAMPLES; k++) {
    const uint64_t e = p->nvals / SAMPLES * k, row = grid_row_of_entry(p, e);
    share s = {.first = UINT64_MAX};
    for (uint64_t r = row; r < p->row.n && r - row < MOST_ROWS && grid_vector_start(c, r) < e + ENTRIES; r++)
      widen(&s, c, r);
    local += (double)length_of(&s) * (double)p->nvals <= (double)window * (double)p->col.n;
  }
  return local >= SAMPLES - SAMPLES / 8;
}

/* ---- shares ---- */

static void find_columns(job *j, uint64_t t) {
  share *s = &j->of[t];
  const uint64_t n = j->p->row.n, nvals = j->p->nvals;
  s->from = t == 0 ? 0 : grid_row_of_entry(j->p, nvals / j->threads * t);
  s->end = t + 1 == j->threads ? n : grid_row_of_entry(j->p, nvals / j->threads * (t + 1));
  s->first = UINT64_MAX;
  for (uint64_t r = s->from; r < s->end; r++) widen(s, &j->p->by_row, r);
}

static GrB_Info allocate_counts(job *j) {
  uint64_t sum = 0;
  for (uint64_t t = 0; t < j->threads; t++) sum += length_of(&j->of[t]);
  if (j->threads > 1 && sum > 2 * j->p->col.n + j->p->nvals / 4) return GRID_UNSUPPORTED;
  j->count = grid_calloc(sum, sizeof *j->count);
  if (!j->count) return grid_fail_memory(NULL, "counts of columns", sum, sizeof *j->count);
  uint64_t *at = j->count;
  for (uint64_t t = 0; t < j->threads; at += length_of(&j->of[t++])) j->of[t].at = at;
  return GrB_SUCCESS;
}

static void count_share(job *j, uint64_t t) {
  const share *s = &j->of[t];
  const grid_compressed *c = &j->p->by_row;
  for (uint64_t e = grid_vector_start(c, s->from), end = grid_vector_start(c, s->end); e < end; e++)
    s->at[c->idx[e] - s->first]++;
}

/* ---- positions ---- */

static uint64_t block_start(const job *j, uint64_t b) {
  return j->p->col.n / j->threads * b + (b == j->threads ? j->p->col.n % j->threads : 0);
}

/* start[b + 1] = the entries of block b. */
static void count_block(job *j, uint64_t b) {
  const uint64_t from = block_start(j, b), end = block_start(j, b + 1);
  uint64_t sum = 0;
  for (uint64_t t = 0; t < j->threads; t++) {
    const share *s = &j->of[t];
    const uint64_t first = s->first > from ? s->first : from, after = s->after < end ? s->after : end;
    for (uint64_t c = first; c < after; c++) sum += s->at[c - s->first];
  }
  j->start[b + 1] = sum;
}

/* Turns the counts of block b into positions: of one column those of earlier rows first. */
static void place_block(job *j, uint64_t b) {
  uint64_t at = j->start[b];
  for (uint64_t c = block_start(j, b), end = block_start(j, b + 1); c < end; c++) {
    grid_offset_set(j->offsets, c, at);
    for (uint64_t t = 0; t < j->threads; t++) {
      const share *s = &j->of[t];
      if (c < s->first || c >= s->after) continue;
      const uint64_t n = s->at[c - s->first];
      s->at[c - s->first] = at;
      at += n;
    }
  }
}

/* ---- entries ---- */

/* Prefetches where the next entry of a column will be stored. */
GRID_ALWAYS_INLINE void prefetch(const uint32_t *idx, const char *val, uint64_t k, size_t size) {
  __builtin_prefetch(idx + k, 1);
  if (size) __builtin_prefetch(val + k * size, 1);
}

GRID_ALWAYS_INLINE void store_rows(const job *j, const share *s, size_t size) {
  enum { AHEAD = 64 };
  const grid_compressed *c = &j->p->by_row;
  const uint32_t *idx = c->idx;
  const char *val = c->val;
  const uint64_t first = s->first, last = grid_vector_start(c, s->end);
  uint64_t *at = s->at;
  uint32_t *to_idx = j->idx;
  char *to_val = j->val;
  for (uint64_t r = s->from, rows_end = s->end; r < rows_end; r++)
    for (uint64_t e = grid_vector_start(c, r), end = grid_vector_start(c, r + 1); e < end; e++) {
      if (last - e > AHEAD) prefetch(to_idx, to_val, at[idx[e + AHEAD] - first], size);
      const uint64_t k = at[idx[e] - first]++;
      to_idx[k] = (uint32_t)r;
      if (size) memcpy(to_val + k * size, val + e * size, size);
    }
}

static void store_share(job *j, uint64_t t) {
  const share *s = &j->of[t];
  const size_t size = j->val ? j->p->type->size : 0;
#define CALL(S) store_rows(j, s, S)
  if (size == 0)
    store_rows(j, s, 0);
  else
    GRID_BY_SIZE(size, CALL)
#undef CALL
}

/* ---- the whole ---- */

static GrB_Info make_arrays(job *j) {
  const grid_local_matrix *p = j->p;
  const size_t size = p->by_row.val ? p->type->size : 0;
  j->idx = grid_malloc(p->nvals, sizeof *j->idx);
  j->val = size ? grid_malloc(p->nvals, size) : NULL;
  if (j->idx && (j->val || !size) && grid_offsets_make(&j->offsets, p->col.n + 1, p->nvals))
    return GrB_SUCCESS;
  return grid_fail_memory(NULL, "matrix columns", p->nvals, sizeof *j->idx + size);
}

static void on_each_thread(job *j, void (*step)(job *j, uint64_t t)) {
#pragma omp parallel for schedule(static, 1) num_threads((int)j->threads)
  for (uint64_t t = 0; t < j->threads; t++) step(j, t);
}

static GrB_Info fill(job *j) {
  GrB_Info info;
  on_each_thread(j, find_columns);
  TRY(allocate_counts(j));
  TRY(make_arrays(j));
  on_each_thread(j, count_share);
  on_each_thread(j, count_block);
  for (uint64_t b = 0; b < j->threads; b++) j->start[b + 1] += j->start[b];
  on_each_thread(j, place_block);
  grid_offset_set(j->offsets, j->p->col.n, j->p->nvals);
  on_each_thread(j, store_share);
done:
  return info;
}

GrB_Info grid_lmat_make_local_columns(const grid_local_matrix *p, grid_compressed *to) {
  job j = {.p = p, .threads = (uint64_t)grid_word_threads(p->nvals / 64)};
  GrB_Info info = GrB_SUCCESS;
  j.of = grid_calloc(j.threads, sizeof *j.of);
  j.start = grid_calloc(j.threads + 1, sizeof *j.start);
  if (!j.of || !j.start) TRY(grid_fail_memory(NULL, "shares of rows", j.threads, sizeof *j.of));
  TRY(fill(&j));
done:
  grid_compressed_finish(to, info, &j.offsets, j.idx, j.val);
  grid_free(j.of);
  grid_free(j.start);
  grid_free(j.count);
  return info;
}
