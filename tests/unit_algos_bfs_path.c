/* Grid_bfs_path against the serial checker, known answers, wrong arguments, and the
 * checker against wrong answers. */
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
  (void)state;
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* Along a path; arrows to a hub, from which none leads on. */
static void known_answers(void **state) {
  (void)state;
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
  (void)state;
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
  (void)state;
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

NAMED_MAIN("bfs_path", cmocka_unit_test(matches_checker), cmocka_unit_test(known_answers),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
