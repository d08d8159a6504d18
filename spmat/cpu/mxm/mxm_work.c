/* The work of a product of matrices, as the entries that are inspected: the method with less of it is chosen,
 * and rows are divided into ranges of about equal work. */
#include <omp.h>

#include "semiring/support/error.h"
#include "spmat/cpu/mxm/mxm_run.h"

enum {
  MIN_RANGE = 1 << 12, /* products and rows that a thread takes at a time, */
  MAX_RANGE = 1 << 16,
  RANGES = 32,               /* and so often, at least, where that makes no smaller ones */
  SERIAL_PRODUCTS = 1 << 14, /* up to this many products one thread computes */
  EVEN_SHARE = 4,            /* vectors are of even length if the longest exceeds the mean by this share */
  FULL_LONG = 256,           /* with a full B: rows of so many entries are long, */
  FULL_SHARE = 4,            /* rows of A with one of so many entries read most of it, */
  FULL_ROWS = 32             /* and so many are done at a time */
};

/* Are all indices of these rows below `bound`? */
static bool are_below(const mxm_vectors *x, uint64_t rows, uint64_t bound) {
  for (uint64_t r = 0; r < rows; r++)
    if (mxm_length(x, r) > 0 && x->idx[mxm_to(x, r) - 1] >= bound) return false;
  return true;
}

static inline uint64_t at_most(uint64_t n, uint64_t most) {
  return n < most ? n : most;
}

/* Does a vector's end begin the next one? */
static bool is_contiguous(const mxm_vectors *x) {
  return x->from64 ? x->to64 == x->from64 + 1 : x->to == x->from + 1;
}

/* Have x's first n vectors entries at all of 0 .. length - 1? No vector has more than `length`. */
static bool is_full(const mxm_vectors *x, uint64_t n, uint64_t length) {
  return is_contiguous(x) && n * length > 0 && mxm_from(x, 0) == 0 && mxm_to(x, n - 1) == n * length &&
         x->idx[length - 1] == length - 1;
}

/* The number of entries of each of x's n vectors that are used, if these are full and contiguous, else 0.
 * Axes may be longer than their contents. */
static uint64_t full_length(const mxm_run *d, const mxm_vectors *x, uint64_t n, bool dots) {
  const grid_mxm *m = d->m;
  if (!mxm_has_matrix(x) || n == 0 || m->mask_complement || mxm_has_matrix(&m->partial)) return 0;
  const uint64_t inner = at_most(m->inner, m->inner_dimension), columns = at_most(m->n, m->n_dimension);
  if (is_full(x, dots ? columns : inner, dots ? inner : columns)) return dots ? inner : columns;
  const uint64_t length = mxm_length(x, 0);
  uint64_t full = 0;
  while (length > 0 && full < n && mxm_from(x, full) == full * length &&
         mxm_to(x, full) == (full + 1) * length && x->idx[mxm_to(x, full) - 1] == length - 1)
    full++;
  if (full == 0 || !are_below(&m->a, m->rows, dots ? length : full)) return 0;
  return !m->masked || are_below(&m->mask, m->rows, dots ? full : length) ? length : 0;
}

/* Has B one entry in each row that is used, as the matrix of a partition into groups has? */
static bool has_single_entries(const grid_mxm *m) {
  uint64_t k = 0;
  if (!mxm_has_matrix(&m->b)) return false;
  while (k < m->inner && mxm_from(&m->b, k) == k && mxm_to(&m->b, k) == k + 1) k++;
  return k > 0 && are_below(&m->a, m->rows, k);
}

/* Entries of B inspected for row r, at most `most` of a vector: searching a longer one costs as much. */
static uint64_t row_products(const mxm_run *d, bool dots, uint64_t r, uint64_t most) {
  const mxm_vectors *by = dots ? &d->m->mask : &d->m->a, b = dots ? d->m->bt : d->m->b;
  if (d->single && !dots) return mxm_length(by, r);
  const uint64_t end = mxm_to(by, r);
  uint64_t e = mxm_from(by, r), sum = 0;
  if (b.from64)
    for (; e < end; e++) sum += at_most(b.to64[by->idx[e]] - b.from64[by->idx[e]], most);
  else
    for (; e < end; e++) sum += at_most(b.to[by->idx[e]] - b.from[by->idx[e]], most);
  return sum;
}

