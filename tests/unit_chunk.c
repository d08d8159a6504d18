/* Vector chunks against a dense model: formats and conversions, single entries, masks, and every form of
 * c<mask, replace> accum= t, with aliased masks and with each allocation failed once. With the argument
 * "cuda" the same with the device on, the chunks moved between host and device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include <omp.h>

#include "spmat/vector/chunk_write.h"
#include "spmat/backend.h"
#include "spmat/device/device.h"
#include "tests/random_numbers.h"

enum { MOST = 9000, WIDEST = 96 };

/* A user's type wider than GRID_SMALL_VALUE, and an operator on it. */
typedef struct {
  int64_t a[12];
} large;
static GrB_Type large_type;
static GrB_BinaryOp large_plus, odd_op;
static void large_plus_f(void *z, const void *x, const void *y) {
  memset(z, 0, sizeof(large)); /* would spoil an aliased operand */
  for (int k = 0; k < 12; k++)
    ((large *)z)->a[k] = (int64_t)((uint64_t)((const large *)x)->a[k] + (uint64_t)((const large *)y)->a[k]);
}
static void odd_f(void *z, const void *x, const void *y) {
  *(double *)z = 0;
  *(double *)z = (double)*(const int32_t *)x + 0.5 * *(const int16_t *)y;
}

/* One round in how many is run. */
static int round_stride = 1;

/* ---- the model ----------------------------------------------------------------------------------------- */

typedef struct {
  uint64_t n;
  GrB_Type type;
  bool has[MOST];
  char val[MOST][WIDEST];
} model;

static void draw_value(char *v, GrB_Type t) {
  memset(v, 0, WIDEST);
  int64_t x = (int64_t)draw(7) - 2;
  if (t == large_type) {
    for (int k = 0; k < 12; k++) ((large *)v)->a[k] = x + k;
  } else {
    grid_cast(t, GrB_INT64)(v, &x, t->size);
  }
}

/* density: entries in 1000 */
static void draw_model(model *m, GrB_Type t, uint64_t n, uint64_t density, bool iso) {
  char one[WIDEST];
  draw_value(one, t);
  m->n = n, m->type = t;
  for (uint64_t i = 0; i < n; i++) {
    m->has[i] = draw(1000) < density;
    draw_value(m->val[i], t);
    if (iso) memcpy(m->val[i], one, WIDEST);
  }
}

static uint64_t count(const model *m) {
  uint64_t c = 0;
  for (uint64_t i = 0; i < m->n; i++) c += m->has[i];
  return c;
}

/* With the device on: moves a chunk to the host or to the device, unless it must stay. */
static void move(const grid_chunk *c) {
  if (!grid_device_is_on()) return;
  GrB_Info info = draw(3) ? grid_chunk_to_device(c) : grid_chunk_to_host(c);
  assert_true(info == GrB_SUCCESS || info == GRID_UNSUPPORTED);
}

/* The chunk of a model in the requested format, or a bitmap where full is impossible. */
static void make_chunk(grid_chunk *c, const model *m, grid_format format, bool iso) {
  uint64_t k = 0;
  grid_chunk_init(c, m->type, m->n);
  assert_int_equal(grid_chunk_reserve_list(c, count(m), iso), GrB_SUCCESS);
  for (uint64_t i = 0; i < m->n; i++) {
    if (!m->has[i]) continue;
    memcpy((char *)c->val + (iso ? 0 : k) * m->type->size, m->val[i], m->type->size);
    c->idx[k++] = i;
  }
  c->nvals = k, c->iso = iso && k;
  if (k == 0) return;
  if (format == GRID_FULL && k == m->n)
    c->format = GRID_FULL;
  else if (format != GRID_LIST)
    assert_int_equal(grid_chunk_to_bitmap(c), GrB_SUCCESS);
  move(c);
}

static void check_invariants(const grid_chunk *c) {
  if (c->format == GRID_LIST) {
    for (uint64_t k = 0; k < c->nvals; k++) {
      assert_true(c->idx[k] < c->n);
      assert_true(k == 0 || c->idx[k - 1] < c->idx[k]);
    }
  } else if (c->format == GRID_BITMAP) {
    uint64_t bits = 0;
    for (uint64_t w = 0; w < grid_words(c->n); w++) {
      assert_true((c->bits[w] & ~grid_tail(c->n, w)) == 0);
      bits += grid_popcount(c->bits[w]);
    }
    assert_int_equal(bits, c->nvals);
  } else {
    assert_int_equal(c->nvals, c->n);
  }
}

