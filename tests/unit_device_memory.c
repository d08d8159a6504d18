/* Matrices that do not fit the device's memory: every operation returns what the CPU returns, and fails only
 * where vectors do not fit. On the GPU (GRID_TEST_GPU=1) by memory limits below the matrices' size. Without a
 * GPU, on a device simulated in host memory that has no memory for any matrix operation (fake_full.h), and by
 * limits.
 *
 *   unit_device_memory [TEST] */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <limits.h>

#include "tests/gpu_present.h"
#include "dist/grid/layout.h"
#include "dist/comm/transport/shm/shm_exchange.h"
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "dist/product/mxv/mxv.h"
#include "gridblas_algos.h"

#include "semiring/support/tuning.h"
#include "tests/fake_full.h"

#include "tests/matrix_calls.h" /* its `size` is for those above a name like others */

enum { DEGREE = 20, LARGEST = 300 };

/* `degree` entries a row; symmetric and without loops, for a graph. */
static GrB_Matrix draw_matrix(GrB_Type t, GrB_Index n, GrB_Index degree, bool both, bool iso) {
  GrB_Index *row = calloc(2 * n * degree, sizeof *row), *col = calloc(2 * n * degree, sizeof *col), k = 0;
  int32_t *val = calloc(2 * n * degree, sizeof *val);
  GrB_Matrix A = NULL;
  for (GrB_Index i = 0; i < n; i++)
    for (GrB_Index e = 0; e < degree; e++) {
      const GrB_Index j = draw_one_in(3) ? draw(1 + n / 8) : draw(n);
      const int32_t x = iso ? 1 : 1 + (int32_t)((7 * (i + j) + 13 * i * j) % 31); /* as (j, i)'s */
      if (both && i == j) continue;
      row[k] = i, col[k] = j, val[k++] = x;
      if (both) row[k] = j, col[k] = i, val[k++] = x;
    }
  OK(GrB_Matrix_new(&A, t, n, n));
  OK(GrB_Matrix_build_INT32(A, row, col, val, k, GrB_FIRST_INT32));
  free(row), free(col), free(val);
  return A;
}

/* The device in host memory does not do products of splits on several processes. */
static void draw_delegates(GrB_Matrix A, int32_t threshold) {
  const int32_t most = threshold + (int32_t)draw((uint64_t)threshold);
  if (draw_one_in(3) && (Grid_size() == 1 || is_set("GRID_TEST_GPU")))
    OK(GrB_Matrix_set_INT32(A, most, Grid_DELEGATES));
}

/* A limit, or none. Within it fit so many bytes a vertex of vectors (forests have some of 48 each), kernels'
 * counters (GRID_TEST_COUNTERS: bytes), and some tenths of a matrix of so many bytes. */
static void draw_limit(GrB_Index n, uint64_t vectors, uint64_t bytes) {
  enum { COUNTERS = 48 << 10 };
  const char *counters = getenv("GRID_TEST_COUNTERS");
  const uint64_t share = draw(10),
                 whole = (counters ? strtoull(counters, NULL, 10) : COUNTERS) + n * vectors +
                         share * (bytes / 10),
                 limit = draw_one_in(4) ? 0 : whole;
  OK(Grid_device_memory_limit(side == 0 || cpu_only ? 0 : limit));
}

/* ---- calls whose result is a matrix -------------------------------------------------------------------- */