/* Entries inspected for row r. */
static uint64_t row_work(const mxm_run *d, bool dots, uint64_t r) {
  const grid_mxm *m = d->m;
  const bool inside = m->masked && !m->mask_complement;
  if (mxm_length(&m->a, r) == 0 && !mxm_has_matrix(&m->partial)) return 0;
  if (inside && mxm_length(&m->mask, r) == 0) return 0;
  const uint64_t most = !inside ? UINT64_MAX
                        : dots  ? MXM_SEARCH_COLUMN * mxm_length(&m->a, r)
                                : MXM_SEARCH * mxm_length(&m->mask, r);
  return row_products(d, dots, r, most) + (mxm_has_matrix(&m->partial) ? mxm_length(&m->partial, r) : 0);
}

/* Where B's vectors are full. */
static uint64_t sum_full_work(const mxm_run *d, uint64_t *work) {
  const mxm_vectors a = d->m->a, mask = d->m->mask;
  const uint64_t rows = d->m->rows, length = d->row_length;
  const bool masked = d->m->masked;
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) firstprivate(a, mask) if (rows > 1024)
  for (uint64_t r = 0; r < rows; r++)
    sum += work[r] = mxm_length(&a, r) * (masked ? mxm_length(&mask, r) : length);
  return sum;
}

/* Entries inspected, and rows, before row r, where offsets tell it: grid_mxm_choose. */
static uint64_t work_before(const mxm_run *d, uint64_t r) {
  const mxm_vectors *a = &d->m->a;
  return (mxm_from(a, r) - mxm_from(a, 0)) * d->row_length + r;
}

/* The length of the longest of x's n vectors, if they are nearly as long on average, else 0. `entries` read
 * them: counting all lengths takes longer than reading those of a few. */
static uint64_t even_length(const mxm_vectors *x, uint64_t n, uint64_t entries) {
  uint64_t longest = 0, sum = 0;
  if (n == 0 || entries < n) return 0;
#pragma omp parallel for schedule(static) reduction(max : longest) reduction(+ : sum) if (n > 1 << 14)
  for (uint64_t v = 0; v < n; v++) {
    const uint64_t length = mxm_length(x, v);
    longest = length > longest ? length : longest, sum += length;
  }
  return longest * n <= sum + sum / EVEN_SHARE ? longest : 0;
}

/* Where B's vectors have about `length` entries: without a look at each. */
static uint64_t sum_even_work(const mxm_run *d, bool dots, uint64_t length, uint64_t *work) {
  const mxm_vectors a = d->m->a, mask = d->m->mask;
  const uint64_t rows = d->m->rows;
  const bool inside = d->m->masked && !d->m->mask_complement;
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) firstprivate(a, mask) if (rows > 1024)
  for (uint64_t r = 0; r < rows; r++) {
    const uint64_t n = mxm_length(&a, r), allowed = inside ? mxm_length(&mask, r) : 1;
    sum += work[r] = n && allowed ? (dots ? allowed : n) * length : 0;
  }
  return sum;
}

static uint64_t sum_work(const mxm_run *d, bool dots, uint64_t *work) {
  const grid_mxm *m = d->m;
  const mxm_vectors *by = dots ? &m->mask : &m->a, *b = dots ? &m->bt : &m->b;
  uint64_t sum = 0, length = 0;
  if (dots ? d->column_length : d->row_length) return sum_full_work(d, work);
  if (m->rows > 0 && is_contiguous(by) && mxm_has_matrix(b) && !mxm_has_matrix(&m->partial))
    length = even_length(b, dots ? m->n : m->inner, mxm_to(by, m->rows - 1) - mxm_from(by, 0));
  if (length > 0) return sum_even_work(d, dots, length, work);
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : sum) if (m->rows > 1024 || m->a_entries > SERIAL_PRODUCTS)
  for (uint64_t r = 0; r < m->rows; r++) sum += work[r] = row_work(d, dots, r);
  return sum;
}

