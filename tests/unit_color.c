/* Grid_Matrix_color against a serial pass over a dense model, by its methods, on any number of processes. */
#include <stdio.h>

#include "dist/matrix/matrix.h"
#include "dist/op/graph/public_calls/color_products.h"
#include "dist/op/graph/color_rows.h"
#include "spmat/color_order.h"
#include "tests/gpu_present.h"
#include "tests/dense_model.h"
#include "tests/grid_shapes.h"
#include "tests/refused.h"

enum { MOST = 90, NO_COLOR = -1, SEVERAL = 4 /* threads, on one process */ };

typedef struct {
  size_t n;
  bool edge[MOST][MOST]; /* in either direction */
  bool symmetric;        /* and known to be */
  GrB_Matrix A;
} graph;

/* A graph with loops; A is known to be symmetric, or has its edges in one direction or in both. */
static void draw_graph(graph *g) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP32, GrB_INT64};
  static GrB_Index from[MOST * MOST], to[MOST * MOST];
  GrB_Index entries = 0;
  g->symmetric = draw_one_in(2);
  const GrB_Type type = types[draw(3)];
  dense a = {.rows = 0};
  g->n = 1 + draw(MOST);
  a = dense_new(g->n, g->n);
  dense_draw(&a, 1 + draw(12), 1);
  for (size_t i = 0; i < g->n; i++)
    for (size_t j = 0; j < g->n; j++) {
      g->edge[i][j] = a.has[dense_at(&a, i, j)] || a.has[dense_at(&a, j, i)];
      if (a.has[dense_at(&a, i, j)]) from[entries] = i, to[entries++] = j;
    }
  if (g->symmetric) {
    OK(GrB_Matrix_new(&g->A, type, g->n, g->n));
    OK(Grid_Matrix_build(g->A, from, to, NULL, type, Grid_rank() == 0 ? entries : 0, NULL, Grid_MIRROR));
  } else {
    g->A = dense_matrix(&a, type, false);
  }
  dense_free(&a);
}

/* The next vertex of the order that has no color yet. */
static size_t next_vertex(const int64_t *color, size_t n, uint64_t key) {
  size_t first = n;
  for (size_t v = 0; v < n; v++)
    if (color[v] < 0 && (first == n || grid_color_priority(v, key) > grid_color_priority(first, key)))
      first = v;
  return first;
}

/* The definition. Returns the number of colors. */
static uint64_t color_model(int64_t *color, const graph *g, uint64_t most, uint64_t order) {
  const uint64_t key = grid_color_key(order);
  uint64_t colors = 0;
  for (size_t v = 0; v < g->n; v++) color[v] = NO_COLOR;
  for (size_t v; (v = next_vertex(color, g->n, key)) < g->n;) {
    bool used[MOST] = {false};
    int64_t c = 0;
    for (size_t u = 0; u < g->n; u++)
      if (u != v && g->edge[u][v] && color[u] >= 0) used[color[u]] = true;
    while (used[c]) c++;
    color[v] = c;
    if ((uint64_t)c >= colors) colors = (uint64_t)c + 1;
  }
  for (size_t v = 0; v < g->n; v++)
    if ((uint64_t)color[v] >= most) color[v] = NO_COLOR;
  return colors < most ? colors : most;
}

static void assert_colors(const int64_t *expected, GrB_Vector v, size_t n) {
  for (size_t k = 0; k < n; k++) {
    int64_t x = NO_COLOR;
    const GrB_Info info = GrB_Vector_extractElement_INT64(&x, v, k);
    assert_int_equal(info, expected[k] < 0 ? GrB_NO_VALUE : GrB_SUCCESS);
    assert_int_equal(x, expected[k]);
  }
}

