/* Dimensions that are repartitioned while objects have them. Contents and results stay the same, and a
 * failure leaves the old partition. Balancing gives every process the predicted number of entries, or follows
 * the times of an iteration's rounds. With the argument "cuda" on GPUs, where objects also stay in device
 * memory.
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "dist/grid/partition.h"
#include "dist/plan/balance_partition.h"
#include "gridblas_algos.h"
#include "semiring/support/mem.h"
#include "tests/gpu_present.h"
#include "tests/random_numbers.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

#ifdef GRID_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { N = 700, M = 90, MOST = 1 << 16 };

/* One object of each kind that has the dimension N, and one that has not. */
typedef struct {
  GrB_Matrix A, S, B, C, other;
  GrB_Vector list, bitmap, full, one, shorter;
} world;

static void fill_matrix(GrB_Matrix A, uint64_t rows, uint64_t cols, uint64_t entries, int flags) {
  GrB_Index r[6000], c[6000], n = 0;
  int64_t x[6000];
  for (uint64_t k = 0; k < entries; k++) {
    const uint64_t row = draw(3) ? draw(rows) : draw(rows) % 40, col = draw(cols);
    const int64_t value = (int64_t)draw(100);
    if (k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    r[n] = row, c[n] = col, x[n++] = value;
  }
  if (flags)
    OK(Grid_Matrix_build(A, r, c, NULL, NULL, n, NULL, flags));
  else
    OK(Grid_Matrix_build(A, r, c, x, GrB_INT64, n, GrB_PLUS_INT64, 0));
}

static void fill_vector(GrB_Vector v, uint64_t n, uint64_t percent) {
  for (uint64_t k = 0; k < n; k++)
    if (draw(100) < percent) OK(GrB_Vector_setElement_INT64(v, (int64_t)draw(1000), k));
}

static void make(world *w) {
  OK(GrB_Matrix_new(&w->A, GrB_INT64, N, N));
  OK(GrB_Matrix_new(&w->S, GrB_BOOL, N, N));
  OK(GrB_Matrix_new(&w->B, GrB_INT64, N, M));
  OK(GrB_Matrix_new(&w->C, GrB_INT64, M, N));
  OK(GrB_Matrix_new(&w->other, GrB_INT64, M, M));
  fill_matrix(w->A, N, N, 5000, 0);
  fill_matrix(w->S, N, N, 4000, Grid_MIRROR | Grid_NO_LOOPS);
  fill_matrix(w->B, N, M, 2000, 0);
  OK(GrB_assign(w->C, NULL, NULL, 7, GrB_ALL, M, GrB_ALL, N, NULL)); /* full */
  fill_matrix(w->other, M, M, 300, 0);
  OK(GrB_Vector_new(&w->list, GrB_INT64, N));
  OK(GrB_Vector_new(&w->bitmap, GrB_INT64, N));
  OK(GrB_Vector_new(&w->full, GrB_INT64, N));
  OK(GrB_Vector_new(&w->one, GrB_INT64, N));
  OK(GrB_Vector_new(&w->shorter, GrB_INT64, M));
  fill_vector(w->list, N, 2);
  fill_vector(w->bitmap, N, 50);
  fill_vector(w->full, N, 100);
  OK(GrB_assign(w->one, NULL, NULL, 3, GrB_ALL, N, NULL));
  fill_vector(w->shorter, M, 60);
  OK(GrB_Matrix_wait(w->S, GrB_MATERIALIZE));
  OK(GrB_Matrix_setElement_INT64(w->A, 11, 3, 5)); /* waits */
  OK(GrB_Vector_setElement_INT64(w->list, 12, N - 1));
}

static void free_world(world *w) {
  GrB_Matrix *m[] = {&w->A, &w->S, &w->B, &w->C, &w->other};
  GrB_Vector *v[] = {&w->list, &w->bitmap, &w->full, &w->one, &w->shorter};
  for (int k = 0; k < 5; k++) OK(GrB_Matrix_free(m[k]));
  for (int k = 0; k < 5; k++) OK(GrB_Vector_free(v[k]));
}

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 27;
}

