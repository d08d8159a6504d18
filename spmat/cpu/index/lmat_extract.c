/* See lmat_extract.h. First rows and columns are mapped (index_map.h). Then each row of the result is copied
 * from one row of p, with its columns mapped, and sorted if they are out of order. Of a range of columns each
 * row is one range (row_bands.h). */
#include "spmat/cpu/index/lmat_extract.h"

#include <string.h>

#include "spmat/cpu/rows/lmat_fill.h"
#include "spmat/cpu/index/index_map.h"
#include "spmat/cpu/rows/row_bands.h"
#include "spmat/cpu/rows/row_sort.h"

/* Rows whose lengths are summed together; approximate number of entries of a task. */
enum { ROWS = 64, TASK = 1 << 13 };
/* Above this bound of entries an extra pass to count them pays. */
#define LARGE_BOUND (UINT64_C(1) << 24)

typedef struct {
  const grid_local_matrix *p;
  const grid_compressed *c;
  grid_row_map row;
  grid_col_map col;
  uint64_t rows;    /* of the result */
  size_t size;      /* of a value; 0: none */
  uint64_t longest; /* entries of the longest row of the result, at most */
  bool all_cols;    /* no column is dropped */
  bool sorts;
} job;

static inline bool find_row(const job *j, uint64_t r, uint64_t *from, uint64_t *to) {
  const uint64_t c = grid_source_row(&j->row, r);
  if (c == GRID_NO_POSITION) return false;
  *from = grid_vector_start(j->c, c);
  *to = grid_vector_start(j->c, c + 1);
  return *from < *to;
}

/* ---- number of entries of one result row --------------------------------------------------------------- */

static inline __attribute__((always_inline)) void store_value(char *to, uint64_t m, const char *val,
                                                              uint64_t e, const size_t size) {
  if (size) memcpy(to + m * size, val + e * size, size);
}

/* Entries from .. to - 1, at least one, become those in the range of columns. */
static inline void cut_row(const job *j, uint64_t *from, uint64_t *to) {
  const uint32_t *in = j->c->idx;
  if (in[*from] < j->col.low) *from = grid_first_entry_anywhere(in, *from, *to, j->col.low);
  if (*from < *to && in[*to - 1] >= j->col.high) *to = grid_first_entry_anywhere(in, *from, *to, j->col.high);
}

/* Branch-free: each entry is written, and kept by advancing past it; there is room for all of the row's
 * entries. */
static inline __attribute__((always_inline)) uint64_t map_row(const job *j, uint64_t from, uint64_t to,
                                                              uint32_t *idx, char *val, const size_t size) {
  const uint32_t *in = j->c->idx, *map = j->col.to;
  uint64_t m = 0;
  for (uint64_t e = from; e < to; e++) {
    const uint32_t mapped_column = map[in[e]];
    idx[m] = mapped_column;
    store_value(val, m, j->c->val, e, size);
    m += mapped_column != GRID_NO_POSITION;
  }
  return m;
}

static inline __attribute__((always_inline)) uint64_t repeat_row(const job *j, uint64_t from, uint64_t to,
                                                                 uint32_t *idx, char *val,
                                                                 const size_t size) {
  const uint32_t *in = j->c->idx;
  uint64_t m = 0;
  for (uint64_t e = from; e < to; e++)
    for (uint64_t k = j->col.start[in[e]]; k < j->col.start[in[e] + 1]; k++) {
      idx[m] = j->col.to[k];
      store_value(val, m++, j->c->val, e, size);
    }
  return m;
}

/* ---- tasks ---- */

typedef uint64_t (*row_function)(const job *j, uint64_t from, uint64_t to, uint32_t *idx, char *val,
                                 const size_t size);