/* By rows, which are read on grids of any shape whose processes share memory. */
static void assert_by_rows(const int64_t *expected, uint64_t expected_colors, const graph *g, uint64_t most,
                           uint64_t order) {
  GrB_Index first, count, entries = 0;
  uint64_t colors = 77;
  grid_chunk t;
  OK(Grid_local_range(g->n, &first, &count));
  grid_chunk_init(&t, GrB_INT64, count);
  OK(grid_matrix_require(g->A, GRID_WHOLE | GRID_HOST));
  const GrB_Info info = grid_color_by_rows(&t, &colors, g->A, most, order);
  assert_int_equal(info,
                   grid_mailbox_is_open(GRID_SET_ALL) || Grid_size() == 1 ? GrB_SUCCESS : GRID_UNSUPPORTED);
  if (info == GrB_SUCCESS) {
    assert_int_equal(colors, expected_colors);
    for (grid_iter it = grid_iter_begin(&t); grid_iter_next(&it); entries++)
      assert_int_equal(*(const int64_t *)(const void *)it.v, expected[first + it.i]);
    for (GrB_Index k = 0; k < count; k++) entries -= expected[first + k] >= 0;
    assert_int_equal(entries, 0);
  }
  grid_chunk_free(&t);
}

/* The rows of high degree are apart from the others, where they are stored so (dist/delegates). */
static void split_delegates(GrB_Matrix A, GrB_Index n) {
  GrB_Vector x = NULL;
  OK(GrB_Matrix_set_INT32(A, 3, Grid_DELEGATES));
  OK(GrB_Vector_new(&x, GrB_INT64, n));
  OK(GrB_mxv(x, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, x, NULL));
  GrB_Vector_free(&x);
}

static void matches_model(void **state) {
  const int rounds = Grid_size() > 1 ? 8 : 100;
  const GrB_Type types[] = {GrB_INT64, GrB_INT32, GrB_INT8};
  const uint64_t limits[] = {UINT64_MAX, 60, 16, 0}, mosts[] = {UINT64_MAX, 1, 2, 5};
  const int threads = Grid_threads(0);
  static graph g;
  for (int round = 0; round < rounds; round++) {
    const uint64_t most = mosts[draw(4)], order = draw(1000);
    int64_t expected[MOST];
    uint64_t colors = 77;
    GrB_Vector v = NULL;
    draw_graph(&g);
    const uint64_t expected_colors = color_model(expected, &g, most, order);
    OK(GrB_Vector_new(&v, types[draw(3)], g.n));
    OK(GrB_Vector_setElement_INT64(v, 99, 0));
    Grid_threads(round % 2 ? threads : SEVERAL);
    OK(Grid_Matrix_color(v, &colors, g.A, most, order));
    Grid_threads(threads);
    assert_int_equal(colors, expected_colors);
    assert_colors(expected, v, g.n);
    OK(grid_color_by_products_until(limits[draw(4)], v, &colors, g.A, most, order));
    assert_int_equal(colors, expected_colors);
    assert_colors(expected, v, g.n);
    if (g.symmetric && Grid_device() == Grid_CPU) assert_by_rows(expected, expected_colors, &g, most, order);
    if (round % 4 == 0) {
      split_delegates(g.A, g.n);
      OK(Grid_Matrix_color(v, NULL, g.A, most, order));
      assert_colors(expected, v, g.n);
    }
    GrB_Vector_free(&v);
    GrB_Matrix_free(&g.A);
  }
}

static GrB_Matrix undirected(const GrB_Index *from, const GrB_Index *to, GrB_Index n, GrB_Index edges) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  OK(Grid_Matrix_build(A, from, to, NULL, GrB_BOOL, Grid_rank() == 0 ? edges : 0, NULL, Grid_MIRROR));
  return A;
}

/* The same colors as by products, by several threads where these color. */
static void assert_as_by_products(GrB_Matrix A, GrB_Index n, uint64_t most) {
  GrB_Vector v[2] = {NULL, NULL};
  GrB_Index first, count;
  uint64_t colors[2];
  int64_t *x[2];
  const int threads = Grid_threads(0);
  OK(Grid_local_range(n, &first, &count));
  for (int k = 0; k < 2; k++) {
    x[k] = malloc((count + 1) * sizeof *x[k]);
    assert_non_null(x[k]);
    for (GrB_Index i = 0; i < count; i++) x[k][i] = NO_COLOR;
    GrB_Index *at = malloc((count + 1) * sizeof *at), entries = count;
    int64_t *value = malloc((count + 1) * sizeof *value);
    assert_true(at && value);
    OK(GrB_Vector_new(&v[k], GrB_INT64, n));
    if (k == 0) Grid_threads(SEVERAL);
    if (k == 0) OK(Grid_Matrix_color(v[k], &colors[k], A, most, 3));
    Grid_threads(threads);
    if (k == 1) OK(grid_color_by_products(v[k], &colors[k], A, most, 3));
    OK(Grid_Vector_extractLocal(at, value, &entries, v[k]));
    for (GrB_Index e = 0; e < entries; e++) x[k][at[e] - first] = value[e];
    free(at), free(value);
    GrB_Vector_free(&v[k]);
  }
  assert_int_equal(colors[0], colors[1]);
  assert_memory_equal(x[0], x[1], count * sizeof *x[0]);
  free(x[0]), free(x[1]);
}

