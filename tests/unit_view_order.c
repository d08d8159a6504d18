/* Pulls of a full x that processes read in shared memory in order of degree
 * (dist/product/exchange/view_order.h), on every grid shape. They give the same bits as with x in its own
 * order, and an order that is made, refused and dropped when it should be. */
#include <stdlib.h>
#include <string.h>

#include "dist/matrix/matrix.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"
#include "tests/assert_all.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { PULLS = 2, TRIES = 3 };

/* Most entries are in one row or column of 25; or, without hubs, anywhere. */
static GrB_Matrix draw_matrix(GrB_Index rows, GrB_Index cols, uint64_t entries, bool hubs) {
  GrB_Index *r = malloc(entries * sizeof *r), *c = malloc(entries * sizeof *c), n = 0;
  int32_t *v = malloc(entries * sizeof *v);
  GrB_Matrix A;
  for (uint64_t k = 0; k < entries; k++) {
    r[n] = draw(rows), c[n] = draw(cols), v[n] = (int32_t)draw(50) - 20;
    if (hubs && draw(4)) c[n] -= c[n] % 25;
    if (hubs && draw(4)) r[n] -= r[n] % 25;
    n += k % (uint64_t)Grid_size() == (uint64_t)Grid_rank();
  }
  OK(GrB_Matrix_new(&A, GrB_INT32, rows, cols));
  OK(Grid_Matrix_build(A, r, c, v, GrB_INT32, n, GrB_PLUS_INT32, 0));
  OK(GrB_Matrix_set_INT32(A, Grid_DELEGATES_OFF, Grid_DELEGATES));
  OK(GrB_Matrix_set_INT32(A, Grid_DIRECTION_PULL, Grid_DIRECTION));
  free(r), free(c), free(v);
  return A;
}

static GrB_Vector draw_vector(GrB_Type type, GrB_Index n, uint64_t percent) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, type, n));
  for (GrB_Index k = 0; k < n; k++)
    if (draw(100) < percent)
      assert_int_equal(GrB_Vector_setElement_FP64(v, (double)draw(1000) / 7 - 50, k), GrB_SUCCESS);
  OK(GrB_Vector_wait(v, GrB_MATERIALIZE));
  return v;
}

static bool is_same(GrB_Vector a, GrB_Vector b) {
  const void *v, *w;
  if (a->chunk.nvals != b->chunk.nvals || a->type != b->type) return false;
  for (uint64_t k = 0; k < a->chunk.n; k++) {
    const bool in = grid_chunk_get(&a->chunk, k, &v);
    if (in != grid_chunk_get(&b->chunk, k, &w) || (in && memcmp(v, w, a->type->size) != 0)) return false;
  }
  return true;
}

typedef struct {
  GrB_Semiring semiring;
  GrB_Matrix A;
  GrB_Vector x, y, want, mask;
  GrB_Descriptor desc;
  bool transposed; /* the product is x A, or A' x */
} call;

static GrB_Info multiply(const call *c, GrB_Matrix A, GrB_Vector y) {
  return c->transposed ? GrB_vxm(y, c->mask, NULL, c->semiring, c->x, A, c->desc)
                       : GrB_mxv(y, c->mask, NULL, c->semiring, A, c->x, c->desc);
}

/* The order for c's products, if there is one. */
static const grid_view_orders *orders_of(const call *c) {
  return &c->A->cached.view_orders[c->transposed];
}
static bool can_order(const call *c) {
  const grid_set set = c->transposed ? GRID_SET_ROW : GRID_SET_COL;
  return grid_set_size(set) > 1 && grid_mailbox_is_open(set) && !grid_tune.force_pages;
}

