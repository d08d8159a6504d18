/* Drives the kernels that multiply matrices: threads take ranges of rows with about equal work; offsets are
 * known before values are computed.
 *
 * Without a mask, or with a complemented one, entries are counted first, or bounded where they are nearly
 * dense (mxm_count.c). The count also chooses how a row of C is computed:
 *   dense   columns from the first to the last span less than grid_tune.mxm_dense_words words a product: sums
 *           over all columns of the span, and a bit for each column gives the order;
 *   wide    else, within grid_tune.mxm_sorted_words words: the same with a bit for each word touched;
 *   sorted  else: products are written down, sorted by column and added (mxm_sort.c).
 * A mask with entries bounds the rows. Either its columns are marked and B's rows looked up in them, or A's
 * row is marked and B's columns looked up in it (dots), whichever reads fewer entries. */
#include <omp.h>
#include <string.h>

#include "semiring/support/error.h"
#include "spmat/cpu/mxm/cpu_mxm.h"

enum {
  MIN_RANGE = 1 << 12, /* products and rows that a thread takes at a time, */
  MAX_RANGE = 1 << 16,
  RANGES = 32,               /* and so often, at least, where that makes no smaller ones */
  SERIAL_PRODUCTS = 1 << 14, /* up to this many products one thread computes */
  FULL_LONG = 256,           /* with a full B: rows of so many entries are long, */
  FULL_SHARE = 4,            /* rows of A with one of so many entries read most of it, */
  FULL_ROWS = 32             /* and so many are done at a time */
};

typedef struct {
  const grid_mxm *m;
  mxm_job j;
  const mxm_kernels *k;
  mxm_calls calls;
  int threads;
  uint64_t *work;          /* of each row */
  uint64_t *range, ranges; /* ranges of rows that one thread takes */
  uint64_t *begin;         /* position of their first entries */
  uint64_t sorted;         /* most products of a row that is sorted */
  bool dense, dots;        /* some row uses sums over all columns */
  bool single;             /* B has one entry in each row */
  uint64_t row_length,
      column_length; /* entries of each of B's rows (columns) that is used, if they are full */
  bool all;          /* ... and there are kernels for full rows */
  uint8_t *method;
  void *cast_a, *cast_b;
  mxm_workspace *workspace;
} run_state;

/* ---- operands ---- */

bool grid_mxm_uses_position(GrB_Semiring s) {
  return s->mul->op == GRID_OP_SECONDI;
}

/* Values cast to the multiplier's type. */
static GrB_Info cast(mxm_vectors *x, GrB_Type have, GrB_Type want, uint64_t n, void **owned) {
  if (have == want || !x->val) return GrB_SUCCESS;
  if (!x->val_and) n = 1;
  *owned = grid_malloc(n, want->size);
  if (!*owned) return grid_fail_memory(NULL, "converted values of a matrix", n, want->size);
  const uint64_t segment = 1 << 14;
#pragma omp parallel for schedule(static) if (n > segment)
  for (uint64_t e = 0; e < n; e += segment)
    grid_cast_array((char *)*owned + e * want->size, want, (const char *)x->val + e * have->size, have, 1,
                    n - e < segment ? n - e : segment);
  x->val = *owned;
  return GrB_SUCCESS;
}

static GrB_Info bind(run_state *d) {
  const grid_mxm *m = d->m;
  const GrB_BinaryOp mul = m->s->mul;
  GrB_Info info = GrB_SUCCESS;
  d->j = (mxm_job){.a = m->a,
                   .b = d->dots ? m->bt : m->b,
                   .mask = m->mask,
                   .partial = m->partial,
                   .masked = m->masked,
                   .mask_complement = m->mask_complement,
                   .single = d->single && !d->dots,
                   .inner = m->inner,
                   .n = m->n,
                   .global_index = m->global_index};
  if (m->structural) {
    d->k = &grid_mxm_kernels_structural;
    return info;
  }
  if (mul->uses_x) TRY(cast(&d->j.a, m->a_type, mul->x, m->a_entries, &d->cast_a));
  if (d->cast_a && mul->uses_y && mul->x == mul->y && d->j.b.val == m->a.val && m->b_entries == m->a_entries)
    d->j.b.val = d->cast_a; /* a product of a matrix with itself, not of its first rows with all */
  else if (mul->uses_y)
    TRY(cast(&d->j.b, m->b_type, mul->y, m->b_entries, &d->cast_b));
  d->k = grid_mxm_find(m->s);
  if (d->k) return info;
  const GrB_Monoid add = m->s->add;
  d->k = &grid_mxm_kernels_pointers;
  d->calls = (mxm_calls){.mul = mul->f,
                         .add = add->op->f,
                         .terminal = add->terminal,
                         .z = mul->z->size,
                         .a = mul->x->size,
                         .b = mul->y->size,
                         .any = add->any};
  d->j.calls = &d->calls;
done:
  return info;
}

