/* Grid_random_walks against the serial checker; known walks; the probabilities of steps, of second order,
 * too. The same walks on each number of processes, wrong arguments, and the checker against wrong answers. */
#include "tests/named_graphs.h"
#include "tests/gpu_present.h"

#include "bench/check/learning/check_random_walks.h"

enum { MOST_WALKS = 4000, MOST_LENGTH = 40 };
static double walk[MOST_WALKS * (MOST_LENGTH + 1)];
static char text[300];

typedef struct {
  bool weighted;
  double p, q;
  uint64_t length, seed;
} rules;

static void read_walks(GrB_Matrix walks, uint64_t nwalks, uint64_t length) {
  static GrB_Index row[MOST_WALKS * (MOST_LENGTH + 1)], col[MOST_WALKS * (MOST_LENGTH + 1)];
  static int64_t vertex[MOST_WALKS * (MOST_LENGTH + 1)];
  GrB_Index nrows, ncols, n = MOST_WALKS * (MOST_LENGTH + 1);
  assert_int_equal(GrB_Matrix_nrows(&nrows, walks), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_ncols(&ncols, walks), GrB_SUCCESS);
  assert_true(nrows == nwalks && ncols == length + 1);
  assert_int_equal(GrB_Matrix_extractTuples_INT64(row, col, vertex, &n, walks), GrB_SUCCESS);
  for (uint64_t k = 0; k < nwalks * ncols; k++) walk[k] = (double)NAN;
  for (uint64_t k = 0; k < n; k++) walk[row[k] * ncols + col[k]] = (double)vertex[k];
}

/* walk = those from `start`, of which NULL is each vertex. */
static void compute(GrB_Matrix A, const uint64_t *start, uint64_t nwalks, rules r) {
  GrB_Matrix walks;
  GrB_Vector v = NULL;
  if (start != NULL) {
    assert_int_equal(GrB_Vector_new(&v, GrB_UINT64, nwalks), GrB_SUCCESS);
    for (uint64_t k = 0; k < nwalks; k++)
      assert_int_equal(GrB_Vector_setElement_UINT64(v, start[k], k), GrB_SUCCESS);
  }
  assert_int_equal(Grid_random_walks(&walks, A, v, r.length, r.weighted, r.p, r.q, r.seed), GrB_SUCCESS);
  read_walks(walks, nwalks, r.length);
  GrB_Matrix_free(&walks);
  if (v != NULL) GrB_Vector_free(&v);
}

static void compare(const named_graph *g, GrB_Matrix A, int k) {
  static const rules of[] = {{false, 1, 1, 9, 1},
                             {true, 1, 1, 5, 2},
                             {false, 0.25, 4, 7, 3},
                             {true, 3, 0.5, 7, 4},
                             {false, 1, 1, 0, 5}};
  uint64_t vertices[MAX_VERTICES], chosen[5];
  for (uint64_t v = 0; v < g->list.n; v++) vertices[v] = v;
  for (uint64_t w = 0; w < 5; w++) chosen[w] = w * w % g->list.n;
  check_graph list = g->list;
  if (k % 2 == 0) list.weight = NULL;
  for (size_t t = 0; t < sizeof of / sizeof *of; t++) {
    compute(A, NULL, list.n, of[t]);
    assert_named_correct(check_random_walks(&list, walk, vertices, list.n, of[t].length, text, sizeof text),
                         g);
    compute(A, chosen, 5, of[t]);
    assert_named_correct(check_random_walks(&list, walk, chosen, 5, of[t].length, text, sizeof text), g);
  }
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

/* A directed cycle with a tail leaves no choice. */
static void only_one_walk(void **state) {
  static named_graph g;
  g.name = "cycle", g.list = (check_graph){.n = 7, .from = g.from, .to = g.to, .weight = g.weight};
  for (uint64_t v = 0; v < 5; v++) named_add(&g, v, (v + 1) % 5);
  named_add(&g, 6, 5);
  GrB_Matrix A = named_matrix(&g, GrB_INT32);
  const uint64_t start[] = {3, 6, 5};
  const double want[3][4] = {{3, 4, 0, 1}, {6, 5, NAN, NAN}, {5, NAN, NAN, NAN}};
  for (int p = 0; p < 2; p++) {
    compute(A, start, 3, (rules){p == 1, p == 1 ? 1e6 : 1, 1, 3, 0});
    for (int k = 0; k < 12; k++) {
      const double x = want[k / 4][k % 4];
      assert_true(isnan(x) ? isnan(walk[k]) : walk[k] == x);
    }
  }
  GrB_Matrix_free(&A);
}

/* A weight of 0 is never chosen, and a row of such ends a walk. */
static void weights_of_zero(void **state) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP32, 4, 4), GrB_SUCCESS);
  const GrB_Index row[] = {0, 0, 0, 2, 2}, col[] = {1, 2, 3, 0, 1};
  const float weight[] = {0, 5, 0, 0, 0};
  assert_int_equal(GrB_Matrix_build_FP32(A, row, col, weight, 5, GrB_NULL), GrB_SUCCESS);
  for (uint64_t seed = 0; seed < 20; seed++) {
    compute(A, (const uint64_t[]){0}, 1, (rules){true, 1, 1, 2, seed});
    assert_true(walk[0] == 0 && walk[1] == 2 && isnan(walk[2]));
  }
  GrB_Matrix_free(&A);
}

