/* Compresses sorted tuples; see compress.h. Runs ascend, so each thread writes the entries and row starts of
 * one run after the other; counts of distinct keys give where they begin. */
#include "spmat/matrix/compress.h"

#include <string.h>

#include "spmat/matrix/axis.h"

typedef struct {
  const grid_compress_job *c;
  uint64_t total; /* entries */
  uint64_t *at;   /* where each run's entries begin */
  uint64_t *row;  /* and its new rows, in the list of a hypersparse axis; NULL: every row is represented */
  uint64_t rows;  /* in the list */
  grid_axis *axis;
  grid_offsets start;
  uint32_t *idx;
  char *val;
  size_t size; /* of a value */
} job;

static inline uint64_t row_of(const job *j, uint64_t key) {
  return key >> j->c->col_bits;
}

/* The row of the last tuple before run r, or -1. */
static uint64_t previous_row(const job *j, uint64_t r) {
  const grid_run *run = &j->c->sorted->run[r];
  return r == 0 ? UINT64_MAX : row_of(j, run[-1].key[run[-1].n - 1]);
}

/* ---- duplicates ---- */

static GrB_Info report_duplicate(const job *j, grid_pair *bad) {
  const grid_sorted *s = j->c->sorted;
  uint64_t r = 0, k = 1;
  while (s->run[r].distinct == s->run[r].n) r++;
  while (s->run[r].key[k] != s->run[r].key[k - 1]) k++;
  const uint64_t key = s->run[r].key[k];
  *bad = (grid_pair){row_of(j, key), key - (row_of(j, key) << j->c->col_bits)};
  return grid_fail(NULL, GrB_INVALID_VALUE, "two tuples for one entry, and no operator to combine them");
}

/* ---- rows ---- */

static uint64_t count_rows(const job *j, uint64_t r) {
  const grid_run *run = &j->c->sorted->run[r];
  uint64_t before = previous_row(j, r), rows = 0;
  for (uint64_t k = 0; k < run->n; k++) {
    const uint64_t row = row_of(j, run->key[k]);
    rows += row != before;
    before = row;
  }
  return rows;
}

/* Are fewer than one in GRID_HYPER rows non-empty? Counted only if the number of tuples does not decide. */
static GrB_Info list_rows(job *j, bool *hyper) {
  const grid_sorted *s = j->c->sorted;
  const uint64_t dim = j->axis->dim;
  *hyper = false;
  if (j->axis->ids || j->axis->n == dim || grid_axis_is_dense_for(dim, s->n)) return GrB_SUCCESS;
  j->row = grid_malloc(s->runs, sizeof *j->row);
  if (!j->row) return grid_fail_memory(NULL, "counts of rows", s->runs, sizeof *j->row);
#pragma omp parallel for schedule(dynamic, 1) if (s->n > 1 << 15)
  for (uint64_t r = 0; r < s->runs; r++) j->row[r] = count_rows(j, r);
  for (uint64_t r = 0; r < s->runs; r++) {
    const uint64_t rows = j->row[r];
    j->row[r] = j->rows;
    j->rows += rows;
  }
  *hyper = j->rows < dim / GRID_HYPER;
  return GrB_SUCCESS;
}

/* ---- entries ---- */

/* Rows of a run begin at `at` when their first tuple arrives. */
typedef struct {
  uint64_t before, next; /* the last row that has begun; the position of the next */
} row_cursor;

static inline void begin_row(const job *j, row_cursor *c, uint64_t row, uint64_t at) {
  if (j->row) {
    grid_axis_store(j->axis, c->next, row);
    grid_offset_set(j->start, c->next++, at);
  } else {
    for (; c->next <= row; c->next++) grid_offset_set(j->start, c->next, at);
  }
  c->before = row;
}

/* The value of tuple k of a run. */
static inline const char *value_of(const job *j, const grid_run *run, uint64_t k) {
  if (j->size <= GRID_LOAD_MAX) return run->load + k * j->c->sorted->size;
  return j->c->values + grid_load_get(run->load, k, j->c->sorted->size) * j->size;
}

/* Combines tuple k of a run with the entry at `at`, made from an equal one. */
static void combine_value(const job *j, const grid_run *run, uint64_t k, uint64_t at) {
  char *slot = j->val + at * j->size;
  const char *value = value_of(j, run, k);
  if (j->c->how.dup)
    j->c->how.dup->f(slot, slot, value);
  else
    memcpy(slot, value, j->size);
}

