/* See lmat_intersect.h. Common positions are listed row by row, without a branch that depends on the indices;
 * then the operator runs over the pairs of the task. */
#include "spmat/cpu/ewise/lmat_intersect.h"

#include <string.h>

#include "spmat/cpu/rows/gallop.h"
#include "spmat/cpu/rows/lmat_fill.h"
#include "spmat/cpu/ewise/lmat_pairs.h"

/* A row this many times shorter than the other is looked up in it. */
#define GALLOP_RATIO 16
enum { X, Y };
enum { RUN = 4 }; /* columns that are compared at once: rows often have common runs */

typedef struct {
  grid_aligned a;
  grid_row_splits splits;
  grid_binary op;
  bool values; /* else all results are equal */
} intersection;

/* Entries at common positions: columns, and entry numbers relative to the task's first entries. */
typedef struct {
  uint32_t *col, *x, *y;
  uint64_t n;
} pairs;

/* A row: indices, their number, and the number of the first. */
typedef struct {
  const uint32_t *idx;
  uint64_t n;
  uint32_t first;
} row;

/* The smaller of entries *i of x and *k of y, both if they are equal. */
static inline uint64_t step(pairs *p, uint64_t at, const row *x, const row *y, uint64_t *i, uint64_t *k) {
  const uint32_t a = x->idx[*i], b = y->idx[*k];
  p->col[at] = a;
  p->x[at] = x->first + (uint32_t)*i;
  p->y[at] = y->first + (uint32_t)*k;
  *i += a <= b, *k += b <= a;
  return at + (a == b);
}

/* RUN equal columns, from entries i and k on. */
static inline uint64_t append_run(pairs *p, uint64_t at, const row *x, const row *y, uint64_t i, uint64_t k) {
  memcpy(p->col + at, x->idx + i, RUN * sizeof *p->col);
  for (uint32_t s = 0; s < RUN; s++) {
    p->x[at + s] = x->first + (uint32_t)i + s;
    p->y[at + s] = y->first + (uint32_t)k + s;
  }
  return at + RUN;
}

static uint64_t intersect(pairs *arrays, uint64_t at, const row *x, const row *y) {
  pairs copy = *arrays, *p = &copy; /* no entry that is written can change a copy */
  uint64_t i = 0, k = 0;
  while (i + RUN <= x->n && k + RUN <= y->n) {
    if (memcmp(x->idx + i, y->idx + k, RUN * sizeof *x->idx) == 0) {
      at = append_run(p, at, x, y, i, k);
      i += RUN, k += RUN;
    } else {
      for (int s = 0; s < RUN; s++) at = step(p, at, x, y, &i, &k);
    }
  }
  while (i < x->n && k < y->n) at = step(p, at, x, y, &i, &k);
  return at;
}

/* Looks `shorter` up in `many`; the positions in `shorter` go to *f, those in `many` to *m. */
static uint64_t find_by_gallop(pairs *p, uint64_t at, const row *shorter, const row *many, uint32_t *f,
                               uint32_t *m) {
  uint64_t k = 0;
  for (uint64_t i = 0; i < shorter->n && k < many->n; i++) {
    k = grid_gallop_columns(many->idx, k, many->n, shorter->idx[i]);
    if (k == many->n) break;
    p->col[at] = shorter->idx[i];
    f[at] = shorter->first + (uint32_t)i;
    m[at] = many->first + (uint32_t)k;
    at += many->idx[k] == shorter->idx[i];
  }
  return at;
}

static uint64_t intersect_rows(pairs *p, uint64_t at, const row *x, const row *y) {
  if (x->n / GALLOP_RATIO > y->n) return find_by_gallop(p, at, y, x, p->y, p->x);
  if (y->n / GALLOP_RATIO > x->n) return find_by_gallop(p, at, x, y, p->x, p->y);
  return intersect(p, at, x, y);
}

static row row_of(const intersection *m, int which, const grid_row_segment *p,
                  const grid_split_point *split) {
  return (row){m->a.lmat[which].idx + p->from[which], p->to[which] - p->from[which],
               (uint32_t)(p->from[which] - split[0].at[which])};
}

