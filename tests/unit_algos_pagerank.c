/* Grid_pagerank against the serial checker, known ranks, and the checker against wrong ones. */
#include "tests/named_graphs.h"

#include "bench/check/centrality/check_pagerank.h"

/* All variants in turn: with sinks and without, personalised, single precision, by tolerance and by number.
 */
static void matches_checker(void **state) {
  static named_graph g;
  double rank[MAX_VERTICES], change;
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++)
    for (int variant = 0; variant < 4; variant++) {
      named_make(&g, k);
      const uint64_t n = g.list.n, source[] = {n - 1, n / 2};
      const bool plain = variant == 1, single = variant == 2, personal = variant == 3;
      check_pagerank_job job = {.damping = variant == 3 ? 0.6 : 0.85,
                                .tolerance = k % 2 == 0 ? 1e-5 : 0,
                                .limit = 12,
                                .source = source,
                                .nsources = personal ? (n > 1 ? 2 : 1) : 0,
                                .plain = plain,
                                .allowed = single ? 1e-5 : 1e-12};
      GrB_Matrix A = named_matrix(&g, GrB_INT32);
      GrB_Vector restart = NULL, v;
      uint64_t iterations;
      if (personal) {
        assert_int_equal(GrB_Vector_new(&restart, GrB_INT8, n), GrB_SUCCESS);
        for (uint64_t s = 0; s < job.nsources; s++)
          assert_int_equal(GrB_Vector_setElement_INT8(restart, 3, source[s]), GrB_SUCCESS);
      }
      assert_int_equal(
          Grid_pagerank(&v, &iterations, &change, A, restart, job.damping, job.tolerance, job.limit,
                        (plain ? Grid_PAGERANK_PLAIN : 0) | (single ? Grid_PAGERANK_FP32 : 0)),
          GrB_SUCCESS);
      named_values(rank, v, n);
      assert_named_correct(check_pagerank(&g.list, &job, rank, iterations, text, sizeof text), &g);
      GrB_Vector_free(&v);
      GrB_Vector_free(&restart);
      GrB_Matrix_free(&A);
    }
}

/* A star's hub and leaves: hub = (1 - d) / n + d * leaves, leaf = (1 - d) / n + d * hub / (n - 1). */
static void star(void **state) {
  static named_graph g;
  double rank[MAX_VERTICES];
  named_make(&g, 5);
  const double d = 0.85, n = (double)g.list.n, hub = (1 - d) * (1 + d * (n - 1)) / n / (1 - d * d);
  GrB_Matrix A = named_matrix(&g, GrB_BOOL);
  GrB_Vector v;
  assert_int_equal(Grid_pagerank(&v, NULL, NULL, A, NULL, d, 1e-13, 1000, 0), GrB_SUCCESS);
  named_values(rank, v, g.list.n);
  assert_true(fabs(rank[0] - hub) < 1e-12);
  assert_true(fabs(rank[7] - (1 - hub) / (n - 1)) < 1e-12);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

/* Without a tolerance the change is that of the last iteration, too. */
static void last_change(void **state) {
  static named_graph g;
  double always, once;
  named_make(&g, 11);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  GrB_Vector v;
  assert_int_equal(Grid_pagerank(&v, NULL, &always, A, NULL, 0.85, 1e-300, 7, 0), GrB_SUCCESS);
  GrB_Vector_free(&v);
  assert_int_equal(Grid_pagerank(&v, NULL, &once, A, NULL, 0.85, 0, 7, 0), GrB_SUCCESS);
  GrB_Vector_free(&v);
  assert_true(once > 0 && once == always);
  GrB_Matrix_free(&A);
}

/* Without an iteration the result is the initial ranks. */
static void no_iteration(void **state) {
  static named_graph g;
  double rank[MAX_VERTICES], change = 5;
  uint64_t iterations = 5;
  GrB_Vector v;
  named_make(&g, 3);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  assert_int_equal(Grid_pagerank(&v, &iterations, &change, A, NULL, 0.85, 1e-6, 0, 0), GrB_SUCCESS);
  named_values(rank, v, g.list.n);
  for (uint64_t k = 0; k < g.list.n; k++) assert_true(fabs(rank[k] - 1 / 150.0) < 1e-15);
  assert_int_equal(iterations, 0);
  assert_true(change == 0);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector const untouched = (GrB_Vector)(uintptr_t)8;
  GrB_Vector v = untouched, odd, shorter;
  uint64_t iterations = 77;
  const double nan = (double)NAN;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&odd, GrB_FP64, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&shorter, GrB_FP64, 4), GrB_SUCCESS);
#define TRIED(A_, personal, damping, tolerance) \
  Grid_pagerank(&v, &iterations, NULL, A_, personal, damping, tolerance, 10, 0)
  assert_int_equal(Grid_pagerank(NULL, NULL, NULL, A, NULL, 0.85, 0, 10, 0), GrB_NULL_POINTER);
  assert_int_equal(TRIED(NULL, NULL, 0.85, 0), GrB_NULL_POINTER);
  assert_int_equal(TRIED(oblong, NULL, 0.85, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(TRIED(A, shorter, 0.85, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(TRIED(A, NULL, 1.5, 0), GrB_INVALID_VALUE);
  assert_int_equal(TRIED(A, NULL, nan, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "damping is nan, not in 0..1"));
  assert_int_equal(TRIED(A, NULL, 0.85, -1.0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "tolerance is -1, not 0 or more"));
  assert_int_equal(TRIED(A, NULL, 0.85, nan), GrB_INVALID_VALUE);
  assert_int_equal(TRIED(A, odd, 0.85, 0), GrB_INVALID_VALUE); /* no restart anywhere */
  const double values[] = {-1, nan, (double)INFINITY};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(GrB_Vector_setElement_FP64(odd, 2.0, 1), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_setElement_FP64(odd, values[k], 3), GrB_SUCCESS);
    assert_int_equal(TRIED(A, odd, 0.85, 0), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "Grid_pagerank"));
  }
#undef TRIED
  assert_ptr_equal(v, untouched);
  assert_int_equal(iterations, 77);
  GrB_Vector_free(&odd);
  GrB_Vector_free(&shorter);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
}

/* The checker detects ranks that are wrong, missing or NaN, and a wrong number of iterations. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  double rank[MAX_VERTICES], right[MAX_VERTICES];
  char text[300];
  GrB_Vector v;
  uint64_t done;
  const check_pagerank_job job = {.damping = 0.85, .tolerance = 1e-6, .limit = 100, .allowed = 1e-12};
  named_make(&g, 11);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  assert_int_equal(Grid_pagerank(&v, &done, NULL, A, NULL, 0.85, 1e-6, 100, 0), GrB_SUCCESS);
  named_values(right, v, g.list.n);
  assert_null(check_pagerank(&g.list, &job, right, done, text, sizeof text));
  assert_non_null(check_pagerank(&g.list, &job, right, done + 1, text, sizeof text));
  assert_non_null(check_pagerank(&g.list, &job, right, done - 1, text, sizeof text));
  assert_non_null(check_pagerank(&g.list, &job, right, 101, text, sizeof text));
  memcpy(rank, right, sizeof rank);
  rank[3] += 1e-9;
  assert_non_null(check_pagerank(&g.list, &job, rank, done, text, sizeof text));
  rank[3] = (double)NAN;
  assert_non_null(check_pagerank(&g.list, &job, rank, done, text, sizeof text));
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

NAMED_MAIN("pagerank", cmocka_unit_test(matches_checker), cmocka_unit_test(star),
           cmocka_unit_test(last_change), cmocka_unit_test(no_iteration), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