/* ---- work ---- */

static uint64_t vector_length(const mxm_vectors *x, uint64_t v) {
  return mxm_to(x, v) - mxm_from(x, v);
}

/* Are all indices of these rows below `bound`? */
static bool are_below(const mxm_vectors *x, uint64_t rows, uint64_t bound) {
  for (uint64_t r = 0; r < rows; r++)
    if (vector_length(x, r) > 0 && x->idx[mxm_to(x, r) - 1] >= bound) return false;
  return true;
}

/* The number of entries of each of x's n vectors that are used, if these are full and contiguous, else 0.
 * Axes may be longer than their contents. */
static uint64_t full_length(const run_state *d, const mxm_vectors *x, uint64_t n, bool dots) {
  const grid_mxm *m = d->m;
  if (!mxm_has_matrix(x) || n == 0 || m->mask_complement || mxm_has_matrix(&m->partial)) return 0;
  if (m->s->mul->uses_y && !x->val_and) return 0;
  const uint64_t length = vector_length(x, 0);
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
static uint64_t row_products(const run_state *d, bool dots, uint64_t r, uint64_t most) {
  const mxm_vectors *by = dots ? &d->m->mask : &d->m->a, *b = dots ? &d->m->bt : &d->m->b;
  uint64_t sum = 0;
  if (d->single && !dots) return vector_length(by, r);
  for (uint64_t e = mxm_from(by, r), end = mxm_to(by, r); e < end; e++) {
    const uint64_t n = vector_length(b, by->idx[e]);
    sum += n < most ? n : most;
  }
  return sum;
}

/* Entries inspected for row r. */
static uint64_t row_work(const run_state *d, bool dots, uint64_t r) {
  const grid_mxm *m = d->m;
  const bool inside = m->masked && !m->mask_complement;
  if (vector_length(&m->a, r) == 0 && !mxm_has_matrix(&m->partial)) return 0;
  if (inside && vector_length(&m->mask, r) == 0) return 0;
  if (inside && (dots ? d->column_length : d->row_length))
    return vector_length(&m->mask, r) * vector_length(&m->a, r);
  const uint64_t most = !inside ? UINT64_MAX
                        : dots  ? MXM_SEARCH_COLUMN * vector_length(&m->a, r)
                                : MXM_SEARCH * vector_length(&m->mask, r);
  return row_products(d, dots, r, most) + (mxm_has_matrix(&m->partial) ? vector_length(&m->partial, r) : 0);
}

static uint64_t sum_work(const run_state *d, bool dots, uint64_t *work) {
  const grid_mxm *m = d->m;
  uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : sum) if (m->rows > 1024 || m->a_entries > SERIAL_PRODUCTS)
  for (uint64_t r = 0; r < m->rows; r++) sum += work[r] = row_work(d, dots, r);
  return sum;
}

