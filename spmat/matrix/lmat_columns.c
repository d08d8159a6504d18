/* Columns from rows. Few columns, or few of consecutive rows, are made by lmat_columns_local.c. Else entries
 * are scattered to ranges of columns that fit the cache (scatter_bins.h); each range is then ordered by
 * counting, since rows ascend already. An entry moves as its row and its column within the range, in 32 bits
 * where they fit. With it goes its value, or its number if a value is larger than a load. The arrays of the
 * columns are those of the scattered entries where elements have the same size. A range is then copied and
 * ordered into its old place, so that no second copy of the matrix is in memory. */
#include "spmat/matrix/lmat_columns.h"

#include <omp.h>
#include <string.h>

#include "spmat/device/device.h"
#include "spmat/matrix/axis.h"
#include "spmat/matrix/lmat_columns_local.h"
#include "spmat/sort/sort.h"

enum {
  RANGE = 1 << 14,  /* entries of a range of columns, unless that makes more than MAX_RANGES */
  MAX_RANGES = 2048 /* a thread's line buffers for this many ranges fit its cache */
};

/* Where the next block of a thread's stretch begins, and the row of that entry. */
typedef struct {
  uint64_t e, row;
  uint64_t padding[6]; /* one cache line a thread */
} cursor;

typedef struct {
  const grid_local_matrix *p;
  int row_bits, range_bits; /* columns of a range: 2^range_bits */
  uint64_t ranges, threads;
  cursor *at;      /* of each thread */
  uint64_t *start; /* of each range, and the end of the last */
  grid_bin_output binned;
  grid_bin_output copy; /* of the ranges that are being ordered */
  uint64_t copied;      /* entries that it holds for each thread */
  grid_offsets offsets;
  uint32_t *idx; /* maybe binned.key */
  char *val;     /* maybe binned.load */
} job;

/* ---- entries as tuples ---- */

static uint64_t read_entries(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                             char *load) {
  const job *j = s->context;
  const grid_compressed *c = &j->p->by_row;
  cursor *at = &j->at[omp_get_thread_num()];
  uint64_t row = at->e == from ? at->row : grid_row_of_entry(j->p, from);
  (void)bin;
  for (uint64_t e = from;;) {
    const uint64_t end = grid_vector_start(c, row + 1);
    for (const uint64_t stop = end < to ? end : to; e < stop; e++)
      key[e - from] = (uint64_t)c->idx[e] << j->row_bits | row;
    if (end > to) break;
    row++;
    if (e == to) break;
  }
  at->e = to, at->row = row;
  if (load) grid_load_values(load, j->binned.load_size, c->val, j->p->type->size, from, to);
  return to - from;
}

/* Turns the counts of each stretch in each range into positions. */
static void range_offsets(const job *j, uint64_t stretches, const uint32_t *count, uint64_t *next) {
  uint64_t sum = 0;
  for (uint64_t r = 0; r < j->ranges; r++) {
    j->start[r] = sum;
    for (uint64_t t = 0; t < stretches; t++) {
      next[t * j->ranges + r] = sum;
      sum += count[t * j->ranges + r];
    }
  }
  j->start[j->ranges] = sum;
}

static GrB_Info bin_entries(job *j) {
  const uint64_t n = j->p->nvals;
  const grid_source source = {.n = n, .times = 1, .read = read_entries, .context = j};
  const grid_bin_rule rule = {.shift = j->row_bits + j->range_bits, .by_key = true};
  const uint64_t stretches = grid_bin_stretches(&source);
  uint32_t *count = grid_calloc(stretches * j->ranges, sizeof *count);
  uint64_t *next = grid_malloc(stretches * j->ranges, sizeof *next);
  GrB_Info info = GrB_SUCCESS;
  if (!count || !next) TRY(grid_fail_memory(NULL, "counts of entries", stretches * j->ranges, sizeof *next));
  grid_bin_count(&source, stretches, &rule, j->ranges, count);
  range_offsets(j, stretches, count, next);
  TRY(grid_bin_scatter(&source, stretches, &rule, j->ranges, next, &j->binned));
done:
  grid_free(count);
  grid_free(next);
  return info;
}

/* ---- a range of columns ---- */

