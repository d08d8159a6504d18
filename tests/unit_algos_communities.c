/* Grid_modularity, Grid_louvain and Grid_leiden against the serial checkers, known answers, wrong arguments,
 * and the checkers against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/communities/check_communities.h"

static double community[MAX_VERTICES], conductance[MAX_VERTICES], expected[MAX_VERTICES];
static char text[300];

typedef GrB_Info method(GrB_Vector *, double *, GrB_Matrix, double, uint64_t);
static method *const methods[] = {Grid_louvain, Grid_leiden};

static void compute(method *call, GrB_Matrix A, double resolution, uint64_t seed, double *modularity) {
  GrB_Vector v;
  GrB_Index n;
  assert_int_equal(call(&v, modularity, A, resolution, seed), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(community, v, n);
  GrB_Vector_free(&v);
}

/* The graph as the matrix has it: BOOL has no weights. */
static check_graph list_of(const named_graph *g, GrB_Matrix A) {
  check_graph list = g->list;
  int32_t code;
  assert_int_equal(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE), GrB_SUCCESS);
  if (code == GrB_BOOL_CODE) list.weight = NULL;
  return list;
}

/* A call is hundreds of short messages: several processes take every third graph. */
static void compare_communities(const named_graph *g, GrB_Matrix A, int k) {
  if (Grid_size() > 1 && k % 3) return;
  const check_graph list = list_of(g, A);
  const double resolution = k % 4 < 2 ? 1 : k % 4 == 2 ? 0.4 : 2.5;
  for (int m = 0; m < 2; m++) {
    double modularity = 7;
    compute(methods[m], A, resolution, (uint64_t)k, &modularity);
    assert_named_correct(
        check_communities(&list, community, modularity, resolution, 1e-6, m == 1, text, sizeof text), g);
  }
}

static const GrB_Type *types(void) {
  static GrB_Type list[4];
  list[0] = GrB_BOOL, list[1] = GrB_FP64, list[2] = GrB_UINT8, list[3] = GrB_FP32;
  return list;
}

static void matches_checker(void **state) {
  run_named_graphs(types(), 4, compare_communities);
}

/* community(v) = v^2 mod (a number), of any integer type */
static GrB_Vector make_partition(uint64_t n, uint64_t groups, GrB_Type type) {
  GrB_Vector v;
  assert_int_equal(GrB_Vector_new(&v, type, n), GrB_SUCCESS);
  for (uint64_t k = 0; k < n; k++) {
    expected[k] = (double)(k * k % groups);
    assert_int_equal(GrB_Vector_setElement_UINT64(v, k * k % groups, k), GrB_SUCCESS);
  }
  return v;
}

static void compare_modularity(const named_graph *g, GrB_Matrix A, int k) {
  const check_graph list = list_of(g, A);
  const uint64_t n = list.n;
  const double resolution = k % 2 == 0 ? 1 : 0.3;
  double modularity = 7, want[MAX_VERTICES];
  GrB_Vector v = make_partition(n, n > 5 ? 5 : n, k % 2 == 0 ? GrB_INT64 : GrB_UINT8), c;
  assert_int_equal(Grid_modularity(&modularity, &c, A, v, resolution), GrB_SUCCESS);
  named_values(conductance, c, n);
  const double q = check_modularity(&list, expected, resolution, want);
  if (!(fabs(q - modularity) < 1e-12)) fail_msg("%s: modularity %.17g, not %.17g", g->name, modularity, q);
  assert_int_equal(Grid_modularity(&modularity, NULL, A, v, resolution), GrB_SUCCESS);
  if (!(fabs(q - modularity) < 1e-12)) fail_msg("%s: alone %.17g, not %.17g", g->name, modularity, q);
  for (uint64_t u = 0; u < n; u++) {
    const bool same = isnan(want[u]) ? isnan(conductance[u])
                                     : conductance[u] == want[u] || fabs(conductance[u] - want[u]) < 1e-12;
    if (!same) fail_msg("%s: conductance(%d) %.17g, not %.17g", g->name, (int)u, conductance[u], want[u]);
  }
  GrB_Vector_free(&v), GrB_Vector_free(&c);
}

static void modularity_matches_checker(void **state) {
  run_named_graphs(types(), 4, compare_modularity);
}

