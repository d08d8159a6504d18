/* Grid_triangles against the serial checker, known counts, and the checker against wrong ones. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_triangles.h"

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  double at[MAX_VERTICES];
  char text[300];
  GrB_Vector v;
  uint64_t count = 77, alone = 78;
  (void)k;
  assert_int_equal(Grid_triangles(&count, &v, A), GrB_SUCCESS);
  assert_int_equal(Grid_triangles(&alone, NULL, A), GrB_SUCCESS);
  assert_int_equal(count, alone);
  named_values(at, v, g->list.n);
  assert_named_correct(check_triangles(&g->list, at, count, text, sizeof text), g);
  GrB_Vector_free(&v);
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* A clique of 12 has 12 * 11 * 10 / 6 triangles, 11 * 10 / 2 at each vertex. */
static void clique(void **state) {
  static named_graph g;
  double at[MAX_VERTICES];
  uint64_t count;
  GrB_Vector v;
  named_make(&g, 6);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(Grid_triangles(&count, &v, A), GrB_SUCCESS);
  assert_int_equal(count, 220);
  named_values(at, v, 12);
  for (int k = 0; k < 12; k++) assert_true(at[k] == 55);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

/* Vertices 0 and 1 connected, and both with all others: hubs, whose edges are turned by degrees; each of the
 * 150 others makes one triangle. */
static void two_hubs(void **state) {
  static named_graph g;
  double at[MAX_VERTICES];
  uint64_t count;
  GrB_Vector v;
  for (int turn = 0; turn < 2; turn++) { /* the hubs are the smallest, then the largest vertices */
    g.name = "two hubs";
    g.list = (check_graph){.n = 152, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = true};
    const uint64_t a = turn == 0 ? 0 : 150, first = turn == 0 ? 2 : 0;
    named_add(&g, a, a + 1);
    for (uint64_t k = 0; k < 150; k++) named_add(&g, a, first + k), named_add(&g, first + k, a + 1);
    GrB_Matrix A = named_pattern(&g);
    assert_int_equal(Grid_triangles(&count, &v, A), GrB_SUCCESS);
    assert_int_equal(count, 150);
    named_values(at, v, g.list.n);
    assert_true(at[a] == 150 && at[a + 1] == 150 && at[first] == 1 && at[first + 149] == 1);
    GrB_Vector_free(&v);
    GrB_Matrix_free(&A);
  }
}

/* The first 5 edges of each vertex of a ring, in one direction or both, of this type. */
static GrB_Matrix make_ring(GrB_Type type, uint32_t flags) {
  enum { N = 40, EDGES = 5 };
  GrB_Index from[N * EDGES], to[N * EDGES];
  static const char values[N * EDGES * 16] = {0};
  const bool has_values = type != GrB_BOOL;
  GrB_Index n = 0;
  GrB_Matrix A;
  for (GrB_Index v = (GrB_Index)Grid_rank(); v < N; v += (GrB_Index)Grid_size())
    for (GrB_Index k = 1; k <= EDGES; k++) from[n] = v, to[n++] = (v + k) % N;
  assert_int_equal(GrB_Matrix_new(&A, type, N, N), GrB_SUCCESS);
  assert_int_equal(Grid_Matrix_build(A, from, to, has_values ? values : NULL, has_values ? type : NULL, n,
                                     NULL, (int)flags),
                   GrB_SUCCESS);
  return A;
}

static GrB_Info run_cdlp(GrB_Vector *label, GrB_Matrix A) {
  return Grid_cdlp(label, A, 10);
}

/* The algorithms that read the pattern alone give the same for values that no operator reads. */
static void user_defined_type(void **state) {
  GrB_Info (*const call[])(GrB_Vector *, GrB_Matrix) = {Grid_lcc, Grid_kcore, run_cdlp};
  GrB_Type user_type;
  assert_int_equal(GrB_Type_new(&user_type, 16), GrB_SUCCESS);
  for (int both = 0; both < 2; both++) {
    GrB_Matrix A[] = {make_ring(GrB_BOOL, both ? Grid_MIRROR : 0),
                      make_ring(user_type, both ? Grid_MIRROR : 0)};
    double value[2][MAX_VERTICES];
    uint64_t count[2];
    GrB_Index edges[2];
    for (int k = 0; k < 3; k++) {
      for (int m = 0; m < 2; m++) make_checker_answer(value[m], call[k], A[m]);
      for (int v = 0; v < 40; v++) assert_true(value[0][v] == value[1][v]);
    }
    for (int m = 0; m < 2; m++) {
      GrB_Matrix truss;
      assert_int_equal(Grid_triangles(&count[m], NULL, A[m]), GrB_SUCCESS);
      assert_int_equal(Grid_ktruss(&truss, A[m], 4), GrB_SUCCESS);
      assert_int_equal(GrB_Matrix_nvals(&edges[m], truss), GrB_SUCCESS);
      GrB_Matrix_free(&truss);
    }
    assert_true(count[0] > 0 && count[0] == count[1] && edges[0] > 0 && edges[0] == edges[1]);
    GrB_Matrix_free(&A[0]), GrB_Matrix_free(&A[1]);
  }
  GrB_Type_free(&user_type);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector const untouched = (GrB_Vector)(uintptr_t)8;
  GrB_Vector v = untouched;
  uint64_t count = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(Grid_triangles(NULL, NULL, A), GrB_NULL_POINTER);
  assert_int_equal(Grid_triangles(&count, &v, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_triangles(&count, &v, oblong), GrB_DIMENSION_MISMATCH);
  assert_non_null(strstr(Grid_last_error(), "Grid_triangles"));
  assert_ptr_equal(v, untouched);
  assert_int_equal(count, 77);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
}

/* The checker notices a wrong total, and a wrong or missing number of one vertex. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  double at[MAX_VERTICES];
  char text[300];
  GrB_Vector v;
  uint64_t count;
  named_make(&g, 8);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(Grid_triangles(&count, &v, A), GrB_SUCCESS);
  assert_int_equal(count, 2);
  named_values(at, v, g.list.n);
  assert_null(check_triangles(&g.list, at, count, text, sizeof text));
  assert_non_null(check_triangles(&g.list, at, count + 1, text, sizeof text));
  at[3]++;
  assert_non_null(check_triangles(&g.list, at, count, text, sizeof text));
  at[3] = (double)NAN;
  assert_non_null(check_triangles(&g.list, at, count, text, sizeof text));
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

NAMED_MAIN("triangles", cmocka_unit_test(matches_checker), cmocka_unit_test(clique),
           cmocka_unit_test(two_hubs), cmocka_unit_test(user_defined_type), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
