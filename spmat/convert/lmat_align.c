/* See lmat_align.h. */
#include "spmat/convert/lmat_align.h"

#include <string.h>

#include "spmat/matrix/axis.h"

static bool is_same_list(const grid_axis *a, const grid_axis *b) {
  return a->n == b->n && (a->ids == b->ids || memcmp(a->ids, b->ids, a->n * grid_axis_id_size(a)) == 0);
}

/* The union of the ids of a and b. z receives them; NULL: only their number is computed. */
static uint64_t union_ids(const grid_axis *a, const grid_axis *b, const grid_axis *z) {
  uint64_t i = 0, j = 0, n = 0;
  for (; i < a->n || j < b->n; n++) {
    const uint64_t x = i < a->n ? grid_axis_id(a, i) : UINT64_MAX,
                   y = j < b->n ? grid_axis_id(b, j) : UINT64_MAX;
    if (z) grid_axis_store(z, n, x < y ? x : y);
    i += x <= y, j += y <= x;
  }
  return n;
}

/* The union of two lists; to->ids becomes *owned, and the old *owned is freed. */
static GrB_Info union_lists(grid_axis *to, const grid_axis *with, void **owned) {
  grid_axis z = {.dim = to->dim};
  GrB_Info info = grid_axis_list(&z, union_ids(to, with, NULL));
  if (info != GrB_SUCCESS) return info;
  union_ids(to, with, &z);
  grid_free(*owned);
  *owned = z.ids;
  *to = z;
  return GrB_SUCCESS;
}

static const grid_axis *select_axis(const grid_aligned_lmat *a, bool row) {
  return row ? &a->p->row : &a->p->col;
}

static GrB_Info common_axis(grid_axis *z, void **owned, const grid_aligned *a, uint64_t dim, bool row) {
  GrB_Info info = GrB_SUCCESS;
  bool hypersparse = false;
  *z = (grid_axis){.dim = dim};
  for (size_t k = 0; k < a->n; k++) {
    if (!a->lmat[k].c) continue;
    const grid_axis *x = select_axis(&a->lmat[k], row);
    if (!x->ids) {
      *z = (grid_axis){.dim = dim, .n = dim};
      return info;
    }
    if (!hypersparse)
      *z = *x;
    else if (!is_same_list(z, x))
      TRY(union_lists(z, x, owned));
    hypersparse = true;
  }
done:
  return info;
}

/* A matrix that lists what the common axis lists needs no translation. */
static bool is_common(const grid_axis *common, const grid_axis *x) {
  return !x->ids || (common->ids && is_same_list(common, x));
}

/* before[r] for the rows r .. end - 1 of all rows: the same from after one listed row up to the next. */
static void count_before_rows(uint32_t *before, const grid_axis *x, uint64_t r, uint64_t end) {
  for (uint64_t k = grid_axis_bound(x, r); r < end; k++) {
    const uint64_t id = k < x->n ? grid_axis_id(x, k) : end, last = id < end ? id + 1 : end;
    for (; r < last; r++) before[r] = (uint32_t)k;
  }
}

/* The same where the common axis is a list. */
static void count_before_ids(uint32_t *before, const grid_axis *x, const grid_axis *common, uint64_t r,
                             uint64_t end) {
  for (uint64_t k = grid_axis_bound(x, grid_axis_id(common, r)); r < end; r++) {
    before[r] = (uint32_t)k;
    k += k < x->n && grid_axis_id(x, k) == grid_axis_id(common, r);
  }
}

/* before[r] for all common rows, and the end. Each segment of rows is found by one search, then traversed. */
static GrB_Info count_before(grid_aligned_lmat *a, const grid_axis *common) {
  enum { SEGMENT = 4096 };
  const grid_axis *x = &a->p->row;
  const uint64_t n = common->n;
  uint32_t *before = a->ids_before = grid_malloc(n + 1, sizeof *before);
  if (!before) return grid_fail_memory(NULL, "row numbers", n + 1, sizeof *before);
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t from = 0; from < n; from += SEGMENT) {
    const uint64_t end = n - from < SEGMENT ? n : from + SEGMENT;
    if (common->ids)
      count_before_ids(before, x, common, from, end);
    else
      count_before_rows(before, x, from, end);
  }
  before[n] = (uint32_t)x->n;
  a->before = before;
  return GrB_SUCCESS;
}

/* Columns in the common numbering. */
static GrB_Info translate(grid_aligned_lmat *a, const grid_axis *common) {
  const int64_t n = (int64_t)a->p->nvals;
  uint32_t *number, *idx;
  GrB_Info info = grid_axis_numbers(&number, &a->p->col, common);
  if (info != GrB_SUCCESS) return info;
  a->owned_idx = idx = grid_malloc((size_t)n, sizeof *idx);
  if (!idx) {
    grid_free(number);
    return grid_fail_memory(NULL, "column numbers", a->p->nvals, sizeof *idx);
  }
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (int64_t e = 0; e < n; e++) idx[e] = number[a->c->idx[e]];
  grid_free(number);
  a->idx = idx;
  return GrB_SUCCESS;
}

GrB_Info grid_lmat_align(grid_aligned *a, uint64_t rows, uint64_t cols, const grid_local_matrix *const *p,
                         size_t n) {
  GrB_Info info = GrB_SUCCESS;
  *a = (grid_aligned){.n = n};
  for (size_t k = 0; k < n; k++) {
    a->lmat[k] = (grid_aligned_lmat){.p = p[k]};
    if (!p[k] || p[k]->nvals == 0) continue;
    a->lmat[k].c = &p[k]->by_row;
    a->lmat[k].idx = p[k]->by_row.idx;
  }
  TRY(common_axis(&a->row, &a->owned_row, a, rows, true));
  TRY(common_axis(&a->col, &a->owned_col, a, cols, false));
  for (size_t k = 0; k < n; k++) {
    grid_aligned_lmat *x = &a->lmat[k];
    if (!x->c) continue;
    if (!is_common(&a->row, &x->p->row)) TRY(count_before(x, &a->row));
    if (!is_common(&a->col, &x->p->col)) TRY(translate(x, &a->col));
  }
done:
  return info;
}

void grid_aligned_free(grid_aligned *a) {
  for (size_t k = 0; k < a->n; k++) {
    grid_free(a->lmat[k].owned_idx);
    grid_free(a->lmat[k].ids_before);
  }
  grid_free(a->owned_row);
  grid_free(a->owned_col);
  *a = (grid_aligned){0};
}

GrB_Info grid_aligned_copy_axes(grid_local_matrix *p, const grid_aligned *a) {
  GrB_Info info = grid_axis_copy(&p->row, &a->row);
  return info == GrB_SUCCESS ? grid_axis_copy(&p->col, &a->col) : info;
}
