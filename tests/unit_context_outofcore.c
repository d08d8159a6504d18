/* Threads of one process compute at the same time with matrices that stay on disk, each in its own context.
 * They have a file each, or one file that all of them read. Cached pages of all contexts have one limit, and
 * are evicted. Answers equal those of matrices in memory. Under ThreadSanitizer (the preset tsan)
 * unsynchronized accesses show. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridblas.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/context_calls.h"
#include "tests/test_folder.h"

enum { OPEN_THREADS = 4, LENGTH = 20000, LITTLE = 60000, MORE = 300000, MUCH = 40000000 };

static Grid_Context context[OPEN_THREADS], owner;
static pthread_barrier_t phase;

static Grid_Context new_context(void) {
  Grid_Context c = NULL;
  SUCCEEDS(Grid_Context_new(&c, GrB_NONBLOCKING, NULL, 0, 0));
  const Grid_Context before = owner;
  SUCCEEDS(Grid_Context_use(c));
  assert_int_equal(Grid_threads(OMP_THREADS), OMP_THREADS);
  SUCCEEDS(Grid_Context_use(before));
  return c;
}

static bool is_paged(GrB_Matrix A) {
  bool paged = false;
  Grid_Matrix_bytes_read(&paged, A);
  return paged;
}

/* The calling thread uses the owner's context, and computes meanwhile. */
static void run_open(void *(*work)(void *), void (*meanwhile)(void), uint64_t bytes) {
  pthread_t thread[OPEN_THREADS];
  char *saved = overwrite_default();
  failures = 0;
  SUCCEEDS(Grid_memory_limit(1));
  for (intptr_t t = 0; t < OPEN_THREADS; t++)
    assert_int_equal(pthread_create(&thread[t], NULL, work, (void *)t), 0);
  pthread_barrier_wait(&phase); /* all have opened their files, which had no memory */
  SUCCEEDS(Grid_memory_limit(grid_mem_bytes() + bytes));
  pthread_barrier_wait(&phase);
  if (meanwhile) meanwhile();
  for (int t = 0; t < OPEN_THREADS; t++) pthread_join(thread[t], NULL);
  SUCCEEDS(Grid_memory_limit(0));
  restore_default(saved);
  assert_int_equal(failures, 0);
}

static GrB_Matrix open_file(const char *path) {
  GrB_Matrix A = NULL;
  DONE(Grid_Matrix_open(&A, path));
  EXPECT(is_paged(A));
  pthread_barrier_wait(&phase);
  pthread_barrier_wait(&phase);
  return A;
}

/* ---- files of their own ---- */

/* Each vertex v < LENGTH has edges to the t + 2 that follow it in a ring, of value v % 7 + t. */
static void write_ring(const char *path, int t) {
  const uint64_t degree = (uint64_t)t + 2, n = LENGTH * degree;
  Grid_Edges e = {.nrows = LENGTH, .ncols = LENGTH, .n = n};
  e.rows = malloc(n * sizeof *e.rows), e.cols = malloc(n * sizeof *e.cols);
  e.values = malloc(n * sizeof *e.values);
  for (uint64_t k = 0; e.rows && e.cols && e.values && k < n; k++) {
    e.rows[k] = k / degree, e.cols[k] = (k / degree + 1 + k % degree) % LENGTH;
    e.values[k] = (double)(k / degree % 7) + t;
  }
  DONE(Grid_write(&e, path, NULL));
  free(e.rows), free(e.cols), free(e.values);
}

static double sum_of(GrB_Matrix A) {
  double sum = -1;
  DONE(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  return sum;
}

static void multiply_by_vector(GrB_Matrix A, int t) {
  GrB_Vector x = NULL, y = NULL;
  double got = 0;
  DONE(GrB_Vector_new(&x, GrB_FP64, LENGTH)), DONE(GrB_Vector_new(&y, GrB_FP64, LENGTH));
  DONE(GrB_Vector_assign_FP64(x, NULL, NULL, 2, GrB_ALL, LENGTH, NULL));
  DONE(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL));
  for (GrB_Index v = 3; v < LENGTH; v += 700) {
    DONE(GrB_Vector_extractElement_FP64(&got, y, v));
    EXPECT(got == 2. * (t + 2) * ((double)(v % 7) + t));
  }
  DONE(GrB_vxm(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, x, A, NULL));
  DONE(GrB_Vector_reduce_FP64(&got, NULL, GrB_PLUS_MONOID_FP64, y, NULL));
  EXPECT(got == 2 * sum_of(A));
  DONE(GrB_Vector_free(&x)), DONE(GrB_Vector_free(&y));
}

