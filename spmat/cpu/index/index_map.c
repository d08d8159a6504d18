/* See index_map.h. An axis of the result that is longer than 2^32, or much longer than the index set, lists
 * the vectors that it receives. */
#include "spmat/cpu/index/index_map.h"

#include <string.h>

#include "spmat/matrix/axis.h"
#include "spmat/sort/radix.h"

/* From this many indices on all threads work. */
#define PARALLEL_MIN ((int64_t)1 << 15)

void grid_row_map_free(grid_row_map *x) {
  grid_free(x->from);
}
void grid_col_map_free(grid_col_map *x) {
  grid_free(x->to);
  grid_free(x->start);
}

/* ---- axes ---- */

static bool is_hyper_for(const grid_axis *t, uint64_t n) {
  return grid_axis_has_ids64(t) || t->dim / GRID_HYPER > n;
}

/* The part of axis a in a range: compact indices [*low, *high). t lists them, or needs no list if they are
 * all of t. */
static GrB_Info select_range(grid_axis *t, const grid_axis *a, const grid_index_set *I, bool scatter,
                             uint64_t *low, uint64_t *high) {
  *low = grid_axis_bound(a, scatter ? 0 : I->first);
  *high = grid_axis_bound(a, scatter ? I->n : I->first + I->n);
  const uint64_t n = *high - *low, by = scatter ? I->first : UINT64_C(0) - I->first;
  if (!a->ids && !is_hyper_for(t, n)) {
    t->n = t->dim;
    return GrB_SUCCESS;
  }
  GrB_Info info = grid_axis_list(t, n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++)
    grid_axis_store(t, k, grid_axis_id(a, *low + k) + by);
  return info;
}

/* Compact indices of a matrix and their destinations, ordered by destination. */
typedef struct {
  uint64_t n;
  uint64_t *id;
  uint32_t *of;
} pairs;

static void pairs_free(pairs *p) {
  grid_free(p->id);
  grid_free(p->of);
}

static GrB_Info pairs_make(pairs *p, uint64_t workspace) {
  *p = (pairs){.id = grid_malloc(workspace, sizeof *p->id), .of = grid_malloc(workspace, sizeof *p->of)};
  return p->id && p->of ? GrB_SUCCESS : grid_fail_memory(NULL, "positions of rows or columns", workspace, 12);
}

static GrB_Info pairs_sort(pairs *p) {
  pairs workspace;
  GrB_Info info = pairs_make(&workspace, p->n);
  if (info == GrB_SUCCESS)
    grid_radix_sort(p->id, (char *)p->of, p->n, sizeof *p->of, 0, 0, workspace.id, (char *)workspace.of);
  pairs_free(&workspace);
  return info;
}

static bool is_empty(const grid_local_matrix *p, uint64_t row) {
  return grid_vector_start(&p->by_row, row) == grid_vector_start(&p->by_row, row + 1);
}

/* ---- rows ---- */

static GrB_Info rows_of_range(grid_row_map *x, grid_axis *t, const grid_local_matrix *p,
                              const grid_index_set *I, bool scatter) {
  uint64_t low, high;
  GrB_Info info = select_range(t, &p->row, I, scatter, &low, &high);
  *x = (grid_row_map){.begin = scatter && !t->ids ? I->first : 0, .first = low, .n = high - low};
  return info;
}

/* All rows of t are in `from`. */
static GrB_Info map_rows_dense(grid_row_map *x, grid_axis *t, const grid_local_matrix *p,
                               const grid_index_set *I, bool scatter) {
  const grid_axis *a = &p->row;
  const int64_t n = (int64_t)(scatter ? a->n : I->n);
  t->n = t->dim;
  x->from = grid_malloc(t->n, sizeof *x->from);
  if (!x->from) return grid_fail_memory(NULL, "positions of rows", t->n, sizeof *x->from);
  memset(x->from, 0xff, t->n * sizeof *x->from);
  if (scatter) {
    for (int64_t c = 0; c < n; c++) {
      const uint64_t id = grid_axis_id(a, (uint64_t)c);
      if (id < I->n) x->from[I->list[id]] = (uint32_t)c;
    }
    return GrB_SUCCESS;
  }
#pragma omp parallel for schedule(static) if (n > PARALLEL_MIN)
  for (int64_t k = 0; k < n; k++) x->from[k] = (uint32_t)grid_axis_find(a, I->list[k]);
  return GrB_SUCCESS;
}

