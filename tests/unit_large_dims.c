/* Dimensions beyond 32 bits: a small graph and the same graph with its vertices spread over 2^33 indices and
 * more. Both give the same results, on every grid shape and by every method of a product. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/plan/tune_method.h"
#include "dist/product/mxv/mxv.h"
#include "gridblas_algos.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { N = 400, MOST = 12 * N };

/* The small graph's vertex v is vertex id[v] of the large one. */
static struct {
  GrB_Index n, id[N], row[MOST], col[MOST], entries;
  int64_t value[MOST];
  bool symmetric;
} graph;

static int ascending(const void *a, const void *b) {
  const GrB_Index x = *(const GrB_Index *)a, y = *(const GrB_Index *)b;
  return x < y ? -1 : x > y;
}

/* Ids near the ends of chunks, near multiples of 2^32, in runs, and anywhere. */
static void draw_ids(GrB_Index n) {
  GrB_Index at = 0;
  graph.n = n;
  while (at < N) {
    const GrB_Index chunk = (n + (GrB_Index)Grid_size() - 1) / (GrB_Index)Grid_size();
    const unsigned kind = (unsigned)draw(4);
    GrB_Index v = kind == 0         ? (draw((GrB_Index)Grid_size()) + 1) * chunk - 70 + draw(140)
                  : kind == 1       ? (draw((n >> 32) + 1) << 32) + draw(5)
                  : kind == 2 && at ? graph.id[at - 1] + 1
                                    : (draw(UINT64_C(1) << 31) << 31 | draw(UINT64_C(1) << 31)) % n;
    if (v >= n) v = n - 1 - draw(3);
    graph.id[at++] = v;
    if (at < N) continue;
    qsort(graph.id, at, sizeof *graph.id, ascending);
    GrB_Index distinct = 1;
    for (GrB_Index k = 1; k < at; k++)
      if (graph.id[k] != graph.id[distinct - 1]) graph.id[distinct++] = graph.id[k];
    at = distinct;
  }
}

static void put(GrB_Index i, GrB_Index j, int64_t value) {
  graph.row[graph.entries] = i, graph.col[graph.entries] = j, graph.value[graph.entries++] = value;
}

/* Hubs, a path that connects most vertices, and random edges. */
static void draw_graph(bool symmetric) {
  graph.entries = 0, graph.symmetric = symmetric;
  for (GrB_Index e = 0; e < 5 * N; e++) {
    const GrB_Index i = e < N - 20       ? e
                        : draw_one_in(3) ? draw(5) * 71
                                         : draw(N - 20),
                    j = e < N - 20 ? (e + 1) % (N - 20) : draw(N - 20);
    const int64_t value = 1 + (int64_t)draw(50);
    put(i, j, value);
    if (symmetric) put(j, i, value);
  }
}

static GrB_Matrix matrix(bool large, GrB_Type type) {
  static GrB_Index row[MOST], col[MOST];
  static int64_t value[MOST];
  GrB_Index n = 0;
  GrB_Matrix A;
  for (GrB_Index e = 0; e < graph.entries; e++) {
    const GrB_Index i = graph.row[e], j = graph.col[e];
    if ((i + j) % (GrB_Index)Grid_size() != (GrB_Index)Grid_rank()) continue;
    row[n] = large ? graph.id[i] : i, col[n] = large ? graph.id[j] : j, value[n++] = graph.value[e];
  }
  OK(GrB_Matrix_new(&A, type, large ? graph.n : N, large ? graph.n : N));
  OK(type == GrB_BOOL ? Grid_Matrix_build(A, row, col, NULL, NULL, n, NULL, 0)
                      : Grid_Matrix_build(A, row, col, value, GrB_INT64, n, GrB_MIN_INT64, 0));
  return A;
}

/* Entries of about one vertex in `every`. */
static void draw_pair(GrB_Vector pair[2], GrB_Index every) {
  static GrB_Index at[2][N];
  static int64_t value[N];
  GrB_Index n = 0;
  for (GrB_Index v = 0; v < N; v++)
    if (draw_one_in(every)) at[0][n] = v, at[1][n] = graph.id[v], value[n++] = (int64_t)draw(100);
  for (int large = 0; large < 2; large++) {
    OK(GrB_Vector_new(&pair[large], GrB_INT64, large ? graph.n : N));
    OK(GrB_Vector_build_INT64(pair[large], at[large], value, n, NULL));
  }
}

static void free_pair(GrB_Vector pair[2]) {
  OK(GrB_Vector_free(&pair[0]));
  OK(GrB_Vector_free(&pair[1]));
}

