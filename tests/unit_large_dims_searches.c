/* A path, a mesh and a sparse R-MAT graph among 2^33 vertices. Searches and shortest paths find what they
 * find in the same graph without gaps between its vertices, in memory for the entries alone. */
#include <stdlib.h>

#include "gridblas_algos.h"
#include "gridblas_rmat.h"
#include "tests/assert_all.h"
#include "tests/gpu_present.h"
#include "tests/grid_shapes.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { SCALE = 17, WIDTH = 256, MOST = 1 << SCALE };
static const uint64_t LARGE_N = UINT64_C(1) << 33, MEMORY = UINT64_C(1) << 30;

/* Edge e of a graph. */
typedef void edge(uint64_t e, uint64_t *i, uint64_t *j);

static void path(uint64_t e, uint64_t *i, uint64_t *j) {
  *i = e, *j = e + 1;
}
static void mesh(uint64_t e, uint64_t *i, uint64_t *j) {
  *i = e / 2, *j = e % 2 ? e / 2 + WIDTH : e / 2 + (e / 2 % WIDTH + 1 < WIDTH);
}
static void rmat(uint64_t e, uint64_t *i, uint64_t *j) {
  *i = *j = 0;
  for (uint64_t bit = 0; bit < SCALE; bit++) {
    const uint64_t x = Grid_Rmat_mix(e * SCALE + bit) % 100;
    *i = 2 * *i + (x >= 76), *j = 2 * *j + ((x >= 57 && x < 76) || x >= 95);
  }
}

/* Spreads vertices over all indices, in another order. */
static uint64_t spread(uint64_t v, bool large) {
  return large ? (v * UINT64_C(0x9e3779b97f4a7c15) + 12345) % LARGE_N : v;
}

static GrB_Matrix matrix(edge *of, uint64_t edges, bool large) {
  const uint64_t P = (uint64_t)Grid_size(), most = edges / P + 1;
  GrB_Index *row = malloc(most * sizeof *row), *col = malloc(most * sizeof *col), n = 0;
  int64_t *value = malloc(most * sizeof *value);
  GrB_Matrix A;
  for (uint64_t e = (uint64_t)Grid_rank(); e < edges; e += P) {
    uint64_t i, j;
    of(e, &i, &j);
    row[n] = spread(i, large), col[n] = spread(j, large), value[n++] = 1 + (int64_t)(Grid_Rmat_mix(e) % 9);
  }
  OK(GrB_Matrix_new(&A, GrB_INT64, large ? LARGE_N : MOST, large ? LARGE_N : MOST));
  OK(Grid_Matrix_build(A, row, col, value, GrB_INT64, n, GrB_MIN_INT64, Grid_MIRROR));
  free(row), free(col), free(value);
  return A;
}

/* *sum: of the values times hashes of the vertices in the graph without gaps. */
static GrB_Index sum_of(GrB_Vector v, bool large, uint64_t *sum) {
  GrB_Index n = MOST, *at = malloc(MOST * sizeof *at);
  int64_t *value = malloc(MOST * sizeof *value);
  *sum = 0;
  OK(GrB_Vector_extractTuples_INT64(at, value, &n, v));
  for (GrB_Index k = 0; k < n; k++) *sum += Grid_Rmat_mix(spread(at[k], !large)) * (uint64_t)value[k];
  free(at), free(value);
  return n;
}

static void compare(edge *of, uint64_t edges) {
  GrB_Index found[2][2];
  uint64_t sum[2][2], peak;
  for (int large = 0; large < 2; large++) {
    GrB_Vector level, distance;
    Grid_memory(&peak, true);
    GrB_Matrix A = matrix(of, edges, large);
    OK(Grid_bfs(&level, NULL, A, spread(0, large), -1));
    OK(Grid_shortest_paths(&distance, NULL, A, spread(0, large), 0));
    found[large][0] = sum_of(level, large, &sum[large][0]);
    found[large][1] = sum_of(distance, large, &sum[large][1]);
    Grid_memory(&peak, false);
    assert_on_all(peak < MEMORY);
    OK(GrB_Matrix_free(&A));
    OK(GrB_Vector_free(&level));
    OK(GrB_Vector_free(&distance));
  }
  assert_on_all(found[0][0] > 1000);
  for (int k = 0; k < 2; k++) assert_on_all(found[0][k] == found[1][k] && sum[0][k] == sum[1][k]);
}

static void search_path(void **state) {
  compare(path, 4000);
}
static void search_mesh(void **state) {
  compare(mesh, MOST);
}
static void search_rmat(void **state) {
  compare(rmat, 2 * MOST);
}

static int run(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(search_path), cmocka_unit_test(search_mesh),
                                     cmocka_unit_test(search_rmat)};
  return cmocka_run_group_tests_name("unit_large_dims_searches", tests, start_on_shape, stop_on_shape);
}

/* With GRIDBLAS_DEVICE=cuda on a GPU; exit status 77 where there is none. */
int main(void) {
  if (lacks_gpu()) return 77;
  return run_on_shapes(run);
}