/* The chunk may change memory and format. */
static void check_equal(const grid_chunk *c, const model *m) {
  assert_int_equal(grid_chunk_to_host(c), GrB_SUCCESS);
  check_invariants(c);
  assert_int_equal(c->n, m->n);
  assert_ptr_equal(c->type, m->type);
  assert_int_equal(c->nvals, count(m));
  grid_iter it = grid_iter_begin(c);
  for (uint64_t i = 0; i < m->n; i++) {
    const void *v;
    assert_int_equal(grid_chunk_get(c, i, &v), m->has[i]);
    if (!m->has[i]) continue;
    assert_memory_equal(v, m->val[i], m->type->size);
    assert_true(grid_iter_next(&it));
    assert_int_equal(it.i, i);
    assert_memory_equal(it.v, m->val[i], m->type->size);
  }
  assert_false(grid_iter_next(&it));
  move(c);
}

/* ---- formats ------------------------------------------------------------------------------------------- */

static GrB_Type pick_type(void) {
  GrB_Type types[] = {GrB_BOOL, GrB_INT16, GrB_INT32, GrB_FP64, GrB_UINT64, large_type};
  return types[draw(6)];
}
static uint64_t pick_n(void) {
  static const uint64_t sizes[] = {1, 2, 63, 64, 65, 128, 200, 1000, 4097};
  return sizes[draw(9)];
}
static uint64_t pick_density(void) {
  static const uint64_t densities[] = {0, 3, 20, 300, 900, 1000, 1000};
  return densities[draw(7)];
}

static void test_formats(void **state) {
  static model m;
  for (int round = 0; round < 1500 / round_stride; round++) {
    grid_chunk c, d;
    bool iso = draw(3) == 0;
    draw_model(&m, pick_type(), pick_n(), pick_density(), iso);
    make_chunk(&c, &m, (grid_format)draw(3), iso);
    check_equal(&c, &m);
    for (int step = 0; step < 4; step++) {
      GrB_Info (*change[])(grid_chunk *) = {grid_chunk_to_list, grid_chunk_to_bitmap,
                                            grid_chunk_choose_format, grid_chunk_expand_iso};
      assert_int_equal(change[draw(4)](&c), GrB_SUCCESS);
      check_equal(&c, &m);
    }
    grid_chunk_init(&d, GrB_INT8, 3);
    assert_int_equal(grid_chunk_copy(&d, &c), GrB_SUCCESS);
    check_equal(&d, &m);
    assert_int_equal(grid_chunk_choose_format(&d), GrB_SUCCESS);
    assert_true(d.nvals > d.n / GRID_LIST_SHARE || d.format == GRID_LIST || d.device);
    grid_chunk_swap(&c, &d);
    check_equal(&c, &m);
    grid_chunk_free(&c);
    grid_chunk_free(&d);
  }
}

/* One value for all entries of a chunk that several threads expand. */
static void test_expand_on_threads(void **state) {
  enum { N = 64 * 5000 + 7 };
  const GrB_Type types[] = {GrB_BOOL, GrB_INT16, GrB_FP64, large_type};
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  for (int round = 0; round < 12; round++) {
    const GrB_Type type = types[round / 3];
    grid_chunk c;
    char x[sizeof(large)];
    grid_chunk_init(&c, type, N);
    memset(x, 1, sizeof x);
    assert_int_equal(grid_chunk_reserve_list(&c, N / 3, true), GrB_SUCCESS);
    assert_int_equal(grid_chunk_reserve_dense(&c, true), GrB_SUCCESS);
    c.format = (grid_format)(round % 3), c.iso = true;
    memcpy(c.val, x, type->size);
    c.nvals = c.format == GRID_FULL ? N : N / 3; /* else each third index has an entry */
    memset(c.bits, 0, grid_words(N) * sizeof *c.bits);
    for (uint64_t k = 0; k < N / 3; k++) c.idx[k] = 3 * k, c.bits[3 * k >> 6] |= UINT64_C(1) << (3 * k & 63);
    assert_int_equal(grid_chunk_expand_iso(&c), GrB_SUCCESS);
    assert_false(c.iso);
    const uint64_t step = c.format == GRID_BITMAP ? 3 : 1;
    for (uint64_t k = 0; k < c.nvals; k++)
      assert_memory_equal((const char *)c.val + step * k * type->size, x, type->size);
    grid_chunk_free(&c);
  }
  omp_set_num_threads(threads);
}