/* Where all vertices are in one community nothing leaves it, although sums in other orders may differ. */
static void one_community(void **state) {
  enum { N = 20, GRAPHS = 8 };
  for (uint64_t k = 0; k < GRAPHS; k++) {
    GrB_Matrix A;
    GrB_Vector v, c;
    double leaves = -1;
    assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, N, N), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&v, GrB_INT64, N), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_assign_INT64(v, NULL, NULL, 3, GrB_ALL, N, NULL), GrB_SUCCESS);
    for (int e = 0; e < 80; e++) {
      const GrB_Index i = named_chance(N), j = named_chance(N);
      assert_int_equal(GrB_Matrix_setElement_FP64(A, 0.1 * (double)(1 + named_chance(9)), i, j), GrB_SUCCESS);
    }
    assert_int_equal(Grid_modularity(NULL, &c, A, v, 1), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_extractElement_FP64(&leaves, c, 3), GrB_SUCCESS);
    assert_true(leaves == 0);
    GrB_Matrix_free(&A), GrB_Vector_free(&v), GrB_Vector_free(&c);
  }
}

/* A ring of 8 cliques of 5. */
static GrB_Matrix make_ring(named_graph *g) {
  g->list.n = 40, g->list.m = 0, g->list.both_directions = true;
  for (uint64_t v = 0; v < 40; v++) {
    for (uint64_t w = v + 1; w < v - v % 5 + 5; w++) named_add(g, v, w);
    if (v % 5 == 0) named_add(g, v, (v + 6) % 40);
  }
  return named_pattern(g);
}

/* Two triangles, and a vertex alone; one edge between them; then the ring. */
static void known_answers(void **state) {
  const double wanted[] = {0, 0, 0, 3, 3, 3, 6};
  static named_graph g;
  double modularity;
  for (int m = 0; m < 2; m++) {
    named_make(&g, 8);
    GrB_Matrix A = named_pattern(&g), ring = make_ring(&g);
    compute(methods[m], A, 1, 0, &modularity);
    assert_true(fabs(modularity - 0.5) < 1e-15);
    for (int v = 0; v < 7; v++) assert_true(community[v] == wanted[v]);
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, 2, 3), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, 3, 2), GrB_SUCCESS);
    compute(methods[m], A, 1, 3, &modularity);
    assert_true(fabs(modularity - (6.0 / 7 - 0.5)) < 1e-15);
    for (int v = 0; v < 7; v++) assert_true(community[v] == wanted[v]);
    for (uint64_t seed = 0; seed < (Grid_size() == 1 ? 4 : 1); seed++) {
      compute(methods[m], ring, 1, seed, &modularity);
      assert_true(fabs(modularity - (80.0 / 88 - 1.0 / 8)) < 1e-14);
      for (int v = 0; v < 40; v++) assert_true(community[v] == (double)(v - v % 5));
    }
    GrB_Matrix_free(&A), GrB_Matrix_free(&ring);
  }
}

/* A partition that follows the weights, far from integers, and not the pattern: a clique of 6 in which three
 * pairs are heavy. */
static void weights_count(void **state) {
  const double unit[] = {1, 1e-310, 1.7e308}; /* 2^k may be too large for the second, a sum of the third */
  for (int k = 0; k < 3; k++) {
    GrB_Matrix A;
    double modularity;
    assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 6, 6), GrB_SUCCESS);
    for (GrB_Index v = 0; v < 6; v++)
      for (GrB_Index w = 0; w < 6; w++)
        if (v != w)
          assert_int_equal(GrB_Matrix_setElement_FP64(A, (v % 3 == w % 3 ? 0.7 : 1e-7) * unit[k], v, w),
                           GrB_SUCCESS);
    for (int m = 0; m < 2; m++) {
      compute(methods[m], A, 1, 0, &modularity);
      for (int v = 0; v < 6; v++) assert_true(community[v] == v % 3);
      assert_true(fabs(modularity - 2.0 / 3) < 1e-5);
      compute(methods[m], A, 1e-310, 0, &modularity);
      for (int v = 0; v < 6; v++) assert_true(community[v] == 0);
      assert_true(modularity == 1);
    }
    GrB_Matrix_free(&A);
  }
}

