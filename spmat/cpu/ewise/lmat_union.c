/* See lmat_union.h.
 *
 * Entries of one side only are copied, or combined with a default; pairs are collected, and the operator runs
 * over arrays of them. A side that a mask restricts is first listed, row by row: its columns and their
 * positions. */
#include "spmat/cpu/ewise/lmat_union.h"

#include <string.h>

#include "spmat/cpu/rows/lmat_fill.h"
#include "spmat/cpu/ewise/lmat_pairs.h"
#include "spmat/cpu/ewise/lmat_restrict.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/value_sizes.h"

enum { X, Y, MASK };

typedef struct {
  const grid_union *u;
  grid_aligned a;
  size_t n; /* number of matrices: with the mask, or without */
  grid_row_splits splits;
  grid_copier unpaired[2]; /* x and y cast to entries of the result */
  bool defaults;           /* ... or, instead, combined with the other side's default */
  grid_binary with_default[2];
  bool copied[2];                             /* they use a buffer of the task */
  size_t unpaired_at[2], list_at[2], mask_at; /* offsets in a thread's workspace */
  size_t size;                                /* of a value of the result; 0: iso */
  bool masked;
  grid_binary both;
} union_job;

/* One task. */
typedef struct {
  const union_job *j;
  const grid_fill_to *to;
  const char *unpaired[2]; /* values of the result's type, beginning at the task's first entry */
  uint64_t first[2];       /* number of that entry */
  grid_pairs pairs;
  uint64_t n; /* entries written */
} run;

/* Entries of one side in one row. */
typedef struct {
  const uint32_t *idx, *position; /* position NULL: first, first + 1, ... */
  uint32_t first;                 /* relative to the task's first entry */
  uint64_t n;
} side;

static inline uint32_t position_of(const side *s, uint64_t k) {
  return s->position ? s->position[k] : s->first + (uint32_t)k;
}

/* ---- merging two sides --------------------------------------------------------------------------------- */

/* Where entries are written and the values of each side: copies, which no write of an entry can change. */
typedef struct {
  uint32_t *idx;
  char *val;
  const char *unpaired[2];
} row_arrays;

GRID_ALWAYS_INLINE void append_entry(const row_arrays *to, uint64_t n, const side *s, int which, uint64_t k,
                                     size_t size) {
  to->idx[n] = s->idx[k];
  if (size) memcpy(to->val + n * size, to->unpaired[which] + position_of(s, k) * size, size);
}

/* The rest of one side after the other has ended. */
GRID_ALWAYS_INLINE uint64_t append_rest(const row_arrays *to, uint64_t n, const side *s, int which,
                                        uint64_t k, size_t size) {
  enum { SHORT_COPY = 16 }; /* fewer entries take less time than two calls */
  const uint64_t left = s->n - k;
  if (s->position || left < SHORT_COPY) {
    for (; k < s->n; k++) append_entry(to, n++, s, which, k, size);
    return n;
  }
  memcpy(to->idx + n, s->idx + k, left * sizeof *s->idx);
  if (size) memcpy(to->val + n * size, to->unpaired[which] + (s->first + k) * size, left * size);
  return n + left;
}

GRID_ALWAYS_INLINE void merge_rows(run *r, const side *x, const side *y, size_t size) {
  const row_arrays to = {r->to->idx, r->to->val, {r->unpaired[X], r->unpaired[Y]}};
  uint64_t i = 0, k = 0, n = r->n;
  while (i < x->n && k < y->n) {
    const uint32_t a = x->idx[i], b = y->idx[k];
    if (a < b) {
      append_entry(&to, n++, x, X, i++, size);
    } else if (b < a) {
      append_entry(&to, n++, y, Y, k++, size);
    } else {
      to.idx[n] = a;
      if (size) grid_pairs_add(&r->pairs, n, position_of(x, i), position_of(y, k));
      n++, i++, k++;
    }
  }
  n = append_rest(&to, n, x, X, i, size);
  r->n = append_rest(&to, n, y, Y, k, size);
}

/* ---- tasks -------------------------------------------------------------------------------------------- */

