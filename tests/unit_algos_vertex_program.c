/* Grid_vertex_program as shortest paths; Grid_heat, Grid_neural and Grid_circuit against the serial checker
 * and known answers; bad arguments, and the checker against wrong answers. */
#include "tests/named_graphs.h"

#include "bench/check/linear_algebra/check_vertex_program.h"

/* ---- any program ---- */

static void moved(void *z, const void *x, const void *y) {
  *(double *)z = *(const int64_t *)x != *(const int64_t *)y;
}

/* Hops from vertex 0 and weights from it are min.plus, applied by taking the smaller. */
static void shortest(const named_graph *g, GrB_Matrix A, int k) {
  GrB_Vector start, state, distance;
  GrB_BinaryOp differ;
  uint64_t rounds;
  double change, t[MAX_VERTICES], right[MAX_VERTICES];
  const uint64_t n = g->list.n;
  assert_int_equal(GrB_BinaryOp_new(&differ, moved, GrB_FP64, GrB_INT64, GrB_INT64), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&start, GrB_INT64, n), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_assign_INT64(start, NULL, NULL, 1 << 30, GrB_ALL, n, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_INT64(start, 0, (GrB_Index)k % n), GrB_SUCCESS);
  assert_int_equal(Grid_vertex_program(&state, &rounds, &change, A, start, GrB_MIN_PLUS_SEMIRING_INT64,
                                       GrB_INT64, GrB_MIN_INT64, differ, 0, n + 1),
                   GrB_SUCCESS);
  assert_true(rounds <= n && change == 0);
  named_values(t, state, n);
  assert_int_equal(Grid_shortest_paths(&distance, NULL, A, (GrB_Index)k % n, 0), GrB_SUCCESS);
  named_values(right, distance, n);
  for (uint64_t v = 0; v < n; v++) assert_true(isnan(right[v]) ? t[v] == 1 << 30 : t[v] == right[v]);
  GrB_Vector_free(&distance);
  GrB_Vector_free(&state);
  if (rounds > 1) { /* one that ends early reports it */
    assert_int_equal(Grid_vertex_program(&state, &rounds, &change, A, start, GrB_MIN_PLUS_SEMIRING_INT64,
                                         GrB_INT64, GrB_MIN_INT64, differ, 0, 1),
                     GrB_SUCCESS);
    assert_true(rounds == 1 && change == 1);
    GrB_Vector_free(&state);
  }
  GrB_Vector_free(&start);
  GrB_BinaryOp_free(&differ);
}
static void any_program(void **state) {
  const GrB_Type types[] = {GrB_INT32, GrB_INT64};
  run_named_graphs(types, 2, shortest);
}

/* ---- the three ---- */

typedef struct {
  double start[MAX_VERTICES], value[MAX_VERTICES];
  check_vertex_job is;
} simulation;

static GrB_Info call(simulation *s, GrB_Vector *v, GrB_Matrix A, GrB_Vector start) {
  check_vertex_job *is = &s->is;
  return is->kind == CHECK_HEAT
             ? Grid_heat(v, &is->iterations, &is->change, A, start, is->rate, is->tolerance, is->limit)
         : is->kind == CHECK_NEURAL
             ? Grid_neural(v, &is->iterations, &is->change, A, start, is->rate, is->tolerance, is->limit)
             : Grid_circuit(v, &is->iterations, &is->change, A, start, is->tolerance, is->limit);
}

/* From s->start, of n values. */
static void simulate(simulation *s, GrB_Matrix A, uint64_t n) {
  GrB_Vector start, v;
  assert_int_equal(GrB_Vector_new(&start, GrB_FP64, n), GrB_SUCCESS);
  for (uint64_t i = 0; i < n; i++)
    if (!isnan(s->start[i])) assert_int_equal(GrB_Vector_setElement_FP64(start, s->start[i], i), GrB_SUCCESS);
  s->is.start = s->start;
  s->is.allowed = 1e-10;
  assert_int_equal(call(s, &v, A, start), GrB_SUCCESS);
  named_values(s->value, v, n);
  GrB_Vector_free(&start);
  GrB_Vector_free(&v);
}

