/* Products of a matrix with a vector on the GPU, by each method of a pull that sums (spmat/cuda/product),
 * against cuSPARSE called by itself. Matrices: a mesh, rows of equal length, a few long rows among short and
 * empty ones. Without a GPU it prints the reason and exits with 77. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "bench/measure/gpu_cusparse.h"
#include "dist/matrix/matrix.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/matrix/balanced_tiles.h"
#include "tests/gpu_present.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { SIDE = 24, N = SIDE * SIDE * SIDE, MOST = 40 * N, PRODUCTS = 4 };

static uint32_t ptr[N + 1], idx[MOST];
static GrB_Index rows[MOST], cols[MOST], at[N];
static char val[8 * MOST], x[8 * N], expected[8 * N];
static double got[N];

static uint64_t mixed(uint64_t k) {
  k = (k ^ k >> 31) * UINT64_C(0x9e3779b97f4a7c15);
  return (k ^ k >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 20;
}

static void append(uint32_t row, uint64_t col) {
  idx[ptr[row + 1]++] = (uint32_t)col;
}

static void mesh_row(uint32_t v) {
  for (int64_t step = SIDE * SIDE; step >= 1; step /= SIDE)
    if (v / step % SIDE) append(v, (uint64_t)(v - step));
  append(v, v);
  for (int64_t step = 1; step < N; step *= SIDE)
    if (v / step % SIDE + 1 < SIDE) append(v, (uint64_t)(v + step));
}
static void equal_row(uint32_t v) {
  for (uint64_t k = 0; k < 33; k++) append(v, (mixed(v) % 400 + k * 401) % N);
}
static void uneven_row(uint32_t v) {
  const uint64_t length = v % 1000 == 3 ? N : v % 3 == 1 ? 0 : mixed(v) % 6;
  for (uint64_t k = 0; k < length; k++) append(v, length == N ? k : (mixed(v) % 1000 + k * 1001) % N);
}

static void put(char *to, uint64_t k, bool fp64, double number) {
  if (fp64)
    memcpy(to + 8 * k, &number, sizeof number);
  else
    memcpy(to + 4 * k, &(float){(float)number}, sizeof(float));
}
static double get(const char *from, uint64_t k, bool fp64) {
  double real;
  float number;
  memcpy(&real, from + 8 * k, sizeof real), memcpy(&number, from + 4 * k, sizeof number);
  return fp64 ? real : (double)number;
}

static GrB_Matrix make(void (*row)(uint32_t), bool fp64, bool ones) {
  GrB_Matrix A;
  ptr[0] = 0;
  for (uint32_t v = 0; v < N; v++) ptr[v + 1] = ptr[v], row(v);
  for (uint32_t v = 0; v < N; v++)
    for (uint32_t e = ptr[v]; e < ptr[v + 1]; e++)
      rows[e] = v, cols[e] = idx[e], put(val, e, fp64, ones ? 1 : (double)(1 + mixed(e) % 1000) / 64);
  for (uint64_t k = 0; k < N; k++) at[k] = k, put(x, k, fp64, (double)(1 + mixed(k) % 500) / 32);
  OK(GrB_Matrix_new(&A, fp64 ? GrB_FP64 : GrB_FP32, N, N));
  OK(Grid_Matrix_build(A, rows, cols, val, fp64 ? GrB_FP64 : GrB_FP32, ptr[N], NULL, 0));
  return A;
}

typedef struct {
  const char *name;
  double even_rows_ratio, long_share;
  uint64_t order_entries;
  bool panels; /* by panels of columns, without M's values */
} method;
static const method methods[] = {{"rows", 0, 2, GRID_TUNE_NEVER},
                                 {"tiles", 0, 0, GRID_TUNE_NEVER},
                                 {"degree order", 0, 0, 0},
                                 {"column panels", 0, 0, 0, true},
                                 {"blocks of rows", 1e30, 2, GRID_TUNE_NEVER}};

