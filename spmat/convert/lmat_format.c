/* See lmat_format.h. */
#include "spmat/convert/lmat_format.h"

#include <stdatomic.h>

#include "spmat/matrix/axis.h"

bool grid_axis_is_hyper_for(const grid_axis *a, uint64_t entries, uint64_t used) {
  return grid_axis_has_ids64(a) || (!grid_axis_is_dense_for(a->dim, entries) && used < a->dim / GRID_HYPER);
}
/* With at least this many non-empty vectors an axis without a list needs none. */
static uint64_t hyper_limit(const grid_axis *a) {
  return a->ids || grid_axis_has_ids64(a) ? UINT64_MAX : a->dim / GRID_HYPER;
}
/* True: an axis without a list needs none, whatever is counted. */
static bool is_axis_final(const grid_axis *a, uint64_t entries) {
  return !a->ids && a->n == a->dim && !grid_axis_has_ids64(a) && grid_axis_is_dense_for(a->dim, entries);
}

/* *z: a list of the n vectors of a that `used` marks. */
static GrB_Info list_used(grid_axis *z, const grid_axis *a, const uint64_t *used, uint64_t n) {
  *z = (grid_axis){.dim = a->dim};
  GrB_Info info = grid_axis_list(z, n);
  uint64_t at = 0;
  for (uint64_t w = 0; info == GrB_SUCCESS && w < grid_words(a->n); w++)
    for (uint64_t s = used[w]; s; s &= s - 1)
      grid_axis_store(z, at++, grid_axis_id(a, 64 * w + (uint64_t)__builtin_ctzll(s)));
  return info;
}

/* ---- rows ---- */

/* Marks the non-empty rows and counts them, each thread up to `stop`. */
static uint64_t mark_rows(const grid_local_matrix *p, uint64_t *used, uint64_t stop) {
  const grid_compressed *c = &p->by_row;
  const int64_t words = (int64_t)grid_words(p->row.n);
  uint64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count) if (words > 1 << 10)
  for (int64_t w = 0; w < words; w++) {
    if (count >= stop) continue;
    const uint64_t first = 64 * (uint64_t)w, n = p->row.n - first < 64 ? p->row.n - first : 64;
    uint64_t s = 0, start = grid_vector_start(c, first);
    for (uint64_t b = 0; b < n; b++) {
      const uint64_t end = grid_vector_start(c, first + b + 1);
      s |= (uint64_t)(end > start) << b;
      start = end;
    }
    used[w] = s;
    count += (uint64_t)__builtin_popcountll(s);
  }
  return count;
}

/* Removes empty rows from the list, or represents all rows. */
static GrB_Info renew_rows(grid_local_matrix *p, const uint64_t *used, uint64_t count, bool list) {
  grid_axis *a = &p->row;
  const uint64_t n = list ? count : a->dim;
  grid_axis z = {.dim = a->dim, .n = a->dim};
  grid_offsets to, from = grid_vector_starts(&p->by_row);
  GrB_Info info = list ? list_used(&z, a, used, count) : GrB_SUCCESS;
  if (info != GrB_SUCCESS) return info;
  if (!grid_offsets_make(&to, n + 1, p->nvals)) {
    grid_free(z.ids);
    return grid_fail_memory(NULL, "matrix rows", n + 1, sizeof(uint64_t));
  }
  uint64_t at = 0;
  for (uint64_t k = 0; k < a->n; k++) {
    if (list && !(used[k >> 6] >> (k & 63) & 1)) continue;
    const uint64_t row = list ? at : grid_axis_id(a, k);
    for (; at <= row; at++) grid_offset_set(to, at, grid_offset(from, k));
  }
  for (; at <= n; at++) grid_offset_set(to, at, p->nvals);
  grid_free(p->by_row.ptr);
  grid_free(p->by_row.offsets64);
  p->by_row.ptr = to.offsets32, p->by_row.offsets64 = to.offsets64;
  grid_free(a->ids);
  *a = z;
  return GrB_SUCCESS;
}

