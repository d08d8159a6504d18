/* part_full.c: see part_full.h. */
#include "spmat/cpu/place/part_full.h"

#include <string.h>

#include "spmat/cpu/rows/part_fill.h"
#include "spmat/cpu/rows/part_span.h"
#include "spmat/matrix/axis.h"
#include "spmat/sort/radix.h"
#include "spmat/vector/bound.h"

/* ---- all of a region ---- */

/* The set's indices, ascending, each once. */
static GrB_Info sort_set(const grid_index_set *s, uint64_t **id, uint64_t *n) {
  uint64_t *key = *id = grid_malloc(s->n, sizeof *key), *room = grid_malloc(s->n, sizeof *room), m = 0;
  if (!key || !room) {
    grid_free(room);
    return grid_fail_memory(NULL, "rows or columns that are assigned", s->n, 2 * sizeof *key);
  }
  for (uint64_t k = 0; k < s->n; k++) key[k] = grid_index_at(s, k);
  grid_radix_sort(key, NULL, s->n, 0, 0, 0, room, NULL);
  for (uint64_t k = 0; k < s->n; k++)
    if (k == 0 || key[k] != key[k - 1]) key[m++] = key[k];
  *n = m;
  grid_free(room);
  return GrB_SUCCESS;
}

static GrB_Info list_axis(grid_axis *a, const uint64_t *id, uint64_t n) {
  GrB_Info info = grid_axis_list(a, n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) grid_axis_put(a, k, id[k]);
  return info;
}

/* Every row has all columns. */
static GrB_Info fill_rows(grid_part *t) {
  const uint64_t rows = t->row.n, cols = t->col.n;
  uint64_t n;
  grid_offsets start = {0};
  if (__builtin_mul_overflow(rows, cols, &n)) n = UINT64_MAX / sizeof(uint32_t);
  uint32_t *idx = grid_malloc(n, sizeof *idx);
  if (!idx || !grid_offsets_make(&start, rows + 1, n)) {
    grid_free(idx);
    return grid_fail_memory(NULL, "a value in all places", n, sizeof *idx);
  }
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (int64_t r = 0; r < (int64_t)rows; r++) {
    uint32_t *to = idx + (uint64_t)r * cols;
    for (uint64_t c = 0; c < cols; c++) to[c] = (uint32_t)c;
    grid_offset_set(start, (uint64_t)r, (uint64_t)r * cols);
  }
  grid_offset_set(start, rows, n);
  t->by_row = (grid_compressed){.ptr = start.narrow, .wide = start.wide, .idx = idx};
  t->nvals = n;
  return GrB_SUCCESS;
}

GrB_Info grid_part_full(grid_part *t, const void *x, const grid_region *s) {
  uint64_t *row = NULL, *col = NULL, rows, cols;
  GrB_Info info;
  TRY(sort_set(&s->rows, &row, &rows));
  TRY(sort_set(&s->cols, &col, &cols));
  if (rows == 0 || cols == 0) goto done;
  TRY(list_axis(&t->row, row, rows));
  TRY(list_axis(&t->col, col, cols));
  TRY(grid_part_set_one(t, x));
  TRY(fill_rows(t));
  TRY(grid_part_conform(t));
done:
  grid_free(row);
  grid_free(col);
  if (info != GrB_SUCCESS) grid_part_free(t);
  return info;
}

/* ---- what a mask allows of it ---- */

typedef struct {
  grid_aligned a;
  grid_span row, col;
  bool all_cols;
  const grid_part *m;
  grid_cast_fn truth; /* NULL: every entry allows */
} job;

/* 64 entries at most: which are true? */
static uint64_t true_entries(const job *j, uint64_t e, uint64_t n) {
  const size_t size = j->m->type->size;
  const char *val = j->m->by_row.val;
  unsigned char is[64] = {0};
  if (!j->truth) return n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
  if (j->m->type->code == GRID_T_BOOL)
    for (uint64_t k = 0; k < n; k++) is[k] = val[e + k] != 0;
  else
    grid_cast_array(is, GrB_BOOL, val + e * size, j->m->type, 1, n);
  return grid_word_of_bools(is);
}

static uint64_t run_task(const void *context, const grid_cut *cut, const grid_fill_to *to) {
  const job *j = context;
  const uint32_t *idx = j->a.part[0].idx;
  uint64_t m = 0;
  grid_piece p;
  for (grid_piece_begin(&p, cut); grid_piece_next(&p, &j->a, 1, cut);) {
    uint64_t from = p.from[0], end = grid_span_has(&j->row, p.row) ? p.to[0] : from;
    if (!j->all_cols) {
      from = grid_first_entry(idx, from, end, j->col.low);
      end = grid_first_entry(idx, from, end, j->col.high);
    }
    if (!j->truth && !j->col.bits) {
      if (end > from) memcpy(to->idx + m, idx + from, (end - from) * sizeof *idx);
      m += end - from;
      from = end;
    }
    for (; from < end; from += 64)
      for (uint64_t s = true_entries(j, from, end - from < 64 ? end - from : 64); s; s &= s - 1) {
        to->idx[m] = idx[from + grid_low_bit(s)];
        m += grid_span_has(&j->col, to->idx[m]);
      }
    if (p.ends) grid_offset_set(to->start, p.row + 1, m);
  }
  return m;
}

/* A mask of one value, which is false. */
static bool all_false(const grid_part *m, bool structure) {
  unsigned char truth = 1;
  if (!structure && m->iso) grid_cast(GrB_BOOL, m->type)(&truth, m->iso_val, 1);
  return !truth;
}

static bool takes_all(const grid_index_set *s, uint64_t dim) {
  return !s->list && s->first == 0 && s->n >= dim;
}

GrB_Info grid_part_allowed(grid_part *t, const void *x, const grid_region *s, const grid_part *m,
                           bool structure) {
  job j = {.m = m, .truth = structure || m->iso ? NULL : grid_cast(GrB_BOOL, m->type)};
  grid_row_cuts cuts = {0};
  GrB_Info info = GrB_SUCCESS;
  if (m->nvals == 0 || all_false(m, structure)) return info;
  if (!j.truth && takes_all(&s->rows, m->row.dim) && takes_all(&s->cols, m->col.dim)) {
    TRY(grid_part_pattern(t, m, t->type));
    TRY(grid_part_set_one(t, x));
    return info;
  }
  TRY(grid_part_align(&j.a, t->row.dim, t->col.dim, &m, 1));
  TRY(grid_span_find(&j.row, &j.a.row, &s->rows));
  TRY(grid_span_find(&j.col, &j.a.col, &s->cols));
  j.all_cols = j.col.low == 0 && j.col.high == j.a.col.n;
  TRY(grid_aligned_axes(t, &j.a));
  TRY(grid_part_set_one(t, x));
  TRY(grid_cut_rows(&cuts, &j.a, grid_cut_entries(&j.a, 2 * sizeof(uint32_t))));
  TRY(grid_part_fill(
      t, &(grid_fill){
             .task = run_task, .context = &j, .cuts = &cuts, .most = cuts.most + 1, .bound = m->nvals + 1}));
  TRY(grid_part_conform(t));
done:
  grid_aligned_free(&j.a);
  grid_span_free(&j.row);
  grid_span_free(&j.col);
  grid_free(cuts.cut);
  if (info != GrB_SUCCESS) grid_part_free(t);
  return info;
}
