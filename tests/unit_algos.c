/* The algorithms of algos/ against plain loops over an adjacency matrix, on random graphs with every storage
 * and direction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_algos.h"

enum { MOST = 48 };

/* A small graph and what is true of it from one source. */
typedef struct {
  int n;
  bool edge[MOST][MOST];
  int depth[MOST]; /* -1: not reached */
  double paths[MOST];
  int order[MOST], reached;
} small;

static uint64_t state_of_chance;
static uint64_t chance(uint64_t n) {
  state_of_chance = state_of_chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (state_of_chance >> 33) % n;
}

static void draw(small *s, bool directed) {
  memset(s, 0, sizeof *s);
  s->n = 1 + (int)chance(MOST);
  const uint64_t percent = chance(20);
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++)
      if (chance(100) < percent) {
        s->edge[i][j] = true;
        if (!directed) s->edge[j][i] = true;
      }
}

static void search(small *s, int source) {
  for (int v = 0; v < s->n; v++) s->depth[v] = -1, s->paths[v] = 0;
  s->depth[source] = 0, s->paths[source] = 1, s->order[0] = source, s->reached = 1;
  for (int k = 0; k < s->reached; k++) {
    const int u = s->order[k];
    for (int v = 0; v < s->n; v++) {
      if (!s->edge[u][v]) continue;
      if (s->depth[v] < 0) s->depth[v] = s->depth[u] + 1, s->order[s->reached++] = v;
      if (s->depth[v] == s->depth[u] + 1) s->paths[v] += s->paths[u];
    }
  }
}

/* The graph as a matrix of numbers that are not 1, some of them 0: edges are entries, whatever their values.
 */
static GrB_Matrix matrix_of(const small *s, int32_t delegates, int32_t direction) {
  GrB_Index rows[MOST * MOST], cols[MOST * MOST], n = 0;
  double values[MOST * MOST];
  GrB_Matrix A;
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++)
      if (s->edge[i][j])
        rows[n] = (GrB_Index)i, cols[n] = (GrB_Index)j, values[n] = (double)((i + j) % 3), n++;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, (GrB_Index)s->n, (GrB_Index)s->n), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(A, rows, cols, values, n, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_set_INT32(A, delegates, Grid_DELEGATES), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_set_INT32(A, direction, Grid_DIRECTION), GrB_SUCCESS);
  return A;
}

static void check_level(GrB_Vector level, const small *s, int64_t limit) {
  GrB_Index at[MOST], n = MOST, expected = 0;
  int32_t value[MOST];
  assert_int_equal(GrB_Vector_extractTuples_INT32(at, value, &n, level), GrB_SUCCESS);
  for (GrB_Index k = 0; k < n; k++) assert_int_equal(value[k], s->depth[at[k]]);
  for (int v = 0; v < s->n; v++) expected += s->depth[v] >= 0 && (limit < 0 || s->depth[v] <= limit);
  assert_int_equal(n, expected);
}

static void check_parent(GrB_Vector parent, const small *s, int source, int64_t limit) {
  GrB_Index at[MOST], n = MOST, expected = 0;
  int64_t value[MOST];
  assert_int_equal(GrB_Vector_extractTuples_INT64(at, value, &n, parent), GrB_SUCCESS);
  for (GrB_Index k = 0; k < n; k++) {
    if (at[k] == (GrB_Index)source) {
      assert_int_equal(value[k], source);
      continue;
    }
    assert_in_range(value[k], 0, s->n - 1);
    assert_true(s->edge[value[k]][at[k]]);
    assert_int_equal(s->depth[value[k]] + 1, s->depth[at[k]]);
  }
  for (int v = 0; v < s->n; v++) expected += s->depth[v] >= 0 && (limit < 0 || s->depth[v] <= limit);
  assert_int_equal(n, expected);
}

static const int32_t thresholds[] = {Grid_DELEGATES_OFF, Grid_DELEGATES_AUTO, 0, 6, INT32_MAX};
static const int32_t directions[] = {Grid_DIRECTION_AUTO, Grid_DIRECTION_PUSH, Grid_DIRECTION_PULL};

