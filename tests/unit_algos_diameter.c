/* Grid_diameter against the serial checker, exact and known diameters, and the checker against wrong answers.
 */
#include "tests/named_graphs.h"

#include "bench/check/traversal/check_diameter.h"

static int64_t sweep(double *level, GrB_Matrix A, uint64_t source) {
  int64_t diameter = -1;
  GrB_Vector v;
  GrB_Index n;
  assert_int_equal(Grid_diameter(&diameter, &v, A, source), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(level, v, n);
  GrB_Vector_free(&v);
  return diameter;
}

/* The diameter of a component by a search from each of its vertices. */
static int64_t exact(const named_graph *g, uint64_t source) {
  int64_t level[MAX_VERTICES], most = 0;
  uint64_t queue[MAX_VERTICES], member[MAX_VERTICES];
  check_graph both = g->list;
  check_rows r;
  both.both_directions = true;
  assert_true(check_rows_make(&r, &both, false));
  const uint64_t members = check_search(level, member, &r, source, -1);
  for (uint64_t k = 0; k < members; k++) {
    const uint64_t count = check_search(level, queue, &r, member[k], -1);
    if (level[queue[count - 1]] > most) most = level[queue[count - 1]];
  }
  check_rows_free(&r);
  return most;
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  const uint64_t sources[] = {0, g->list.n / 2, g->list.n - 1};
  const int64_t known[NAMED_GRAPHS] = {0, 0, 0, 149, 39, 2, 1, 32, 1, 8, 8, -1, 18, -1, 2};
  double level[MAX_VERTICES];
  char text[300];
  for (int s = 0; s < 3; s++) {
    const int64_t bound = sweep(level, A, sources[s]), most = exact(g, sources[s]);
    assert_named_correct(check_diameter(&g->list, sources[s], level, bound, text, sizeof text), g);
    assert_true(bound <= most && most <= 2 * bound);
    if (k < NAMED_GRAPHS && known[k] >= 0 && sources[s] != 6) assert_int_equal(bound, known[k]);
  }
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_UINT32};
  run_named_graphs(types, 2, compare);
}

static void outputs_and_refusals(void **state) {
  static named_graph g;
  GrB_Vector level = NULL;
  GrB_Matrix wrong;
  int64_t diameter = -1;
  named_make(&g, 3);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(Grid_diameter(&diameter, NULL, A, 70), GrB_SUCCESS);
  assert_int_equal(diameter, 149);
  assert_int_equal(Grid_diameter(NULL, &level, A, 70), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_free(&level), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&wrong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_diameter(NULL, NULL, A, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_diameter(&diameter, &level, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_diameter(&diameter, &level, wrong, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_diameter(&diameter, &level, A, 150), GrB_INVALID_INDEX);
  assert_non_null(strstr(Grid_last_error(), "Grid_diameter"));
  assert_true(level == NULL && diameter == 149);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&wrong);
}

/* The checker finds wrong levels, bounds that are too large or too small, and an answer that stopped early.
 */
static void wrong_answers(void **state) {
  static named_graph g;
  double level[MAX_VERTICES];
  char text[300];
  named_make(&g, 3);
  GrB_Matrix A = named_pattern(&g);
  const int64_t diameter = sweep(level, A, 20);
  assert_null(check_diameter(&g.list, 20, level, diameter, text, sizeof text));
  assert_non_null(check_diameter(&g.list, 20, level, diameter + 1, text, sizeof text));
  assert_non_null(check_diameter(&g.list, 20, level, diameter - 1, text, sizeof text));
  level[7]++;
  assert_non_null(check_diameter(&g.list, 20, level, diameter, text, sizeof text));
  for (int v = 0; v < 150; v++) level[v] = v < 20 ? 20 - v : v - 20; /* the first search alone */
  assert_non_null(check_diameter(&g.list, 20, level, 129, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("diameter", cmocka_unit_test(matches_checker), cmocka_unit_test(outputs_and_refusals),
           cmocka_unit_test(wrong_answers))