static uint64_t of_vector(GrB_Vector v) {
  static GrB_Index at[N];
  static int64_t x[N];
  GrB_Index n = N;
  uint64_t h = 1;
  OK(GrB_Vector_extractTuples_INT64(at, x, &n, v));
  for (GrB_Index k = 0; k < n; k++) h += mix(mix(at[k] + 3) + (uint64_t)x[k]);
  return h;
}

static uint64_t of_matrix(GrB_Matrix A) {
  static GrB_Index r[MOST], c[MOST];
  static int64_t x[MOST];
  GrB_Index n = MOST;
  uint64_t h = 2;
  OK(GrB_Matrix_extractTuples_INT64(r, c, x, &n, A));
  for (GrB_Index k = 0; k < n; k++) h += mix(mix(mix(r[k] + 5) + c[k]) + (uint64_t)x[k]);
  return h;
}

/* What objects hold. */
static uint64_t hash_objects(world *w) {
  return mix(of_matrix(w->A)) + 3 * of_matrix(w->S) + 5 * of_matrix(w->B) + 7 * of_matrix(w->C) +
         9 * of_matrix(w->other) + 11 * of_vector(w->list) + 13 * of_vector(w->bitmap) +
         15 * of_vector(w->full) + 17 * of_vector(w->one) + 19 * of_vector(w->shorter);
}

/* Results computed from them, and from objects created now. */
static uint64_t computed(world *w) {
  GrB_Vector y;
  GrB_Matrix T;
  uint64_t h = 0;
  OK(GrB_Vector_new(&y, GrB_INT64, N));
  OK(GrB_Matrix_new(&T, GrB_INT64, N, M));
  OK(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, w->A, w->full, NULL));
  h += of_vector(y);
  OK(GrB_vxm(y, w->bitmap, NULL, GrB_MIN_PLUS_SEMIRING_INT64, w->list, w->A, GrB_DESC_S));
  h += 3 * of_vector(y);
  OK(GrB_mxv(y, w->list, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, w->S, w->bitmap, GrB_DESC_RSC));
  h += 5 * of_vector(y);
  OK(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, w->B, w->shorter, NULL));
  h += 7 * of_vector(y);
  OK(GrB_eWiseAdd(y, NULL, NULL, GrB_PLUS_INT64, w->one, w->list, NULL));
  h += 9 * of_vector(y);
  OK(GrB_mxm(T, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, w->A, w->B, NULL));
  h += 11 * of_matrix(T);
  OK(GrB_eWiseMult(T, NULL, NULL, GrB_PLUS_INT64, w->B, w->C, GrB_DESC_T1));
  h += 13 * of_matrix(T);
  OK(GrB_Vector_free(&y));
  OK(GrB_Matrix_free(&T));
  return h;
}

/* Partitions of N, some chunks empty. */
static void draw_partition(GrB_Index *first) {
  const int P = Grid_size();
  first[0] = 0, first[P] = N;
  for (int k = 1; k < P; k++) first[k] = draw(4) ? draw(N / 64 + 2) * 64 : 0;
  for (int k = 1; k < P; k++)
    if (first[k] > N) first[k] = N;
  for (int k = 1; k < P; k++)
    for (int m = k; m > 1 && first[m] < first[m - 1]; m--) {
      const GrB_Index x = first[m];
      first[m] = first[m - 1], first[m - 1] = x;
    }
}

static void assert_share(const GrB_Index *first) {
  GrB_Index from, count;
  OK(Grid_local_range(N, &from, &count));
  const GrB_Index *local = first + Grid_rank();
  assert_on_all(from == local[0] && count == local[1] - local[0]);
}

/* On a grid of one column objects that were on the device still are. */
static void assert_placement(const world *w) {
  int R, C;
  Grid_shape(&R, &C);
  if (Grid_device() == Grid_CPU || C > 1) return;
  assert_on_all(w->A->block.nvals == 0 || w->A->block.device);
  assert_on_all(w->full->chunk.nvals == 0 || w->full->chunk.device);
}

