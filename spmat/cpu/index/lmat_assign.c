/* See lmat_assign.h. Rows of both matrices are merged in one pass. In a row of the region, c's entries before
 * and after a range of columns are copied unchanged. */
#include "spmat/cpu/index/lmat_assign.h"

#include <string.h>

#include "spmat/cpu/rows/lmat_fill.h"
#include "spmat/cpu/rows/lmat_span.h"
#include "spmat/vector/bound_operator.h"

typedef struct {
  grid_aligned a;
  grid_span row, col;
  const char *val[2];
  size_t step[2]; /* bytes between values; 0: iso */
  size_t size;    /* of a value; 0: the result is iso */
} job;

enum { C, T };

/* ---- entries ---- */

typedef struct {
  uint32_t *idx;
  char *val;
  uint64_t n;
} output;

static void copy_run(const job *j, int k, uint64_t from, uint64_t to, output *z) {
  if (from >= to) return;
  memcpy(z->idx + z->n, j->a.lmat[k].idx + from, (to - from) * sizeof *z->idx);
  if (j->size && j->step[k])
    memcpy(z->val + z->n * j->size, j->val[k] + from * j->size, (to - from) * j->size);
  else if (j->size)
    grid_value_fill(z->val + z->n * j->size, j->val[k], j->size, to - from);
  z->n += to - from;
}

static inline __attribute__((always_inline)) void copy_entry(const job *j, int k, uint64_t e, output *z,
                                                             const size_t size) {
  z->idx[z->n] = j->a.lmat[k].idx[e];
  if (size) memcpy(z->val + z->n * size, j->val[k] + e * j->step[k], size);
  z->n++;
}

/* t's entries [from[T], to[T]), and those of c between that are neither among them nor in `erased`. */
static inline __attribute__((always_inline)) void merge(const job *j, const grid_span *erased,
                                                        const uint64_t *from, const uint64_t *to, output *z,
                                                        const size_t size) {
  const uint32_t *ci = j->a.lmat[C].idx, *ti = j->a.lmat[T].idx;
  uint64_t e = from[T];
  for (uint64_t k = from[C]; k < to[C]; k++) {
    const uint32_t c = ci[k];
    while (e < to[T] && ti[e] < c) copy_entry(j, T, e++, z, size);
    if (e < to[T] && ti[e] == c)
      copy_entry(j, T, e++, z, size);
    else if (!erased || !grid_span_has(erased, c))
      copy_entry(j, C, k, z, size);
  }
  copy_run(j, T, e, to[T], z);
}

/* A segment of a row of the region. */
static inline __attribute__((always_inline)) void replace(const job *j, const grid_row_segment *p, output *z,
                                                          const size_t size) {
  const uint32_t *idx = j->a.lmat[C].idx;
  const uint64_t low = grid_first_entry(idx, p->from[C], p->to[C], j->col.low),
                 high = grid_first_entry(idx, low, p->to[C], j->col.high);
  copy_run(j, C, p->from[C], low, z);
  if (j->col.bits)
    merge(j, &j->col, (uint64_t[]){low, p->from[T]}, (uint64_t[]){high, p->to[T]}, z, size);
  else
    copy_run(j, T, p->from[T], p->to[T], z);
  copy_run(j, C, high, p->to[C], z);
}

static inline __attribute__((always_inline)) uint64_t run_task(const job *j, const grid_split_point *split,
                                                               const grid_fill_to *to, bool region,
                                                               const size_t size) {
  output z = {to->idx, to->val, 0};
  grid_row_segment p;
  for (grid_row_segment_begin(&p, split); grid_row_segment_next(&p, &j->a, 2, split);) {
    /* the region may lack a row in which t alone has entries */
    if (region && (p.from[T] < p.to[T] || grid_span_has(&j->row, p.row)))
      replace(j, &p, &z, size);
    else if (region || p.from[T] == p.to[T])
      copy_run(j, C, p.from[C], p.to[C], &z);
    else
      merge(j, NULL, p.from, p.to, &z, size);
    if (p.ends) grid_offset_set(to->start, p.row + 1, z.n);
  }
  return z.n;
}

#define TASKS(SIZE, BYTES)                                                                               \
  static uint64_t replace_##SIZE(const void *j, const grid_split_point *split, const grid_fill_to *to) { \
    return run_task(j, split, to, true, BYTES);                                                          \
  }                                                                                                      \
  static uint64_t unite_##SIZE(const void *j, const grid_split_point *split, const grid_fill_to *to) {   \
    return run_task(j, split, to, false, BYTES);                                                         \
  }
TASKS(0, 0)
TASKS(1, 1)
TASKS(4, 4)
TASKS(8, 8)
TASKS(any, ((const job *)j)->size)

static grid_fill_task find_task(size_t size, bool region) {
  static const grid_fill_task of[][2] = {{unite_0, replace_0},
                                         {unite_1, replace_1},
                                         {unite_4, replace_4},
                                         {unite_8, replace_8},
                                         {unite_any, replace_any}};
  return of[size == 0 ? 0 : size == 1 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4][region];
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static bool is_same_value(const grid_local_matrix *c, const grid_local_matrix *t) {
  if (c->nvals == 0) return t->nvals > 0 && t->iso; /* an empty t may have another type */
  if (t->nvals == 0) return c->iso;
  return c->iso && t->iso && memcmp(c->iso_val, t->iso_val, c->type->size) == 0;
}

static void set_values(job *j, int k, const grid_local_matrix *p) {
  j->val[k] = p->iso ? p->iso_val : p->by_row.val;
  j->step[k] = p->iso ? 0 : p->type->size;
}

GrB_Info grid_cpu_lmat_assign(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                              const grid_region *s) {
  const grid_local_matrix *lmats[] = {c, t};
  const bool iso = is_same_value(c, t);
  job j = {.size = iso ? 0 : c->type->size};
  grid_row_splits splits = {0};
  GrB_Info info = grid_lmat_align(&j.a, c->row.dim, c->col.dim, lmats, 2);
  TRY(info);
  set_values(&j, C, c);
  set_values(&j, T, t);
  if (s) TRY(grid_span_find(&j.row, &j.a.row, &s->rows));
  if (s) TRY(grid_span_find(&j.col, &j.a.col, &s->cols));
  TRY(grid_aligned_copy_axes(z, &j.a));
  if (iso) TRY(grid_lmat_set_iso(z, c->nvals ? c->iso_val : t->iso_val));
  TRY(grid_split_rows(&splits, &j.a, grid_split_entries(&j.a, 2 * (sizeof(uint32_t) + j.size))));
  TRY(grid_lmat_fill_rows(z, &(grid_fill){.task = find_task(j.size, s != NULL),
                                          .context = &j,
                                          .splits = &splits,
                                          .most = splits.most,
                                          .bound = c->nvals + t->nvals,
                                          .values = j.size > 0}));
  TRY(grid_lmat_choose_format(z));
done:
  grid_aligned_free(&j.a);
  grid_span_free(&j.row);
  grid_span_free(&j.col);
  grid_free(splits.split);
  if (info != GrB_SUCCESS) grid_lmat_free(z);
  return info;
}
