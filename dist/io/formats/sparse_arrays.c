/* Matrices stored as a few arrays (sparse_arrays.h). */
#include "dist/io/formats/sparse_arrays.h"

#include "dist/grid/layout.h"
#include "semiring/support/mem.h"

/* This process's even share of n elements. */
static uint64_t share_of(uint64_t n, uint64_t *first) {
  *first = grid_even_first(n, grid_ctx.k);
  return grid_even_first(n, grid_ctx.k + 1) - *first;
}

static GrB_Info check_below(const grid_arrays *a, int array, const uint64_t *v, uint64_t first, uint64_t n,
                            uint64_t limit) {
  for (uint64_t k = 0; k < n; k++)
    if (v[k] >= limit)
      return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s[%llu]: expected an index below %llu, found %lld",
                       a->path, a->names[array], (unsigned long long)(first + k), (unsigned long long)limit,
                       (long long)v[k]);
  return GrB_SUCCESS;
}

static GrB_Info allocate_edges(Grid_Edges *e, uint64_t n) {
  e->n = n;
  e->rows = grid_malloc(n, 8);
  e->cols = grid_malloc(n, 8);
  e->values = grid_malloc(n, sizeof *e->values);
  return e->rows && e->cols && e->values ? GrB_SUCCESS : grid_fail_memory(NULL, "a file's entries", n, 24);
}

static GrB_Info read_entries(Grid_Edges *e, const grid_arrays *a, uint64_t *first) {
  GrB_Info info = allocate_edges(e, share_of(a->nvals, first));
  if (info == GrB_SUCCESS) info = a->numbers(a->context, GRID_ARRAY_FIRST, *first, e->n, e->rows);
  if (info == GrB_SUCCESS) info = check_below(a, GRID_ARRAY_FIRST, e->rows, *first, e->n, a->nrows);
  if (info == GrB_SUCCESS) info = a->numbers(a->context, GRID_ARRAY_SECOND, *first, e->n, e->cols);
  return info == GrB_SUCCESS ? check_below(a, GRID_ARRAY_SECOND, e->cols, *first, e->n, a->ncols) : info;
}

/* Checks that offsets ascend from 0 to the number of entries: those of this process's rows, and the next
 * one. */
static GrB_Info check_offsets(const grid_arrays *a, const uint64_t *ptr, uint64_t first, uint64_t n,
                              uint64_t all) {
  for (uint64_t k = 0; k <= n; k++) {
    const uint64_t least = k ? ptr[k - 1] : 0;
    const bool begin = first + k == 0, end = first + k == all;
    if (ptr[k] < least || ptr[k] > a->nvals || (begin && ptr[k] != 0) || (end && ptr[k] != a->nvals))
      return grid_fail(NULL, GrB_INVALID_VALUE,
                       "%s: %s[%llu]: expected an offset from %llu to %llu, found %lld", a->path,
                       a->names[GRID_ARRAY_FIRST], (unsigned long long)(first + k),
                       (unsigned long long)(end ? a->nvals : least),
                       (unsigned long long)(begin ? 0 : a->nvals), (long long)ptr[k]);
  }
  return GrB_SUCCESS;
}

static GrB_Info read_lines(Grid_Edges *e, const grid_arrays *a, uint64_t *first) {
  const bool by_row = a->order == GRID_BY_ROW;
  const uint64_t all = by_row ? a->nrows : a->ncols;
  uint64_t line, n = share_of(all, &line);
  uint64_t *ptr = grid_malloc(n + 1, 8);
  if (!ptr) return grid_fail_memory(NULL, "a file's offsets", n + 1, 8);
  GrB_Info info = a->numbers(a->context, GRID_ARRAY_FIRST, line, n + 1, ptr);
  if (info == GrB_SUCCESS) info = check_offsets(a, ptr, line, n, all);
  if (info == GrB_SUCCESS) info = allocate_edges(e, ptr[n] - ptr[0]);
  if (info == GrB_SUCCESS) {
    uint64_t *outer = by_row ? e->rows : e->cols, *inner = by_row ? e->cols : e->rows;
    *first = ptr[0];
    for (uint64_t k = 0; k < n; k++)
      for (uint64_t j = ptr[k]; j < ptr[k + 1]; j++) outer[j - *first] = line + k;
    info = a->numbers(a->context, GRID_ARRAY_SECOND, *first, e->n, inner);
    if (info == GrB_SUCCESS)
      info = check_below(a, GRID_ARRAY_SECOND, inner, *first, e->n, by_row ? a->ncols : a->nrows);
  }
  grid_free(ptr);
  return info;
}

static GrB_Info read_values(Grid_Edges *e, const grid_arrays *a, uint64_t first) {
  double one;
  if (!a->iso) return a->values(a->context, first, e->n, e->values);
  GrB_Info info = a->values(a->context, 0, 1, &one);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < e->n; k++) e->values[k] = one;
  return info;
}

GrB_Info grid_make_edges_from_arrays(Grid_Edges *e, const grid_arrays *a) {
  uint64_t first = 0, any_false = 0;
  if (a->nrows > GrB_INDEX_MAX + 1 || a->ncols > GrB_INDEX_MAX + 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: expected dimensions up to 2^60, found %llu x %llu",
                     a->path, (unsigned long long)a->nrows, (unsigned long long)a->ncols);
  GrB_Info info = a->order == GRID_BY_ENTRY ? read_entries(e, a, &first) : read_lines(e, a, &first);
  if (info == GrB_SUCCESS) info = read_values(e, a, first);
  for (uint64_t k = 0; info == GrB_SUCCESS && a->truth && k < e->n; k++) any_false |= e->values[k] != 1;
  info = grid_agree_sum(NULL, info, &any_false, 1);
  if (info != GrB_SUCCESS) return info;
  e->nrows = a->nrows;
  e->ncols = a->ncols;
  e->total = a->nvals;
  e->symmetric = a->symmetric;
  e->skew = a->skew;
  e->pattern = a->truth && !any_false;
  if (e->pattern) {
    grid_free(e->values);
    e->values = NULL;
  }
  return info;
}
