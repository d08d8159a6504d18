/* t = u (op) v, entry by entry, on the union or the intersection of two chunks. */
#include "spmat/cpu/vector/vec_ewise.h"

static grid_ewise_operand operand_of(const grid_chunk *c, GrB_Type z, bool add) {
  grid_ewise_operand o = {.c = c, .set = grid_cursor_chunk(c), .size = c->type->size};
  if (add) o.unpaired = grid_copier_bind(z, c->type);
  return o;
}

/* Value of the operand at bit b of word w, where it has an entry. */
static const char *value(const grid_ewise_operand *o, uint64_t w, uint64_t b) {
  const char *x = o->c->val;
  if (o->c->iso) return x;
  if (o->c->format != GRID_LIST) return x + (64 * w + b) * o->size;
  return x + (o->set.at + grid_popcount(o->word & ((UINT64_C(1) << b) - 1))) * o->size;
}

static bool packed(const grid_ewise_operand *o) {
  return o->c->format == GRID_LIST && !o->c->iso;
}

static void unpaired_values(const grid_ewise_operand *o, char *z, size_t zs, uint64_t w, uint64_t s) {
  if (!packed(o))
    grid_ewise_unpaired_bits(o, z, value(o, w, 0), s);
  else
    for (; s; s &= s - 1)
      grid_ewise_unpaired_value(o, z + grid_low_bit(s) * zs, value(o, w, grid_low_bit(s)));
}

static void word_values(const grid_ewise *e, uint64_t w) {
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
static uint64_t ewise_range(const grid_ewise *all, uint64_t w, uint64_t end) {
  grid_ewise e = *all;
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
static void ewise_words(const grid_ewise *e) {
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

/* Indices k .. k + n - 1, which have an entry in both. */
static void full_range(const grid_ewise *e, uint64_t k, uint64_t n) {
  const grid_chunk *t = e->t, *u = e->u.c, *v = e->v.c;
  const size_t zs = t->type->size, us = u->iso ? 0 : u->type->size, vs = v->iso ? 0 : v->type->size;
  grid_binary_run(&e->op, (char *)t->val + k * zs, (const char *)u->val + k * us, !u->iso,
                  (const char *)v->val + k * vs, !v->iso, n);
}

/* Every index has an entry in both. */
static void ewise_full(const grid_ewise *e) {
  const uint64_t n = e->t->n, block = 4096;
  const int threads = grid_value_threads(n);
  e->t->nvals = n;
  if (grid_is_serial(threads)) {
    full_range(e, 0, n);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t k = 0; k < n; k += block) full_range(e, k, n - k < block ? n - k : block);
}

/* Do all entries of the result share one value? Then *z is it. */
static bool find_iso_result(const grid_ewise *e, char *z) {
  const grid_chunk *u = e->u.c, *v = e->v.c;
  const size_t size = e->t->type->size;
  if (!u->iso || !v->iso || !u->nvals || !v->nvals || size > GRID_SMALL_VALUE) return false;
  grid_binary_apply(&e->op, z, u->val, v->val);
  if (!e->add || (u->nvals == u->n && v->nvals == v->n)) return true;
  _Alignas(16) char x[GRID_SMALL_VALUE], y[GRID_SMALL_VALUE];
  grid_ewise_unpaired_value(&e->u, x, u->val);
  grid_ewise_unpaired_value(&e->v, y, v->val);
  return memcmp(z, x, size) == 0 && memcmp(z, y, size) == 0;
}

/* Is the union of two lists certainly short enough for a list? */
static bool list_result(const grid_ewise *e) {
  const grid_chunk *u = e->u.c, *v = e->v.c;
  if (!e->add) return u->format == GRID_LIST || v->format == GRID_LIST;
  if (u->format != GRID_LIST || v->format != GRID_LIST) return false;
  return u->nvals + v->nvals <= u->n / GRID_LIST_SHARE || u->n > GRID_DENSE_LENGTH_MAX || u->n == 0;
}

static GrB_Info run_ewise(grid_ewise e, GrB_BinaryOp op) {
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
    grid_ewise_unite_lists(&e);
  else if (u->format == GRID_FULL || v->format == GRID_FULL)
    grid_ewise_intersect_full(&e);
  else if (u->format == GRID_LIST && v->format == GRID_LIST && u->nvals / 16 <= v->nvals &&
           v->nvals / 16 <= u->nvals)
    grid_ewise_match_lists(&e);
  else
    grid_ewise_intersect_list(&e);
  TRY(grid_chunk_choose_format(t));
done:
  grid_binary_free(&e.op);
  if (info != GrB_SUCCESS) grid_chunk_empty(t);
  return info;
}

GrB_Info grid_cpu_vec_ewise(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                            bool add) {
  return run_ewise(
      (grid_ewise){.t = t, .u = operand_of(u, t->type, add), .v = operand_of(v, t->type, add), .add = add},
      op);
}

GrB_Info grid_cpu_vec_ewise_union(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                                  const void *u_absent, const void *v_absent) {
  GrB_Info info = GrB_SUCCESS;
  grid_binary with_v = {0}, with_u = {0};
  grid_ewise e = {
      .t = t, .u = operand_of(u, t->type, false), .v = operand_of(v, t->type, false), .add = true};
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
