/* Threads of one process compute at the same time, each in its own context. They have separate objects, or
 * copies of shared matrices and vectors that share arrays with them. Answers equal those of one thread.
 * Meanwhile the state of the default context is overwritten, so that OpenMP's threads that read it instead of
 * the calling thread's fail. Under ThreadSanitizer (the preset tsan) unsynchronized accesses show.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gridblas.h"
#include "gridblas_gxb_objects.h"
#include "tests/context_calls.h"

static Grid_Context context[THREADS], owner; /* owner: of the shared objects */

/* ---- objects of their own ---- */

static void *run_in_context(void *arg) {
  DONE(Grid_Context_use(context[(intptr_t)arg]));
  run_calls(arg);
  return NULL;
}

static void objects_per_context(void **state) {
  run_without_default(run_in_context);
}

/* Pairs of threads have a context in common. */
static void *run_in_pairs(void *arg) {
  DONE(Grid_Context_use(context[(intptr_t)arg / 2]));
  run_calls(arg);
  return NULL;
}

static void contexts_of_two_threads(void **state) {
  run_without_default(run_in_pairs);
}

/* ---- shared inputs ---- */

static void *run_shared(void *arg) {
  const int t = (int)(intptr_t)arg;
  DONE(Grid_Context_use(context[t]));
  for (int round = 0; round < ROUNDS; round++) {
    GrB_Matrix A = NULL;
    GrB_Vector w = NULL;
    DONE(GrB_Matrix_dup(&A, graph)), DONE(GrB_Vector_dup(&w, weight));
    expect_answers(A, w);
    change_copy(A, w, t + 2);
    DONE(GrB_Matrix_free(&A)), DONE(GrB_Vector_free(&w));
  }
  return NULL;
}

/* The owner's context is in use in this thread, which computes meanwhile. */
static void shared_inputs(void **state) {
  pthread_t thread[THREADS];
  SUCCEEDS(Grid_Context_use(owner));
  graph = make_graph();
  SUCCEEDS(GrB_Vector_new(&weight, GrB_FP64, N));
  for (GrB_Index k = 0; k < N; k += 2) SUCCEEDS(GrB_Vector_setElement_FP64(weight, (double)(k % 5), k));
  failures = 0;
  GrB_Matrix first = NULL; /* the answers are of a copy: the graph itself is new when the threads start */
  SUCCEEDS(GrB_Matrix_dup(&first, graph));
  expected = compute(first, weight);
  SUCCEEDS(GrB_Matrix_free(&first));
  assert_true(expected.levels > 0 && expected.triangles > 0 && expected.paths > 0);
  char *saved = overwrite_default();
  for (intptr_t t = 0; t < THREADS; t++)
    assert_int_equal(pthread_create(&thread[t], NULL, run_shared, (void *)t), 0);
  for (int round = 0; round < ROUNDS; round++) expect_answers(graph, weight);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  restore_default(saved);
  assert_int_equal(failures, 0);
  expect_answers(graph, weight);
  assert_int_equal(failures, 0);
  SUCCEEDS(GrB_Matrix_free(&graph)), SUCCEEDS(GrB_Vector_free(&weight));
  SUCCEEDS(Grid_Context_use(NULL));
}

/* ---- calls at once ---- */

static int inside;

/* Waits until each thread is in a call. */
static void wait_for_all(void *z, const void *x) {
  const struct timespec pause = {0, 1000000};
  __atomic_fetch_add(&inside, 1, __ATOMIC_ACQ_REL);
  for (int k = 0; k < 20000 && __atomic_load_n(&inside, __ATOMIC_ACQUIRE) < THREADS; k++)
    nanosleep(&pause, NULL);
  memcpy(z, x, sizeof(int64_t));
}

static void *meet(void *arg) {
  GrB_UnaryOp op = NULL;
  GrB_Vector v = NULL;
  DONE(Grid_Context_use(context[(intptr_t)arg]));
  DONE(GrB_UnaryOp_new(&op, wait_for_all, GrB_INT64, GrB_INT64));
  DONE(GrB_Vector_new(&v, GrB_INT64, 1)), DONE(GrB_Vector_setElement_INT64(v, 1, 0));
  DONE(GrB_Vector_apply(v, NULL, NULL, op, v, NULL));
  EXPECT(__atomic_load_n(&inside, __ATOMIC_ACQUIRE) == THREADS);
  DONE(GrB_Vector_free(&v)), DONE(GrB_UnaryOp_free(&op));
  return NULL;
}

