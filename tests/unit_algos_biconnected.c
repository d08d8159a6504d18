/* Grid_biconnected against the serial checker, known graphs, wrong arguments, and the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "bench/check/components/check_biconnected.h"

static named_list edges, bridges;
static double point[MAX_VERTICES];
static char text[300];

static void compute(GrB_Matrix A) {
  GrB_Matrix component, bridge;
  GrB_Vector articulation;
  GrB_Index n;
  assert_int_equal(Grid_biconnected(&component, &articulation, &bridge, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, articulation), GrB_SUCCESS);
  named_entries(&edges, component);
  named_entries(&bridges, bridge);
  named_values(point, articulation, n);
  GrB_Matrix_free(&component), GrB_Matrix_free(&bridge);
  GrB_Vector_free(&articulation);
}

static const char *check_edges(check_biconnected_counts *found, bool *points, const named_graph *g) {
  return check_biconnected(found, points, &g->list, edges.row, edges.col, edges.value, edges.n, text,
                           sizeof text);
}

/* The edges by the checker; bridges are the components of one edge, so theirs occur once among the edges. */
static void check_all(const named_graph *g, GrB_Matrix A) {
  bool points[MAX_VERTICES];
  static uint64_t size[MAX_VERTICES];
  check_biconnected_counts found;
  compute(A);
  assert_named_correct(check_edges(&found, points, g), g);
  for (uint64_t v = 0; v < g->list.n; v++)
    if ((point[v] == 1) != points[v]) fail_msg("%s: vertex %d, %d", g->name, (int)v, points[v]);
  assert_int_equal(bridges.n, found.bridges);
  memset(size, 0, sizeof size);
  for (GrB_Index k = 0; k < edges.n; k++) size[(int)edges.value[k]]++;
  for (GrB_Index b = 0; b < bridges.n; b++)
    for (GrB_Index k = 0; k < edges.n; k++)
      if (edges.row[k] == bridges.row[b] && edges.col[k] == bridges.col[b])
        assert_int_equal(size[(int)edges.value[k]], 1);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  (void)k;
  check_all(g, A);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

static void begin(named_graph *g, const char *name, uint64_t n) {
  g->list = (check_graph){.n = n, .from = g->from, .to = g->to, .weight = g->weight};
  g->name = name;
}

/* Sparse random graphs have components, bridges and trees of all sizes; their edges are in one direction. */
static void sparse(void **state) {
  static named_graph g;
  for (int turn = 0; turn < 10; turn++) {
    begin(&g, "sparse", MAX_VERTICES);
    for (int k = 0; k < MAX_VERTICES - 60 + 14 * turn; k++)
      named_add(&g, named_chance(MAX_VERTICES), named_chance(MAX_VERTICES));
    GrB_Matrix A = named_pattern(&g);
    check_all(&g, A);
    GrB_Matrix_free(&A);
  }
}

/* Cycles of five in a chain, each sharing a vertex with the next, their vertices numbered in a random order;
 * from every third one a path of two edges hangs. */
static void cactus(void **state) {
  enum { CYCLES = 30, N = 4 * CYCLES + 1 + 2 * CYCLES / 3 };
  static named_graph g;
  uint64_t name[N];
  for (uint64_t v = 0; v < N; v++) {
    const uint64_t w = named_chance(v + 1);
    name[v] = name[w], name[w] = v;
  }
  begin(&g, "cactus", N);
  uint64_t spare = 4 * CYCLES + 1;
  for (uint64_t c = 0; c < CYCLES; c++) {
    for (uint64_t v = 0; v < 4; v++) named_add(&g, name[4 * c + v], name[4 * c + v + 1]);
    named_add(&g, name[4 * c + 4], name[4 * c]);
    if (c % 3 != 0) continue;
    named_add(&g, name[4 * c + 1], name[spare]);
    named_add(&g, name[spare], name[spare + 1]);
    spare += 2;
  }
  GrB_Matrix A = named_pattern(&g);
  check_all(&g, A);
  GrB_Index points = 0;
  for (uint64_t v = 0; v < N; v++) points += point[v] == 1;
  assert_int_equal(bridges.n, 2 * CYCLES / 3);
  assert_int_equal(points, CYCLES - 1 + 2 * CYCLES / 3);
  GrB_Matrix_free(&A);
}

/* Of named graphs: components, bridges, articulation points. */
static void known_counts(void **state) {
  const struct {
    int graph;
    uint64_t components, bridges, points;
  } known[] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}, {3, 149, 149, 148}, {5, 29, 29, 1}, {6, 1, 0, 0},
               {7, 1, 0, 0}, {8, 2, 0, 0}, {9, 8, 8, 7}, {11, 21, 20, 20},   {12, 1, 0, 0},  {14, 65, 65, 1}};
  static named_graph g;
  check_biconnected_counts found;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    named_make(&g, known[k].graph);
    GrB_Matrix A = named_pattern(&g);
    compute(A);
    assert_named_correct(check_edges(&found, NULL, &g), &g);
    if (found.components != known[k].components || found.bridges != known[k].bridges ||
        found.articulation_points != known[k].points || bridges.n != known[k].bridges)
      fail_msg("%s: %d components, %d bridges, %d points", g.name, (int)found.components, (int)bridges.n,
               (int)found.articulation_points);
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, M = NULL;
  GrB_Vector v = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_biconnected(NULL, NULL, NULL, A), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_biconnected"));
  assert_int_equal(Grid_biconnected(&M, &v, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_biconnected(&M, &v, NULL, oblong), GrB_DIMENSION_MISMATCH);
  assert_null(v);
  assert_null(M);
  assert_int_equal(Grid_biconnected(NULL, &v, NULL, A), GrB_SUCCESS);
  assert_int_equal(Grid_biconnected(NULL, NULL, &M, A), GrB_SUCCESS);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Matrix_free(&M);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  check_biconnected_counts found;
  named_make(&g, 8);
  GrB_Matrix A = named_pattern(&g);
  compute(A);
  assert_int_equal(edges.n, 6);
  assert_null(check_edges(&found, NULL, &g));
  edges.value[2] = 1 - edges.value[2];
  assert_non_null(check_edges(&found, NULL, &g));
  assert_non_null(strstr(text, "another component"));
  for (GrB_Index k = 0; k < 6; k++) edges.value[k] = k == 2 ? edges.value[k] : 1 - edges.value[k];
  assert_non_null(check_edges(&found, NULL, &g)); /* the numbers of both exchanged */
  compute(A);
  edges.n--;
  assert_non_null(check_edges(&found, NULL, &g));
  edges.row[5] = edges.row[4], edges.col[5] = edges.col[4], edges.value[5] = edges.value[4], edges.n++;
  assert_non_null(check_edges(&found, NULL, &g));
  assert_non_null(strstr(text, "none, or one more"));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("biconnected", cmocka_unit_test(matches_checker), cmocka_unit_test(sparse),
           cmocka_unit_test(cactus), cmocka_unit_test(known_counts), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