/* Results of A are written to files without names. */
static void change_on_disk(GrB_Matrix A) {
  GrB_Matrix B = NULL, C = NULL;
  double x = 0;
  const double sum = sum_of(A);
  DONE(GrB_Matrix_dup(&B, A)), DONE(GrB_Matrix_new(&C, GrB_FP64, LENGTH, LENGTH));
  DONE(GrB_transpose(C, NULL, NULL, A, NULL));
  EXPECT(sum_of(C) == sum);
  DONE(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GrB_PLUS_FP64, A, C, NULL));
  EXPECT(sum_of(C) == 2 * sum);
  DONE(GrB_Matrix_setElement_FP64(B, 1000, 5, 6));
  DONE(GrB_Matrix_extractElement_FP64(&x, A, 5, 6));
  EXPECT(sum_of(B) == sum + 1000 - x);
  DONE(GrB_Matrix_apply_BinaryOp2nd_FP64(C, NULL, NULL, GrB_TIMES_FP64, B, 3, NULL));
  EXPECT(sum_of(C) == 3 * (sum + 1000 - x));
  DONE(GrB_Matrix_free(&B)), DONE(GrB_Matrix_free(&C));
}

static void *run_on_file(void *arg) {
  const int t = (int)(intptr_t)arg;
  char path[sizeof dir + 32];
  double sum = 0;
  snprintf(path, sizeof path, "%s/ring%d.pages", dir, t);
  for (int v = 0; v < LENGTH; v++) sum += (t + 2) * (v % 7 + t);
  DONE(Grid_Context_use(context[t]));
  write_ring(path, t);
  GrB_Matrix A = open_file(path);
  for (int round = 0; round < 4; round++) {
    EXPECT(sum_of(A) == sum);
    multiply_by_vector(A, t);
    change_on_disk(A);
  }
  DONE(GrB_Matrix_free(&A));
  return NULL;
}

static void file_per_context(void **state) {
  run_open(run_on_file, NULL, MORE);
  run_open(run_on_file, NULL, MUCH);
}

/* ---- one file ---- */

static char shared_path[sizeof dir + 32];

static void *run_shared_file(void *arg) {
  GrB_Vector w = NULL;
  DONE(Grid_Context_use(context[(intptr_t)arg]));
  GrB_Matrix A = open_file(shared_path);
  DONE(GrB_Vector_new(&w, GrB_FP64, N));
  for (GrB_Index k = 0; k < N; k += 2) DONE(GrB_Vector_setElement_FP64(w, (double)(k % 5), k));
  for (int round = 0; round < 2; round++) {
    GrB_Matrix copy = NULL;
    expect_answers(A, w);
    DONE(GrB_Matrix_dup(&copy, graph)); /* the same file, of the owner's matrix */
    expect_answers(copy, w);
    DONE(GrB_Matrix_free(&copy));
  }
  EXPECT(is_paged(A));
  DONE(GrB_Matrix_free(&A)), DONE(GrB_Vector_free(&w));
  return NULL;
}

static void compute_meanwhile(void) {
  for (int round = 0; round < 2; round++) expect_answers(graph, weight);
}

/* The graph's tuples in one triangle. */
static void write_graph(void) {
  GrB_Index n = 0, kept = 0;
  SUCCEEDS(GrB_Matrix_nvals(&n, graph));
  Grid_Edges e = {.nrows = N, .ncols = N, .symmetric = true, .pattern = true};
  e.rows = malloc(n * sizeof *e.rows), e.cols = malloc(n * sizeof *e.cols);
  assert_true(e.rows && e.cols);
  SUCCEEDS(GrB_Matrix_extractTuples_INT64(e.rows, e.cols, NULL, &n, graph));
  for (GrB_Index k = 0; k < n; k++)
    if (e.cols[k] <= e.rows[k]) e.rows[kept] = e.rows[k], e.cols[kept++] = e.cols[k];
  e.n = kept;
  SUCCEEDS(Grid_write(&e, shared_path, NULL));
  free(e.rows), free(e.cols);
}

