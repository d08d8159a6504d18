/* One process: the write-back C<M> accum= T on parts against cells looked at one by one, for every mask,
 * accumulator and form of the axes; small parts, and such as are work for several threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <omp.h>

#include "chance.h"
#include "semiring/semiring.h"
#include "spmat/cpu/matrix/part_write.h"
#include "spmat/matrix/part_conform.h"

/* ---- cells ----------------------------------------------------------------------------------------------
 */

enum { SIDE = 400, MOST_SIZE = 24 };

typedef struct {
  bool there;
  char v[MOST_SIZE];
} cell;
typedef struct {
  GrB_Type type;
  cell *at; /* rows x cols */
} cells;

static uint64_t rows, cols;         /* of cells */
static uint64_t row_step, col_step; /* local index of cell row r: r * row_step */
static uint64_t row_dim, col_dim;   /* of the parts */
static GrB_Type udt;
static GrB_BinaryOp udt_op;

static void add_udt(void *z, const void *x, const void *y) {
  const int64_t *a = x, *b = y;
  int64_t *c = z;
  for (int k = 0; k < 3; k++) c[k] = 2 * a[k] - b[k];
}

static cells new_cells(GrB_Type type) {
  cells c = {type, calloc(rows * cols, sizeof *c.at)};
  assert_non_null(c.at);
  return c;
}

/* Entries at about one of `one` places; a few kinds of values, or all alike. */
static void draw_cells(cells *c, uint64_t one, bool iso, bool clustered) {
  double x = (double)draw(3);
  for (uint64_t k = 0; k < rows * cols; k++) {
    const bool busy = !clustered || k / cols % 17 == 3;
    c->at[k].there = one && (busy ? one_in(one) : one_in(one * 40));
    if (!iso) x = (double)draw(4) - 1;
    if (c->type == udt)
      for (int f = 0; f < 3; f++) ((int64_t *)(void *)c->at[k].v)[f] = (int64_t)x + f;
    else
      grid_cast_array(c->at[k].v, c->type, &x, GrB_FP64, 1, 1);
  }
}

static void to_part(grid_part *p, const cells *c, bool iso) {
  const size_t size = c->type->size;
  const bool pairs = row_dim > UINT32_MAX || col_dim > UINT32_MAX;
  uint64_t n = 0;
  grid_pair *pair = grid_malloc(rows * cols, sizeof *pair), bad;
  uint64_t *key = (uint64_t *)pair;
  char *val = malloc(rows * cols * size + 1);
  for (uint64_t k = 0; k < rows * cols; k++) {
    if (!c->at[k].there) continue;
    const grid_pair at = {k / cols * row_step, k % cols * col_step};
    if (pairs)
      pair[n] = at;
    else
      key[n] = at.r << 32 | at.c;
    memcpy(val + n * size, c->at[k].v, size);
    n++;
  }
  grid_part_init(p, c->type, row_dim, col_dim);
  assert_int_equal(grid_part_build(p, pair, pairs, n, iso ? NULL : val, c->at[0].v,
                                   (grid_duplicates){.keep_last = true}, &bad),
                   GrB_SUCCESS);
  free(val);
}

/* How many different vectors hold entries. */
static uint64_t used(const cells *c, bool by_row) {
  uint64_t n = 0;
  for (uint64_t v = 0; v < (by_row ? rows : cols); v++) {
    bool some = false;
    for (uint64_t o = 0; o < (by_row ? cols : rows); o++)
      some |= c->at[by_row ? v * cols + o : o * cols + v].there;
    n += some;
  }
  return n;
}

static void check_axis(const grid_axis *a, uint64_t n, uint64_t nvals) {
  const bool list = a->dim > UINT32_MAX || (nvals / 4 < a->dim && n < a->dim / GRID_HYPER);
  assert_true(list == (a->ids != NULL));
  assert_true(a->n == (list ? n : a->dim));
}

