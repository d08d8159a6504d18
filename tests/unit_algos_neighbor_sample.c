/* Grid_neighbor_sample against the serial checker; whether all neighbors are as likely; the same sample on
 * each number of processes; wrong arguments, and the checker against wrong answers. */
#include "tests/gpu_present.h"
#include "tests/named_graphs.h"

#include "bench/check/learning/check_neighbor_sample.h"

static double hop[MAX_VERTICES];
static named_list entries;
static char text[300];

static check_sample compute(GrB_Matrix A, const uint64_t *sources, uint64_t nsources, const int64_t *fanouts,
                            uint64_t nfanouts, uint64_t seed) {
  GrB_Matrix sample;
  GrB_Vector v;
  GrB_Index n;
  assert_int_equal(Grid_neighbor_sample(&sample, &v, A, sources, nsources, fanouts, nfanouts, seed),
                   GrB_SUCCESS);
  assert_int_equal(GrB_Vector_size(&n, v), GrB_SUCCESS);
  named_values(hop, v, n);
  named_entries(&entries, sample);
  GrB_Matrix_free(&sample), GrB_Vector_free(&v);
  return (check_sample){.sources = sources,
                        .nsources = nsources,
                        .fanouts = fanouts,
                        .nfanouts = nfanouts,
                        .row = entries.row,
                        .col = entries.col,
                        .value = entries.value,
                        .hop = hop,
                        .n = entries.n};
}

/* Without weights where the matrix has none: values are 1. */
static void compare(const named_graph *g, GrB_Matrix A, int k) {
  static const int64_t fanouts[][3] = {{2, 1, 3}, {-1, 2, 0}, {3, -1, 1}, {1, 1, 1}, {50, 7, 2}};
  check_graph list = g->list;
  const uint64_t sources[] = {0, list.n / 2, list.n - 1, 0};
  if (k % 2 == 0) list.weight = NULL;
  for (size_t f = 0; f < sizeof fanouts / sizeof *fanouts; f++)
    for (uint64_t hops = 0; hops <= 3; hops++) {
      const check_sample s = compute(A, sources, f == 0 ? 4 : f, fanouts[f], hops, f);
      assert_named_correct(check_neighbor_sample(&list, &s, text, sizeof text), g);
    }
}

static void matches_checker(void **state) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP64};
  run_named_graphs(types, 2, compare);
}

static GrB_Matrix make_star(uint64_t leaves) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_INT32, leaves + 1, leaves + 1), GrB_SUCCESS);
  for (uint64_t v = 1; v <= leaves; v++)
    assert_int_equal(GrB_Matrix_setElement_INT32(A, (int32_t)(3 * v), 0, v), GrB_SUCCESS);
  return A;
}

/* The center of a star draws 8 of its 40 neighbors, 500 times. A neighbor is drawn 100 times on average, with
 * a variance of 80, and a pair of two 500 * 8 * 7 / (40 * 39) = 17.9 times. */
static void neighbors_equally_likely(void **state) {
  enum { LEAVES = 40, DRAWS = 500 };
  const uint64_t center = 0;
  const int64_t fanout = 8;
  int count[LEAVES + 1] = {0}, pairs[LEAVES + 2] = {0};
  double sum = 0, sum_of_pairs = 0;
  GrB_Matrix A = make_star(LEAVES);
  for (uint64_t seed = 0; seed < DRAWS; seed++) {
    bool drawn[LEAVES + 2] = {false};
    const check_sample s = compute(A, &center, 1, &fanout, 1, seed);
    assert_int_equal(s.n, 8);
    for (uint64_t k = 0; k < s.n; k++) {
      assert_true(s.value[k] == 3 * (double)s.col[k]);
      count[s.col[k]]++, drawn[s.col[k]] = true;
    }
    for (int v = 1; v < LEAVES; v++) pairs[v] += drawn[v] && drawn[v + 1];
  }
  for (int v = 1; v <= LEAVES; v++) sum += (count[v] - 100.0) * (count[v] - 100.0) / 80;
  for (int v = 1; v < LEAVES; v++) sum_of_pairs += (pairs[v] - 17.95) * (pairs[v] - 17.95) / 17.95;
  /* 39 degrees of freedom: 73 in one of 1000 cases */
  assert_true(sum < 73 && sum > 14);
  assert_true(sum_of_pairs < 73 && sum_of_pairs > 14);
  GrB_Matrix_free(&A);
}

/* The same for 2 of 5, where a bias against the last positions is largest: 200 times each on average, with a
 * variance of 120. That is 5/4 of a statistic of 4 degrees of freedom, which exceeds 18.5 in one of 1000
 * cases. */
static void few_neighbors_equally_likely(void **state) {
  enum { LEAVES = 5, DRAWS = 500 };
  const uint64_t center = 0;
  const int64_t fanout = 2;
  double count[LEAVES + 1] = {0}, sum = 0;
  GrB_Matrix A = make_star(LEAVES);
  for (uint64_t seed = 0; seed < DRAWS; seed++) {
    const check_sample s = compute(A, &center, 1, &fanout, 1, seed);
    for (uint64_t k = 0; k < s.n; k++) count[s.col[k]]++;
  }
  for (int v = 1; v <= LEAVES; v++) sum += (count[v] - 200) * (count[v] - 200) / 120;
  assert_true(sum < 1.25 * 18.5);
  GrB_Matrix_free(&A);
}

