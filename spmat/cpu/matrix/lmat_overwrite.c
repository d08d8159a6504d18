/* See lmat_overwrite.h. Three forms of T change no position. T has the very arrays of C's positions, as a
 * copy or an operator's result has: then values of entries that the mask allows are copied. Or T has an entry
 * for each that the mask has, as an assigned value has, and C has them all. Or T is accumulated, and C has
 * all its entries. A first pass looks whether C has them. */
#include "spmat/cpu/matrix/lmat_overwrite.h"

#include <stdatomic.h>

#include "spmat/cpu/ewise/lmat_pairs.h"
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
  bool same_value;     /* C and T are iso, of one value: nothing is written */
  grid_aligned a;
  grid_row_splits splits;
  char *workspace; /* `thread_bytes` bytes a thread: two lists of entries, one of the mask's */
  size_t thread_bytes;
  int threads;
  char *to; /* values of C */
  grid_copier cast;
  grid_binary accum;
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

/* Does C have all entries of T, and T, unless it is accumulated, as many as the mask? */
static bool has_all(const place *at) {
  const uint32_t *c = columns(at, C), *t = columns(at, T);
  const uint64_t n = count(at, C), m = count(at, T);
  const bool gallops = n / GALLOP_RATIO > m;
  if ((!at->o->w->accum && m != at->mask.n) || m > n) return false;
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

/* C(i,j) = accum(C(i,j), T(i,j)) for the entries of a task, which C has. */
static bool accumulate_task(const grid_overwrite *o, const grid_split_point *split, char *workspace,
                            bool (*visit)(const place *at)) {
  const uint64_t first_c = split[0].at[C], first_t = split[0].at[T];
  place at = {.o = o};
  grid_pairs pairs;
  (void)workspace, (void)visit;
  pairs.op = &o->accum, pairs.n = 0, pairs.z = o->to + first_c * o->accum.zs;
  pairs.x = o->a.lmat[C].p, pairs.first_x = first_c, pairs.y = o->a.lmat[T].p, pairs.first_y = first_t;
  for (grid_row_segment_begin(&at.p, split); grid_row_segment_next(&at.p, &o->a, N, split);) {
    const uint32_t *c = columns(&at, C), *t = columns(&at, T);
    const uint64_t n = count(&at, C), m = count(&at, T);
    const bool gallops = n / GALLOP_RATIO > m;
    for (uint64_t i = 0, k = 0; k < m; k++) {
      i = find_column(c, i, n, t[k], gallops);
      const uint32_t position = (uint32_t)(at.p.from[C] + i - first_c);
      grid_pairs_add(&pairs, position, position, (uint32_t)(at.p.from[T] + k - first_t));
    }
  }
  grid_pairs_end(&pairs);
  return true;
}

static bool run_task(const grid_overwrite *o, const grid_split_point *split, char *workspace,
                     bool (*visit)(const place *at)) {
  place at = {.o = o, .lists = (uint32_t *)(void *)workspace};
  for (grid_row_segment_begin(&at.p, split); grid_row_segment_next(&at.p, &o->a, N, split);) {
    if (!o->w->accum)
      at.mask = grid_restrict_read(&o->a.lmat[MASK], at.p.from[MASK], at.p.to[MASK], o->w->structure,
                                   at.lists + 2 * o->splits.most);
    if (!visit(&at)) return false;
  }
  return true;
}

typedef bool task_function(const grid_overwrite *o, const grid_split_point *split, char *workspace,
                           bool (*visit)(const place *at));

/* Runs all tasks; false: one returned that. */
static bool run_tasks(const grid_overwrite *o, task_function *run, bool (*visit)(const place *at)) {
  _Atomic bool same = true;
#pragma omp parallel for schedule(dynamic) num_threads(o->threads)
  for (uint64_t k = 0; k < o->splits.tasks; k++)
    if (atomic_load_explicit(&same, memory_order_relaxed) &&
        !run(o, &o->splits.split[k], o->workspace + (size_t)grid_thread() * o->thread_bytes, visit))
      same = false;
  return same;
}

static bool has_same_positions(const grid_local_matrix *c, const grid_local_matrix *t) {
  return c->by_row.idx == t->by_row.idx && c->by_row.ptr == t->by_row.ptr &&
         c->by_row.offsets64 == t->by_row.offsets64 && c->row.ids == t->row.ids && c->col.ids == t->col.ids;
}

static GrB_Info plan(grid_overwrite *o, grid_local_matrix *c, const grid_local_matrix *t) {
  const GrB_BinaryOp accum = o->w->accum;
  const grid_local_matrix *lmat[N] = {[C] = c, [T] = t, [MASK] = accum ? NULL : o->w->mask};
  GrB_Info info;
  o->to = c->by_row.val;
  if (accum)
    TRY(grid_binary_bind(&o->accum, accum, c->type, c->type, t->type));
  else
    o->cast = grid_copier_bind(c->type, t->type);
  TRY(grid_lmat_align(&o->a, c->row.dim, c->col.dim, lmat, N));
  TRY(grid_split_rows(&o->splits, &o->a, grid_split_entries(&o->a, 3 * sizeof(uint32_t))));
  o->threads = o->splits.tasks > 1 ? grid_work_threads(c->nvals / 8) : 1;
  o->thread_bytes =
      (2 * o->splits.most * sizeof(uint32_t) + grid_restrict_workspace(o->splits.most) + 63) / 64 * 64;
  o->workspace = grid_malloc((size_t)o->threads, o->thread_bytes);
  if (!o->workspace)
    TRY(grid_fail_memory(NULL, "workspace of a write-back", (size_t)o->threads, o->thread_bytes));
done:
  return info;
}

/* Is every entry of both the same value, in C's type? */
static bool has_same_value(const grid_local_matrix *c, const grid_local_matrix *t) {
  const size_t size = c->type->size;
  char value[GRID_SMALL_VALUE];
  if (!c->iso || !t->iso || size > sizeof value) return false;
  const grid_copier cast = grid_copier_bind(c->type, t->type);
  grid_copy_value(&cast, value, t->iso_val);
  return memcmp(value, c->iso_val, size) == 0;
}

/* Is this form of the write-back supported? */
static bool is_supported(const grid_overwrite *o, const grid_local_matrix *c, const grid_local_matrix *t) {
  const grid_lmat_write_spec *w = o->w;
  if (w->replace || t->nvals > c->nvals) return false;
  if (w->accum) return !c->iso && (w->masked || (!w->mask && !w->complement));
  if (!w->mask || (c->iso && !o->same_value)) return false;
  return o->same_positions || (w->masked && !w->complement);
}

GrB_Info grid_overwrite_plan(grid_overwrite **o, grid_local_matrix *c, const grid_local_matrix *t,
                             const grid_lmat_write_spec *w) {
  grid_overwrite plain = {.w = w, .same_positions = has_same_positions(c, t)};
  *o = NULL;
  plain.same_value = !w->accum && has_same_value(c, t);
  if (!is_supported(&plain, c, t)) return GrB_SUCCESS;
  grid_overwrite *made = grid_calloc(1, sizeof *made);
  if (!made) return grid_fail_memory(NULL, "a write-back", 1, sizeof *made);
  *made = plain;
  GrB_Info info = plan(made, c, t);
  if (info == GrB_SUCCESS && (made->same_positions || run_tasks(made, run_task, has_all)))
    *o = made;
  else
    grid_overwrite_free(made);
  return info;
}

void grid_overwrite_run(grid_overwrite *o) {
  if (o->same_value) return;
  if (o->w->accum)
    run_tasks(o, accumulate_task, NULL);
  else
    run_tasks(o, run_task, o->same_positions ? write_allowed : write_all);
}

void grid_overwrite_free(grid_overwrite *o) {
  if (!o) return;
  grid_aligned_free(&o->a);
  grid_free(o->splits.split);
  grid_free(o->workspace);
  grid_binary_free(&o->accum);
  grid_free(o);
}
