/* Element-wise operations where an operand is a list, and so is the result. */
#include "spmat/cpu/vector/vec_ewise.h"
#include "spmat/vector/value_sizes.h"

/* Most segments that two lists are divided into. */
enum { MAX_SEGMENTS = 64 };

/* to[k] = x[at[k]], values of 8 bytes at most; or x itself, which is one value. */
static const char *gather(uint64_t *to, const grid_chunk *c, const uint64_t *at, size_t n) {
  const char *x = c->val;
  if (c->iso) return x;
#define CALL(S) \
  for (size_t k = 0; k < n; k++) memcpy((char *)to + k * (S), x + at[k] * (S), S)
  GRID_BY_SIZE(c->type->size, CALL)
#undef CALL
  return (const char *)to;
}

/* Entries n .. n + m - 1 of t from the entries at[0] and at[1] [0 .. m) of c[0] and c[1]. */
static void combine(const grid_ewise *e, const grid_chunk *const c[2], uint64_t n, uint64_t at[2][64],
                    size_t m) {
  uint64_t value[2][64];
  const char *x[2];
  const bool by_u = c[0] == e->u.c;
  char *z = (char *)e->t->val + n * e->t->type->size;
  if (e->t->iso) return;
  if (c[0]->type->size > 8 || c[1]->type->size > 8) {
    for (size_t k = 0; k < m; k++) {
      for (int s = 0; s < 2; s++)
        x[s] = (const char *)c[s]->val + (c[s]->iso ? 0 : at[s][k]) * c[s]->type->size;
      grid_binary_apply(&e->op, z + k * e->t->type->size, x[!by_u], x[by_u]);
    }
    return;
  }
  for (int s = 0; s < 2; s++) x[s] = gather(value[s], c[s], at[s], m);
  grid_binary_run(&e->op, z, x[!by_u], !c[!by_u]->iso, x[by_u], !c[by_u]->iso, m);
}

/* Entries from .. to - 1 of the list c[0] whose indices c[1] has, too, become t's from number `from` on;
 * returns how many. Without a data-dependent branch. */
static uint64_t match_segment(const grid_ewise *e, const grid_chunk *const c[2], uint64_t from, uint64_t to) {
  const uint64_t *a = c[0]->idx, *b = c[1]->idx, most = c[1]->nvals;
  uint64_t *idx = e->t->idx, at[2][64], n = from, i = from,
           j = from < to ? grid_lower_bound(b, 0, most, a[from]) : 0;
  while (i < to && j < most) {
    size_t m = 0;
    /* The next index of either list is loaded before it is known which one is needed. */
    for (uint64_t x = a[i], y = b[j]; i + 1 < to && j + 1 < most && m < 64;) {
      const uint64_t x_next = a[i + 1], y_next = b[j + 1];
      const bool of_x = x <= y, of_y = y <= x;
      idx[n + m] = x;
      at[0][m] = i, at[1][m] = j;
      m += of_x & of_y;
      i += of_x, j += of_y;
      x = of_x ? x_next : x, y = of_y ? y_next : y;
    }
    for (; i < to && j < most && m < 64;) {
      const uint64_t x = a[i], y = b[j];
      idx[n + m] = x;
      at[0][m] = i, at[1][m] = j;
      m += x == y;
      i += x <= y, j += y <= x;
    }
    combine(e, c, n, at, m);
    n += m;
  }
  return n - from;
}

/* Into how many segments a list of n entries is divided, one a thread. */
static uint64_t list_segments(uint64_t n) {
  const int threads = n >= 2048 ? grid_work_threads(GRID_PARALLEL_WORK) : 1;
  return threads < MAX_SEGMENTS ? (uint64_t)threads : MAX_SEGMENTS;
}

/* The entries of t are count[p] from number start[p] on, for each segment p. */
static void close_gaps(grid_chunk *t, const uint64_t *start, const uint64_t *count, uint64_t segments) {
  const size_t size = t->type->size;
  char *val = t->val;
  t->nvals = count[0];
  for (uint64_t p = 1; p < segments; t->nvals += count[p++]) {
    memmove(t->idx + t->nvals, t->idx + start[p], count[p] * sizeof *t->idx);
    if (!t->iso) memmove(val + t->nvals * size, val + start[p] * size, count[p] * size);
  }
}

/* Both are lists of similar length. */
void grid_ewise_match_lists(const grid_ewise *e) {
  const bool by_u = e->u.c->nvals <= e->v.c->nvals;
  const grid_chunk *const c[2] = {by_u ? e->u.c : e->v.c, by_u ? e->v.c : e->u.c};
  const uint64_t n = c[0]->nvals, segments = list_segments(n);
  uint64_t start[MAX_SEGMENTS], count[MAX_SEGMENTS];
  if (grid_is_serial((int)segments)) {
    e->t->nvals = match_segment(e, c, 0, n);
    return;
  }
#pragma omp parallel for schedule(static) num_threads((int)segments)
  for (uint64_t p = 0; p < segments; p++) {
    start[p] = n * p / segments;
    count[p] = match_segment(e, c, start[p], n * (p + 1) / segments);
  }
  close_gaps(e->t, start, count, segments);
}

