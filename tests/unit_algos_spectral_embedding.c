/* Grid_spectral_embedding on all named graphs with weights, by the checker; known spectra; graphs without
 * edges or of several components; its errors; the checker against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/linear_algebra/check_spectral_embedding.h"

static double weights[MAX_EDGES];

/* The edges in both directions, without loops; weights from 1 to 5 by their ends, or 1. */
static GrB_Matrix adjacency(const named_graph *g, GrB_Type type, bool weighted) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, type, g->list.n, g->list.n), GrB_SUCCESS);
  for (uint64_t k = 0; k < g->list.m; k++) {
    const uint64_t v = g->from[k], w = g->to[k];
    weights[k] = weighted ? (double)(1 + (v + w + 3 * v * w) % 5) : 1;
    if (v == w) continue;
    assert_int_equal(GrB_Matrix_setElement_FP64(A, weights[k], v, w), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_setElement_FP64(A, weights[k], w, v), GrB_SUCCESS);
  }
  return A;
}

typedef struct {
  uint64_t n, k, iterations;
  double value[MAX_VERTICES], x[MAX_VERTICES * 4], residual; /* n x k by rows */
} embedding;

static void compute(embedding *s, GrB_Matrix A, uint64_t n, int64_t k, double tolerance) {
  static named_list e;
  GrB_Vector values;
  GrB_Matrix X;
  assert_int_equal(Grid_spectral_embedding(&values, &X, &s->iterations, &s->residual, A, k, tolerance, n, 7),
                   GrB_SUCCESS);
  s->n = n, s->k = (uint64_t)k;
  named_values(s->value, values, s->k);
  named_entries(&e, X);
  assert_int_equal(e.n, n * s->k); /* full */
  for (GrB_Index i = 0; i < e.n; i++) s->x[e.row[i] * s->k + e.col[i]] = e.value[i];
  GrB_Vector_free(&values), GrB_Matrix_free(&X);
}

static const char *check_named(const named_graph *g, const embedding *s) {
  static char text[300];
  check_graph list = g->list;
  list.weight = weights, list.both_directions = true, list.loops = false;
  const check_embedding is = {
      .k = s->k, .value = s->value, .coordinates = s->x, .residual = s->residual, .all = true};
  return check_spectral_embedding(&list, &is, text, sizeof text);
}

static void solves_the_equation(void **state) {
  static named_graph g;
  static embedding s;
  const GrB_Type types[] = {GrB_FP64, GrB_INT32};
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    const uint64_t n = g.list.n;
    GrB_Matrix A = adjacency(&g, types[k % 2], true);
    compute(&s, A, n, n < 2 ? 1 : n < 5 ? (int64_t)n - 1 : 4, 0);
    assert_named_correct(check_named(&g, &s), &g);
    GrB_Matrix_free(&A);
  }
}

static void assert_values(const embedding *s, double first, double second, double third) {
  const double wanted[] = {first, second, third};
  for (int c = 0; c < 3; c++) assert_true(fabs(s->value[c] - wanted[c]) < 1e-9);
}

/* A path of n: 1 - cos(j pi / (n - 1)); a clique of 12: 12 / 11; two triangles and a vertex: 0, 1, 3 / 2; the
 * first coordinate has one number at each triangle. */
static void known_spectra(void **state) {
  static named_graph g;
  static embedding s;
  named_make(&g, 3);
  GrB_Matrix A = adjacency(&g, GrB_BOOL, false);
  const double step = acos(-1) / (double)(g.list.n - 1);
  compute(&s, A, g.list.n, 3, 0);
  assert_values(&s, 1 - cos(step), 1 - cos(2 * step), 1 - cos(3 * step));
  GrB_Matrix_free(&A);
  named_make(&g, 6);
  A = adjacency(&g, GrB_FP64, false);
  compute(&s, A, 12, 3, 1e-10);
  assert_values(&s, 12. / 11, 12. / 11, 12. / 11);
  GrB_Matrix_free(&A);
  named_make(&g, 8);
  A = adjacency(&g, GrB_FP64, false);
  compute(&s, A, g.list.n, 3, 0);
  assert_values(&s, 0, 1, 1.5);
  for (uint64_t k = 0; k < g.list.m; k++)
    assert_true(fabs(s.x[3 * g.from[k]] - s.x[3 * g.to[k]]) < 1e-9 && fabs(s.x[3 * g.from[k]]) > 0.1);
  GrB_Matrix_free(&A);
}

/* All values of stars of n vertices: 1, and 2 at last. They are bipartite, so that -1 is an eigenvalue of N,
 * and no coordinate may have a part along the constant vector. */