/* An undirected graph, each edge by weight: 0 - 1, 0 - 2, 0 - 3, 1 - 2, 3 - 4, 1 - 4. */
enum { SMALL = 5 };
static const double small_graph[SMALL][SMALL] = {
    {0, 1, 2, 4, 0}, {1, 0, 3, 0, 1}, {2, 3, 0, 0, 0}, {4, 0, 0, 0, 2}, {0, 1, 0, 2, 0}};

static GrB_Matrix make_small_graph(void) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, SMALL, SMALL), GrB_SUCCESS);
  for (GrB_Index i = 0; i < SMALL; i++)
    for (GrB_Index j = 0; j < SMALL; j++)
      if (small_graph[i][j] != 0)
        assert_int_equal(GrB_Matrix_setElement_FP64(A, small_graph[i][j], i, j), GrB_SUCCESS);
  return A;
}

/* How likely x is after t and v, times a constant; t is SMALL in a first step. */
static double step_weight(int t, int v, int x, const rules *r) {
  const double w = small_graph[v][x] == 0 ? 0 : r->weighted ? small_graph[v][x] : 1;
  if (t == SMALL || w == 0) return w;
  return x == t ? w / r->p : small_graph[t][x] != 0 ? w : w / r->q;
}

/* The squared differences of the counts of x from those expected, by these. */
static double step_statistic(const int *count, int t, int v, const rules *r) {
  double sum = 0, statistic = 0;
  int steps = 0;
  for (int x = 0; x < SMALL; x++) sum += step_weight(t, v, x, r), steps += count[x];
  for (int x = 0; x < SMALL; x++) {
    const double want = steps * step_weight(t, v, x, r) / sum;
    if (want == 0) assert_int_equal(count[x], 0);
    if (want == 0) continue;
    statistic += (count[x] - want) * (count[x] - want) / want;
  }
  return steps == 0 ? 0 : statistic;
}

/* Among 4000 walks of 40 steps, the steps after each pair (t, v) are as likely as they should be. A
 * statistic, of at most 2 degrees of freedom, exceeds 20 in one of 20,000 cases; there are about 70. */
static void steps_as_likely(void **state) {
  static const rules of[] = {
      {false, 1, 1, 40, 1}, {true, 1, 1, 40, 2}, {false, 0.25, 4, 40, 3}, {true, 4, 0.25, 40, 4}};
  static uint64_t start[MOST_WALKS];
  GrB_Matrix A = make_small_graph();
  for (uint64_t k = 0; k < MOST_WALKS; k++) start[k] = k % SMALL;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    static int count[SMALL + 1][SMALL][SMALL];
    memset(count, 0, sizeof count);
    compute(A, start, MOST_WALKS, of[k]);
    for (uint64_t w = 0; w < MOST_WALKS; w++)
      for (uint64_t s = 0; s < of[k].length; s++) {
        const double *at = walk + w * (of[k].length + 1) + s;
        count[s == 0 ? SMALL : (int)at[-1]][(int)at[0]][(int)at[1]]++;
      }
    for (int t = 0; t <= SMALL; t++)
      for (int v = 0; v < SMALL; v++) {
        const double statistic = step_statistic(count[t][v], t, v, &of[k]);
        if (statistic > 20) fail_msg("rules %d: after %d, %d: %g", (int)k, t, v, statistic);
      }
  }
  GrB_Matrix_free(&A);
}

