/* part_union.c: see part_union.h.
 *
 * Entries of one side alone are copied; places of both are noted, and the operator goes over arrays of them.
 * A side that a mask restricts becomes a list of its columns and their places first, row by row. */
#include "spmat/cpu/join/part_union.h"

#include <string.h>

#include "spmat/cpu/rows/part_fill.h"
#include "spmat/cpu/join/part_pairs.h"
#include "spmat/cpu/join/part_restrict.h"
#include "spmat/vector/bound.h"
#include "spmat/vector/by_size.h"

enum { X, Y, MASK };

typedef struct {
  const grid_union *u;
  grid_aligned a;
  size_t n; /* parts: with the mask, or without */
  grid_row_cuts cuts;
  grid_copier lone[2];                    /* x and y as entries of the result */
  bool copied[2];                         /* ... go through a buffer of the task */
  size_t lone_at[2], list_at[2], mask_at; /* of a thread's room */
  size_t size;                            /* of a value of the result; 0: iso */
  bool masked;
  grid_binary both;
} joining;

/* One task. */
typedef struct {
  const joining *j;
  const grid_fill_to *to;
  const char *lone[2]; /* values of the result's type from the task's first entry on */
  uint64_t first[2];   /* number of that entry */
  grid_pairs pairs;
  uint64_t n; /* entries made */
} run;

/* Entries of one side in one row. */
typedef struct {
  const uint32_t *idx, *place; /* place NULL: first, first + 1, ... */
  uint32_t first;              /* counted from the task's first entry */
  uint64_t n;
} side;

static inline uint32_t place_of(const side *s, uint64_t k) {
  return s->place ? s->place[k] : s->first + (uint32_t)k;
}

/* ---- joining two sides ----------------------------------------------------------------------------------
 */

GRID_ALWAYS_INLINE void put(run *r, uint64_t n, const side *s, int which, uint64_t k, size_t size) {
  r->to->idx[n] = s->idx[k];
  if (size) memcpy(r->to->val + n * size, r->lone[which] + place_of(s, k) * size, size);
}

/* What is left of one side when the other has ended. */
GRID_ALWAYS_INLINE uint64_t put_rest(run *r, uint64_t n, const side *s, int which, uint64_t k, size_t size) {
  const uint64_t left = s->n - k;
  if (s->place) {
    for (; k < s->n; k++) put(r, n++, s, which, k, size);
    return n;
  }
  if (left == 0) return n;
  // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a side without a list has nothing left
  memcpy(r->to->idx + n, s->idx + k, left * sizeof *s->idx);
  if (size) memcpy(r->to->val + n * size, r->lone[which] + (s->first + k) * size, left * size);
  return n + left;
}

GRID_ALWAYS_INLINE void join(run *r, const side *x, const side *y, size_t size) {
  uint64_t i = 0, k = 0, n = r->n;
  while (i < x->n && k < y->n) {
    const uint32_t a = x->idx[i], b = y->idx[k];
    if (a < b) {
      put(r, n++, x, X, i++, size);
    } else if (b < a) {
      put(r, n++, y, Y, k++, size);
    } else {
      r->to->idx[n] = a;
      if (size) grid_pairs_note(&r->pairs, n, place_of(x, i), place_of(y, k));
      n++, i++, k++;
    }
  }
  n = put_rest(r, n, x, X, i, size);
  r->n = put_rest(r, n, y, Y, k, size);
}

/* ---- tasks ----------------------------------------------------------------------------------------------
 */

/* A side's entries in the piece, restricted by the mask's. */
static side side_of(const run *r, int which, const grid_piece *p, const grid_restrict_mask *mask) {
  const joining *j = r->j;
  const grid_keep keep = which == X ? j->u->keep_x : j->u->keep_y;
  side s = {.idx = j->a.part[which].idx + p->from[which],
            .first = (uint32_t)(p->from[which] - r->first[which]),
            .n = p->to[which] - p->from[which]};
  if (s.n == 0 || keep == GRID_KEEP_ALL) return s;
  uint32_t *list = (uint32_t *)(void *)((char *)r->to->room + j->list_at[which]);
  const uint64_t n =
      grid_restrict(list, list + j->cuts.most, s.idx, s.n, s.first, mask, keep == GRID_KEEP_IN);
  return (side){.idx = list, .place = list + j->cuts.most, .n = n};
}

GRID_ALWAYS_INLINE void run_pieces(run *r, const grid_cut *cut, size_t size) {
  const joining *j = r->j;
  grid_piece p = {0};
  grid_restrict_mask mask = {0};
  for (grid_piece_begin(&p, cut); grid_piece_next(&p, &j->a, j->n, cut);) {
    if (j->masked)
      mask = grid_restrict_read(&j->a.part[MASK], p.from[MASK], p.to[MASK], j->u->structure,
                                (char *)r->to->room + j->mask_at);
    const side x = side_of(r, X, &p, &mask), y = side_of(r, Y, &p, &mask);
    join(r, &x, &y, size);
    if (p.ends) grid_offset_set(r->to->start, p.row + 1, r->n);
  }
}

