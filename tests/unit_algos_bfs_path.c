/* Grid_bfs_path against the serial checker, known answers, wrong arguments, and the
 * checker against wrong answers. */
#include "tests/gpu_present.h"
#include "tests/named_graphs.h"

#include "bench/check/traversal/check_bfs_path.h"

static double path[MAX_VERTICES], place[MAX_VERTICES];
static int64_t length;
static char text[300];

static void find_path(GrB_Matrix A, GrB_Index source, GrB_Index target) {
  GrB_Vector v;
  GrB_Index n;
  assert_int_equal(Grid_bfs_path(&v, &length, A, source, target), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(path, v, n);
  for (GrB_Index k = 0; k < n; k++) place[k] = (double)NAN;
  for (GrB_Index k = 0; k < n; k++)
    if (!isnan(path[k])) place[(int)path[k]] = (double)k;
  GrB_Vector_free(&v);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  const uint64_t n = g->list.n, pairs[][2] = {{0, n - 1}, {n - 1, 0}, {n / 2, n / 2}, {n / 3, n / 2}};
  (void)k;
  for (int p = 0; p < 4; p++) {
    find_path(A, pairs[p][0], pairs[p][1]);
    assert_named_correct(check_bfs_path(&g->list, pairs[p][0], pairs[p][1], place, length, text, sizeof text),
                         g);
  }
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* On one process an undirected graph is searched serially, by products where there are many threads, and with
 * GRIDBLAS_DEVICE=cuda on the GPU. */
static void compare_methods(const named_graph *g, GrB_Matrix A, int k) {
  static double expected[MAX_VERTICES];
  enum { SERIAL = 1, PRODUCTS = 17 }; /* threads */
  const int device = Grid_device(), methods = device == Grid_CPU ? 2 : 3;
  int64_t expected_length = 0;
  (void)k;
  for (uint64_t source = 0; source < g->list.n; source += 7)
    for (int method = 0; method < methods; method++) {
      assert_int_equal(Grid_device_set(method < 2 ? Grid_CPU : device), GrB_SUCCESS);
      Grid_threads(method == 1 ? PRODUCTS : SERIAL);
      find_path(A, source, (3 * source + 1) % g->list.n);
      if (method == 0) memcpy(expected, path, sizeof path), expected_length = length;
      assert_int_equal(length, expected_length);
      for (uint64_t v = 0; v < g->list.n; v++)
        if (path[v] != expected[v] && !(isnan(path[v]) && isnan(expected[v])))
          fail_msg("%s: method %d: %g in place of %g at %d", g->name, method, path[v], expected[v], (int)v);
    }
}

static void same_by_all_methods(void **state) {
  const int threads = Grid_threads(0);
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64, GrB_INT32};
  run_named_graphs(types, 3, compare_methods);
  Grid_threads(threads);
}

/* A hub with many neighbors, which reach one vertex; the smallest neighbor is on the path. */
static void hub(void **state) {
  enum { LEAVES = 5000, N = LEAVES + 2 };
  GrB_Matrix A;
  GrB_Vector v;
  int64_t middle;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, N, N), GrB_SUCCESS);
  GrB_Index from[2 * LEAVES], to[2 * LEAVES];
  for (GrB_Index k = 0; k < LEAVES; k++)
    from[k] = 0, from[LEAVES + k] = N - 1, to[k] = to[LEAVES + k] = 1 + k;
  assert_int_equal(
      Grid_Matrix_build(A, from, to, NULL, NULL, Grid_rank() == 0 ? 2 * LEAVES : 0, NULL, Grid_MIRROR),
      GrB_SUCCESS);
  assert_int_equal(Grid_bfs_path(&v, &length, A, 0, N - 1), GrB_SUCCESS);
  assert_int_equal(length, 2);
  assert_int_equal(GrB_Vector_extractElement_INT64(&middle, v, 1), GrB_SUCCESS);
  assert_int_equal(middle, 1);
  GrB_Vector_free(&v);
  assert_int_equal(Grid_bfs_path(&v, &length, A, 77, 4000), GrB_SUCCESS);
  assert_int_equal(length, 2);
  assert_int_equal(GrB_Vector_extractElement_INT64(&middle, v, 1), GrB_SUCCESS);
  assert_int_equal(middle, 0);
  GrB_Matrix_free(&A), GrB_Vector_free(&v);
}

