/* Grid_strong_components against the serial checker (Tarjan's method), known components, and bad arguments.
 */
#include "tests/named_graphs.h"

#include "bench/check/components/check_components.h"

static void check_graph_of(const named_graph *g, GrB_Matrix A) {
  double label[MAX_VERTICES];
  char text[300];
  make_checker_answer(label, Grid_strong_components, A);
  assert_named_correct(check_components(&g->list, label, true, text, sizeof text), g);
}

/* Every graph with its edges in one and in both directions; values other than 1, some of them 0. */
static void matches_checker(void **state) {
  static named_graph g;
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++)
    for (int both = 0; both < 2; both++) {
      named_make(&g, k);
      g.list.both_directions = both == 1;
      GrB_Matrix A = k % 2 == 0 ? named_pattern(&g) : named_matrix(&g, GrB_INT8);
      check_graph_of(&g, A);
      GrB_Matrix_free(&A);
    }
}

static void begin(named_graph *g, const char *name, uint64_t n) {
  g->list = (check_graph){.n = n, .from = g->from, .to = g->to, .weight = g->weight, .loops = true};
  g->name = name;
}

/* Sparse random graphs have components of all sizes. */
static void sparse(void **state) {
  static named_graph g;
  for (int turn = 0; turn < 8; turn++) {
    begin(&g, "sparse", MAX_VERTICES);
    for (int k = 0; k < MAX_VERTICES + 30 * turn; k++)
      named_add(&g, named_chance(MAX_VERTICES), named_chance(MAX_VERTICES));
    GrB_Matrix A = named_pattern(&g);
    check_graph_of(&g, A);
    GrB_Matrix_free(&A);
  }
}

/* Triangles in a chain, the labels growing along it or falling, and two chains that do one each. */
static void chains(void **state) {
  enum { TRIANGLES = 30 };
  static named_graph g;
  for (int variant = 0; variant < 3; variant++) {
    begin(&g, "chain of triangles", 3 * TRIANGLES);
    for (uint64_t k = 0; k < TRIANGLES; k++) {
      const bool up = variant == 0 || (variant == 2 && k >= TRIANGLES / 2);
      for (uint64_t v = 0; v < 3; v++) named_add(&g, 3 * k + v, 3 * k + (v + 1) % 3);
      if (k + 1 < TRIANGLES && up) named_add(&g, 3 * k + 1, 3 * k + 5);
      if (k + 1 < TRIANGLES && !up) named_add(&g, 3 * k + 5, 3 * k + 1);
    }
    GrB_Matrix A = named_pattern(&g);
    double label[MAX_VERTICES];
    check_graph_of(&g, A);
    make_checker_answer(label, Grid_strong_components, A);
    for (uint64_t w = 0; w < g.list.n; w++) assert_true(label[w] == (double)(w - w % 3));
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  named_refusals(Grid_strong_components, "Grid_strong_components");
}

NAMED_MAIN("strong_components", cmocka_unit_test(matches_checker), cmocka_unit_test(sparse),
           cmocka_unit_test(chains), cmocka_unit_test(bad_arguments))
