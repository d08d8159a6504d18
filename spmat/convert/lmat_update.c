/* Merges changed entries into a local matrix; see lmat_update.h. Changes are in order of position, so the
 * entries between two of them are copied unchanged, shifted by the insertions and deletions before. */
#include "spmat/convert/lmat_update.h"

#include <string.h>

#include "spmat/convert/lmat_align.h"
#include "spmat/vector/bitmap_words.h"

static uint64_t number_of(const grid_changes *c, uint64_t e) {
  return ((const uint64_t *)c->positions.by_row.val)[e];
}

/* ---- finding positions --------------------------------------------------------------------------------- */

/* Position of column k in p's row r, or where it would be inserted. */
static uint64_t position_in_row(const grid_local_matrix *p, uint64_t r, uint64_t k) {
  return grid_first_entry(p->by_row.idx, grid_vector_start(&p->by_row, r),
                          grid_vector_start(&p->by_row, r + 1), k);
}

static uint8_t kind_of(const grid_changes *c, const grid_local_matrix *p, uint64_t number, bool present,
                       uint64_t at) {
  const size_t size = p->type->size;
  if (c->removed[number]) return present ? GRID_DELETED : GRID_NO_CHANGE;
  if (!present) return GRID_INSERTED;
  return memcmp(grid_lmat_value(p, at), c->val + number * size, size) ? GRID_REPLACED : GRID_NO_CHANGE;
}

/* Changes of one row. */
static void find_in_row(grid_changes *c, const grid_local_matrix *p, uint64_t v) {
  const grid_local_matrix *q = &c->positions;
  const uint64_t id = grid_axis_id(&q->row, v), r = grid_axis_bound(&p->row, id);
  const bool row_of_entry = r < p->row.n && grid_axis_id(&p->row, r) == id;
  for (uint64_t e = grid_vector_start(&q->by_row, v); e < grid_vector_start(&q->by_row, v + 1); e++) {
    const uint64_t col = grid_axis_id(&q->col, q->by_row.idx[e]), k = grid_axis_bound(&p->col, col);
    bool present = false;
    c->at[e] = r < p->row.n ? grid_vector_start(&p->by_row, r) : p->nvals;
    if (row_of_entry) {
      c->at[e] = position_in_row(p, r, k);
      present = c->at[e] < grid_vector_start(&p->by_row, r + 1) && p->by_row.idx[c->at[e]] == k &&
                grid_axis_id(&p->col, k) == col;
    }
    c->kind[e] = kind_of(c, p, number_of(c, e), present, c->at[e]);
  }
}

GrB_Info grid_changes_find(grid_changes *c, const grid_local_matrix *p, void *keys, bool pairs,
                           const uint64_t *number, uint64_t n) {
  grid_pair bad;
  grid_local_matrix *q = &c->positions;
  grid_lmat_init(q, GrB_UINT64, p->row.dim, p->col.dim);
  GrB_Info info =
      grid_lmat_build(q, keys, pairs, n, number, NULL, (grid_duplicates){.newest_wins = true}, &bad);
  if (info != GrB_SUCCESS) return info;
  c->kind = grid_malloc(q->nvals, sizeof *c->kind);
  c->at = grid_malloc(q->nvals, sizeof *c->at);
  if (!c->kind || !c->at) return grid_fail_memory(NULL, "changed entries", q->nvals, sizeof *c->at + 1);
#pragma omp parallel for schedule(dynamic, 256) if (q->nvals > 1 << 12)
  for (uint64_t v = 0; v < q->row.n; v++) find_in_row(c, p, v);
  for (uint64_t e = 0; e < q->nvals; e++) c->count[c->kind[e]]++;
  return info;
}

void grid_changes_free(grid_changes *c) {
  grid_lmat_free(&c->positions);
  grid_free(c->kind);
  grid_free(c->at);
  *c = (grid_changes){0};
}

/* ---- merging ------------------------------------------------------------------------------------------- */

enum { OLD, NEW };

typedef struct {
  grid_local_matrix *to;
  const grid_local_matrix *p;
  const grid_changes *c;
  grid_aligned both; /* p and the changes in the numbering of `to` */
  int64_t *shift;    /* insertions minus deletions before each change, and in all */
  grid_offsets start;
  size_t size; /* of a value; 0: iso */
} merger;

static void copy_entries(const merger *m, uint64_t to, uint64_t from, uint64_t n) {
  if (n == 0) return;
  memcpy(m->to->by_row.idx + to, m->both.lmat[OLD].idx + from, n * sizeof(uint32_t));
  if (!m->size) return;
  char *val = (char *)m->to->by_row.val + to * m->size;
  if (!m->p->iso)
    memcpy(val, (const char *)m->p->by_row.val + from * m->size, n * m->size);
  else
    for (uint64_t k = 0; k < n; k++) memcpy(val + k * m->size, m->p->iso_val, m->size);
}

static void set_entry(const merger *m, uint64_t to, uint64_t e) {
  m->to->by_row.idx[to] = m->both.lmat[NEW].idx[e];
  if (m->size)
    memcpy((char *)m->to->by_row.val + to * m->size, m->c->val + number_of(m->c, e) * m->size, m->size);
}

/* First change at or after x. */
static uint64_t find_change(const grid_changes *c, uint64_t x) {
  return grid_lower_bound(c->at, 0, c->positions.nvals, x);
}

