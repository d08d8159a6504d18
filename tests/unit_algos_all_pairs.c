/* Grid_all_pairs against its serial checker and Grid_shortest_paths, known answers, wrong arguments, and the
 * checker against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/traversal/check_all_pairs.h"

enum { MOST_PAIRS = MAX_VERTICES * MAX_VERTICES };
static GrB_Index row[MOST_PAIRS + 1], col[MOST_PAIRS + 1], pairs;
static double value[MOST_PAIRS + 1];
static char text[300];

static void find(GrB_Matrix A) {
  GrB_Matrix D;
  assert_int_equal(Grid_all_pairs(&D, A), GrB_SUCCESS);
  pairs = MOST_PAIRS;
  assert_int_equal(GrB_Matrix_extractTuples_FP64(row, col, value, &pairs, D), GrB_SUCCESS);
  GrB_Matrix_free(&D);
}

static const char *verdict(const named_graph *g) {
  return check_all_pairs(&g->list, row, col, value, pairs, text, sizeof text);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  (void)k;
  find(A);
  assert_named_correct(verdict(g), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT64};
  run_named_graphs(types, 2, compare);
}

/* A row is the answer of the method for one source, also of FP32 and with weights of 0. */
static void matches_one_source(void **state) {
  static named_graph g;
  named_make(&g, 11);
  for (uint64_t k = 0; k < g.list.m; k += 3) g.weight[k] = k % 2 ? 0 : 0.1 * (double)k;
  GrB_Matrix A = named_matrix(&g, GrB_FP32), D;
  GrB_Vector one, all;
  double expected[MAX_VERTICES], got[MAX_VERTICES];
  assert_int_equal(Grid_all_pairs(&D, A), GrB_SUCCESS);
  for (GrB_Index s = 0; s < g.list.n; s += 7) {
    assert_int_equal(Grid_shortest_paths(&one, NULL, A, s, 0), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&all, GrB_FP32, g.list.n), GrB_SUCCESS);
    assert_int_equal(GrB_Col_extract(all, NULL, NULL, D, GrB_ALL, g.list.n, s, GrB_DESC_T0), GrB_SUCCESS);
    named_values(expected, one, g.list.n);
    named_values(got, all, g.list.n);
    assert_memory_equal(expected, got, g.list.n * sizeof *got);
    GrB_Vector_free(&one), GrB_Vector_free(&all);
  }
  GrB_Matrix_free(&A), GrB_Matrix_free(&D);
}

/* Two complete graphs, from one of which a single edge of length `bridge` leads to the other: no path back.
 */
static GrB_Matrix two_dense_graphs(GrB_Type type, GrB_Index n, double bridge) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, type, n, n), GrB_SUCCESS);
  for (GrB_Index i = 0; i < n; i++)
    for (GrB_Index j = 0; j < n; j++)
      if (i != j && i / (n / 2) == j / (n / 2))
        assert_int_equal(GrB_Matrix_setElement_FP64(A, 0.1 * (double)(i * 7 % 11 + j), i, j), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, bridge, 0, n - 1), GrB_SUCCESS);
  return A;
}

static void dense_graphs(void **state) {
  enum { N = 30 };
  const double bridges[] = {0.5, INFINITY};
  for (int k = 0; k < 4; k++) {
    GrB_Matrix A = two_dense_graphs(k % 2 ? GrB_FP32 : GrB_FP64, N, bridges[k / 2]);
    double distance[MAX_VERTICES];
    GrB_Index found = 0;
    find(A);
    for (GrB_Index s = 0; s < N; s++) {
      GrB_Vector one;
      assert_int_equal(Grid_shortest_paths(&one, NULL, A, s, 0), GrB_SUCCESS);
      named_values(distance, one, N);
      for (GrB_Index v = 0; v < N; v++) {
        if (isnan(distance[v])) continue;
        assert_true(row[found] == s && col[found] == v && value[found] == distance[v]);
        found++;
      }
      GrB_Vector_free(&one);
    }
    assert_int_equal(found, pairs);
    assert_int_equal(pairs, N * N / 4 * 3);
    GrB_Matrix_free(&A);
  }
}

/* Of a directed path: the difference of the numbers. */
static void known_answers(void **state) {
  static named_graph g;
  named_make(&g, 4);
  GrB_Matrix A = named_pattern(&g);
  find(A);
  assert_int_equal(pairs, 40 * 41 / 2);
  for (GrB_Index k = 0; k < pairs; k++) assert_true(value[k] == (double)(col[k] - row[k]));
  GrB_Matrix_free(&A);
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 0, 0), GrB_SUCCESS);
  find(A);
  assert_int_equal(pairs, 0);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, D = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_all_pairs(NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_all_pairs"));
  assert_int_equal(Grid_all_pairs(&D, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_all_pairs(&D, oblong), GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, -1, 0, 1), GrB_SUCCESS);
  assert_int_equal(Grid_all_pairs(&D, A), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, (double)NAN, 0, 1), GrB_SUCCESS);
  assert_int_equal(Grid_all_pairs(&D, A), GrB_INVALID_VALUE);
  assert_null(D);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 11);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  find(A);
  assert_null(verdict(&g));
  value[5] += 1;
  assert_non_null(verdict(&g));
  value[5] -= 1;
  pairs--;
  assert_non_null(verdict(&g));
  pairs++;
  row[pairs] = row[0], col[pairs] = col[0], value[pairs] = value[0];
  pairs++;
  assert_non_null(verdict(&g));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("all_pairs", cmocka_unit_test(matches_checker), cmocka_unit_test(matches_one_source),
           cmocka_unit_test(dense_graphs), cmocka_unit_test(known_answers), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
