/* Grid_shortest_paths_many against the serial checker, a known answer, wrong arguments, and the checker
 * against wrong answers. */
#include "tests/named_graphs.h"

#include "algos/traversal/shortest_paths_columns.h"
#include "bench/check/traversal/check_all_pairs.h"

static named_list answer;
static char text[300];

static void compute(GrB_Matrix A, const GrB_Index *source, GrB_Index nsources) {
  GrB_Matrix distance;
  GrB_Index rows, columns;
  assert_int_equal(Grid_shortest_paths_many(&distance, A, source, nsources), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_nrows(&rows, A), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_ncols(&columns, distance), GrB_SUCCESS);
  assert_int_equal(columns, nsources);
  assert_int_equal(GrB_Matrix_nrows(&columns, distance), GrB_SUCCESS);
  assert_int_equal(columns, rows);
  named_entries(&answer, distance);
  GrB_Matrix_free(&distance);
}

static const char *check(const check_graph *g, const uint64_t *source, uint64_t nsources) {
  return check_paths_many(g, source, nsources, answer.col, answer.row, answer.value, answer.n, text,
                          sizeof text);
}

/* From five vertices, of which one comes twice. */
static void compare(const named_graph *g, GrB_Matrix A, int k) {
  const GrB_Index n = g->list.n, source[] = {n / 2, 0, n - 1, n / 2, n / 3};
  check_graph list = g->list;
  if (k % 4 == 0) list.weight = NULL; /* of BOOL */
  compute(A, source, 5);
  assert_named_correct(check(&list, source, 5), g);
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64, GrB_INT32, GrB_FP32};
  run_named_graphs(types, 4, compare);
}

/* At once, as on a GPU. */
static void compare_columns(const named_graph *g, GrB_Matrix A, int k) {
  const GrB_Index n = g->list.n, source[] = {n / 2, 0, n - 1, n / 2, n / 3};
  check_graph list = g->list;
  distances d;
  GrB_Matrix distance;
  if (k % 4 == 0) list.weight = NULL; /* of BOOL */
  if (n > 120) return;
  assert_int_equal(grid_distances_of(&d, A, "test"), GrB_SUCCESS);
  assert_int_equal(grid_shortest_paths_columns(&distance, A, source, 5, &d), GrB_SUCCESS);
  named_entries(&answer, distance);
  GrB_Matrix_free(&distance);
  assert_named_correct(check(&list, source, 5), g);
}
static void columns(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64, GrB_INT32, GrB_FP32};
  run_named_graphs(types, 4, compare_columns);
}

/* 0 - 1 - 2 with the lengths 5 and 2, and an edge of 9 from 0 to 2; 3 is alone. */
static void short_cut(void **state) {
  const GrB_Index source[] = {2, 3}, from[] = {0, 1, 0}, to[] = {1, 2, 2};
  const double length[] = {5, 2, 9}, expected[] = {7, 2, 0, 0};
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 4, 4), GrB_SUCCESS);
  for (int e = 0; e < 3; e++) {
    assert_int_equal(GrB_Matrix_setElement_FP64(A, length[e], from[e], to[e]), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_setElement_FP64(A, length[e], to[e], from[e]), GrB_SUCCESS);
  }
  compute(A, source, 2);
  assert_int_equal(answer.n, 4);
  for (GrB_Index e = 0; e < 4; e++) {
    assert_true(answer.value[e] == expected[answer.row[e]]);
    assert_int_equal(answer.col[e], answer.row[e] == 3);
  }
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  const GrB_Index outside = 5, inside = 2;
  GrB_Matrix A, oblong, odd, found = NULL;
  GrB_Type user_type;
  assert_int_equal(GrB_Type_new(&user_type, 16), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&odd, user_type, 5, 5), GrB_SUCCESS);
  assert_int_equal(Grid_shortest_paths_many(NULL, A, &inside, 1), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_shortest_paths_many"));
  assert_int_equal(Grid_shortest_paths_many(&found, A, NULL, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_shortest_paths_many(&found, NULL, &inside, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_shortest_paths_many(&found, oblong, &inside, 1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_shortest_paths_many(&found, A, &inside, 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_shortest_paths_many(&found, A, &outside, 1), GrB_INVALID_INDEX);
  assert_non_null(strstr(Grid_last_error(), "is not a vertex of A, which has"));
  assert_int_equal(Grid_shortest_paths_many(&found, odd, &inside, 1), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, -1, 2, 3), GrB_SUCCESS);
  assert_int_equal(Grid_shortest_paths_many(&found, A, &inside, 1), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, (double)NAN, 2, 3), GrB_SUCCESS);
  assert_int_equal(Grid_shortest_paths_many(&found, A, &inside, 1), GrB_INVALID_VALUE);
  assert_null(found);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Matrix_free(&odd);
  GrB_Type_free(&user_type);
}

/* The checker detects a wrong distance, a missing and a repeated entry. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  const GrB_Index source[] = {3, 50};
  named_make(&g, 12); /* a grid */
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  compute(A, source, 2);
  assert_null(check(&g.list, source, 2));
  answer.value[7] += 1;
  assert_non_null(check(&g.list, source, 2));
  answer.value[7] -= 1;
  answer.n--;
  assert_non_null(check(&g.list, source, 2));
  answer.row[answer.n] = answer.row[0], answer.col[answer.n] = answer.col[0];
  answer.value[answer.n++] = answer.value[0];
  assert_non_null(check(&g.list, source, 2));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("shortest_paths_many", cmocka_unit_test(matches_checker), cmocka_unit_test(columns),
           cmocka_unit_test(short_cut), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
