/* t = u (op) v, entry by entry, on the union or the intersection of two chunks. */
#include "spmat/cpu/vector/vec_cpu.h"
#include "spmat/vector/value_sizes.h"

/* Most segments that two lists are divided into. */
enum { MAX_SEGMENTS = 64 };

/* An operand of a loop over words. */
typedef struct {
  const grid_chunk *c;
  grid_cursor set;
  uint64_t word; /* the word read last */
  size_t size;
  grid_copier unpaired; /* its value where the other operand has none ... */
  /* ... or, instead, op of it and the other operand's default */
  grid_binary *with_default;
  const void *other;
  bool first; /* it is op's first operand */
} operand;

typedef struct {
  grid_chunk *t;
  operand u, v;
  grid_binary op;
  bool add;
} ewise;

static operand operand_of(const grid_chunk *c, GrB_Type z, bool add) {
  operand o = {.c = c, .set = grid_cursor_chunk(c), .size = c->type->size};
  if (add) o.unpaired = grid_copier_bind(z, c->type);
  return o;
}

/* Value of the operand at bit b of word w, where it has an entry. */
static const char *value(const operand *o, uint64_t w, uint64_t b) {
  const char *x = o->c->val;
  if (o->c->iso) return x;
  if (o->c->format != GRID_LIST) return x + (64 * w + b) * o->size;
  return x + (o->set.at + grid_popcount(o->word & ((UINT64_C(1) << b) - 1))) * o->size;
}

static bool packed(const operand *o) {
  return o->c->format == GRID_LIST && !o->c->iso;
}

static void unpaired_value(const operand *o, char *z, const char *x) {
  if (!o->with_default)
    grid_copy_value(&o->unpaired, z, x);
  else
    grid_binary_apply(o->with_default, z, o->first ? x : o->other, o->first ? o->other : x);
}

static void unpaired_values(const operand *o, char *z, size_t zs, uint64_t w, uint64_t s) {
  if (packed(o)) {
    for (; s; s &= s - 1) unpaired_value(o, z + grid_low_bit(s) * zs, value(o, w, grid_low_bit(s)));
    return;
  }
  if (!s) return;
  const char *x = value(o, w, 0);
  if (!o->with_default)
    grid_copy_bits(&o->unpaired, z, x, !o->c->iso, s);
  else if (o->first)
    grid_binary_bits(o->with_default, z, x, !o->c->iso, o->other, 0, s);
  else
    grid_binary_bits(o->with_default, z, o->other, 0, x, !o->c->iso, s);
}

static void word_values(const ewise *e, uint64_t w) {
  const size_t zs = e->t->type->size;
  char *z = (char *)e->t->val + 64 * w * zs;
  const uint64_t U = e->u.word, V = e->v.word;
  if (packed(&e->u) || packed(&e->v)) {
    for (uint64_t s = U & V; s; s &= s - 1) {
      uint64_t b = grid_low_bit(s);
      grid_binary_apply(&e->op, z + b * zs, value(&e->u, w, b), value(&e->v, w, b));
    }
  } else if (U & V) {
    grid_binary_word(&e->op, z, value(&e->u, w, 0), !e->u.c->iso, value(&e->v, w, 0), !e->v.c->iso, U & V);
  }
  if (!e->add) return;
  unpaired_values(&e->u, z, zs, w, U & ~V);
  unpaired_values(&e->v, z, zs, w, V & ~U);
}

/* Words w .. end - 1 of t; returns how many entries they have. */
static uint64_t ewise_range(const ewise *all, uint64_t w, uint64_t end) {
  ewise e = *all;
  grid_chunk *t = e.t;
  uint64_t count = 0;
  grid_cursor_seek(&e.u.set, w);
  grid_cursor_seek(&e.v.set, w);
  for (; w < end; w++) {
    e.u.word = grid_cursor_word(&e.u.set, w);
    e.v.word = grid_cursor_word(&e.v.set, w);
    uint64_t r = e.add ? e.u.word | e.v.word : e.u.word & e.v.word;
    if (r && !t->iso) word_values(&e, w);
    if (t->format == GRID_BITMAP) t->bits[w] = r;
    count += grid_popcount(r);
  }
  return count;
}

/* t is bitmap or full. */
static void ewise_words(const ewise *e) {
  const uint64_t words = grid_words(e->t->n);
  const int threads = grid_word_threads(words);
  uint64_t count = 0;
  if (grid_is_serial(threads)) {
    count = ewise_range(e, 0, words);
  } else {
#pragma omp parallel reduction(+ : count) num_threads(threads)
    {
      const uint64_t id = grid_thread(), all = grid_threads();
      count += ewise_range(e, words * id / all, words * (id + 1) / all);
    }
  }
  e->t->nvals = count;
}