/* Edges drawn at random, vertices with edges to all, and a path: in each order vertices depend on others. */
static void large_graph(void **state) {
  enum { HUBS = 3, EDGES_PER_VERTEX = 6 };
  const GrB_Index n = Grid_size() > 1 ? 2000 : 30000;
  GrB_Index *from = malloc(n * (HUBS + 1 + EDGES_PER_VERTEX) * sizeof *from),
            *to = malloc(n * (HUBS + 1 + EDGES_PER_VERTEX) * sizeof *to), m = 0;
  assert_true(from && to);
  for (GrB_Index k = 0; k < n; k++) {
    for (GrB_Index h = 0; h < HUBS; h++) from[m] = 7 * h, to[m++] = k;
    if (k + 1 < n) from[m] = k, to[m++] = k + 1;
    for (int e = 0; e < EDGES_PER_VERTEX; e++) from[m] = k, to[m++] = draw(n);
  }
  GrB_Matrix A = undirected(from, to, n, m);
  assert_as_by_products(A, n, UINT64_MAX);
  assert_as_by_products(A, n, 1);
  assert_as_by_products(A, n, 3);
  for (uint64_t k = 0; Grid_size() == 1 && Grid_fallback(k, NULL); k++) /* with a GPU it does that */
    assert_null(strstr(Grid_fallback(k, NULL), "Grid_Matrix_color"));
  GrB_Matrix_free(&A);
  free(from), free(to);
}

/* The vertices of a clique of n have the colors 0, 1, ... in the order's sequence, up to `most`; the others
 * none. */
static void assert_clique_colors(GrB_Matrix A, GrB_Index n, uint64_t most, int threads) {
  const uint64_t key = grid_color_key(5), expected = most < n ? most : n;
  const int threads_before = Grid_threads(0);
  GrB_Vector v = NULL;
  uint64_t colors = 0;
  OK(GrB_Vector_new(&v, GrB_INT64, n));
  Grid_threads(threads);
  OK(Grid_Matrix_color(v, &colors, A, most, 5));
  Grid_threads(threads_before);
  assert_int_equal(colors, expected);
  for (GrB_Index i = 0; i < n; i += 13) {
    uint64_t before = 0;
    int64_t x = -1;
    for (GrB_Index j = 0; j < n; j++) before += grid_color_priority(j, key) > grid_color_priority(i, key);
    const GrB_Info info = GrB_Vector_extractElement_INT64(&x, v, i);
    assert_int_equal(info, before < expected ? GrB_SUCCESS : GrB_NO_VALUE);
    if (before < expected) assert_int_equal(x, before);
  }
  GrB_Vector_free(&v);
}

/* A clique, in which each vertex waits for all before it, and has a color of its own. */
static void large_clique(void **state) {
  const GrB_Index n = Grid_size() > 1 ? 40 : 1100;
  GrB_Index *from = malloc(n * n * sizeof *from), *to = malloc(n * n * sizeof *to), m = 0;
  assert_true(from && to);
  for (GrB_Index i = 0; i < n; i++)
    for (GrB_Index j = 0; j < i; j++) from[m] = i, to[m++] = j;
  GrB_Matrix A = undirected(from, to, n, m);
  assert_clique_colors(A, n, UINT64_MAX, 1);
  assert_clique_colors(A, n, 1050, SEVERAL);
  assert_as_by_products(A, n, 30); /* a round of products for each color */
  GrB_Matrix_free(&A);
  free(from), free(to);
}

/* All edges are in the block of one process: the others list no rows. */
static void edges_of_one_process(void **state) {
  enum { VERTICES = 60, EDGES = 1500 };
  const GrB_Index n = 9000;
  GrB_Index from[EDGES], to[EDGES];
  for (GrB_Index m = 0; m < EDGES; m++) from[m] = draw(VERTICES), to[m] = draw(VERTICES);
  GrB_Matrix A = undirected(from, to, n, EDGES);
  assert_as_by_products(A, n, UINT64_MAX);
  GrB_Matrix_free(&A);
}