/* The scattered entries of a range, from its first on. */
typedef struct {
  const void *key;
  const char *load;
  uint64_t n;
} range_entries;

static inline __attribute__((always_inline)) uint64_t key_at(const range_entries *s, uint64_t e,
                                                             const size_t key_size) {
  return key_size == 4 ? ((const uint32_t *)s->key)[e] : ((const uint64_t *)s->key)[e];
}

static inline __attribute__((always_inline)) uint64_t column_in_range(const job *j, uint64_t key) {
  return key >> j->row_bits & ((UINT64_C(1) << j->range_bits) - 1);
}

/* at[c] += entries [from, to) of the range's column c */
static inline __attribute__((always_inline)) void count_columns(const job *j, const range_entries *s,
                                                                uint64_t from, uint64_t to, uint64_t *at,
                                                                const size_t key_size) {
  for (uint64_t e = from; e < to; e++) at[column_in_range(j, key_at(s, e, key_size))]++;
}

/* Stores entries [from, to) at their positions; at[c] is the next one of column c. */
static inline __attribute__((always_inline)) void scatter_column_entries(const job *j, const range_entries *s,
                                                                         uint64_t from, uint64_t to,
                                                                         uint64_t *at, const size_t key_size,
                                                                         const size_t load_size) {
  const uint64_t row = (UINT64_C(1) << j->row_bits) - 1;
  const size_t size = j->p->type->size;
  for (uint64_t e = from; e < to; e++) {
    const uint64_t key = key_at(s, e, key_size), k = at[column_in_range(j, key)]++;
    const char *load = s->load + e * load_size;
    j->idx[k] = (uint32_t)(key & row);
    if (load_size && size == load_size)
      memcpy(j->val + k * load_size, load, load_size);
    else if (load_size && size < GRID_LOAD_MAX)
      memcpy(j->val + k * size, load, size);
    else if (load_size)
      memcpy(j->val + k * size, (const char *)j->p->by_row.val + grid_load_get(load, 0, load_size) * size,
             size);
  }
}

/* Functions compiled for each size of keys and loads. */
typedef struct {
  void (*count)(const job *j, const range_entries *s, uint64_t from, uint64_t to, uint64_t *at);
  void (*scatter_columns)(const job *j, const range_entries *s, uint64_t from, uint64_t to, uint64_t *at);
} steps;

#define COUNT(KEY)                                                                                          \
  static void count_##KEY(const job *j, const range_entries *s, uint64_t from, uint64_t to, uint64_t *at) { \
    count_columns(j, s, from, to, at, KEY);                                                                 \
  }
#define SCATTER_COLUMNS(KEY, LOAD)                                                                \
  static void scatter_columns_##KEY##_##LOAD(const job *j, const range_entries *s, uint64_t from, \
                                             uint64_t to, uint64_t *at) {                         \
    scatter_column_entries(j, s, from, to, at, KEY, LOAD);                                        \
  }
COUNT(4)
COUNT(8)
SCATTER_COLUMNS(4, 0)
SCATTER_COLUMNS(4, 4)
SCATTER_COLUMNS(4, 8)
SCATTER_COLUMNS(8, 0)
SCATTER_COLUMNS(8, 4)
SCATTER_COLUMNS(8, 8)

static const steps *find_steps(const job *j) {
  static const steps of[2][3] = {
      {{count_4, scatter_columns_4_0}, {count_4, scatter_columns_4_4}, {count_4, scatter_columns_4_8}},
      {{count_8, scatter_columns_8_0}, {count_8, scatter_columns_8_4}, {count_8, scatter_columns_8_8}}};
  return &of[j->binned.key_size / 8][j->binned.load_size / 4];
}

/* Number of columns of range r. */
static uint64_t range_length(const job *j, uint64_t r) {
  const uint64_t first = r << j->range_bits, length = UINT64_C(1) << j->range_bits;
  return j->p->col.n - first < length ? j->p->col.n - first : length;
}

