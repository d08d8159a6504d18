/* See lmat_overwrite.h. Two forms of T are known to change no position. T has the very arrays of C's
 * positions, as a copy or an operator's result has: then values of entries that the mask allows are copied.
 * Or T has an entry for each that the mask has, as an assigned value has: then a first pass looks whether C
 * has them all. */
#include "spmat/cpu/matrix/lmat_overwrite.h"

#include <stdatomic.h>

#include "spmat/cpu/ewise/lmat_restrict.h"
#include "spmat/cpu/rows/gallop.h"
#include "spmat/cpu/rows/row_tasks.h"
#include "spmat/vector/bound_operator.h"

enum { C, T, MASK, N };
/* T's entries of a row are looked up one by one in C's if these are so many times more. */
enum { GALLOP_RATIO = 16 };

struct grid_overwrite {
  const grid_lmat_write_spec *w;
  bool same_positions; /* T has C's arrays */
  grid_aligned a;
  grid_row_splits splits;
  char *workspace; /* `each` bytes a thread: two lists of entries, one of the mask's */
  size_t each;
  int threads;
  char *to; /* values of C */
  grid_copier cast;
};

/* The segment of a row at which a task is, and its mask. */
typedef struct {
  const grid_overwrite *o;
  uint32_t *lists;
  grid_row_segment p;
  grid_restrict_mask mask;
} place;

static inline const uint32_t *columns(const place *at, int which) {
  return at->o->a.lmat[which].idx + at->p.from[which];
}
static inline uint64_t count(const place *at, int which) {
  return at->p.to[which] - at->p.from[which];
}

static inline void copy_value(const place *at, uint64_t c, uint64_t t) {
  const grid_local_matrix *from = at->o->a.lmat[T].p;
  const char *x =
      from->iso ? from->iso_val : (const char *)from->by_row.val + (at->p.from[T] + t) * from->type->size;
  grid_copy_value(&at->o->cast, at->o->to + (at->p.from[C] + c) * at->o->cast.z->size, x);
}

/* Where column j is in ascending columns from k on, or the next one. */
static inline uint64_t find_column(const uint32_t *idx, uint64_t k, uint64_t n, uint32_t j, bool gallops) {
  if (gallops) return grid_gallop_columns(idx, k, n, j);
  while (k < n && idx[k] < j) k++;
  return k;
}

/* Does C have all entries of T, and T as many as the mask? */
static bool has_all(const place *at) {
  const uint32_t *c = columns(at, C), *t = columns(at, T);
  const uint64_t n = count(at, C), m = count(at, T);
  const bool gallops = n / GALLOP_RATIO > m;
  if (m != at->mask.n || m > n) return false;
  for (uint64_t i = 0, k = 0; k < m; k++, i++) {
    i = find_column(c, i, n, t[k], gallops);
    if (i == n || c[i] != t[k]) return false;
  }
  return true;
}

static bool write_all(const place *at) {
  const uint32_t *c = columns(at, C), *t = columns(at, T);
  const uint64_t n = count(at, C), m = count(at, T);
  const bool gallops = n / GALLOP_RATIO > m;
  for (uint64_t i = 0, k = 0; k < m; k++) {
    i = find_column(c, i, n, t[k], gallops);
    copy_value(at, i, k);
  }
  return true;
}

static bool write_allowed(const place *at) {
  uint32_t *position = at->lists + at->o->splits.most;
  const uint64_t n =
      grid_restrict(at->lists, position, columns(at, C), count(at, C), 0, &at->mask, !at->o->w->complement);
  for (uint64_t k = 0; k < n; k++) copy_value(at, position[k], position[k]);
  return true;
}

static bool run_task(const grid_overwrite *o, const grid_split_point *split, char *workspace,
                     bool (*visit)(const place *at)) {
  place at = {.o = o, .lists = (uint32_t *)(void *)workspace};
  for (grid_row_segment_begin(&at.p, split); grid_row_segment_next(&at.p, &o->a, N, split);) {
    at.mask = grid_restrict_read(&o->a.lmat[MASK], at.p.from[MASK], at.p.to[MASK], o->w->structure,
                                 at.lists + 2 * o->splits.most);
    if (!visit(&at)) return false;
  }
  return true;
}

/* Visits all rows; false: one visit was. */
static bool run_tasks(const grid_overwrite *o, bool (*visit)(const place *at)) {
  _Atomic bool same = true;
#pragma omp parallel for schedule(dynamic) num_threads(o->threads)
  for (uint64_t k = 0; k < o->splits.tasks; k++)
    if (atomic_load_explicit(&same, memory_order_relaxed) &&
        !run_task(o, &o->splits.split[k], o->workspace + (size_t)grid_thread() * o->each, visit))
      same = false;
  return same;
}

static bool has_same_positions(const grid_local_matrix *c, const grid_local_matrix *t) {
  return c->by_row.idx == t->by_row.idx && c->by_row.ptr == t->by_row.ptr &&
         c->by_row.offsets64 == t->by_row.offsets64 && c->row.ids == t->row.ids && c->col.ids == t->col.ids;
}

static GrB_Info plan(grid_overwrite *o, grid_local_matrix *c, const grid_local_matrix *t) {
  const grid_local_matrix *lmat[N] = {[C] = c, [T] = t, [MASK] = o->w->mask};
  GrB_Info info;
  o->to = c->by_row.val;
  o->cast = grid_copier_bind(c->type, t->type);
  TRY(grid_lmat_align(&o->a, c->row.dim, c->col.dim, lmat, N));
  TRY(grid_split_rows(&o->splits, &o->a, grid_split_entries(&o->a, 3 * sizeof(uint32_t))));
  o->threads = o->splits.tasks > 1 ? grid_word_threads(c->nvals / 8) : 1;
  o->each = (2 * o->splits.most * sizeof(uint32_t) + grid_restrict_workspace(o->splits.most) + 63) / 64 * 64;
  o->workspace = grid_malloc((size_t)o->threads, o->each);
  if (!o->workspace) TRY(grid_fail_memory(NULL, "workspace of a write-back", (size_t)o->threads, o->each));
done:
  return info;
}

GrB_Info grid_overwrite_plan(grid_overwrite **o, grid_local_matrix *c, const grid_local_matrix *t,
                             const grid_lmat_write_spec *w) {
  const bool same = has_same_positions(c, t);
  *o = NULL;
  if (!w->mask || w->replace || w->accum || c->iso || t->nvals > c->nvals) return GrB_SUCCESS;
  if (!same && (!w->masked || w->complement)) return GrB_SUCCESS;
  grid_overwrite *made = grid_calloc(1, sizeof *made);
  if (!made) return grid_fail_memory(NULL, "a write-back", 1, sizeof *made);
  made->w = w, made->same_positions = same;
  GrB_Info info = plan(made, c, t);
  if (info == GrB_SUCCESS && (same || run_tasks(made, has_all)))
    *o = made;
  else
    grid_overwrite_free(made);
  return info;
}

void grid_overwrite_run(grid_overwrite *o) {
  run_tasks(o, o->same_positions ? write_allowed : write_all);
}

void grid_overwrite_free(grid_overwrite *o) {
  if (!o) return;
  grid_aligned_free(&o->a);
  grid_free(o->splits.split);
  grid_free(o->workspace);
  grid_free(o);
}
