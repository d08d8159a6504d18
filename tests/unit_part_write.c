/* One process: the write-back C<M> accum= T on parts against cells looked at one by one, for every mask,
 * accumulator and form of the axes; small parts, and such as are work for several threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <omp.h>

#include "tests/cells.h"
#include "spmat/cpu/matrix/part_write.h"
#include "spmat/convert/part_conform.h"

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

/* ---- rounds ---------------------------------------------------------------------------------------------
 */

static cell_writing cells_of(const grid_part_writing *w) {
  return (cell_writing){w->structure, w->complement, w->replace, w->accum};
}

static grid_part_writing draw_writing(const grid_part *mask, GrB_Type type) {
  const GrB_BinaryOp ops[] = {NULL, GrB_PLUS_FP64, GrB_MINUS_INT32, GrB_SECOND_FP32, GrB_LOR};
  grid_part_writing w = {.mask = one_in(3) ? NULL : mask};
  w.structure = one_in(2), w.complement = one_in(3), w.replace = one_in(2);
  w.accum = type != udt ? ops[draw(5)] : one_in(2) ? udt_op : NULL;
  return w;
}

/* t with what the mask does not allow taken away. */
static void cut_down(cells *t, const cells *m, const cell_writing *w) {
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
  const cell_writing cw = cells_of(&w);
  const cells *mask = w.mask ? &m : NULL;
  if (w.masked) cut_down(&t, mask, &cw);
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
  write_cells(&c, mask, &t, &cw);
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