/* Turns the counts of each segment of a range into positions, and stores the columns' offsets. */
static void start_columns(const job *j, uint64_t r, uint64_t segments, uint64_t *at) {
  const uint64_t first = r << j->range_bits, columns = range_length(j, r);
  uint64_t sum = j->start[r];
  for (uint64_t c = 0; c < columns; c++) {
    grid_offset_set(j->offsets, first + c, sum);
    for (uint64_t t = 0; t < segments; t++) {
      const uint64_t n = at[t * columns + c];
      at[t * columns + c] = sum;
      sum += n;
    }
  }
}

static uint64_t range_entries_count(const job *j, uint64_t r) {
  return j->start[r + 1] - j->start[r];
}

/* Too long for one thread, such as a hub's column? */
static bool is_long(const job *j, uint64_t r) {
  const uint64_t n = range_entries_count(j, r);
  return j->threads > 1 && n > 4 * RANGE && n > j->p->nvals / j->threads / 4;
}

/* ---- a copy of it, where its columns are stored in its old place ---- */

/* Makes room for all threads' ranges or for one long range, which are not ordered at the same time. */
static GrB_Info make_copies(job *j) {
  const bool key = (void *)j->idx == j->binned.key, load = j->val && j->val == j->binned.load;
  uint64_t most = 0;
  j->copied = 0;
  for (uint64_t r = 0; r < j->ranges; r++) {
    const uint64_t n = range_entries_count(j, r);
    if (is_long(j, r))
      most = n > most ? n : most;
    else
      j->copied = n > j->copied ? n : j->copied;
  }
  if (j->threads * j->copied > most) most = j->threads * j->copied;
  j->copy = (grid_bin_output){.key = key ? grid_malloc(most, j->binned.key_size) : NULL,
                              .load = load ? grid_malloc(most, j->binned.load_size) : NULL};
  return (key && !j->copy.key) || (load && !j->copy.load)
             ? grid_fail_memory(NULL, "a range of matrix columns", most, 2 * sizeof(uint64_t))
             : GrB_SUCCESS;
}

/* The entries of range r; thread: whose copy of them is used, if any. */
static range_entries find_entries(const job *j, uint64_t r, uint64_t thread) {
  const size_t key_size = j->binned.key_size, load_size = j->binned.load_size;
  const uint64_t copy = thread * j->copied, first = j->start[r];
  return (range_entries){
      .key = j->copy.key ? (char *)j->copy.key + copy * key_size : (char *)j->binned.key + first * key_size,
      .load = j->copy.load ? j->copy.load + copy * load_size : j->binned.load + first * load_size,
      .n = range_entries_count(j, r)};
}

static void copy_entries(const job *j, uint64_t r, const range_entries *s, uint64_t from, uint64_t to) {
  const size_t key_size = j->binned.key_size, load_size = j->binned.load_size;
  const uint64_t first = j->start[r] + from;
  if (j->copy.key)
    memcpy((char *)(uintptr_t)s->key + from * key_size, (char *)j->binned.key + first * key_size,
           (to - from) * key_size);
  if (j->copy.load)
    memcpy((char *)(uintptr_t)s->load + from * load_size, j->binned.load + first * load_size,
           (to - from) * load_size);
}

/* ---- its order ---- */

/* Where segment t of a range of n entries begins. */
static uint64_t segment_start(const job *j, uint64_t n, uint64_t t) {
  return n / j->threads * t + (t < n % j->threads ? t : n % j->threads);
}

/* at: memory for each thread's counts */
static void order_range(const job *j, uint64_t r, uint64_t thread, uint64_t *at) {
  const steps *step = find_steps(j);
  const range_entries s = find_entries(j, r, thread);
  memset(at, 0, range_length(j, r) * sizeof *at);
  copy_entries(j, r, &s, 0, s.n);
  step->count(j, &s, 0, s.n, at);
  start_columns(j, r, 1, at);
  step->scatter_columns(j, &s, 0, s.n, at);
}

static void order_long_range(const job *j, uint64_t r, uint64_t *at) {
  const steps *step = find_steps(j);
  const range_entries s = find_entries(j, r, 0);
  const uint64_t columns = range_length(j, r);
  memset(at, 0, j->threads * columns * sizeof *at);
#pragma omp parallel for schedule(static, 1) num_threads((int)j->threads)
  for (uint64_t t = 0; t < j->threads; t++) {
    const uint64_t from = segment_start(j, s.n, t), to = segment_start(j, s.n, t + 1);
    copy_entries(j, r, &s, from, to);
    step->count(j, &s, from, to, at + t * columns);
  }
  start_columns(j, r, j->threads, at);
#pragma omp parallel for schedule(static, 1) num_threads((int)j->threads)
  for (uint64_t t = 0; t < j->threads; t++)
    step->scatter_columns(j, &s, segment_start(j, s.n, t), segment_start(j, s.n, t + 1), at + t * columns);
}

