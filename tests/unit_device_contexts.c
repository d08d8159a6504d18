/* Contexts on the CPU and contexts on two GPUs compute at the same time on threads of one process; copies
 * between them in each direction; what ends with a context. On several processes contexts of all of them take
 * turns. The GPUs are simulated in host memory (fake_full.h): once with searches, once at addresses that host
 * code cannot follow. With GRID_TEST_GPU=1 they are real, or a single one is. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "semiring/support/tuning.h"
#include "tests/fake_full.h"
#include "tests/gpu_present.h"
#include "gridblas.h"
#include "tests/context_calls.h"

static bool gpu;
static int gpus = 2;
static Grid_Context context[THREADS];    /* the first half is on the CPU */
static const grid_backend *backend_used; /* of the device */
static int prepared;                     /* calls of its `prepare`, of the simulated one */

static void count_prepare(void) {
  prepared++;
}

static bool is_on_device(int t) {
  return t >= THREADS / 2;
}
static int gpu_of(int t) {
  return t % gpus;
}

static Grid_Context new_context(int device) {
  Grid_Context c = NULL;
  SUCCEEDS(Grid_Context_new(&c, GrB_NONBLOCKING, NULL, 0, 0));
  SUCCEEDS(Grid_Context_use(c));
  assert_int_equal(Grid_device(), Grid_CPU);
  if (Grid_size() == 1) assert_int_equal(Grid_threads(OMP_THREADS), OMP_THREADS);
  SUCCEEDS(Grid_device_set(device));
  assert_int_equal(Grid_device(), device == Grid_CPU ? Grid_CPU : Grid_CUDA);
  SUCCEEDS(Grid_Context_use(NULL));
  return c;
}

static void start_library(void) {
  SUCCEEDS(GrB_init(GrB_NONBLOCKING));
  if (!gpu) grid_backend_register(&grid_backend_cpu, backend_used);
}

static int start(void **state) {
  start_library();
  prepared = 0;
  for (int t = 0; t < THREADS && Grid_size() == 1; t++)
    context[t] = new_context(is_on_device(t) ? Grid_GPU(gpu_of(t)) : Grid_CPU);
  return 0;
}

static int end(void **state) {
  for (int t = 0; t < THREADS; t += 2) SUCCEEDS(Grid_Context_free(&context[t]));
  SUCCEEDS(GrB_finalize()); /* with contexts that are left */
  assert_int_equal(grid_device_live(), 0);
  assert_int_equal(Grid_memory(NULL, false), 0);
  return 0;
}

static void opened_per_context(void **state) {
  assert_int_equal(prepared, gpu ? 0 : THREADS / 2);
}

static void *find_gpu(void *arg) {
  const int t = (int)(intptr_t)arg;
  Grid_Device_Info d;
  DONE(Grid_Context_use(context[t]));
  if (!is_on_device(t)) {
    EXPECT(Grid_device_info(&d) == GrB_INVALID_VALUE);
    return NULL;
  }
  DONE(Grid_device_info(&d)), EXPECT(d.number == gpu_of(t));
  EXPECT(Grid_device_set(Grid_GPU(gpu_of(t) + 1)) == GrB_INVALID_VALUE);
  EXPECT(strstr(Grid_last_error(), "the context has used GPU"));
  DONE(Grid_device_set(Grid_CPU)), DONE(Grid_device_set(Grid_CUDA));
  DONE(Grid_device_info(&d)), EXPECT(d.number == gpu_of(t));
  return NULL;
}

static void gpu_per_context(void **state) {
  run_threads(find_gpu);
}

static void wrong_gpus_are_refused(void **state) {
  Grid_Context c = new_context(Grid_CPU);
  SUCCEEDS(Grid_Context_use(c));
  assert_int_equal(Grid_device_set(-1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_device_set(Grid_GPU(1000)), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "GPU 1000"));
  assert_int_equal(Grid_device(), Grid_CPU);
  grid_device_choose_later(0, GRID_GPU_OF_PROCESS);
  assert_int_equal(Grid_device_set(Grid_GPU(1000)), GrB_INVALID_VALUE);
  assert_true(grid_device_is_opening_due() && grid_device_number() == -1); /* nothing has changed */
  SUCCEEDS(Grid_device_set(Grid_GPU(0)));
  SUCCEEDS(Grid_Context_free(&c));
}

