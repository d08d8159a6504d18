/* Grid_ktruss against the serial checker, known trusses, and the checker against wrong ones. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_ktruss.h"

static void compute_truss(named_list *e, GrB_Matrix A, int64_t k) {
  GrB_Matrix T;
  assert_int_equal(Grid_ktruss(&T, A, k), GrB_SUCCESS);
  named_entries(e, T);
  GrB_Matrix_free(&T);
}

static const char *check_result(const named_graph *g, uint64_t k, const named_list *e) {
  static char text[300];
  return check_ktruss(&g->list, k, e->row, e->col, e->value, e->n, text, sizeof text);
}

/* Named graphs have few triangles; random ones of few vertices have many. */
static void matches_checker(void **state) {
  static named_graph g;
  static named_list e;
  for (int variant = 0; variant < NAMED_GRAPHS + 6; variant++) {
    named_make(&g, variant);
    if (variant >= NAMED_GRAPHS) {
      g.list = (check_graph){.n = 40, .from = g.from, .to = g.to, .weight = g.weight};
      g.list.both_directions = variant % 2 == 0;
      for (uint64_t k = 0; k < 260; k++) named_add(&g, named_chance(40), named_chance(1 + named_chance(40)));
    }
    GrB_Matrix A = variant % 4 < 2 ? named_pattern(&g) : named_matrix(&g, GrB_FP32);
    for (int64_t k = 3; k < 9; k += 1 + k / 4) {
      compute_truss(&e, A, k);
      assert_named_correct(check_result(&g, (uint64_t)k, &e), &g);
    }
    GrB_Matrix_free(&A);
  }
}

/* A clique of 12 is its own 12-truss, each edge with 10 triangles, and has no 13-truss. */
static void clique(void **state) {
  static named_graph g;
  static named_list e;
  named_make(&g, 6);
  GrB_Matrix A = named_pattern(&g);
  compute_truss(&e, A, 12);
  assert_int_equal(e.n, 132);
  for (GrB_Index k = 0; k < e.n; k++) assert_true(e.value[k] == 10);
  compute_truss(&e, A, 13);
  assert_int_equal(e.n, 0);
  compute_truss(&e, A, INT64_MAX);
  assert_int_equal(e.n, 0);
  GrB_Matrix_free(&A);
}

/* A strip of triangles v, v + 1, v + 2: its inner edges are in two triangles each, but it is no 4-truss.
 * Removal from its ends empties it, in as many rounds as it is long. */
static void strip(void **state) {
  static named_graph g;
  static named_list e;
  g.name = "strip";
  g.list = (check_graph){.n = 60, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = true};
  for (uint64_t v = 0; v + 1 < 60; v++) {
    named_add(&g, v, v + 1);
    if (v + 2 < 60) named_add(&g, v + 2, v);
  }
  GrB_Matrix A = named_pattern(&g);
  compute_truss(&e, A, 3);
  assert_int_equal(e.n, 2 * g.list.m);
  assert_null(check_result(&g, 3, &e));
  compute_truss(&e, A, 4);
  assert_int_equal(e.n, 0);
  GrB_Matrix_free(&A);
}

/* Cliques of 4 vertices, and a strip that begins with an edge of one of them. Two rounds remove few of all
 * edges, those of the strip, and the edge of the clique loses a triangle. */
static void updated_counts(void **state) {
  enum { CLIQUES = 1100, STRIP = 3, VERTICES = 4 * CLIQUES + STRIP, EDGES = 6 * CLIQUES + 2 * STRIP };
  static GrB_Index row[EDGES], col[EDGES];
  GrB_Index m = 0, n;
  int64_t least, most;
  for (GrB_Index v = 0; v < 4 * CLIQUES; v++)
    for (GrB_Index u = v / 4 * 4; u < v; u++) row[m] = u, col[m++] = v;
  for (GrB_Index k = 0; k < STRIP; k++)
    for (GrB_Index back = 1; back <= 2; back++) {
      row[m] = k >= back ? 4 * CLIQUES + k - back : 4 + k - back;
      col[m++] = 4 * CLIQUES + k;
    }
  GrB_Matrix A, T;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, VERTICES, VERTICES), GrB_SUCCESS);
  assert_int_equal(Grid_Matrix_build(A, row, col, NULL, NULL, Grid_rank() == 0 ? m : 0, NULL, Grid_MIRROR),
                   GrB_SUCCESS);
  assert_int_equal(Grid_ktruss(&T, A, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_nvals(&n, T), GrB_SUCCESS);
  assert_int_equal(n, 12 * CLIQUES);
  assert_int_equal(GrB_Matrix_reduce_INT64(&least, NULL, GrB_MIN_MONOID_INT64, T, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, T, NULL), GrB_SUCCESS);
  assert_int_equal(least, 2);
  assert_int_equal(most, 2);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&T);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, T;
  GrB_Matrix const untouched = (GrB_Matrix)(uintptr_t)8;
  T = untouched;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(Grid_ktruss(NULL, A, 3), GrB_NULL_POINTER);
  assert_int_equal(Grid_ktruss(&T, NULL, 3), GrB_NULL_POINTER);
  assert_int_equal(Grid_ktruss(&T, oblong, 3), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_ktruss(&T, A, 2), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_ktruss"));
  assert_ptr_equal(T, untouched);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
}

/* The checker detects edges that are missing, superfluous, duplicated, or have a wrong number of triangles.
 */
static void wrong_results_detected(void **state) {
  static named_graph g;
  static named_list e;
  named_make(&g, 8);
  GrB_Matrix A = named_pattern(&g);
  compute_truss(&e, A, 3);
  assert_int_equal(e.n, 12);
  assert_null(check_result(&g, 3, &e));
  assert_non_null(check_result(&g, 4, &e));
  e.n--;
  assert_non_null(check_result(&g, 3, &e));
  e.n++;
  e.value[5]++;
  assert_non_null(check_result(&g, 3, &e));
  e.value[5]--;
  e.row[5] = e.row[4], e.col[5] = e.col[4];
  assert_non_null(check_result(&g, 3, &e));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("ktruss", cmocka_unit_test(matches_checker), cmocka_unit_test(clique), cmocka_unit_test(strip),
           cmocka_unit_test(updated_counts), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
