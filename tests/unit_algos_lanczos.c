/* Grid_lanczos and Grid_singular_values against known spectra, the number of eigenvalues above a bound by
 * elimination in plain C, and the checker; their limits and errors; the checker against wrong pairs. */
#include "tests/named_graphs.h"

#include "bench/check/linear_algebra/check_eigenpairs.h"

static double dense[MAX_VERTICES][MAX_VERTICES];

/* The adjacency matrix, in both directions, without loops; weight 1. */
static GrB_Matrix adjacency(const named_graph *g, GrB_Type type) {
  GrB_Matrix A;
  memset(dense, 0, sizeof dense);
  assert_int_equal(GrB_Matrix_new(&A, type, g->list.n, g->list.n), GrB_SUCCESS);
  for (uint64_t k = 0; k < g->list.m; k++)
    if (g->from[k] != g->to[k]) dense[g->from[k]][g->to[k]] = dense[g->to[k]][g->from[k]] = 1;
  for (uint64_t i = 0; i < g->list.n; i++)
    for (uint64_t j = 0; j < g->list.n; j++)
      if (dense[i][j] != 0) assert_int_equal(GrB_Matrix_setElement_FP64(A, 1, i, j), GrB_SUCCESS);
  return A;
}

/* The number of eigenvalues of `dense` above x: of positive pivots when A - x is eliminated (Sylvester). */
static uint64_t count_above(uint64_t n, double x) {
  static double a[MAX_VERTICES][MAX_VERTICES];
  uint64_t positive = 0;
  memcpy(a, dense, sizeof a);
  for (uint64_t i = 0; i < n; i++) a[i][i] -= x;
  for (uint64_t p = 0; p < n; p++) {
    positive += a[p][p] > 0;
    for (uint64_t i = p + 1; i < n; i++) {
      const double f = a[i][p] / a[p][p];
      for (uint64_t j = p; f != 0 && j < n; j++) a[i][j] -= f * a[p][j];
    }
  }
  return positive;
}

typedef struct {
  uint64_t n, k, iterations;
  double value[MAX_VERTICES], vector[MAX_VERTICES * 8], residual; /* n x k by rows */
} pairs;

static void compute(pairs *p, GrB_Matrix A, uint64_t n, int64_t k, double tolerance, uint64_t limit) {
  static named_list e;
  GrB_Vector values;
  GrB_Matrix V;
  assert_int_equal(Grid_lanczos(&values, &V, &p->iterations, &p->residual, A, k, tolerance, limit, 7),
                   GrB_SUCCESS);
  p->n = n, p->k = (uint64_t)k;
  named_values(p->value, values, p->k);
  named_entries(&e, V);
  assert_int_equal(e.n, n * p->k); /* full */
  for (GrB_Index i = 0; i < e.n; i++) p->vector[e.row[i] * p->k + e.col[i]] = e.value[i];
  GrB_Vector_free(&values), GrB_Matrix_free(&V);
}

/* The checker's graph, and vectors as it takes them. */
static const char *check_named(const named_graph *g, const double *value, const double *vectors,
                               const double *left, uint64_t k) {
  static char text[300];
  check_graph list = g->list;
  list.weight = NULL, list.both_directions = true, list.loops = false;
  const check_pairs is = {
      .columns = list.n, .k = k, .value = value, .vectors = vectors, .left = left, .all = true};
  return check_eigenpairs(&list, &is, text, sizeof text);
}

static void matches_elimination(void **state) {
  static named_graph g;
  static pairs p;
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_BOOL};
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    const uint64_t n = g.list.n;
    const int64_t wanted = n < 5 ? (int64_t)n : 5;
    GrB_Matrix A = adjacency(&g, types[k % 3]);
    compute(&p, A, n, wanted, 0, n);
    assert_named_correct(check_named(&g, p.value, p.vector, NULL, p.k), &g);
    const double gap = 1e-6 * (1 + fabs(p.value[0])); /* off the eigenvalues, which elimination cannot take */
    for (uint64_t c = 0; c < p.k; c++) {
      const uint64_t above = count_above(n, p.value[c] + gap), from = count_above(n, p.value[c] - gap);
      if (above > c || from <= c)
        fail_msg("%s: value %d is %.17g, but %d are above it, %d from it on", g.name, (int)c, p.value[c],
                 (int)above, (int)from);
    }
    GrB_Matrix_free(&A);
  }
}

