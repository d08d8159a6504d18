/* Grid_vertex_cover against the serial checker, known sizes, wrong arguments, and the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "bench/check/trees_and_sets/check_vertex_cover.h"

static double cover[MAX_VERTICES];
static char text[300];

static uint64_t compute(GrB_Matrix A, uint64_t seed, uint64_t *vertices) {
  GrB_Vector v;
  GrB_Index n;
  uint64_t bound = 77;
  assert_int_equal(Grid_vertex_cover(&v, &bound, A, seed), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(vertices, v), GrB_SUCCESS);
  named_values(cover, v, n);
  GrB_Vector_free(&v);
  return bound;
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  uint64_t vertices;
  const uint64_t bound = compute(A, (uint64_t)k % 3, &vertices);
  assert_named_correct(check_vertex_cover(&g->list, cover, bound, text, sizeof text), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* Without edges, loops only, a star, a clique of 12, two triangles, a cycle of odd length. */
static void known_sizes(void **state) {
  const struct {
    int graph;
    uint64_t least, most;
  } known[] = {{1, 0, 0}, {2, 0, 0}, {5, 1, 1}, {6, 11, 11}, {8, 4, 4}, {3, 75, 100}};
  static named_graph g;
  uint64_t vertices;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    named_make(&g, known[k].graph);
    GrB_Matrix A = named_pattern(&g);
    compute(A, 5, &vertices);
    if (vertices < known[k].least || vertices > known[k].most)
      fail_msg("%s: %d vertices", g.name, (int)vertices);
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  uint64_t bound = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_vertex_cover(NULL, NULL, A, 0), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_vertex_cover"));
  assert_int_equal(Grid_vertex_cover(&v, &bound, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_vertex_cover(&v, &bound, oblong, 0), GrB_DIMENSION_MISMATCH);
  assert_null(v);
  assert_int_equal(bound, 77);
  assert_int_equal(Grid_vertex_cover(NULL, &bound, A, 0), GrB_SUCCESS);
  assert_int_equal(bound, 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  uint64_t vertices;
  named_make(&g, 6); /* a clique: all but one */
  GrB_Matrix A = named_pattern(&g);
  const uint64_t bound = compute(A, 0, &vertices);
  int outside = 0;
  while (!isnan(cover[outside])) outside++;
  const int inside = outside == 0;
  assert_null(check_vertex_cover(&g.list, cover, bound, text, sizeof text));
  assert_non_null(check_vertex_cover(&g.list, cover, 5, text, sizeof text));
  assert_non_null(check_vertex_cover(&g.list, cover, 12, text, sizeof text));
  cover[outside] = 1;
  assert_non_null(check_vertex_cover(&g.list, cover, bound, text, sizeof text));
  cover[outside] = (double)NAN, cover[inside] = 2;
  assert_non_null(check_vertex_cover(&g.list, cover, bound, text, sizeof text));
  cover[inside] = (double)NAN;
  assert_non_null(check_vertex_cover(&g.list, cover, bound, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("vertex_cover", cmocka_unit_test(matches_checker), cmocka_unit_test(known_sizes),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