/* ---- the union of two lists ---------------------------------------------------------------------------- */

/* The entries of a list from number `at` to `end` - 1. */
typedef struct {
  uint64_t at, end;
} entries;

/* Up to 64 entries of the union, of which bit k of of[s] says whether u (s = 0) or v (1) has entry k: its
 * entry number at[s][k]. */
typedef struct {
  uint64_t of[2], at[2][64];
  size_t n;
} union_word;

/* Their values, to z. */
static void unite_values(const grid_ewise *e, char *z, const union_word *w) {
  const grid_chunk *u = e->u.c, *v = e->v.c;
  const size_t us = u->iso ? 0 : u->type->size, vs = v->iso ? 0 : v->type->size;
  const uint64_t both = w->of[0] & w->of[1];
  uint64_t value[2][64];
  if (us > sizeof **value || vs > sizeof **value) {
    for (size_t k = 0; k < w->n; k++, z += e->t->type->size) {
      const char *x = (const char *)u->val + w->at[0][k] * us, *y = (const char *)v->val + w->at[1][k] * vs;
      if (both >> k & 1)
        grid_binary_apply(&e->op, z, x, y);
      else if (w->of[0] >> k & 1)
        grid_ewise_unpaired_value(&e->u, z, x);
      else
        grid_ewise_unpaired_value(&e->v, z, y);
    }
    return;
  }
  const char *x = gather(value[0], u, w->at[0], w->n), *y = gather(value[1], v, w->at[1], w->n);
  if (both) grid_binary_word(&e->op, z, x, !u->iso, y, !v->iso, both);
  grid_ewise_unpaired_bits(&e->u, z, x, w->of[0] & ~both);
  grid_ewise_unpaired_bits(&e->v, z, y, w->of[1] & ~both);
}

/* w = the next entries while both lists have some; their indices to idx. Without a data-dependent branch. */
static void next_union(union_word *w, const uint64_t *a, entries *u, const uint64_t *b, entries *v,
                       uint64_t *idx) {
  const uint64_t a_end = u->end, b_end = v->end;
  uint64_t i = u->at, j = v->at, of_a = 0, of_b = 0;
  size_t n = 0;
  for (uint64_t x = a[i], y = b[j]; i + 1 < a_end && j + 1 < b_end && n < 64; n++) {
    const uint64_t x_next = a[i + 1], y_next = b[j + 1]; /* as in match_segment */
    const bool of_x = x <= y, of_y = y <= x;
    idx[n] = x < y ? x : y;
    w->at[0][n] = i, w->at[1][n] = j;
    of_a |= (uint64_t)of_x << n, of_b |= (uint64_t)of_y << n;
    i += of_x, j += of_y;
    x = of_x ? x_next : x, y = of_y ? y_next : y;
  }
  for (; i < a_end && j < b_end && n < 64; n++) {
    const uint64_t x = a[i], y = b[j];
    const bool of_x = x <= y, of_y = y <= x;
    idx[n] = x < y ? x : y;
    w->at[0][n] = i, w->at[1][n] = j;
    of_a |= (uint64_t)of_x << n, of_b |= (uint64_t)of_y << n;
    i += of_x, j += of_y;
  }
  u->at = i, v->at = j;
  w->n = n;
  w->of[0] = of_a, w->of[1] = of_b;
}

/* Entries that the other list has not become t's from number n on; returns how many. */
static uint64_t append_unpaired(const grid_ewise *e, const grid_ewise_operand *o, entries l, uint64_t n) {
  const uint64_t count = l.end - l.at;
  const size_t size = o->c->iso ? 0 : o->size, step = !o->c->iso;
  const char *x = (const char *)o->c->val + l.at * size;
  char *z = (char *)e->t->val + n * e->t->type->size;
  if (!count) return 0;
  memcpy(e->t->idx + n, o->c->idx + l.at, count * sizeof *e->t->idx);
  if (e->t->iso) return count;
  if (!o->with_default)
    grid_copy_run(&o->unpaired, z, x, step, count);
  else if (o->first)
    grid_binary_run(o->with_default, z, x, step, o->other, 0, count);
  else
    grid_binary_run(o->with_default, z, o->other, 0, x, step, count);
  return count;
}

/* The union of entries u and v becomes t's from number `from` on; returns how many. */
static uint64_t unite_segment(const grid_ewise *e, entries u, entries v, uint64_t from) {
  grid_chunk *t = e->t;
  uint64_t n = from;
  union_word w;
  while (u.at < u.end && v.at < v.end) {
    next_union(&w, e->u.c->idx, &u, e->v.c->idx, &v, t->idx + n);
    if (!t->iso) unite_values(e, (char *)t->val + n * t->type->size, &w);
    n += w.n;
  }
  n += append_unpaired(e, &e->u, u, n);
  n += append_unpaired(e, &e->v, v, n);
  return n - from;
}