static void calls(void) {
  const suit *s = &suits[draw(nsuits)];
  size = 100 + draw(LARGEST - 100);
  draw_limit(size, 128, size * DEGREE * 8);
  for (int k = 0; k < POOL; k++) {
    set_current_call("m%d", k);
    if (s->udt && k < 3) {
      const char *form;
      draw_graph(&drawn, size, size);
      pool[k] = matrix_of(&drawn, s->t[k], NUMBERS, &form);
    } else {
      pool[k] = draw_matrix(s->t[k], size, DEGREE, draw_one_in(3), draw_one_in(3));
    }
    how_of[k] = EXACT;
    if (draw_one_in(2)) OK(GrB_Matrix_wait(pool[k], GrB_MATERIALIZE));
  }
  for (int step = 0; step < 6; step++) {
    call c;
    draw_call(&c, s);
    describe(&c, s, "with little room");
    do_call(&c, s);
    record_settings(&c, s);
    record_copy(c.c, s->t[c.c]);
    if (draw_one_in(4)) draw_limit(size, 128, size * DEGREE * 8);
  }
  for (int k = 0; k < POOL; k++) OK(GrB_Matrix_free(&pool[k]));
  OK(Grid_device_memory_limit(0));
}

static void low_memory_calls(void **state) {
  run_rounds("low_memory_calls", 400, cpu_only ? 1 : 5, calls);
}

/* ---- products with vectors, and other calls ------------------------------------------------------------ */

static GrB_Vector sparse_vector(GrB_Index n) {
  GrB_Vector v = NULL;
  const uint64_t share = draw_one_in(3) ? 1 : 1 + draw(20);
  OK(GrB_Vector_new(&v, GrB_INT64, n));
  for (GrB_Index i = 0; i < n; i++)
    if (draw_one_in(share)) OK(GrB_Vector_setElement_INT64(v, (int64_t)draw(9), i));
  return v;
}

static void others(void) {
  const GrB_Index n = 100 + draw(LARGEST - 100);
  GrB_Index *list = calloc(n, sizeof *list), count = 1 + draw(n);
  GrB_Matrix A, B, C = NULL, K = NULL;
  GrB_Vector w = NULL;
  draw_limit(n, 128, n * DEGREE * 8);
  set_current_call("matrices");
  A = draw_matrix(draw_one_in(2) ? GrB_INT64 : GrB_BOOL, n, DEGREE, draw_one_in(2), draw_one_in(2));
  B = draw_matrix(GrB_INT32, n, DEGREE, false, draw_one_in(2));
  draw_delegates(A, DEGREE);
  for (GrB_Index k = 0; k < count; k++) list[k] = (k * 7 + 3) % n;
  OK(GrB_Matrix_new(&C, GrB_INT64, n, n));
  OK(GrB_Vector_new(&w, GrB_INT64, n));
  for (int step = 0; step < 8; step++) {
    GrB_Vector u = sparse_vector(n), m = sparse_vector(n);
    const bool masked = draw_one_in(2), variant = draw_one_in(2);
    set_current_call("step %d, n %llu, %s, %s", step, (unsigned long long)n, masked ? "mask" : "no mask",
                     variant ? "one way" : "the other");
    switch (draw(9)) {
      case 0:
        OK(GrB_mxv(w, masked ? m : NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, u,
                   variant ? NULL : GrB_DESC_T0));
        break;
      case 1:
        OK(GrB_vxm(w, masked ? m : NULL, GrB_MIN_INT64, GrB_MIN_PLUS_SEMIRING_INT64, u, A,
                   variant ? NULL : GrB_DESC_C));
        break;
      case 2:
        OK(GrB_Matrix_reduce_Monoid(w, NULL, NULL, GrB_PLUS_MONOID_INT64, A, variant ? NULL : GrB_DESC_T0));
        break;
      case 3:
        OK(GrB_Col_extract(w, NULL, NULL, A, GrB_ALL, n, draw(n), variant ? NULL : GrB_DESC_T0));
        break;
      case 4:
        OK(GrB_Row_assign(C, NULL, NULL, u, draw(n), GrB_ALL, n, NULL));
        break;
      case 5:
        OK(GrB_Matrix_assign(C, masked ? A : NULL, variant ? GrB_PLUS_INT64 : NULL, B, GrB_ALL, n, GrB_ALL, n,
                             NULL));
        break;
      case 6:
        OK(GrB_Matrix_setElement_INT64(C, 5, draw(n), draw(n)));
        OK(GrB_Matrix_removeElement(A, draw(n), draw(n)));
        OK(GrB_Matrix_assign_INT64(C, NULL, NULL, 7, list, count < 9 ? count : 9, list, count, NULL));
        break;
      case 7:
        OK(GrB_Matrix_new(&K, GrB_INT64, count, count));
        OK(GrB_Matrix_extract(K, NULL, NULL, A, list, count, list, count, variant ? NULL : GrB_DESC_T0));
        record_matrix("a submatrix", EXACT, K, GrB_INT64);
        OK(GrB_Matrix_resize(K, count / 2 + 1, count));
        record_matrix("a resized one", EXACT, K, GrB_INT64);
        OK(GrB_Matrix_free(&K));
        break;
      default:
        OK(GrB_mxm(C, masked ? B : NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, B,
                   variant  ? NULL
                   : masked ? GrB_DESC_RST1
                            : GrB_DESC_T0));
    }
    record_entries("w", EXACT, w, GrB_INT64);
    record_matrix("C", EXACT, C, GrB_INT64);
    if (draw_one_in(4)) draw_limit(n, 128, n * DEGREE * 8);
    OK(GrB_Vector_free(&u));
    OK(GrB_Vector_free(&m));
  }
  record_matrix("A", EXACT, A, GrB_INT64);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&B));
  OK(GrB_Matrix_free(&C));
  OK(GrB_Vector_free(&w));
  OK(Grid_device_memory_limit(0));
  free(list);
}