static inline __attribute__((always_inline)) uint64_t run_rows(const job *j, const grid_split_point *split,
                                                               const grid_fill_to *to, row_function row,
                                                               const size_t size) {
  uint64_t n = 0, first, end;
  for (uint64_t r = split[0].row; r < split[1].row; r++) {
    if (find_row(j, r, &first, &end)) {
      uint32_t *idx = to->idx + n;
      char *val = size ? to->val + n * size : NULL;
      uint64_t m = row(j, first, end, idx, val, size);
      if (j->sorts) m = grid_row_sort(idx, val, m, j->size, j->longest, to->workspace);
      n += m;
    }
    grid_offset_set(to->start, r + 1, n);
  }
  return n;
}

#define TASKS(KIND)                                                                                  \
  static uint64_t KIND##_0(const void *j, const grid_split_point *split, const grid_fill_to *to) {   \
    return run_rows(j, split, to, KIND##_row, 0);                                                    \
  }                                                                                                  \
  static uint64_t KIND##_1(const void *j, const grid_split_point *split, const grid_fill_to *to) {   \
    return run_rows(j, split, to, KIND##_row, 1);                                                    \
  }                                                                                                  \
  static uint64_t KIND##_4(const void *j, const grid_split_point *split, const grid_fill_to *to) {   \
    return run_rows(j, split, to, KIND##_row, 4);                                                    \
  }                                                                                                  \
  static uint64_t KIND##_8(const void *j, const grid_split_point *split, const grid_fill_to *to) {   \
    return run_rows(j, split, to, KIND##_row, 8);                                                    \
  }                                                                                                  \
  static uint64_t KIND##_any(const void *j, const grid_split_point *split, const grid_fill_to *to) { \
    return run_rows(j, split, to, KIND##_row, ((const job *)j)->size);                               \
  }                                                                                                  \
  static grid_fill_task KIND##_task(size_t size) {                                                   \
    return size == 0   ? KIND##_0                                                                    \
           : size == 1 ? KIND##_1                                                                    \
           : size == 4 ? KIND##_4                                                                    \
           : size == 8 ? KIND##_8                                                                    \
                       : KIND##_any;                                                                 \
  }
TASKS(map)
TASKS(repeat)

/* ---- counting ------------------------------------------------------------------------------------------ */

/* Upper bound of the entries that row r writes, temporarily included. */
static uint64_t row_bound(const job *j, uint64_t r) {
  uint64_t from, to, n = 0;
  if (!find_row(j, r, &from, &to)) return 0;
  if (!j->col.start) return to - from;
  for (uint64_t e = from; e < to; e++) n += j->col.start[j->c->idx[e] + 1] - j->col.start[j->c->idx[e]];
  return n;
}

/* Number of entries of row r, with columns mapped by a table. */
static uint64_t row_count(const job *j, uint64_t r) {
  uint64_t from, to, n = 0;
  if (!find_row(j, r, &from, &to)) return 0;
  for (uint64_t e = from; e < to; e++) n += j->col.to[j->c->idx[e]] != GRID_NO_POSITION;
  return n;
}

/* sum[b]: of rows [64 b, 64 b + 64); *longest: the maximum over rows. */
static void add_rows(const job *j, uint64_t *sum, int64_t blocks, uint64_t (*of)(const job *j, uint64_t r),
                     uint64_t *longest) {
  uint64_t most = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(max : most) if (blocks > 64)
  for (int64_t b = 0; b < blocks; b++) {
    const uint64_t from = (uint64_t)b * ROWS, end = from + ROWS < j->rows ? from + ROWS : j->rows;
    sum[b] = 0;
    for (uint64_t r = from; r < end; r++) {
      const uint64_t n = of(j, r);
      sum[b] += n;
      most = n > most ? n : most;
    }
  }
  *longest = most;
}