static void test_entries(void **state) {
  static model m;
  for (int round = 0; round < 300 / round_stride; round++) {
    grid_chunk c;
    bool iso = draw(2);
    draw_model(&m, pick_type(), pick_n(), pick_density(), iso);
    make_chunk(&c, &m, (grid_format)draw(3), iso);
    for (int step = 0; step < 60; step++) {
      uint64_t i = draw(2) ? draw(m.n) : (uint64_t)step % m.n;
      if (draw(3)) {
        draw_value(m.val[i], m.type);
        m.has[i] = true;
        assert_int_equal(grid_chunk_set(&c, i, m.val[i]), GrB_SUCCESS);
      } else {
        m.has[i] = false;
        assert_int_equal(grid_chunk_remove(&c, i), GrB_SUCCESS);
      }
      if (step % 8 == 0) check_equal(&c, &m);
    }
    check_equal(&c, &m);
    grid_chunk_free(&c);
  }
}

/* c<mask, replace> accum= x at every index. */
static GrB_Info write_scalar(grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum, bool replace,
                             const void *x, GrB_Type xtype) {
  grid_write p;
  const grid_chunk t = grid_chunk_of_scalar(x, xtype, c->n);
  GrB_Info info = grid_write_prepare(&p, c, mask, accum, replace, &t, NULL, false);
  if (info == GrB_SUCCESS) grid_write_commit(&p);
  return info;
}

static void test_long_list(void **state) {
  const uint64_t n = UINT64_C(1) << 60;
  grid_chunk c, t;
  grid_mask mask;
  int32_t x = 7;
  grid_chunk_init(&c, GrB_INT32, n);
  for (uint64_t k = 0; k < 100; k++)
    assert_int_equal(grid_chunk_set(&c, n - 1 - k * k * 1000003, &x), GrB_SUCCESS);
  assert_int_equal(c.format, GRID_LIST);
  assert_int_equal(c.nvals, 100);
  assert_int_equal(grid_chunk_choose_format(&c), GrB_SUCCESS);
  assert_int_equal(grid_chunk_to_bitmap(&c), GrB_OUT_OF_MEMORY);
  grid_chunk_init(&t, GrB_INT32, n);
  x = 8;
  for (uint64_t k = 0; k < 50; k++) assert_int_equal(grid_chunk_set(&t, k * 5, &x), GrB_SUCCESS);
  assert_int_equal(grid_mask_read(&mask, &c, n, true, true), GrB_SUCCESS);
  assert_int_equal(grid_mask_count(&mask), n - 100);
  assert_int_equal(grid_chunk_write(&c, &mask, GrB_PLUS_INT32, false, &t, false), GrB_SUCCESS);
  assert_int_equal(c.nvals, 150);
  assert_int_equal(grid_mask_read(&mask, &c, n, true, false), GrB_SUCCESS);
  assert_int_equal(write_scalar(&c, &mask, NULL, false, &x, GrB_INT32), GrB_SUCCESS);
  assert_int_equal(c.nvals, 150);
  assert_int_equal(grid_mask_read(&mask, NULL, n, true, false), GrB_SUCCESS);
  assert_int_equal(write_scalar(&c, &mask, NULL, false, &x, GrB_INT32), GrB_OUT_OF_MEMORY);
  assert_int_equal(c.nvals, 150);
  grid_chunk_free(&c);
  grid_chunk_free(&t);
}

/* ---- masks --------------------------------------------------------------------------------------------- */

static bool model_allows(const model *m, bool structure, bool complement, uint64_t i) {
  if (!m) return !complement;
  bool in = m->has[i] && (structure || grid_is_true(m->type, m->val[i]));
  return in != complement;
}

static uint64_t count_allowed(const model *mask, bool structure, bool complement, const model *m) {
  uint64_t n = 0;
  for (uint64_t i = 0; i < m->n; i++) n += m->has[i] && model_allows(mask, structure, complement, i);
  return n;
}

