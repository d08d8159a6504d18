/* Calls on short vectors that need no message (dist/grid/short_call.h), on every grid shape. They send
 * nothing, succeed where a process has no memory, request as little as they may, and agree again where pools
 * cannot be full. */
#include <string.h>

#include "dist/grid/short_call.h"
#include "dist/vector/vector.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

/* Of N each of 2 to 6 processes has some indices, and at most 512, the most of a short call; of LONG more. */
#define N    ((GrB_Index)700)
#define LONG ((GrB_Index)4096 * (GrB_Index)Grid_size())

typedef struct {
  GrB_Vector w, u, v, mask;
} vectors;

/* Every step-th index has a value. */
static GrB_Vector make(GrB_Type type, GrB_Index n, GrB_Index step) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, type, n));
  for (GrB_Index i = 0; i < n; i += step) OK(GrB_Vector_setElement_INT32(v, (int32_t)(i % 7) + 1, i));
  OK(GrB_Vector_wait(v, GrB_MATERIALIZE));
  return v;
}

/* Of the formats that follow from the steps. */
static vectors make_vectors(GrB_Type type, GrB_Index n, GrB_Index w, GrB_Index u, GrB_Index mask) {
  return (vectors){.w = make(type, n, w),
                   .u = make(GrB_FP64, n, u),
                   .v = make(GrB_INT32, n, 2),
                   .mask = make(GrB_BOOL, n, mask)};
}

static void free_vectors(vectors *x) {
  OK(GrB_Vector_free(&x->w));
  OK(GrB_Vector_free(&x->u));
  OK(GrB_Vector_free(&x->v));
  OK(GrB_Vector_free(&x->mask));
}

/* ---- the calls ---- */

typedef GrB_Info call(const vectors *x);

static GrB_Info add(const vectors *x) {
  return GrB_Vector_eWiseAdd_BinaryOp(x->w, NULL, NULL, GrB_PLUS_FP64, x->u, x->v, NULL);
}
static GrB_Info add_masked(const vectors *x) {
  return GrB_Vector_eWiseAdd_BinaryOp(x->w, x->mask, GrB_PLUS_FP64, GrB_MIN_INT32, x->u, x->v, GrB_DESC_RSC);
}
static GrB_Info multiply(const vectors *x) {
  return GrB_Vector_eWiseMult_BinaryOp(x->w, x->mask, GrB_MAX_INT64, GrB_TIMES_FP32, x->u, x->v, NULL);
}
static GrB_Info apply(const vectors *x) {
  return GrB_Vector_apply(x->w, x->mask, GrB_TIMES_FP64, GrB_AINV_INT32, x->u, GrB_DESC_R);
}
static GrB_Info apply_bound(const vectors *x) {
  return GrB_Vector_apply_BinaryOp2nd_FP64(x->w, x->mask, NULL, GrB_DIV_FP64, x->u, 3, GrB_DESC_C);
}
static GrB_Info apply_index(const vectors *x) {
  return GrB_Vector_apply_IndexOp_INT64(x->w, x->mask, NULL, GrB_ROWINDEX_INT64, x->u, 5, GrB_DESC_RC);
}
static GrB_Info choose(const vectors *x) {
  return GrB_Vector_select_FP64(x->w, x->mask, NULL, GrB_VALUEGT_FP64, x->u, 3.5, GrB_DESC_S);
}
static GrB_Info assign(const vectors *x) {
  return GrB_Vector_assign(x->w, x->mask, GrB_PLUS_FP64, x->u, GrB_ALL, N, GrB_DESC_C);
}
static GrB_Info assign_self(const vectors *x) {
  return GrB_Vector_assign(x->w, x->mask, GrB_PLUS_FP64, x->w, GrB_ALL, N, GrB_DESC_R);
}
static GrB_Info assign_value(const vectors *x) {
  return GrB_Vector_assign_FP64(x->w, x->mask, NULL, 2, GrB_ALL, N, GrB_DESC_RSC);
}
static GrB_Info extract(const vectors *x) {
  return GrB_Vector_extract(x->w, x->mask, NULL, x->u, GrB_ALL, N, GrB_DESC_SC);
}
static GrB_Info duplicate(const vectors *x) {
  GrB_Vector v = NULL;
  const GrB_Info info = GrB_Vector_dup(&v, x->u);
  return info == GrB_SUCCESS ? GrB_Vector_free(&v) : info;
}
static GrB_Info create(const vectors *x) {
  GrB_Vector v = NULL;
  const GrB_Info info = GrB_Vector_new(&v, GrB_FP64, 10 * x->u->n);
  return info == GrB_SUCCESS ? GrB_Vector_free(&v) : info;
}

