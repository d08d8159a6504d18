/* Grid_transitive_closure and Grid_reciprocity against their serial checkers, known answers, wrong arguments,
 * and the checkers against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_reciprocity.h"
#include "bench/check/traversal/check_transitive_closure.h"

enum { MOST_PAIRS = MAX_VERTICES * MAX_VERTICES };
static GrB_Index row[MOST_PAIRS], col[MOST_PAIRS], pairs;
static bool value[MOST_PAIRS];
static double share[MAX_VERTICES];
static char text[300];

static void close(GrB_Matrix A) {
  GrB_Matrix C;
  assert_int_equal(Grid_transitive_closure(&C, A), GrB_SUCCESS);
  pairs = MOST_PAIRS;
  assert_int_equal(GrB_Matrix_extractTuples_BOOL(row, col, value, &pairs, C), GrB_SUCCESS);
  for (GrB_Index k = 0; k < pairs; k++) assert_true(value[k]);
  GrB_Matrix_free(&C);
}

static double find_reciprocity(GrB_Matrix A) {
  GrB_Vector v;
  GrB_Index n;
  double all = 77;
  assert_int_equal(Grid_reciprocity(&all, &v, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(share, v, n);
  GrB_Vector_free(&v);
  return all;
}

static void check_all(const named_graph *g, GrB_Matrix A) {
  const double all = find_reciprocity(A);
  assert_named_correct(check_reciprocity(&g->list, all, share, text, sizeof text), g);
  close(A);
  assert_named_correct(check_transitive_closure(&g->list, row, col, pairs, text, sizeof text), g);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  (void)k;
  check_all(g, A);
}

static void matches_checkers(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT8};
  run_named_graphs(types, 2, compare);
}

/* Sparse random graphs have strong components, and vertices in front of and behind them; some have loops. */
static void sparse(void **state) {
  static named_graph g;
  for (int turn = 0; turn < 4; turn++) {
    g.list = (check_graph){.n = MAX_VERTICES, .from = g.from, .to = g.to, .weight = g.weight, .loops = true};
    g.name = "sparse";
    for (int k = 0; k < 150 + 40 * turn; k++)
      named_add(&g, named_chance(MAX_VERTICES), named_chance(MAX_VERTICES));
    GrB_Matrix A = named_pattern(&g);
    check_all(&g, A);
    GrB_Matrix_free(&A);
  }
}

/* Of a directed path all later vertices; of a cycle with a tail all pairs of the cycle, and the tail. */
static void known_answers(void **state) {
  static named_graph g;
  named_make(&g, 4);
  GrB_Matrix A = named_pattern(&g);
  close(A);
  assert_int_equal(pairs, 40 * 39 / 2);
  for (GrB_Index k = 0; k < pairs; k++) assert_true(row[k] < col[k]);
  assert_true(find_reciprocity(A) == 0);
  GrB_Matrix_free(&A);
  named_make(&g, 11);
  A = named_pattern(&g);
  close(A);
  assert_int_equal(pairs, 50 * 70 + 20 * 19 / 2);
  GrB_Matrix_free(&A);
  named_make(&g, 7); /* an undirected cycle */
  A = named_pattern(&g);
  assert_true(find_reciprocity(A) == 1);
  for (uint64_t v = 0; v < g.list.n; v++) assert_true(share[v] == 1);
  GrB_Matrix_free(&A);
}

static void no_vertices(void **state) {
  GrB_Matrix A, C;
  GrB_Index n = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 0, 0), GrB_SUCCESS);
  assert_int_equal(Grid_transitive_closure(&C, A), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_nrows(&n, C), GrB_SUCCESS);
  assert_int_equal(n, 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&C);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, C = NULL;
  GrB_Vector v = NULL;
  double all = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_transitive_closure(NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_transitive_closure"));
  assert_int_equal(Grid_transitive_closure(&C, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_transitive_closure(&C, oblong), GrB_DIMENSION_MISMATCH);
  assert_null(C);
  assert_int_equal(Grid_reciprocity(NULL, NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_reciprocity"));
  assert_int_equal(Grid_reciprocity(&all, &v, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_reciprocity(&all, &v, oblong), GrB_DIMENSION_MISMATCH);
  assert_null(v);
  assert_true(all == 77);
  assert_int_equal(Grid_reciprocity(&all, NULL, A), GrB_SUCCESS);
  assert_true(all == 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 11);
  GrB_Matrix A = named_pattern(&g);
  const double all = find_reciprocity(A);
  close(A);
  assert_null(check_reciprocity(&g.list, all, share, text, sizeof text));
  assert_non_null(check_reciprocity(&g.list, all + 0.001, share, text, sizeof text));
  share[3] += 0.001;
  assert_non_null(check_reciprocity(&g.list, all, share, text, sizeof text));
  assert_null(check_transitive_closure(&g.list, row, col, pairs, text, sizeof text));
  assert_non_null(check_transitive_closure(&g.list, row, col, pairs - 1, text, sizeof text));
  row[pairs] = row[0], col[pairs] = col[0];
  assert_non_null(check_transitive_closure(&g.list, row, col, pairs + 1, text, sizeof text));
  row[pairs] = 69, col[pairs] = 3;
  assert_non_null(check_transitive_closure(&g.list, row, col, pairs + 1, text, sizeof text));
  assert_non_null(strstr(text, "no path leads from vertex number 69 to 3"));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("closure", cmocka_unit_test(matches_checkers), cmocka_unit_test(sparse),
           cmocka_unit_test(known_answers), cmocka_unit_test(no_vertices), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
