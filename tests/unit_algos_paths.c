/* Grid_shortest_paths and Grid_bellman_ford against the serial checker, their errors, and the checker against
 * wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/traversal/check_paths.h"

static const char *check_result(const named_graph *g, GrB_Vector distance, GrB_Vector parent, uint64_t source,
                                double allowed) {
  static double t[MAX_VERTICES], p[MAX_VERTICES];
  static char text[300];
  named_values(t, distance, g->list.n);
  named_values(p, parent, g->list.n);
  return check_paths(&g->list, source, t, p, false, allowed, text, sizeof text);
}

/* Weights of several types, some of them 0, in some graphs all. */
static void matches_checker(void **state) {
  static named_graph g;
  const GrB_Type types[] = {GrB_INT32, GrB_FP64, GrB_UINT8, GrB_FP32, GrB_INT64};
  const double deltas[] = {0, 1, 1000, 3.5, 1e-3};
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    for (uint64_t e = 0; e < g.list.m; e++) {
      if (k % 3 == 1) g.weight[e] = g.weight[e] > 4 ? 0 : g.weight[e];
      if (k % 7 == 3) g.weight[e] = 0;
      if (types[k % 5] == GrB_FP64) g.weight[e] *= 0.1;
    }
    GrB_Matrix A = named_matrix(&g, types[k % 5]);
    GrB_Vector distance, parent;
    const uint64_t source = named_chance(g.list.n);
    bool cycle = true;
    assert_int_equal(Grid_shortest_paths(&distance, &parent, A, source, deltas[k / 2 % 5]), GrB_SUCCESS);
    assert_named_correct(check_result(&g, distance, parent, source, 0), &g);
    GrB_Vector_free(&distance);
    GrB_Vector_free(&parent);
    assert_int_equal(Grid_bellman_ford(&distance, &parent, &cycle, A, source), GrB_SUCCESS);
    assert_false(cycle);
    assert_named_correct(check_result(&g, distance, parent, source, 0), &g);
    GrB_Vector_free(&distance);
    GrB_Vector_free(&parent);
    GrB_Matrix_free(&A);
  }
}

/* Weights of either sign in directed graphs, with cycles of negative weight and without. */
static void negative(void **state) {
  static named_graph g;
  char text[300];
  int with = 0, without = 0;
  for (int turn = 0; turn < 24; turn++) {
    named_make(&g, turn % 4 == 0 ? 11 : NAMED_GRAPHS);
    g.list.both_directions = turn % 8 == 7;
    for (uint64_t e = 0; e < g.list.m; e++)
      if (named_chance(8) == 0) g.weight[e] = -(double)named_chance(turn % 2 == 0 ? 3 : 12);
    GrB_Matrix A = named_matrix(&g, turn % 3 == 0 ? GrB_FP64 : GrB_INT16);
    GrB_Vector distance = NULL, parent = NULL;
    bool cycle;
    assert_int_equal(Grid_bellman_ford(&distance, &parent, &cycle, A, 0), GrB_SUCCESS);
    cycle ? with++ : without++;
    if (cycle) {
      assert_null(distance);
      assert_null(parent);
      assert_named_correct(check_paths(&g.list, 0, NULL, NULL, true, 0, text, sizeof text), &g);
    } else {
      assert_named_correct(check_result(&g, distance, parent, 0, 0), &g);
    }
    GrB_Vector_free(&distance);
    GrB_Vector_free(&parent);
    GrB_Matrix_free(&A);
  }
  assert_true(with > 2 && without > 2);
}

/* The products that a call makes. */
static void count(const Grid_Product *p, void *context) {
  (void)p;
  ++*(int *)context;
}

/* A cycle of weight -1 at the beginning of a path of 20,000 edges is seen early; one of weight 0 at an end is
 * none. */
