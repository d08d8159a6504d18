/* Grid_motif_counts against the serial listing, known numbers, wrong arguments, and the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "bench/check/structure/check_motif_counts.h"

enum { MOTIFS = Grid_MOTIF_CLIQUE_4 + 1 };
static uint64_t found[MOTIFS];
static char text[300];

static void compute(GrB_Matrix A) {
  GrB_Vector v;
  GrB_Index n;
  assert_int_equal(Grid_motif_counts(&v, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  assert_int_equal(n, MOTIFS);
  for (GrB_Index k = 0; k < MOTIFS; k++)
    assert_int_equal(GrB_Vector_extractElement_UINT64(&found[k], v, k), GrB_SUCCESS);
  GrB_Vector_free(&v);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  (void)k;
  compute(A);
  assert_named_correct(check_motif_counts(&g->list, found, text, sizeof text), g);
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT32, GrB_FP64};
  run_named_graphs(types, 3, compare);
}

/* Half of all pairs of 30 vertices are connected, so each kind occurs. */
static void dense_graph(void **state) {
  static named_graph g;
  named_dense(&g, 30);
  GrB_Matrix A = named_pattern(&g);
  compare(&g, A, 0);
  for (int k = 0; k < MOTIFS; k++) assert_true(found[k] > 0);
  GrB_Matrix_free(&A);
}

static void expect(named_graph *g, const uint64_t expected[MOTIFS]) {
  GrB_Matrix A = named_pattern(g);
  compute(A);
  for (int k = 0; k < MOTIFS; k++) assert_int_equal(found[k], expected[k]);
  GrB_Matrix_free(&A);
}

/* A star of 30, a clique of 12, a cycle of 65, the Petersen graph (of degree 3, without cycles of 3 or 4),
 * and one paw. */
static void known_numbers(void **state) {
  static named_graph g;
  named_make(&g, 5), expect(&g, (const uint64_t[]){406, 0, 3654, 0, 0, 0, 0, 0});
  named_make(&g, 6), expect(&g, (const uint64_t[]){0, 220, 0, 0, 0, 0, 0, 495});
  named_make(&g, 7), expect(&g, (const uint64_t[]){65, 0, 0, 65, 0, 0, 0, 0});
  g.list.n = 10, g.list.m = 0;
  for (uint64_t v = 0; v < 5; v++)
    named_add(&g, v, (v + 1) % 5), named_add(&g, v, v + 5), named_add(&g, v + 5, 5 + (v + 2) % 5);
  expect(&g, (const uint64_t[]){30, 0, 10, 60, 0, 0, 0, 0});
  g.list.n = 4, g.list.m = 0;
  named_add(&g, 0, 1), named_add(&g, 1, 2), named_add(&g, 2, 0), named_add(&g, 2, 3);
  expect(&g, (const uint64_t[]){2, 1, 0, 0, 1, 0, 0, 0});
}

static void bad_arguments(void **state) {
  named_refusals(Grid_motif_counts, "Grid_motif_counts");
}

/* A star of 4.2 million vertices has 2^63.3 stars of 4. */
static void too_large(void **state) {
  const GrB_Index n = 4200000;
  GrB_Matrix A;
  GrB_Vector row, count = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, n, n), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&row, GrB_BOOL, n), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_assign_BOOL(row, NULL, NULL, true, GrB_ALL, n, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Row_assign(A, NULL, NULL, row, 0, GrB_ALL, n, NULL), GrB_SUCCESS);
  assert_int_equal(Grid_motif_counts(&count, A), GrB_INVALID_VALUE);
  assert_null(count);
  assert_non_null(strstr(Grid_last_error(), "Grid_motif_counts: there may be 2^59"));
  GrB_Matrix_free(&A), GrB_Vector_free(&row);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  named_make(&g, 12);
  GrB_Matrix A = named_pattern(&g);
  compute(A);
  assert_null(check_motif_counts(&g.list, found, text, sizeof text));
  for (int k = 0; k < MOTIFS; k++) {
    found[k]++;
    assert_non_null(check_motif_counts(&g.list, found, text, sizeof text));
    found[k]--;
  }
  GrB_Matrix_free(&A);
}

NAMED_MAIN("motif_counts", cmocka_unit_test(matches_checker), cmocka_unit_test(dense_graph),
           cmocka_unit_test(known_numbers), cmocka_unit_test(too_large), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