static call *const calls[] = {add,    add_masked,  multiply,     apply,   apply_bound, apply_index, choose,
                              assign, assign_self, assign_value, extract, duplicate,   create};
enum { CALLS = sizeof calls / sizeof *calls };

static const struct {
  GrB_Index w, u, mask;
} steps[] = {{1, 1, 3}, {2, 1, 100}, {N, 2, 2}, {100, 250, 1}, {1, 100, 100}, {N, 100, 3}};
enum { STEPS = sizeof steps / sizeof *steps };

/* f of every kind of vectors. */
static void for_each_call(void (*f)(call *c, const vectors *x, const vectors *same)) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GrB_FP32};
  for (int t = 0; t < 3; t++)
    for (int s = 0; s < STEPS; s++)
      for (int k = 0; k < CALLS; k++) {
        vectors x = make_vectors(types[t], N, steps[s].w, steps[s].u, steps[s].mask), same = x;
        OK(GrB_Vector_dup(&same.w, x.w));
        f(calls[k], &x, &same);
        OK(GrB_Vector_free(&same.w));
        free_vectors(&x);
      }
}

/* ---- the tests ---- */

static bool is_same(GrB_Vector a, GrB_Vector b) {
  uint64_t different = a->chunk.nvals != b->chunk.nvals;
  grid_iter x = grid_iter_begin(&a->chunk), y = grid_iter_begin(&b->chunk);
  while (!different && grid_iter_next(&x) && grid_iter_next(&y))
    different = x.i != y.i || memcmp(x.v, y.v, a->type->size) != 0;
  OK(Grid_sum(&different, 1));
  return different == 0;
}

static uint64_t traffic_calls(void) {
  uint64_t n;
  Grid_traffic(&n, NULL);
  return n;
}

static void messages(void **state) {
  vectors x = make_vectors(GrB_FP64, N, 1, 1, 3);
  const uint64_t before = traffic_calls();
  for (int round = 0; round < 32; round++)
    for (int k = 0; k < CALLS; k++) OK(calls[k](&x));
  const uint64_t sent = traffic_calls() - before - 32 * CALLS; /* OK sends one */
  assert_on_all(Grid_size() == 1 || sent == CALLS);            /* pools were filled every 32 calls */
  free_vectors(&x);
}

/* On one process, which has no pool. */
static void check_requests(call *c, const vectors *x, const vectors *same) {
  (void)same;
  grid_mem_fail_after(GRID_SHORT_CALL_REQUESTS);
  const GrB_Info info = c(x);
  grid_mem_fail_after(-1);
  OK(info);
}
static void requests(void **state) {
  if (Grid_size() == 1) for_each_call(check_requests);
}

/* Process 0 has no memory, but a full pool. */
static void check_pool(call *c, const vectors *x, const vectors *same) {
  if (Grid_rank() == 0) grid_mem_fail_after(0);
  GrB_Info info = c(x);
  grid_mem_fail_after(-1);
  if (info == GrB_OUT_OF_MEMORY) { /* on all: pools were due */
    assert_on_all(is_same(x->w, same->w));
    grid_short_call_stop(); /* forgets that a pool could not be filled */
    return;
  }
  OK(info);
  OK(c(same));
  assert_on_all(is_same(x->w, same->w));
}
static void lack_of_memory(void **state) {
  if (Grid_size() > 1) for_each_call(check_pool);
}