/* The matrix and the colors after the device was turned off. */
static void device_turned_off(void **state) {
  const GrB_Index from[] = {0, 1, 2, 3, 4}, to[] = {1, 2, 3, 4, 0};
  const int device = Grid_device();
  GrB_Matrix A = undirected(from, to, 5, 5);
  GrB_Vector v = NULL, w = NULL;
  uint64_t colors = 0;
  int64_t x = -1, y = -1;
  OK(GrB_Vector_new(&v, GrB_INT64, 5));
  OK(GrB_Vector_new(&w, GrB_INT64, 5));
  OK(Grid_Matrix_color(v, &colors, A, UINT64_MAX, 1));
  assert_int_equal(colors, 3);
  OK(Grid_device_set(Grid_CPU));
  OK(Grid_Matrix_color(w, NULL, A, UINT64_MAX, 1));
  for (GrB_Index k = 0; k < 5; k++) {
    OK(GrB_Vector_extractElement_INT64(&x, v, k));
    OK(GrB_Vector_extractElement_INT64(&y, w, k));
    assert_int_equal(x, y);
  }
  OK(GrB_mxv(w, NULL, NULL, GrB_MAX_SECOND_SEMIRING_INT64, A, v, NULL));
  OK(GrB_Vector_reduce_INT64(&x, NULL, GrB_MAX_MONOID_INT64, w, NULL));
  assert_int_equal(x, 2);
  OK(Grid_device_set(device));
  OK(Grid_Matrix_color(w, NULL, A, 1, 1));
  GrB_Vector_free(&v), GrB_Vector_free(&w);
  GrB_Matrix_free(&A);
}

static void wrong_arguments(void **state) {
  GrB_Matrix A = NULL, oblong = NULL;
  GrB_Vector v = NULL, longer = NULL, real = NULL;
  uint64_t colors = 77;
  GrB_Index entries = 0;
  int64_t x = 0;
  OK(GrB_Matrix_new(&A, GrB_FP64, 40, 40));
  OK(GrB_Matrix_new(&oblong, GrB_FP64, 40, 41));
  OK(GrB_Vector_new(&v, GrB_INT64, 40));
  OK(GrB_Vector_new(&longer, GrB_INT64, 41));
  OK(GrB_Vector_new(&real, GrB_FP64, 40));
  OK(GrB_Vector_setElement_INT64(v, 7, 39));
  refused(Grid_Matrix_color(NULL, &colors, A, 1, 0), GrB_NULL_POINTER, "color is NULL");
  refused(Grid_Matrix_color(v, &colors, NULL, 1, 0), GrB_NULL_POINTER, "A is NULL");
  refused(Grid_Matrix_color(v, &colors, oblong, 1, 0), GrB_DIMENSION_MISMATCH, "columns");
  refused(Grid_Matrix_color(longer, &colors, A, 1, 0), GrB_DIMENSION_MISMATCH, "color");
  refused(Grid_Matrix_color(real, &colors, A, 1, 0), GrB_DOMAIN_MISMATCH, "color has");
  refused(Grid_Matrix_color(v, &colors, A, 0, 0), GrB_INVALID_VALUE, "most is 0");
  OK(GrB_Vector_extractElement_INT64(&x, v, 39));
  assert_true(x == 7 && colors == 77);
  OK(Grid_Matrix_color(v, &colors, A, 5, 0)); /* without edges */
  OK(GrB_Vector_nvals(&entries, v));
  assert_true(colors == 1 && entries == 40);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
  GrB_Vector_free(&v), GrB_Vector_free(&longer), GrB_Vector_free(&real);
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matches_model),     cmocka_unit_test(large_graph),
      cmocka_unit_test(large_clique),      cmocka_unit_test(edges_of_one_process),
      cmocka_unit_test(device_turned_off), cmocka_unit_test(wrong_arguments)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

/* With GRIDBLAS_DEVICE=cuda on a GPU; exit status 77 where there is none. */
int main(void) {
  if (lacks_gpu()) return 77;
  return run_on_shapes(group);
}