static void test_masks(void **state) {
  static model m;
  GrB_Type types[] = {GrB_BOOL,   GrB_INT8,   GrB_INT16,  GrB_INT32, GrB_INT64, GrB_UINT8,
                      GrB_UINT16, GrB_UINT32, GrB_UINT64, GrB_FP32,  GrB_FP64};
  for (int round = 0; round < 2000 / round_stride; round++) {
    bool iso = draw(4) == 0, none = draw(10) == 0, structure = draw(2), complement = draw(2);
    grid_chunk c;
    grid_mask mask;
    draw_model(&m, types[draw(11)], pick_n(), pick_density(), iso);
    make_chunk(&c, &m, (grid_format)draw(3), iso);
    assert_int_equal(grid_mask_read(&mask, none ? NULL : &c, m.n, structure, complement), GrB_SUCCESS);
    uint64_t allowed = 0, counted = grid_mask_count(&mask);
    bool first = grid_mask_has_index(&mask, 0);
    if (mask.device) assert_int_equal(grid_mask_to_host(&mask), GrB_SUCCESS);
    for (uint64_t i = 0; i < m.n; i++) {
      bool want = model_allows(none ? NULL : &m, structure, complement, i);
      assert_int_equal(grid_mask_has_index(&mask, i), want);
      if (!mask.list) assert_int_equal(grid_mask_word(&mask, i / 64) >> (i % 64) & 1, want);
      allowed += want;
      if (i == 0) assert_int_equal(first, want);
    }
    assert_int_equal(counted, allowed);
    if (grid_device_is_on()) assert_int_equal(grid_mask_to_device(&mask), GrB_SUCCESS);
    assert_int_equal(grid_mask_count(&mask), allowed);
    assert_int_equal(grid_mask_count_allowed(&mask, &c),
                     count_allowed(none ? NULL : &m, structure, complement, &m));
    grid_mask_free(&mask);
    grid_chunk_free(&c);
  }
}

/* ---- write --------------------------------------------------------------------------------------------- */

/* One call of grid_chunk_write or a relative. */
typedef struct {
  GrB_Type ctype, ttype;
  GrB_BinaryOp accum;
  bool has_mask, alias, structure, complement, replace, masked, borrow, scalar;
} write_case;

static void model_write(model *c, const model *old, const model *mask, const write_case *w, const model *t) {
  static model result;
  result = *c;
  for (uint64_t i = 0; i < c->n; i++) {
    bool allowed = model_allows(w->has_mask ? (w->alias ? old : mask) : NULL, w->structure, w->complement, i);
    char both[WIDEST] = {0}, x[WIDEST], y[WIDEST];
    if (!allowed) {
      if (w->replace) result.has[i] = false;
    } else if (!w->accum || !c->has[i]) {
      if (w->accum && !t->has[i]) continue;
      result.has[i] = t->has[i];
      if (t->has[i]) grid_cast(w->ctype, w->ttype)(result.val[i], t->val[i], w->ctype->size);
    } else if (t->has[i]) {
      grid_cast(w->accum->x, w->ctype)(x, c->val[i], w->accum->x->size);
      grid_cast(w->accum->y, w->ttype)(y, t->val[i], w->accum->y->size);
      w->accum->f(both, x, y);
      grid_cast(w->ctype, w->accum->z)(result.val[i], both, w->ctype->size);
    }
  }
  *c = result;
}

static GrB_Info do_write(grid_chunk *c, const grid_mask *mask, const write_case *w, grid_chunk *t) {
  if (w->scalar) return write_scalar(c, mask, w->accum, w->replace, grid_chunk_iso_value(t), t->type);
  if (!w->borrow) return grid_chunk_write(c, mask, w->accum, w->replace, t, w->masked);
  grid_write p;
  GrB_Info info = grid_write_prepare(&p, c, mask, w->accum, w->replace, t, NULL, w->masked);
  if (info == GrB_SUCCESS) grid_write_commit(&p);
  return info;
}

static void pick_case(write_case *w) {
  GrB_Type plain[] = {GrB_BOOL, GrB_INT16, GrB_INT32, GrB_FP64, GrB_UINT64};
  GrB_BinaryOp accums[] = {GrB_PLUS_INT32, GrB_LOR, GrB_MIN_FP64, GrB_SECOND_INT16, GrB_MINUS_UINT64, odd_op};
  memset(w, 0, sizeof *w);
  bool user = draw(6) == 0;
  w->ctype = user ? large_type : plain[draw(5)];
  w->ttype = user || draw(2) ? w->ctype : plain[draw(5)];
  if (draw(2)) w->accum = user ? large_plus : accums[draw(6)];
  w->has_mask = draw(4) != 0;
  w->alias = w->has_mask && draw(5) == 0;
  w->structure = draw(2) || (user && w->alias);
  w->complement = draw(3) == 0;
  w->replace = draw(3) == 0;
  w->borrow = draw(3) == 0;
  w->scalar = draw(4) == 0;
}