static void low_memory_others(void **state) {
  run_rounds("low_memory_others", 300, cpu_only ? 1 : 4, others);
}

/* ---- algorithms ---------------------------------------------------------------------------------------- */

static void count_device_memory(const char *name, compare_rule how, GrB_Vector v, GrB_Type t) {
  if (v) record_entries(name, how, v, t);
  GrB_Vector_free(&v);
}

static void algorithms(void) {
  const GrB_Index n = 100 + draw(300), sources[] = {1, n / 2, n - 1};
  const bool both = draw_one_in(2);
  GrB_Vector v = NULL, w = NULL, start = NULL;
  GrB_Matrix S = NULL;
  uint64_t count = 0;
  bool cycle = false;
  draw_limit(n, 512, n * DEGREE * 8);
  set_current_call("algorithms, n %llu, %s", (unsigned long long)n, both ? "both ways" : "directed");
  GrB_Matrix A = draw_matrix(GrB_BOOL, n, 8, both, true), W = draw_matrix(GrB_INT32, n, 8, true, false),
             U = draw_matrix(GrB_BOOL, n, 8, true, true);
  draw_delegates(A, 8);
  OK(GrB_Vector_new(&start, GrB_FP64, n));
  for (GrB_Index k = 0; k < n; k += 9) OK(GrB_Vector_setElement_FP64(start, (double)k, k));
  OK(Grid_bfs(&v, &w, A, 1, -1)), count_device_memory("level", EXACT, v, GrB_INT32),
      count_device_memory("parent", PATTERN, w, GrB_INT64);
  v = w = NULL;
  OK(Grid_components(&v, A)), count_device_memory("component", EXACT, v, GrB_INT64), v = NULL;
  OK(Grid_cdlp(&v, A, 3)), count_device_memory("label", EXACT, v, GrB_INT64), v = NULL;
  OK(Grid_mis(&v, U, 5)), count_device_memory("set", PATTERN, v, GrB_BOOL), v = NULL;
  OK(Grid_shortest_paths(&v, &w, W, 1, 0)), count_device_memory("distance", PATTERN, v, GrB_FP64),
      count_device_memory("by", PATTERN, w, GrB_INT64);
  v = w = NULL;
  OK(Grid_bellman_ford(&v, &w, &cycle, W, 1)),
      count_device_memory("distance whatever the sign", PATTERN, v, GrB_FP64),
      count_device_memory("by", PATTERN, w, GrB_INT64);
  v = w = NULL;
  OK(Grid_betweenness(&v, A, sources, 3)), count_device_memory("centrality", CLOSE, v, GrB_FP64), v = NULL;
  OK(Grid_triangles(&count, &v, U)), record_number("triangles", (int64_t)count);
  count_device_memory("of each", EXACT, v, GrB_INT64), v = NULL;
  OK(Grid_lcc(&v, A)), count_device_memory("coefficient", CLOSE, v, GrB_FP64), v = NULL;
  OK(Grid_kcore(&v, U)), count_device_memory("core", EXACT, v, GrB_INT64), v = NULL;
  OK(Grid_ktruss(&S, U, 4)), record_matrix("truss", EXACT, S, GrB_INT64), OK(GrB_Matrix_free(&S));
  OK(Grid_msf(&S, W)), OK(GrB_Matrix_nvals(&count, S)), record_number("edges of a forest", (int64_t)count);
  OK(GrB_Matrix_free(&S));
  OK(Grid_bfs_many(&S, A, sources, 3, -1)), record_matrix("levels", EXACT, S, GrB_INT32),
      OK(GrB_Matrix_free(&S));
  OK(Grid_heat(&v, NULL, NULL, W, start, 0, 0, 3)), count_device_memory("heat", CLOSE, v, GrB_FP64), v = NULL;
  OK(Grid_neural(&v, NULL, NULL, W, start, 0, 0, 3)), count_device_memory("neural", PATTERN, v, GrB_FP64),
      v = NULL;
  OK(Grid_circuit(&v, NULL, NULL, W, start, 0, 3)), count_device_memory("circuit", CLOSE, v, GrB_FP64),
      v = NULL;
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&W));
  OK(GrB_Matrix_free(&U));
  OK(GrB_Vector_free(&start));
  OK(Grid_device_memory_limit(0));
}