static const char *check_result(const named_graph *g, const simulation *s) {
  static char text[300];
  return check_vertex(&g->list, &s->is, s->value, text, sizeof text);
}

/* From one vertex, where few change at first, and from many. */
static void compare(const named_graph *g, GrB_Matrix A, int k) {
  static simulation s;
  const uint64_t n = g->list.n;
  for (int kind = CHECK_HEAT; kind <= CHECK_CIRCUIT; kind++) {
    const bool one = (k + kind) % 2 == 0;
    s.is = (check_vertex_job){.kind = (check_vertex_kind)kind,
                              .rate = k % 4 == 3 && kind == CHECK_NEURAL ? 0.7 : 0,
                              .tolerance = k % 3 == 0 ? 0 : 1e-4,
                              .limit = (uint64_t)(k % 5 * 9)};
    for (uint64_t v = 0; v < n; v++)
      s.start[v] = v == n / 2 ? 1 : one || v % 3 != 0 ? (double)NAN : (double)(v % 7) - 2;
    simulate(&s, A, n);
    assert_named_correct(check_result(g, &s), g);
  }
}
static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_FP32, GrB_UINT16, GrB_FP64};
  run_named_graphs(types, 5, compare);
}

/* Resistances as one learns them: ten in a row, a triangle's side, opposite corners of a square. */
static void resistances(void **state) {
  static simulation s;
  static named_graph g;
  const struct {
    uint64_t n, from, to;
    bool closed;
    double ohms;
  } known[] = {{11, 0, 10, false, 10}, {3, 0, 1, true, 2.0 / 3}, {4, 1, 3, true, 1}};
  for (int k = 0; k < 3; k++) {
    const uint64_t n = known[k].n;
    double current = 0;
    g.list = (check_graph){.n = n, .from = g.from, .to = g.to, .weight = g.weight, .both_directions = true};
    for (uint64_t v = 0; v + !known[k].closed < n; v++) named_add(&g, v, (v + 1) % n);
    for (uint64_t e = 0; e < g.list.m; e++) g.weight[e] = 1;
    GrB_Matrix A = named_matrix(&g, GrB_FP64);
    for (uint64_t v = 0; v < n; v++) s.start[v] = v == known[k].from ? 1 : v == known[k].to ? 0 : (double)NAN;
    s.is = (check_vertex_job){.kind = CHECK_CIRCUIT, .tolerance = 1e-13, .limit = 2000};
    simulate(&s, A, n);
    for (uint64_t e = 0; e < g.list.m; e++) {
      const uint64_t v = g.from[e], w = g.to[e];
      if (v == known[k].from) current += 1 - s.value[w];
      if (w == known[k].from) current += 1 - s.value[v];
    }
    assert_true(fabs(1 / current - known[k].ohms) < 1e-8);
    GrB_Matrix_free(&A);
  }
}

