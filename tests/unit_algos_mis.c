/* Grid_mis against the checker, against a serial pass in the documented order, bad arguments, and the checker
 * against wrong sets. */
#include "tests/named_graphs.h"

#include "bench/check/trees_and_sets/check_mis.h"

static uint64_t hash(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* member = 1 or NaN: a pass over the vertices in falling order of their scores. */
static void serial_mis(double *member, const check_graph *g, uint64_t seed) {
  bool done[MAX_VERTICES] = {false};
  for (uint64_t v = 0; v < g->n; v++) member[v] = (double)NAN;
  for (;;) {
    uint64_t best = g->n;
    for (uint64_t v = 0; v < g->n; v++)
      if (!done[v] && (best == g->n || hash(v ^ hash(seed)) > hash(best ^ hash(seed)))) best = v;
    if (best == g->n) return;
    done[best] = true;
    member[best] = 1;
    for (uint64_t k = 0; k < g->m; k++)
      if (g->from[k] == best || g->to[k] == best) done[g->from[k]] = done[g->to[k]] = true;
  }
}

/* Known to be symmetric or not, with values other than 1, and with edges in one direction: the set is the
 * same. */
static void matches_checker(void **state) {
  static named_graph g;
  double member[MAX_VERTICES], right[MAX_VERTICES];
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++)
    for (int variant = 0; variant < 3; variant++) {
      const uint64_t seed = variant == 2 ? UINT64_MAX : (uint64_t)variant;
      named_make(&g, k);
      if (variant == 2) g.list.both_directions = false;
      GrB_Matrix A = variant == 0 ? named_pattern(&g) : named_matrix(&g, GrB_INT8);
      GrB_Vector v;
      assert_int_equal(Grid_mis(&v, A, seed), GrB_SUCCESS);
      named_values(member, v, g.list.n);
      assert_named_correct(check_mis(&g.list, member, text, sizeof text), &g);
      serial_mis(right, &g.list, seed);
      for (uint64_t w = 0; w < g.list.n; w++) assert_true(isnan(member[w]) == isnan(right[w]));
      GrB_Vector_free(&v);
      GrB_Matrix_free(&A);
    }
}

/* The checker notices two neighbours, a vertex that could join, and other values. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  char text[300];
  const double no = (double)NAN;
  named_make(&g, 8); /* two triangles and one vertex */
  double member[] = {1, no, no, no, 1, no, 1};
  assert_null(check_mis(&g.list, member, text, sizeof text));
  member[5] = 1;
  assert_non_null(check_mis(&g.list, member, text, sizeof text));
  member[5] = 0;
  assert_non_null(check_mis(&g.list, member, text, sizeof text));
  member[5] = no, member[6] = no;
  assert_non_null(check_mis(&g.list, member, text, sizeof text));
  member[6] = 1, member[0] = no;
  assert_non_null(check_mis(&g.list, member, text, sizeof text));
}

static GrB_Info run_once(GrB_Vector *set, GrB_Matrix A) {
  return Grid_mis(set, A, 1);
}
static void bad_arguments(void **state) {
  named_refusals(run_once, "Grid_mis");
}

NAMED_MAIN("mis", cmocka_unit_test(matches_checker), cmocka_unit_test(wrong_results_detected),
           cmocka_unit_test(bad_arguments))