static void limit_per_context(void **state) {
  const uint64_t limit = UINT64_C(1) << 40;
  SUCCEEDS(Grid_Context_use(context[THREADS - 1]));
  SUCCEEDS(Grid_device_memory_limit(limit));
  Grid_Context inherits = NULL;
  SUCCEEDS(Grid_Context_new(&inherits, GrB_NONBLOCKING, NULL, 0, 0));
  SUCCEEDS(Grid_Context_use(inherits)), assert_int_equal(grid_device_get_limit(), limit);
  SUCCEEDS(Grid_Context_use(context[THREADS - 2])), assert_int_equal(grid_device_get_limit(), 0);
  SUCCEEDS(Grid_Context_use(context[THREADS - 1])), SUCCEEDS(Grid_device_memory_limit(0));
  SUCCEEDS(Grid_Context_use(NULL)), SUCCEEDS(Grid_Context_free(&inherits));
}

/* ---- objects of their own ---- */

static void *run_in_context(void *arg) {
  const int t = (int)(intptr_t)arg;
  DONE(Grid_Context_use(context[t]));
  EXPECT(Grid_device() == (is_on_device(t) ? Grid_CUDA : Grid_CPU));
  run_calls(arg);
  return NULL;
}

static void objects_per_context(void **state) {
  run_without_default(run_in_context);
}

/* ---- copies ---- */

static bool is_device_address(const void *p) {
  return gpu ? p != NULL : (uintptr_t)p & fake_tag;
}

/* Objects of a context on the CPU are in host memory alone. */
static void expect_place(GrB_Matrix A, GrB_Vector w, int t) {
  if (is_on_device(t)) return;
  EXPECT(!A->block.device && !A->placement.on_device && !w->chunk.device);
  EXPECT(gpu || (!is_device_address(A->block.by_row.ptr) && !is_device_address(w->chunk.val)));
}

static void *copied[THREADS][2]; /* results of the threads' contexts */

static void *run_copies(void *arg) {
  const int t = (int)(intptr_t)arg;
  GrB_Matrix A = NULL, B = NULL;
  GrB_Vector w = NULL, x = NULL;
  DONE(Grid_Context_use(context[t]));
  for (int round = 0; round < ROUNDS / 2; round++) {
    DONE(GrB_Matrix_dup(&A, graph)), DONE(GrB_Vector_dup(&w, weight));
    expect_place(A, w, t);
    expect_answers(A, w);
    DONE(GrB_Matrix_dup(&B, A)), DONE(GrB_Vector_dup(&x, w));
    change_copy(B, x, t + 2);
    DONE(GrB_Matrix_free(&B)), DONE(GrB_Vector_free(&x));
    expect_answers(A, w);
    if (round == 0) {
      copied[t][0] = A, copied[t][1] = w;
      A = NULL, w = NULL;
    }
    DONE(GrB_Matrix_free(&A)), DONE(GrB_Vector_free(&w));
  }
  return NULL;
}

/* What the threads have left is copied to the default context, and freed where it belongs. */
static void copy_back(int t) {
  GrB_Matrix A = copied[t][0], B = NULL;
  GrB_Vector w = copied[t][1], x = NULL;
  SUCCEEDS(GrB_Matrix_dup(&B, A)), SUCCEEDS(GrB_Vector_dup(&x, w));
  SUCCEEDS(Grid_Context_use(context[t]));
  SUCCEEDS(GrB_Matrix_free(&A)), SUCCEEDS(GrB_Vector_free(&w));
  SUCCEEDS(Grid_Context_use(NULL));
  expect_answers(B, x);
  SUCCEEDS(GrB_Matrix_free(&B)), SUCCEEDS(GrB_Vector_free(&x));
}

/* The graph is one of the default context, which computes meanwhile, on either device. */
static void copy_from(int device) {
  pthread_t thread[THREADS];
  SUCCEEDS(Grid_device_set(Grid_CPU));
  graph = make_graph();
  SUCCEEDS(GrB_Vector_new(&weight, GrB_FP64, N));
  for (GrB_Index k = 0; k < N; k += 2) SUCCEEDS(GrB_Vector_setElement_FP64(weight, (double)(k % 5), k));
  failures = 0;
  expected = compute(graph, weight);
  assert_true(expected.levels > 0 && expected.triangles > 0 && expected.paths > 0);
  SUCCEEDS(Grid_device_set(device));
  expect_answers(graph, weight); /* they move to the device */
  for (intptr_t t = 0; t < THREADS; t++)
    assert_int_equal(pthread_create(&thread[t], NULL, run_copies, (void *)t), 0);
  for (int round = 0; round < ROUNDS / 2; round++) expect_answers(graph, weight);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  for (int t = 0; t < THREADS; t++) copy_back(t);
  assert_int_equal(failures, 0);
  SUCCEEDS(GrB_Matrix_free(&graph)), SUCCEEDS(GrB_Vector_free(&weight));
  SUCCEEDS(Grid_device_set(Grid_CPU));
}