static void calls_at_once(void **state) {
  run_threads(meet);
}

/* ---- functions with data, at once ---- */

static int present; /* bit t: thread t is in its function */

static void wait_until_present(int t) {
  const struct timespec pause = {0, 1000000};
  __atomic_fetch_or(&present, 1 << t, __ATOMIC_ACQ_REL);
  for (int k = 0; k < 20000 && __atomic_load_n(&present, __ATOMIC_ACQUIRE) != (1 << THREADS) - 1; k++)
    nanosleep(&pause, NULL);
}

static void expect_all_present(void) {
  EXPECT(__atomic_load_n(&present, __ATOMIC_ACQUIRE) == (1 << THREADS) - 1);
}

/* z = x + y + ix + theta, of values that are the thread's number. */
static void sum_positions(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y, GrB_Index iy,
                          GrB_Index jy, const void *theta) {
  (void)jx, (void)iy, (void)jy;
  wait_until_present((int)*(const int64_t *)x);
  *(int64_t *)z = *(const int64_t *)x + *(const int64_t *)y + (int64_t)ix + *(const int64_t *)theta;
}

static void *multiply_positions(void *arg) {
  const int64_t t = (intptr_t)arg;
  int64_t z = 0;
  GxB_IndexBinaryOp index_op = NULL;
  GrB_BinaryOp op = NULL;
  GrB_Scalar theta = NULL;
  GrB_Vector v = NULL;
  DONE(Grid_Context_use(context[t]));
  DONE(GrB_Scalar_new(&theta, GrB_INT64)), DONE(GrB_Scalar_setElement_INT64(theta, 100 * t));
  DONE(GxB_IndexBinaryOp_new(&index_op, sum_positions, GrB_INT64, GrB_INT64, GrB_INT64, GrB_INT64, NULL,
                             NULL));
  DONE(GxB_BinaryOp_new_IndexOp(&op, index_op, theta));
  DONE(GrB_Vector_new(&v, GrB_INT64, 20)), DONE(GrB_Vector_setElement_INT64(v, t, 10));
  DONE(GrB_Vector_eWiseMult_BinaryOp(v, NULL, NULL, op, v, v, NULL));
  expect_all_present();
  DONE(GrB_Vector_extractElement_INT64(&z, v, 10)), EXPECT(z == 102 * t + 10);
  DONE(GrB_Vector_free(&v)), DONE(GrB_Scalar_free(&theta));
  DONE(GrB_BinaryOp_free(&op)), DONE(GxB_IndexBinaryOp_free(&index_op));
  return NULL;
}

/* a: the thread's number, -1 in the identity. */
static void add_and_wait(void *z, const void *x, const void *y) {
  const two_numbers *p = x, *q = y;
  const int64_t t = p->a > q->a ? p->a : q->a;
  if (t >= 0) wait_until_present((int)t);
  *(two_numbers *)z = (two_numbers){t, p->b + q->b};
}

static void *sum_columns(void *arg) {
  const int64_t t = (intptr_t)arg;
  const two_numbers zero = {-1, 0}, x = {t, t + 5};
  two_numbers sum = {0, 0};
  GrB_Type two = NULL;
  GrB_BinaryOp add = NULL;
  GrB_Monoid monoid = NULL;
  GrB_Matrix A = NULL;
  GrB_Vector w = NULL;
  DONE(Grid_Context_use(context[t]));
  DONE(GrB_Type_new(&two, sizeof(two_numbers))), DONE(GrB_BinaryOp_new(&add, add_and_wait, two, two, two));
  DONE(GrB_Monoid_new_UDT(&monoid, add, (void *)(uintptr_t)&zero));
  DONE(GrB_Matrix_new(&A, two, 9, 9)), DONE(GrB_Vector_new(&w, two, 9));
  for (GrB_Index i = 3; i < 6; i++) DONE(GrB_Matrix_setElement_UDT(A, (void *)(uintptr_t)&x, i, 7));
  DONE(GrB_Matrix_reduce_Monoid(w, NULL, NULL, monoid, A, GrB_DESC_T0));
  expect_all_present();
  DONE(GrB_Vector_extractElement_UDT(&sum, w, 7)), EXPECT(sum.a == t && sum.b == 3 * (t + 5));
  DONE(GrB_Matrix_free(&A)), DONE(GrB_Vector_free(&w));
  DONE(GrB_Monoid_free(&monoid)), DONE(GrB_BinaryOp_free(&add)), DONE(GrB_Type_free(&two));
  return NULL;
}