static GrB_Info order(job *j) {
  const uint64_t columns = UINT64_C(1) << j->range_bits;
  uint64_t *at = grid_malloc(j->threads * columns, sizeof *at);
  GrB_Info info =
      at ? make_copies(j) : grid_fail_memory(NULL, "counts of columns", j->threads * columns, sizeof *at);
  TRY(info);
  for (uint64_t r = 0; r < j->ranges; r++)
    if (is_long(j, r)) order_long_range(j, r, at);
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)j->threads) if (j->ranges > 1)
  for (uint64_t r = 0; r < j->ranges; r++) {
    const uint64_t thread = (uint64_t)omp_get_thread_num();
    if (!is_long(j, r)) order_range(j, r, thread, at + thread * columns);
  }
  grid_offset_set(j->offsets, j->p->col.n, j->p->nvals);
done:
  grid_free(at);
  return info;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Chooses ranges of about RANGE entries, short enough that a row and a column within one fit 32 bits, unless
 * that makes too many. */
static void choose_ranges(job *j) {
  const uint64_t columns = j->p->col.n, n = j->p->nvals;
  const int bits = grid_index_bits(columns);
  int more = 0;
  while (more < bits && UINT64_C(2) << more <= MAX_RANGES &&
         (n >> more > RANGE || j->row_bits + bits - more > 32))
    more++;
  j->range_bits = bits - more;
  j->ranges = columns ? ((columns - 1) >> j->range_bits) + 1 : 0;
  j->binned.key_size = j->row_bits + j->range_bits <= 32 ? 4 : 8;
}

static GrB_Info make_arrays(job *j) {
  const uint64_t n = j->p->nvals;
  const size_t size = j->p->by_row.val ? j->p->type->size : 0;
  j->binned.load_size = grid_load_size(size, n);
  j->at = grid_malloc(j->threads, sizeof *j->at);
  j->start = grid_malloc(j->ranges + 1, sizeof *j->start);
  j->binned.key = grid_malloc(n, j->binned.key_size);
  j->binned.load = size ? grid_malloc(n, j->binned.load_size) : NULL;
  j->idx = j->binned.key_size == sizeof *j->idx ? j->binned.key : grid_malloc(n, sizeof *j->idx);
  j->val = j->binned.load_size == size ? j->binned.load : grid_malloc(n, size);
  const bool made = grid_offsets_make(&j->offsets, j->p->col.n + 1, n);
  if (!made || !j->at || !j->start || !j->binned.key || !j->idx || (size && (!j->binned.load || !j->val)))
    return grid_fail_memory(NULL, "matrix columns", n, 2 * (sizeof *j->idx + size));
  for (uint64_t t = 0; t < j->threads; t++) j->at[t].e = UINT64_MAX;
  return GrB_SUCCESS;
}

GrB_Info grid_lmat_make_columns(const grid_local_matrix *p, grid_compressed *to) {
  job j = {.p = p, .row_bits = grid_index_bits(p->row.n), .threads = (uint64_t)omp_get_max_threads()};
  GrB_Info info = grid_lmat_has_local_columns(p) ? grid_lmat_make_local_columns(p, to) : GRID_UNSUPPORTED;
  if (info != GRID_UNSUPPORTED) return info;
  choose_ranges(&j);
  TRY(make_arrays(&j));
  TRY(bin_entries(&j));
  TRY(order(&j));
done:
  if (j.binned.key != j.idx) grid_free(j.binned.key);
  if (j.binned.load != j.val) grid_free(j.binned.load);
  grid_compressed_finish(to, info, &j.offsets, j.idx, j.val);
  grid_free(j.at);
  grid_free(j.start);
  grid_free(j.copy.key);
  grid_free(j.copy.load);
  return info;
}