static void copies_from_cpu(void **state) {
  copy_from(Grid_CPU);
}
static void copies_from_device(void **state) {
  copy_from(Grid_CUDA);
}

/* Changes of the original are merged in the memory of its own context. */
static void copies_count_alone(void **state) {
  GrB_Matrix A = NULL, copy = NULL;
  SUCCEEDS(Grid_device_set(Grid_GPU(0)));
  A = make_graph();
  SUCCEEDS(grid_matrix_require(A, GRID_READY));
  SUCCEEDS(grid_lmat_to_device(&A->block));
  SUCCEEDS(GrB_Matrix_setElement_INT64(A, 3, 7, 5));
  SUCCEEDS(Grid_Context_use(context[THREADS / 2])); /* on the same GPU */
  const uint64_t before = grid_device_bytes_in_use();
  SUCCEEDS(Grid_device_memory_limit(0)); /* measures the peak anew */
  SUCCEEDS(GrB_Matrix_dup(&copy, A));
  assert_true(gpu || grid_device_peak() == before); /* simulated GPUs have no memory for a merge */
  SUCCEEDS(GrB_Matrix_free(&copy));
  assert_int_equal(grid_device_bytes_in_use(), before);
  SUCCEEDS(Grid_Context_use(NULL));
  SUCCEEDS(GrB_Matrix_free(&A));
  SUCCEEDS(Grid_device_set(Grid_CPU));
}

/* ---- who waits for whom ---- */

static const struct timespec short_pause = {0, 1000000};
static int inside, has_ended;

/* In a call of a context on the device: ends when calls of the other context have. */
static void wait_for_end(void *z, const void *x) {
  __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
  for (int k = 0; k < 20000 && !__atomic_load_n(&has_ended, __ATOMIC_ACQUIRE); k++)
    nanosleep(&short_pause, NULL);
  memcpy(z, x, sizeof(int64_t));
}

static void apply_once(GxB_unary_function f) {
  GrB_UnaryOp op = NULL;
  GrB_Vector v = NULL;
  DONE(GrB_UnaryOp_new(&op, f, GrB_INT64, GrB_INT64));
  DONE(GrB_Vector_new(&v, GrB_INT64, 1)), DONE(GrB_Vector_setElement_INT64(v, 1, 0));
  DONE(GrB_Vector_apply(v, NULL, NULL, op, v, NULL));
  DONE(GrB_Vector_free(&v)), DONE(GrB_UnaryOp_free(&op));
}

static int other; /* thread that computes meanwhile */

static void *compute_beside(void *arg) {
  const int t = (int)(intptr_t)arg;
  DONE(Grid_Context_use(context[t]));
  if (t == THREADS - 1) {
    apply_once(wait_for_end);
    EXPECT(__atomic_load_n(&has_ended, __ATOMIC_ACQUIRE));
  } else if (t == other) {
    for (int k = 0; k < 20000 && !__atomic_load_n(&inside, __ATOMIC_ACQUIRE); k++)
      nanosleep(&short_pause, NULL);
    EXPECT(__atomic_load_n(&inside, __ATOMIC_ACQUIRE));
    run_calls(arg);
    __atomic_store_n(&has_ended, 1, __ATOMIC_RELEASE);
  }
  return NULL;
}

/* Of a context on the CPU, on the same GPU and on the other one. */
static void no_context_waits(void **state) {
  const int others[] = {0, THREADS - 3, THREADS - 2};
  for (int k = 0; k < 3; k++) {
    other = others[k], inside = has_ended = 0;
    run_threads(compute_beside);
  }
}

/* ---- ends ---- */