static void draw_random_move(GrB_Index *first) {
  world w;
  make(&w);
  const uint64_t have = hash_objects(&w), made = computed(&w);
  const int rounds = getenv("GRID_TEST_SMALL") ? 2 : Grid_device() == Grid_CUDA ? 4 : 8;
  for (int round = 0; round < rounds; round++) {
    draw_partition(first);
    OK(Grid_partition_set(N, first));
    assert_share(first);
    assert_placement(&w);
    assert_true(hash_objects(&w) == have);
    assert_true(computed(&w) == made);
    if (round == rounds / 2 - 1) { /* what waits moves, too */
      OK(GrB_Matrix_setElement_INT64(w.A, 11, 3, 5));
      OK(GrB_Vector_setElement_INT64(w.list, 12, N - 1));
    }
    if (round == rounds / 2) OK(GrB_Matrix_set_INT32(w.S, 12, Grid_DELEGATES)); /* a split, or numbers */
  }
  OK(Grid_partition_set(N, NULL));
  assert_true(hash_objects(&w) == have && computed(&w) == made);
  free_world(&w);
}

static void moves(void **state) {
  GrB_Index *first = malloc(((size_t)Grid_size() + 1) * sizeof *first);
  draw_random_move(first); /* communication buffers are allocated now */
  const int64_t live = grid_mem_live(), device_live = grid_device_live();
  draw_random_move(first);
  assert_on_all(Grid_device() == Grid_CUDA ? grid_device_live() == device_live /* host memory has kernels */
                                           : grid_mem_live() == live);
  free(first);
}