/* Chooses the method with less work; computes the rows' work and its sum. */
static GrB_Info choose(run_state *d, uint64_t *total) {
  const grid_mxm *m = d->m;
  const bool dots = mxm_has_matrix(&m->bt) && m->masked && !m->mask_complement,
             rows = mxm_has_matrix(&m->b) || !dots;
  uint64_t *other = NULL;
  GrB_Info info = GrB_SUCCESS;
  d->dots = dots;
  d->single = has_single_entries(m);
  d->row_length = full_length(d, &m->b, m->inner, false);
  d->column_length = dots ? full_length(d, &m->bt, m->n, true) : 0;
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
static uint64_t full_rows_at_once(const run_state *d) {
  const grid_mxm *m = d->m;
  const uint64_t rows_per_task = m->rows / (4 * (uint64_t)d->threads);
  if (d->dots || d->j.b_length < FULL_LONG || m->a_entries < m->rows * m->inner / FULL_SHARE ||
      rows_per_task == 0)
    return 1;
  return rows_per_task < FULL_ROWS ? rows_per_task : FULL_ROWS;
}

/* Divides the rows into ranges. */
static GrB_Info distribute(run_state *d, uint64_t total) {
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
  uint64_t sum = 0, from = 0;
  d->range[0] = 0;
  d->j.full_rows = full_rows_at_once(d);
  for (uint64_t r = 0; r < m->rows; r++) {
    sum += d->work[r] + 1;
    const bool small = sum < range || (d->all && r + 1 - from < d->j.full_rows);
    if (small && r + 1 < m->rows) continue;
    d->range[++d->ranges] = from = r + 1;
    sum = 0;
  }
  return GrB_SUCCESS;
}

/* ---- workspaces ---------------------------------------------------------------------------------------- */

static GrB_Info allocate_workspaces(run_state *d, size_t one) {
  d->workspace = grid_calloc((size_t)d->threads, one);
  return d->workspace ? GrB_SUCCESS : grid_fail_memory(NULL, "rooms of threads", (size_t)d->threads, one);
}

static void free_workspaces(run_state *d) {
  for (int t = 0; d->workspace && t < d->threads; t++) {
    mxm_workspace *w = &d->workspace[t];
    void *all[] = {w->touched, w->allowed, w->stamp,   w->words, w->inner,   w->sum,
                   w->row,     w->key,     w->scratch, w->run,   w->product, w->operand};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) grid_free(all[k]);
  }
  grid_free(d->workspace);
}

static bool get(void *out, uint64_t n, size_t size) {
  void *p = grid_malloc(n, size);
  memcpy(out, &p, sizeof p);
  return p;
}
static bool get_bits(uint64_t **bits, uint64_t n) {
  return (*bits = grid_calloc(grid_words(n), sizeof **bits)) != NULL;
}

/* For patterns only. */
static bool bits_workspace(const run_state *d, mxm_workspace *w) {
  return get_bits(&w->touched, d->m->n) && (!d->m->masked || get_bits(&w->allowed, d->m->n));
}
static bool count_workspace(const run_state *d, mxm_workspace *w) {
  return bits_workspace(d, w) && (w->stamp = grid_calloc(d->m->n, sizeof *w->stamp));
}

static bool dots_workspace(const run_state *d, mxm_workspace *w) {
  const GrB_BinaryOp mul = d->m->s->mul;
  const size_t size = d->m->structural                     ? 0
                      : d->k == &grid_mxm_kernels_pointers ? sizeof(uint64_t)
                                                           : mul->x->size;
  return get_bits(&w->inner, d->m->inner) && get(&w->row, d->m->inner, size);
}

static bool values_workspace(const run_state *d, mxm_workspace *w) {
  const size_t z = d->m->structural ? 0 : d->m->s->mul->z->size;
  if (!get(&w->operand, 1, z)) return false;
  if (d->all) return true;
  if (d->dots) return dots_workspace(d, w);
  if (d->dense && !get(&w->sum, d->m->n, z)) return false;
  if (d->dense && !get_bits(&w->words, grid_words(d->m->n))) return false;
  if (d->dense && d->k->begin) d->k->begin(w, d->m->n);
  if (!d->sorted) return true;
  return get(&w->key, d->sorted + 1, sizeof *w->key) && get(&w->scratch, d->sorted + 1, sizeof *w->scratch) &&
         get(&w->run, d->sorted + 2, sizeof *w->run) && get(&w->product, d->sorted + 1, z);
}

static GrB_Info workspaces_outcome(const run_state *d, bool failed) {
  return failed ? grid_fail_memory(NULL, "a row of a product", d->m->n, d->m->s->mul->z->size) : GrB_SUCCESS;
}

/* ---- counting ---- */

/* Of the rows of range g. */
static uint64_t sum_counts(const run_state *d, uint64_t g) {
  uint64_t sum = 0;
  for (uint64_t r = d->range[g]; r < d->range[g + 1]; r++) sum += d->j.count[r];
  return sum;
}