/* A context that ends frees what its objects have on the device. Another one goes on. */
static void ends_free_memory(void **state) {
  Grid_Context c = new_context(Grid_CUDA);
  GrB_Vector v = NULL, copy = NULL;
  GrB_Matrix A = NULL;
  Grid_View view = {0};
  GrB_Index n = 0;
  const int64_t before = grid_device_live();
  SUCCEEDS(Grid_Context_use(c));
  SUCCEEDS(GrB_Vector_new(&v, GrB_INT64, N)),
      SUCCEEDS(GrB_Vector_assign_INT64(v, NULL, NULL, 3, GrB_ALL, N, NULL));
  SUCCEEDS(GrB_Vector_setElement_INT64(v, 4, 4));
  A = make_graph();
  SUCCEEDS(Grid_bfs(&copy, NULL, A, 5, INT64_MAX)), SUCCEEDS(GrB_Vector_free(&copy));
  SUCCEEDS(Grid_Vector_device_view(&view, v));
  assert_true(view.device && grid_device_live() > before);
  SUCCEEDS(Grid_Context_use(context[THREADS / 2])); /* on the same GPU */
  const int64_t with_context = grid_device_live();
  SUCCEEDS(GrB_Vector_dup(&copy, v)); /* shares nothing that ends */
  const int64_t held = grid_device_live() - with_context;
  assert_true(held > 0);
  SUCCEEDS(Grid_Context_free(&c));
  assert_int_equal(grid_device_live(), before + held + 1); /* the view outlives the vector */
  SUCCEEDS(Grid_Context_use(context[0]));
  Grid_View_free(&view);
  assert_int_equal(grid_device_live(), before + held);
  SUCCEEDS(Grid_Context_use(context[THREADS / 2]));
  assert_int_equal(GrB_Vector_nvals(&n, v), GrB_INVALID_OBJECT);
  SUCCEEDS(GrB_Vector_nvals(&n, copy)), assert_int_equal(n, N);
  SUCCEEDS(GrB_Vector_free(&copy)), SUCCEEDS(GrB_Vector_free(&v)), SUCCEEDS(GrB_Matrix_free(&A));
  SUCCEEDS(Grid_Context_use(NULL));
}

/* Objects stay where they are when the device is turned off, until they are used. */
static void device_is_turned_off(void **state) {
  Grid_Context c = new_context(Grid_CUDA);
  GrB_Vector v = NULL;
  int64_t sum = 0;
  SUCCEEDS(Grid_Context_use(c));
  SUCCEEDS(GrB_Vector_new(&v, GrB_INT64, N)),
      SUCCEEDS(GrB_Vector_assign_INT64(v, NULL, NULL, 3, GrB_ALL, N, NULL));
  SUCCEEDS(grid_chunk_to_device(&v->chunk));
  SUCCEEDS(Grid_device_set(Grid_CPU));
  SUCCEEDS(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, v, NULL)), assert_int_equal(sum, 3 * N);
  SUCCEEDS(GrB_Vector_free(&v));
  SUCCEEDS(Grid_Context_free(&c));
}

/* Bytes of a view that is left are no longer those of the default context when that begins anew. */
static void view_outlives_library(void **state) {
  GrB_Vector v = NULL;
  Grid_View view = {0};
  start_library();
  SUCCEEDS(Grid_device_set(Grid_GPU(0)));
  SUCCEEDS(GrB_Vector_new(&v, GrB_INT64, N));
  SUCCEEDS(GrB_Vector_assign_INT64(v, NULL, NULL, 3, GrB_ALL, N, NULL));
  SUCCEEDS(Grid_Vector_device_view(&view, v)), SUCCEEDS(GrB_Vector_free(&v));
  SUCCEEDS(GrB_finalize());
  start_library();
  SUCCEEDS(Grid_device_set(Grid_GPU(0)));
  assert_int_equal(grid_device_bytes_in_use(), 0);
  Grid_View_free(&view);
  assert_int_equal(grid_device_live(), 0);
  SUCCEEDS(GrB_finalize());
}