/* Heat is conserved and converges to its mean; a neuron fed by inputs converges to tanh of their sum. */
static void known_results(void **state) {
  static simulation s;
  static named_graph g;
  double sum = 0;
  named_make(&g, 12);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  for (int v = 0; v < 100; v++) s.start[v] = v < 10 ? v : (double)NAN;
  s.is = (check_vertex_job){.kind = CHECK_HEAT, .limit = 25};
  simulate(&s, A, 100);
  for (int v = 0; v < 100; v++) sum += s.value[v];
  assert_true(fabs(sum - 45) < 1e-10);
  GrB_Matrix_free(&A);
  named_make(&g, 6);
  A = named_matrix(&g, GrB_INT32);
  for (int v = 0; v < 12; v++) s.start[v] = v == 3 ? 6 : (double)NAN;
  s.is = (check_vertex_job){.kind = CHECK_HEAT, .tolerance = 1e-12, .limit = 900};
  simulate(&s, A, 12);
  for (int v = 0; v < 12; v++) assert_true(fabs(s.value[v] - 0.5) < 1e-9);
  GrB_Matrix_free(&A);
  named_make(&g, 14); /* 65 arrows to a hub */
  for (uint64_t e = 0; e < g.list.m; e++) g.weight[e] = e % 2 == 0 ? 1 : -1;
  A = named_matrix(&g, GrB_FP64);
  for (int v = 0; v < 66; v++) s.start[v] = 0.5;
  s.is = (check_vertex_job){.kind = CHECK_NEURAL, .rate = 1, .limit = 50};
  simulate(&s, A, 66);
  assert_true(s.value[65] == tanh(0.5) && s.value[7] == 0.5 && s.is.iterations == 2);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, odd;
  GrB_Vector start, shorter, v;
  GrB_Type user_type;
  static simulation s;
  GrB_Vector const untouched = (GrB_Vector)(uintptr_t)8;
  v = untouched;
  assert_int_equal(GrB_Type_new(&user_type, 16), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_FP64, 5, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&odd, user_type, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&start, GrB_FP64, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&shorter, GrB_FP64, 4), GrB_SUCCESS);
  for (int kind = CHECK_HEAT; kind <= CHECK_CIRCUIT; kind++) {
    s.is = (check_vertex_job){.kind = (check_vertex_kind)kind, .limit = 5};
    assert_int_equal(call(&s, NULL, A, start), GrB_NULL_POINTER);
    assert_int_equal(call(&s, &v, NULL, start), GrB_NULL_POINTER);
    assert_int_equal(call(&s, &v, A, NULL), GrB_NULL_POINTER);
    assert_int_equal(call(&s, &v, oblong, start), GrB_DIMENSION_MISMATCH);
    assert_int_equal(call(&s, &v, A, shorter), GrB_DIMENSION_MISMATCH);
    assert_int_equal(call(&s, &v, odd, start), GrB_DOMAIN_MISMATCH);
    s.is.tolerance = -1;
    assert_int_equal(call(&s, &v, A, start), GrB_INVALID_VALUE);
    assert_null(strstr(Grid_last_error(), "Grid_vertex_program"));
    s.is.tolerance = 0;
    const double wrong[] = {-1, NAN, INFINITY};
    for (int k = kind == CHECK_NEURAL; k < 3; k++) {
      assert_int_equal(GrB_Matrix_setElement_FP64(A, wrong[k], 1, 2), GrB_SUCCESS);
      assert_int_equal(call(&s, &v, A, start), GrB_INVALID_VALUE);
      assert_non_null(strstr(Grid_last_error(), "weight"));
    }
    assert_int_equal(GrB_Matrix_clear(A), GrB_SUCCESS);
    s.is.rate = -1;
    if (kind != CHECK_CIRCUIT) assert_int_equal(call(&s, &v, A, start), GrB_INVALID_VALUE);
    s.is.rate = INFINITY;
    if (kind != CHECK_CIRCUIT) assert_int_equal(call(&s, &v, A, start), GrB_INVALID_VALUE);
  }
  /* operators that do not fit */
  assert_int_equal(Grid_vertex_program(&v, NULL, NULL, A, start, GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, NULL,
                                       GrB_MINUS_FP64, 0, 3),
                   GrB_NULL_POINTER);
  assert_int_equal(Grid_vertex_program(&v, NULL, NULL, A, start, GrB_PLUS_TIMES_SEMIRING_FP64, user_type,
                                       GrB_SECOND_FP64, GrB_MINUS_FP64, 0, 3),
                   GrB_DOMAIN_MISMATCH);
  assert_ptr_equal(v, untouched);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
  GrB_Matrix_free(&odd);
  GrB_Vector_free(&start);
  GrB_Vector_free(&shorter);
  GrB_Type_free(&user_type);
}