/* Turns the ranges' numbers of entries, in begin, into positions; returns the sum. */
static uint64_t prefix_sum_counts(run_state *d) {
  uint64_t sum = 0;
  for (uint64_t g = 0; g <= d->ranges; g++) {
    const uint64_t n = g < d->ranges ? d->begin[g] : 0;
    d->begin[g] = sum;
    sum += n;
  }
  return sum;
}

static GrB_Info count_rows(run_state *d) {
  bool failed = false, dense = false;
  uint64_t sorted = 0;
#pragma omp parallel num_threads(d->threads) reduction(|| : failed, dense) reduction(max : sorted)
  {
    mxm_workspace *w = &d->workspace[omp_get_thread_num()];
    failed = !count_workspace(d, w);
#pragma omp for schedule(dynamic, 1)
    for (uint64_t g = 0; g < d->ranges; g++) {
      for (uint64_t r = d->range[g]; r < d->range[g + 1] && !failed; r++) {
        if (r + 1 < d->range[g + 1]) mxm_fetch(&d->j, r + 1, 0);
        d->j.count[r] = (uint32_t)grid_mxm_count_row(&d->j, r, w, &d->method[r]);
        if (d->method[r] == MXM_SORT && d->work[r] > sorted) sorted = d->work[r];
        dense |= d->method[r] > MXM_SORT;
      }
      d->begin[g] = failed ? 0 : sum_counts(d, g);
    }
    grid_free(w->stamp);
    w->stamp = NULL;
  }
  d->dense = dense, d->sorted = sorted;
  return workspaces_outcome(d, failed);
}

/* Rows of C have all positions of B's rows, or of the mask. */
static void full_rows(run_state *d) {
  const grid_mxm *m = d->m;
#pragma omp parallel for schedule(static) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) {
    for (uint64_t r = d->range[g]; r < d->range[g + 1]; r++)
      d->j.count[r] = vector_length(&m->a, r) == 0
                          ? 0
                          : (uint32_t)(m->masked ? vector_length(&m->mask, r) : d->j.b_length);
    d->begin[g] = sum_counts(d, g);
  }
}

/* A mask with few entries bounds the rows; they are not counted. */
static void bound_rows(run_state *d) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) {
    for (uint64_t r = d->range[g]; r < d->range[g + 1]; r++) {
      d->method[r] = d->work[r] ? MXM_DENSE : MXM_SKIP;
      d->j.count[r] = d->work[r] ? (uint32_t)vector_length(&d->m->mask, r) : 0;
    }
    d->begin[g] = sum_counts(d, g);
  }
  d->dense = true;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static GrB_Info fill_rows(run_state *d, mxm_range range, bool fresh) {
  bool failed = false;
#pragma omp parallel num_threads(d->threads) reduction(|| : failed)
  {
    mxm_workspace *w = &d->workspace[omp_get_thread_num()];
    failed = (fresh && !bits_workspace(d, w)) || !values_workspace(d, w);
#pragma omp for schedule(dynamic, 1)
    for (uint64_t g = 0; g < d->ranges; g++) {
      w->at = d->begin[g];
      if (!failed) range(&d->j, d->range[g], d->range[g + 1], w);
    }
  }
  return workspaces_outcome(d, failed);
}

static GrB_Info make_entries(uint32_t **idx, void **val, uint64_t n, size_t size) {
  *idx = grid_malloc(n, sizeof **idx);
  *val = size ? grid_malloc(n, size) : NULL;
  return *idx && (!size || *val) ? GrB_SUCCESS
                                 : grid_fail_memory(NULL, "entries of a product", n, size + sizeof **idx);
}

static GrB_Info set_offsets(const run_state *d, grid_compressed *c, uint64_t nvals) {
  grid_offsets o;
  if (!grid_offsets_make(&o, d->m->rows + 1, nvals))
    return grid_fail_memory(NULL, "rows of a product", d->m->rows + 1, sizeof(uint64_t));
#pragma omp parallel for schedule(static) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) {
    uint64_t at = d->begin[g];
    for (uint64_t r = d->range[g]; r < d->range[g + 1]; at += d->j.count[r++]) grid_offset_set(o, r, at);
  }
  grid_offset_set(o, d->m->rows, nvals);
  c->ptr = o.offsets32, c->offsets64 = o.offsets64;
  return GrB_SUCCESS;
}