static void low_memory_algorithms(void **state) {
  run_rounds("low_memory_algorithms", 40, cpu_only ? 1 : 5, algorithms);
}

/* ---- vectors where a matrix is ------------------------------------------------------------------------- */

static uint64_t fallbacks_of(const char *what) {
  uint64_t n = 0, all = 0;
  const char *text;
  for (int k = 0; (text = grid_fallback_text(k, &n)); k++)
    if (strstr(text, what)) all += n;
  return all;
}

/* A matrix fits, and so do the vectors, but not both: the matrix is evicted. */
static void evicts(void **state) {
  enum { N = 2000, VECTORS = 12, LIMIT = 640 << 10 };
  /* or products, for which a GPU has no work space, fall back to the CPU */
  const uint64_t before = fallbacks_of("made way") + fallbacks_of("no room");
  GrB_Matrix A = NULL;
  GrB_Vector u[VECTORS], w[VECTORS];
  if (cpu_only || Grid_size() > 1) return;
  side = 1;
  errors = 0;
  refusal_period = INT_MAX;
  OK(Grid_device_set(Grid_CUDA));
  OK(Grid_device_memory_limit(LIMIT));
  set_current_call("making way");
  A = draw_matrix(GrB_BOOL, N, 20, false, true);
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  assert_true(A->block.device || grid_tune.device_page_entries);
  for (int k = 0; k < VECTORS; k++) {
    OK(GrB_Vector_new(&u[k], GrB_FP64, N));
    OK(GrB_Vector_new(&w[k], GrB_FP64, N));
    for (GrB_Index i = 0; i < N; i++) OK(GrB_Vector_setElement_FP64(u[k], (double)((i * 7 + 1) % 5), i));
    OK(GrB_mxv(w[k], NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u[k], NULL));
    if (grid_chunk_to_device(&w[k]->chunk) != GrB_SUCCESS) OK(GrB_Vector_wait(w[k], GrB_MATERIALIZE));
    if (grid_chunk_to_device(&u[k]->chunk) != GrB_SUCCESS) OK(GrB_Vector_wait(u[k], GrB_MATERIALIZE));
  }
  for (int k = 0; k < VECTORS; k++) {
    double sum = 0, first = 0;
    OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w[k], NULL));
    OK(GrB_Vector_reduce_FP64(&first, NULL, GrB_PLUS_MONOID_FP64, w[0], NULL));
    assert_true(sum == first && sum > N);
    OK(GrB_Vector_free(&u[k]));
    if (k) OK(GrB_Vector_free(&w[k]));
  }
  OK(GrB_Vector_free(&w[0]));
  OK(GrB_Matrix_free(&A));
  OK(Grid_device_memory_limit(0));
  refusal_period = 7;
  free_records(0), free_records(1);
  assert_int_equal(errors, 0);
  assert_true(fallbacks_of("made way") + fallbacks_of("no room") > before || grid_tune.device_page_entries);
}

