/* Grid_similarity against the serial checker, known answers, wrong arguments, and the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "bench/check/communities/check_similarity.h"

enum { MOST_PAIRS = MAX_VERTICES * MAX_VERTICES, MEASURES = Grid_SIMILARITY_RESOURCE_ALLOCATION + 1 };
static GrB_Index row[MOST_PAIRS], col[MOST_PAIRS], count;
static double value[MOST_PAIRS];

static void compute(GrB_Matrix A, GrB_Matrix pairs, int measure) {
  GrB_Matrix S;
  assert_int_equal(Grid_similarity(&S, A, pairs, measure), GrB_SUCCESS);
  count = MOST_PAIRS;
  assert_int_equal(GrB_Matrix_extractTuples_FP64(row, col, value, &count, S), GrB_SUCCESS);
  GrB_Matrix_free(&S);
}

/* Of all pairs, and of the edges of another graph. */
static void matches_checker(void **state) {
  (void)state;
  static named_graph g, h;
  char text[300];
  const GrB_Type types[] = {GrB_BOOL, GrB_INT32, GrB_FP64};
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    named_make(&h, (k + 1) % (NAMED_GRAPHS + RANDOM_GRAPHS));
    h.list.n = g.list.n;
    uint64_t m = 0;
    for (uint64_t e = 0; e < h.list.m; e++)
      if (h.from[e] < g.list.n && h.to[e] < g.list.n) h.from[m] = h.from[e], h.to[m] = h.to[e], m++;
    h.list.m = m;
    GrB_Matrix A = named_matrix(&g, types[k % 3]), pairs = named_pattern(&h);
    for (int part = 0; part < 2; part++) {
      const int measure = (2 * k + part) % MEASURES;
      compute(A, part == 0 ? NULL : pairs, measure);
      assert_named_correct(check_similarity(&g.list, part == 0 ? NULL : &h.list, measure, row, col, value,
                                            count, text, sizeof text),
                           &g);
    }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&pairs);
  }
}

/* 0 - 1, 1 - 2, 2 - 3, 3 - 0, 0 - 2: 1 and 3 have the neighbours 0 and 2, of three each; 0 and 1 have 2. */
static void square_with_diagonal(void **state) {
  (void)state;
  const GrB_Index from[] = {0, 1, 2, 3, 0}, to[] = {1, 2, 3, 0, 2};
  const double of_0_1[MEASURES] = {1, 0.25, 0.4, 0.5, 1 / sqrt(6), 1 / log(3), 1.0 / 3},
               of_1_3[MEASURES] = {2, 1, 1, 1, 1, 2 / log(3), 2.0 / 3};
  GrB_Matrix A, pairs;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&pairs, GrB_BOOL, 5, 5), GrB_SUCCESS);
  for (int k = 0; k < 5; k++) {
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, false, from[k], to[k]), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_setElement_BOOL(A, true, to[k], from[k]), GrB_SUCCESS);
  }
  assert_int_equal(GrB_Matrix_setElement_BOOL(pairs, false, 0, 1), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_BOOL(pairs, true, 1, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_BOOL(pairs, true, 1, 4), GrB_SUCCESS);
  for (int measure = 0; measure < MEASURES; measure++) {
    compute(A, pairs, measure);
    assert_int_equal(count, 2);
    for (int k = 0; k < 2; k++)
      assert_true(fabs(value[k] - (row[k] == 0 ? of_0_1 : of_1_3)[measure]) < 1e-15);
    compute(A, NULL, measure);
    assert_int_equal(count, 12);
  }
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&pairs);
}

static void bad_arguments(void **state) {
  (void)state;
  GrB_Matrix A, oblong, larger, S = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&larger, GrB_BOOL, 6, 6), GrB_SUCCESS);
  assert_int_equal(Grid_similarity(NULL, A, NULL, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_similarity(&S, NULL, NULL, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_similarity(&S, oblong, NULL, 1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_similarity(&S, A, oblong, 1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_similarity(&S, A, larger, 1), GrB_DIMENSION_MISMATCH);
  assert_non_null(strstr(Grid_last_error(), "pairs is not of the size of A"));
  assert_int_equal(Grid_similarity(&S, A, NULL, -1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_similarity(&S, A, NULL, MEASURES), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_similarity: measure"));
  assert_null(S);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
  GrB_Matrix_free(&larger);
}

/* The checker detects wrong, missing, additional and doubled pairs. */
static void wrong_results_detected(void **state) {
  (void)state;
  static named_graph g;
  char text[300];
  named_make(&g, 5);
  GrB_Matrix A = named_matrix(&g, GrB_BOOL);
  compute(A, NULL, Grid_SIMILARITY_JACCARD);
#define CHECKED(n) check_similarity(&g.list, NULL, CHECK_JACCARD, row, col, value, n, text, sizeof text)
  assert_null(CHECKED(count));
  assert_non_null(CHECKED(count - 1));
  row[count] = row[0], col[count] = col[0], value[count] = value[0];
  assert_non_null(CHECKED(count + 1));
  col[count] = row[0];
  assert_non_null(CHECKED(count + 1));
  value[count / 2] += 1e-9;
  assert_non_null(CHECKED(count));
  value[count / 2] = (double)NAN;
  assert_non_null(CHECKED(count));
#undef CHECKED
  GrB_Matrix_free(&A);
}

NAMED_MAIN("similarity", cmocka_unit_test(matches_checker), cmocka_unit_test(square_with_diagonal),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_results_detected))