static void check_part(const grid_part *p, const cells *want) {
  uint64_t n = 0, e = 0;
  assert_ptr_equal(p->type, want->type);
  for (uint64_t k = 0; k < rows * cols; k++) n += want->at[k].there;
  assert_true(p->nvals == n);
  assert_true(grid_is_made(&p->by_row));
  assert_true((p->by_row.wide != NULL) == (n >= grid_wide_from));
  check_axis(&p->row, used(want, true), n);
  check_axis(&p->col, used(want, false), n);
  grid_entries it = grid_entries_begin(p);
  for (uint64_t k = 0; k < rows * cols; k++) {
    if (!want->at[k].there) continue;
    assert_true(grid_entries_next(&it));
    if (it.row != k / cols * row_step || it.col != k % cols * col_step)
      fail_msg("entry %d is (%d, %d), not (%d, %d)", (int)e, (int)it.row, (int)it.col,
               (int)(k / cols * row_step), (int)(k % cols * col_step));
    assert_memory_equal(grid_part_value(p, it.at), want->at[k].v, want->type->size);
    e++;
  }
  assert_false(grid_entries_next(&it));
}

/* ---- the model ------------------------------------------------------------------------------------------
 */

static bool is_allowed(const cells *m, uint64_t k, const grid_part_writing *w) {
  bool in = !w->mask;
  if (w->mask) in = m->at[k].there && (w->structure || grid_is_true(m->type, m->at[k].v));
  return in != w->complement;
}

/* z = (type) x */
static void put(cell *z, GrB_Type type, const void *x, GrB_Type from) {
  z->there = true;
  grid_cast_array(z->v, type, x, from, 1, 1);
}

static void accumulate(cell *c, GrB_Type type, const cell *t, GrB_Type from, GrB_BinaryOp op) {
  _Alignas(16) char x[MOST_SIZE], y[MOST_SIZE], z[MOST_SIZE];
  grid_cast_array(x, op->x, c->v, type, 1, 1);
  grid_cast_array(y, op->y, t->v, from, 1, 1);
  op->f(z, x, y);
  put(c, type, z, op->z);
}

static void write_cells(cells *c, const cells *m, const cells *t, const grid_part_writing *w) {
  for (uint64_t k = 0; k < rows * cols; k++) {
    cell *z = &c->at[k];
    const cell *x = &t->at[k];
    if (!is_allowed(m, k, w))
      z->there = z->there && !w->replace;
    else if (x->there && z->there && w->accum)
      accumulate(z, c->type, x, t->type, w->accum);
    else if (x->there)
      put(z, c->type, x->v, t->type);
    else
      z->there = z->there && w->accum;
  }
}

/* ---- rounds ---------------------------------------------------------------------------------------------
 */

static void draw_shape(bool large) {
  rows = large ? 300 + draw(100) : 1 + draw(one_in(4) ? 3 : 40);
  cols = large ? 300 + draw(100) : 1 + draw(one_in(4) ? 3 : 40);
  if (large && one_in(3)) rows = 1 + draw(2), cols = SIDE * 300; /* long rows */
  const uint64_t steps[] = {1, 1, 9, 1000, (UINT64_C(1) << 40) / SIDE};
  row_step = steps[draw(5)], col_step = steps[draw(5)];
  row_dim = rows * row_step + draw(3), col_dim = cols * col_step + draw(3);
}

static GrB_Type draw_type(void) {
  const GrB_Type types[] = {GrB_FP64, GrB_BOOL, GrB_INT16, GrB_FP32};
  return types[draw(4)];
}

static grid_part_writing draw_writing(const grid_part *mask, GrB_Type type) {
  const GrB_BinaryOp ops[] = {NULL, GrB_PLUS_FP64, GrB_MINUS_INT32, GrB_SECOND_FP32, GrB_LOR};
  grid_part_writing w = {.mask = one_in(3) ? NULL : mask};
  w.structure = one_in(2), w.complement = one_in(3), w.replace = one_in(2);
  w.accum = type != udt ? ops[draw(5)] : one_in(2) ? udt_op : NULL;
  return w;
}

/* t with what the mask does not allow taken away. */
static void cut_down(cells *t, const cells *m, const grid_part_writing *w) {
  for (uint64_t k = 0; k < rows * cols; k++) t->at[k].there = t->at[k].there && is_allowed(m, k, w);
}

