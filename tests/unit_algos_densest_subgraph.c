/* Grid_densest_subgraph against the serial checker, known densities, wrong arguments, and the checker against
 * wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_densest_subgraph.h"

static double member[MAX_VERTICES];
static char text[300];

static double compute(GrB_Matrix A, uint64_t *vertices) {
  GrB_Vector v;
  GrB_Index n;
  double density = -1;
  assert_int_equal(Grid_densest_subgraph(&v, &density, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(vertices, v), GrB_SUCCESS);
  named_values(member, v, n);
  GrB_Vector_free(&v);
  return density;
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  uint64_t vertices;
  (void)k;
  const double density = compute(A, &vertices);
  assert_named_correct(check_densest_subgraph(&g->list, member, density, text, sizeof text), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* A clique of six, from which a tail of five leads away, and a vertex alone. */
static void clique_with_tail(void **state) {
  static named_graph g;
  uint64_t vertices;
  g.name = "clique with a tail";
  g.list = (check_graph){
      .n = 12, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = true, .loops = true};
  for (uint64_t v = 0; v < 6; v++)
    for (uint64_t w = 0; w < v; w++) named_add(&g, v, w);
  for (uint64_t v = 5; v < 10; v++) named_add(&g, v, v + 1);
  named_add(&g, 10, 10);
  GrB_Matrix A = named_pattern(&g);
  assert_true(compute(A, &vertices) == 2.5);
  assert_int_equal(vertices, 6);
  for (int v = 0; v < 12; v++) assert_true(v < 6 ? member[v] == 1 : isnan(member[v]));
  GrB_Matrix_free(&A);
}

/* Without edges, loops only, a clique of 12, two triangles. */
static void known_densities(void **state) {
  const struct {
    int graph;
    double density;
  } known[] = {{1, 0}, {2, 0}, {6, 5.5}, {8, 1}};
  static named_graph g;
  uint64_t vertices;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    named_make(&g, known[k].graph);
    GrB_Matrix A = named_pattern(&g);
    assert_true(compute(A, &vertices) == known[k].density);
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  double density = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_densest_subgraph(NULL, NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_densest_subgraph"));
  assert_int_equal(Grid_densest_subgraph(&v, &density, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_densest_subgraph(&v, &density, oblong), GrB_DIMENSION_MISMATCH);
  assert_null(v);
  assert_true(density == 77);
  assert_int_equal(Grid_densest_subgraph(NULL, &density, A), GrB_SUCCESS);
  assert_true(density == 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  uint64_t vertices;
  named_make(&g, 6); /* a clique of 12 */
  GrB_Matrix A = named_pattern(&g);
  const double density = compute(A, &vertices);
  assert_null(check_densest_subgraph(&g.list, member, density, text, sizeof text));
  assert_non_null(check_densest_subgraph(&g.list, member, density + 1, text, sizeof text));
  member[0] = 2;
  assert_non_null(check_densest_subgraph(&g.list, member, density, text, sizeof text));
  for (int v = 0; v < 12; v++) member[v] = v < 2 ? 1 : (double)NAN; /* two vertices: far too thin */
  assert_non_null(check_densest_subgraph(&g.list, member, 0.5, text, sizeof text));
  member[0] = member[1] = (double)NAN;
  assert_non_null(check_densest_subgraph(&g.list, member, 0, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("densest_subgraph", cmocka_unit_test(matches_checker), cmocka_unit_test(clique_with_tail),
           cmocka_unit_test(known_densities), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