static void all_values_of_stars(void **state) {
  static embedding s;
  GrB_Matrix A;
  for (GrB_Index n = 2; n <= 5; n++) {
    assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, n, n), GrB_SUCCESS);
    for (GrB_Index v = 1; v < n; v++) {
      assert_int_equal(GrB_Matrix_setElement_FP64(A, 3, 0, v), GrB_SUCCESS);
      assert_int_equal(GrB_Matrix_setElement_FP64(A, 3, v, 0), GrB_SUCCESS);
    }
    compute(&s, A, n, (int64_t)n - 1, 0);
    for (uint64_t c = 0; c < s.k; c++) {
      double sum = 0; /* x' D 1 */
      for (GrB_Index v = 0; v < n; v++) sum += s.x[v * s.k + c] * 3 * (double)(v == 0 ? n - 1 : 1);
      assert_true(fabs(sum) < 1e-12 && fabs(s.value[c] - (c + 1 < s.k ? 1 : 2)) < 1e-12);
    }
    GrB_Matrix_free(&A);
  }
}

/* All values are 1 where there are no edges. */
static void without_edges(void **state) {
  static embedding s;
  GrB_Matrix A;
  for (GrB_Index n = 1; n <= 5; n += 4) {
    assert_int_equal(GrB_Matrix_new(&A, GrB_INT8, n, n), GrB_SUCCESS);
    compute(&s, A, n, n == 1 ? 1 : 4, 0);
    for (uint64_t c = 0; c < s.k; c++) assert_true(s.value[c] == 1);
    GrB_Matrix_free(&A);
  }
}

static void assert_refused(GrB_Info wanted, GrB_Matrix A, int64_t k, double tolerance) {
  GrB_Vector values = NULL;
  GrB_Matrix X = NULL;
  uint64_t iterations = 77;
  double residual = 77;
  assert_int_equal(Grid_spectral_embedding(&values, &X, &iterations, &residual, A, k, tolerance, 9, 0),
                   wanted);
  assert_non_null(strstr(Grid_last_error(), "Grid_spectral_embedding"));
  assert_true(values == NULL && X == NULL && iterations == 77 && residual == 77);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, X = NULL;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_spectral_embedding(NULL, NULL, NULL, NULL, A, 1, 0, 9, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_spectral_embedding(NULL, &X, NULL, NULL, A, 2, 0, 9, 0), GrB_SUCCESS);
  GrB_Matrix_free(&X);
  assert_refused(GrB_NULL_POINTER, NULL, 1, 0);
  assert_refused(GrB_DIMENSION_MISMATCH, oblong, 1, 0);
  assert_refused(GrB_INVALID_VALUE, A, 0, 0);
  assert_refused(GrB_INVALID_VALUE, A, 3, 0); /* with the constant vector there are three */
  assert_refused(GrB_INVALID_VALUE, A, 1, -1);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, HUGE_VAL, 1, 2), GrB_SUCCESS);
  assert_refused(GrB_INVALID_VALUE, A, 1, 0);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, -1, 1, 2), GrB_SUCCESS);
  assert_refused(GrB_INVALID_VALUE, A, 1, 0);
  assert_non_null(strstr(Grid_last_error(), "below 0: -1"));
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

/* Of a random graph, whose eigenvalues differ. */
static void wrong_answers_detected(void **state) {
  static named_graph g;
  static embedding s, wrong;
  named_dense(&g, 20);
  GrB_Matrix A = adjacency(&g, GrB_FP64, true);
  compute(&s, A, g.list.n, 2, 0);
  assert_null(check_named(&g, &s));
  wrong = s, wrong.x[0] += 1e-4;
  assert_non_null(check_named(&g, &wrong));
  wrong = s, wrong.value[1] += 1e-4;
  assert_non_null(check_named(&g, &wrong));
  wrong = s;
  for (uint64_t i = 0; i < s.n * s.k; i++) wrong.x[i] += 0.1; /* not orthogonal to the constant vector */
  assert_non_null(check_named(&g, &wrong));
  wrong = s, wrong.k = 1, wrong.value[0] = s.value[1];
  for (uint64_t i = 0; i < s.n; i++) wrong.x[i] = s.x[2 * i + 1]; /* the smallest value is missing */
  assert_non_null(check_named(&g, &wrong));
  GrB_Matrix_free(&A);
}

NAMED_MAIN("spectral_embedding", cmocka_unit_test(solves_the_equation), cmocka_unit_test(known_spectra),
           cmocka_unit_test(all_values_of_stars), cmocka_unit_test(without_edges),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_answers_detected))