/* c.want = the product without an order. */
static call start_call(GrB_Semiring s, GrB_Type type, GrB_Matrix A, bool transposed) {
  const uint64_t bytes = grid_tune.degree_order_bytes;
  const GrB_Index in = transposed ? A->nrows : A->ncols, out = transposed ? A->ncols : A->nrows;
  call c = {.semiring = s, .A = A, .x = draw_vector(type, in, 100), .transposed = transposed};
  GrB_Matrix other;
  if (draw_one_in(3)) c.mask = draw_vector(GrB_BOOL, out, 60), c.desc = GrB_DESC_RSC;
  OK(GrB_Vector_new(&c.y, type, out));
  OK(GrB_Vector_new(&c.want, type, out));
  OK(GrB_Matrix_dup(&other, A));
  OK(GrB_Matrix_set_INT32(other, Grid_DIRECTION_PULL, Grid_DIRECTION));
  grid_tune.degree_order_bytes = UINT64_MAX;
  OK(multiply(&c, other, c.want));
  grid_tune.degree_order_bytes = bytes;
  OK(GrB_Matrix_free(&other));
  return c;
}

static void end_call(call *c) {
  GrB_Vector_free(&c->x), GrB_Vector_free(&c->y), GrB_Vector_free(&c->want), GrB_Vector_free(&c->mask);
  OK(GrB_Matrix_free(&c->A));
}

static void check_product(const call *c) {
  OK(multiply(c, c->A, c->y));
  assert_on_all(is_same(c->y, c->want));
}

/* Any type and semiring, in both directions, also over hypersparse axes and empty chunks. */
static void results(void **state) {
  static const GrB_Index rows[] = {900, 1 << 16, 70, 5}, cols[] = {1100, 1 << 16, 300, 200};
  const struct {
    GrB_Semiring semiring;
    GrB_Type type;
  } kind[] = {{GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64}, {GxB_PLUS_FIRST_FP32, GrB_FP32},
              {GxB_PLUS_SECOND_FP32, GrB_FP32},         {GrB_MIN_PLUS_SEMIRING_INT32, GrB_INT32},
              {GxB_MAX_SECOND_INT16, GrB_INT16},        {GxB_PLUS_TIMES_FC64, GxB_FC64},
              {GxB_LXOR_SECOND_BOOL, GrB_BOOL},         {GxB_ANY_PAIR_INT64, GrB_INT64},
              {GrB_MIN_FIRST_SEMIRING_INT64, GrB_INT64}};
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
    for (int shape = 0; shape < 4; shape++)
      for (int transposed = 0; transposed < 2; transposed++) {
        call c = start_call(kind[k].semiring, kind[k].type,
                            draw_matrix(rows[shape], cols[shape], shape ? 400 : 6000, true), transposed);
        for (int n = 0; n < PULLS + 2; n++) check_product(&c);
        if (kind[k].semiring == GrB_PLUS_TIMES_SEMIRING_FP64 && shape == 0) {
          assert_on_all((orders_of(&c)->order != NULL) == can_order(&c));
          assert_on_all(orders_of(&c)->expected == can_order(&c));
        }
        end_call(&c);
      }
}

/* Made after so many pulls; not without hubs, nor for short vectors; dropped if pulls are not faster. */
static void rule(void **state) {
  for (int hubs = 0; hubs < 2; hubs++)
    for (int slower = 0; slower < 2; slower++) {
      call c = start_call(GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, draw_matrix(1500, 1500, 9000, hubs), hubs);
      grid_tune.degree_order_time_ratio = slower ? 0 : 1e9;
      for (int n = 0; n < PULLS + TRIES + 2; n++) {
        const bool made = can_order(&c) && hubs && n >= PULLS && !(slower && n >= PULLS + TRIES);
        check_product(&c);
        assert_on_all((orders_of(&c)->order != NULL) == made);
      }
      end_call(&c);
    }
  call c = start_call(GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, draw_matrix(1500, 1500, 9000, true), false);
  grid_tune.degree_order_bytes = 1 << 20;
  for (int n = 0; n < PULLS + 2; n++) check_product(&c);
  assert_on_all(!orders_of(&c)->order);
  end_call(&c);
}

