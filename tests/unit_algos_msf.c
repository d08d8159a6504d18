/* Grid_msf against the serial checker, known forests, weights of all kinds, and the checker against wrong
 * forests. */
#include "tests/named_graphs.h"

#include "bench/check/trees_and_sets/check_msf.h"

static const char *check_result(const named_graph *g, const named_list *e) {
  static char text[300];
  return check_msf(&g->list, e->row, e->col, e->value, e->n, text, sizeof text);
}

static void compute_forest(named_list *e, GrB_Matrix A) {
  GrB_Matrix F;
  assert_int_equal(Grid_msf(&F, A), GrB_SUCCESS);
  named_entries(e, F);
  for (GrB_Index k = 0; k < e->n; k++) assert_true(e->row[k] < e->col[k]);
  GrB_Matrix_free(&F);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  static named_list e;
  (void)k;
  compute_forest(&e, A);
  assert_named_correct(check_result(g, &e), g);
}
/* Weights of one to nine: many alike. */
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_INT32, GrB_FP64, GrB_UINT8, GrB_FP32, GrB_UINT64, GrB_INT64};
  for (int turn = 0; turn < 2; turn++) run_named_graphs(types + turn, 5, compare);
}

/* All alike: a star around the smallest vertex of a clique, and other weights in random graphs: of either
 * sign, parallel edges with different ones, few or none alike. */
static void weights(void **state) {
  static named_graph g;
  static named_list e;
  named_make(&g, 6);
  for (uint64_t k = 0; k < g.list.m; k++) g.weight[k] = 1;
  GrB_Matrix A = named_pattern(&g);
  compute_forest(&e, A);
  assert_int_equal(e.n, g.list.n - 1);
  for (GrB_Index k = 0; k < e.n; k++) assert_true(e.row[k] == 0 && e.value[k] == 1);
  GrB_Matrix_free(&A);
  for (int turn = 0; turn < 8; turn++) {
    named_make(&g, NAMED_GRAPHS);
    for (uint64_t k = 0; k < g.list.m; k++) {
      g.weight[k] = (double)named_chance(turn % 2 == 0 ? 1000000 : 5) - 2;
      if (turn % 4 == 0) g.weight[k] *= 0.37;
    }
    A = named_matrix(&g, turn % 4 == 0 ? GrB_FP64 : GrB_INT64);
    compute_forest(&e, A);
    assert_named_correct(check_result(&g, &e), &g);
    GrB_Matrix_free(&A);
  }
}

/* 40 edges a vertex: the lightest are taken first. Weights of either sign, even and with a few heavy ones;
 * half of the vertices may have heavy edges alone. */
static void many_edges(void **state) {
  const GrB_Type types[] = {GrB_UINT64, GrB_FP64, GrB_INT64, GrB_FP32, GrB_INT16};
  static named_graph g;
  static named_list e;
  for (int turn = 0; turn < 20; turn++) {
    named_make(&g, NAMED_GRAPHS);
    g.list.n = 100, g.list.m = 0, g.list.both_directions = true;
    while (g.list.m < MAX_EDGES) {
      const uint64_t from = named_chance(100), to = named_chance(100);
      const bool heavy = turn % 4 > 1 && (from % 2 == 1 || to % 2 == 1);
      named_add(&g, from, to);
      g.weight[g.list.m - 1] = (double)(named_chance(turn % 2 ? 200 : 7) + (heavy ? 9000 : 0));
      if (turn % 5 > 0) g.weight[g.list.m - 1] -= 50;
    }
    GrB_Matrix A = named_matrix(&g, types[turn % 5]);
    compute_forest(&e, A);
    assert_named_correct(check_result(&g, &e), &g);
    GrB_Matrix_free(&A);
  }
}