/* Joins neighbouring blocks to tasks. */
static GrB_Info split_tasks(const job *j, grid_row_splits *splits, const uint64_t *sum, uint64_t blocks) {
  uint64_t n = 0, have = 0;
  splits->split = grid_calloc(blocks + 1, sizeof *splits->split);
  if (!splits->split) return grid_fail_memory(NULL, "tasks", blocks + 1, sizeof *splits->split);
  for (uint64_t b = 0; b < blocks; b++) {
    have += sum[b] + ROWS / 8;
    const uint64_t end = (b + 1) * ROWS;
    if (have < TASK && b + 1 < blocks) continue;
    splits->split[++n].row = end < j->rows ? end : j->rows;
    splits->most = have > splits->most ? have : splits->most;
    have = 0;
  }
  splits->tasks = n;
  return GrB_SUCCESS;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* With a table of columns. */
static GrB_Info fill_mapped(grid_local_matrix *t, job *j) {
  const int64_t blocks = (int64_t)((j->rows + ROWS - 1) / ROWS);
  uint64_t *sum = grid_malloc((size_t)blocks, sizeof *sum), bound = 0, longest = 0;
  grid_row_splits splits = {0};
  GrB_Info info = sum ? GrB_SUCCESS : grid_fail_memory(NULL, "counts of rows", (uint64_t)blocks, sizeof *sum);
  TRY(info);
  add_rows(j, sum, blocks, row_bound, &j->longest);
  for (int64_t b = 0; b < blocks; b++) bound += sum[b];
  TRY(split_tasks(j, &splits, sum, (uint64_t)blocks));
  if (!j->col.start && bound > LARGE_BOUND) {
    add_rows(j, sum, blocks, row_count, &longest);
    bound = j->longest; /* a row is written temporarily beyond its entries */
    for (int64_t b = 0; b < blocks; b++) bound += sum[b];
  }
  const grid_fill f = {.task = (j->col.start ? repeat_task : map_task)(j->size),
                       .context = j,
                       .splits = &splits,
                       .most = splits.most,
                       .bound = bound,
                       .values = j->size > 0,
                       .workspace = j->sorts ? grid_row_sort_workspace(j->longest, j->size) : 0};
  info = grid_lmat_fill_rows(t, &f);
done:
  grid_free(sum);
  grid_free(splits.split);
  return info;
}

/* The entries of rows r .. end - 1 in the range of columns. */
static uint64_t find_ranges(const grid_row_bands *b, const void *context, uint64_t r, uint64_t end) {
  const job *j = context;
  uint64_t n = 0;
  for (; r < end; r++) {
    uint64_t from = 0, to = 0;
    if (find_row(j, r, &from, &to) && !j->all_cols) cut_row(j, &from, &to);
    grid_offset_set(b->low, r, from);
    b->count[r] = (uint32_t)(to - from);
    n += to - from;
  }
  return n;
}

static GrB_Info fill_ranges(grid_local_matrix *t, const job *j) {
  grid_row_bands b = {.z = t, .a = j->p, .size = j->size, .add = j->col.add};
  GrB_Info info = grid_row_bands_find(&b, find_ranges, j);
  if (info == GrB_SUCCESS) info = grid_row_bands_copy(&b);
  grid_row_bands_free(&b);
  return info;
}

static GrB_Info move(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                     const grid_index_set *J, bool scatter) {
  job j = {.p = p, .c = &p->by_row, .size = p->iso ? 0 : p->type->size};
  GrB_Info info = GrB_SUCCESS;
  if (p->nvals == 0) return info;
  TRY(grid_row_map_make(&j.row, &t->row, p, I, scatter));
  TRY(grid_col_map_make(&j.col, &t->col, p, J, scatter));
  j.rows = t->row.n;
  j.all_cols = !j.col.to && j.col.low == 0 && j.col.high == p->col.n;
  j.sorts = !j.col.ascends;
  if (p->iso) TRY(grid_lmat_set_iso(t, p->iso_val));
  TRY(j.col.to ? fill_mapped(t, &j) : fill_ranges(t, &j));
  TRY(grid_lmat_choose_format(t));
done:
  grid_row_map_free(&j.row);
  grid_col_map_free(&j.col);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}

GrB_Info grid_cpu_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                               const grid_index_set *J) {
  return move(t, p, I, J, false);
}

GrB_Info grid_cpu_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                               const grid_index_set *J) {
  return move(t, p, I, J, true);
}