/* Vectors too long for several GPUs, and one process's block hypersparse where the others' are not: where a
 * product is done, and with it what is sent, must not differ. Messages through shared memory would be out of
 * step from then on. */
static void mixed_block_formats(void **state) {
  enum { N = 1024 };
  const uint64_t longest = grid_tune.mxv_dense_max, turns = grid_shm_rounds(GRID_SET_ALL);
  const GrB_Index first = grid_chunk_first(N, grid_ctx.P - 1);
  GrB_Matrix A = NULL;
  GrB_Vector u = NULL, w = NULL;
  if (cpu_only || Grid_size() == 1) return;
  side = 1;
  errors = 0;
  OK(Grid_device_set(Grid_CUDA));
  set_current_call("a product where one process's block is hypersparse");
  OK(GrB_Matrix_new(&A, GrB_FP64, N, N)), OK(GrB_Vector_new(&u, GrB_FP64, N));
  for (GrB_Index i = first; i < N; i++)
    for (GrB_Index j = first; j < N; j += 3) OK(GrB_Matrix_setElement_FP64(A, 1, i, j));
  OK(GrB_Vector_assign_FP64(u, NULL, NULL, 2, GrB_ALL, N, NULL));
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  grid_tune.mxv_dense_max = 32;
  for (int32_t variant = Grid_DIRECTION_PUSH; variant <= Grid_DIRECTION_PULL; variant++) {
    double sum = 0;
    OK(GrB_Matrix_set_INT32(A, variant, Grid_DIRECTION));
    OK(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
    OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL));
    assert_true(sum == 2.0 * (double)(N - first) * (double)((N - first + 2) / 3));
  }
  grid_tune.mxv_dense_max = longest;
  uint64_t taken[2] = {grid_shm_rounds(GRID_SET_ALL) - turns, turns - grid_shm_rounds(GRID_SET_ALL)};
  OK(Grid_max(taken, 2));
  assert_true(taken[0] + taken[1] == 0); /* the most and the least */
  OK(GrB_Matrix_free(&A)), OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
  free_records(0), free_records(1);
  assert_int_equal(errors, 0);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* Fallbacks happened only for lack of memory. */
static void fallbacks_reported(void **state) {
  const bool gpu = is_set("GRID_TEST_GPU");
  if (gpu && Grid_size() > 1)
    return; /* where processes share a GPU, few rounds or none exceed its memory within the time limit */
  if (!cpu_only && replay_round < 0) assert_true(fallbacks_of("no room") > (gpu ? 0 : 100));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(low_memory_calls),      cmocka_unit_test(low_memory_others),
      cmocka_unit_test(low_memory_algorithms), cmocka_unit_test(evicts),
      cmocka_unit_test(mixed_block_formats),   cmocka_unit_test(fallbacks_reported)};
  read_settings();
  const bool gpu = is_set("GRID_TEST_GPU");
  if (gpu && !have_gpu()) return 77;
  if (!gpu) grid_tune.nccl = false;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const grid_backend device = full_device();
  if (!gpu) grid_backend_register(&grid_backend_cpu, &device);
  if (!take_device()) return 77;
  cmocka_set_test_filter(replay_round >= 0 ? replay_test : argc > 1 ? argv[1] : NULL);
  return end_sides(cmocka_run_group_tests(tests, start, free_all));
}