/* Without memory for another copy. */
static void close_gaps_in_place(run_state *d, const uint64_t *from, size_t size) {
  for (uint64_t g = 0; g < d->ranges; g++) {
    const uint64_t to = d->begin[g], n = d->begin[g + 1] - to;
    memmove(d->j.idx + to, d->j.idx + from[g], n * sizeof *d->j.idx);
    if (d->j.val) memmove((char *)d->j.val + to * size, (char *)d->j.val + from[g] * size, n * size);
  }
}

/* Moves ranges together that were given more room than they used. */
static GrB_Info close_gaps(run_state *d, size_t size, uint64_t *nvals) {
  const uint64_t had = *nvals;
  uint64_t *from = d->begin;
  uint32_t *idx = NULL;
  void *val = NULL;
  GrB_Info info = GrB_SUCCESS;
  d->begin = grid_malloc(d->ranges + 1, sizeof *d->begin);
  if (!d->begin) TRY(grid_fail_memory(NULL, "ranges of rows", d->ranges + 1, sizeof *d->begin));
#pragma omp parallel for schedule(static) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) d->begin[g] = sum_counts(d, g);
  *nvals = prefix_sum_counts(d);
  if (*nvals == had) goto done;
  if (make_entries(&idx, &val, *nvals, size) != GrB_SUCCESS) {
    close_gaps_in_place(d, from, size);
    goto done;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) {
    const uint64_t to = d->begin[g], n = d->begin[g + 1] - to;
    memcpy(idx + to, d->j.idx + from[g], n * sizeof *idx);
    if (val) memcpy((char *)val + to * size, (char *)d->j.val + from[g] * size, n * size);
  }
  grid_free(d->j.idx), grid_free(d->j.val);
  d->j.idx = idx, d->j.val = val;
  idx = NULL, val = NULL;
done:
  grid_free(idx);
  grid_free(val);
  grid_free(from);
  return info;
}

static mxm_range kernel_of(const run_state *d, bool inside) {
  const mxm_kernels *k = d->k;
  if (d->all) return d->dots ? k->full_dots : inside ? k->full_masked : k->full;
  return d->dots ? k->dots : inside ? k->masked : k->rows;
}

GrB_Info grid_mxm_run(const grid_mxm *m, grid_compressed *c, uint64_t *nvals) {
  run_state d = {.m = m, .threads = 1};
  const size_t size = m->structural ? 0 : m->s->mul->z->size;
  const bool inside = m->masked && !m->mask_complement;
  uint64_t total;
  GrB_Info info;
  TRY(choose(&d, &total));
  TRY(bind(&d));
  d.j.b_length = d.dots ? d.column_length : d.row_length;
  d.all = d.k->full && d.j.b_length > 0;
  TRY(distribute(&d, total));
  d.j.method = d.method = grid_malloc(m->rows, sizeof *d.method);
  d.j.count = grid_malloc(m->rows, sizeof *d.j.count);
  if (!d.method || !d.j.count) TRY(grid_fail_memory(NULL, "counts of rows", m->rows, sizeof *d.j.count));
  TRY(allocate_workspaces(&d, sizeof *d.workspace));
  if (d.all)
    full_rows(&d);
  else if (inside)
    bound_rows(&d);
  else
    TRY(count_rows(&d));
  *nvals = prefix_sum_counts(&d);
  TRY(make_entries(&d.j.idx, &d.j.val, *nvals, size));
  TRY(fill_rows(&d, kernel_of(&d, inside), inside && !d.all));
  if (!d.all) TRY(close_gaps(&d, size, nvals));
  TRY(set_offsets(&d, c, *nvals));
  c->idx = d.j.idx, c->val = d.j.val;
  d.j.idx = NULL, d.j.val = NULL;
done:
  free_workspaces(&d);
  grid_free(d.method);
  grid_free(d.j.count);
  grid_free(d.j.idx);
  grid_free(d.j.val);
  grid_free(d.work);
  grid_free(d.range);
  grid_free(d.begin);
  grid_free(d.cast_a);
  grid_free(d.cast_b);
  return info;
}