/* Lists the rows with entries. */
static GrB_Info map_rows_hyper(grid_row_map *x, grid_axis *t, const grid_local_matrix *p,
                               const grid_index_set *I, bool scatter) {
  const grid_axis *a = &p->row;
  const uint64_t n = scatter ? a->n : I->n;
  pairs found;
  uint64_t m = 0;
  GrB_Info info = pairs_make(&found, n);
  TRY(info);
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t c = scatter ? k : grid_axis_find(a, I->list[k]), id = scatter ? grid_axis_id(a, k) : k;
    if (c == UINT64_MAX || (scatter && id >= I->n) || is_empty(p, c)) continue;
    found.id[m] = scatter ? I->list[id] : id;
    found.of[m++] = (uint32_t)c;
  }
  found.n = m;
  if (scatter) TRY(pairs_sort(&found));
  m = 0;
  for (uint64_t k = 0; k < found.n; k++)
    if (k == 0 || found.id[k] != found.id[k - 1]) found.id[m] = found.id[k], found.of[m++] = found.of[k];
  TRY(grid_axis_list(t, m));
  for (uint64_t k = 0; k < m; k++) grid_axis_store(t, k, found.id[k]);
  x->from = found.of;
  found.of = NULL;
done:
  pairs_free(&found);
  return info;
}

GrB_Info grid_row_map_make(grid_row_map *x, grid_axis *t, const grid_local_matrix *p, const grid_index_set *I,
                           bool scatter) {
  *x = (grid_row_map){0};
  if (!I->list) return rows_of_range(x, t, p, I, scatter);
  return (is_hyper_for(t, I->n) ? map_rows_hyper : map_rows_dense)(x, t, p, I, scatter);
}

/* ---- columns ---- */

static GrB_Info cols_of_range(grid_col_map *x, grid_axis *t, const grid_local_matrix *p,
                              const grid_index_set *J, bool scatter) {
  GrB_Info info = select_range(t, &p->col, J, scatter, &x->low, &x->high);
  x->add = (uint32_t)(scatter && !t->ids ? J->first : UINT64_C(0) - x->low);
  x->ascends = true;
  return info;
}

static GrB_Info make_map(grid_col_map *x, uint64_t n) {
  x->to = grid_malloc(n, sizeof *x->to);
  if (!x->to) return grid_fail_memory(NULL, "positions of columns", n, sizeof *x->to);
  memset(x->to, 0xff, n * sizeof *x->to);
  return GrB_SUCCESS;
}

/* Maps each column of p to J's. */
static GrB_Info scatter_cols(grid_col_map *x, grid_axis *t, const grid_local_matrix *p,
                             const grid_index_set *J) {
  const grid_axis *a = &p->col;
  const int64_t n = (int64_t)a->n;
  pairs found = {0};
  uint64_t m = 0;
  GrB_Info info = make_map(x, a->n);
  TRY(info);
  if (!is_hyper_for(t, J->n)) {
    t->n = t->dim;
#pragma omp parallel for schedule(static) if (n > PARALLEL_MIN)
    for (int64_t c = 0; c < n; c++) {
      const uint64_t id = grid_axis_id(a, (uint64_t)c);
      if (id < J->n) x->to[c] = (uint32_t)J->list[id];
    }
    goto done;
  }
  TRY(pairs_make(&found, a->n));
  for (uint64_t c = 0; c < a->n; c++)
    if (grid_axis_id(a, c) < J->n)
      found.id[found.n] = J->list[grid_axis_id(a, c)], found.of[found.n++] = (uint32_t)c;
  TRY(pairs_sort(&found));
  for (uint64_t k = 0; k < found.n; k++) {
    m += k > 0 && found.id[k] != found.id[k - 1];
    found.id[m] = found.id[k];
    x->to[found.of[k]] = (uint32_t)m;
  }
  m += found.n > 0;
  TRY(grid_axis_list(t, m));
  for (uint64_t k = 0; k < m; k++) grid_axis_store(t, k, found.id[k]);
done:
  pairs_free(&found);
  return info;
}