/* The start of segment p of the segments of list a and, in *b_at, of list b, whose indices are not below. */
static uint64_t segment_start(const grid_chunk *a, const grid_chunk *b, uint64_t p, uint64_t segments,
                              uint64_t *b_at) {
  const uint64_t at = a->nvals * p / segments;
  *b_at = p == 0 ? 0 : p == segments ? b->nvals : grid_lower_bound(b->idx, 0, b->nvals, a->idx[at]);
  return at;
}

/* t, u and v are lists. */
void grid_ewise_unite_lists(const grid_ewise *e) {
  const grid_chunk *u = e->u.c, *v = e->v.c;
  const bool by_u = u->nvals >= v->nvals;
  const grid_chunk *a = by_u ? u : v, *b = by_u ? v : u;
  const uint64_t segments = list_segments(a->nvals);
  uint64_t start[MAX_SEGMENTS], count[MAX_SEGMENTS];
  if (grid_is_serial((int)segments)) {
    e->t->nvals = unite_segment(e, (entries){0, u->nvals}, (entries){0, v->nvals}, 0);
    return;
  }
#pragma omp parallel for schedule(static) num_threads((int)segments)
  for (uint64_t p = 0; p < segments; p++) {
    entries x, y;
    x.at = segment_start(a, b, p, segments, &y.at);
    x.end = segment_start(a, b, p + 1, segments, &y.end);
    start[p] = x.at + y.at;
    count[p] = unite_segment(e, by_u ? x : y, by_u ? y : x, start[p]);
  }
  close_gaps(e->t, start, count, segments);
}

/* Intersection with at least one list, whose entries are looked up in the other operand. */
void grid_ewise_intersect_list(const grid_ewise *e) {
  grid_chunk *t = e->t;
  const grid_chunk *u = e->u.c, *v = e->v.c;
  const bool by_u = u->format == GRID_LIST && (v->format != GRID_LIST || u->nvals <= v->nvals);
  const grid_chunk *a = by_u ? u : v, *b = by_u ? v : u;
  grid_cursor other = grid_cursor_chunk(b);
  const size_t zs = t->type->size, as = a->type->size, bs = b->type->size;
  uint64_t n = 0;
  for (uint64_t k = 0; k < a->nvals; k++) {
    uint64_t i = a->idx[k];
    if (!grid_cursor_has(&other, i)) continue;
    t->idx[n] = i;
    if (!t->iso) {
      const char *x = (const char *)a->val + (a->iso ? 0 : k) * as;
      const char *y = (const char *)b->val + (b->iso ? 0 : b->format == GRID_LIST ? other.k : i) * bs;
      grid_binary_apply(&e->op, (char *)t->val + n * zs, by_u ? x : y, by_u ? y : x);
    }
    n++;
  }
  t->nvals = n;
}

/* Intersects entries k .. k + n - 1 of the list a with the full chunk b, whose values are gathered. */
static void intersect_block(const grid_ewise *e, const grid_chunk *a, const grid_chunk *b, uint64_t k,
                            size_t n) {
  memcpy(e->t->idx + k, a->idx + k, n * sizeof *a->idx);
  if (e->t->iso) return;
  const size_t as = a->iso ? 0 : a->type->size, bs = b->type->size, zs = e->t->type->size;
  const bool by_u = a == e->u.c;
  const char *x = (const char *)a->val + k * as, *y = b->val;
  char *z = (char *)e->t->val + k * zs;
  uint64_t partner[64];
  if (bs > sizeof *partner) {
    for (size_t l = 0; l < n; l++, x += as) {
      const char *p = b->iso ? y : y + a->idx[k + l] * bs;
      grid_binary_apply(&e->op, z + l * zs, by_u ? x : p, by_u ? p : x);
    }
    return;
  }
  y = gather(partner, b, a->idx + k, n);
  if (by_u)
    grid_binary_run(&e->op, z, x, !a->iso, y, !b->iso, n);
  else
    grid_binary_run(&e->op, z, y, !b->iso, x, !a->iso, n);
}

/* A list and a full chunk: the result has the list's indices. */
void grid_ewise_intersect_full(const grid_ewise *e) {
  const grid_chunk *a = e->u.c->format == GRID_LIST ? e->u.c : e->v.c, *b = a == e->u.c ? e->v.c : e->u.c;
  const uint64_t n = a->nvals;
  const int threads = n >= 16384 ? grid_work_threads(GRID_PARALLEL_WORK) : 1;
  e->t->nvals = n;
  if (grid_is_serial(threads)) {
    for (uint64_t k = 0; k < n; k += 64) intersect_block(e, a, b, k, n - k < 64 ? n - k : 64);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t k = 0; k < n; k += 64) intersect_block(e, a, b, k, n - k < 64 ? n - k : 64);
}