/* Of a path of n: 2 cos(j pi / (n + 1)); a clique of 12: 11 and -1; two triangles: 2 twice, and -1. */
static void known_spectra(void **state) {
  static named_graph g;
  static pairs p;
  named_make(&g, 3);
  GrB_Matrix A = adjacency(&g, GrB_FP64);
  compute(&p, A, g.list.n, 3, 1e-10, 1000);
  for (int c = 0; c < 3; c++)
    assert_true(fabs(p.value[c] - 2 * cos((c + 1) * acos(-1) / (double)(g.list.n + 1))) < 1e-9);
  GrB_Matrix_free(&A);
  named_make(&g, 6);
  A = adjacency(&g, GrB_FP64);
  compute(&p, A, 12, 3, 1e-10, 100);
  assert_true(fabs(p.value[0] - 11) < 1e-12 && fabs(p.value[1] + 1) < 1e-12 && fabs(p.value[2] + 1) < 1e-12);
  GrB_Matrix_free(&A);
  named_make(&g, 8);
  A = adjacency(&g, GrB_FP64);
  compute(&p, A, g.list.n, 3, 1e-10, 100);
  assert_true(fabs(p.value[0] - 2) < 1e-12 && fabs(p.value[1] - 2) < 1e-12 && p.value[2] < 1e-12);
  GrB_Matrix_free(&A);
}

/* A tolerance ends it early, a limit too; a limit below k is k. */
static void stops(void **state) {
  static named_graph g;
  static pairs p;
  named_make(&g, 12);
  GrB_Matrix A = adjacency(&g, GrB_FP64);
  const uint64_t n = g.list.n;
  compute(&p, A, n, 2, 0, n);
  const double best = p.value[0];
  compute(&p, A, n, 2, 1e-3, n);
  assert_true(p.iterations < n && p.residual <= 1e-3 && fabs(p.value[0] - best) < 1e-2);
  compute(&p, A, n, 3, 0, 1);
  assert_true(p.iterations == 3 && p.residual > 0);
  GrB_Matrix_free(&A);
}

/* A 3 x 5 matrix with orthogonal rows of norms 2, 3, 1, which the product of the results gives back. A
 * symmetric matrix has its eigenvalues without their signs. */
