/* Algorithms that process many sources at once, Grid_betweenness and Grid_bfs_many, against the serial
 * checkers, known graphs, and the checkers against wrong answers. */
#include "tests/named_graphs.h"

#include "algos/centrality/dependencies_many.h"
#include "bench/check/centrality/check_betweenness.h"
#include "bench/check/traversal/check_levels.h"

/* All vertices, or some: one twice, and more than a batch holds. */
static uint64_t pick_sources(uint64_t *source, uint64_t n, int variant) {
  uint64_t count = 0;
  if (variant == 0)
    for (uint64_t v = 0; v < n; v++) source[count++] = v;
  for (uint64_t k = 0; variant == 1 && k < 3; k++) source[count++] = named_chance(n);
  if (variant == 1) source[count++] = source[0];
  if (variant == 2)
    for (uint64_t k = 0; k < 70; k++) source[count++] = k % n;
  return count;
}

static void betweenness(void **state) {
  static named_graph g;
  double value[MAX_VERTICES];
  uint64_t source[MAX_VERTICES];
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    if (g.list.n > 120) continue; /* paths of 150 levels add no coverage, and take long on 9 processes */
    const uint64_t count = pick_sources(source, g.list.n, k % 3);
    GrB_Matrix A = k % 2 == 0 ? named_pattern(&g) : named_matrix(&g, GrB_INT8);
    GrB_Vector v;
    assert_int_equal(Grid_betweenness(&v, A, source, count), GrB_SUCCESS);
    named_values(value, v, g.list.n);
    assert_named_correct(check_betweenness(&g.list, source, count, value, 1e-12, text, sizeof text), &g);
    GrB_Vector_free(&v);
    GrB_Matrix_free(&A);
  }
}

/* sums[0] = the dependencies of these sources, sums[1] = their squares: of all at once by matrices, or of one
 * after the other by vectors. */
static void sum_dependencies(GrB_Vector sums[2], GrB_Matrix A, const uint64_t *source, uint64_t count,
                             bool at_once) {
  dependencies b;
  GrB_Index n;
  assert_int_equal(GrB_Matrix_nrows(&n, A), GrB_SUCCESS);
  assert_int_equal(grid_dependencies_begin(&b, A, n), GrB_SUCCESS);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(GrB_Vector_new(&sums[k], GrB_FP64, n), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_assign_FP64(sums[k], NULL, NULL, 0, GrB_ALL, n, NULL), GrB_SUCCESS);
  }
  for (uint64_t k = 0; k < count; k += at_once ? count : 1)
    assert_int_equal(grid_add_dependencies_many(&b, sums[0], sums[1], source + k, at_once ? count : 1),
                     GrB_SUCCESS);
  grid_dependencies_free(&b);
}

/* Matrices, which the library uses on a GPU, give what vectors do. */
static void columns(void **state) {
  static named_graph g;
  double value[2][MAX_VERTICES];
  uint64_t source[MAX_VERTICES];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    if (g.list.n > 120) continue;
    const uint64_t count = pick_sources(source, g.list.n, k % 3);
    GrB_Matrix A = k % 2 == 0 ? named_pattern(&g) : named_matrix(&g, GrB_INT8);
    GrB_Vector sums[2][2];
    for (int form = 0; form < 2; form++) sum_dependencies(sums[form], A, source, count, form == 1);
    for (int which = 0; which < 2; which++) {
      for (int form = 0; form < 2; form++) {
        named_values(value[form], sums[form][which], g.list.n);
        GrB_Vector_free(&sums[form][which]);
      }
      for (uint64_t v = 0; v < g.list.n; v++)
        if (!(fabs(value[0][v] - value[1][v]) <= 1e-12 * fabs(value[0][v])))
          fail_msg("%s: %g and %g at %d", g.name, value[0][v], value[1][v], (int)v);
    }
    GrB_Matrix_free(&A);
  }
}

static void edge_columns(void **state) {
  static named_graph g;
  static named_list answer;
  uint64_t source[MAX_VERTICES];
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    if (g.list.n > 120) continue;
    const uint64_t count = pick_sources(source, g.list.n, k % 3);
    GrB_Matrix A = k % 2 == 0 ? named_pattern(&g) : named_matrix(&g, GrB_INT8), sum;
    dependencies b;
    assert_int_equal(grid_dependencies_begin(&b, A, g.list.n), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_new(&sum, GrB_FP64, g.list.n, g.list.n), GrB_SUCCESS);
    assert_int_equal(
        GrB_Matrix_assign_FP64(sum, A, NULL, 0, GrB_ALL, g.list.n, GrB_ALL, g.list.n, GrB_DESC_S),
        GrB_SUCCESS);
    assert_int_equal(grid_add_edge_dependencies(sum, &b, source, count), GrB_SUCCESS);
    named_entries(&answer, sum);
    const check_entries entries = {answer.row, answer.col, answer.value, answer.n};
    assert_named_correct(check_edge_betweenness(&g.list, source, count, &entries, 1e-12, text, sizeof text),
                         &g);
    grid_dependencies_free(&b);
    GrB_Matrix_free(&sum), GrB_Matrix_free(&A);
  }
}

