/* Grid_katz, Grid_eigenvector and Grid_hits against the serial checker, known answers, wrong arguments, and
 * the checker against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/centrality/check_walk_centrality.h"

static int32_t type_of(GrB_Vector v) {
  int32_t code;
  assert_int_equal(GrB_Vector_get_INT32(v, &code, GrB_EL_TYPE_CODE), GrB_SUCCESS);
  return code;
}

/* The result of one kind, of HITS in two arrays. */
static void compute(double *value, double *second, check_walk_job *is, GrB_Matrix A, GrB_Vector start,
                    GrB_Vector beta, uint64_t n) {
  GrB_Vector v = NULL, w = NULL;
  double change;
  GrB_Info info;
  if (is->kind == CHECK_KATZ)
    info = Grid_katz(&v, &is->iterations, &change, A, start, beta, is->alpha, is->tolerance, is->limit);
  else if (is->kind == CHECK_EIGENVECTOR)
    info = Grid_eigenvector(&v, &is->iterations, &change, A, start, is->tolerance, is->limit);
  else
    info = Grid_hits(&v, &w, &is->iterations, &change, A, start, is->tolerance, is->limit);
  assert_int_equal(info, GrB_SUCCESS);
  assert_true(is->iterations == is->limit || change < is->tolerance);
  const int32_t type = start != NULL && type_of(start) == GrB_FP32_CODE ? GrB_FP32_CODE : GrB_FP64_CODE;
  assert_int_equal(type_of(v), type);
  if (w != NULL) assert_int_equal(type_of(w), type);
  named_values(value, v, n);
  if (w != NULL) named_values(second, w, n);
  GrB_Vector_free(&v);
  GrB_Vector_free(&w);
}

/* Every kind, with weights and without, from the default start and from another, by tolerance and by number.
 */
static void matches_checker(void **state) {
  static named_graph g;
  static double value[MAX_VERTICES], second[MAX_VERTICES], start[MAX_VERTICES], beta[MAX_VERTICES];
  char text[300];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++)
    for (int variant = 0; variant < 6; variant++) {
      named_make(&g, k);
      const uint64_t n = g.list.n;
      const bool weighted = variant >= 3, given = (k + variant) % 2 == 1;
      check_graph list = g.list;
      if (!weighted) list.weight = NULL;
      GrB_Matrix A = named_build(&g, weighted ? GrB_INT32 : GrB_BOOL, !weighted);
      GrB_Vector from = NULL, add = NULL;
      for (uint64_t v = 0; v < n; v++) start[v] = 0, beta[v] = 0;
      start[n - 1] = 2, start[0] = 3, beta[n / 2] = 1.5;
      if (given) {
        assert_int_equal(GrB_Vector_new(&from, GrB_INT16, n), GrB_SUCCESS);
        assert_int_equal(GrB_Vector_new(&add, GrB_FP32, n), GrB_SUCCESS);
        for (uint64_t v = 0; v < n; v++) {
          if (start[v] > 0) assert_int_equal(GrB_Vector_setElement_FP64(from, start[v], v), GrB_SUCCESS);
          if (beta[v] > 0) assert_int_equal(GrB_Vector_setElement_FP64(add, beta[v], v), GrB_SUCCESS);
        }
      }
      check_walk_job is = {.kind = (check_walk_kind)(variant % 3),
                           .alpha = 0.01,
                           .start = given ? start : NULL,
                           .beta = given ? beta : NULL,
                           .tolerance = k % 2 == 0 ? 1e-3 : 0,
                           .limit = 15,
                           .allowed = 1e-12};
      compute(value, second, &is, A, from, add, n);
      assert_named_correct(
          check_walk_centrality(&list, &is, value, is.kind == CHECK_HITS ? second : NULL, text, sizeof text),
          &g);
      GrB_Vector_free(&from);
      GrB_Vector_free(&add);
      GrB_Matrix_free(&A);
    }
}