static void bfs(void **state) {
  small s;
  for (int turn = 0; turn < 30; turn++) {
    draw(&s, turn % 2 == 0);
    GrB_Matrix A = matrix_of(&s, thresholds[turn % 5], directions[turn % 3]);
    const int source = (int)chance((uint64_t)s.n);
    const int64_t limit = turn % 4 == 0 ? (int64_t)chance(4) : -1;
    search(&s, source);
    for (int outputs = 1; outputs < 4; outputs++) {
      GrB_Vector level = NULL, parent = NULL;
      assert_int_equal(
          Grid_bfs(outputs & 1 ? &level : NULL, outputs & 2 ? &parent : NULL, A, (GrB_Index)source, limit),
          GrB_SUCCESS);
      if (level != NULL) check_level(level, &s, limit);
      if (parent != NULL) check_parent(parent, &s, source, limit);
      GrB_Vector_free(&level);
      GrB_Vector_free(&parent);
    }
    GrB_Matrix_free(&A);
  }
}

static void components(void **state) {
  small s;
  for (int turn = 0; turn < 15; turn++) {
    GrB_Vector component;
    GrB_Index at[MOST], n = MOST;
    int64_t value[MOST];
    draw(&s, false);
    GrB_Matrix A = matrix_of(&s, thresholds[turn % 5], directions[turn % 3]);
    assert_int_equal(Grid_components(&component, A), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_extractTuples_INT64(at, value, &n, component), GrB_SUCCESS);
    assert_int_equal(n, s.n);
    for (int v = 0; v < s.n; v++) {
      int64_t smallest = v;
      search(&s, v);
      for (int k = 0; k < s.reached; k++)
        if (s.order[k] < smallest) smallest = s.order[k];
      assert_int_equal(value[v], smallest);
    }
    GrB_Vector_free(&component);
    GrB_Matrix_free(&A);
  }
}

/* sum += the dependencies of the source of the last search. */
static void add_dependencies(double *sum, const small *s) {
  double delta[MOST] = {0};
  for (int k = s->reached - 1; k > 0; k--) {
    const int w = s->order[k];
    for (int u = 0; u < s->n; u++)
      if (s->edge[u][w] && s->depth[u] >= 0 && s->depth[u] == s->depth[w] - 1)
        delta[u] += s->paths[u] / s->paths[w] * (1 + delta[w]);
    sum[w] += delta[w];
  }
}

static void betweenness(void **state) {
  small s;
  for (int turn = 0; turn < 30; turn++) {
    GrB_Vector centrality;
    GrB_Index sources[MOST], n = 0;
    GrB_Index at[MOST], entries = MOST;
    double sum[MOST] = {0}, value[MOST];
    draw(&s, turn % 2 == 0);
    GrB_Matrix A = matrix_of(&s, thresholds[turn % 5], directions[turn % 3]);
    for (int v = 0; v < s.n; v += 1 + s.n / 2) {
      sources[n++] = (GrB_Index)v;
      search(&s, v);
      add_dependencies(sum, &s);
    }
    assert_int_equal(Grid_betweenness(&centrality, A, sources, n), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_extractTuples_FP64(at, value, &entries, centrality), GrB_SUCCESS);
    assert_int_equal(entries, s.n);
    for (int v = 0; v < s.n; v++) assert_true(fabs(value[v] - sum[v]) <= 1e-12 * (1 + sum[v]) * MOST);
    GrB_Vector_free(&centrality);
    GrB_Matrix_free(&A);
  }
}

