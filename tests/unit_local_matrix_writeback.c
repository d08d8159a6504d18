/* One process: the write-back C<M> accum= T on local matrices against a table of cells, for every mask,
 * accumulator and form of the axes. There are small ones, and ones large enough for several threads. The same
 * written into C itself, where no position changes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include <omp.h>

#include "semiring/support/tuning.h"
#include "tests/cell_matrix.h"
#include "spmat/cpu/matrix/lmat_overwrite.h"
#include "spmat/convert/lmat_format.h"

static void to_lmat(grid_local_matrix *p, const cells *c, bool iso) {
  const size_t size = c->type->size;
  const bool pairs = row_dim > UINT32_MAX || col_dim > UINT32_MAX;
  uint64_t n = 0;
  grid_pair *pair = grid_malloc(rows * cols, sizeof *pair), bad;
  uint64_t *key = (uint64_t *)pair;
  char *val = malloc(rows * cols * size + 1);
  for (uint64_t k = 0; k < rows * cols; k++) {
    if (!c->at[k].present) continue;
    const grid_pair at = {k / cols * row_step, k % cols * col_step};
    if (pairs)
      pair[n] = at;
    else
      key[n] = at.r << 32 | at.c;
    memcpy(val + n * size, c->at[k].v, size);
    n++;
  }
  grid_lmat_init(p, c->type, row_dim, col_dim);
  assert_int_equal(grid_lmat_build(p, pair, pairs, n, iso ? NULL : val, c->at[0].v,
                                   (grid_duplicates){.newest_wins = true}, &bad),
                   GrB_SUCCESS);
  free(val);
}

/* How many different vectors hold entries. */
static uint64_t count_nonempty(const cells *c, bool by_row) {
  uint64_t n = 0;
  for (uint64_t v = 0; v < (by_row ? rows : cols); v++) {
    bool any = false;
    for (uint64_t o = 0; o < (by_row ? cols : rows); o++)
      any |= c->at[by_row ? v * cols + o : o * cols + v].present;
    n += any;
  }
  return n;
}

static void check_axis(const grid_axis *a, uint64_t n, uint64_t nvals) {
  const bool list = a->dim > UINT32_MAX || (nvals < a->dim / 2 && n < a->dim / GRID_HYPER);
  assert_true(list == (a->ids != NULL));
  assert_true(a->n == (list ? n : a->dim));
}