/* Values of one side as they stand in the result: those of the part, or cast (or repeated) in a buffer. */
static void read_lone(run *r, int which, const grid_cut *cut) {
  const joining *j = r->j;
  const grid_part *p = j->a.part[which].p;
  const uint64_t from = r->first[which] = cut[0].at[which], n = cut[1].at[which] - from;
  if (!p || n == 0 || j->size == 0) return;
  const char *val = p->iso ? p->iso_val : (char *)p->by_row.val + from * p->type->size;
  r->lone[which] = val;
  if (!j->copied[which]) return;
  char *room = (char *)r->to->room + j->lone_at[which];
  grid_copy_run(&j->lone[which], room, val, !p->iso, n);
  r->lone[which] = room;
}

static uint64_t run_task(const void *context, const grid_cut *cut, const grid_fill_to *to) {
  const joining *j = context;
  run r;
  r.j = j, r.to = to, r.n = 0; /* not the buffers of its pairs */
  read_lone(&r, X, cut);
  read_lone(&r, Y, cut);
  r.pairs.op = &j->both, r.pairs.z = to->val, r.pairs.n = 0;
  r.pairs.x = j->a.part[X].p, r.pairs.first_x = r.first[X];
  r.pairs.y = j->a.part[Y].p, r.pairs.first_y = r.first[Y];
#define CALL(S) run_pieces(&r, cut, S)
  if (j->size == 0)
    run_pieces(&r, cut, 0);
  else
    GRID_BY_SIZE(j->size, CALL)
#undef CALL
  grid_pairs_end(&r.pairs);
  return r.n;
}

/* ---- the whole ------------------------------------------------------------------------------------------
 */

/* *one (of z's type, to be freed) = the value of all entries, where both sides have one alike; else NULL. */
static GrB_Info find_one(joining *j, GrB_Type type, void **one) {
  const size_t size = type->size;
  char *v = NULL;
  const grid_part *p[2] = {j->a.part[X].p, j->a.part[Y].p};
  size_t n = 0;
  *one = NULL;
  for (int k = X; k <= Y; k++)
    if (grid_aligned_entries(&j->a.part[k]) && !p[k]->iso) return GrB_SUCCESS;
  v = grid_calloc(3, size);
  if (!v) return grid_fail_memory(NULL, "a matrix value", 3, size);
  for (int k = X; k <= Y; k++)
    if (grid_aligned_entries(&j->a.part[k])) grid_copy_one(&j->lone[k], v + n++ * size, p[k]->iso_val);
  if (n == 2 && j->u->op) grid_binary_one(&j->both, v + n++ * size, p[X]->iso_val, p[Y]->iso_val);
  bool same = n > 0;
  for (size_t k = 1; k < n; k++) same = same && memcmp(v, v + k * size, size) == 0;
  if (same)
    *one = v;
  else
    grid_free(v);
  return GrB_SUCCESS;
}

/* Where what is in a thread's room; returns how long it is. */
static size_t plan_room(joining *j, GrB_Type type) {
  size_t at = 0;
  for (int k = X; k <= Y; k++) {
    const grid_part *p = j->a.part[k].p;
    j->copied[k] = j->size && grid_aligned_entries(&j->a.part[k]) && (p->iso || p->type != type);
    j->lone_at[k] = at;
    if (j->copied[k]) at += (j->cuts.most * j->size + 15) / 16 * 16;
    j->list_at[k] = at;
    if (j->masked) at += (j->cuts.most * 2 * sizeof(uint32_t) + 15) / 16 * 16;
  }
  j->mask_at = at;
  if (j->masked) at += grid_restrict_room(j->cuts.most);
  return at;
}

static GrB_Info align(joining *j, const grid_part *z, const grid_union *u) {
  j->masked = u->keep_x == GRID_KEEP_IN || u->keep_x == GRID_KEEP_OUT || u->keep_y == GRID_KEEP_IN ||
              u->keep_y == GRID_KEEP_OUT;
  j->n = j->masked ? 3 : 2;
  const grid_part *part[3] = {u->keep_x == GRID_KEEP_NONE ? NULL : u->x,
                              u->keep_y == GRID_KEEP_NONE ? NULL : u->y, u->mask};
  return grid_part_align(&j->a, z->row.dim, z->col.dim, part, j->n);
}

GrB_Info grid_part_union(grid_part *z, const grid_union *u) {
  joining j = {.u = u};
  void *one = NULL;
  GrB_Info info;
  TRY(align(&j, z, u));
  for (int k = X; k <= Y; k++)
    if (j.a.part[k].p) j.lone[k] = grid_copier_bind(z->type, j.a.part[k].p->type);
  if (u->op && u->x && u->y) TRY(grid_binary_bind(&j.both, u->op, z->type, u->x->type, u->y->type));
  TRY(find_one(&j, z->type, &one));
  j.size = one ? 0 : z->type->size;
  TRY(grid_cut_rows(&j.cuts, &j.a, grid_cut_entries(&j.a, sizeof(uint32_t) + z->type->size)));
  TRY(grid_aligned_axes(z, &j.a));
  const grid_fill f = {.task = run_task,
                       .context = &j,
                       .cuts = &j.cuts,
                       .most = j.cuts.most,
                       .bound = grid_aligned_entries(&j.a.part[X]) + grid_aligned_entries(&j.a.part[Y]),
                       .values = j.size != 0,
                       .room = plan_room(&j, z->type)};
  TRY(grid_part_fill(z, &f));
  if (one) TRY(grid_part_set_one(z, one));
  TRY(grid_part_conform(z));
done:
  if (info != GrB_SUCCESS) grid_part_free(z);
  grid_binary_free(&j.both);
  grid_free(one);
  grid_free(j.cuts.cut);
  grid_aligned_free(&j.a);
  return info;
}
