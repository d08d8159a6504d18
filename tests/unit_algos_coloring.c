/* Grid_coloring against the serial checker, known numbers of colors, wrong arguments, and the checker against
 * wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/trees_and_sets/check_coloring.h"

static double color[MAX_VERTICES];
static char text[300];

static uint64_t compute(GrB_Matrix A, uint64_t seed) {
  GrB_Vector v;
  GrB_Index n;
  uint64_t colors = 77;
  assert_int_equal(Grid_coloring(&v, &colors, A, seed), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(color, v, n);
  GrB_Vector_free(&v);
  return colors;
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  (void)k;
  for (uint64_t seed = 0; seed < 2; seed++) {
    const uint64_t colors = compute(A, seed);
    assert_named_correct(check_coloring(&g->list, color, colors, text, sizeof text), g);
  }
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* Empty, with loops, a star, a clique of 12; a path and a grid have few. */
static void known_numbers(void **state) {
  const struct {
    int graph;
    uint64_t least, most;
  } known[] = {{1, 1, 1}, {2, 1, 1}, {5, 2, 2}, {6, 12, 12}, {3, 2, 3}, {8, 3, 3}, {12, 2, 5}, {7, 3, 3}};
  static named_graph g;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    named_make(&g, known[k].graph);
    GrB_Matrix A = named_pattern(&g);
    const uint64_t colors = compute(A, 5);
    if (colors < known[k].least || colors > known[k].most) fail_msg("%s: %d colors", g.name, (int)colors);
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  uint64_t colors = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_coloring(NULL, NULL, A, 0), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_coloring"));
  assert_int_equal(Grid_coloring(&v, &colors, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_coloring(&v, &colors, oblong, 0), GrB_DIMENSION_MISMATCH);
  assert_null(v);
  assert_int_equal(colors, 77);
  assert_int_equal(Grid_coloring(NULL, &colors, A, 0), GrB_SUCCESS);
  assert_int_equal(colors, 1);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 6);
  GrB_Matrix A = named_pattern(&g);
  const uint64_t colors = compute(A, 0);
  const double right = color[4], other = color[5], values[] = {(double)NAN, -1, 0.5, 12, other};
  assert_null(check_coloring(&g.list, color, colors, text, sizeof text));
  assert_non_null(check_coloring(&g.list, color, colors + 1, text, sizeof text));
  for (int k = 0; k < 5; k++) {
    color[4] = values[k];
    assert_non_null(check_coloring(&g.list, color, colors, text, sizeof text));
  }
  color[4] = right;
  named_make(&g, 3); /* a path, colors 0 1 0 1 ..., then its end with 2 */
  for (int v = 0; v < 150; v++) color[v] = v % 2;
  assert_null(check_coloring(&g.list, color, 2, text, sizeof text));
  color[149] = 2;
  assert_non_null(check_coloring(&g.list, color, 3, text, sizeof text));
  assert_non_null(strstr(text, "no neighbor of color 1"));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("coloring", cmocka_unit_test(matches_checker), cmocka_unit_test(known_numbers),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