static void long_way(void **state) {
  enum { LENGTH = 20000 };
  static GrB_Index from[LENGTH + 6], to[LENGTH + 6];
  static double weight[LENGTH + 6];
  const GrB_Type types[] = {GrB_INT32, GrB_FP64, GrB_FP32};
  for (int turn = 0; turn < 6; turn++) {
    const bool at_begin = turn < 3;
    const GrB_Index edges = at_begin ? LENGTH : 150, n = edges + 5;
    const double step = turn % 3 == 0 ? 1 : at_begin ? 0.1 : 0.25;
    GrB_Index m = 0;
    int products = 0;
    bool cycle;
    GrB_Matrix A;
    for (; m < edges; m++) from[m] = m, to[m] = m + 1, weight[m] = 1;
    const GrB_Index at = at_begin ? 2 : edges;
    from[m] = at, to[m] = n - 1, weight[m++] = step;
    from[m] = n - 1, to[m] = n - 2, weight[m++] = 2 * step;
    from[m] = n - 2, to[m] = at, weight[m++] = -3 * step - at_begin;
    assert_int_equal(GrB_Matrix_new(&A, types[turn % 3], n, n), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_build_FP64(A, from, to, weight, m, NULL), GrB_SUCCESS);
    Grid_trace(count, &products);
    assert_int_equal(Grid_bellman_ford(NULL, NULL, &cycle, A, 0), GrB_SUCCESS);
    Grid_trace(NULL, NULL);
    assert_true(cycle == at_begin);
    assert_true(!at_begin || products < 80);
    GrB_Matrix_free(&A);
  }
}

/* Weights derived from potentials: w + height(from) - height(to) with w of 0 or more, often 0, so that there
 * are many cycles of weight 0 and none below it. Then one edge is made lighter, which may close one. */
static void potentials(void **state) {
  static named_graph g;
  char text[300];
  double height[MAX_VERTICES];
  int with = 0;
  for (int turn = 0; turn < 20; turn++) {
    const uint64_t n = 60 + named_chance(100);
    g.name = "potentials";
    g.list = (check_graph){.n = n, .from = g.from, .to = g.to, .weight = g.weight};
    for (uint64_t v = 0; v < n; v++) height[v] = (double)named_chance(50);
    for (uint64_t v = 0; v < n; v++) { /* a long path, and shortcuts back */
      named_add(&g, v, (v + 1) % n);
      named_add(&g, v, (v + n - 1 - named_chance(4)) % n);
    }
    for (uint64_t e = 0; e < g.list.m; e++)
      g.weight[e] = (double)(named_chance(3) == 0) + height[g.from[e]] - height[g.to[e]];
    if (turn % 2 == 1) g.weight[named_chance(g.list.m)] -= 1;
    GrB_Matrix A = named_matrix(&g, turn % 4 < 2 ? GrB_INT32 : GrB_FP64);
    GrB_Vector distance = NULL, parent = NULL;
    bool cycle;
    assert_int_equal(Grid_bellman_ford(&distance, &parent, &cycle, A, 0), GrB_SUCCESS);
    with += cycle;
    assert_true(turn % 2 == 1 || !cycle);
    if (cycle)
      assert_named_correct(check_paths(&g.list, 0, NULL, NULL, true, 0, text, sizeof text), &g);
    else
      assert_named_correct(check_result(&g, distance, parent, 0, 0), &g);
    GrB_Vector_free(&distance);
    GrB_Vector_free(&parent);
    GrB_Matrix_free(&A);
  }
  assert_true(with > 2 && with < 10);
}