static void singular_values(void **state) {
  static named_list left, right;
  const double norm[3] = {2, 3, 1};
  GrB_Matrix A, U, V;
  GrB_Vector values;
  double value[MAX_VERTICES], residual;
  uint64_t iterations;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 5), GrB_SUCCESS);
  for (GrB_Index i = 0; i < 3; i++)
    assert_int_equal(GrB_Matrix_setElement_FP64(A, norm[i] * (i == 1 ? -1 : 1), i, 2 * i), GrB_SUCCESS);
  assert_int_equal(Grid_singular_values(&values, &U, &V, &iterations, &residual, A, 4, 0, 9, 3), GrB_SUCCESS);
  named_values(value, values, 4);
  for (int c = 0; c < 4; c++) assert_true(fabs(value[c] - (c < 3 ? 3 - c : 0)) < 1e-7);
  named_entries(&left, U), named_entries(&right, V);
  assert_int_equal(right.n, 20);
  double product[3][5] = {{0}}; /* U diag(values) V' */
  for (GrB_Index a = 0; a < left.n; a++)
    for (GrB_Index b = 0; b < right.n; b++)
      if (left.col[a] == right.col[b])
        product[left.row[a]][right.row[b]] += left.value[a] * value[left.col[a]] * right.value[b];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++)
      assert_true(fabs(product[i][j] - (j == 2 * i ? norm[i] * (i == 1 ? -1 : 1) : 0)) < 1e-7);
  GrB_Matrix_free(&A), GrB_Matrix_free(&U), GrB_Matrix_free(&V), GrB_Vector_free(&values);

  static named_graph g;
  named_make(&g, 5); /* a star of n vertices: the root of n - 1, twice */
  A = adjacency(&g, GrB_FP64);
  assert_int_equal(Grid_singular_values(&values, NULL, NULL, NULL, NULL, A, 3, 0, 99, 0), GrB_SUCCESS);
  named_values(value, values, 3);
  for (int c = 0; c < 3; c++) assert_true(fabs(value[c] - (c < 2 ? sqrt((double)g.list.n - 1) : 0)) < 1e-6);
  assert_int_equal(Grid_singular_values(NULL, NULL, NULL, NULL, NULL, A, 3, 0, 99, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_singular_values(NULL, &U, NULL, NULL, NULL, A, 3, 0, 99, 0), GrB_SUCCESS);
  GrB_Matrix_free(&U);
  assert_int_equal(Grid_singular_values(&values, NULL, NULL, NULL, NULL, A, 99, 0, 99, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_singular_values"));
  GrB_Matrix_free(&A), GrB_Vector_free(&values);
}

static void assert_refused(GrB_Info wanted, GrB_Matrix A, int64_t k, double tolerance) {
  GrB_Vector values = NULL;
  GrB_Matrix V = NULL;
  uint64_t iterations = 77;
  double residual = 77;
  assert_int_equal(Grid_lanczos(&values, &V, &iterations, &residual, A, k, tolerance, 9, 0), wanted);
  assert_non_null(strstr(Grid_last_error(), "Grid_lanczos"));
  assert_true(values == NULL && V == NULL && iterations == 77 && residual == 77);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, V = NULL;
  GrB_Vector values;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_lanczos(NULL, NULL, NULL, NULL, A, 1, 0, 9, 0), GrB_NULL_POINTER);
  assert_refused(GrB_NULL_POINTER, NULL, 1, 0);
  assert_int_equal(Grid_lanczos(NULL, &V, NULL, NULL, A, 3, 0, 9, 0), GrB_SUCCESS);
  assert_non_null(V);
  GrB_Matrix_free(&V);
  assert_refused(GrB_DIMENSION_MISMATCH, oblong, 1, 0);
  assert_refused(GrB_INVALID_VALUE, A, 0, 0);
  assert_refused(GrB_INVALID_VALUE, A, 4, 0);
  assert_refused(GrB_INVALID_VALUE, A, 1, -1);
  assert_refused(GrB_INVALID_VALUE, A, 1, (double)NAN);
  assert_int_equal(Grid_lanczos(&values, NULL, NULL, NULL, A, 3, 0, 9, 0), GrB_SUCCESS); /* zero */
  GrB_Vector_free(&values);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, HUGE_VAL, 1, 1), GrB_SUCCESS);
  assert_refused(GrB_INVALID_VALUE, A, 1, 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
}

/* to = columns of the vectors, from `first` on */
static void take_columns(double *to, const pairs *p, uint64_t first, uint64_t count) {
  for (uint64_t i = 0; i < p->n; i++)
    for (uint64_t c = 0; c < count; c++) to[i * count + c] = p->vector[i * p->k + first + c];
}

/* Of a random graph, whose eigenvalues differ. */
static void wrong_pairs_detected(void **state) {
  static named_graph g;
  static pairs p;
  static double two[2 * MAX_VERTICES], left[2 * MAX_VERTICES];
  named_dense(&g, 20);
  const uint64_t n = g.list.n;
  GrB_Matrix A = adjacency(&g, GrB_FP64);
  compute(&p, A, n, 3, 0, n);
  take_columns(two, &p, 0, 2);
  assert_null(check_named(&g, p.value, two, NULL, 2));
  two[0] += 1e-4;
  assert_non_null(check_named(&g, p.value, two, NULL, 2)); /* not orthogonal */
  take_columns(two, &p, 1, 2);
  assert_non_null(check_named(&g, p.value, two, NULL, 2));     /* of other values */
  assert_non_null(check_named(&g, p.value + 1, two, NULL, 2)); /* the largest is missing */
  take_columns(two, &p, 0, 2);
  p.value[1] += 1e-4;
  assert_non_null(check_named(&g, p.value, two, NULL, 2));
  p.value[1] -= 1e-4;
  /* the largest singular value: the left vector is the right one */
  take_columns(two, &p, 0, 1), take_columns(left, &p, 0, 1);
  assert_null(check_named(&g, p.value, two, left, 1));
  left[3] = (double)NAN;
  assert_non_null(check_named(&g, p.value, two, left, 1));
  take_columns(two, &p, 1, 1), take_columns(left, &p, 1, 1);
  assert_non_null(check_named(&g, p.value + 1, two, left, 1)); /* a larger one is missing */
  GrB_Matrix_free(&A);
}

NAMED_MAIN("lanczos", cmocka_unit_test(matches_elimination), cmocka_unit_test(known_spectra),
           cmocka_unit_test(stops), cmocka_unit_test(singular_values), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(wrong_pairs_detected))