/* Has `large` the entries of `small`? are_vertices: the values are vertices. */
static bool is_same(GrB_Vector small, GrB_Vector large, bool are_vertices) {
  static GrB_Index at[2][N];
  static int64_t value[2][N];
  GrB_Index n[2] = {N, N};
  if (GrB_Vector_extractTuples_INT64(at[0], value[0], &n[0], small) != GrB_SUCCESS ||
      GrB_Vector_extractTuples_INT64(at[1], value[1], &n[1], large) != GrB_SUCCESS || n[0] != n[1])
    return false;
  for (GrB_Index k = 0; k < n[0]; k++) {
    const int64_t x = value[0][k];
    if (at[1][k] != graph.id[at[0][k]] || value[1][k] != (are_vertices ? (int64_t)graph.id[x] : x))
      return false;
  }
  return true;
}

/* Has `large` an entry, a vertex in x with an edge, wherever `small` has one? */
static bool are_parents(GrB_Vector small, GrB_Vector large, GrB_Vector x, bool by_row) {
  static GrB_Index at[N], to[N], in[N];
  static int64_t value[N], ignored[N];
  static bool has[N][N], in_x[N];
  GrB_Index n = N, m = N, nx = N;
  if (GrB_Vector_extractTuples_INT64(at, ignored, &n, small) != GrB_SUCCESS ||
      GrB_Vector_extractTuples_INT64(to, value, &m, large) != GrB_SUCCESS ||
      GrB_Vector_extractTuples_INT64(in, ignored, &nx, x) != GrB_SUCCESS || n != m)
    return false;
  memset(has, 0, sizeof has), memset(in_x, 0, sizeof in_x);
  for (GrB_Index k = 0; k < nx; k++) in_x[in[k]] = true;
  for (GrB_Index e = 0; e < graph.entries; e++) {
    if (by_row)
      has[graph.row[e]][graph.col[e]] = true;
    else
      has[graph.col[e]][graph.row[e]] = true;
  }
  for (GrB_Index k = 0; k < n; k++) {
    GrB_Index u = 0;
    while (u < N && (int64_t)graph.id[u] != value[k]) u++;
    if (to[k] != graph.id[at[k]] || u == N || !in_x[u] || !has[at[k]][u]) return false;
  }
  return true;
}

/* ---- products ---- */

/* w = A x, w<!m, replace> = A x, w<m> = A x, w = x A */
enum { PLAIN, OUTSIDE, INSIDE, ROW, FORMS };

static void multiply(GrB_Vector w[2], GrB_Vector m[2], GrB_Vector x[2], GrB_Matrix A[2], GrB_Semiring s,
                     int f, const char *method) {
  char text[64];
  for (int large = 0; large < 2; large++) {
    OK(GrB_Vector_new(&w[large], GrB_INT64, large ? graph.n : N));
    snprintf(text, sizeof text, "mxv=%s", method);
    OK(grid_tune_method_set(large ? text : NULL));
    const GrB_Vector mask = f == OUTSIDE || f == INSIDE ? m[large] : NULL;
    OK(f == ROW ? GrB_vxm(w[large], NULL, NULL, s, x[large], A[large], NULL)
                : GrB_mxv(w[large], mask, NULL, s, A[large], x[large],
                          f == OUTSIDE  ? GrB_DESC_RSC
                          : f == INSIDE ? GrB_DESC_S
                                        : NULL));
  }
  OK(grid_tune_method_set(NULL));
}

static void all_products(GrB_Matrix A[2], GrB_Index every) {
  const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_INT64, GrB_MIN_PLUS_SEMIRING_INT64,
                                    Grid_MIN_SECONDI_SEMIRING_INT64, Grid_ANY_ONEB_SEMIRING_BOOL,
                                    Grid_ANY_SECONDI_SEMIRING_INT64};
  enum { POSITION = 2, ANY = 4 };
  GrB_Vector w[2], x[2], m[2];
  draw_pair(x, every);
  draw_pair(m, 1 + draw(6));
  for (unsigned k = 0; k < grid_mxv_methods.n; k++)
    for (int f = 0; f < FORMS; f++)
      for (int s = 0; s < 5; s++) {
        /* in x A the inner index is the first operand's */
        if (f == ROW && (s == POSITION || s == ANY)) continue;
        const char *name = grid_mxv_methods.rows[k]->name;
        multiply(w, m, x, A, semirings[s], f, name);
        const bool fine = s == ANY ? are_parents(w[0], w[1], x[0], true) : is_same(w[0], w[1], s == POSITION);
        if (!fine) print_error("method %s, form %d, semiring %d\n", name, f, s);
        assert_on_all(fine);
        free_pair(w);
      }
  free_pair(x);
  free_pair(m);
}

static const GrB_Index lengths[] = {(UINT64_C(1) << 32) - 1, UINT64_C(1) << 32, (UINT64_C(1) << 33) + 100,
                                    UINT64_C(1) << 40};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void products(void **state) {
  for (int turn = 0; turn < 2 * LENGTHS; turn++) {
    draw_ids(lengths[turn / 2]);
    draw_graph(turn % 2);
    const GrB_Type type = turn / 2 % 2 ? GrB_BOOL : GrB_INT64;
    GrB_Matrix A[2] = {matrix(false, type), matrix(true, type)};
    all_products(A, 1 + draw(20));
    OK(GrB_Matrix_free(&A[0]));
    OK(GrB_Matrix_free(&A[1]));
  }
}

