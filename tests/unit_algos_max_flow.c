/* Grid_max_flow by each of its methods against the serial checker and the capacity of the cut, known flows,
 * wrong arguments, and the checker against wrong answers. */
#include "tests/named_graphs.h"

#include "algos/traversal/max_flow.h"
#include "bench/check/traversal/check_max_flow.h"

static const char *const methods[] = {"one process", "rounds", NULL};
static const char *method; /* of compute */
static named_list used;
static double side[MAX_VERTICES], value;
static char text[300];

static void compute(GrB_Matrix A, GrB_Index source, GrB_Index sink) {
  GrB_Matrix flow;
  GrB_Vector cut;
  GrB_Index n;
  assert_int_equal(grid_max_flow_by(method, &value, &flow, &cut, A, source, sink), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, cut), GrB_SUCCESS);
  named_entries(&used, flow);
  named_values(side, cut, n);
  GrB_Matrix_free(&flow);
  GrB_Vector_free(&cut);
}

static const char *check(const named_graph *g, GrB_Index source, GrB_Index sink) {
  return check_max_flow(&g->list, source, sink, value, used.row, used.col, used.value, used.n, text,
                        sizeof text);
}

/* The capacity of the edges from the source's side to the other. */
static double cut_capacity(const named_graph *g) {
  check_rows r;
  double sum = 0;
  assert_true(check_rows_make(&r, &g->list, false));
  for (uint64_t v = 0; v < r.n; v++)
    for (uint64_t k = r.start[v]; k < r.start[v + 1]; k++)
      if (side[v] == 1 && isnan(side[r.to[k]])) sum += r.weight == NULL ? 1 : r.weight[k];
  check_rows_free(&r);
  return sum;
}