static void write_round(uint64_t n, bool fail) {
  static model mc, mt, mm, before;
  write_case w;
  grid_chunk c, t, m;
  grid_mask mask;
  bool iso[3] = {draw(3) == 0, draw(3) == 0, draw(3) == 0}, same = draw(8) == 0;
  const bool full = draw(8) == 0; /* both, without a mask: arrays are added */
  pick_case(&w);
  if (full) w.has_mask = w.alias = w.complement = false;
  if (w.scalar) iso[1] = true;
  draw_model(&mc, w.ctype, n, full ? 1000 : pick_density(), iso[0]);
  draw_model(&mt, w.ttype, n, w.scalar || full ? 1000 : pick_density(), iso[1]);
  draw_model(&mm, GrB_INT16, n, pick_density(), iso[2]);
  if (same && w.ctype == w.ttype && iso[0] && iso[1]) /* the same value in both */
    for (uint64_t i = 0; i < n; i++) memcpy(mt.val[i], mc.val[0], WIDEST);
  before = mc;
  if (draw(3) == 0 && !w.scalar) { /* a product's result: nothing outside the mask */
    w.masked = true;
    for (uint64_t i = 0; i < n; i++)
      mt.has[i] &= model_allows(w.has_mask ? (w.alias ? &mc : &mm) : NULL, w.structure, w.complement, i);
  }
  make_chunk(&c, &mc, full ? GRID_FULL : (grid_format)draw(3), iso[0]);
  make_chunk(&t, &mt, w.scalar || full ? GRID_FULL : (grid_format)draw(3), iso[1]);
  make_chunk(&m, &mm, (grid_format)draw(3), iso[2]);
  model_write(&mc, &before, &mm, &w, &mt);
  const int64_t live = grid_mem_live();
  GrB_Info info;
  for (int64_t k = 0;; k++) {
    /* k < 0 never fails; a failed write may have changed t's and c's formats, not their entries */
    assert_int_equal(
        grid_mask_read(&mask, w.has_mask ? (w.alias ? &c : &m) : NULL, n, w.structure, w.complement),
        GrB_SUCCESS);
    if (fail && grid_device_is_on()) grid_device_fail_after(k);
    if (fail && !grid_device_is_on()) grid_mem_fail_after(k);
    info = do_write(&c, &mask, &w, &t);
    grid_mem_fail_after(-1), grid_device_fail_after(-1);
    grid_mask_free(&mask);
    if (info == GrB_SUCCESS) break;
    assert_true(fail);
    assert_int_equal(info, GrB_OUT_OF_MEMORY);
    check_equal(&c, &before);
    check_equal(&t, &mt);
  }
  check_equal(&c, &mc);
  if (w.borrow || w.scalar)
    check_equal(&t, &mt);
  else
    assert_int_equal(t.nvals, 0);
  if (!t.device) check_invariants(&t);
  (void)live;
  grid_chunk_free(&c);
  grid_chunk_free(&t);
  grid_chunk_free(&m);
}

static void test_write(void **state) {
  for (int round = 0; round < 30000 / round_stride; round++)
    write_round(round % 20 ? pick_n() % 300 + 1 : pick_n(), false);
}

static void test_write_out_of_memory(void **state) {
  for (int round = 0; round < 4000 / round_stride; round++) write_round(pick_n() % 300 + 1, true);
}

/* Passes over values use all threads from 2^16 values of a bitmap on, and from 2^15 without gaps. */
static void test_threads_of_passes(void **state) {
  const int had = omp_get_max_threads();
  omp_set_num_threads(2);
  assert_int_equal(grid_word_threads((UINT64_C(1) << 10) - 1), 1);
  assert_int_equal(grid_word_threads(UINT64_C(1) << 10), 2);
  assert_int_equal(grid_work_threads((UINT64_C(1) << 12) - 1), 1);
  assert_int_equal(grid_work_threads(UINT64_C(1) << 12), 2);
  omp_set_num_threads(had);
}