/* A side's entries in the segment. */
GRID_ALWAYS_INLINE side bind_side(const run *r, int which, const grid_row_segment *p) {
  return (side){.idx = r->j->a.lmat[which].idx + p->from[which],
                .first = (uint32_t)(p->from[which] - r->first[which]),
                .n = p->to[which] - p->from[which]};
}
/* Those of s that the mask's entries allow. */
static side restrict_side(const run *r, int which, const side *s, const grid_restrict_mask *mask) {
  const union_job *j = r->j;
  const grid_mask_side mask_side = which == X ? j->u->side_x : j->u->side_y;
  if (s->n == 0 || mask_side == GRID_SIDE_ALL) return *s;
  uint32_t *list = (uint32_t *)(void *)((char *)r->to->workspace + j->list_at[which]);
  const uint64_t n = grid_restrict(list, list + j->splits.most, s->idx, s->n, s->first, mask,
                                   mask_side == GRID_SIDE_IN_MASK);
  return (side){.idx = list, .position = list + j->splits.most, .n = n};
}

GRID_ALWAYS_INLINE void run_segments(run *r, const grid_split_point *split, size_t size, bool masked) {
  const union_job *j = r->j;
  grid_row_segment p = {0};
  for (grid_row_segment_begin(&p, split); grid_row_segment_next(&p, &j->a, masked ? 3 : 2, split);) {
    side x = bind_side(r, X, &p), y = bind_side(r, Y, &p);
    if (masked) {
      const grid_restrict_mask mask = grid_restrict_read(
          &j->a.lmat[MASK], p.from[MASK], p.to[MASK], j->u->structure, (char *)r->to->workspace + j->mask_at);
      x = restrict_side(r, X, &x, &mask), y = restrict_side(r, Y, &y, &mask);
    }
    merge_rows(r, &x, &y, size);
    if (p.ends) grid_offset_set(r->to->start, p.row + 1, r->n);
  }
}

/* z[k] = what entry x[k * step] of one side becomes where the other side has none, k < n. */
static void make_unpaired(const union_job *j, int which, void *z, const void *x, size_t step, uint64_t n) {
  if (!j->defaults)
    grid_copy_run(&j->unpaired[which], z, x, step, n);
  else if (which == X)
    grid_binary_run(&j->with_default[X], z, x, step, j->u->y_absent, 0, n);
  else
    grid_binary_run(&j->with_default[Y], z, j->u->x_absent, 0, x, step, n);
}

/* Values of one side as entries of the result: those of the operand, or made of them in a buffer. */
static void read_unpaired(run *r, int which, const grid_split_point *split) {
  const union_job *j = r->j;
  const grid_local_matrix *p = j->a.lmat[which].p;
  const uint64_t from = r->first[which] = split[0].at[which], n = split[1].at[which] - from;
  r->unpaired[which] = NULL;
  if (!p || n == 0 || j->size == 0) return;
  const char *val = p->iso ? p->iso_val : (char *)p->by_row.val + from * p->type->size;
  r->unpaired[which] = val;
  if (!j->copied[which]) return;
  char *workspace = (char *)r->to->workspace + j->unpaired_at[which];
  make_unpaired(j, which, workspace, val, !p->iso, n);
  r->unpaired[which] = workspace;
}