static void choose(const method *m) {
  grid_tune.tiles_entries = grid_tune.tiles_pulls = grid_tune.tiles_order_pulls = 0;
  grid_tune.tiles_hub_share = 0;
  grid_tune.even_rows_ratio = m->even_rows_ratio, grid_tune.tiles_long_share = m->long_share;
  grid_tune.tiles_order_entries = m->order_entries;
  grid_tune.tiles_panel_entries = 0, grid_tune.tiles_panel_columns = N / 10;
}

static void compare(const method *m, GrB_Vector w, bool fp64, bool twice) {
  GrB_Index n = N;
  OK(GrB_Vector_extractTuples_FP64(at, got, &n, w));
  GrB_Index nonempty = 0;
  for (uint32_t v = 0; v < N; v++) nonempty += ptr[v + 1] > ptr[v];
  assert_int_equal(n, nonempty);
  for (GrB_Index k = 0; k < n; k++) {
    const double other = (twice ? 2 : 1) * get(expected, at[k], fp64);
    if (fabs(got[k] - other) <= (fp64 ? 1e-12 : 1e-4) * fabs(other)) continue;
    fail_msg("%s: row %llu is %.17g; cuSPARSE has %.17g", m->name, (unsigned long long)at[k], got[k], other);
  }
}

static void multiply(const method *m, GrB_Matrix A, bool fp64) {
  const GrB_Semiring times = fp64 ? GrB_PLUS_TIMES_SEMIRING_FP64 : GrB_PLUS_TIMES_SEMIRING_FP32,
                     second = fp64 ? GxB_PLUS_SECOND_FP64 : GxB_PLUS_SECOND_FP32,
                     s = m->panels ? second : times;
  GrB_Vector u, w;
  OK(GrB_Vector_new(&u, A->type, N)), OK(GrB_Vector_new(&w, A->type, N));
  for (uint64_t k = 0; k < N; k++) at[k] = k;
  OK(Grid_Vector_build(u, at, x, A->type, N, NULL));
  for (int k = 0; k < PRODUCTS; k++) {
    OK(GrB_mxv(w, NULL, NULL, s, A, u, NULL));
    compare(m, w, fp64, false);
  }
  OK(GrB_mxv(w, w, fp64 ? GrB_PLUS_FP64 : GrB_PLUS_FP32, s, A, u, GrB_DESC_S));
  compare(m, w, fp64, true);
  const grid_balanced_tiles *caches = A->block.by_row.balanced_tiles;
  assert_non_null(caches);
  assert_true(caches->even == (m->even_rows_ratio > 0));
  assert_true((caches->column_panels != NULL) == m->panels);
  OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
}

static void products(void **state) {
  void (*const row[])(uint32_t) = {mesh_row, equal_row, uneven_row};
  const grid_tuning usual = grid_tune;
  for (size_t r = 0; r < sizeof row / sizeof *row; r++)
    for (int fp64 = 0; fp64 < 2; fp64++)
      for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        double ms[2];
        GrB_Matrix A = make(row[r], fp64, methods[k].panels);
        const char *wrong =
            cusparse_product(N, ptr, idx, val, x, expected, fp64 ? sizeof(double) : sizeof(float), 1, ms);
        if (wrong) fail_msg("cuSPARSE: %s", wrong);
        choose(&methods[k]);
        OK(GrB_Matrix_set_INT32(A, Grid_DIRECTION_PULL, Grid_DIRECTION));
        OK(GrB_Matrix_set_INT32(A, Grid_DELEGATES_OFF, Grid_DELEGATES));
        multiply(&methods[k], A, fp64);
        OK(GrB_Matrix_free(&A));
        grid_tune = usual;
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products)};
  if (!have_gpu()) return 77;
  if (Grid_init(GrB_NONBLOCKING, NULL, 0, 0) != GrB_SUCCESS || Grid_device_set(Grid_CUDA) != GrB_SUCCESS)
    return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  const bool finalized = GrB_finalize() == GrB_SUCCESS;
  return failed || !finalized || grid_mem_live() || grid_device_live() ? 1 : 0;
}