/* Two elements that are set, and merged by GrB_Vector_wait: into a vector without entries, and behind as many
 * as make its list grow. No message, and no memory on process 0. */
static void single_elements(void **state) {
  for (GrB_Index entries = 0; entries < 24; entries++) {
    GrB_Vector v;
    double x = 0;
    OK(GrB_Vector_new(&v, GrB_FP64, N));
    for (GrB_Index i = 0; i < entries; i++) OK(GrB_Vector_setElement_FP64(v, 1, i));
    OK(GrB_Vector_wait(v, GrB_MATERIALIZE));
    grid_short_call_stop();
    vectors other = make_vectors(GrB_FP64, N, 1, 1, 3);
    OK(add(&other)); /* fills pools */
    const uint64_t before = traffic_calls();
    if (Grid_rank() == 0) grid_mem_fail_after(0);
    GrB_Info info = GrB_Vector_setElement_FP64(v, 2, 30);
    if (info == GrB_SUCCESS) info = GrB_Vector_setElement_FP64(v, 3, N - 1);
    if (info == GrB_SUCCESS && Grid_size() > 1) info = GrB_Vector_wait(v, GrB_MATERIALIZE);
    grid_mem_fail_after(-1);
    const uint64_t sent = traffic_calls() - before;
    if (Grid_size() > 1) {
      OK(info);
      assert_on_all(sent == 0);
      OK(GrB_Vector_extractElement_FP64(&x, v, N - 1));
      assert_on_all(x == 3);
    }
    free_vectors(&other);
    OK(GrB_Vector_free(&v));
  }
}

/* Without a pool: the call fails on all processes, and changes nothing; later ones have a pool again. */
static void no_pool(void **state) {
  vectors x = make_vectors(GrB_FP64, N, 100, 1, 3), same = x;
  OK(GrB_Vector_dup(&same.w, x.w));
  if (Grid_rank() == 0) grid_mem_fail_after(0);
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k <= GRID_SHORT_CALLS && info == GrB_SUCCESS; k++) info = duplicate(&x);
  if (info == GrB_OUT_OF_MEMORY) info = add_masked(&x);
  grid_mem_fail_after(-1);
  assert_on_all(info == GrB_OUT_OF_MEMORY);
  assert_on_all(is_same(x.w, same.w));
  for (int k = 0; k < 300; k++) OK(apply(&x));
  const uint64_t before = traffic_calls();
  OK(add(&x));
  assert_on_all(Grid_size() == 1 || traffic_calls() - before <= 2); /* OK's, and perhaps one to fill pools */
  OK(GrB_Vector_free(&same.w));
  free_vectors(&x);
}

/* Longer vectors, and operators of the user's, take an agreement. */
static void plus_one(void *z, const void *x) {
  *(double *)z = *(const double *)x + 1;
}
static void other_calls(void **state) {
  GrB_Vector u = make(GrB_FP64, LONG, 1000), v = make(GrB_FP64, N, 1);
  GrB_UnaryOp op;
  OK(GrB_UnaryOp_new(&op, plus_one, GrB_FP64, GrB_FP64));
  uint64_t before = traffic_calls();
  OK(GrB_Vector_apply(u, NULL, NULL, GrB_AINV_FP64, u, NULL));
  assert_on_all(Grid_size() == 1 || traffic_calls() - before == 2);
  before = traffic_calls();
  OK(GrB_Vector_apply(v, NULL, NULL, op, v, NULL));
  assert_on_all(Grid_size() == 1 || traffic_calls() - before >= 2);
  OK(GrB_UnaryOp_free(&op));
  OK(GrB_Vector_free(&u));
  OK(GrB_Vector_free(&v));
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(messages), cmocka_unit_test(requests),
               cmocka_unit_test(lack_of_memory), cmocka_unit_test(no_pool), cmocka_unit_test(single_elements),
               cmocka_unit_test(other_calls))