static inline __attribute__((always_inline)) void write_run(const job *j, uint64_t r, const size_t size) {
  const grid_run *run = &j->c->sorted->run[r];
  const uint64_t mask = (UINT64_C(1) << j->c->col_bits) - 1;
  uint64_t at = j->at[r];
  row_cursor rows = {.before = previous_row(j, r)};
  rows.next = j->row ? j->row[r] : rows.before + 1;
  for (uint64_t k = 0; k < run->n; k++) {
    const uint64_t key = run->key[k], row = row_of(j, key);
    if (k && key == run->key[k - 1]) {
      if (size) combine_value(j, run, k, at - 1);
      continue;
    }
    if (row != rows.before) begin_row(j, &rows, row, at);
    j->idx[at] = (uint32_t)(key & mask);
    if (size == 4 || size == 8)
      memcpy(j->val + at * size, run->load + k * size, size);
    else if (size)
      memcpy(j->val + at * size, value_of(j, run, k), size);
    at++;
  }
}

static void write_pattern(const job *j, uint64_t r) {
  write_run(j, r, 0);
}
static void write_4(const job *j, uint64_t r) {
  write_run(j, r, 4);
}
static void write_8(const job *j, uint64_t r) {
  write_run(j, r, 8);
}
static void write_run_any(const job *j, uint64_t r) {
  write_run(j, r, j->size);
}

static void write_runs(const job *j) {
  const grid_sorted *s = j->c->sorted;
  void (*write)(const job *, uint64_t) = j->size == 0   ? write_pattern
                                         : j->size == 4 ? write_4
                                         : j->size == 8 ? write_8
                                                        : write_run_any;
#pragma omp parallel for schedule(dynamic, 1) if (s->n > 1 << 15)
  for (uint64_t r = 0; r < s->runs; r++) write(j, r);
  /* rows after the last tuple, and the end */
  const uint64_t last = j->row ? j->rows : s->runs ? previous_row(j, s->runs) + 1 : 0;
  for (uint64_t v = last; v <= j->axis->n; v++) grid_offset_set(j->start, v, j->total);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static GrB_Info count_entries(job *j, grid_pair *bad) {
  const grid_sorted *s = j->c->sorted;
  j->at = grid_malloc(s->runs, sizeof *j->at);
  if (!j->at) return grid_fail_memory(NULL, "counts of entries", s->runs, sizeof *j->at);
  for (uint64_t r = 0; r < s->runs; r++) {
    j->at[r] = j->total;
    j->total += s->run[r].distinct;
  }
  const bool allowed = j->size == 0 || j->c->how.dup || j->c->how.newest_wins;
  return j->total == s->n || allowed ? GrB_SUCCESS : report_duplicate(j, bad);
}

static GrB_Info make_arrays(job *j, bool hyper) {
  grid_axis *a = j->axis;
  if (hyper) {
    GrB_Info info = grid_axis_list(a, j->rows);
    if (info != GrB_SUCCESS) return info;
  } else {
    if (!a->ids) a->n = a->dim;
    grid_free(j->row);
    j->row = NULL;
  }
  const bool made = grid_offsets_make(&j->start, a->n + 1, j->total);
  j->idx = grid_malloc(j->total, sizeof *j->idx);
  j->val = j->size ? grid_malloc(j->total, j->size) : NULL;
  if (made && j->idx && (j->val || !j->size)) return GrB_SUCCESS;
  return grid_fail_memory(NULL, "matrix rows", j->total, sizeof *j->idx + j->size);
}

GrB_Info grid_compress(grid_local_matrix *p, const grid_compress_job *c, grid_pair *bad) {
  job j = {.c = c, .axis = &p->row, .size = c->sorted->size ? p->type->size : 0};
  bool hyper;
  GrB_Info info;
  TRY(count_entries(&j, bad));
  TRY(list_rows(&j, &hyper));
  TRY(make_arrays(&j, hyper));
  /* columns that may get a list need more memory */
  if (c->release && grid_axis_is_dense_for(p->col.dim, c->sorted->n)) c->release(c->released);
  write_runs(&j);
  p->nvals = j.total;
done:
  grid_compressed_finish(&p->by_row, info, &j.start, j.idx, j.val);
  grid_free(j.at);
  grid_free(j.row);
  return info;
}
