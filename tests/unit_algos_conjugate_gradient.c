/* Grid_conjugate_gradient against solutions known beforehand, whose right sides are computed in plain C, and
 * against the checker; its limits and errors; the checker against wrong solutions. */
#include "tests/named_graphs.h"

#include "bench/check/linear_algebra/check_conjugate_gradient.h"

/* A graph's Laplacian with unit weights, plus 1 on the diagonal: symmetric and positive definite. */
typedef struct {
  uint64_t n, entries;
  GrB_Index row[3 * MAX_EDGES], col[3 * MAX_EDGES];
  double value[3 * MAX_EDGES];
} laplacian;

static void add(laplacian *l, uint64_t i, uint64_t j, double value) {
  l->row[l->entries] = i, l->col[l->entries] = j, l->value[l->entries++] = value;
}

static void make_laplacian(laplacian *l, const named_graph *g) {
  static bool edge[MAX_VERTICES][MAX_VERTICES];
  memset(edge, 0, sizeof edge);
  for (uint64_t k = 0; k < g->list.m; k++)
    edge[g->from[k]][g->to[k]] = edge[g->to[k]][g->from[k]] = g->from[k] != g->to[k];
  l->n = g->list.n, l->entries = 0;
  for (uint64_t i = 0; i < l->n; i++) {
    double degree = 0;
    for (uint64_t j = 0; j < l->n; j++) {
      if (edge[i][j]) add(l, i, j, -1);
      degree += edge[i][j];
    }
    add(l, i, i, degree + 1);
  }
}

static GrB_Matrix matrix_of(const laplacian *l, GrB_Type type) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, type, l->n, l->n), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(A, l->row, l->col, l->value, l->entries, GrB_PLUS_FP64),
                   GrB_SUCCESS);
  return A;
}

static GrB_Vector vector_of(const double *value, uint64_t n) {
  GrB_Vector v;
  assert_int_equal(GrB_Vector_new(&v, GrB_FP64, n), GrB_SUCCESS);
  for (uint64_t i = 0; i < n; i++)
    if (value[i] != 0) assert_int_equal(GrB_Vector_setElement_FP64(v, value[i], i), GrB_SUCCESS);
  return v;
}

/* b = A want */
static void multiply(double *b, const laplacian *l, const double *want) {
  memset(b, 0, l->n * sizeof *b);
  for (uint64_t k = 0; k < l->entries; k++) b[l->row[k]] += l->value[k] * want[l->col[k]];
}

/* The checker's graph of a Laplacian. */
static check_graph edges_of(const named_graph *g) {
  check_graph list = g->list;
  list.weight = NULL, list.both_directions = true, list.loops = false;
  return list;
}

static char text[300];

static void assert_solution(const char *name, GrB_Vector x, const double *want, uint64_t n) {
  double found[MAX_VERTICES];
  named_values(found, x, n);
  for (uint64_t i = 0; i < n; i++)
    if (!(fabs(found[i] - want[i]) < 1e-8))
      fail_msg("%s: x(%d) is %g, not %g", name, (int)i, found[i], want[i]);
}

static void finds_known_solutions(void **state) {
  static named_graph g;
  static laplacian l;
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_FP32};
  double want[MAX_VERTICES], right[MAX_VERTICES], residual;
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    GrB_Vector x, again;
    uint64_t iterations;
    named_make(&g, k);
    make_laplacian(&l, &g);
    for (uint64_t i = 0; i < l.n; i++) want[i] = (double)named_chance(19) - 9;
    multiply(right, &l, want);
    GrB_Matrix A = matrix_of(&l, types[k % 3]);
    GrB_Vector b = vector_of(right, l.n);
    assert_int_equal(Grid_conjugate_gradient(&x, &iterations, &residual, A, b, NULL, 1e-12, 1000),
                     GrB_SUCCESS);
    assert_true(residual <= 1e-12 && iterations <= l.n + 10);
    assert_solution(g.name, x, want, l.n);
    const check_graph list = edges_of(&g);
    named_values(want, x, l.n);
    assert_named_correct(check_conjugate_gradient(&list, want, right, 1, residual, text, sizeof text), &g);
    /* from the solution there is next to nothing left to do */
    assert_int_equal(Grid_conjugate_gradient(&again, &iterations, NULL, A, b, x, 1e-10, 1000), GrB_SUCCESS);
    assert_true(iterations <= 1);
    GrB_Vector_free(&x), GrB_Vector_free(&again), GrB_Vector_free(&b), GrB_Matrix_free(&A);
  }
}