static uint64_t run_task(const void *context, const grid_split_point *split, const grid_fill_to *to) {
  const intersection *m = context;
  uint32_t *workspace = to->workspace;
  pairs p = {to->idx, workspace, workspace + m->splits.most, 0};
  uint64_t n = 0;
  grid_row_segment segment;
  for (grid_row_segment_begin(&segment, split); grid_row_segment_next(&segment, &m->a, 2, split);) {
    const row x = row_of(m, X, &segment, split), y = row_of(m, Y, &segment, split);
    if (x.n && y.n) n = intersect_rows(&p, n, &x, &y);
    if (segment.ends) grid_offset_set(to->start, segment.row + 1, n);
  }
  if (m->values)
    grid_pairs_run(&m->op, to->val, m->a.lmat[X].p, m->a.lmat[Y].p, split[0].at[X], p.x, split[0].at[Y], p.y,
                   n);
  return n;
}

/* Are all results equal, whatever the entries? */
static bool is_iso_result(const grid_local_matrix *x, const grid_local_matrix *y, GrB_BinaryOp op) {
  return (x->iso || !op->uses_x) && (y->iso || !op->uses_y);
}

/* That value, from any pair of entries. */
static GrB_Info set_one(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                        const grid_binary *op) {
  z->iso_val = grid_calloc(1, z->type->size);
  if (!z->iso_val) return grid_fail_memory(NULL, "a matrix value", 1, z->type->size);
  z->iso = true;
  if (x->nvals && y->nvals) grid_binary_apply(op, z->iso_val, grid_lmat_value(x, 0), grid_lmat_value(y, 0));
  return GrB_SUCCESS;
}

GrB_Info grid_cpu_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                                 GrB_BinaryOp op) {
  if (grid_lmat_same_pattern(x, y)) return grid_lmat_combine(z, x, y, op);
  intersection m = {.values = !is_iso_result(x, y, op)};
  const grid_local_matrix *lmat[] = {x, y};
  GrB_Info info = grid_binary_bind(&m.op, op, z->type, x->type, y->type);
  if (info != GrB_SUCCESS) return info;
  TRY(grid_lmat_align(&m.a, z->row.dim, z->col.dim, lmat, 2));
  TRY(grid_split_rows(&m.splits, &m.a,
                      grid_split_entries(&m.a, 3 * sizeof(uint32_t) + (m.values ? z->type->size : 0))));
  TRY(grid_aligned_copy_axes(z, &m.a));
  const grid_fill f = {.task = run_task,
                       .context = &m,
                       .splits = &m.splits,
                       .most = m.splits.most,
                       .bound = x->nvals < y->nvals ? x->nvals : y->nvals,
                       .values = m.values,
                       .workspace = 2 * m.splits.most * sizeof(uint32_t)};
  TRY(grid_lmat_fill_rows(z, &f));
  if (!m.values) TRY(set_one(z, x, y, &m.op));
  TRY(grid_lmat_choose_format(z));
done:
  if (info != GrB_SUCCESS) grid_lmat_free(z);
  grid_binary_free(&m.op);
  grid_free(m.splits.split);
  grid_aligned_free(&m.a);
  return info;
}

/* ---- equal patterns ------------------------------------------------------------------------------------ */

/* Entries that a thread takes at a time. */
enum { STRETCH = 8192 };

static void run_stretch(const grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                        const grid_binary *op, uint64_t from, uint64_t n) {
  grid_binary_run(op, (char *)z->by_row.val + from * op->zs, grid_lmat_value(x, from), !x->iso,
                  grid_lmat_value(y, from), !y->iso, n);
}

GrB_Info grid_lmat_combine(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                           GrB_BinaryOp op) {
  grid_binary b;
  const GrB_Type type = z->type;
  const uint64_t n = x->nvals;
  if (n == 0) return GrB_SUCCESS; /* z has no arrays then */
  GrB_Info info = grid_binary_bind(&b, op, type, x->type, y->type);
  if (info != GrB_SUCCESS) return info;
  TRY(grid_lmat_share_pattern(z, x, type));
  if (is_iso_result(x, y, op)) {
    TRY(set_one(z, x, y, &b));
  } else {
    z->by_row.val = grid_malloc(n, type->size);
    if (!z->by_row.val) TRY(grid_fail_memory(NULL, "matrix values", n, type->size));
    const int threads = grid_work_threads(n / 8);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t k = 0; k < n; k += STRETCH) run_stretch(z, x, y, &b, k, n - k < STRETCH ? n - k : STRETCH);
  }
done:
  if (info != GrB_SUCCESS) grid_lmat_free(z);
  grid_binary_free(&b);
  return info;
}