static GrB_Info choose_row_format(grid_local_matrix *p) {
  if (is_axis_final(&p->row, p->nvals)) return GrB_SUCCESS;
  uint64_t *used = grid_malloc(grid_words(p->row.n), sizeof *used);
  if (!used) return grid_fail_memory(NULL, "non-empty rows", grid_words(p->row.n), sizeof *used);
  const uint64_t count = mark_rows(p, used, hyper_limit(&p->row));
  const bool list = grid_axis_is_hyper_for(&p->row, p->nvals, count),
             right = list ? p->row.ids && count == p->row.n : !p->row.ids;
  GrB_Info info = right ? GrB_SUCCESS : renew_rows(p, used, count, list);
  grid_free(used);
  return info;
}

/* ---- columns ---- */

/* Marks the columns that occur and counts them, up to `stop`. */
static uint64_t mark_columns(const grid_local_matrix *p, uint64_t *used, uint64_t stop) {
  enum { BLOCK = 4096 };
  const int64_t blocks = (int64_t)((p->nvals + BLOCK - 1) / BLOCK);
  _Atomic uint64_t count = 0;
#pragma omp parallel for schedule(dynamic, 4) if (blocks > 8)
  for (int64_t b = 0; b < blocks; b++) {
    const uint64_t from = (uint64_t)b * BLOCK, to = p->nvals - from < BLOCK ? p->nvals : from + BLOCK;
    uint64_t fresh = 0;
    if (atomic_load_explicit(&count, memory_order_relaxed) >= stop) continue;
    for (uint64_t e = from; e < to; e++) {
      const uint64_t c = p->by_row.idx[e], bit = UINT64_C(1) << (c & 63);
      if (!(__atomic_load_n(&used[c >> 6], __ATOMIC_RELAXED) & bit))
        fresh += !(__atomic_fetch_or(&used[c >> 6], bit, __ATOMIC_RELAXED) & bit);
    }
    atomic_fetch_add_explicit(&count, fresh, memory_order_relaxed);
  }
  return count;
}

/* Columns are renumbered in place: a copy that shares them with another matrix gets its own. */
static GrB_Info unshare_columns(grid_local_matrix *p) {
  uint32_t *idx = grid_unshare(p->by_row.idx, p->nvals, sizeof *idx);
  if (!idx) return grid_fail_memory(NULL, "columns of entries", p->nvals, sizeof *idx);
  p->by_row.idx = idx;
  return GrB_SUCCESS;
}

/* The n-th used column gets number n; or each its own id. */
static GrB_Info renew_columns(grid_local_matrix *p, const uint64_t *used, uint64_t count, bool list) {
  grid_axis *a = &p->col;
  const int64_t n = (int64_t)p->nvals;
  grid_axis z = {.dim = a->dim, .n = a->dim};
  GrB_Info info = unshare_columns(p);
  if (info == GrB_SUCCESS && list) info = list_used(&z, a, used, count);
  if (info != GrB_SUCCESS) return info;
  uint32_t *idx = p->by_row.idx, *number = grid_malloc(a->n, sizeof *number);
  if (!number) {
    grid_free(z.ids);
    return grid_fail_memory(NULL, "numbers of columns", a->n, sizeof *number);
  }
  uint32_t next = 0;
  for (uint64_t k = 0; k < a->n; k++) {
    number[k] = list ? next : (uint32_t)grid_axis_id(a, k);
    next += used[k >> 6] >> (k & 63) & 1;
  }
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (int64_t e = 0; e < n; e++) idx[e] = number[idx[e]];
  grid_free(number);
  grid_free(a->ids);
  *a = z;
  return GrB_SUCCESS;
}