/* Compares the checksum of a sample of three hops with that of one that was made on one process. */
static void compare_checksum(GrB_Matrix A) {
  const uint64_t sources[] = {3, 77};
  const int64_t fanouts[] = {3, 2, 2};
  uint64_t sum = 0;
  const check_sample s = compute(A, sources, 2, fanouts, 3, 11);
  for (uint64_t k = 0; k < s.n; k++) sum += (s.row[k] * 1000 + s.col[k]) * (s.row[k] * 1000 + s.col[k]);
  assert_int_equal(sum, UINT64_C(81165619950));
}

static void same_on_each_grid(void **state) {
  static named_graph g;
  named_make(&g, 12); /* a grid */
  GrB_Matrix A = named_pattern(&g);
  compare_checksum(A);
  GrB_Matrix_free(&A);
}

static int samples_traced;
static int count_samples(const char *fmt, ...) {
  char line[1000];
  va_list arguments;
  va_start(arguments, fmt);
  const int n = vsnprintf(line, sizeof line, fmt, arguments);
  va_end(arguments);
  samples_traced += strstr(line, "Grid_Matrix_sample") != NULL;
  return n;
}

/* Rows of a matrix split by delegates are extracted: once, for the hop that draws of them. */
static void split_rows_extracted_once(void **state) {
  static named_graph g;
  int (*print)(const char *, ...) = count_samples;
  void *function;
  memcpy(&function, &print, sizeof function);
  named_make(&g, 12);
  GrB_Matrix A = named_pattern(&g);
  assert_int_equal(GrB_Matrix_set_INT32(A, 3, Grid_DELEGATES), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_wait(A, GrB_MATERIALIZE), GrB_SUCCESS);
  assert_int_equal(GxB_Global_Option_set_FUNCTION(GxB_PRINTF, function), GrB_SUCCESS);
  assert_int_equal(GrB_set(GrB_GLOBAL, 1, GxB_BURBLE), GrB_SUCCESS);
  compare_checksum(A);
  assert_int_equal(GrB_set(GrB_GLOBAL, 0, GxB_BURBLE), GrB_SUCCESS);
  assert_int_equal(GxB_Global_Option_set_FUNCTION(GxB_PRINTF, NULL), GrB_SUCCESS);
  assert_int_equal(samples_traced, Grid_rank() == 0 ? 3 : 0);
  GrB_Matrix_free(&A);
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong, sample = NULL;
  GrB_Vector v = NULL;
  const uint64_t sources[] = {0, 3};
  const int64_t fanouts[] = {2, -2};
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 3, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 3, 4), GrB_SUCCESS);
  assert_int_equal(Grid_neighbor_sample(NULL, NULL, A, sources, 1, fanouts, 1, 0), GrB_NULL_POINTER);
  assert_non_null(strstr(Grid_last_error(), "Grid_neighbor_sample: both outputs"));
  assert_int_equal(Grid_neighbor_sample(&sample, &v, NULL, sources, 1, fanouts, 1, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_neighbor_sample(&sample, &v, A, NULL, 1, fanouts, 1, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_neighbor_sample(&sample, &v, A, sources, 1, NULL, 1, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_neighbor_sample(&sample, &v, oblong, sources, 1, fanouts, 1, 0),
                   GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_neighbor_sample(&sample, &v, A, sources, 2, fanouts, 1, 0), GrB_INVALID_INDEX);
  assert_non_null(strstr(Grid_last_error(), "not a vertex"));
  assert_int_equal(Grid_neighbor_sample(&sample, &v, A, sources, 1, fanouts, 2, 0), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "fan-out"));
  assert_null(sample), assert_null(v);
  assert_int_equal(Grid_neighbor_sample(&sample, NULL, A, NULL, 0, NULL, 0, 0), GrB_SUCCESS);
  assert_int_equal(Grid_neighbor_sample(NULL, &v, A, sources, 1, fanouts, 1, 0), GrB_SUCCESS);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Matrix_free(&sample), GrB_Vector_free(&v);
}

static void wrong_results_detected(void **state) {
  static named_graph g;
  const uint64_t source = 0;
  const int64_t fanouts[] = {3, 2};
  named_make(&g, 6); /* a clique of 12 */
  GrB_Matrix A = named_matrix(&g, GrB_FP64);
  check_sample s = compute(A, &source, 1, fanouts, 2, 5);
  assert_null(check_neighbor_sample(&g.list, &s, text, sizeof text));
  s.n--; /* a draw is missing */
  assert_non_null(check_neighbor_sample(&g.list, &s, text, sizeof text));
  s.n++;
  const uint64_t col = entries.col[0];
  entries.col[0] = entries.col[1]; /* drawn twice */
  assert_non_null(check_neighbor_sample(&g.list, &s, text, sizeof text));
  entries.col[0] = entries.row[0]; /* not an edge */
  assert_non_null(check_neighbor_sample(&g.list, &s, text, sizeof text));
  entries.col[0] = col;
  entries.value[0] += 1;
  assert_non_null(check_neighbor_sample(&g.list, &s, text, sizeof text));
  entries.value[0] -= 1;
  assert_null(check_neighbor_sample(&g.list, &s, text, sizeof text));
  hop[col] += 1;
  assert_non_null(check_neighbor_sample(&g.list, &s, text, sizeof text));
  GrB_Matrix_free(&A);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matches_checker),
                                     cmocka_unit_test(neighbors_equally_likely),
                                     cmocka_unit_test(few_neighbors_equally_likely),
                                     cmocka_unit_test(same_on_each_grid),
                                     cmocka_unit_test(split_rows_extracted_once),
                                     cmocka_unit_test(bad_arguments),
                                     cmocka_unit_test(wrong_results_detected)};
  if (lacks_gpu()) return 77;
  return named_run("neighbor_sample", tests, sizeof tests / sizeof *tests);
}
