/* Grid_matching and Grid_bipartite_matching against the serial checkers, known answers, wrong arguments, and
 * the checkers against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/trees_and_sets/check_matching.h"

static double mate[MAX_VERTICES], other[MAX_VERTICES];
static char text[300];

static void compute(GrB_Matrix A, uint64_t seed) {
  GrB_Vector v;
  GrB_Index n;
  assert_int_equal(Grid_matching(&v, A, seed), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(mate, v, n);
  GrB_Vector_free(&v);
}

/* mate: of rows, other: of columns. The number of entries. */
static uint64_t compute_bipartite(GrB_Matrix A) {
  GrB_Vector rows, columns;
  GrB_Index nrows, ncols, entries;
  assert_int_equal(Grid_bipartite_matching(&rows, &columns, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&nrows, rows), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&ncols, columns), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&entries, rows), GrB_SUCCESS);
  named_values(mate, rows, nrows);
  named_values(other, columns, ncols);
  uint64_t both = 0;
  for (GrB_Index c = 0; c < ncols; c++)
    if (!isnan(other[c])) {
      assert_true(mate[(int)other[c]] == (double)c);
      both++;
    }
  assert_int_equal(both, entries);
  GrB_Vector_free(&rows), GrB_Vector_free(&columns);
  return entries;
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  check_graph list = g->list;
  if (k % 3 == 0) list.weight = NULL; /* the types are BOOL, FP64, UINT8 */
  for (uint64_t seed = 0; seed < 2; seed++) {
    compute(A, seed);
    assert_named_correct(check_matching(&list, mate, text, sizeof text), g);
  }
  compute_bipartite(A);
  assert_named_correct(check_bipartite_matching(&g->list, mate, text, sizeof text), g);
}

static void matches_checkers(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64, GrB_UINT8};
  run_named_graphs(types, 3, compare);
}

/* Sparse random matrices have long alternating paths. */
static void sparse(void **state) {
  static named_graph g;
  for (int turn = 0; turn < 5; turn++) {
    g.list = (check_graph){.n = MAX_VERTICES, .from = g.from, .to = g.to, .weight = g.weight, .loops = true};
    g.name = "sparse";
    for (int k = 0; k < 200 + 80 * turn; k++)
      named_add(&g, named_chance(MAX_VERTICES), named_chance(MAX_VERTICES));
    GrB_Matrix A = named_pattern(&g);
    compute_bipartite(A);
    assert_named_correct(check_bipartite_matching(&g.list, mate, text, sizeof text), &g);
    GrB_Matrix_free(&A);
  }
}

/* Weights that rise along a path match its edges from the far end; a star has one edge, its heaviest. */
static void known_matchings(void **state) {
  static named_graph g;
  named_make(&g, 3);
  for (uint64_t k = 0; k < g.list.m; k++) g.weight[k] = (double)k;
  GrB_Matrix A = named_matrix(&g, GrB_INT32);
  compute(A, 1);
  for (uint64_t v = 0; v < g.list.n; v++) assert_true(mate[v] == (double)(v ^ 1));
  GrB_Matrix_free(&A);
  named_make(&g, 5);
  g.weight[7] = 100;
  A = named_matrix(&g, GrB_FP32);
  compute(A, 1);
  for (uint64_t v = 0; v < g.list.n; v++)
    assert_true(v == 0 || v == 8 ? mate[v] == 8 - (double)v : isnan(mate[v]));
  assert_int_equal(compute_bipartite(A), 2); /* from the hub, and to it */
  GrB_Matrix_free(&A);
  named_make(&g, 6); /* a clique: perfect matchings */
  A = named_pattern(&g);
  compute(A, 3);
  for (uint64_t v = 0; v < g.list.n; v++) assert_false(isnan(mate[v]));
  assert_int_equal(compute_bipartite(A), g.list.n);
  GrB_Matrix_free(&A);
}

/* A matrix that is wider than high: row r has the columns r to r + 9, and the last ten rows the same one. */
static void oblong(void **state) {
  enum { ROWS = 50, COLUMNS = 90 };
  GrB_Matrix A;
  GrB_Index row[ROWS * 10], col[ROWS * 10], n = 0;
  for (GrB_Index r = 0; r < ROWS; r++)
    for (GrB_Index c = 0; c < 10; c++)
      if (r < ROWS - 10 || c == 0) row[n] = r, col[n++] = r < ROWS - 10 ? r + c : COLUMNS - 1;
  if (Grid_rank() != 0) n = 0;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, ROWS, COLUMNS), GrB_SUCCESS);
  assert_int_equal(Grid_Matrix_build(A, row, col, NULL, NULL, n, NULL, 0), GrB_SUCCESS);
  assert_int_equal(compute_bipartite(A), ROWS - 9);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, B;
  GrB_Vector v = NULL, w = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&B, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_matching(NULL, A, 0), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_matching"));
  assert_int_equal(Grid_matching(&v, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_matching(&v, B, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, -1, 0, 1), GrB_SUCCESS);
  assert_int_equal(Grid_matching(&v, A, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_matching: a weight is below 0"));
  assert_int_equal(GrB_Matrix_setElement_FP64(A, (double)NAN, 0, 1), GrB_SUCCESS);
  assert_int_equal(Grid_matching(&v, A, 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_bipartite_matching(NULL, NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_bipartite_matching"));
  assert_int_equal(Grid_bipartite_matching(&v, &w, NULL), GrB_NULL_POINTER);
  assert_null(v);
  assert_null(w);
  assert_int_equal(Grid_bipartite_matching(NULL, &w, B), GrB_SUCCESS);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B);
  GrB_Vector_free(&w);
}

static const char *check(const named_graph *g) {
  return check_matching(&g->list, mate, text, sizeof text);
}

static const char *check_bipartite(const named_graph *g) {
  return check_bipartite_matching(&g->list, mate, text, sizeof text);
}

/* On a path 0 to 4 with the weights 1, 3, 4, 2; then its directed edges. */
static void wrong_results_detected(void **state) {
  const double none = (double)NAN;
  const double weight[] = {1, 3, 4, 2};
  static named_graph g;
  g.name = "short path";
  g.list = (check_graph){.n = 5, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = true};
  for (uint64_t v = 0; v < 4; v++) named_add(&g, v, v + 1), g.weight[v] = weight[v];
  const double cases[][5] = {{1, 0, 3, 2, none},    {none, 2, 1, 4, 3},       {none, none, 3, 2, none},
                             {1, 0, 3, none, none}, {2, none, 0, none, none}, {1, 0, 3, 2, 4},
                             {1, 0, 3, 2, 0.5}};
  for (int k = 0; k < 7; k++) {
    memcpy(mate, cases[k], sizeof cases[k]);
    assert_int_equal(check(&g) == NULL, k == 0);
  }
  g.list.both_directions = false;
  const double of_rows[][5] = {
      {1, 2, 3, 4, none}, {1, 2, none, 4, none}, {1, 2, 3, none, none}, {1, 1, 3, 4, none}, {1, 2, 3, 4, 0}};
  for (int k = 0; k < 5; k++) {
    memcpy(mate, of_rows[k], sizeof of_rows[k]);
    assert_int_equal(check_bipartite(&g) == NULL, k == 0);
  }
}

NAMED_MAIN("matching", cmocka_unit_test(matches_checkers), cmocka_unit_test(sparse),
           cmocka_unit_test(known_matchings), cmocka_unit_test(oblong), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