/* x changes between full, not full and one value: what was sent with the counts may not fit. A change of the
 * matrix drops the order. */
static void changes(void **state) {
  call c = start_call(GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, draw_matrix(900, 900, 6000, true), false);
  Grid_Storage s;
  for (int n = 0; n < PULLS; n++) check_product(&c);
  OK(Grid_Matrix_storage(&s, c.A));
  const uint64_t before = s.bytes;
  check_product(&c);
  OK(Grid_Matrix_storage(&s, c.A));
  assert_on_all(s.bytes > before || !can_order(&c));
  for (int n = 0; n < 12; n++) {
    call d = start_call(c.semiring, GrB_FP64, c.A, false);
    if (draw_one_in(3)) OK(GrB_Vector_removeElement(d.x, 0));
    if (draw_one_in(3)) OK(GrB_Vector_assign_FP64(d.x, NULL, NULL, 2.5, GrB_ALL, 900, NULL));
    call other = d;
    OK(GrB_Matrix_dup(&other.A, c.A));
    OK(multiply(&other, other.A, d.want));
    check_product(&d);
    OK(GrB_Matrix_free(&other.A));
    d.A = NULL;
    GrB_Vector_free(&d.x), GrB_Vector_free(&d.y), GrB_Vector_free(&d.want), GrB_Vector_free(&d.mask);
  }
  OK(GrB_Matrix_setElement_INT32(c.A, 7, 0, 1));
  call d = start_call(c.semiring, GrB_FP64, c.A, false);
  for (int n = 0; n < PULLS; n++) check_product(&d);
  assert_on_all(!orders_of(&d)->order);
  check_product(&d);
  assert_on_all((orders_of(&d)->order != NULL) == can_order(&d));
  c.A = NULL;
  end_call(&d);
  GrB_Vector_free(&c.x), GrB_Vector_free(&c.y), GrB_Vector_free(&c.want), GrB_Vector_free(&c.mask);
}

/* Allocations of the product that makes the order fail on the last process: all get the same outcome, and the
 * next products are right. */
static void failures(void **state) {
  call c = start_call(GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, draw_matrix(300, 300, 3000, true), false);
  const GrB_Matrix A = c.A;
  for (int64_t k = 0; k < 16; k++) {
    OK(GrB_Matrix_dup(&c.A, A));
    OK(GrB_Matrix_set_INT32(c.A, Grid_DIRECTION_PULL, Grid_DIRECTION));
    for (int n = 0; n < PULLS; n++) check_product(&c);
    OK(GrB_Vector_clear(c.y));
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
    const GrB_Info info = multiply(&c, c.A, c.y);
    grid_mem_fail_after(-1);
    uint64_t failed = info != GrB_SUCCESS;
    OK(Grid_sum(&failed, 1));
    assert_on_all(failed == 0 || (failed == (uint64_t)Grid_size() && info == GrB_OUT_OF_MEMORY));
    assert_on_all(failed ? c.y->chunk.nvals == 0 : is_same(c.y, c.want));
    for (int n = 0; n < 2; n++) check_product(&c);
    OK(GrB_Matrix_free(&c.A));
  }
  c.A = A;
  end_call(&c);
}

static grid_tuning usual;

static int setup(void **state) {
  usual = grid_tune;
  grid_tune.degree_order_bytes = 1, grid_tune.degree_order_share = 0.2;
  grid_tune.degree_order_pulls = PULLS, grid_tune.degree_order_tries = TRIES;
  grid_tune.degree_order_time_ratio = 1e9;
  return 0;
}
static int teardown(void **state) {
  grid_tune = usual;
  return 0;
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test_setup_teardown(results, setup, teardown),
               cmocka_unit_test_setup_teardown(rule, setup, teardown),
               cmocka_unit_test_setup_teardown(changes, setup, teardown),
               cmocka_unit_test_setup_teardown(failures, setup, teardown))