/* Weights near both ends of FP64: a result that is not finite is an error, which leaves the outputs alone. */
static void extreme_weights(void **state) {
  GrB_Matrix A;
  GrB_Vector start, v;
  GrB_Vector const untouched = (GrB_Vector)(uintptr_t)8;
  const struct {
    double weight, start, rate;
    bool fails[3]; /* heat, neural, circuit */
  } cases[] = {{1e300, 1, 0, {false, false, false}},     {1e300, 1, 1, {true, false, false}},
               {1e300, 1e10, 0, {false, false, true}},   {1e300, 1e10, 1e10, {true, true, true}},
               {5e-324, 1, 0, {false, false, false}},    {1.7e308, 1, 0, {true, true, true}},
               {1, INFINITY, 0, {true, false, true}},    {1, NAN, 0, {true, true, true}},
               {1e-310, 1, 1e308, {false, false, false}}};
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&start, GrB_FP64, 3), GrB_SUCCESS);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (GrB_Index i = 0; i < 3; i++)
      for (GrB_Index j = 0; j < 3; j++)
        if (i != j) assert_int_equal(GrB_Matrix_setElement_FP64(A, cases[k].weight, i, j), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_setElement_FP64(start, cases[k].start, 0), GrB_SUCCESS);
    for (int kind = CHECK_HEAT; kind <= CHECK_CIRCUIT; kind++) {
      simulation s = {.is = {.kind = (check_vertex_kind)kind, .rate = cases[k].rate, .limit = 20}};
      s.is.iterations = 99, s.is.change = -1, v = untouched;
      const bool fails = cases[k].fails[kind - CHECK_HEAT];
      assert_int_equal(call(&s, &v, A, start), fails ? GrB_INVALID_VALUE : GrB_SUCCESS);
      if (fails) {
        assert_true(v == untouched && s.is.iterations == 99 && s.is.change == -1);
        continue;
      }
      named_values(s.value, v, 3);
      for (int i = 0; i < 3; i++) assert_true(isfinite(s.value[i]));
      GrB_Vector_free(&v);
    }
  }
  GrB_Matrix_free(&A);
  GrB_Vector_free(&start);
}

/* The checker notices a value that is wrong or missing, an end too early or too late, and another change. */
static void wrong_results_detected(void **state) {
  static simulation s;
  static named_graph g;
  named_make(&g, 12);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  for (int kind = CHECK_HEAT; kind <= CHECK_CIRCUIT; kind++) {
    for (int v = 0; v < 100; v++) s.start[v] = v < 2 ? 1 - v : (double)NAN;
    s.is = (check_vertex_job){.kind = (check_vertex_kind)kind, .tolerance = 0.01, .limit = 90};
    simulate(&s, A, 100);
    assert_true(s.is.iterations > 2 && s.is.iterations < 90);
    assert_null(check_result(&g, &s));
    const double right = s.value[2];
    s.value[2] += 1e-8;
    assert_non_null(check_result(&g, &s));
    s.value[2] = (double)NAN;
    assert_non_null(check_result(&g, &s));
    s.value[2] = right;
    s.is.iterations--;
    assert_non_null(check_result(&g, &s));
    s.is.iterations += 2;
    assert_non_null(check_result(&g, &s));
    s.is.iterations--;
    s.is.change += 1e-4;
    assert_non_null(check_result(&g, &s));
  }
  GrB_Matrix_free(&A);
}

NAMED_MAIN("vertex", cmocka_unit_test(any_program), cmocka_unit_test(matches_checker),
           cmocka_unit_test(resistances), cmocka_unit_test(known_results), cmocka_unit_test(bad_arguments),
           cmocka_unit_test(extreme_weights), cmocka_unit_test(wrong_results_detected))