/* t, u and v are lists. */
static void merge_lists(const ewise *e) {
  grid_chunk *t = e->t;
  const grid_chunk *u = e->u.c, *v = e->v.c;
  const size_t zs = t->type->size, us = u->type->size, vs = v->type->size;
  uint64_t ku = 0, kv = 0, n = 0;
  while (ku < u->nvals || kv < v->nvals) {
    uint64_t iu = ku < u->nvals ? u->idx[ku] : UINT64_MAX, iv = kv < v->nvals ? v->idx[kv] : UINT64_MAX;
    uint64_t i = iu < iv ? iu : iv;
    const char *x = (const char *)u->val + (u->iso ? 0 : ku) * us,
               *y = (const char *)v->val + (v->iso ? 0 : kv) * vs;
    char *z = (char *)t->val + n * zs;
    t->idx[n++] = i;
    if (t->iso) { /* no values */
    } else if (iu == iv) {
      grid_binary_apply(&e->op, z, x, y);
    } else if (iu == i) {
      unpaired_value(&e->u, z, x);
    } else {
      unpaired_value(&e->v, z, y);
    }
    ku += iu == i, kv += iv == i;
  }
  t->nvals = n;
}

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
static void combine(const ewise *e, const grid_chunk *const c[2], uint64_t n, uint64_t at[2][64], size_t m) {
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
static uint64_t match_segment(const ewise *e, const grid_chunk *const c[2], uint64_t from, uint64_t to) {
  const uint64_t *a = c[0]->idx, *b = c[1]->idx, most = c[1]->nvals;
  uint64_t at[2][64], n = from, i = from, j = from < to ? grid_lower_bound(b, 0, most, a[from]) : 0;
  while (i < to && j < most) {
    size_t m = 0;
    for (; i < to && j < most && m < 64;) {
      const uint64_t x = a[i], y = b[j];
      e->t->idx[n + m] = x;
      at[0][m] = i, at[1][m] = j;
      m += x == y;
      i += x <= y, j += y <= x;
    }
    combine(e, c, n, at, m);
    n += m;
  }
  return n - from;
}

/* Both are lists of similar length. */
static void match_lists(const ewise *e) {
  const bool by_u = e->u.c->nvals <= e->v.c->nvals;
  const grid_chunk *const c[2] = {by_u ? e->u.c : e->v.c, by_u ? e->v.c : e->u.c};
  const uint64_t n = c[0]->nvals, size = e->t->type->size;
  const int threads = n >= 2048 ? grid_word_threads(GRID_PARALLEL_WORDS) : 1;
  uint64_t count[MAX_SEGMENTS] = {0}, segments = threads < MAX_SEGMENTS ? (uint64_t)threads : MAX_SEGMENTS;
  char *val = e->t->val;
  if (grid_is_serial(threads)) {
    e->t->nvals = match_segment(e, c, 0, n);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t p = 0; p < segments; p++)
    count[p] = match_segment(e, c, n * p / segments, n * (p + 1) / segments);
  uint64_t all = count[0];
  for (uint64_t p = 1; p < segments; all += count[p++]) {
    const uint64_t from = n * p / segments;
    memmove(e->t->idx + all, e->t->idx + from, count[p] * sizeof *e->t->idx);
    if (!e->t->iso) memmove(val + all * size, val + from * size, count[p] * size);
  }
  e->t->nvals = all;
}

/* Intersection with at least one list, whose entries are looked up in the other operand. */
static void intersect_list(const ewise *e) {
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

/* Indices k .. k + n - 1, which have an entry in both. */
static void full_range(const ewise *e, uint64_t k, uint64_t n) {
  const grid_chunk *t = e->t, *u = e->u.c, *v = e->v.c;
  const size_t zs = t->type->size, us = u->iso ? 0 : u->type->size, vs = v->iso ? 0 : v->type->size;
  grid_binary_run(&e->op, (char *)t->val + k * zs, (const char *)u->val + k * us, !u->iso,
                  (const char *)v->val + k * vs, !v->iso, n);
}

/* Every index has an entry in both. */
static void ewise_full(const ewise *e) {
  const uint64_t n = e->t->n, block = 4096;
  const int threads = grid_word_threads(grid_words(n));
  e->t->nvals = n;
  if (grid_is_serial(threads)) {
    full_range(e, 0, n);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t k = 0; k < n; k += block) full_range(e, k, n - k < block ? n - k : block);
}

/* Intersects entries k .. k + n - 1 of the list a with the full chunk b, whose values are gathered. */
static void intersect_block(const ewise *e, const grid_chunk *a, const grid_chunk *b, uint64_t k, size_t n) {
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
static void intersect_full(const ewise *e) {
  const grid_chunk *a = e->u.c->format == GRID_LIST ? e->u.c : e->v.c, *b = a == e->u.c ? e->v.c : e->u.c;
  const uint64_t n = a->nvals;
  const int threads = n >= 16384 ? grid_word_threads(GRID_PARALLEL_WORDS) : 1;
  e->t->nvals = n;
  if (grid_is_serial(threads)) {
    for (uint64_t k = 0; k < n; k += 64) intersect_block(e, a, b, k, n - k < 64 ? n - k : 64);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t k = 0; k < n; k += 64) intersect_block(e, a, b, k, n - k < 64 ? n - k : 64);
}

/* Do all entries of the result share one value? Then *z is it. */
static bool find_iso_result(const ewise *e, char *z) {
  const grid_chunk *u = e->u.c, *v = e->v.c;
  const size_t size = e->t->type->size;
  if (!u->iso || !v->iso || !u->nvals || !v->nvals || size > GRID_SMALL_VALUE) return false;
  grid_binary_apply(&e->op, z, u->val, v->val);
  if (!e->add || (u->nvals == u->n && v->nvals == v->n)) return true;
  _Alignas(16) char x[GRID_SMALL_VALUE], y[GRID_SMALL_VALUE];
  unpaired_value(&e->u, x, u->val);
  unpaired_value(&e->v, y, v->val);
  return memcmp(z, x, size) == 0 && memcmp(z, y, size) == 0;
}

/* Is the union of two lists certainly short enough for a list? */
static bool list_result(const ewise *e) {
  const grid_chunk *u = e->u.c, *v = e->v.c;
  if (!e->add) return u->format == GRID_LIST || v->format == GRID_LIST;
  if (u->format != GRID_LIST || v->format != GRID_LIST) return false;
  return u->nvals + v->nvals <= u->n / GRID_LIST_SHARE || u->n > GRID_DENSE_LENGTH_MAX || u->n == 0;
}

static GrB_Info run_ewise(ewise e, GrB_BinaryOp op) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *const t = e.t;
  const grid_chunk *const u = e.u.c, *const v = e.v.c;
  const bool add = e.add;
  _Alignas(16) char one[GRID_SMALL_VALUE];
  TRY(grid_binary_bind(&e.op, op, t->type, u->type, v->type));
  const bool iso = find_iso_result(&e, one), list = list_result(&e);
  const bool full = add ? u->format == GRID_FULL || v->format == GRID_FULL
                        : u->format == GRID_FULL && v->format == GRID_FULL;
  if (list) {
    uint64_t most = add ? u->nvals + v->nvals : u->nvals < v->nvals ? u->nvals : v->nvals;
    if (!add && u->format == GRID_LIST && v->format != GRID_LIST) most = u->nvals;
    if (!add && v->format == GRID_LIST && u->format != GRID_LIST) most = v->nvals;
    TRY(grid_chunk_reserve_list(t, most, iso));
  } else if (full) {
    TRY(grid_chunk_reserve_val(t, iso ? 1 : t->n));
  } else {
    TRY(grid_chunk_reserve_dense(t, iso));
  }
  t->format = list ? GRID_LIST : full ? GRID_FULL : GRID_BITMAP;
  t->iso = iso;
  if (iso) memcpy(t->val, one, t->type->size);
  const bool both = u->format == GRID_FULL && v->format == GRID_FULL;
  if (both && !iso)
    ewise_full(&e);
  else if (!list)
    ewise_words(&e);
  else if (add)
    merge_lists(&e);
  else if (u->format == GRID_FULL || v->format == GRID_FULL)
    intersect_full(&e);
  else if (u->format == GRID_LIST && v->format == GRID_LIST && u->nvals / 16 <= v->nvals &&
           v->nvals / 16 <= u->nvals)
    match_lists(&e);
  else
    intersect_list(&e);
  TRY(grid_chunk_choose_format(t));
done:
  grid_binary_free(&e.op);
  if (info != GrB_SUCCESS) grid_chunk_empty(t);
  return info;
}

GrB_Info grid_cpu_vec_ewise(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                            bool add) {
  return run_ewise(
      (ewise){.t = t, .u = operand_of(u, t->type, add), .v = operand_of(v, t->type, add), .add = add}, op);
}

GrB_Info grid_cpu_vec_ewise_union(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                                  const void *u_absent, const void *v_absent) {
  GrB_Info info = GrB_SUCCESS;
  grid_binary with_v = {0}, with_u = {0};
  ewise e = {.t = t, .u = operand_of(u, t->type, false), .v = operand_of(v, t->type, false), .add = true};
  e.u.with_default = &with_v, e.u.other = v_absent, e.u.first = true;
  e.v.with_default = &with_u, e.v.other = u_absent;
  TRY(grid_binary_bind(&with_v, op, t->type, u->type, op->y));
  TRY(grid_binary_bind(&with_u, op, t->type, op->x, v->type));
  info = run_ewise(e, op);
done:
  grid_binary_free(&with_v);
  grid_binary_free(&with_u);
  if (info != GrB_SUCCESS) grid_chunk_empty(t);
  return info;
}