/* Infinite and huge weights: a distance that can't grow any more, or not by delta. */
static void huge(void **state) {
  const GrB_Index from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 4};
  const double weight[] = {1e300, 5, (double)INFINITY, 2};
  GrB_Matrix A;
  GrB_Vector distance, parent;
  double t[MAX_VERTICES], p[MAX_VERTICES];
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(A, from, to, weight, 4, NULL), GrB_SUCCESS);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(Grid_shortest_paths(&distance, &parent, A, 0, k), GrB_SUCCESS);
    named_values(t, distance, 5);
    named_values(p, parent, 5);
    assert_true(t[2] == 1e300 && isinf(t[3]) && isinf(t[4]));
    for (int v = 1; v < 5; v++) assert_true(p[v] == v - 1);
    GrB_Vector_free(&distance);
    GrB_Vector_free(&parent);
  }
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector const untouched = (GrB_Vector)(uintptr_t)8;
  GrB_Vector t = untouched, p = untouched;
  bool cycle = true;
  const double wrong[] = {-1, (double)NAN};
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 5, 4), GrB_SUCCESS);
  assert_int_equal(Grid_shortest_paths(NULL, NULL, A, 0, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_shortest_paths(&t, &p, NULL, 0, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_shortest_paths(&t, &p, oblong, 0, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_shortest_paths(&t, &p, A, 5, 0), GrB_INVALID_INDEX);
  assert_int_equal(Grid_shortest_paths(&t, &p, A, 0, -1.0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_bellman_ford(&t, &p, NULL, A, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_bellman_ford(&t, &p, &cycle, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_bellman_ford(&t, &p, &cycle, oblong, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_bellman_ford(&t, &p, &cycle, A, 5), GrB_INVALID_INDEX);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(GrB_Matrix_setElement_FP64(A, 1.0, 1, 2), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_setElement_FP64(A, wrong[k], 3, 4), GrB_SUCCESS);
    assert_int_equal(Grid_shortest_paths(&t, &p, A, 0, 0), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "Grid_shortest_paths"));
  }
  assert_int_equal(Grid_bellman_ford(&t, &p, &cycle, A, 0), GrB_INVALID_VALUE); /* NaN */
  assert_int_equal(GrB_Matrix_setElement_FP64(A, -(double)INFINITY, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_bellman_ford(&t, &p, &cycle, A, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "minus infinity"));
  assert_ptr_equal(t, untouched);
  assert_ptr_equal(p, untouched);
  assert_true(cycle);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
}

/* The checker notices distances and parents that are wrong or missing, and circles of parents. */
static void wrong_results_detected(void **state) {
  uint64_t from[] = {0, 1, 2, 0, 3}, to[] = {1, 2, 3, 3, 4};
  double weight[] = {2, 0, 0, 5, 1};
  const double nan = (double)NAN;
  char text[300];
  const check_graph g = {6, 5, from, to, weight, true, false};
  const double right[] = {0, 2, 2, 2, 3, nan}, tree[] = {0, 0, 1, 2, 3, nan};
  double t[6], p[6];
#define REFUSED(t_, p_, negative_) (check_paths(&g, 0, t_, p_, negative_, 0, text, sizeof text) != NULL)
  assert_false(REFUSED(right, tree, false));
  assert_true(REFUSED(right, tree, true));
  const double distances[] = {2.5, nan, 1};
  for (int k = 0; k < 3; k++) {
    memcpy(t, right, sizeof t);
    t[3] = distances[k];
    assert_true(REFUSED(t, NULL, false));
  }
  const double parents[] = {nan, 0, 4, 7, -1};
  for (int k = 0; k < 5; k++) {
    memcpy(p, tree, sizeof p);
    p[3] = parents[k];
    assert_true(REFUSED(right, p, false));
  }
  memcpy(p, tree, sizeof p);
  p[2] = 3, p[3] = 2; /* along edges of weight 0 */
  assert_true(REFUSED(right, p, false));
  weight[3] = -1;
  assert_true(REFUSED(right, NULL, false)); /* a cycle of negative weight */
  assert_false(REFUSED(right, NULL, true));
#undef REFUSED
}

/* Distances of 3 * 2^61 are found; where they could be 2^63, searches had not ended. */
static void large_weights(void **state) {
  const int64_t weight = INT64_C(1) << 61;
  int64_t last = 0;
  GrB_Matrix A, D = NULL;
  GrB_Vector t = NULL;
  const GrB_Index source = 0;
  assert_int_equal(GrB_Matrix_new(&A, GrB_INT64, 6, 6), GrB_SUCCESS);
  for (GrB_Index v = 0; v < 3; v++)
    assert_int_equal(GrB_Matrix_setElement_INT64(A, weight, v, v + 1), GrB_SUCCESS);
  assert_int_equal(Grid_shortest_paths(&t, NULL, A, source, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_extractElement_INT64(&last, t, 3), GrB_SUCCESS);
  assert_true(last == 3 * weight);
  GrB_Vector_free(&t);
  assert_int_equal(GrB_Matrix_setElement_INT64(A, weight, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_shortest_paths(&t, NULL, A, source, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "add up to"));
  assert_int_equal(Grid_shortest_paths_many(&D, A, &source, 1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_all_pairs(&D, A), GrB_INVALID_VALUE);
  assert_null(t);
  assert_null(D);
  GrB_Matrix_free(&A);
}

/* Integers below 0 whose sums leave the range of INT64 around a cycle, and of which no path can be found. */
static void large_negative_weights(void **state) {
  const int64_t weight = -INT64_C(4000000000000000000);
  int64_t last = 0;
  GrB_Matrix A;
  GrB_Vector t = NULL;
  bool cycle = true;
  assert_int_equal(GrB_Matrix_new(&A, GrB_INT64, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_INT64(A, weight, 0, 1), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_INT64(A, -weight, 1, 2), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_INT64(A, weight / 10, 1, 3), GrB_SUCCESS);
  assert_int_equal(Grid_bellman_ford(&t, NULL, &cycle, A, 0), GrB_SUCCESS);
  assert_false(cycle);
  assert_int_equal(GrB_Vector_extractElement_INT64(&last, t, 3), GrB_SUCCESS);
  assert_true(last == weight + weight / 10);
  GrB_Vector_free(&t);
  assert_int_equal(GrB_Matrix_setElement_INT64(A, 1, 1, 0), GrB_SUCCESS);
  assert_int_equal(Grid_bellman_ford(&t, NULL, &cycle, A, 0), GrB_SUCCESS);
  assert_true(cycle);
  assert_int_equal(GrB_Matrix_setElement_INT64(A, weight, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_bellman_ford(&t, NULL, &cycle, A, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "those below 0"));
  assert_null(t);
  GrB_Matrix_free(&A);
}

/* Steps round integers beyond 2^53, by which a vertex would lose its parent. */
static void parents_of_large_distances(void **state) {
  GrB_Matrix A;
  GrB_Vector t = NULL, p = NULL;
  bool cycle;
  int64_t last = 0;
  assert_int_equal(GrB_Matrix_new(&A, GrB_INT64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_INT64(A, (INT64_C(1) << 53) + 1, 0, 1), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_INT64(A, 2, 1, 2), GrB_SUCCESS);
  assert_int_equal(Grid_shortest_paths(&t, &p, A, 0, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_shortest_paths: distances from 0 to"));
  assert_int_equal(Grid_bellman_ford(&t, &p, &cycle, A, 0), GrB_INVALID_VALUE);
  assert_true(t == NULL && p == NULL);
  assert_int_equal(Grid_shortest_paths(&t, NULL, A, 0, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_extractElement_INT64(&last, t, 2), GrB_SUCCESS);
  assert_true(last == (INT64_C(1) << 53) + 3);
  GrB_Vector_free(&t);
  GrB_Matrix_free(&A);
}

NAMED_MAIN("paths", cmocka_unit_test(matches_checker), cmocka_unit_test(negative), cmocka_unit_test(long_way),
           cmocka_unit_test(potentials), cmocka_unit_test(huge), cmocka_unit_test(large_weights),
           cmocka_unit_test(large_negative_weights), cmocka_unit_test(parents_of_large_distances),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