static void assert_near(const double *single, const double *value, uint64_t n) {
  for (uint64_t v = 0; v < n; v++)
    if (!(fabs(single[v] - value[v]) <= 1e-6 * fabs(value[v])))
      fail_msg("vertex %d has %.9g in FP32, %.9g in FP64", (int)v, single[v], value[v]);
}

/* A start of FP32 gives results of that type, near those of FP64, with weights and without. */
static void single_precision(void **state) {
  static named_graph g;
  static double value[2][MAX_VERTICES], second[2][MAX_VERTICES];
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++)
    for (int variant = 0; variant < 6; variant++) {
      named_make(&g, k);
      const uint64_t n = g.list.n;
      GrB_Matrix A = variant >= 3 ? named_matrix(&g, GrB_INT32) : named_pattern(&g);
      for (int single = 0; single < 2; single++) {
        const GrB_Type type = single ? GrB_FP32 : GrB_FP64;
        GrB_Vector start;
        check_walk_job is = {.kind = (check_walk_kind)(variant % 3), .alpha = 0.01, .limit = 8};
        assert_int_equal(GrB_Vector_new(&start, type, n), GrB_SUCCESS);
        for (uint64_t v = 0; v < n; v++)
          assert_int_equal(GrB_Vector_setElement_FP64(start, (double)(v % 5) + 0.5, v), GrB_SUCCESS);
        compute(value[single], second[single], &is, A, start, NULL, n);
        GrB_Vector_free(&start);
      }
      assert_near(value[1], value[0], n);
      if (variant % 3 == CHECK_HITS) assert_near(second[1], second[0], n);
      GrB_Matrix_free(&A);
    }
}

/* A star of n vertices, both directions. Katz: hub = 1 + a (n - 1) leaf, leaf = 1 + a hub. Eigenvector: the
 * hub is sqrt(n - 1) times a leaf, of norm 1. */
static void star(void **state) {
  static named_graph g;
  static double value[MAX_VERTICES];
  named_make(&g, 5);
  const double a = 0.01, leaves = (double)g.list.n - 1, hub = (1 + a * leaves) / (1 - a * a * leaves);
  GrB_Matrix A = named_matrix(&g, GrB_BOOL);
  check_walk_job katz = {.kind = CHECK_KATZ, .alpha = a, .tolerance = 1e-13, .limit = 1000};
  compute(value, NULL, &katz, A, NULL, NULL, g.list.n);
  assert_true(fabs(value[0] - hub) < 1e-11);
  assert_true(fabs(value[3] - (1 + a * hub)) < 1e-11);
  check_walk_job eigen = {.kind = CHECK_EIGENVECTOR, .tolerance = 1e-13, .limit = 1000};
  compute(value, NULL, &eigen, A, NULL, NULL, g.list.n);
  assert_true(fabs(value[0] - sqrt(0.5)) < 1e-11);
  assert_true(fabs(value[3] - sqrt(0.5 / leaves)) < 1e-11);
  GrB_Matrix_free(&A);
}

/* 0 -> 2, 1 -> 2, 1 -> 3: the hubs are in the ratio of (1 + sqrt 5) / 2, as the authorities are. */
static void golden_hubs(void **state) {
  const GrB_Index from[] = {0, 1, 1}, to[] = {2, 2, 3};
  double hub[MAX_VERTICES], authority[MAX_VERTICES] = {0};
  const double golden = (1 + sqrt(5)) / 2;
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_INT8, 4, 4), GrB_SUCCESS);
  for (int k = 0; k < 3; k++) assert_int_equal(GrB_Matrix_setElement_INT8(A, 1, from[k], to[k]), GrB_SUCCESS);
  check_walk_job is = {.kind = CHECK_HITS, .tolerance = 1e-13, .limit = 1000};
  compute(hub, authority, &is, A, NULL, NULL, 4);
  assert_true(fabs(hub[1] / hub[0] - golden) < 1e-11 && fabs(hub[0] + hub[1] - 1) < 1e-12);
  assert_true(fabs(authority[2] / authority[3] - golden) < 1e-11);
  assert_true(hub[2] == 0 && authority[0] == 0);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector const untouched = (GrB_Vector)(uintptr_t)8;
  GrB_Vector v = untouched, second = untouched, zero, shorter, single;
  uint64_t iterations = 77;
  const double nan = (double)NAN;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&zero, GrB_FP64, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&shorter, GrB_FP64, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&single, GrB_FP32, 5), GrB_SUCCESS);
