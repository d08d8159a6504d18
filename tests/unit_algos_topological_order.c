/* Grid_topological_order against the serial checker, known levels, wrong arguments, and the checker against
 * wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/traversal/check_topological_order.h"

static double level[MAX_VERTICES], order[MAX_VERTICES];
static char text[300];

static bool compute(GrB_Matrix A) {
  GrB_Vector levels, vertices;
  GrB_Index n;
  bool acyclic;
  assert_int_equal(Grid_topological_order(&vertices, &levels, &acyclic, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, levels), GrB_SUCCESS);
  named_values(level, levels, n);
  named_values(order, vertices, n);
  GrB_Vector_free(&levels), GrB_Vector_free(&vertices);
  return acyclic;
}

/* The levels by the checker; the order is by levels, then by numbers, of all that have a level. */
static void check_all(const named_graph *g, GrB_Matrix A) {
  const bool acyclic = compute(A);
  const uint64_t n = g->list.n;
  uint64_t ordered = 0;
  assert_named_correct(check_topological_order(&g->list, level, acyclic, text, sizeof text), g);
  for (uint64_t v = 0; v < n; v++) ordered += !isnan(level[v]);
  for (uint64_t k = 0; k < n; k++) assert_true(isnan(order[k]) == (k >= ordered));
  for (uint64_t k = 1; k < ordered; k++) {
    const int u = (int)order[k - 1], v = (int)order[k];
    assert_true(level[u] < level[v] || (level[u] == level[v] && u < v));
  }
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  (void)k;
  check_all(g, A);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* Random graphs whose edges lead from a lower place to a higher one, of a random order; then one edge back.
 */
static void random_acyclic(void **state) {
  static named_graph g;
  for (int turn = 0; turn < 6; turn++) {
    uint64_t name[MAX_VERTICES];
    for (uint64_t v = 0; v < MAX_VERTICES; v++) {
      const uint64_t w = named_chance(v + 1);
      name[v] = name[w], name[w] = v;
    }
    g.list = (check_graph){.n = MAX_VERTICES, .from = g.from, .to = g.to, .weight = g.weight, .loops = true};
    g.name = "acyclic";
    for (int k = 0; k < 60 + 90 * turn; k++) {
      const uint64_t a = named_chance(MAX_VERTICES - 1), b = a + 1 + named_chance(MAX_VERTICES - 1 - a);
      named_add(&g, name[a], name[b]);
    }
    GrB_Matrix A = named_pattern(&g);
    check_all(&g, A);
    assert_true(compute(A));
    GrB_Matrix_free(&A);
    named_add(&g, g.to[7], g.from[7]);
    A = named_pattern(&g);
    check_all(&g, A);
    assert_false(compute(A));
    GrB_Matrix_free(&A);
  }
}

/* A directed path has a vertex at each level; a loop is a cycle; arrows to a hub have two levels. */
static void known_levels(void **state) {
  static named_graph g;
  named_make(&g, 4);
  GrB_Matrix A = named_pattern(&g);
  assert_true(compute(A));
  for (uint64_t v = 0; v < g.list.n; v++) assert_true(level[v] == (double)v && order[v] == (double)v);
  GrB_Matrix_free(&A);
  named_add(&g, 30, 30);
  A = named_pattern(&g);
  assert_false(compute(A));
  for (uint64_t v = 0; v < g.list.n; v++) assert_true(v < 30 ? level[v] == (double)v : isnan(level[v]));
  GrB_Matrix_free(&A);
  named_make(&g, 14);
  A = named_pattern(&g);
  assert_true(compute(A));
  for (uint64_t v = 0; v < g.list.n; v++) assert_true(level[v] == (v == g.list.n - 1));
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL, w = NULL;
  bool acyclic = true;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_topological_order(NULL, NULL, NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_topological_order"));
  assert_int_equal(Grid_topological_order(&v, &w, &acyclic, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_topological_order(&v, &w, &acyclic, oblong), GrB_DIMENSION_MISMATCH);
  assert_null(v);
  assert_null(w);
  acyclic = false;
  assert_int_equal(Grid_topological_order(NULL, NULL, &acyclic, A), GrB_SUCCESS);
  assert_true(acyclic);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 11); /* a cycle with a tail */
  g.list.m = 0;
  for (uint64_t v = 0; v + 1 < 10; v++) named_add(&g, v, v + 1);
  named_add(&g, 12, 13), named_add(&g, 13, 12), named_add(&g, 13, 14);
  GrB_Matrix A = named_pattern(&g);
  const bool acyclic = compute(A);
  const double right[] = {level[3], level[14]};
  assert_null(check_topological_order(&g.list, level, acyclic, text, sizeof text));
  assert_non_null(check_topological_order(&g.list, level, !acyclic, text, sizeof text));
  level[3] = 4;
  assert_non_null(check_topological_order(&g.list, level, acyclic, text, sizeof text));
  level[3] = (double)NAN;
  assert_non_null(check_topological_order(&g.list, level, acyclic, text, sizeof text));
  level[3] = right[0], level[14] = 2;
  assert_true(isnan(right[1]));
  assert_non_null(check_topological_order(&g.list, level, acyclic, text, sizeof text));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("topological_order", cmocka_unit_test(matches_checker), cmocka_unit_test(random_acyclic),
           cmocka_unit_test(known_levels), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