/* On all processes, or on the last alone. */
static void balance_failure(void **state) {
  world w;
  const size_t P = (size_t)Grid_size();
  GrB_Index *first = malloc(2 * (P + 1) * sizeof *first), *next = first + P + 1;
  const int64_t live = grid_mem_live();
  make(&w);
  draw_partition(first);
  OK(Grid_partition_set(N, first));
  const uint64_t have = hash_objects(&w);
  for (int alone = 0; alone < 2; alone++)
    for (int64_t k = 0, step = 1;; k += step) {
      draw_partition(next);
      if (!alone || Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
      const GrB_Info info = Grid_partition_set(N, next);
      grid_mem_fail_after(-1);
      if (info == GrB_SUCCESS) {
        memcpy(first, next, (P + 1) * sizeof *first);
        assert_share(first);
        break;
      }
      assert_int_equal(info, GrB_OUT_OF_MEMORY);
      assert_share(first);
      if (k % 16 == 0) assert_true(hash_objects(&w) == have);
      step = k < 30 ? 1 : 5;
    }
  assert_true(hash_objects(&w) == have);
  OK(Grid_partition_set(N, NULL));
  free_world(&w);
  assert_on_all(grid_mem_live() == live);
  free(first);
}

static void balance_errors(void **state) {
  const size_t P = (size_t)Grid_size();
  GrB_Index *first = calloc(P + 1, sizeof *first);
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, GrB_INT64, N, N));
  assert_int_equal(Grid_partition_set(GrB_INDEX_MAX + 2, NULL), GrB_INVALID_VALUE);
  assert_int_equal(Grid_partition_set(N, first), GrB_INVALID_VALUE); /* ends at 0 */
  assert_non_null(strstr(Grid_last_error(), "Grid_partition_set"));
  first[P] = N;
  OK(Grid_partition_set(N, first));
  if (P > 1) {
    first[1] = Grid_rank() == Grid_size() - 1 ? 65 : 0; /* wrong on one process, an error of all */
    assert_int_equal(Grid_partition_set(N, first), GrB_INVALID_VALUE);
    first[1] = 6400;
    assert_int_equal(Grid_partition_set(N, first), GrB_INVALID_VALUE);
  }
  assert_int_equal(Grid_Matrix_repartition(NULL, NULL, ((Grid_Row_Costs){0, 0}), 0, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_Matrix_repartition(NULL, A, ((Grid_Row_Costs){0, 0}), -1, 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Matrix_repartition(NULL, A, ((Grid_Row_Costs){0, 0}), 0, NAN), GrB_INVALID_VALUE);
  OK(Grid_Matrix_repartition(NULL, A, ((Grid_Row_Costs){0, 0}), 0, 0));
  Grid_Rebalancing b = {0};
  assert_int_equal(Grid_Matrix_repartition(NULL, A, ((Grid_Row_Costs){-1, 0}), 0, 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Matrix_rebalance(&b, NULL, ((Grid_Row_Costs){0, 0}), 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_Matrix_rebalance(NULL, A, ((Grid_Row_Costs){0, 0}), 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_Matrix_rebalance(&b, A, ((Grid_Row_Costs){0, INFINITY}), 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Matrix_rebalance(&b, A, ((Grid_Row_Costs){0, 0}), -1), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_Matrix_rebalance"));
  OK(Grid_partition_set(N, NULL));
  OK(GrB_Matrix_free(&A));
  free(first);
}

/* Largest over mean entries of a process. */
static double load_of(GrB_Matrix A) {
  uint64_t n = 0, sum, most;
  OK(Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, A));
  sum = most = n;
  OK(Grid_sum(&sum, 1));
  OK(Grid_max(&most, 1));
  return (double)most * Grid_size() / (double)sum;
}

/* Largest over mean work on a grid of one column, a row of two entries or more being worth `many`, another
 * `few`. */
static double work_load(GrB_Matrix A, uint64_t many, uint64_t few) {
  GrB_Index first, rows, n = 0;
  uint64_t sum = 0;
  OK(Grid_local_range(64 * 200, &first, &rows));
  OK(Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, A));
  GrB_Index *r = malloc((n + 1) * sizeof *r), *c = malloc((n + 1) * sizeof *c);
  uint64_t *degree = calloc(rows + 1, sizeof *degree);
  OK(Grid_Matrix_extractLocal(r, c, NULL, &n, A));
  for (uint64_t k = 0; k < n; k++) degree[r[k] - first]++;
  for (uint64_t v = 0; v < rows; v++) sum += degree[v] + (degree[v] > 1 ? many : few);
  uint64_t most = sum;
  OK(Grid_sum(&sum, 1));
  OK(Grid_max(&most, 1));
  free(r), free(c), free(degree);
  return (double)most * Grid_size() / (double)sum;
}

static void balances(void **state) {
  enum { LENGTH = 64 * 200 };
  GrB_Matrix A;
  Grid_Repartition b;
  GrB_Index r[5000], c[5000], n = 0;
  OK(GrB_Matrix_new(&A, GrB_INT64, LENGTH, LENGTH));
  for (uint64_t k = 0; k < 30000; k++) { /* fewer and fewer in later rows and columns */
    const uint64_t row = draw(LENGTH) * draw(LENGTH) / LENGTH, col = draw(LENGTH) * draw(LENGTH) / LENGTH;
    if (k % (uint64_t)Grid_size() == (uint64_t)Grid_rank() && n < 5000) r[n] = row, c[n++] = col;
  }
  OK(Grid_Matrix_build(A, r, c, NULL, NULL, n, NULL, Grid_NO_LOOPS));
  const uint64_t have = Grid_size() > 1 ? 1 : 0;
  const double even = load_of(A);
  OK(Grid_Matrix_repartition(&b, A, ((Grid_Row_Costs){0, 0}), 0, 0));
  assert_true(fabs(b.load - even) < 1e-9);
  assert_true(b.redistributed == (have && even > 1.1 && b.best < b.load));
  assert_true(fabs(load_of(A) - (b.redistributed ? b.best : even)) < 1e-9);
  if (Grid_size() > 1) assert_true(b.redistributed);
  int R, C;
  Grid_shape(&R, &C);
  assert_true(b.best < 1.1);
  OK(Grid_partition_set(LENGTH, NULL));
  if (C == 1) { /* rows count, too */
    const double before_rows = work_load(A, 30, 5);
    OK(Grid_Matrix_repartition(&b, A, ((Grid_Row_Costs){30, 5}), 0, 0));
    assert_true(fabs(b.load - before_rows) < 1e-9);
    assert_true(b.redistributed == (have && before_rows > 1.1 && b.best < b.load));
    assert_true(fabs(work_load(A, 30, 5) - (b.redistributed ? b.best : before_rows)) < 1e-9);
    assert_true(b.best < 1.1);
    OK(Grid_partition_set(LENGTH, NULL));
  }
  OK(Grid_Matrix_repartition(&b, A, ((Grid_Row_Costs){0, 0}), 0, 0));
  /* A process that takes ten times as long for an entry gets fewer. */
  uint64_t local = 0, before;
  OK(Grid_Matrix_extractLocal(NULL, NULL, NULL, &local, A));
  before = local;
  const double seconds = (double)local * 1e-6 * (Grid_rank() == 0 ? 10 : 1);
  OK(Grid_Matrix_repartition(&b, A, ((Grid_Row_Costs){0, 0}), seconds, 0));
  assert_false(b.redistributed);
  OK(Grid_Matrix_repartition(&b, A, ((Grid_Row_Costs){0, 0}), seconds, 1e9));
  assert_true(b.redistributed == (Grid_size() > 1));
  OK(Grid_Matrix_extractLocal(NULL, NULL, NULL, &local, A));
  assert_on_all(Grid_size() == 1 || Grid_rank() > 0 || local < before);
  OK(Grid_partition_set(LENGTH, NULL));
  assert_true(fabs(load_of(A) - even) < 1e-9);
  OK(GrB_Matrix_free(&A));
}

/* Entries near the diagonal and few others, as in graphs with communities: on a grid with columns a
 * repartition of rows alone leaves the diagonal blocks as they are. */
static void balances_blocks(void **state) {
  enum { LENGTH = 64 * 256 };
  GrB_Matrix A;
  Grid_Repartition b;
  GrB_Index r[12000], c[12000], n = 0;
  OK(GrB_Matrix_new(&A, GrB_INT64, LENGTH, LENGTH));
  for (uint64_t k = 0; k < 60000; k++) {
    const uint64_t row = draw(LENGTH), in_block = row / 2048 * 2048 + draw(2048);
    const uint64_t col = k % 3 ? in_block : draw(LENGTH);
    if (k % (uint64_t)Grid_size() == (uint64_t)Grid_rank() && n < 12000) r[n] = row, c[n++] = col;
  }
  OK(Grid_Matrix_build(A, r, c, NULL, NULL, n, NULL, Grid_NO_LOOPS));
  const double even = load_of(A);
  OK(Grid_Matrix_repartition(&b, A, ((Grid_Row_Costs){0, 0}), 0, 0));
  assert_true(b.redistributed || even < 1.1 + 1e-9);
  assert_true(load_of(A) < 1.1 + 1e-9);
  OK(Grid_partition_set(LENGTH, NULL));
  OK(GrB_Matrix_free(&A));
}

/* ---- between rounds ---- */

/* Work for the GPUs, whose time is measured there. */
static void multiply_on_device(GrB_Matrix A) {
  GrB_Vector x, y;
  OK(GrB_Vector_new(&x, GrB_INT64, N));
  OK(GrB_Vector_new(&y, GrB_INT64, N));
  OK(GrB_assign(x, NULL, NULL, 1, GrB_ALL, N, NULL));
  for (int k = 0; k < 4; k++) OK(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, x, NULL));
  OK(GrB_free(&x));
  OK(GrB_free(&y));
}

/* A round's own work, with a wall time that follows A's entries, independent of other load. */
static void work_on(GrB_Matrix A, double seconds) {
  uint64_t local = 0;
  if (Grid_device() == Grid_CUDA) {
    multiply_on_device(A);
    return;
  }
  OK(Grid_Matrix_extractLocal(NULL, NULL, NULL, &local, A));
  const double end = omp_get_wtime() + (double)local * seconds;
  while (omp_get_wtime() < end) continue;
  uint64_t sum = local;
  OK(Grid_sum(&sum, 1));
}

/* Process 0 has all. */
static void partition_badly(GrB_Index *first, GrB_Index n) {
  for (int k = 0; k <= Grid_size(); k++) first[k] = k ? n : 0;
  OK(Grid_partition_set(n, first));
}

/* Bad partitions are improved within some rounds, if that pays, and nothing else changes. */
static void rebalance_improves(void **state) {
  enum { ROUNDS = 6 };
  world w;
  GrB_Index *first = malloc(((size_t)Grid_size() + 1) * sizeof *first);
  for (int pays = 0; pays < 2; pays++) {
    Grid_Rebalancing b = {0};
    make(&w);
    partition_badly(first, N);
    const uint64_t have = hash_objects(&w), made = computed(&w);
    const double before = load_of(w.A);
    for (int k = 0; k < ROUNDS; k++) {
      OK(Grid_Matrix_rebalance(&b, w.A, ((Grid_Row_Costs){0, 0}), pays ? 1e6 : 0));
      work_on(w.A, 2e-6);
    }
    int R, C;
    Grid_shape(&R, &C);
    assert_true((b.moves > 0) == (pays && Grid_size() > 1));
    assert_true(b.rounds == (Grid_size() > 1 ? ROUNDS - 1 : 0));
    assert_true(b.moves ? load_of(w.A) < before * 0.8 && b.seconds > 0 : load_of(w.A) == before);
    assert_true(hash_objects(&w) == have && computed(&w) == made);
    OK(Grid_partition_set(N, NULL));
    free_world(&w);
  }
  free(first);
}

/* A failure on all processes, or on the last alone: the partition is unchanged, and the iteration continues.
 */
static void rebalance_failure(void **state) {
  world w;
  GrB_Index *first = malloc(((size_t)Grid_size() + 1) * sizeof *first);
  make(&w);
  partition_badly(first, N);
  const uint64_t have = hash_objects(&w);
  for (int alone = 0; alone < 2 && Grid_size() > 1; alone++)
    for (int64_t k = 0, step = 1;; k += step) {
      Grid_Rebalancing b = {0};
      for (int round = 0; round < 2; round++) {
        OK(Grid_Matrix_rebalance(&b, w.A, ((Grid_Row_Costs){0, 0}), 1e9));
        work_on(w.A, 1e-7);
      }
      if (!alone || Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
      const GrB_Info info = Grid_Matrix_rebalance(&b, w.A, ((Grid_Row_Costs){0, 0}), 1e9);
      grid_mem_fail_after(-1);
      if (info == GrB_SUCCESS) {
        partition_badly(first, N);
        break;
      }
      assert_int_equal(info, GrB_OUT_OF_MEMORY);
      assert_share(first);
      step = k < 6 ? 1 : 29;
    }
  assert_true(hash_objects(&w) == have);
  OK(Grid_partition_set(N, NULL));
  free_world(&w);
  free(first);
}

/* The device's time: none before the first product, more with each; only where there are entries. */
static void measures_device(void **state) {
  world w;
  GrB_Index *first = malloc(((size_t)Grid_size() + 1) * sizeof *first);
  make(&w);
  partition_badly(first, N);
  const double begin = Grid_device_time();
  multiply_on_device(w.A);
  const double once = Grid_device_time() - begin;
  for (int k = 0; k < 40; k++) multiply_on_device(w.A); /* more than the timer remembers at a time */
  const double often = Grid_device_time() - begin;
  assert_on_all(Grid_size() == 1 || (Grid_rank() == 0 ? once > 0 && often > once && often < 10 : often == 0));
  OK(Grid_partition_set(N, NULL));
  free_world(&w);
  free(first);
}

static void count_difference(void *z, const void *x, const void *y) {
  *(double *)z = *(const int64_t *)x != *(const int64_t *)y;
}

/* PageRank, and shortest paths as a vertex program: their results. */
static void iterate(world *w, double *rank, int64_t *length) {
  static GrB_Index at[N];
  GrB_Vector r, v, start;
  GrB_BinaryOp op;
  GrB_Index n = N;
  OK(Grid_pagerank(&r, NULL, NULL, w->S, NULL, 0.85, 0, 12, 0));
  OK(GrB_Vector_extractTuples_FP64(at, rank, &n, r));
  OK(GrB_Vector_new(&start, GrB_INT64, N));
  OK(GrB_Vector_assign_INT64(start, NULL, NULL, 1 << 30, GrB_ALL, N, NULL));
  OK(GrB_Vector_setElement_INT64(start, 0, N - 1));
  OK(GrB_BinaryOp_new(&op, count_difference, GrB_FP64, GrB_INT64, GrB_INT64));
  OK(Grid_vertex_program(&v, NULL, NULL, w->A, start, GrB_MIN_PLUS_SEMIRING_INT64, GrB_INT64, GrB_MIN_INT64,
                         op, 0, N));
  OK(GrB_Vector_extractTuples_INT64(at, length, &n, v));
  OK(GrB_free(&r));
  OK(GrB_free(&v));
  OK(GrB_free(&start));
  OK(GrB_free(&op));
}

/* Communities, and what a matrix of ratings is explained by. */
static void iterate_more(const world *w, int64_t *label, double *error) {
  enum { STEPS = 12 };
  GrB_Vector v;
  GrB_Matrix P, Q;
  GrB_Index at[N], n = N;
  OK(Grid_cdlp(&v, w->S, STEPS));
  OK(GrB_Vector_extractTuples_INT64(at, label, &n, v));
  OK(Grid_factors(&P, &Q, NULL, w->S, 3, 1e-3, 0.1, STEPS, 1));
  OK(GrB_Matrix_reduce_FP64(error, NULL, GrB_PLUS_MONOID_FP64, P, NULL));
  OK(GrB_free(&v));
  OK(GrB_free(&P));
  OK(GrB_free(&Q));
}

/* Algorithms have the same results while partitions change between their rounds. */
static void algorithms_during_rebalance(void **state) {
  static double rank[2][N];
  static int64_t length[2][N], label[2][N];
  double error[2];
  world w;
  uint64_t moves;
  double seconds;
  GrB_Index *first = malloc(((size_t)Grid_size() + 1) * sizeof *first);
  make(&w);
  iterate(&w, rank[0], length[0]);
  iterate_more(&w, label[0], &error[0]);
  partition_badly(first, N);
  Grid_rebalance_enable(true);
  grid_tune.move_rate = 0; /* the predicted cost of moving is 0 */
  OK(GrB_Vector_free(&w.one));
  OK(Grid_pagerank(&w.one, NULL, NULL, w.S, NULL, 0.85, 0, 12, 0));
  Grid_rebalance_stats(&moves, &seconds);
  assert_true((moves > 0) == (Grid_size() > 1) && (seconds > 0) == (moves > 0));
  partition_badly(first, N);
  grid_tune.move_rate = 0;
  iterate(&w, rank[1], length[1]);
  partition_badly(first, N);
  grid_tune.move_rate = 0;
  iterate_more(&w, label[1], &error[1]);
  Grid_rebalance_enable(false);
  for (int v = 0; v < N; v++)
    assert_true(fabs(rank[1][v] - rank[0][v]) < 1e-12 && length[1][v] == length[0][v] &&
                label[1][v] == label[0][v]);
  assert_true(fabs(error[1] - error[0]) < 1e-9 * (1 + fabs(error[0])));
  OK(Grid_partition_set(N, NULL));
  free_world(&w);
  free(first);
}

#ifdef GRID_ADDRESS_SANITIZER
/* Words beyond a table's arrays are reported, and belong to others once it is freed. */
static void guarded_table(void **state) {
  uint64_t P = (uint64_t)Grid_size(), *first = malloc((P + 1) * sizeof *first);
  for (uint64_t k = 0; k <= P; k++) first[k] = 64 * k;
  grid_partition *c = grid_partition_make(first[P], first);
  const uint64_t *end[] = {c->first + P + 1, c->row + P, c->col + P};
  for (int a = 0; a < 3; a++) {
    assert_false(__asan_address_is_poisoned(end[a] - 1));
    for (uint64_t k = 0; k < P; k++) assert_true(__asan_address_is_poisoned(end[a] + k));
  }
  grid_partition_free(c);
  free(first);
}
#else
static void guarded_table(void **state) {
  skip();
}
#endif

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves),
                                     cmocka_unit_test(guarded_table),
                                     cmocka_unit_test(balance_failure),
                                     cmocka_unit_test(balance_errors),
                                     cmocka_unit_test(balances),
                                     cmocka_unit_test(balances_blocks),
                                     cmocka_unit_test(rebalance_improves),
                                     cmocka_unit_test(rebalance_failure),
                                     cmocka_unit_test(algorithms_during_rebalance)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

static int start_on_device(void **state) {
  return start_on_shape(state) || Grid_device_set(Grid_CUDA) != GrB_SUCCESS;
}
static int stop_on_device(void **state) {
  return stop_on_shape(state) || grid_mem_live() != 0 || grid_device_live() != 0;
}
/* Failures of memory are those of unit_device_failures. */
static int group_on_device(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves),
                                     cmocka_unit_test(balance_errors),
                                     cmocka_unit_test(balances),
                                     cmocka_unit_test(balances_blocks),
                                     cmocka_unit_test(measures_device),
                                     cmocka_unit_test(rebalance_improves),
                                     cmocka_unit_test(algorithms_during_rebalance)};
  return cmocka_run_group_tests(tests, start_on_device, stop_on_device);
}

int main(int argc, char **argv) {
  const bool cuda = argc > 1 && strcmp(argv[1], "cuda") == 0;
  if (cuda && !have_gpu()) return 77;
  return run_on_shapes(cuda ? group_on_device : group);
}
