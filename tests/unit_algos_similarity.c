/* Grid_similarity against the serial checker, known answers, wrong arguments, and the checker against wrong
 * answers. */
#include "tests/named_graphs.h"

#include "algos/rows/row_panels.h"
#include "algos/communities/similarity.h"
#include "bench/check/communities/check_similarity.h"

enum { MOST_PAIRS = MAX_VERTICES * MAX_VERTICES, MEASURES = Grid_SIMILARITY_RESOURCE_ALLOCATION + 1 };
static GrB_Index row[MOST_PAIRS], col[MOST_PAIRS], count;
static double value[MOST_PAIRS];

/* For the k best by panels of few rows. */
static void compute(GrB_Matrix A, GrB_Matrix pairs, int measure, int64_t k) {
  GrB_Matrix S;
  assert_int_equal(k == 0 ? Grid_similarity(&S, A, pairs, measure, k)
                          : grid_similarity_by_panels(&S, A, pairs, measure, k, 40),
                   GrB_SUCCESS);
  count = MOST_PAIRS;
  assert_int_equal(GrB_Matrix_extractTuples_FP64(row, col, value, &count, S), GrB_SUCCESS);
  GrB_Matrix_free(&S);
}

/* Of all pairs, of the edges of another graph, and the best of both. */
static void matches_checker(void **state) {
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
    for (int part = 0; part < 4; part++) {
      const int measure = (2 * k + part) % MEASURES, best = part < 2 ? 0 : 1 + k % 4;
      const bool all = part % 2 == 0;
      compute(A, all ? NULL : pairs, measure, best);
      assert_named_correct(check_similarity(&g.list, all ? NULL : &h.list, measure, (uint64_t)best, row, col,
                                            value, count, text, sizeof text),
                           &g);
    }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&pairs);
  }
}

/* 0 - 1, 1 - 2, 2 - 3, 3 - 0, 0 - 2: 1 and 3 have the neighbours 0 and 2, of three each; 0 and 1 have 2. */
static void square_with_diagonal(void **state) {
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
    compute(A, pairs, measure, 0);
    assert_int_equal(count, 2);
    for (int k = 0; k < 2; k++)
      assert_true(fabs(value[k] - (row[k] == 0 ? of_0_1 : of_1_3)[measure]) < 1e-15);
    compute(A, NULL, measure, 0);
    assert_int_equal(count, 12);
    compute(A, NULL, measure, 3);
    assert_int_equal(count, 12);
    compute(A, pairs, measure, 1);
    assert_int_equal(count, 2);
  }
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&pairs);
}

/* All vertices of a star but its center are equally similar: those with the smallest numbers count. */
static void equal_similarities(void **state) {
  static named_graph g;
  named_make(&g, 5);
  GrB_Matrix A = named_pattern(&g);
  compute(A, NULL, Grid_SIMILARITY_COSINE, 2);
  assert_int_equal(count, 2 * 29);
  for (GrB_Index e = 0; e < count; e++) assert_true(value[e] == 1 && col[e] >= 1 && col[e] <= 3);
  GrB_Matrix_free(&A);
}

/* Rows of more and of fewer entries than a panel, empty ones, and none. */
static void panels(void **state) {
  const double bound[] = {0, 3, 2, 9, 0, 1, 1, 1, 30, 0};
  const uint64_t want[] = {0, 3, 4, 4, 7, 9, 9, 9, 9, 9, 9, 9, 9};
  GrB_Vector v;
  uint64_t *start, number;
  assert_int_equal(GrB_Vector_new(&v, GrB_FP64, 10), GrB_SUCCESS);
  assert_int_equal(grid_row_panels(&start, &number, v, 4), GrB_SUCCESS);
  assert_true(number == 1 && start[0] == 0 && start[1] == 0);
  free(start);
  for (GrB_Index i = 0; i < 10; i++)
    if (bound[i] > 0) assert_int_equal(GrB_Vector_setElement_FP64(v, bound[i], i), GrB_SUCCESS);
  assert_int_equal(grid_row_panels(&start, &number, v, 4), GrB_SUCCESS);
  assert_int_equal(number, 12);
  for (uint64_t p = 0; p <= number; p++) assert_int_equal(start[p], want[p]);
  free(start);
  GrB_Vector_free(&v);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, larger, S = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&larger, GrB_BOOL, 6, 6), GrB_SUCCESS);
  assert_int_equal(Grid_similarity(NULL, A, NULL, 1, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_similarity(&S, NULL, NULL, 1, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_similarity(&S, oblong, NULL, 1, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_similarity(&S, A, oblong, 1, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_similarity(&S, A, larger, 1, 0), GrB_DIMENSION_MISMATCH);
  assert_non_null(strstr(Grid_last_error(), "pairs is "));
  assert_int_equal(Grid_similarity(&S, A, NULL, -1, 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_similarity(&S, A, NULL, MEASURES, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_similarity: measure"));
  assert_int_equal(Grid_similarity(&S, A, NULL, 1, -1), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_similarity: k"));
  assert_null(S);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
  GrB_Matrix_free(&larger);
}

/* The checker detects wrong, missing, additional and doubled pairs. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  char text[300];
  named_make(&g, 5);
  GrB_Matrix A = named_matrix(&g, GrB_BOOL);
  compute(A, NULL, Grid_SIMILARITY_JACCARD, 0);
  uint64_t best = 0;
#define CHECKED(n) check_similarity(&g.list, NULL, CHECK_JACCARD, best, row, col, value, n, text, sizeof text)
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
  best = 2;
  named_make(&g, 12);
  GrB_Matrix_free(&A);
  A = named_matrix(&g, GrB_BOOL);
  compute(A, NULL, Grid_SIMILARITY_JACCARD, 2);
  assert_null(CHECKED(count));
  assert_non_null(CHECKED(count - 1));
  best = 1;
  assert_non_null(CHECKED(count));
  best = 2;
  compute(A, NULL, Grid_SIMILARITY_JACCARD, 0);
  GrB_Index n_short = 0; /* the first two of each row, not the best */
  for (GrB_Index e = 0; e < count; e++)
    if (n_short < 2 || row[n_short - 2] != row[e])
      row[n_short] = row[e], col[n_short] = col[e], value[n_short++] = value[e];
  assert_non_null(CHECKED(n_short));
#undef CHECKED
  GrB_Matrix_free(&A);
}

NAMED_MAIN("similarity", cmocka_unit_test(matches_checker), cmocka_unit_test(square_with_diagonal),
           cmocka_unit_test(equal_similarities), cmocka_unit_test(panels), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
