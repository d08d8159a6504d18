/* Algorithms that make serial passes with few threads (algos/support/serial.h) find the same by products,
 * which they use with more threads and on several processes. */
#include "tests/named_graphs.h"

enum { SERIAL = 1, PRODUCTS = 17 }; /* threads */

static void expect_equal(const named_graph *g, GrB_Vector serial, GrB_Vector products) {
  static double x[MAX_VERTICES], y[MAX_VERTICES];
  GrB_Index n;
  assert_int_equal(GrB_Vector_size(&n, serial), GrB_SUCCESS);
  named_values(x, serial, n);
  named_values(y, products, n);
  for (GrB_Index k = 0; k < n; k++)
    if (x[k] != y[k] && !(isnan(x[k]) && isnan(y[k])))
      fail_msg("%s: %g and %g at %d", g->name, x[k], y[k], (int)k);
  GrB_Vector_free(&serial), GrB_Vector_free(&products);
}

static void compare_levels(const named_graph *g, GrB_Matrix A, int k) {
  GrB_Vector level[2], order[2];
  bool acyclic[2];
  (void)k;
  Grid_threads(SERIAL);
  assert_int_equal(Grid_topological_order(&order[0], &level[0], &acyclic[0], A), GrB_SUCCESS);
  Grid_threads(PRODUCTS);
  assert_int_equal(Grid_topological_order(&order[1], &level[1], &acyclic[1], A), GrB_SUCCESS);
  assert_true(acyclic[0] == acyclic[1]);
  expect_equal(g, order[0], order[1]);
  expect_equal(g, level[0], level[1]);
}

static void compare_matchings(const named_graph *g, GrB_Matrix A, int k) {
  GrB_Vector mate[2];
  for (uint64_t seed = 0; seed < 3; seed++) {
    Grid_threads(SERIAL);
    assert_int_equal(Grid_matching(&mate[0], A, seed + (uint64_t)k), GrB_SUCCESS);
    Grid_threads(PRODUCTS);
    assert_int_equal(Grid_matching(&mate[1], A, seed + (uint64_t)k), GrB_SUCCESS);
    expect_equal(g, mate[0], mate[1]);
  }
}

static void compare_forests(const named_graph *g, GrB_Matrix A, int k) {
  static named_list list[2];
  (void)k;
  for (int turn = 0; turn < 2; turn++) {
    GrB_Matrix forest;
    Grid_threads(turn == 0 ? SERIAL : PRODUCTS);
    assert_int_equal(Grid_msf(&forest, A), GrB_SUCCESS);
    named_entries(&list[turn], forest);
    GrB_Matrix_free(&forest);
  }
  assert_int_equal(list[0].n, list[1].n);
  for (GrB_Index e = 0; e < list[0].n; e++)
    if (list[0].row[e] != list[1].row[e] || list[0].col[e] != list[1].col[e] ||
        list[0].value[e] != list[1].value[e])
      fail_msg("%s: edge %d differs", g->name, (int)e);
}

static void same_on_all_graphs(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64, GrB_INT32, GrB_FP32, GrB_UINT64};
  run_named_graphs(types, 5, compare_levels);
  run_named_graphs(types, 5, compare_matchings);
  run_named_graphs(types, 5, compare_forests);
}

/* 30 edges a vertex, with many weights alike and a few, of either sign; the lightest are joined first. */
static void same_on_dense_graphs(void **state) {
  static named_graph g;
  for (int turn = 0; turn < 6; turn++) {
    g.list = (check_graph){.n = MAX_VERTICES, .from = g.from, .to = g.to, .weight = g.weight, .loops = true};
    g.name = "dense";
    for (uint64_t k = 0; k < MAX_EDGES; k++) {
      named_add(&g, named_chance(MAX_VERTICES), named_chance(MAX_VERTICES));
      g.weight[k] = (double)named_chance(turn < 3 ? 3 : 1000000) - (turn % 3 == 0 ? 1 : 0);
    }
    g.list.both_directions = turn % 2 == 0;
    GrB_Matrix A = named_matrix(&g, turn % 2 == 0 ? GrB_FP64 : GrB_INT64);
    compare_forests(&g, A, turn);
    if (turn % 3 != 0) compare_matchings(&g, A, turn);
    GrB_Matrix_free(&A);
  }
}

NAMED_MAIN("algos_serial", cmocka_unit_test(same_on_all_graphs), cmocka_unit_test(same_on_dense_graphs))