/* By each method: the same value and the same side of the cut. */
static void check_all(const named_graph *g, GrB_Matrix A, GrB_Index source, GrB_Index sink) {
  double first = 0, first_side[MAX_VERTICES];
  for (int k = 0; k < 3; k++) {
    method = methods[k];
    compute(A, source, sink);
    assert_named_correct(check(g, source, sink), g);
    assert_true(side[source] == 1 && isnan(side[sink]));
    assert_true(fabs(cut_capacity(g) - value) < 1e-9);
    if (k == 0) first = value, memcpy(first_side, side, sizeof side);
    assert_true(fabs(first - value) < 1e-9);
    for (uint64_t v = 0; v < g->list.n; v++) assert_true(isnan(side[v]) == isnan(first_side[v]));
  }
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  named_graph plain = {.name = g->name, .list = g->list};
  const uint64_t n = g->list.n;
  if (k % 2 == 0) plain.list.weight = NULL; /* the types are BOOL, FP64 */
  if (n > 1) check_all(&plain, A, 0, n - 1);
  if (n > 4) check_all(&plain, A, n / 2, n / 4);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* Layers of random edges with capacities in halves: long paths, and excesses that must return. */
static void layered(void **state) {
  enum { LAYERS = 12, WIDTH = 9, N = LAYERS * WIDTH + 2 };
  static named_graph g;
  for (int turn = 0; turn < 4; turn++) {
    g.list = (check_graph){.n = N, .from = g.from, .to = g.to, .weight = g.weight};
    g.name = "layers";
    for (uint64_t v = 0; v < WIDTH; v++) named_add(&g, N - 2, v), named_add(&g, N - 3 - v, N - 1);
    for (uint64_t v = 0; v + WIDTH < N - 2; v++)
      for (int k = 0; k <= turn; k++) named_add(&g, v, (v / WIDTH + 1) * WIDTH + named_chance(WIDTH));
    for (uint64_t k = 0; k < g.list.m; k++) g.weight[k] *= k < 2 * WIDTH ? 2 : 0.5;
    GrB_Matrix A = named_matrix(&g, GrB_FP64);
    check_all(&g, A, N - 2, N - 1);
    GrB_Matrix_free(&A);
  }
}

/* Capacities that are no multiples of a power of 2, so that sums are rounded. */
static void fractions(void **state) {
  static named_graph g;
  for (int turn = 0; turn < 8; turn++) {
    named_make(&g, turn % 2 == 0 ? 12 : NAMED_GRAPHS);
    for (uint64_t k = 0; k < g.list.m; k++) g.weight[k] = (double)(1 + named_chance(1000)) / 7;
    GrB_Matrix A = named_matrix(&g, GrB_FP64);
    for (int k = 0; k < 3 && g.list.n > 1; k++) {
      method = methods[k];
      compute(A, 0, g.list.n - 1);
      assert_named_correct(check(&g, 0, g.list.n - 1), &g);
      assert_true(fabs(cut_capacity(&g) - value) < 1e-9);
    }
    GrB_Matrix_free(&A);
  }
}

/* ROWS x COLUMNS vertices, edges from each column to three vertices of the next: a random level graph of the
 * DIMACS challenge. Then the same with edges of other capacities in the opposite direction. */
static void level_graphs(void **state) {
  enum { ROWS = 12, COLUMNS = 14, N = ROWS * COLUMNS + 2 };
  static named_graph g;
  for (int turn = 0; turn < 4; turn++) {
    g.list = (check_graph){.n = N, .from = g.from, .to = g.to, .weight = g.weight};
    g.name = "level graph";
    for (uint64_t v = 0; v < N - 2 - ROWS; v++)
      for (int k = 0; k < 3; k++) {
        const uint64_t w = (v / ROWS + 1) * ROWS + named_chance(ROWS);
        named_add(&g, v, w);
        if (turn % 2 == 1) named_add(&g, w, v);
      }
    for (uint64_t k = 0; k < g.list.m; k++) g.weight[k] = (double)named_chance(100); /* 0 occurs */
    for (uint64_t v = 0; v < ROWS; v++) {
      named_add(&g, N - 2, v), g.weight[g.list.m - 1] = 300;
      named_add(&g, N - 3 - v, N - 1), g.weight[g.list.m - 1] = 300;
    }
    GrB_Matrix A = named_matrix(&g, turn < 2 ? GrB_FP64 : GrB_INT32);
    check_all(&g, A, N - 2, N - 1);
    check_all(&g, A, N - 1, N - 2); /* the sink has no edge in this direction */
    GrB_Matrix_free(&A);
  }
}

/* Frames of SIDE x SIDE vertices with edges of much capacity inside, as Goldfarb and Grigoriadis generate
 * them. From each frame to the next edges of random capacity lead by a permutation. */
static void frames(void **state) {
  enum { SIDE = 5, FRAME = SIDE * SIDE, N = 7 * FRAME };
  static named_graph g;
  g.list = (check_graph){.n = N, .from = g.from, .to = g.to, .weight = g.weight};
  g.name = "frames";
  for (uint64_t v = 0; v < N; v++) {
    if (v % SIDE + 1 < SIDE) named_add(&g, v, v + 1), named_add(&g, v + 1, v);
    if (v % FRAME + SIDE < FRAME) named_add(&g, v, v + SIDE), named_add(&g, v + SIDE, v);
  }
  for (uint64_t k = 0; k < g.list.m; k++) g.weight[k] = 100 * FRAME;
  for (uint64_t v = 0, shift = 0; v + FRAME < N; v++) {
    if (v % FRAME == 0) shift = named_chance(FRAME);
    named_add(&g, v, v / FRAME * FRAME + FRAME + (7 * v + shift) % FRAME);
    g.weight[g.list.m - 1] = (double)(1 + named_chance(100));
  }
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  check_all(&g, A, 0, N - 1);
  GrB_Matrix_free(&A);
}

/* A graph that exceeds the memory of one process is processed in rounds. */
static void little_memory(void **state) {
  static named_graph g;
  named_make(&g, 12);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  assert_int_equal(Grid_memory_limit(4096), GrB_SUCCESS);
  check_all(&g, A, 0, 99);
  assert_int_equal(Grid_memory_limit(0), GrB_SUCCESS);
  GrB_Matrix_free(&A);
}

/* A clique of 12 with capacities 1: 11 paths. A path: its narrowest edge; against a directed one: nothing. */
static void known_flows(void **state) {
  static named_graph g;
  named_make(&g, 6);
  GrB_Matrix A = named_pattern(&g);
  compute(A, 3, 7);
  assert_true(value == 11);
  GrB_Matrix_free(&A);
  named_make(&g, 3);
  for (uint64_t k = 0; k < g.list.m; k++) g.weight[k] = 50 - (double)(k % 50);
  g.weight[77] = 0.25;
  A = named_matrix(&g, GrB_FP64);
  compute(A, 0, 149);
  assert_true(value == 0.25);
  for (uint64_t v = 0; v < 150; v++) assert_true(v <= 77 ? side[v] == 1 : isnan(side[v]));
  GrB_Matrix_free(&A);
  named_make(&g, 4);
  A = named_pattern(&g);
  compute(A, 20, 10);
  assert_true(value == 0 && used.n == 0);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, M = NULL;
  GrB_Vector v = NULL;
  value = 77;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_max_flow(NULL, NULL, NULL, A, 0, 1), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_max_flow"));
  assert_int_equal(Grid_max_flow(&value, &M, &v, NULL, 0, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_max_flow(&value, &M, &v, oblong, 0, 1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_max_flow(&value, &M, &v, A, 0, 3), GrB_INVALID_INDEX);
  assert_int_equal(Grid_max_flow(&value, &M, &v, A, 3, 0), GrB_INVALID_INDEX);
  assert_int_equal(Grid_max_flow(&value, &M, &v, A, 2, 2), GrB_INVALID_VALUE);
  const double wrong[] = {-1, (double)NAN, (double)INFINITY};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(GrB_Matrix_setElement_FP64(A, wrong[k], 0, 1), GrB_SUCCESS);
    assert_int_equal(Grid_max_flow(&value, &M, &v, A, 0, 1), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "Grid_max_flow"));
  }
  assert_null(v);
  assert_null(M);
  assert_true(value == 77);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 1.5, 0, 1), GrB_SUCCESS);
  assert_int_equal(Grid_max_flow(&value, NULL, NULL, A, 0, 1), GrB_SUCCESS);
  assert_true(value == 1.5);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 12);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  compute(A, 0, 99);
  assert_null(check(&g, 0, 99));
  value++;
  assert_non_null(check(&g, 0, 99));
  value--;
  const double right = used.value[0];
  used.value[0] = right / 2;
  assert_non_null(check(&g, 0, 99));
  used.value[0] = 100;
  assert_non_null(check(&g, 0, 99));
  used.value[0] = right;
  used.row[used.n] = used.row[0], used.col[used.n] = used.col[0], used.value[used.n++] = right;
  assert_non_null(check(&g, 0, 99));
  used.n = 0, value = 0; /* no flow is a flow, too, but a small one */
  assert_non_null(check(&g, 0, 99));
  assert_non_null(strstr(check(&g, 0, 99), "not the largest"));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("max_flow", cmocka_unit_test(matches_checker), cmocka_unit_test(layered),
           cmocka_unit_test(fractions), cmocka_unit_test(level_graphs), cmocka_unit_test(frames),
           cmocka_unit_test(little_memory), cmocka_unit_test(known_flows), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
