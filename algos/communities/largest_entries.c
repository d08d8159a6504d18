/* See largest_entries.h. Each process takes the rows of its range; a row's best entries so far are a heap. */
#include "algos/communities/largest_entries.h"

#include <stdlib.h>

typedef struct {
  GrB_Index *start, *col, rows, entries;
  double *value;
} local_rows;

static GrB_Info export_rows(local_rows *r, GrB_Matrix C) {
  GrB_Info info;
  GrB_Index offsets, values;
  TRY(Grid_Matrix_exportLocal(NULL, NULL, NULL, &offsets, &r->entries, &values, GrB_CSR_FORMAT, C));
  r->rows = offsets - 1;
  r->start = malloc(offsets * sizeof *r->start);
  r->col = malloc((r->entries + 1) * sizeof *r->col);
  r->value = malloc((values + 1) * sizeof *r->value);
  const bool allocated = r->start != NULL && r->col != NULL && r->value != NULL;
  TRY(Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the rows of a panel"));
  TRY(Grid_Matrix_exportLocal(r->start, r->col, r->value, &offsets, &r->entries, &values, GrB_CSR_FORMAT, C));
out:
  return info;
}

/* Is entry k of e worse than the pair (value, col)? */
static bool is_worse(const grid_entries *e, GrB_Index k, double value, GrB_Index col) {
  return e->value[k] < value || (e->value[k] == value && e->col[k] > col);
}

/* Places the pair in the heap at `base` of `count` entries, whose entry `hole` is free: no entry is worse
 * than its parent, so the worst is at the root. */
static void sift_down(grid_entries *e, GrB_Index base, GrB_Index count, GrB_Index hole, double value,
                      GrB_Index col) {
  for (;;) {
    GrB_Index child = 2 * hole + 1;
    if (child >= count) break;
    if (child + 1 < count && is_worse(e, base + child + 1, e->value[base + child], e->col[base + child]))
      child++;
    if (!is_worse(e, base + child, value, col)) break;
    e->value[base + hole] = e->value[base + child], e->col[base + hole] = e->col[base + child];
    hole = child;
  }
  e->value[base + hole] = value, e->col[base + hole] = col;
}

/* e has room. */
static void add_row(grid_entries *e, GrB_Index row, const local_rows *r, GrB_Index i, uint64_t k) {
  const GrB_Index base = e->count, begin = r->start[i], end = r->start[i + 1];
  const GrB_Index count = end - begin < k ? end - begin : k;
  for (GrB_Index j = 0; j < count; j++) {
    e->row[base + j] = row;
    e->col[base + j] = r->col[begin + j], e->value[base + j] = r->value[begin + j];
  }
  e->count += count;
  if (count == end - begin) return;
  for (GrB_Index j = count / 2; j > 0; j--)
    sift_down(e, base, count, j - 1, e->value[base + j - 1], e->col[base + j - 1]);
  for (GrB_Index j = begin + count; j < end; j++)
    if (is_worse(e, base, r->value[j], r->col[j])) sift_down(e, base, count, 0, r->value[j], r->col[j]);
}

/* Local. */
static GrB_Info make_room(grid_entries *e, GrB_Index more) {
  if (e->count + more <= e->capacity) return GrB_SUCCESS;
  const GrB_Index capacity = e->count + more + e->capacity / 2;
  GrB_Index *row = realloc(e->row, capacity * sizeof *row);
  if (row != NULL) e->row = row;
  GrB_Index *col = realloc(e->col, capacity * sizeof *col);
  if (col != NULL) e->col = col;
  double *value = realloc(e->value, capacity * sizeof *value);
  if (value != NULL) e->value = value;
  if (row == NULL || col == NULL || value == NULL) return GrB_OUT_OF_MEMORY;
  e->capacity = capacity;
  return GrB_SUCCESS;
}

GrB_Info grid_largest_entries(grid_entries *e, GrB_Matrix C, GrB_Index first, uint64_t k) {
  GrB_Info info;
  GrB_Index n, begin, nlocal, more = 0;
  local_rows r = {.start = NULL};
  TRY(GrB_Matrix_nrows(&n, C));
  TRY(Grid_local_range(n, &begin, &nlocal));
  TRY(export_rows(&r, C));
  for (GrB_Index i = 0; i < r.rows; i++) {
    const GrB_Index count = r.start[i + 1] - r.start[i];
    more += count < k ? count : k;
  }
  TRY(Grid_agree(make_room(e, more), "no memory for the largest entries"));
  for (GrB_Index i = 0; i < r.rows; i++) add_row(e, first + begin + i, &r, i, k);
out:
  free(r.start), free(r.col), free(r.value);
  return info;
}

void grid_entries_free(grid_entries *e) {
  free(e->row), free(e->col), free(e->value);
}