static void bad_arguments(void **state) {
  GrB_Matrix A, oblong;
  GrB_Vector const untouched = (GrB_Vector)(uintptr_t)8;
  GrB_Vector v = untouched, w = untouched;
  GrB_Index outside = 5;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 5, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&oblong, GrB_BOOL, 5, 4), GrB_SUCCESS);
  assert_int_equal(Grid_bfs(NULL, NULL, A, 0, -1), GrB_NULL_POINTER);
  assert_int_equal(Grid_bfs(&v, &w, NULL, 0, -1), GrB_NULL_POINTER);
  assert_int_equal(Grid_bfs(&v, &w, oblong, 0, -1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_bfs(&v, &w, A, 5, -1), GrB_INVALID_INDEX);
  assert_non_null(strstr(Grid_last_error(), "Grid_bfs"));
  assert_int_equal(Grid_components(NULL, A), GrB_NULL_POINTER);
  assert_int_equal(Grid_components(&v, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_components(&v, oblong), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_betweenness(NULL, A, &outside, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_betweenness(&v, A, NULL, 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_betweenness(&v, oblong, &outside, 1), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_betweenness(&v, A, &outside, 1), GrB_INVALID_INDEX);
  assert_ptr_equal(v, untouched);
  assert_ptr_equal(w, untouched);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&oblong);
}

/* The events that Grid_progress reports after each product of a computation. */
static struct {
  uint64_t most, total;
  bool falls, exceeds;
} reported;

static void look(const Grid_Product *p, void *context) {
  uint64_t done, total;
  (void)p, (void)context;
  Grid_progress(NULL, NULL);
  Grid_shape(NULL, NULL);
  Grid_progress(&done, &total);
  reported.falls |= done < reported.most;
  reported.exceeds |= done > total;
  reported.most = done, reported.total = total;
}

/* Sources and iterations are counted during a computation, and no longer afterwards. */
static void progress_is_reported(void **state) {
  small s;
  const GrB_Index sources[] = {0, 1, 2};
  GrB_Vector v;
  uint64_t done, total, iterations;
  do draw(&s, true);
  while (s.n < 10);
  GrB_Matrix A = matrix_of(&s, Grid_DELEGATES_OFF, Grid_DIRECTION_AUTO);
  memset(&reported, 0, sizeof reported);
  Grid_trace(look, NULL);
  assert_int_equal(Grid_betweenness(&v, A, sources, 3), GrB_SUCCESS);
  assert_int_equal(reported.most, 2);
  assert_int_equal(reported.total, 3);
  assert_false(reported.falls || reported.exceeds);
  Grid_progress(&done, &total);
  assert_int_equal(total, 0);
  GrB_Vector_free(&v);
  memset(&reported, 0, sizeof reported);
  assert_int_equal(Grid_pagerank(&v, &iterations, NULL, A, NULL, 0.85, 0, 20, 0), GrB_SUCCESS);
  assert_int_equal(reported.most, 19);
  assert_int_equal(reported.total, 20);
  assert_false(reported.falls || reported.exceeds);
  Grid_trace(NULL, NULL);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

/* A graph without edges, and no sources at all. */
static void empty_input(void **state) {
  GrB_Matrix A;
  GrB_Vector level, centrality, component;
  GrB_Index n;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 7, 7), GrB_SUCCESS);
  assert_int_equal(Grid_bfs(&level, NULL, A, 6, -1), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&n, level), GrB_SUCCESS);
  assert_int_equal(n, 1);
  assert_int_equal(Grid_betweenness(&centrality, A, NULL, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&n, centrality), GrB_SUCCESS);
  assert_int_equal(n, 7);
  assert_int_equal(Grid_components(&component, A), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&n, component), GrB_SUCCESS);
  assert_int_equal(n, 7);
  GrB_Vector_free(&level);
  GrB_Vector_free(&centrality);
  GrB_Vector_free(&component);
  GrB_Matrix_free(&A);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bfs),           cmocka_unit_test(components),  cmocka_unit_test(betweenness),
      cmocka_unit_test(bad_arguments), cmocka_unit_test(empty_input), cmocka_unit_test(progress_is_reported),
  };
  if (Grid_init(GrB_NONBLOCKING, NULL, 0, 0) != GrB_SUCCESS) return 2;
  state_of_chance = 20260;
  const int failed = cmocka_run_group_tests_name("algos", tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS ? failed : 2;
}