/* Finds the compact column of p for each l < n, J(l). */
static GrB_Info find_cols(uint32_t **of, const grid_local_matrix *p, const grid_index_set *J) {
  const int64_t n = (int64_t)J->n;
  uint32_t *c = *of = grid_malloc(J->n, sizeof *c);
  if (!c) return grid_fail_memory(NULL, "columns asked for", J->n, sizeof *c);
#pragma omp parallel for schedule(static) if (n > PARALLEL_MIN)
  for (int64_t l = 0; l < n; l++) c[l] = (uint32_t)grid_axis_find(&p->col, J->list[l]);
  return GrB_SUCCESS;
}

/* Columns that J contains more than once: to[start[c] ..) are the destinations of c, ascending. */
static GrB_Info repeat_cols(grid_col_map *x, const grid_local_matrix *p, const uint32_t *of,
                            const uint32_t *position, uint64_t n) {
  const uint64_t cols = p->col.n;
  uint64_t *start = x->start = grid_calloc(cols + 2, sizeof *start);
  grid_free(x->to);
  x->to = grid_malloc(n, sizeof *x->to);
  if (!start || !x->to) return grid_fail_memory(NULL, "positions of columns", cols + n, sizeof *start);
  for (uint64_t l = 0; l < n; l++)
    if (of[l] != GRID_NO_POSITION) start[of[l] + 2]++;
  for (uint64_t c = 2; c < cols + 2; c++) start[c] += start[c - 1];
  for (uint64_t l = 0; l < n; l++)
    if (of[l] != GRID_NO_POSITION) x->to[start[of[l] + 1]++] = position ? position[l] : (uint32_t)l;
  return GrB_SUCCESS;
}

/* Destinations of the columns in J. If t has a list: their numbers among those that p has. */
static GrB_Info number_cols(grid_axis *t, const uint32_t *of, uint64_t n, uint32_t **position) {
  uint64_t m = 0;
  if (!is_hyper_for(t, n)) {
    t->n = t->dim;
    return GrB_SUCCESS;
  }
  for (uint64_t l = 0; l < n; l++) m += of[l] != GRID_NO_POSITION;
  *position = grid_malloc(n, sizeof **position);
  if (!*position) return grid_fail_memory(NULL, "positions of columns", n, sizeof **position);
  GrB_Info info = grid_axis_list(t, m);
  if (info != GrB_SUCCESS) return info;
  m = 0;
  for (uint64_t l = 0; l < n; l++) {
    (*position)[l] = (uint32_t)m;
    if (of[l] != GRID_NO_POSITION) grid_axis_store(t, m++, l);
  }
  return info;
}

/* At most one destination a column; false if a column occurs twice. */
static bool map_columns(grid_col_map *x, const uint32_t *of, const uint32_t *position, int64_t n, bool once) {
  bool duplicate = false;
  if (once) {
#pragma omp parallel for schedule(static) if (n > PARALLEL_MIN)
    for (int64_t l = 0; l < n; l++)
      if (of[l] != GRID_NO_POSITION) x->to[of[l]] = position ? position[l] : (uint32_t)l;
    return true;
  }
  for (int64_t l = 0; l < n; l++) {
    if (of[l] == GRID_NO_POSITION) continue;
    duplicate |= x->to[of[l]] != GRID_NO_POSITION;
    x->to[of[l]] = position ? position[l] : (uint32_t)l;
  }
  return !duplicate;
}

static GrB_Info extract_cols(grid_col_map *x, grid_axis *t, const grid_local_matrix *p,
                             const grid_index_set *J) {
  uint32_t *of = NULL, *position = NULL;
  GrB_Info info = find_cols(&of, p, J);
  TRY(info);
  TRY(number_cols(t, of, J->n, &position));
  TRY(make_map(x, p->col.n));
  if (!map_columns(x, of, position, (int64_t)J->n, x->ascends)) TRY(repeat_cols(x, p, of, position, J->n));
done:
  grid_free(of);
  grid_free(position);
  return info;
}

GrB_Info grid_col_map_make(grid_col_map *x, grid_axis *t, const grid_local_matrix *p, const grid_index_set *J,
                           bool scatter) {
  *x = (grid_col_map){.high = p->col.n};
  if (!J->list) return cols_of_range(x, t, p, J, scatter);
  x->ascends = grid_index_set_is_sorted(J);
  return (scatter ? scatter_cols : extract_cols)(x, t, p, J);
}