static void one_file(void **state) {
  snprintf(shared_path, sizeof shared_path, "%s/graph.pages", dir);
  graph = make_graph();
  SUCCEEDS(GrB_Vector_new(&weight, GrB_FP64, N));
  for (GrB_Index k = 0; k < N; k += 2) SUCCEEDS(GrB_Vector_setElement_FP64(weight, (double)(k % 5), k));
  write_graph();
  failures = 0;
  expected = compute(graph, weight);
  assert_true(expected.levels > 0 && expected.triangles > 0 && expected.paths > 0);
  SUCCEEDS(GrB_Matrix_free(&graph));
  SUCCEEDS(Grid_memory_limit(1));
  SUCCEEDS(Grid_Matrix_open(&graph, shared_path));
  assert_true(is_paged(graph));
  run_open(run_shared_file, compute_meanwhile, LITTLE);
  assert_true(is_paged(graph));
  SUCCEEDS(GrB_Matrix_free(&graph)), SUCCEEDS(GrB_Vector_free(&weight));
}

/* ---- the limit of cached pages ---- */

static uint64_t bytes_read(GrB_Matrix A) {
  return Grid_Matrix_bytes_read(NULL, A);
}

/* Bytes that a pass over A reads from disk, after three that fill the cache. */
static uint64_t pass_of(GrB_Matrix A, Grid_Context c) {
  uint64_t before = 0;
  SUCCEEDS(Grid_Context_use(c));
  for (int round = 0; round < 4; round++) before = bytes_read(A), (void)sum_of(A);
  return bytes_read(A) - before;
}

/* The limit has room for one matrix, and for less than two. A context that fills it gives an equal share to a
 * second one, also while it does not compute, and has the rest again when that has freed its matrix. */
static void equal_shares(void **state) {
  GrB_Matrix A[2];
  uint64_t all;
  failures = 0;
  snprintf(shared_path, sizeof shared_path, "%s/long.pages", dir);
  write_ring(shared_path, 3);
  SUCCEEDS(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++) {
    SUCCEEDS(Grid_Context_use(context[k]));
    SUCCEEDS(Grid_Matrix_open(&A[k], shared_path));
    assert_true(is_paged(A[k]));
  }
  all = pass_of(A[1], context[1]); /* nothing is cached */
  SUCCEEDS(Grid_memory_limit(grid_mem_bytes() + 5 * all));
  assert_int_equal(pass_of(A[0], context[0]), 0);
  for (int k = 1; k >= 0; k--) {
    const uint64_t read = pass_of(A[k], context[k]);
    assert_true(read > all / 4 && read < all / 2);
  }
  SUCCEEDS(GrB_Matrix_free(&A[0]));
  assert_int_equal(pass_of(A[1], context[1]), 0);
  SUCCEEDS(GrB_Matrix_free(&A[1]));
  SUCCEEDS(Grid_Context_use(owner));
  SUCCEEDS(Grid_memory_limit(0));
  assert_int_equal(failures, 0);
}

/* ---- the end of a context ---- */

/* Its matrices, which have cached pages, are freed after it. */
static void freed_later(void **state) {
  GrB_Matrix A = NULL;
  SUCCEEDS(Grid_Context_use(context[0]));
  SUCCEEDS(Grid_memory_limit(1));
  SUCCEEDS(Grid_Matrix_open(&A, shared_path));
  SUCCEEDS(Grid_memory_limit(grid_mem_bytes() + MUCH));
  failures = 0;
  (void)sum_of(A);
  const uint64_t cached = grid_mem_bytes();
  SUCCEEDS(Grid_Context_use(owner));
  SUCCEEDS(Grid_Context_free(&context[0]));
  assert_true(grid_mem_bytes() < cached);
  context[0] = new_context();
  SUCCEEDS(GrB_Matrix_free(&A));
  SUCCEEDS(Grid_Context_use(context[0]));
  SUCCEEDS(Grid_Matrix_open(&A, shared_path)), (void)sum_of(A);
  SUCCEEDS(GrB_Matrix_free(&A));
  SUCCEEDS(Grid_Context_use(owner));
  assert_int_equal(failures, 0);
}

/* ---- start and end ---- */

static int begin(void **state) {
  if (start(state) != 0) return -1;
  grid_tune.page_entries = 500, grid_tune.page_read_bytes = 20000, grid_tune.row_panel_min_bytes = 200000;
  pthread_barrier_init(&phase, NULL, OPEN_THREADS + 1);
  owner = new_context();
  for (int t = 0; t < OPEN_THREADS; t++) context[t] = new_context();
  SUCCEEDS(Grid_Context_use(owner));
  return 0;
}

static int end(void **state) {
  SUCCEEDS(Grid_Context_use(NULL));
  pthread_barrier_destroy(&phase);
  if (stop(state) != 0) return -1; /* with contexts that are left */
  assert_int_equal(Grid_memory(NULL, false), 0);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(file_per_context),
      cmocka_unit_test(one_file),
      cmocka_unit_test(equal_shares),
      cmocka_unit_test(freed_later),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