/* Numbers that a double cannot represent, infinities and -0 keep their order. */
static void extremes(void **state) {
  const GrB_Index from[] = {0, 1, 2}, to[] = {1, 2, 0};
  const int64_t whole[][3] = {{INT64_MIN, INT64_MAX, INT64_MAX - 1}, {-1, 0, 1}};
  const uint64_t counts[] = {UINT64_MAX - 1, UINT64_MAX, 0};
  const double inf = (double)INFINITY, real[][3] = {{inf, -inf, 1}, {0.0, -0.0, 0.0}, {-1e-310, 0, -1}};
  static named_list e;
  GrB_Matrix A, F;
  int64_t x;
  uint64_t u;
  for (int k = 0; k < 2; k++) { /* in either direction, the heaviest edge is left out */
    assert_int_equal(GrB_Matrix_new(&A, GrB_INT64, 3, 3), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_build_INT64(A, k == 0 ? from : to, k == 0 ? to : from, whole[k], 3, NULL),
                     GrB_SUCCESS);
    assert_int_equal(Grid_msf(&F, A), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_extractElement_INT64(&x, F, 0, 1), GrB_SUCCESS);
    assert_true(x == whole[k][0]);
    const bool second = k == 1;
    assert_int_equal(GrB_Matrix_extractElement_INT64(&x, F, second ? 1 : 0, 2), GrB_SUCCESS);
    assert_true(x == whole[k][second ? 1 : 2]);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&F);
  }
  assert_int_equal(GrB_Matrix_new(&A, GrB_UINT64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_UINT64(A, from, to, counts, 3, NULL), GrB_SUCCESS);
  assert_int_equal(Grid_msf(&F, A), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_extractElement_UINT64(&u, F, 0, 1), GrB_SUCCESS);
  assert_true(u == UINT64_MAX - 1);
  assert_int_equal(GrB_Matrix_extractElement_UINT64(&u, F, 1, 2), GrB_NO_VALUE);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&F);
  const GrB_Index left_out[][2] = {{0, 1}, {1, 2}, {1, 2}};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_build_FP64(A, from, to, real[k], 3, NULL), GrB_SUCCESS);
    compute_forest(&e, A);
    assert_int_equal(e.n, 2);
    for (GrB_Index l = 0; l < 2; l++) assert_false(e.row[l] == left_out[k][0] && e.col[l] == left_out[k][1]);
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, odd, F;
  GrB_Type user_type;
  GrB_Matrix const untouched = (GrB_Matrix)(uintptr_t)8;
  F = untouched;
  assert_int_equal(GrB_Type_new(&user_type, 16), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP32, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&odd, user_type, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP32(A, NAN, 3, 3), GrB_SUCCESS);
  assert_int_equal(Grid_msf(NULL, A), GrB_NULL_POINTER);
  assert_int_equal(Grid_msf(&F, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_msf(&F, oblong), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_msf(&F, odd), GrB_DOMAIN_MISMATCH);
  assert_int_equal(Grid_msf(&F, A), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_msf"));
  assert_ptr_equal(F, untouched);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
  GrB_Matrix_free(&odd);
  GrB_Type_free(&user_type);
}

/* The checker detects edges that are missing, superfluous, swapped, duplicated, or of another weight. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  static named_list e;
  named_make(&g, 12);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  compute_forest(&e, A);
  assert_int_equal(e.n, 99);
  assert_null(check_result(&g, &e));
  e.n--;
  assert_non_null(check_result(&g, &e));
  e.n++;
  e.value[5]++;
  assert_non_null(check_result(&g, &e));
  e.value[5]--;
  const GrB_Index row = e.row[5], col = e.col[5];
  e.row[5] = e.row[4], e.col[5] = e.col[4];
  assert_non_null(check_result(&g, &e));
  e.row[5] = row, e.col[5] = col;
  for (uint64_t k = 0; k < g.list.m; k++) { /* the first edge that is not in the forest */
    bool in = false;
    for (GrB_Index l = 0; l < e.n; l++) in = in || (e.row[l] == g.from[k] && e.col[l] == g.to[k]);
    if (in) continue;
    e.row[e.n] = g.from[k], e.col[e.n] = g.to[k], e.value[e.n++] = g.weight[k];
    break;
  }
  assert_int_equal(e.n, 100);
  assert_non_null(check_result(&g, &e));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("msf", cmocka_unit_test(matches_checker), cmocka_unit_test(weights), cmocka_unit_test(many_edges),
           cmocka_unit_test(extremes), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