/* p's entries [x, end), and the changes e .. e_end - 1 among them. */
static void merge_entries(const merger *m, uint64_t x, uint64_t end, uint64_t e, uint64_t e_end) {
  for (; e < e_end; e++) {
    const uint64_t at = m->c->at[e];
    const uint8_t kind = m->c->kind[e];
    if (kind == GRID_NO_CHANGE) continue;
    copy_entries(m, (uint64_t)((int64_t)x + m->shift[e]), x, at - x);
    if (kind != GRID_DELETED) set_entry(m, (uint64_t)((int64_t)at + m->shift[e]), e);
    x = at + (kind != GRID_INSERTED);
  }
  copy_entries(m, (uint64_t)((int64_t)x + m->shift[e]), x, end - x);
}

static void merge_all_changes(const merger *m) {
  const uint64_t nvals = m->p->nvals, segment = 1 << 16, segments = nvals / segment + 1;
#pragma omp parallel for schedule(dynamic, 1) if (segments > 1)
  for (uint64_t k = 0; k < segments; k++) {
    const bool last = k + 1 == segments;
    const uint64_t x = k * segment, end = last ? nvals : x + segment;
    /* insertions before an entry belong to its segment; a segment may begin after a deleted entry */
    merge_entries(m, x, end, find_change(m->c, x), last ? m->c->positions.nvals : find_change(m->c, end));
  }
}

/* Row starts: p's offsets, shifted by the changes in earlier rows. */
static void write_starts(const merger *m) {
  const grid_aligned_lmat *old = &m->both.lmat[OLD], *new = &m->both.lmat[NEW];
  const uint64_t rows = m->to->row.n;
#pragma omp parallel for schedule(static) if (rows > 1 << 15)
  for (uint64_t r = 0; r <= rows; r++) {
    const int64_t start = (int64_t)grid_aligned_start(old, r);
    grid_offset_set(m->start, r, (uint64_t)(start + m->shift[grid_aligned_start(new, r)]));
  }
}

static GrB_Info find_shifts(merger *m) {
  const uint64_t n = m->c->positions.nvals;
  m->shift = grid_malloc(n + 1, sizeof *m->shift);
  if (!m->shift) return grid_fail_memory(NULL, "changed entries", n, sizeof *m->shift);
  int64_t sum = 0;
  for (uint64_t e = 0; e < n; e++) {
    m->shift[e] = sum;
    sum += (m->c->kind[e] == GRID_INSERTED) - (m->c->kind[e] == GRID_DELETED);
  }
  m->shift[n] = sum;
  m->to->nvals = (uint64_t)((int64_t)m->p->nvals + sum);
  return GrB_SUCCESS;
}

static GrB_Info make_arrays(merger *m, const void *one) {
  grid_local_matrix *to = m->to;
  GrB_Info info = GrB_SUCCESS;
  const bool iso = one != NULL;
  m->size = iso ? 0 : to->type->size;
  if (iso) TRY(grid_lmat_set_iso(to, one));
  const bool made = grid_offsets_make(&m->start, to->row.n + 1, to->nvals);
  to->by_row.ptr = m->start.offsets32, to->by_row.offsets64 = m->start.offsets64;
  to->by_row.idx = grid_malloc(to->nvals, sizeof *to->by_row.idx);
  to->by_row.val = iso ? NULL : grid_malloc(to->nvals, m->size);
  if (!made || !to->by_row.idx || (!iso && !to->by_row.val))
    info = grid_fail_memory(NULL, "matrix rows", to->nvals, sizeof *to->by_row.idx + m->size);
done:
  return info;
}

GrB_Info grid_changes_merge(grid_local_matrix *to, const grid_local_matrix *p, const grid_changes *c,
                            const void *one) {
  merger m = {.to = to, .p = p, .c = c};
  GrB_Info info = GrB_SUCCESS;
  grid_lmat_init(to, p->type, p->row.dim, p->col.dim);
  TRY(find_shifts(&m));
  TRY(grid_lmat_align(&m.both, to->row.dim, to->col.dim, (const grid_local_matrix *[]){p, &c->positions}, 2));
  TRY(grid_aligned_copy_axes(to, &m.both));
  TRY(make_arrays(&m, one));
  write_starts(&m);
  merge_all_changes(&m);
done:
  grid_free(m.shift);
  grid_aligned_free(&m.both);
  if (info != GrB_SUCCESS) grid_lmat_free(to);
  return info;
}

/* ---- in place ------------------------------------------------------------------------------------------ */

GrB_Info grid_changes_prepare(grid_local_matrix *p, const grid_changes *c) {
  return c->count[GRID_REPLACED] ? grid_lmat_expand_iso(p) : GrB_SUCCESS;
}

void grid_changes_commit(grid_local_matrix *p, const grid_changes *c) {
  const size_t size = p->type->size;
  const grid_local_matrix *q = &c->positions;
  if (c->count[GRID_REPLACED] == 0) return;
  if (p->shared) {
    p->shared = false;
    p->by_col = (grid_compressed){0};
  }
  for (uint64_t v = 0; v < q->row.n; v++)
    for (uint64_t e = grid_vector_start(&q->by_row, v); e < grid_vector_start(&q->by_row, v + 1); e++) {
      if (c->kind[e] != GRID_REPLACED) continue;
      const char *x = c->val + number_of(c, e) * size;
      memcpy((char *)p->by_row.val + c->at[e] * size, x, size);
      if (!grid_compressed_is_built(&p->by_col)) continue;
      const uint64_t r = grid_axis_find(&p->row, grid_axis_id(&q->row, v));
      memcpy((char *)p->by_col.val + grid_find_entry(&p->by_col, p->by_row.idx[c->at[e]], r) * size, x, size);
    }
}