GrB_Info grid_mxm_choose(mxm_run *d, uint64_t *total) {
  const grid_mxm *m = d->m;
  const bool dots = mxm_has_matrix(&m->bt) && m->masked && !m->mask_complement,
             rows = mxm_has_matrix(&m->b) || !dots;
  uint64_t *other = NULL;
  GrB_Info info = GrB_SUCCESS;
  d->dots = dots;
  d->row_length = full_length(d, &m->b, m->inner, false);
  d->single = d->row_length == 1 || has_single_entries(m);
  d->column_length = dots ? full_length(d, &m->bt, m->n, true) : 0;
  if (d->row_length && !m->masked && is_contiguous(&m->a)) {
    *total = work_before(d, m->rows) - m->rows;
    return info;
  }
  d->work = grid_malloc(m->rows, sizeof *d->work);
  if (!d->work) TRY(grid_fail_memory(NULL, "work of rows", m->rows, sizeof *d->work));
  *total = sum_work(d, dots, d->work);
  if (!dots || !rows) return info;
  other = grid_malloc(m->rows, sizeof *other);
  if (!other) TRY(grid_fail_memory(NULL, "work of rows", m->rows, sizeof *other));
  const uint64_t multiply_rows = sum_work(d, false, other);
  if (multiply_rows < *total) {
    uint64_t *const less = other;
    other = d->work, d->work = less;
    *total = multiply_rows, d->dots = false;
  }
done:
  grid_free(other);
  return info;
}

/* Where B is full: several rows at a time, if they read most of B and its rows are long, but so few that each
 * thread gets some. Rows of A with few entries read other rows of B each. */
static uint64_t full_rows_at_once(const mxm_run *d) {
  const grid_mxm *m = d->m;
  const uint64_t rows_per_task = m->rows / (4 * (uint64_t)d->threads);
  if (d->dots || d->j.b_length < FULL_LONG || m->a_entries < m->rows * m->inner / FULL_SHARE ||
      rows_per_task == 0)
    return 1;
  return rows_per_task < FULL_ROWS ? rows_per_task : FULL_ROWS;
}

/* The first row after `from` where a range of so much work ends. */
static uint64_t range_end(const mxm_run *d, uint64_t from, uint64_t range) {
  const uint64_t before = work_before(d, from);
  uint64_t lo = from + 1, hi = d->m->rows;
  while (lo < hi) {
    const uint64_t middle = (lo + hi) / 2;
    if (work_before(d, middle) - before < range)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

static void distribute_by_offsets(mxm_run *d, uint64_t range) {
  const uint64_t rows = d->m->rows;
  for (uint64_t from = 0; from < rows; from = d->range[d->ranges]) {
    const uint64_t end = range_end(d, from, range), least = from + d->j.full_rows;
    d->range[++d->ranges] = end > least ? end : at_most(least, rows);
  }
}

static void distribute_by_work(mxm_run *d, uint64_t range) {
  const grid_mxm *m = d->m;
  uint64_t sum = 0, from = 0;
  for (uint64_t r = 0; r < m->rows; r++) {
    sum += d->work[r] + 1;
    const bool small = sum < range || (d->all && r + 1 - from < d->j.full_rows);
    if (small && r + 1 < m->rows) continue;
    d->range[++d->ranges] = from = r + 1;
    sum = 0;
  }
}

GrB_Info grid_mxm_distribute(mxm_run *d, uint64_t total) {
  const grid_mxm *m = d->m;
  const uint64_t work = total + m->rows;
  d->threads = work < SERIAL_PRODUCTS ? 1 : omp_get_max_threads();
  const uint64_t range_work = work / (RANGES * (uint64_t)d->threads),
                 range = range_work < MIN_RANGE   ? MIN_RANGE
                         : range_work < MAX_RANGE ? range_work
                                                  : MAX_RANGE,
                 most = work / range + 3;
  d->range = grid_malloc(most + 1, sizeof *d->range);
  d->begin = grid_malloc(most + 1, sizeof *d->begin);
  if (!d->range || !d->begin) return grid_fail_memory(NULL, "ranges of rows", most, sizeof *d->range);
  d->range[0] = 0;
  d->j.full_rows = full_rows_at_once(d);
  if (d->work)
    distribute_by_work(d, range);
  else
    distribute_by_offsets(d, range);
  return GrB_SUCCESS;
}