/* Walks of seeds that follow each other, from one vertex, have nothing in common. */
static void seeds_independent(void **state) {
  static named_graph g;
  static double before[64 * 41];
  static const uint64_t start[64];
  int same = 0;
  named_make(&g, 6); /* a clique of 12 */
  GrB_Matrix A = named_pattern(&g);
  compute(A, start, 64, (rules){false, 1, 1, 40, 6});
  memcpy(before, walk, sizeof before);
  compute(A, start, 64, (rules){false, 1, 1, 40, 7});
  for (int a = 0; a < 64; a++)
    for (int b = 0; b < 64; b++) same += memcmp(before + 41 * a, walk + 41 * b, sizeof *walk * 41) == 0;
  assert_int_equal(same, 0);
  GrB_Matrix_free(&A);
}

/* Checksums of walks that were made on one process. */
static void same_on_each_grid(void **state) {
  const struct {
    rules r;
    uint64_t sum;
  } known[] = {{{false, 1, 1, 20, 1}, UINT64_C(0xf0c262aaf3a3f6bf)},
               {{true, 1, 1, 20, 2}, UINT64_C(0xf797f374db4e47cf)},
               {{true, 0.5, 2, 20, 3}, UINT64_C(0xb9cf0077e5e1054)}};
  static named_graph g;
  named_make(&g, 12); /* a grid */
  for (uint64_t k = 0; k < g.list.m; k++) g.weight[k] = (double)(1 + k % 7);
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    uint64_t sum = 0;
    compute(A, NULL, g.list.n, known[k].r);
    for (uint64_t w = 0; w < g.list.n * 21; w++) sum = sum * 31 + (uint64_t)walk[w];
    assert_int_equal(sum, known[k].sum);
  }
  GrB_Matrix_free(&A);
}

/* Long rows, with weights whose sums depend on the order: as long as several warps of a GPU, and short ones.
 */
static void same_in_long_rows(void **state) {
  enum { LONG = 120 };
  const struct {
    rules r;
    uint64_t sum;
  } known[] = {{{true, 1, 1, 30, 4}, UINT64_C(0x5ba59df99077c5b2)},
               {{true, 0.25, 4, 30, 5}, UINT64_C(0xc763e1aa36c8b46f)}};
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP32, LONG, LONG), GrB_SUCCESS);
  for (GrB_Index i = 0; i < LONG; i++)
    for (GrB_Index j = i % 4; j < LONG; j += 1 + i % 4 * 13)
      assert_int_equal(GrB_Matrix_setElement_FP32(A, 0.1f * (float)(1 + (7 * i + 3 * j) % 11), i, j),
                       GrB_SUCCESS);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    uint64_t sum = 0;
    compute(A, NULL, LONG, known[k].r);
    for (uint64_t w = 0; w < LONG * 31; w++) sum = sum * 31 + (uint64_t)walk[w];
    assert_int_equal(sum, known[k].sum);
  }
  GrB_Matrix_free(&A);
}

/* The start of one walk is missing. */
static void missing_start(void **state) {
  GrB_Matrix A = make_small_graph(), walks;
  GrB_Vector start;
  assert_int_equal(GrB_Vector_new(&start, GrB_INT8, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_INT8(start, 4, 2), GrB_SUCCESS);
  assert_int_equal(Grid_random_walks(&walks, A, start, 1, false, 1, 1, 0), GrB_SUCCESS);
  read_walks(walks, 3, 1);
  for (int k = 0; k < 4; k++) assert_true(isnan(walk[k]));
  assert_true(walk[4] == 4 && (walk[5] == 1 || walk[5] == 3));
  GrB_Matrix_free(&A), GrB_Matrix_free(&walks), GrB_Vector_free(&start);
}

static void refuse(GrB_Info info, const char *why, GrB_Matrix A, GrB_Vector start, rules r) {
  GrB_Matrix walks = NULL;
  assert_int_equal(Grid_random_walks(&walks, A, start, r.length, r.weighted, r.p, r.q, r.seed), info);
  assert_non_null(strstr(Grid_last_error(), "Grid_random_walks"));
  assert_non_null(strstr(Grid_last_error(), why));
  assert_null(walks);
}

static void bad_arguments(void **state) {
  GrB_Matrix A = make_small_graph(), oblong;
  GrB_Vector start;
  const rules plain = {false, 1, 1, 3, 0};
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&start, GrB_INT32, 2), GrB_SUCCESS);
  assert_int_equal(Grid_random_walks(NULL, A, NULL, 3, false, 1, 1, 0), GrB_NULL_POINTER);
  refuse(GrB_NULL_POINTER, "NULL", NULL, NULL, plain);
  refuse(GrB_DIMENSION_MISMATCH, "not square", oblong, NULL, plain);
  refuse(GrB_INVALID_VALUE, "length", A, NULL, (rules){false, 1, 1, UINT64_C(1) << 31, 0});
  refuse(GrB_INVALID_VALUE, "; they are from 1e-6 to 1e6", A, NULL, (rules){false, 0, 1, 3, 0});
  refuse(GrB_INVALID_VALUE, "; they are from 1e-6 to 1e6", A, NULL, (rules){false, 1, (double)NAN, 3, 0});
  for (int v = -1; v <= SMALL; v += SMALL + 1) {
    assert_int_equal(GrB_Vector_setElement_INT32(start, v, 1), GrB_SUCCESS);
    refuse(GrB_INDEX_OUT_OF_BOUNDS, "start", A, start, plain);
  }
  assert_int_equal(GrB_Matrix_setElement_FP64(A, -1, 1, 2), GrB_SUCCESS);
  refuse(GrB_INVALID_VALUE, "weight", A, NULL, (rules){true, 1, 1, 3, 0});
  assert_int_equal(GrB_Matrix_setElement_FP64(A, (double)INFINITY, 1, 2), GrB_SUCCESS);
  refuse(GrB_INVALID_VALUE, "weight", A, NULL, (rules){true, 1, 1, 3, 0});
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Vector_free(&start);
}

