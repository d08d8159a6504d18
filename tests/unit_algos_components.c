/* Grid_components against the serial checker, known graphs, and the checker against wrong labels. */
#include "tests/named_graphs.h"

#include "bench/check/components/check_components.h"

/* Values other than 1, some of them 0: any entry is an edge. One type is known to be symmetric, the other is
 * checked for it. */
static void matches_checker(void **state) {
  static named_graph g;
  double label[MAX_VERTICES];
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++)
    for (int pattern = 0; pattern < 2; pattern++) {
      named_make(&g, k);
      GrB_Matrix A = pattern ? named_pattern(&g) : named_matrix(&g, GrB_INT8);
      make_checker_answer(label, Grid_components, A);
      assert_named_correct(check_components(&g.list, label, false, text, sizeof text), &g);
      GrB_Matrix_free(&A);
    }
}

/* A path in a random order of its vertices, longer than the initial search, so that trees must merge. Also
 * pairs, and a star whose hub is the vertex of highest degree. */
static void long_paths(void **state) {
  enum { N = 3000, PATH = 2000, STAR = 2600 };
  static GrB_Index from[N], to[N], order[N];
  static double label[N], value[N];
  static uint64_t list_from[N], list_to[N];
  char text[300];
  for (int turn = 0; turn < 4; turn++) {
    GrB_Index m = 0;
    for (GrB_Index v = 0; v < N; v++) order[v] = v;
    for (GrB_Index v = N - 1; v > 0; v--) {
      const GrB_Index w = named_chance(v + 1), x = order[v];
      order[v] = order[w], order[w] = x;
    }
    for (GrB_Index v = 0; v + 1 < PATH; v++) from[m] = order[v], to[m++] = order[v + 1];
    for (GrB_Index v = PATH; v + 1 < STAR; v += 2) from[m] = order[v], to[m++] = order[v + 1];
    for (GrB_Index v = STAR + 1; v < N - 100; v++) from[m] = order[STAR], to[m++] = order[v];
    for (GrB_Index k = 0; k < m; k++) list_from[k] = from[k], list_to[k] = to[k];
    const check_graph list = {
        .n = N, .m = m, .from = list_from, .to = list_to, .both_directions = turn % 2 == 0};
    GrB_Matrix A;
    GrB_Vector v;
    GrB_Index at[N], n = N;
    assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, N, N), GrB_SUCCESS);
    assert_int_equal(Grid_Matrix_build(A, from, to, NULL, NULL, Grid_rank() == 0 ? m : 0, NULL,
                                       turn % 2 == 0 ? Grid_MIRROR : 0),
                     GrB_SUCCESS);
    assert_int_equal(Grid_components(&v, A), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_extractTuples_FP64(at, value, &n, v), GrB_SUCCESS);
    assert_int_equal(n, N);
    for (GrB_Index k = 0; k < n; k++) label[at[k]] = value[k];
    const char *why = check_components(&list, label, false, text, sizeof text);
    if (why != NULL) fail_msg("%s", why);
    GrB_Vector_free(&v);
    GrB_Matrix_free(&A);
  }
}

/* The checker notices a label that is too small, too large or missing. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  char text[300];
  named_make(&g, 8); /* two triangles and one vertex */
  double right[] = {0, 0, 0, 3, 3, 3, 6};
  assert_null(check_components(&g.list, right, false, text, sizeof text));
  const double wrong[] = {1, 2, (double)NAN};
  for (int k = 0; k < 3; k++) {
    right[4] = wrong[k];
    assert_non_null(check_components(&g.list, right, false, text, sizeof text));
  }
  named_make(&g, 11); /* a directed cycle of 50 vertices with a tail of 20 */
  double label[MAX_VERTICES];
  for (uint64_t v = 0; v < g.list.n; v++) label[v] = 0;
  assert_null(check_components(&g.list, label, false, text, sizeof text));
  assert_non_null(check_components(&g.list, label, true, text, sizeof text));
  for (uint64_t v = 50; v < g.list.n; v++) label[v] = (double)v;
  assert_null(check_components(&g.list, label, true, text, sizeof text));
}

NAMED_MAIN("components", cmocka_unit_test(matches_checker), cmocka_unit_test(long_paths),
           cmocka_unit_test(wrong_results_detected))