/* A star's hub lies between all pairs of leaves; on a clique no vertex does. */
static void known(void **state) {
  static named_graph g;
  double value[MAX_VERTICES];
  uint64_t source[MAX_VERTICES];
  for (int k = 5; k <= 6; k++) {
    named_make(&g, k);
    GrB_Matrix A = named_pattern(&g);
    GrB_Vector v;
    pick_sources(source, g.list.n, 0);
    assert_int_equal(Grid_betweenness(&v, A, source, g.list.n), GrB_SUCCESS);
    named_values(value, v, g.list.n);
    const double leaves = (double)g.list.n - 1;
    assert_true(fabs(value[0] - (k == 5 ? leaves * (leaves - 1) : 0)) < 1e-9);
    for (uint64_t w = 1; w < g.list.n; w++) assert_true(value[w] == 0);
    GrB_Vector_free(&v);
    GrB_Matrix_free(&A);
  }
}

static void levels(void **state) {
  static named_graph g;
  enum { MOST = MAX_VERTICES * MAX_VERTICES };
  static GrB_Index row[MOST], col[MOST];
  static double value[MOST];
  uint64_t source[MAX_VERTICES];
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    const uint64_t count = pick_sources(source, g.list.n, g.list.n > 120 ? 1 : k % 3);
    const int64_t limit = k % 4 == 3 ? (int64_t)named_chance(4) : -1;
    GrB_Matrix A = k % 2 == 0 ? named_pattern(&g) : named_matrix(&g, GrB_FP32), level;
    GrB_Index entries = MOST;
    assert_int_equal(Grid_bfs_many(&level, A, source, count, limit), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_extractTuples_FP64(row, col, value, &entries, level), GrB_SUCCESS);
    assert_named_correct(
        check_levels(&g.list, source, count, limit, col, row, value, entries, text, sizeof text), &g);
    GrB_Matrix_free(&level);
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  GrB_Matrix const nothing = (GrB_Matrix)(uintptr_t)8;
  GrB_Matrix A, oblong, level = nothing;
  const GrB_Index inside = 2, outside = 5;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(Grid_bfs_many(NULL, A, &inside, 1, -1), GrB_NULL_POINTER);
  assert_int_equal(Grid_bfs_many(&level, A, NULL, 1, -1), GrB_NULL_POINTER);
  assert_int_equal(Grid_bfs_many(&level, NULL, &inside, 1, -1), GrB_NULL_POINTER);
  assert_int_equal(Grid_bfs_many(&level, oblong, &inside, 1, -1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_bfs_many(&level, A, &inside, 0, -1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_bfs_many(&level, A, &outside, 1, -1), GrB_INVALID_INDEX);
  assert_non_null(strstr(Grid_last_error(), "Grid_bfs_many"));
  assert_ptr_equal(level, nothing);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  uint64_t from[] = {0, 1, 1}, to[] = {1, 2, 3};
  const check_graph g = {5, 3, from, to, NULL, true, false};
  const uint64_t source[] = {0, 4};
  char text[300];
  uint64_t row[] = {0, 0, 0, 0, 1}, col[] = {0, 1, 2, 3, 4};
  double level[] = {0, 1, 2, 2, 0}, centrality[] = {0, 2, 0, 0, 0};
#define LEVELS(n)  (check_levels(&g, source, 2, -1, row, col, level, n, text, sizeof text) != NULL)
#define CENTRALITY (check_betweenness(&g, source, 2, centrality, 1e-9, text, sizeof text) != NULL)
  assert_false(LEVELS(5));
  assert_true(LEVELS(4));
  level[3] = 1;
  assert_true(LEVELS(5));
  level[3] = 2, col[3] = 2;
  assert_true(LEVELS(5));
  assert_false(CENTRALITY);
  centrality[0] = 1;
  assert_true(CENTRALITY);
  centrality[0] = (double)NAN;
  assert_true(CENTRALITY);
#undef LEVELS
#undef CENTRALITY
}

NAMED_MAIN("many", cmocka_unit_test(betweenness), cmocka_unit_test(columns), cmocka_unit_test(edge_columns),
           cmocka_unit_test(known), cmocka_unit_test(levels), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