static void functions_with_data(void **state) {
  present = 0;
  run_threads(multiply_positions);
  present = 0;
  run_threads(sum_columns);
}

/* ---- contexts that come and go ---- */

static void *make_and_free(void *arg) {
  const int t = (int)(intptr_t)arg, threads = t % 2 ? OMP_THREADS : 1;
  for (int round = 0; round < 10; round++) {
    Grid_Context c = NULL;
    GrB_Vector v = NULL;
    int64_t sum = 0;
    EXPECT(Grid_size() == 1);
    DONE(Grid_Context_new(&c, GrB_NONBLOCKING, NULL, 0, 0));
    DONE(Grid_Context_use(c));
    EXPECT(Grid_threads(threads) == threads);
    DONE(GrB_Vector_new(&v, GrB_INT64, N));
    DONE(GrB_Vector_assign_INT64(v, NULL, NULL, t, GrB_ALL, N, NULL));
    DONE(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, v, NULL)), EXPECT(sum == N * t);
    DONE(Grid_Context_use(NULL));
    EXPECT(GrB_Vector_nvals(&(GrB_Index){0}, v) == GrB_INVALID_OBJECT);
    DONE(Grid_Context_use(c));
    EXPECT(Grid_threads(0) == threads);
    DONE(GrB_Vector_free(&v));
    DONE(Grid_Context_free(&c));
  }
  return NULL;
}

static void contexts_come_and_go(void **state) {
  run_threads(make_and_free);
}

/* ---- errors ---- */

static void *make_errors(void *arg) {
  const int t = (int)(intptr_t)arg;
  char text[64];
  GrB_Vector v = NULL, copy = NULL;
  bool x;
  DONE(Grid_Context_use(context[t]));
  snprintf(text, sizeof text, "index %d ", N + t);
  DONE(GrB_Vector_new(&v, GrB_BOOL, N));
  for (int round = 0; round < 20; round++) {
    EXPECT(GrB_Vector_extractElement_BOOL(&x, v, (GrB_Index)(N + t)) == GrB_INVALID_INDEX);
    EXPECT(strstr(Grid_last_error(), text));
    EXPECT(GrB_Vector_reduce_BOOL(&x, NULL, GrB_LOR_MONOID_BOOL, weight, NULL) == GrB_INVALID_OBJECT);
    EXPECT(strstr(Grid_last_error(), "of a context that is not in use"));
    EXPECT(GrB_Vector_dup(NULL, weight) == GrB_NULL_POINTER);
    EXPECT(GrB_Vector_free(&weight) == GrB_INVALID_OBJECT && !copy);
  }
  DONE(GrB_Vector_free(&v));
  return NULL;
}

static void errors(void **state) {
  SUCCEEDS(Grid_Context_use(owner));
  SUCCEEDS(GrB_Vector_new(&weight, GrB_BOOL, N));
  SUCCEEDS(Grid_Context_use(NULL));
  run_threads(make_errors);
  SUCCEEDS(Grid_Context_use(owner));
  SUCCEEDS(GrB_Vector_free(&weight));
  SUCCEEDS(Grid_Context_use(NULL));
}

/* ---- start and end ---- */

static Grid_Context new_context(void) {
  Grid_Context c = NULL;
  SUCCEEDS(Grid_Context_new(&c, GrB_NONBLOCKING, NULL, 0, 0));
  SUCCEEDS(Grid_Context_use(c));
  assert_int_equal(Grid_threads(OMP_THREADS), OMP_THREADS);
  SUCCEEDS(Grid_Context_use(NULL));
  return c;
}

static int start(void **state) {
  SUCCEEDS(GrB_init(GrB_NONBLOCKING));
  owner = new_context();
  for (int t = 0; t < THREADS; t++) context[t] = new_context();
  return 0;
}

static int end(void **state) {
  for (int t = 0; t < THREADS; t += 2) SUCCEEDS(Grid_Context_free(&context[t]));
  SUCCEEDS(GrB_finalize()); /* with contexts that are left */
  assert_int_equal(Grid_memory(NULL, false), 0);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(objects_per_context),
      cmocka_unit_test(contexts_of_two_threads),
      cmocka_unit_test(shared_inputs),
      cmocka_unit_test(contexts_come_and_go),
      cmocka_unit_test(errors),
      cmocka_unit_test(calls_at_once),
      cmocka_unit_test(functions_with_data),
  };
  return cmocka_run_group_tests(tests, start, end);
}