#define KATZ(A_, start, beta, alpha, tolerance) \
  Grid_katz(&v, &iterations, NULL, A_, start, beta, alpha, tolerance, 9)
#define EIGENVECTOR(A_, start, tolerance) Grid_eigenvector(&v, &iterations, NULL, A_, start, tolerance, 9)
#define HITS(A_, start, tolerance)        Grid_hits(&v, &second, &iterations, NULL, A_, start, tolerance, 9)
  assert_int_equal(Grid_katz(NULL, NULL, NULL, A, NULL, NULL, 0.1, 0, 9), GrB_NULL_POINTER);
  assert_int_equal(Grid_eigenvector(NULL, NULL, NULL, A, NULL, 0, 9), GrB_NULL_POINTER);
  assert_int_equal(Grid_hits(NULL, NULL, NULL, NULL, A, NULL, 0, 9), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_hits: both outputs are NULL"));
  assert_int_equal(KATZ(NULL, NULL, NULL, 0.1, 0), GrB_NULL_POINTER);
  assert_int_equal(KATZ(oblong, NULL, NULL, 0.1, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(KATZ(A, shorter, NULL, 0.1, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(KATZ(A, NULL, shorter, 0.1, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(KATZ(A, NULL, NULL, nan, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_katz: alpha is "));
  assert_int_equal(KATZ(A, single, NULL, 1e39, 0), GrB_INVALID_VALUE);
  assert_int_equal(KATZ(A, NULL, NULL, 0.1, -1), GrB_INVALID_VALUE);
  assert_int_equal(EIGENVECTOR(oblong, NULL, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(EIGENVECTOR(A, shorter, 0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(EIGENVECTOR(A, zero, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_eigenvector: the sum of start is 0"));
  assert_int_equal(EIGENVECTOR(A, NULL, nan), GrB_INVALID_VALUE);
  assert_int_equal(HITS(NULL, NULL, 0), GrB_NULL_POINTER);
  assert_int_equal(HITS(A, zero, 0), GrB_INVALID_VALUE);
  assert_int_equal(HITS(A, NULL, -1), GrB_INVALID_VALUE);
  assert_int_equal(Grid_hits(&v, &v, NULL, NULL, A, NULL, 0, 9), GrB_INVALID_VALUE);
  assert_true(v == untouched && second == untouched);
  assert_int_equal(iterations, 77);
  GrB_Vector_free(&zero);
  GrB_Vector_free(&shorter);
  GrB_Vector_free(&single);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
}

/* The checker detects wrong values and a wrong number of iterations. */
static void wrong_results_detected(void **state) {
  static named_graph g;
  static double value[MAX_VERTICES], second[MAX_VERTICES];
  char text[300];
  named_make(&g, 11);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  for (int kind = 0; kind < 3; kind++) {
    check_walk_job is = {
        .kind = (check_walk_kind)kind, .alpha = 1e-3, .tolerance = 1e-4, .limit = 5000, .allowed = 1e-12};
    const double *other = kind == CHECK_HITS ? second : NULL;
    compute(value, second, &is, A, NULL, NULL, g.list.n);
#define CHECKED() check_walk_centrality(&g.list, &is, value, other, text, sizeof text)
    assert_null(CHECKED());
    is.iterations++;
    assert_non_null(CHECKED());
    is.iterations -= 2;
    assert_non_null(CHECKED());
    is.iterations++;
    value[3] += 1e-6;
    assert_non_null(CHECKED());
    value[3] = (double)NAN;
    assert_non_null(CHECKED());
#undef CHECKED
  }
  GrB_Matrix_free(&A);
}

NAMED_MAIN("walk centrality", cmocka_unit_test(matches_checker), cmocka_unit_test(single_precision),
           cmocka_unit_test(star), cmocka_unit_test(golden_hubs), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_results_detected))