/* A diagonal matrix takes one iteration, b = 0 none; a limit stops. */
static void counts_iterations(void **state) {
  static named_graph g;
  static laplacian l;
  double right[MAX_VERTICES], zero[MAX_VERTICES] = {0}, residual;
  uint64_t iterations;
  GrB_Vector x;
  l.n = 40, l.entries = 0;
  for (uint64_t i = 0; i < l.n; i++) add(&l, i, i, (double)(i + 1)), right[i] = (double)(3 * i + 3);
  GrB_Matrix A = matrix_of(&l, GrB_FP64);
  GrB_Vector b = vector_of(right, l.n), none = vector_of(zero, l.n);
  assert_int_equal(Grid_conjugate_gradient(&x, &iterations, &residual, A, b, NULL, 1e-12, 9), GrB_SUCCESS);
  assert_int_equal(iterations, 1);
  for (uint64_t i = 0; i < l.n; i++) right[i] = 3;
  assert_solution("diagonal", x, right, l.n);
  GrB_Vector_free(&x);
  assert_int_equal(Grid_conjugate_gradient(&x, &iterations, &residual, A, none, NULL, 0, 9), GrB_SUCCESS);
  assert_true(iterations == 0 && residual == 0);
  assert_solution("no right side", x, zero, l.n);
  GrB_Vector_free(&x), GrB_Vector_free(&b), GrB_Vector_free(&none), GrB_Matrix_free(&A);

  named_make(&g, 3); /* a path */
  make_laplacian(&l, &g);
  memset(right, 0, sizeof right), right[0] = 1;
  A = matrix_of(&l, GrB_FP64);
  b = vector_of(right, l.n);
  assert_int_equal(Grid_conjugate_gradient(&x, &iterations, &residual, A, b, NULL, 1e-12, 3), GrB_SUCCESS);
  assert_true(iterations == 3 && residual > 1e-12 && residual < 1);
  GrB_Vector_free(&x), GrB_Vector_free(&b), GrB_Matrix_free(&A);
}

static void assert_refused(GrB_Info wanted, GrB_Matrix A, GrB_Vector b, GrB_Vector start, double tolerance) {
  GrB_Vector x = NULL;
  uint64_t iterations = 77;
  double residual = 77;
  assert_int_equal(Grid_conjugate_gradient(&x, &iterations, &residual, A, b, start, tolerance, 9), wanted);
  assert_non_null(strstr(Grid_last_error(), "Grid_conjugate_gradient"));
  assert_null(x);
  assert_true(iterations == 77 && residual == 77);
}