/* ---- Kronecker products ---- */

/* A: a row whose last columns have entries; B: a small full matrix. */
static void kronecker(void **state) {
  enum { ENDS = 20, B_ROWS = 2, B_COLS = 20, RESULT = ENDS * B_ROWS * B_COLS };
  const GrB_Index n = UINT64_C(1) << 32;
  static GrB_Index row[RESULT], col[RESULT];
  static int64_t value[RESULT];
  GrB_Index count = RESULT;
  GrB_Matrix A, B, C;
  OK(GrB_Matrix_new(&A, GrB_INT64, 1, n));
  OK(GrB_Matrix_new(&B, GrB_INT64, B_ROWS, B_COLS));
  OK(GrB_Matrix_new(&C, GrB_INT64, B_ROWS, B_COLS * n));
  for (GrB_Index k = 0; k < ENDS; k++) OK(GrB_Matrix_setElement_INT64(A, (int64_t)k, 0, n - ENDS + k));
  for (GrB_Index k = 0; k < B_ROWS * B_COLS; k++)
    OK(GrB_Matrix_setElement_INT64(B, 100 * (int64_t)k, k / B_COLS, k % B_COLS));
  OK(GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, GrB_PLUS_INT64, A, B, NULL));
  OK(GrB_Matrix_extractTuples_INT64(row, col, value, &count, C));
  assert_on_all(count == RESULT);
  bool fine = true;
  for (GrB_Index k = 0; k < count; k++) {
    const GrB_Index i = k / (ENDS * B_COLS), a = k / B_COLS % ENDS, b = k % B_COLS;
    fine = fine && row[k] == i && col[k] == (n - ENDS + a) * B_COLS + b &&
           value[k] == (int64_t)(a + 100 * (i * B_COLS + b));
  }
  assert_on_all(fine);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&B));
  OK(GrB_Matrix_free(&C));
}

/* ---- algorithms whose results have no entries for vertices without edges ---- */

static void search(GrB_Matrix A[2], GrB_Index source) {
  GrB_Vector level[2], parent[2], x;
  for (int large = 0; large < 2; large++)
    OK(Grid_bfs(&level[large], &parent[large], A[large], large ? graph.id[source] : source, -1));
  OK(GrB_Vector_dup(&x, parent[0]));
  assert_on_all(is_same(level[0], level[1], false));
  OK(GrB_Vector_removeElement(parent[0], source));
  OK(GrB_Vector_removeElement(parent[1], graph.id[source]));
  assert_on_all(are_parents(parent[0], parent[1], x, false));
  free_pair(level);
  free_pair(parent);
  OK(GrB_Vector_free(&x));
}

static void paths(GrB_Matrix A[2], GrB_Index source) {
  GrB_Vector distance[2];
  for (int large = 0; large < 2; large++)
    OK(Grid_shortest_paths(&distance[large], NULL, A[large], large ? graph.id[source] : source, 0));
  assert_on_all(is_same(distance[0], distance[1], false));
  free_pair(distance);
  for (int large = 0; large < 2; large++) {
    bool cycle;
    OK(Grid_bellman_ford(&distance[large], NULL, &cycle, A[large], large ? graph.id[source] : source));
  }
  assert_on_all(is_same(distance[0], distance[1], false));
  free_pair(distance);
}

static void numbers(GrB_Matrix A[2], GrB_Index source) {
  uint64_t triangles[2];
  int64_t diameter[2];
  GrB_Index edges[2];

  for (int large = 0; large < 2; large++) {
    GrB_Matrix truss;
    OK(Grid_triangles(&triangles[large], NULL, A[large]));
    OK(Grid_diameter(&diameter[large], NULL, A[large], large ? graph.id[source] : source));
    OK(Grid_ktruss(&truss, A[large], 3));
    OK(GrB_Matrix_nvals(&edges[large], truss));

    OK(GrB_Matrix_free(&truss));
  }
  assert_on_all(triangles[0] == triangles[1] && diameter[0] == diameter[1] && edges[0] == edges[1]);
}

static void algorithms(void **state) {
  for (int turn = 0; turn < 2 * LENGTHS; turn++) {
    draw_ids(lengths[turn / 2]);
    draw_graph(turn % 2);
    GrB_Matrix A[2] = {matrix(false, GrB_INT64), matrix(true, GrB_INT64)};
    const GrB_Index source = draw(N);
    search(A, source);
    paths(A, source);
    numbers(A, source);
    OK(GrB_Matrix_free(&A[0]));
    OK(GrB_Matrix_free(&A[1]));
  }
}

static int run(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(kronecker),
                                     cmocka_unit_test(algorithms)};
  return cmocka_run_group_tests_name("unit_large_dims", tests, start_on_shape, stop_on_shape);
}

int main(void) {
  return run_on_shapes(run);
}