/* The walk matrix W and the starts of Grid_Matrix_walk. */
static void refuse_operands(GrB_Info info, const char *why, GrB_Type type, GrB_Index nwalks,
                            GrB_Type of_start, bool is_empty) {
  GrB_Matrix A = make_small_graph(), W;
  GrB_Vector start;
  GrB_Index nvals;
  assert_int_equal(GrB_Matrix_new(&W, type, nwalks, 4), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&start, of_start, 2), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_INT64(start, 1, 1), GrB_SUCCESS);
  if (!is_empty) assert_int_equal(GrB_Matrix_setElement_INT64(W, 7, 0, 0), GrB_SUCCESS);
  assert_int_equal(Grid_Matrix_walk(W, A, start, true, 1, 1, 0), info);
  if (info != GrB_SUCCESS) assert_non_null(strstr(Grid_last_error(), why));
  assert_int_equal(GrB_Matrix_nvals(&nvals, W), GrB_SUCCESS);
  assert_int_equal(nvals, info == GrB_SUCCESS ? 4 : !is_empty);
  GrB_Matrix_free(&A), GrB_Matrix_free(&W), GrB_Vector_free(&start);
}

static void bad_operands(void **state) {
  refuse_operands(GrB_SUCCESS, "", GrB_INT64, 2, GrB_UINT16, true);
  refuse_operands(GrB_DOMAIN_MISMATCH, "INT64", GrB_INT32, 2, GrB_INT64, true);
  refuse_operands(GrB_DOMAIN_MISMATCH, "integer", GrB_INT64, 2, GrB_FP64, true);
  refuse_operands(GrB_DIMENSION_MISMATCH, "start", GrB_INT64, 3, GrB_INT64, true);
  refuse_operands(GrB_OUTPUT_NOT_EMPTY, "walks", GrB_INT64, 2, GrB_INT64, false);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  const uint64_t start[] = {0, 3};
  named_make(&g, 3); /* a path */
  g.list.weight = NULL;
  GrB_Matrix A = named_pattern(&g);
  compute(A, start, 2, (rules){false, 1, 1, 3, 0});
  assert_null(check_random_walks(&g.list, walk, start, 2, 3, text, sizeof text));
  const double wrong[][2] = {{0, 1}, {2, 77}, {3, (double)NAN}, {7, -1}, {6, (double)NAN}, {5, 2.5}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    double *at = walk + (int)wrong[k][0];
    const double right = *at;
    *at = wrong[k][1];
    assert_non_null(check_random_walks(&g.list, walk, start, 2, 3, text, sizeof text));
    *at = right;
  }
  assert_null(check_random_walks(&g.list, walk, start, 2, 3, text, sizeof text));
  GrB_Matrix_free(&A);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matches_checker),       cmocka_unit_test(only_one_walk),
      cmocka_unit_test(weights_of_zero),       cmocka_unit_test(steps_as_likely),
      cmocka_unit_test(seeds_independent),     cmocka_unit_test(same_on_each_grid),
      cmocka_unit_test(same_in_long_rows),     cmocka_unit_test(missing_start),
      cmocka_unit_test(bad_arguments),         cmocka_unit_test(bad_operands),
      cmocka_unit_test(wrong_results_detected)};
  if (lacks_gpu()) return 77;
  return named_run("random_walks", tests, sizeof tests / sizeof *tests);
}