/* Several threads: more than GRID_PARALLEL_WORK words. */
static void test_write_large(void **state) {
  const uint64_t n = 64 * (GRID_PARALLEL_WORK + 3) + 17;
  uint64_t *want = malloc(n * sizeof *want);
  for (int round = 0; round < 12; round++) {
    grid_chunk c, t, m;
    grid_mask mask;
    grid_chunk_init(&c, GrB_UINT64, n), grid_chunk_init(&t, GrB_UINT64, n), grid_chunk_init(&m, GrB_BOOL, n);
    const bool list = round % 2, accum = round / 2 % 2, replace = round % 3 == 0, yes = true;
    for (uint64_t i = 0; i < n; i++) {
      want[i] = 0;
      uint64_t x = i + 1, y = 3 * i + 1;
      bool in_c = i % 3 != 0, in_t = list ? i % 40 == 0 : i % 2 == 0, in_m = list ? i % 36 < 1 : i % 5 != 1;
      if (in_m)
        want[i] = accum ? (in_c ? x : 0) + (in_t ? y : 0) : in_t ? y : 0;
      else if (!replace && in_c)
        want[i] = x;
    }
    assert_int_equal(grid_chunk_reserve_dense(&c, false), GrB_SUCCESS);
    assert_int_equal(grid_chunk_reserve_dense(&t, false), GrB_SUCCESS);
    assert_int_equal(grid_chunk_reserve_dense(&m, true), GrB_SUCCESS);
    memset(c.bits, 0, grid_words(n) * 8), memset(t.bits, 0, grid_words(n) * 8),
        memset(m.bits, 0, grid_words(n) * 8);
    memcpy(m.val, &yes, sizeof yes);
    c.format = t.format = m.format = GRID_BITMAP, m.iso = true;
    for (uint64_t i = 0; i < n; i++) {
      uint64_t bit = UINT64_C(1) << i % 64;
      if (i % 3 != 0) c.bits[i / 64] |= bit, c.nvals++, ((uint64_t *)c.val)[i] = i + 1;
      if (list ? i % 40 == 0 : i % 2 == 0)
        t.bits[i / 64] |= bit, t.nvals++, ((uint64_t *)t.val)[i] = 3 * i + 1;
      if (list ? i % 36 < 1 : i % 5 != 1) m.bits[i / 64] |= bit, m.nvals++;
    }
    grid_chunk_choose_format(&t), grid_chunk_choose_format(&m);
    assert_int_equal(grid_mask_read(&mask, &m, n, false, false), GrB_SUCCESS);
    assert_int_equal(grid_chunk_write(&c, &mask, accum ? GrB_PLUS_UINT64 : NULL, replace, &t, false),
                     GrB_SUCCESS);
    assert_int_equal(grid_chunk_to_host(&c), GrB_SUCCESS);
    check_invariants(&c);
    for (uint64_t i = 0; i < n; i++) {
      const void *v;
      uint64_t got = 0;
      if (grid_chunk_get(&c, i, &v)) memcpy(&got, v, sizeof got);
      if (got != want[i])
        fail_msg("round %d: w(%llu) = %llu, not %llu", round, (unsigned long long)i, (unsigned long long)got,
                 (unsigned long long)want[i]);
    }
    grid_mask_free(&mask);
    grid_chunk_free(&c), grid_chunk_free(&t), grid_chunk_free(&m);
  }
  free(want);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static bool cuda, no_device;

static int begin(void **state) {
  grid_semiring_init();
  grid_backend_register(&grid_backend_cpu, grid_backend_cuda);
  if (cuda && grid_device_choose(true, 0, GRID_GPU_SHARED) != GrB_SUCCESS) {
    printf("skipped: %s\n", grid_last_error());
    no_device = true;
    return 1;
  }
  return GrB_Type_new(&large_type, sizeof(large)) ||
         GrB_BinaryOp_new(&large_plus, large_plus_f, large_type, large_type, large_type) ||
         GrB_BinaryOp_new(&odd_op, odd_f, GrB_FP64, GrB_INT32, GrB_INT16);
}

static int end(void **state) {
  GrB_BinaryOp_free(&large_plus), GrB_BinaryOp_free(&odd_op), GrB_Type_free(&large_type);
  int64_t on_device = grid_device_live();
  if (on_device != 0) fprintf(stderr, "%lld blocks are still live on the device\n", (long long)on_device);
  grid_device_close();
  grid_semiring_finalize();
  if (grid_mem_live() != 0) fprintf(stderr, "%lld blocks are still live\n", (long long)grid_mem_live());
  return grid_mem_live() != 0 || on_device != 0;
}

int main(int argc, char **argv) {
  cuda = argc > 1 && strcmp(argv[1], "cuda") == 0;
  if (cuda) round_stride = getenv("GRID_TEST_SMALL") ? 60 : 15;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_expand_on_threads),
      cmocka_unit_test(test_entries),
      cmocka_unit_test(test_long_list),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_write),
      cmocka_unit_test(test_write_out_of_memory),
      cmocka_unit_test(test_write_large),
      cmocka_unit_test(test_threads_of_passes),
  };
  int failed = cmocka_run_group_tests(tests, begin, end);
  return no_device ? 77 : failed;
}