static void check_lmat(const grid_local_matrix *p, const cells *want) {
  uint64_t n = 0, e = 0;
  assert_ptr_equal(p->type, want->type);
  for (uint64_t k = 0; k < rows * cols; k++) n += want->at[k].present;
  assert_true(p->nvals == n);
  assert_true(grid_compressed_is_built(&p->by_row));
  assert_true((p->by_row.offsets64 != NULL) == (n >= grid_tune.offsets64_from));
  check_axis(&p->row, count_nonempty(want, true), n);
  check_axis(&p->col, count_nonempty(want, false), n);
  grid_entries it = grid_entries_begin(p);
  for (uint64_t k = 0; k < rows * cols; k++) {
    if (!want->at[k].present) continue;
    assert_true(grid_entries_next(&it));
    if (it.row != k / cols * row_step || it.col != k % cols * col_step)
      fail_msg("entry %d is (%d, %d), not (%d, %d)", (int)e, (int)it.row, (int)it.col,
               (int)(k / cols * row_step), (int)(k % cols * col_step));
    assert_memory_equal(grid_lmat_value(p, it.at), want->at[k].v, want->type->size);
    e++;
  }
  assert_false(grid_entries_next(&it));
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

static cell_writing cells_of(const grid_lmat_write_spec *w) {
  return (cell_writing){w->structure, w->complement, w->replace, w->accum};
}

static grid_lmat_write_spec draw_writing(const grid_local_matrix *mask, GrB_Type type) {
  const GrB_BinaryOp ops[] = {NULL, GrB_PLUS_FP64, GrB_MINUS_INT32, GrB_SECOND_FP32, GrB_LOR};
  grid_lmat_write_spec w = {.mask = draw_one_in(3) ? NULL : mask};
  w.structure = draw_one_in(2), w.complement = draw_one_in(3), w.replace = draw_one_in(2);
  w.accum = type != udt ? ops[draw(5)] : draw_one_in(2) ? udt_op : NULL;
  return w;
}

/* t with what the mask does not allow taken away. */
static void cut_down(cells *t, const cells *m, const cell_writing *w) {
  for (uint64_t k = 0; k < rows * cols; k++) t->at[k].present = t->at[k].present && is_allowed(m, k, w);
}

/* Does c have all that the mask allows, and t the same and nothing else? */
static bool has_all(const cells *t, const cells *c, const cells *m, const cell_writing *w) {
  for (uint64_t k = 0; k < rows * cols; k++)
    if (is_allowed(m, k, w) ? !t->at[k].present || !c->at[k].present : t->at[k].present) return false;
  return true;
}

/* Does c have all that t has? */
static bool is_inside(const cells *t, const cells *c) {
  for (uint64_t k = 0; k < rows * cols; k++)
    if (t->at[k].present && !c->at[k].present) return false;
  return true;
}

static int overwritten; /* rounds in which C was written into */

/* Are C and T iso of one value? */
static bool has_same_value(const grid_local_matrix *C, const grid_local_matrix *T) {
  char value[64];
  if (!C->iso || !T->iso) return false;
  if (C->type == T->type)
    memcpy(value, T->iso_val, C->type->size);
  else
    grid_cast(C->type, T->type)(value, T->iso_val, C->type->size);
  return memcmp(value, C->iso_val, C->type->size) == 0;
}

/* C with T written into it, which must be possible if T has C's arrays (shared), or `all`, or is accumulated
 * to entries that C has (inside). */
static void check_overwrite(grid_local_matrix *C, const grid_local_matrix *T, const grid_lmat_write_spec *w,
                            const cells *want, bool shared, bool all, bool inside) {
  const bool overwrites = w->mask && (!C->iso || has_same_value(C, T)) &&
                          (shared || (w->masked && !w->complement && all)),
             accumulates = !C->iso && (w->masked || (!w->mask && !w->complement)) && inside,
             possible = !w->replace && (w->accum ? accumulates : overwrites);
  grid_overwrite *o;
  assert_int_equal(grid_overwrite_plan(&o, C, T, w), GrB_SUCCESS);
  assert_true((o != NULL) == possible);
  if (o) grid_overwrite_run(o), check_lmat(C, want), overwritten++;
  grid_overwrite_free(o);
}

static void run_round(bool large) {
  draw_shape(large);
  const bool user = draw_one_in(5), iso[3] = {draw_one_in(3), draw_one_in(3), draw_one_in(3)},
             unmade = draw_one_in(20);
  const uint64_t share[] = {0, 1, 2, 3, 10, 60};
  cells c = new_cells(user ? udt : draw_type()), m = new_cells(draw_type()),
        t = new_cells(user ? udt : draw_type());
  draw_cells(&c, unmade ? 0 : share[draw(6)], iso[0], draw_one_in(4));
  draw_cells(&m, share[draw(6)], iso[1], draw_one_in(4));
  draw_cells(&t, share[draw(6)], iso[2], draw_one_in(4));
  grid_local_matrix C, M, T, Z;
  to_lmat(&M, &m, iso[1]);
  grid_lmat_write_spec w = draw_writing(&M, c.type);
  w.masked = draw_one_in(3);
  const cell_writing cw = cells_of(&w);
  const cells *mask = w.mask ? &m : NULL;
  const uint64_t like =
      unmade ? 0 : draw(4); /* 1: T is a copy of C; 2: it has all that the mask allows, in C as in T */
  if (like) w.masked = like == 2;
  for (uint64_t k = 0; like == 2 && k < rows * cols; k++)
    if (is_allowed(mask, k, &cw)) c.at[k].present = t.at[k].present = true;
  if (w.masked) cut_down(&t, mask, &cw);
  to_lmat(&T, &t, iso[2]);
  grid_lmat_init(&C, c.type, row_dim, col_dim);
  if (!unmade) to_lmat(&C, &c, iso[0]);
  grid_lmat_init(&Z, c.type, row_dim, col_dim);
  if (like == 1) {
    grid_lmat_free(&T);
    assert_int_equal(grid_lmat_copy(&T, &C), GrB_SUCCESS);
    free(t.at);
    t = new_cells(c.type);
    memcpy(t.at, c.at, rows * cols * sizeof *c.at);
  }
  const int64_t before = grid_mem_live();
  if (draw_one_in(10)) { /* memory fails, later and later */
    grid_mem_fail_after((int64_t)draw(12));
    grid_local_matrix copy;
    GrB_Info info = grid_lmat_copy(&copy, &T);
    if (info == GrB_SUCCESS) info = grid_lmat_write_back(&Z, &C, &copy, &w);
    grid_mem_fail_after(-1);
    if (info != GrB_SUCCESS) assert_true(info == GrB_OUT_OF_MEMORY && Z.nvals == 0);
    grid_lmat_free(&Z);
    assert_int_equal(grid_mem_live(), before);
  }
  const bool shared = like == 1, all = has_all(&t, &c, mask, &cw), inside = is_inside(&t, &c);
  grid_local_matrix copy;
  assert_int_equal(grid_lmat_copy(&copy, &T), GrB_SUCCESS);
  assert_int_equal(grid_lmat_write_back(&Z, &C, &T, &w), GrB_SUCCESS);
  write_cells(&c, mask, &t, &cw);
  check_lmat(&Z, &c);
  if (!unmade) check_overwrite(&C, &copy, &w, &c, shared, all, inside);
  grid_lmat_free(&copy);
  grid_lmat_free(&Z), grid_lmat_free(&C), grid_lmat_free(&M), grid_lmat_free(&T);
  free(c.at), free(m.at), free(t.at);
}

static void small_lmats(void **state) {
  omp_set_num_threads(1);
  for (int r = 0; r < 6000; r++) {
    grid_tune.offsets64_from = r % 4 ? UINT64_C(1) << 32 : draw(60);
    run_round(false);
  }
}

static void large_lmats(void **state) {
  omp_set_num_threads(3);
  for (int r = 0; r < 60; r++) {
    grid_tune.offsets64_from = r % 4 ? UINT64_C(1) << 32 : draw(100000);
    run_round(true);
  }
  assert_true(overwritten > 100);
  omp_set_num_threads(1);
  grid_tune.offsets64_from = UINT64_C(1) << 32;
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

/* A local matrix with empty vectors in its lists, or with full axes and few non-empty vectors, is converted
 * to the right axes. */
static void choosing_formats(void **state) {
  for (int r = 0; r < 2000; r++) {
    draw_shape(false);
    cells c = new_cells(GrB_INT16), none = new_cells(GrB_INT16);
    draw_cells(&c, 1 + draw(8), false, draw_one_in(2));
    grid_local_matrix full, z;
    for (uint64_t k = 0; k < rows * cols; k++) none.at[k] = c.at[k], c.at[k].present = true;
    to_lmat(&full, &c, false); /* its axes have all that cells can hold */
    grid_local_matrix M;
    to_lmat(&M, &none, false);
    const grid_lmat_write_spec w = {.mask = &M, .structure = true, .replace = true};
    grid_lmat_init(&z, GrB_INT16, row_dim, col_dim);
    assert_int_equal(grid_lmat_write_back(&z, NULL, &full, &w), GrB_SUCCESS);
    check_lmat(&z, &none);
    assert_int_equal(grid_lmat_choose_format(&z), GrB_SUCCESS);
    check_lmat(&z, &none);
    grid_lmat_free(&z), grid_lmat_free(&full), grid_lmat_free(&M);
    free(c.at), free(none.at);
  }
}

static int start(void **state) {
  return GrB_init(GrB_NONBLOCKING) || GrB_Type_new(&udt, MAX_SIZE) ||
         GrB_BinaryOp_new(&udt_op, add_udt, udt, udt, udt);
}
static int stop(void **state) {
  GrB_BinaryOp_free(&udt_op), GrB_Type_free(&udt);
  return GrB_finalize() != GrB_SUCCESS;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_lmats), cmocka_unit_test(large_lmats),
                                     cmocka_unit_test(choosing_formats)};
  return cmocka_run_group_tests(tests, start, stop);
}