static void bad_arguments(void **state) {
  static laplacian l;
  const double one[3] = {1, 1, 1}, infinite[3] = {1, HUGE_VAL, 1};
  GrB_Matrix oblong;
  l.n = 3, l.entries = 0;
  add(&l, 0, 0, 1), add(&l, 1, 1, 1), add(&l, 2, 2, 1);
  GrB_Matrix identity = matrix_of(&l, GrB_FP64);
  add(&l, 0, 1, 4), add(&l, 1, 0, 4);
  GrB_Matrix indefinite = matrix_of(&l, GrB_FP64);
  l.value[2] = -1;
  GrB_Matrix negative = matrix_of(&l, GrB_FP64);
  l.entries = 2;
  GrB_Matrix gap = matrix_of(&l, GrB_FP64);
  GrB_Vector b = vector_of(one, 3), shorter = vector_of(one, 2), most = vector_of(infinite, 3), apart;
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_conjugate_gradient(NULL, NULL, NULL, identity, b, NULL, 0, 9), GrB_NULL_POINTER);
  assert_refused(GrB_NULL_POINTER, NULL, b, NULL, 0);
  assert_refused(GrB_NULL_POINTER, identity, NULL, NULL, 0);
  assert_refused(GrB_DIMENSION_MISMATCH, oblong, b, NULL, 0);
  assert_refused(GrB_DIMENSION_MISMATCH, identity, shorter, NULL, 0);
  assert_refused(GrB_DIMENSION_MISMATCH, identity, b, shorter, 0);
  assert_refused(GrB_INVALID_VALUE, identity, b, NULL, -1);
  assert_refused(GrB_INVALID_VALUE, identity, b, NULL, (double)NAN);
  assert_refused(GrB_INVALID_VALUE, identity, most, NULL, 0);
  assert_refused(GrB_INVALID_VALUE, negative, b, NULL, 0);
  assert_refused(GrB_INVALID_VALUE, gap, b, NULL, 0);
  const double opposite[3] = {1, -1, 0};
  apart = vector_of(opposite, 3);
  assert_refused(GrB_INVALID_VALUE, indefinite, apart, NULL, 0);
  assert_non_null(strstr(Grid_last_error(), "A is not positive definite"));
  const double tiny[3] = {1e-170, 1e-170, 1e-170};
  GrB_Vector least = vector_of(tiny, 3);
  assert_refused(GrB_INVALID_VALUE, identity, least, b, 0);
  assert_non_null(strstr(Grid_last_error(), "b - A start, or that divided by A's diagonal, is too large"));
  l.entries = 0;
  add(&l, 0, 0, 1e-309), add(&l, 1, 1, 1e-309), add(&l, 2, 2, 1e-309);
  GrB_Matrix denormal = matrix_of(&l, GrB_FP64);
  assert_refused(GrB_INVALID_VALUE, denormal, b, NULL, 0);
  assert_non_null(strstr(Grid_last_error(), "b divided by A's diagonal is too large"));
  GrB_Vector_free(&least), GrB_Matrix_free(&denormal);
  GrB_Matrix_free(&identity), GrB_Matrix_free(&indefinite), GrB_Matrix_free(&negative);
  GrB_Matrix_free(&gap), GrB_Matrix_free(&oblong);
  GrB_Vector_free(&b), GrB_Vector_free(&shorter), GrB_Vector_free(&most), GrB_Vector_free(&apart);
}

/* The matrix of docs/algorithms/linear_algebra.md, as edges and loops. */
static void wrong_solutions_detected(void **state) {
  uint64_t from[] = {0, 1, 2, 1, 2}, to[] = {0, 1, 2, 0, 1};
  double weight[] = {2, 3, 2, -1, -1}, right[] = {8, (double)NAN, 0}, x[] = {5, 2, 1};
  check_graph g = {
      .n = 3, .m = 5, .from = from, .to = to, .weight = weight, .both_directions = true, .loops = true};
  assert_null(check_conjugate_gradient(&g, x, right, 0, 0, text, sizeof text));
  assert_non_null(check_conjugate_gradient(&g, x, right, 0, 1e-6, text, sizeof text));
  assert_non_null(check_conjugate_gradient(&g, x, right, 1, 0, text, sizeof text));
  x[2] += 1e-6;
  assert_non_null(check_conjugate_gradient(&g, x, right, 0, 0, text, sizeof text));
  x[2] = (double)NAN;
  assert_non_null(check_conjugate_gradient(&g, x, right, 0, 0, text, sizeof text));
  weight[3] = weight[4] = 1; /* the Laplacian of a path, and 1 on the diagonal */
  const double u[] = {3, 1, 2}, v[] = {3 + 2, 1 - 2 - 1, 2 + 1};
  assert_null(check_conjugate_gradient(&g, u, v, 1, 0, text, sizeof text));
  assert_non_null(check_conjugate_gradient(&g, u, v, 2, 0, text, sizeof text));
}

NAMED_MAIN("conjugate_gradient", cmocka_unit_test(finds_known_solutions), cmocka_unit_test(counts_iterations),
           cmocka_unit_test(bad_arguments), cmocka_unit_test(wrong_solutions_detected))