static uint64_t run_task(const void *context, const grid_split_point *split, const grid_fill_to *to) {
  const union_job *j = context;
  run r;
  r.j = j, r.to = to, r.n = 0; /* does not clear the buffers of its pairs */
  read_unpaired(&r, X, split);
  read_unpaired(&r, Y, split);
  r.pairs.op = &j->both, r.pairs.z = to->val, r.pairs.n = 0;
  r.pairs.x = j->a.lmat[X].p, r.pairs.first_x = r.first[X];
  r.pairs.y = j->a.lmat[Y].p, r.pairs.first_y = r.first[Y];
#define CALL(S)        run_segments(&r, split, S, false)
#define CALL_MASKED(S) run_segments(&r, split, S, true)
  if (j->size == 0 && j->masked)
    CALL_MASKED(0);
  else if (j->size == 0)
    CALL(0);
  else if (j->masked)
    GRID_BY_SIZE(j->size, CALL_MASKED)
  else
    GRID_BY_SIZE(j->size, CALL)
#undef CALL
#undef CALL_MASKED
  grid_pairs_end(&r.pairs);
  return r.n;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* *one (of z's type, freed by the caller) = the value of all entries, if both sides have one and the same;
 * else NULL. */
static GrB_Info find_iso(union_job *j, GrB_Type type, void **one) {
  const size_t size = type->size;
  char *v = NULL;
  const grid_local_matrix *p[2] = {j->a.lmat[X].p, j->a.lmat[Y].p};
  size_t n = 0;
  *one = NULL;
  for (int k = X; k <= Y; k++)
    if (grid_aligned_entries(&j->a.lmat[k]) && !p[k]->iso) return GrB_SUCCESS;
  v = grid_calloc(3, size);
  if (!v) return grid_fail_memory(NULL, "a matrix value", 3, size);
  for (int k = X; k <= Y; k++)
    if (p[k] && grid_aligned_entries(&j->a.lmat[k])) make_unpaired(j, k, v + n++ * size, p[k]->iso_val, 1, 1);
  if (n == 2 && j->u->op) grid_binary_apply(&j->both, v + n++ * size, p[X]->iso_val, p[Y]->iso_val);
  bool same = n > 0;
  for (size_t k = 1; k < n; k++) same = same && memcmp(v, v + k * size, size) == 0;
  if (same)
    *one = v;
  else
    grid_free(v);
  return GrB_SUCCESS;
}

/* Lays out a thread's workspace; returns its size. */
static size_t plan_workspace(union_job *j, GrB_Type type) {
  size_t at = 0;
  for (int k = X; k <= Y; k++) {
    const grid_local_matrix *p = j->a.lmat[k].p;
    j->copied[k] =
        j->size && grid_aligned_entries(&j->a.lmat[k]) && (p->iso || j->defaults || p->type != type);
    j->unpaired_at[k] = at;
    if (j->copied[k]) at += (j->splits.most * j->size + 15) / 16 * 16;
    j->list_at[k] = at;
    if (j->masked) at += (j->splits.most * 2 * sizeof(uint32_t) + 15) / 16 * 16;
  }
  j->mask_at = at;
  if (j->masked) at += grid_restrict_workspace(j->splits.most);
  return at;
}

static GrB_Info align(union_job *j, const grid_local_matrix *z, const grid_union *u) {
  j->masked = u->side_x == GRID_SIDE_IN_MASK || u->side_x == GRID_SIDE_OUTSIDE_MASK ||
              u->side_y == GRID_SIDE_IN_MASK || u->side_y == GRID_SIDE_OUTSIDE_MASK;
  j->n = j->masked ? 3 : 2;
  const grid_local_matrix *lmat[3] = {u->side_x == GRID_SIDE_NONE ? NULL : u->x,
                                      u->side_y == GRID_SIDE_NONE ? NULL : u->y, u->mask};
  return grid_lmat_align(&j->a, z->row.dim, z->col.dim, lmat, j->n);
}

static GrB_Info bind_operators(union_job *j, GrB_Type z) {
  const grid_union *u = j->u;
  GrB_Info info = GrB_SUCCESS;
  for (int k = X; k <= Y && !j->defaults; k++)
    if (j->a.lmat[k].p) j->unpaired[k] = grid_copier_bind(z, j->a.lmat[k].p->type);
  if (!u->op) return info;
  if (u->x && u->y) TRY(grid_binary_bind(&j->both, u->op, z, u->x->type, u->y->type));
  if (j->defaults && u->x) TRY(grid_binary_bind(&j->with_default[X], u->op, z, u->x->type, u->op->y));
  if (j->defaults && u->y) TRY(grid_binary_bind(&j->with_default[Y], u->op, z, u->op->x, u->y->type));
done:
  return info;
}

GrB_Info grid_cpu_lmat_union(grid_local_matrix *z, const grid_union *u) {
  union_job j = {.u = u, .defaults = u->x_absent != NULL};
  void *one = NULL;
  GrB_Info info;
  TRY(align(&j, z, u));
  TRY(bind_operators(&j, z->type));
  TRY(find_iso(&j, z->type, &one));
  j.size = one ? 0 : z->type->size;
  TRY(grid_split_rows(&j.splits, &j.a, grid_split_entries(&j.a, sizeof(uint32_t) + z->type->size)));
  TRY(grid_aligned_copy_axes(z, &j.a));
  const grid_fill f = {.task = run_task,
                       .context = &j,
                       .splits = &j.splits,
                       .most = j.splits.most,
                       .bound = grid_aligned_entries(&j.a.lmat[X]) + grid_aligned_entries(&j.a.lmat[Y]),
                       .values = j.size != 0,
                       .workspace = plan_workspace(&j, z->type)};
  TRY(grid_lmat_fill_rows(z, &f));
  if (one) TRY(grid_lmat_set_iso(z, one));
  TRY(grid_lmat_choose_format(z));
done:
  if (info != GrB_SUCCESS) grid_lmat_free(z);
  grid_binary_free(&j.both);
  for (int k = X; k <= Y; k++) grid_binary_free(&j.with_default[k]);
  grid_free(one);
  grid_free(j.splits.split);
  grid_aligned_free(&j.a);
  return info;
}