/* Grid_Matrix_path's own arguments. */
static void bad_operands(void **state) {
  const struct {
    GrB_Info info;
    GrB_Type type;
    GrB_Index size;
    bool is_empty;
    const char *why;
  } cases[] = {{GrB_SUCCESS, GrB_INT64, 3, true, ""},
               {GrB_DOMAIN_MISMATCH, GrB_INT32, 3, true, "INT64"},
               {GrB_DIMENSION_MISMATCH, GrB_INT64, 4, true, "path"},
               {GrB_OUTPUT_NOT_EMPTY, GrB_INT64, 3, false, "path"}};
  GrB_Matrix A;
  GrB_Vector v;
  GrB_Index nvals;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 1, 0, 2), GrB_SUCCESS);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    length = 77;
    assert_int_equal(GrB_Vector_new(&v, cases[k].type, cases[k].size), GrB_SUCCESS);
    if (!cases[k].is_empty) assert_int_equal(GrB_Vector_setElement_INT64(v, 2, 2), GrB_SUCCESS);
    assert_int_equal(Grid_Matrix_path(v, &length, A, 0, 2), cases[k].info);
    if (cases[k].info != GrB_SUCCESS) assert_non_null(strstr(Grid_last_error(), cases[k].why));
    assert_int_equal(length, cases[k].info == GrB_SUCCESS ? 1 : 77);
    assert_int_equal(GrB_Vector_nvals(&nvals, v), GrB_SUCCESS);
    assert_int_equal(nvals, cases[k].info == GrB_SUCCESS ? 2 : !cases[k].is_empty);
    GrB_Vector_free(&v);
  }
  assert_int_equal(Grid_Matrix_path(NULL, NULL, A, 0, 2), GrB_NULL_POINTER);
  assert_int_equal(Grid_Matrix_path(NULL, &length, A, 0, 3), GrB_INVALID_INDEX);
  assert_int_equal(Grid_Matrix_path(NULL, &length, NULL, 0, 2), GrB_NULL_POINTER);
  GrB_Matrix_free(&A);
}

/* Along a path; arrows to a hub, from which none leads on. */
static void known_answers(void **state) {
  static named_graph g;
  named_make(&g, 3);
  GrB_Matrix A = named_pattern(&g);
  find_path(A, 140, 10);
  assert_int_equal(length, 130);
  for (int k = 0; k <= 130; k++) assert_true(path[k] == 140 - k);
  GrB_Matrix_free(&A);
  named_make(&g, 14);
  A = named_pattern(&g);
  find_path(A, 3, 4);
  assert_int_equal(length, -1);
  for (uint64_t v = 0; v < g.list.n; v++) assert_true(isnan(path[v]));
  find_path(A, 3, 65);
  assert_true(length == 1 && path[0] == 3 && path[1] == 65);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  length = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_bfs_path(NULL, NULL, A, 0, 1), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_bfs_path"));
  assert_int_equal(Grid_bfs_path(&v, &length, NULL, 0, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_bfs_path(&v, &length, oblong, 0, 1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_bfs_path(&v, &length, A, 3, 1), GrB_INVALID_INDEX);
  assert_int_equal(Grid_bfs_path(&v, &length, A, 0, 3), GrB_INVALID_INDEX);
  assert_null(v);
  assert_int_equal(length, 77);
  assert_int_equal(Grid_bfs_path(NULL, &length, A, 0, 1), GrB_SUCCESS);
  assert_int_equal(length, -1);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 12);
  GrB_Matrix A = named_pattern(&g);
  find_path(A, 0, 99);
  assert_null(check_bfs_path(&g.list, 0, 99, place, 18, text, sizeof text));
  assert_non_null(check_bfs_path(&g.list, 0, 99, place, 17, text, sizeof text));
  assert_non_null(check_bfs_path(&g.list, 1, 99, place, 18, text, sizeof text));
  const int third = (int)path[3], fourth = (int)path[4];
  place[third] = 4, place[fourth] = 3;
  assert_non_null(check_bfs_path(&g.list, 0, 99, place, 18, text, sizeof text));
  place[fourth] = 4;
  assert_non_null(check_bfs_path(&g.list, 0, 99, place, 18, text, sizeof text));
  GrB_Matrix_free(&A);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matches_checker),       cmocka_unit_test(same_by_all_methods),
      cmocka_unit_test(known_answers),         cmocka_unit_test(hub),
      cmocka_unit_test(bad_arguments),         cmocka_unit_test(bad_operands),
      cmocka_unit_test(wrong_results_detected)};
  if (lacks_gpu()) return 77;
  return named_run("bfs_path", tests, sizeof tests / sizeof *tests);
}
