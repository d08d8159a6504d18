/* part_align.c: see part_align.h. */
#include "spmat/convert/part_align.h"

#include <string.h>

#include "spmat/matrix/axis.h"

static void set_id(const grid_axis *a, uint64_t k, uint64_t id) {
  if (grid_axis_wide(a))
    ((uint64_t *)a->ids)[k] = id;
  else
    ((uint32_t *)a->ids)[k] = (uint32_t)id;
}

static bool same_list(const grid_axis *a, const grid_axis *b) {
  return a->n == b->n && (a->ids == b->ids || memcmp(a->ids, b->ids, a->n * grid_axis_id_size(a)) == 0);
}

/* The union of two lists; the ids of *to become `own`, which goes. */
static GrB_Info join_lists(grid_axis *to, const grid_axis *with, void **own) {
  const grid_axis a = *to;
  uint64_t i = 0, j = 0, n = 0;
  grid_axis z = {.dim = a.dim, .ids = grid_malloc(a.n + with->n, grid_axis_id_size(&a))};
  if (!z.ids) return grid_fail_memory(NULL, "a list of rows or columns", a.n + with->n, sizeof(uint64_t));
  while (i < a.n || j < with->n) {
    const uint64_t x = i < a.n ? grid_axis_id(&a, i) : UINT64_MAX,
                   y = j < with->n ? grid_axis_id(with, j) : UINT64_MAX;
    set_id(&z, n++, x < y ? x : y);
    i += x <= y, j += y <= x;
  }
  z.n = n;
  grid_free(*own);
  *own = z.ids;
  *to = z;
  if (n <= UINT32_MAX) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_OUT_OF_MEMORY,
                   "%llu non-empty rows or columns are more than the %llu that one process can number; use "
                   "more processes",
                   (unsigned long long)n, (unsigned long long)UINT32_MAX);
}

static const grid_axis *axis_of(const grid_aligned_part *a, bool row) {
  return row ? &a->p->row : &a->p->col;
}

static GrB_Info common_axis(grid_axis *z, void **own, const grid_aligned *a, uint64_t dim, bool row) {
  GrB_Info info = GrB_SUCCESS;
  bool listed = false;
  *z = (grid_axis){.dim = dim};
  for (size_t k = 0; k < a->n; k++) {
    if (!a->part[k].c) continue;
    const grid_axis *x = axis_of(&a->part[k], row);
    if (!x->ids) {
      *z = (grid_axis){.dim = dim, .n = dim};
      return info;
    }
    if (!listed)
      *z = *x;
    else if (!same_list(z, x))
      TRY(join_lists(z, x, own));
    listed = true;
  }
done:
  return info;
}

/* A part that lists what all list needs no translation. */
static bool is_common(const grid_axis *common, const grid_axis *x) {
  return !x->ids || (common->ids && same_list(common, x));
}

/* before[r] for all common rows, and their end. */
static GrB_Info count_before(grid_aligned_part *a, const grid_axis *common) {
  const grid_axis *x = &a->p->row;
  uint32_t *before = a->own_before = grid_malloc(common->n + 1, sizeof *before);
  if (!before) return grid_fail_memory(NULL, "row numbers", common->n + 1, sizeof *before);
  uint64_t k = 0;
  for (uint64_t r = 0; r < common->n; r++) {
    before[r] = (uint32_t)k;
    k += k < x->n && grid_axis_id(x, k) == grid_axis_id(common, r);
  }
  before[common->n] = (uint32_t)k;
  a->before = before;
  return GrB_SUCCESS;
}

/* Columns in common numbers. */
static GrB_Info translate(grid_aligned_part *a, const grid_axis *common) {
  const grid_axis *x = &a->p->col;
  const int64_t n = (int64_t)a->p->nvals;
  uint32_t *number = grid_malloc(x->n, sizeof *number), *idx = grid_malloc((size_t)n, sizeof *idx);
  a->own_idx = idx;
  if (!number || !idx) {
    grid_free(number);
    return grid_fail_memory(NULL, "column numbers", a->p->nvals, sizeof *idx);
  }
  uint64_t at = 0;
  for (uint64_t k = 0; k < x->n; k++) {
    const uint64_t id = grid_axis_id(x, k);
    if (!common->ids) at = id;
    while (grid_axis_id(common, at) < id) at++;
    number[k] = (uint32_t)at;
  }
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (int64_t e = 0; e < n; e++) idx[e] = number[a->c->idx[e]];
  grid_free(number);
  a->idx = idx;
  return GrB_SUCCESS;
}

GrB_Info grid_part_align(grid_aligned *a, uint64_t rows, uint64_t cols, const grid_part *const *p, size_t n) {
  GrB_Info info = GrB_SUCCESS;
  *a = (grid_aligned){.n = n};
  for (size_t k = 0; k < n; k++) {
    a->part[k] = (grid_aligned_part){.p = p[k]};
    if (!p[k] || p[k]->nvals == 0) continue;
    a->part[k].c = &p[k]->by_row;
    a->part[k].idx = p[k]->by_row.idx;
  }
  TRY(common_axis(&a->row, &a->own_row, a, rows, true));
  TRY(common_axis(&a->col, &a->own_col, a, cols, false));
  for (size_t k = 0; k < n; k++) {
    grid_aligned_part *x = &a->part[k];
    if (!x->c) continue;
    if (!is_common(&a->row, &x->p->row)) TRY(count_before(x, &a->row));
    if (!is_common(&a->col, &x->p->col)) TRY(translate(x, &a->col));
  }
done:
  return info;
}

void grid_aligned_free(grid_aligned *a) {
  for (size_t k = 0; k < a->n; k++) {
    grid_free(a->part[k].own_idx);
    grid_free(a->part[k].own_before);
  }
  grid_free(a->own_row);
  grid_free(a->own_col);
  *a = (grid_aligned){0};
}

/* A list without entries is still a list. */
static GrB_Info take_axis(grid_axis *z, const grid_axis *common) {
  *z = *common;
  if (!common->ids && common->n == common->dim) return GrB_SUCCESS;
  z->ids = grid_malloc(common->n, grid_axis_id_size(common));
  if (!z->ids) {
    *z = (grid_axis){.dim = common->dim};
    return grid_fail_memory(NULL, "a list of rows or columns", common->n, grid_axis_id_size(common));
  }
  if (common->ids && common->n) memcpy(z->ids, common->ids, common->n * grid_axis_id_size(common));
  return GrB_SUCCESS;
}

GrB_Info grid_aligned_axes(grid_part *p, const grid_aligned *a) {
  GrB_Info info = take_axis(&p->row, &a->row);
  return info == GrB_SUCCESS ? take_axis(&p->col, &a->col) : info;
}