/* GRIDBLAS_DEVICE, and its words. */
static void environment_names_gpu(void **state) {
  static const struct {
    const char *name;
    int device;
  } words[] = {{"cpu", Grid_CPU},
               {"cuda", Grid_CUDA},
               {"cuda:0", Grid_GPU(0)},
               {"cuda:12", Grid_GPU(12)},
               {"cuda:", -1},
               {"cuda:-1", -1},
               {"cuda:1 ", -1},
               {"cuda:123456789", -1},
               {"cuda:0x1", -1},
               {"gpu", -1},
               {"", -1},
               {NULL, -1}};
  Grid_Device_Info d;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    assert_int_equal(Grid_device_of(words[k].name), words[k].device);
  if (gpu) return;
  start_library();
  setenv("GRIDBLAS_DEVICE", "cuda:x", 1);
  assert_int_equal(grid_device_from_environment(), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "GRIDBLAS_DEVICE is \"cuda:x\", not cpu, cuda, or cuda:1"));
  assert_int_equal(Grid_device(), Grid_CPU);
  setenv("GRIDBLAS_DEVICE", "cuda:3", 1);
  SUCCEEDS(grid_device_from_environment());
  unsetenv("GRIDBLAS_DEVICE");
  SUCCEEDS(Grid_device_info(&d));
  assert_int_equal(d.number, 3);
  SUCCEEDS(GrB_finalize());
}

/* ---- several processes ---- */

/* The contexts have all processes; one thread uses them in turn. */
static void several_processes(void **state) {
  Grid_Context on[2] = {new_context(Grid_CPU), new_context(Grid_CUDA)};
  for (int device = Grid_CPU; device <= Grid_CUDA; device++) {
    SUCCEEDS(Grid_Context_use(NULL));
    SUCCEEDS(Grid_device_set(device));
    graph = make_graph();
    SUCCEEDS(GrB_Vector_new(&weight, GrB_FP64, N)), SUCCEEDS(GrB_Vector_setElement_FP64(weight, 1, 7));
    failures = 0;
    expected = compute(graph, weight);
    for (int c = 0; c < 2; c++) {
      GrB_Matrix A = NULL;
      GrB_Vector w = NULL;
      SUCCEEDS(Grid_Context_use(on[c]));
      assert_int_equal(GrB_Vector_dup(&w, weight), Grid_size() == 1 ? GrB_SUCCESS : GrB_INVALID_OBJECT);
      SUCCEEDS(GrB_Vector_free(&w));
      A = make_graph();
      SUCCEEDS(GrB_Vector_new(&w, GrB_FP64, N)), SUCCEEDS(GrB_Vector_setElement_FP64(w, 1, 7));
      expect_answers(A, w);
      SUCCEEDS(GrB_Matrix_free(&A)), SUCCEEDS(GrB_Vector_free(&w));
    }
    SUCCEEDS(Grid_Context_use(NULL));
    SUCCEEDS(GrB_Matrix_free(&graph)), SUCCEEDS(GrB_Vector_free(&weight));
    assert_int_equal(failures, 0);
  }
  SUCCEEDS(Grid_Context_free(&on[1])); /* the other one ends with the library */
}

static int run_all(bool single) {
  const struct CMUnitTest threads[] = {
      cmocka_unit_test(opened_per_context),     cmocka_unit_test(gpu_per_context),
      cmocka_unit_test(wrong_gpus_are_refused), cmocka_unit_test(limit_per_context),
      cmocka_unit_test(objects_per_context),    cmocka_unit_test(copies_from_cpu),
      cmocka_unit_test(copies_from_device),     cmocka_unit_test(copies_count_alone),
      cmocka_unit_test(no_context_waits),       cmocka_unit_test(ends_free_memory),
      cmocka_unit_test(device_is_turned_off),   cmocka_unit_test(several_processes)};
  const struct CMUnitTest turns[] = {cmocka_unit_test(several_processes)};
  const struct CMUnitTest alone[] = {cmocka_unit_test(view_outlives_library),
                                     cmocka_unit_test(environment_names_gpu)};
  if (!single) return cmocka_run_group_tests(turns, start, end);
  return cmocka_run_group_tests(threads, start, end) + cmocka_run_group_tests(alone, NULL, NULL);
}

int main(void) {
  const char *text = getenv("GRID_TEST_GPU");
  gpu = text && strcmp(text, "1") == 0;
  if (gpu && !have_gpu()) return 77;
  if (gpu) gpus = have_gpus() < 2 ? 1 : 2;
  rank_tolerance = 1e-6;
  grid_tune.nccl = gpu;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const bool single = Grid_size() == 1;
  if (GrB_finalize() != GrB_SUCCESS) return 1;
  grid_backend searching = full_device();
  if (gpu) return run_all(single);
  searching.prepare = count_prepare;
  grid_backend without_products = searching;
  backend_used = &searching;
  int failed = run_all(single);
  without_products.products = &fake_products, without_products.paging = NULL;
  without_products.search = NULL;
  backend_used = &without_products;
  failed += run_all(single);
  return failed;
}
