/* See lmat_sample.h. The rows are listed with the numbers of their entries, so that all threads fill them at
 * the same time. */
#include "spmat/cpu/matrix/lmat_sample.h"

#include <string.h>

#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"
#include "spmat/sample_rows.h"
#include "spmat/vector/bitmap_words.h"

/* A row of the result. */
typedef struct {
  uint64_t id, from, to, draws; /* local number; its entries in the operand */
} sampled_row;

typedef struct {
  const grid_sample_operands *x;
  uint64_t key;
  sampled_row *row;
  uint64_t n, entries, longest; /* rows; entries of the result; of the longest row of which a part is drawn */
  size_t size;                  /* of a value; 0: iso */
  grid_offsets start;
  uint32_t *idx; /* NULL: only columns are marked */
  char *val;
  uint64_t *columns; /* a bit for each, or NULL */
} sample_job;

/* The rows that get entries. */
static GrB_Info list_rows(sample_job *j) {
  const grid_local_matrix *a = j->x->a;
  const grid_compressed *c = &a->by_row;
  uint64_t at = 0;
  j->row = grid_malloc(j->x->count->nvals, sizeof *j->row);
  if (!j->row) return grid_fail_memory(NULL, "rows of a sample", j->x->count->nvals, sizeof *j->row);
  for (grid_iter it = grid_iter_begin(j->x->count); grid_iter_next(&it);) {
    const uint64_t row = grid_axis_find_next(&a->row, &at, it.i);
    if (row == UINT64_MAX) continue;
    sampled_row r = {.id = it.i, .from = grid_vector_start(c, row), .to = grid_vector_start(c, row + 1)};
    r.draws = grid_sample_size(r.to - r.from, *(const int64_t *)it.v);
    if (r.draws == 0) continue;
    if (r.draws < r.to - r.from && r.to - r.from > j->longest) j->longest = r.to - r.from;
    j->entries += r.draws;
    j->row[j->n++] = r;
  }
  return GrB_SUCCESS;
}

/* t's rows, and the arrays of its entries. */
static GrB_Info make_arrays(sample_job *j, grid_local_matrix *t) {
  GrB_Info info = grid_axis_list(&t->row, j->n);
  if (info == GrB_SUCCESS) info = grid_axis_copy(&t->col, &j->x->a->col);
  if (info != GrB_SUCCESS) return info;
  const bool made = grid_offsets_make(&j->start, j->n + 1, j->entries);
  j->idx = grid_malloc(j->entries, sizeof *j->idx);
  j->val = j->size ? grid_malloc(j->entries, j->size) : NULL;
  if (!made || !j->idx || (j->size && !j->val))
    return grid_fail_memory(NULL, "entries of a sample", j->entries, sizeof *j->idx + j->size);
  grid_offset_set(j->start, 0, 0);
  for (uint64_t k = 0, sum = 0; k < j->n; k++) {
    grid_axis_store(&t->row, k, j->row[k].id);
    grid_offset_set(j->start, k + 1, sum += j->row[k].draws);
  }
  return info;
}

static void mark_columns(uint64_t *bits, const uint32_t *idx, uint64_t n) {
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t w = idx[k] / 64, bit = UINT64_C(1) << idx[k] % 64;
    if (!(__atomic_load_n(&bits[w], __ATOMIC_RELAXED) & bit))
      __atomic_fetch_or(&bits[w], bit, __ATOMIC_RELAXED);
  }
}

/* Entries of the result from `at` on = those from `from` on. */
static void write_entries(const sample_job *j, uint64_t at, uint64_t from, uint64_t n) {
  const grid_compressed *c = &j->x->a->by_row;
  if (j->columns) mark_columns(j->columns, c->idx + from, n);
  if (!j->idx) return;
  memcpy(j->idx + at, c->idx + from, n * sizeof *j->idx);
  if (j->size) memcpy(j->val + at * j->size, (const char *)c->val + from * j->size, n * j->size);
}

/* bits: as many as the row has entries, all 0. */
static void fill_row(const sample_job *j, uint64_t k, uint64_t *bits) {
  const sampled_row *r = &j->row[k];
  const uint64_t degree = r->to - r->from;
  uint64_t at = j->idx ? grid_offset(j->start, k) : 0;
  if (r->draws == degree) {
    write_entries(j, at, r->from, degree);
    return;
  }
  grid_sample_row(bits, 0, degree, r->draws, j->x->first + r->id, j->key);
  for (uint64_t w = 0; w < grid_words(degree); w++) {
    for (uint64_t s = bits[w]; s; s &= s - 1) write_entries(j, at++, r->from + 64 * w + grid_low_bit(s), 1);
    bits[w] = 0;
  }
}

static GrB_Info fill_rows(const sample_job *j) {
  const uint64_t words = grid_words(j->longest) + 8; /* threads share no cache line */
  const int threads = grid_work_threads(j->entries);
  uint64_t *bits = grid_calloc((size_t)threads * words, sizeof *bits);
  if (!bits) return grid_fail_memory(NULL, "bits of a row", (uint64_t)threads * words, sizeof *bits);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) if (threads > 1)
  for (uint64_t k = 0; k < j->n; k++) fill_row(j, k, bits + grid_thread() * words);
  grid_free(bits);
  return GrB_SUCCESS;
}

static GrB_Info make_columns(sample_job *j, grid_chunk *columns) {
  const GrB_Info info = grid_chunk_reserve_dense(columns, true);
  if (info != GrB_SUCCESS) return info;
  memset(columns->bits, 0, grid_words(columns->n) * sizeof *columns->bits);
  *(bool *)columns->val = true;
  j->columns = columns->bits;
  return info;
}

/* t gets the arrays of its entries. */
static GrB_Info finish_rows(sample_job *j, grid_local_matrix *t) {
  const grid_local_matrix *a = j->x->a;
  GrB_Info info = GrB_SUCCESS;
  t->nvals = j->entries;
  grid_compressed_finish(&t->by_row, info, &j->start, j->idx, j->val);
  j->start = (grid_offsets){0}, j->idx = NULL, j->val = NULL;
  if (a->iso) TRY(grid_lmat_set_iso(t, a->iso_val));
  info = grid_lmat_choose_format(t);
done:
  return info;
}

static GrB_Info finish_columns(grid_chunk *columns) {
  columns->format = GRID_BITMAP, columns->iso = true;
  columns->nvals = grid_count_bits(columns->bits, grid_words(columns->n));
  return grid_chunk_choose_format(columns);
}

GrB_Info grid_cpu_lmat_sample(grid_local_matrix *t, grid_chunk *columns, const grid_sample_operands *x) {
  sample_job j = {.x = x, .key = grid_random_key(x->seed), .size = x->a->iso ? 0 : x->a->type->size};
  GrB_Info info = GrB_SUCCESS;
  if (x->a->nvals == 0) return info;
  TRY(list_rows(&j));
  if (j.n == 0) goto done;
  if (t) TRY(make_arrays(&j, t));
  if (columns) TRY(make_columns(&j, columns));
  TRY(fill_rows(&j));
  if (t) TRY(finish_rows(&j, t));
  if (columns) info = finish_columns(columns);
done:
  if (info != GrB_SUCCESS) {
    grid_compressed_finish(&(grid_compressed){0}, info, &j.start, j.idx, j.val);
    if (t) grid_lmat_free(t);
    if (columns) grid_chunk_empty(columns);
  }
  grid_free(j.row);
  return info;
}