static void refusals(method *call, const char *name) {
  const double wrong[] = {-1, (double)NAN, (double)INFINITY};
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL;
  double q = 7;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 5, 4), GrB_SUCCESS);
  assert_int_equal(call(NULL, NULL, A, 1, 0), GrB_NULL_POINTER);
  assert_int_equal(call(&v, &q, NULL, 1, 0), GrB_NULL_POINTER);
  assert_int_equal(call(&v, &q, oblong, 1, 0), GrB_DIMENSION_MISMATCH);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(call(&v, &q, A, wrong[k], 0), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "resolution"));
  }
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 5, 2, 1), GrB_SUCCESS); /* more than the reverse lacks */
  for (int k = 0; k < 3; k++) {
    assert_int_equal(GrB_Matrix_setElement_FP64(A, wrong[k], 1, 2), GrB_SUCCESS);
    assert_int_equal(call(&v, &q, A, 1, 0), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "a weight is below 0"));
    assert_non_null(strstr(Grid_last_error(), name));
  }
  assert_null(v);
  assert_true(q == 7);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector v = NULL, part;
  double q = 7;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 5, 4), GrB_SUCCESS);
  refusals(Grid_louvain, "Grid_louvain");
  refusals(Grid_leiden, "Grid_leiden");
  part = make_partition(5, 5, GrB_INT32);
  assert_int_equal(Grid_modularity(NULL, NULL, A, part, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_modularity(&q, &v, NULL, part, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_modularity(&q, &v, A, NULL, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_modularity(&q, &v, oblong, part, 1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_modularity(&q, &v, A, part, (double)INFINITY), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Vector_setElement_INT32(part, 5, 1), GrB_SUCCESS);
  assert_int_equal(Grid_modularity(&q, &v, A, part, 1), GrB_INDEX_OUT_OF_BOUNDS);
  assert_int_equal(Grid_modularity(&q, NULL, A, part, 1), GrB_INDEX_OUT_OF_BOUNDS);
  assert_string_equal(Grid_last_error(), "Grid_modularity: a group is not the number of a vertex");
  assert_int_equal(GrB_Vector_removeElement(part, 1), GrB_SUCCESS);
  assert_int_equal(Grid_modularity(&q, &v, A, part, 1), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Vector_resize(part, 4), GrB_SUCCESS);
  assert_int_equal(Grid_modularity(&q, &v, A, part, 1), GrB_DIMENSION_MISMATCH);
  GrB_Vector_free(&part);
  part = make_partition(5, 5, GrB_FP64);
  assert_int_equal(Grid_modularity(&q, NULL, A, part, 1), GrB_DOMAIN_MISMATCH);
  assert_string_equal(Grid_last_error(), "Grid_modularity: the vector of groups is not of an integer type");
  assert_null(v);
  assert_true(q == 7);
  GrB_Vector_free(&part);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

/* Wrong names, a wrong modularity, and a partition that is not good. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  double modularity;
  named_make(&g, 8);
  GrB_Matrix A = named_pattern(&g);
  g.list.weight = NULL;
  compute(Grid_louvain, A, 1, 0, &modularity);
#define CHECKED(q) check_communities(&g.list, community, q, 1, 1e-6, connected, text, sizeof text)
  bool connected = false;
  assert_null(CHECKED(modularity));
  assert_non_null(CHECKED(modularity + 1e-5));
  assert_non_null(CHECKED((double)NAN));
  const double names[] = {(double)NAN, 5, 6, -1, 0.5, 1};
  for (int k = 0; k < 6; k++) {
    community[4] = names[k];
    assert_non_null(CHECKED(modularity));
  }
  for (int v = 3; v < 6; v++) community[v] = v; /* a triangle in pieces */
  assert_non_null(CHECKED(check_modularity(&g.list, community, 1, NULL)));
  assert_non_null(strstr(text, "joined"));
  connected = true;
  assert_null(CHECKED(check_modularity(&g.list, community, 1, NULL)));
  for (int v = 0; v < 6; v++) community[v] = v < 3 ? 0 : 3;
  community[6] = 3; /* not connected */
  assert_non_null(CHECKED(check_modularity(&g.list, community, 1, NULL)));
  assert_non_null(strstr(text, "not connected"));
#undef CHECKED
  GrB_Matrix_free(&A);
}

NAMED_MAIN("communities", cmocka_unit_test(matches_checker), cmocka_unit_test(one_community),
           cmocka_unit_test(modularity_matches_checker), cmocka_unit_test(known_answers),
           cmocka_unit_test(weights_count), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
