/* See lmat_fill_value.h. */
#include "spmat/cpu/index/lmat_fill_value.h"

#include <string.h>

#include "spmat/cpu/rows/lmat_fill.h"
#include "spmat/cpu/rows/lmat_span.h"
#include "spmat/matrix/axis.h"
#include "spmat/sort/radix.h"
#include "spmat/vector/bound_operator.h"

/* ---- whole regions ------------------------------------------------------------------------------------- */

/* The set's indices in ascending order, without duplicates. */
static GrB_Info sort_set(const grid_index_set *s, uint64_t **id, uint64_t *n) {
  uint64_t *key = *id = grid_malloc(s->n, sizeof *key), *workspace = grid_malloc(s->n, sizeof *workspace),
           m = 0;
  if (!key || !workspace) {
    grid_free(workspace);
    return grid_fail_memory(NULL, "rows or columns that are assigned", s->n, 2 * sizeof *key);
  }
  for (uint64_t k = 0; k < s->n; k++) key[k] = grid_index_at(s, k);
  grid_radix_sort(key, NULL, s->n, 0, 0, 0, workspace, NULL);
  for (uint64_t k = 0; k < s->n; k++)
    if (k == 0 || key[k] != key[k - 1]) key[m++] = key[k];
  *n = m;
  grid_free(workspace);
  return GrB_SUCCESS;
}

static GrB_Info list_axis(grid_axis *a, const uint64_t *id, uint64_t n) {
  GrB_Info info = grid_axis_list(a, n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) grid_axis_store(a, k, id[k]);
  return info;
}

/* Every row has all columns. */
static GrB_Info fill_rows(grid_local_matrix *t) {
  const uint64_t rows = t->row.n, cols = t->col.n;
  uint64_t n;
  grid_offsets start = {0};
  if (__builtin_mul_overflow(rows, cols, &n)) n = UINT64_MAX / sizeof(uint32_t);
  uint32_t *idx = grid_malloc(n, sizeof *idx);
  if (!idx || !grid_offsets_make(&start, rows + 1, n)) {
    grid_free(idx);
    return grid_fail_memory(NULL, "a value at all positions", n, sizeof *idx);
  }
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (int64_t r = 0; r < (int64_t)rows; r++) {
    uint32_t *to = idx + (uint64_t)r * cols;
    for (uint64_t c = 0; c < cols; c++) to[c] = (uint32_t)c;
    grid_offset_set(start, (uint64_t)r, (uint64_t)r * cols);
  }
  grid_offset_set(start, rows, n);
  t->by_row = (grid_compressed){.ptr = start.offsets32, .offsets64 = start.offsets64, .idx = idx};
  t->nvals = n;
  return GrB_SUCCESS;
}

GrB_Info grid_cpu_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s) {
  uint64_t *row = NULL, *col = NULL, rows, cols;
  GrB_Info info;
  TRY(sort_set(&s->rows, &row, &rows));
  TRY(sort_set(&s->cols, &col, &cols));
  if (rows == 0 || cols == 0) goto done;
  TRY(list_axis(&t->row, row, rows));
  TRY(list_axis(&t->col, col, cols));
  TRY(grid_lmat_set_iso(t, x));
  TRY(fill_rows(t));
  TRY(grid_lmat_choose_format(t));
done:
  grid_free(row);
  grid_free(col);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}

/* ---- masks --------------------------------------------------------------------------------------------- */

typedef struct {
  grid_aligned a;
  grid_span row, col;
  bool all_cols;
  const grid_local_matrix *m;
  grid_cast_fn truth; /* NULL: every entry allows */
} job;

/* For at most 64 entries: which are true? */
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

static uint64_t run_task(const void *context, const grid_split_point *split, const grid_fill_to *to) {
  const job *j = context;
  const uint32_t *idx = j->a.lmat[0].idx;
  uint64_t m = 0;
  grid_row_segment p;
  for (grid_row_segment_begin(&p, split); grid_row_segment_next(&p, &j->a, 1, split);) {
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

/* An iso mask whose value is false. */
static bool is_all_false(const grid_local_matrix *m, bool structure) {
  unsigned char truth = 1;
  if (!structure && m->iso) grid_cast(GrB_BOOL, m->type)(&truth, m->iso_val, 1);
  return !truth;
}

static bool covers_all(const grid_index_set *s, uint64_t dim) {
  return !s->list && s->first == 0 && s->n >= dim;
}

GrB_Info grid_cpu_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                                 const grid_local_matrix *m, bool structure) {
  const grid_region everything = {{NULL, 0, t->row.dim}, {NULL, 0, t->col.dim}};
  job j = {.m = m, .truth = structure || m->iso ? NULL : grid_cast(GrB_BOOL, m->type)};
  grid_row_splits splits = {0};
  GrB_Info info = GrB_SUCCESS;
  if (m->nvals == 0 || is_all_false(m, structure)) return info;
  if (!s) s = &everything;
  if (!j.truth && covers_all(&s->rows, m->row.dim) && covers_all(&s->cols, m->col.dim)) {
    TRY(grid_lmat_share_pattern(t, m, t->type));
    TRY(grid_lmat_set_iso(t, x));
    return info;
  }
  TRY(grid_lmat_align(&j.a, t->row.dim, t->col.dim, &m, 1));
  TRY(grid_span_find(&j.row, &j.a.row, &s->rows));
  TRY(grid_span_find(&j.col, &j.a.col, &s->cols));
  j.all_cols = j.col.low == 0 && j.col.high == j.a.col.n;
  TRY(grid_aligned_copy_axes(t, &j.a));
  TRY(grid_lmat_set_iso(t, x));
  TRY(grid_split_rows(&splits, &j.a, grid_split_entries(&j.a, 2 * sizeof(uint32_t))));
  TRY(grid_lmat_fill_rows(t, &(grid_fill){.task = run_task,
                                          .context = &j,
                                          .splits = &splits,
                                          .most = splits.most + 1,
                                          .bound = m->nvals + 1}));
  TRY(grid_lmat_choose_format(t));
done:
  grid_aligned_free(&j.a);
  grid_span_free(&j.row);
  grid_span_free(&j.col);
  grid_free(splits.split);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}