/* Are so few columns used that arrays over all columns would be much larger than the matrix? */
static bool is_hypersparse_for(const grid_local_matrix *p) {
  enum { MIN_COLUMNS_PER_ENTRY = 32 };
  return !p->col.ids && !grid_axis_has_ids64(&p->col) && p->nvals < p->col.dim / MIN_COLUMNS_PER_ENTRY;
}

static GrB_Info choose_column_format(grid_local_matrix *p) {
  if (is_axis_final(&p->col, p->nvals)) return GrB_SUCCESS;
  if (is_hypersparse_for(p)) {
    const uint64_t n = p->col.n;
    GrB_Info info = unshare_columns(p);
    p->col.n = 0; /* undecided, as after sorting */
    if (info == GrB_SUCCESS) info = grid_axis_of_columns(p, p->nvals);
    if (info != GrB_SUCCESS) p->col.n = n;
    return info;
  }
  uint64_t *used = grid_calloc(grid_words(p->col.n), sizeof *used);
  if (!used) return grid_fail_memory(NULL, "non-empty columns", grid_words(p->col.n), sizeof *used);
  const uint64_t count = mark_columns(p, used, hyper_limit(&p->col));
  const bool list = grid_axis_is_hyper_for(&p->col, p->nvals, count),
             right = list ? p->col.ids && count == p->col.n : !p->col.ids;
  GrB_Info info = right ? GrB_SUCCESS : renew_columns(p, used, count, list);
  grid_free(used);
  return info;
}

GrB_Info grid_lmat_choose_format(grid_local_matrix *p) {
  GrB_Info info = choose_row_format(p);
  return info == GrB_SUCCESS ? choose_column_format(p) : info;
}

/* ---- without lists ------------------------------------------------------------------------------------- */

static void expand_offsets(grid_offsets to, const grid_local_matrix *p) {
  const grid_offsets from = grid_vector_starts(&p->by_row);
  uint64_t r = 0;
  for (uint64_t k = 0; k < p->row.n; k++)
    for (const uint64_t id = grid_axis_id(&p->row, k); r <= id; r++)
      grid_offset_set(to, r, grid_offset(from, k));
  for (; r <= p->row.dim; r++) grid_offset_set(to, r, p->nvals);
}

GrB_Info grid_lmat_expand_hyper(grid_expanded_lmat *u, const grid_local_matrix *from, bool rows) {
  grid_local_matrix *p = &u->lmat;
  *u = (grid_expanded_lmat){.lmat = *from};
  p->by_col = (grid_compressed){0};
  if (rows && from->row.ids) {
    grid_offsets to;
    if (!grid_offsets_make(&to, from->row.dim + 1, from->nvals))
      return grid_fail_memory(NULL, "offsets of rows", from->row.dim + 1, sizeof(uint64_t));
    u->ptr = to.offsets32, u->offsets64 = to.offsets64;
    expand_offsets(to, from);
    p->row = (grid_axis){.dim = from->row.dim, .n = from->row.dim};
    p->by_row.ptr = u->ptr, p->by_row.offsets64 = u->offsets64;
  }
  if (!from->col.ids) return GrB_SUCCESS;
  u->idx = grid_malloc(from->nvals, sizeof *u->idx);
  if (!u->idx) return grid_fail_memory(NULL, "columns of entries", from->nvals, sizeof *u->idx);
#pragma omp parallel for schedule(static) if (from->nvals > 1 << 15)
  for (uint64_t e = 0; e < from->nvals; e++)
    u->idx[e] = (uint32_t)grid_axis_id(&from->col, from->by_row.idx[e]);
  p->col = (grid_axis){.dim = from->col.dim, .n = from->col.dim};
  p->by_row.idx = u->idx;
  return GrB_SUCCESS;
}

void grid_expanded_lmat_free(grid_expanded_lmat *u) {
  grid_free(u->ptr);
  grid_free(u->offsets64);
  grid_free(u->idx);
  *u = (grid_expanded_lmat){0};
}