static void round_of(bool large) {
  draw_shape(large);
  const bool user = one_in(5), iso[3] = {one_in(3), one_in(3), one_in(3)}, unmade = one_in(20);
  const uint64_t share[] = {0, 1, 2, 3, 10, 60};
  cells c = new_cells(user ? udt : draw_type()), m = new_cells(draw_type()),
        t = new_cells(user ? udt : draw_type());
  draw_cells(&c, unmade ? 0 : share[draw(6)], iso[0], one_in(4));
  draw_cells(&m, share[draw(6)], iso[1], one_in(4));
  draw_cells(&t, share[draw(6)], iso[2], one_in(4));
  grid_part C, M, T, Z;
  to_part(&M, &m, iso[1]);
  grid_part_writing w = draw_writing(&M, c.type);
  w.masked = one_in(3);
  if (w.masked) cut_down(&t, &m, &w);
  to_part(&T, &t, iso[2]);
  grid_part_init(&C, c.type, row_dim, col_dim);
  if (!unmade) to_part(&C, &c, iso[0]);
  grid_part_init(&Z, c.type, row_dim, col_dim);
  const int64_t before = grid_mem_live();
  if (one_in(10)) { /* memory fails, later and later */
    grid_mem_fail_after((int64_t)draw(12));
    grid_part copy;
    GrB_Info info = grid_part_copy(&copy, &T);
    if (info == GrB_SUCCESS) info = grid_part_write(&Z, &C, &copy, &w);
    grid_mem_fail_after(-1);
    if (info != GrB_SUCCESS) assert_true(info == GrB_OUT_OF_MEMORY && Z.nvals == 0);
    grid_part_free(&Z);
    assert_int_equal(grid_mem_live(), before);
  }
  assert_int_equal(grid_part_write(&Z, &C, &T, &w), GrB_SUCCESS);
  write_cells(&c, &m, &t, &w);
  check_part(&Z, &c);
  grid_part_free(&Z), grid_part_free(&C), grid_part_free(&M), grid_part_free(&T);
  free(c.at), free(m.at), free(t.at);
}

static void small_parts(void **state) {
  (void)state;
  omp_set_num_threads(1);
  for (int r = 0; r < 6000; r++) {
    grid_wide_from = r % 4 ? UINT64_C(1) << 32 : draw(60);
    round_of(false);
  }
}

static void large_parts(void **state) {
  (void)state;
  omp_set_num_threads(3);
  for (int r = 0; r < 60; r++) {
    grid_wide_from = r % 4 ? UINT64_C(1) << 32 : draw(100000);
    round_of(true);
  }
  omp_set_num_threads(1);
  grid_wide_from = UINT64_C(1) << 32;
}

/* ---- axes -----------------------------------------------------------------------------------------------
 */

/* A part with empty vectors in its lists, or all vectors where few hold entries, gets the axes it wants. */
static void conforming(void **state) {
  (void)state;
  for (int r = 0; r < 2000; r++) {
    draw_shape(false);
    cells c = new_cells(GrB_INT16), none = new_cells(GrB_INT16);
    draw_cells(&c, 1 + draw(8), false, one_in(2));
    grid_part full, z;
    for (uint64_t k = 0; k < rows * cols; k++) none.at[k] = c.at[k], c.at[k].there = true;
    to_part(&full, &c, false); /* its axes have all that cells can hold */
    grid_part M;
    to_part(&M, &none, false);
    const grid_part_writing w = {.mask = &M, .structure = true, .replace = true};
    grid_part_init(&z, GrB_INT16, row_dim, col_dim);
    assert_int_equal(grid_part_write(&z, NULL, &full, &w), GrB_SUCCESS);
    check_part(&z, &none);
    assert_int_equal(grid_part_conform(&z), GrB_SUCCESS);
    check_part(&z, &none);
    grid_part_free(&z), grid_part_free(&full), grid_part_free(&M);
    free(c.at), free(none.at);
  }
}

static int start(void **state) {
  (void)state;
  return GrB_init(GrB_NONBLOCKING) || GrB_Type_new(&udt, MOST_SIZE) ||
         GrB_BinaryOp_new(&udt_op, add_udt, udt, udt, udt);
}
static int stop(void **state) {
  (void)state;
  GrB_BinaryOp_free(&udt_op), GrB_Type_free(&udt);
  return GrB_finalize() != GrB_SUCCESS;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_parts), cmocka_unit_test(large_parts),
                                     cmocka_unit_test(conforming)};
  return cmocka_run_group_tests(tests, start, stop);
}
