/* Grid_Matrix_order: each method gives an isomorphic matrix, the same for every grid shape; METIS cuts few
 * edges, reverse Cuthill-McKee makes narrow matrices; results map back; errors change nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "bench/program/graph/generate_web.h"
#include "gridblas_algos.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { METHODS = 4, MOST = 1 << 16 };

static bool has_metis(void) {
  GrB_Matrix A;
  GrB_Vector ids = NULL;
  OK(GrB_Matrix_new(&A, GrB_BOOL, 1, 1));
  const GrB_Info info = Grid_Matrix_order(NULL, &ids, NULL, A, Grid_ORDER_METIS, 0, 1);
  assert_true(info == GrB_SUCCESS || info == GrB_NOT_IMPLEMENTED);
  if (info != GrB_SUCCESS) {
    assert_non_null(strstr(Grid_last_error(), "libmetis-dev"));
    assert_null(ids);
  }
  GrB_Vector_free(&ids);
  GrB_Matrix_free(&A);
  return info == GrB_SUCCESS;
}

/* ---- graphs ---- */

/* Random entries with values, loops among them; the last third of the vertices is isolated. */
static GrB_Matrix random_matrix(uint64_t n, uint64_t entries, int flags) {
  GrB_Index r[4000], c[4000], m = 0;
  int64_t x[4000];
  GrB_Matrix A;
  seed = n + entries;
  for (uint64_t k = 0; k < entries; k++) {
    const uint64_t row = draw(draw(2 * n / 3) + 1), col = k % 17 ? draw(2 * n / 3) : row;
    const int64_t value = (int64_t)draw(100);
    if (k % (uint64_t)Grid_size() == (uint64_t)Grid_rank()) r[m] = row, c[m] = col, x[m++] = value;
  }
  OK(GrB_Matrix_new(&A, GrB_INT64, n, n));
  if (flags)
    OK(Grid_Matrix_build(A, r, c, NULL, NULL, m, NULL, flags));
  else
    OK(Grid_Matrix_build(A, r, c, x, GrB_INT64, m, GrB_PLUS_INT64, 0));
  return A;
}

/* Pages and links, in both directions or one. */
static GrB_Matrix web_matrix(uint64_t pages, uint64_t links, int flags) {
  const web w = {pages, links, 1};
  const uint64_t all = pages * links, P = (uint64_t)Grid_size(), rank = (uint64_t)Grid_rank();
  GrB_Index *r = malloc(all * sizeof *r), *c = malloc(all * sizeof *c), n = 0;
  GrB_Matrix A;
  for (uint64_t k = rank; k < all; k += P, n++) web_link(&r[n], &c[n], k, &w);
  OK(GrB_Matrix_new(&A, GrB_BOOL, pages, pages));
  OK(Grid_Matrix_build(A, r, c, NULL, NULL, n, NULL, flags));
  free(r), free(c);
  return A;
}

/* ---- what an order is ---- */

typedef struct {
  GrB_Index n, *row, *col;
  int64_t *value;
} entries;

static entries entries_of(GrB_Matrix A) {
  entries e;
  OK(GrB_Matrix_nvals(&e.n, A));
  e.row = malloc((e.n + 1) * 8), e.col = malloc((e.n + 1) * 8), e.value = malloc((e.n + 1) * 8);
  OK(GrB_Matrix_extractTuples_INT64(e.row, e.col, e.value, &e.n, A));
  return e;
}

static void entries_free(entries *e) {
  free(e->row), free(e->col), free(e->value);
}

static uint64_t *values_of(GrB_Vector v) {
  GrB_Index n, size;
  OK(GrB_Vector_size(&size, v));
  n = size;
  uint64_t *index = malloc((n + 1) * sizeof *index), *value = malloc((n + 1) * sizeof *value);
  OK(GrB_Vector_extractTuples_UINT64(index, value, &n, v));
  assert_int_equal(n, size);
  for (uint64_t k = 0; k < n; k++) assert_int_equal(index[k], k);
  free(index);
  return value;
}

/* The new number of each vertex; fails unless ids is a permutation. */
static uint64_t *inverse_of(const uint64_t *ids, uint64_t n) {
  uint64_t *number = malloc((n + 1) * sizeof *number);
  memset(number, 0xff, (n + 1) * sizeof *number);
  for (uint64_t k = 0; k < n; k++) {
    assert_true(ids[k] < n);
    assert_true(number[ids[k]] == UINT64_MAX);
    number[ids[k]] = k;
  }
  return number;
}

/* B's entries, in A's numbers, are those of A. */
static void assert_isomorphic(GrB_Matrix B, GrB_Matrix A, const uint64_t *ids, uint64_t n) {
  entries a = entries_of(A), b = entries_of(B);
  int64_t *dense = malloc((n * n + 1) * sizeof *dense);
  assert_int_equal(a.n, b.n);
  memset(dense, 0xff, (n * n + 1) * sizeof *dense);
  for (uint64_t k = 0; k < a.n; k++) dense[a.row[k] * n + a.col[k]] = a.value[k];
  for (uint64_t k = 0; k < b.n; k++) assert_int_equal(dense[ids[b.row[k]] * n + ids[b.col[k]]], b.value[k]);
  free(dense);
  entries_free(&a), entries_free(&b);
}

static void assert_bounds(const GrB_Index *first, uint64_t parts, uint64_t n) {
  assert_int_equal(first[0], 0);
  assert_int_equal(first[parts], n);
  for (uint64_t p = 0; p < parts; p++) {
    assert_true(first[p] <= first[p + 1]);
    assert_true(first[p] % 64 == 0 || first[p] == n);
  }
}

/* Orders A, checks all that the call returns, and returns ids on every process. */
static uint64_t *order_checked(GrB_Matrix A, int method, uint64_t parts, uint64_t n) {
  GrB_Matrix B;
  GrB_Vector v, w = NULL;
  GrB_Type type;
  GrB_Index first[65] = {77};
  OK(Grid_Matrix_order(&B, &v, first, A, method, parts, 5));
  uint64_t *ids = values_of(v), *again;
  free(inverse_of(ids, n));
  OK(GxB_Matrix_type(&type, B));
  assert_true(type == GrB_INT64 || type == GrB_BOOL);
  assert_isomorphic(B, A, ids, n);
  assert_bounds(first, parts ? parts : (uint64_t)Grid_size(), n);
  if (parts == 0) OK(Grid_partition_set(n, first)); /* moves A, B and ids */
  assert_isomorphic(B, A, ids, n);
  OK(Grid_Matrix_order(NULL, &w, NULL, A, method, parts, 5)); /* once more, from there */
  again = values_of(w);
  if (n) assert_memory_equal(again, ids, n * sizeof *ids);
  free(again);
  if (parts == 0) OK(Grid_partition_set(n, NULL));
  GrB_Matrix_free(&B), GrB_Vector_free(&v), GrB_Vector_free(&w);
  return ids;
}

enum { GRAPHS = 6 };
static GrB_Matrix graph_number(int k, uint64_t *n) {
  static const uint64_t size[GRAPHS] = {300, 300, 500, 70, 1, 0};
  static const uint64_t count[GRAPHS] = {900, 1200, 2500, 0, 3, 0};
  static const int flags[GRAPHS] = {0, Grid_MIRROR | Grid_NO_LOOPS, Grid_MIRROR, 0, 0, 0};
  *n = size[k];
  if (size[k] > 2) return random_matrix(size[k], count[k], flags[k]);
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, GrB_INT64, size[k], size[k]));
  if (size[k]) OK(GrB_Matrix_setElement_INT64(A, 3, 0, 0)); /* pending */
  return A;
}

static uint64_t hash_of(const uint64_t *ids, uint64_t n) {
  uint64_t h = 1;
  for (uint64_t k = 0; k < n; k++) h = (h ^ ids[k]) * UINT64_C(0x100000001b3);
  return h;
}

/* Any graph, any method, on every shape the same. */
static void isomorphic(void **state) {
  static uint64_t before[GRAPHS][METHODS][2];
  for (int k = 0; k < GRAPHS; k++)
    for (int method = has_metis() ? 0 : 1; method < METHODS; method++)
      for (int given = 0; given < 2; given++) {
        uint64_t n;
        GrB_Matrix A = graph_number(k, &n);
        uint64_t *ids = order_checked(A, method, given ? 8 : 0, n);
        const uint64_t hash = hash_of(ids, n);
        if (before[k][method][given]) assert_int_equal(before[k][method][given], hash);
        before[k][method][given] = hash;
        free(ids);
        GrB_Matrix_free(&A);
      }
}

static void by_degree(void **state) {
  enum { N = 400 };
  GrB_Matrix A = random_matrix(N, 2000, 0);
  entries e = entries_of(A);
  uint64_t degree[N] = {0}, *ids = order_checked(A, Grid_ORDER_DEGREE, 0, N);
  for (uint64_t k = 0; k < e.n; k++) degree[e.row[k]]++, degree[e.col[k]]++;
  for (uint64_t k = 1; k < N; k++) {
    assert_true(degree[ids[k - 1]] >= degree[ids[k]]);
    if (degree[ids[k - 1]] == degree[ids[k]]) assert_true(ids[k - 1] < ids[k]);
  }
  free(ids);
  entries_free(&e);
  GrB_Matrix_free(&A);
}

/* Another seed is another order. */
static void random_seed(void **state) {
  uint64_t n, fixed = 0, same = 0;
  GrB_Matrix A = graph_number(1, &n);
  GrB_Vector v[2];
  uint64_t *ids[2];
  for (int k = 0; k < 2; k++) {
    OK(Grid_Matrix_order(NULL, &v[k], NULL, A, Grid_ORDER_RANDOM, 0, (uint64_t)k));
    ids[k] = values_of(v[k]);
  }
  for (uint64_t k = 0; k < n; k++) fixed += ids[0][k] == k, same += ids[0][k] == ids[1][k];
  assert_true(fixed < n / 10 && same < n / 10);
  for (int k = 0; k < 2; k++) free(ids[k]), GrB_Vector_free(&v[k]);
  GrB_Matrix_free(&A);
}

/* ---- reverse Cuthill-McKee ---- */

static uint64_t bandwidth(GrB_Matrix A) {
  entries e = entries_of(A);
  uint64_t most = 0;
  for (uint64_t k = 0; k < e.n; k++) {
    const uint64_t width = e.row[k] > e.col[k] ? e.row[k] - e.col[k] : e.col[k] - e.row[k];
    if (width > most) most = width;
  }
  entries_free(&e);
  return most;
}

/* A mesh of rows x cols in random numbers; every other edge in one direction only. */
static GrB_Matrix scrambled_mesh(uint64_t rows, uint64_t cols) {
  const uint64_t n = rows * cols;
  GrB_Index r[4000], c[4000], at[2000], m = 0;
  GrB_Matrix A;
  seed = 3;
  for (uint64_t v = 0; v < n; v++) {
    const uint64_t u = draw(v + 1);
    at[v] = at[u], at[u] = v;
  }
  for (uint64_t v = 0; v < n && Grid_rank() == 0; v++) {
    if (v % cols + 1 < cols) r[m] = at[v], c[m++] = at[v + 1];
    if (v + cols < n) r[m] = at[v + cols], c[m++] = at[v];
  }
  OK(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  OK(Grid_Matrix_build(A, r, c, NULL, NULL, m, NULL, 0));
  return A;
}

static void narrow(void **state) {
  static const uint64_t rows[] = {1, 40}, cols[] = {1000, 25}, most[] = {1, 26};
  for (int k = 0; k < 2; k++) {
    GrB_Matrix B, A = scrambled_mesh(rows[k], cols[k]);
    GrB_Vector ids;
    OK(Grid_Matrix_order(&B, &ids, NULL, A, Grid_ORDER_RCM, 0, 0));
    assert_true(bandwidth(A) > 500);
    assert_true(bandwidth(B) <= most[k]);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Vector_free(&ids);
  }
}

/* ---- METIS ---- */

typedef struct {
  uint64_t cut; /* entries between parts */
  double load;  /* largest over mean of the parts' entries and rows, as Grid_Matrix_repartition weighs them */
} quality;

static uint64_t part_of(const GrB_Index *first, uint64_t v) {
  uint64_t p = 0;
  while (v >= first[p + 1]) p++;
  return p;
}

static quality measure(GrB_Matrix A, int method, uint64_t parts, uint64_t n) {
  GrB_Matrix B;
  GrB_Vector ids;
  GrB_Index first[65];
  quality q = {0, 0};
  double work[64] = {0}, all = 0;
  uint64_t *degree = calloc(n, sizeof *degree);
  OK(Grid_Matrix_order(&B, &ids, first, A, method, parts, 1));
  entries e = entries_of(B);
  for (uint64_t k = 0; k < e.n; k++) {
    q.cut += part_of(first, e.row[k]) != part_of(first, e.col[k]);
    degree[e.row[k]]++;
  }
  for (uint64_t v = 0; v < n; v++) {
    const Grid_Row_Costs c = Grid_ROW_COSTS_PRODUCT;
    work[part_of(first, v)] += (double)degree[v] + (degree[v] > 1 ? c.long_row : c.short_row);
  }
  for (uint64_t p = 0; p < parts; p++) all += work[p], q.load = fmax(q.load, work[p]);
  q.load *= (double)parts / all;
  free(degree);
  entries_free(&e);
  GrB_Matrix_free(&B), GrB_Vector_free(&ids);
  return q;
}

/* Few edges between parts, of a graph in any numbers. */
static void few_edges_cut(void **state) {
  enum { PAGES = 1 << 13, PARTS = 8 };
  if (!has_metis()) return;
  for (int directed = 0; directed < 2; directed++) {
    GrB_Matrix B, A = web_matrix(PAGES, 8, directed ? 0 : Grid_MIRROR | Grid_NO_LOOPS);
    GrB_Vector ids;
    OK(Grid_Matrix_order(&B, &ids, NULL, A, Grid_ORDER_RANDOM, 0, 9)); /* hides how the graph was generated */
    const quality metis = measure(B, Grid_ORDER_METIS, PARTS, PAGES),
                  random = measure(B, Grid_ORDER_RANDOM, PARTS, PAGES);
    assert_true(metis.cut * 5 < random.cut);
    assert_true(random.load < 1.2);
    assert_true(directed || metis.load < 1.15);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Vector_free(&ids);
  }
}

/* ---- results ---- */

static void assert_maps_back(GrB_Vector expected, GrB_Vector result, GrB_Vector ids, double tolerance) {
  GrB_Vector back;
  GrB_Index n, na, nb;
  OK(GrB_Vector_size(&n, ids));
  OK(GrB_Vector_new(&back, GrB_FP64, n));
  OK(Grid_Vector_scatter(back, NULL, NULL, NULL, result, ids, NULL));
  GrB_Index *at = malloc(n * sizeof *at), *at_back = malloc(n * sizeof *at_back);
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  na = nb = n;
  OK(GrB_Vector_extractTuples_FP64(at, x, &na, expected));
  OK(GrB_Vector_extractTuples_FP64(at_back, y, &nb, back));
  assert_int_equal(na, nb);
  for (uint64_t k = 0; k < na; k++) {
    assert_int_equal(at[k], at_back[k]);
    assert_true(fabs(x[k] - y[k]) <= tolerance);
  }
  free(at), free(at_back), free(x), free(y);
  GrB_Vector_free(&back);
}

/* Searches and PageRank on the renumbered graph, distributed by its parts, give the same in A's numbers. */
static void results_map_back(void **state) {
  enum { PAGES = 1 << 11 };
  GrB_Index *first = malloc(((size_t)Grid_size() + 1) * sizeof *first);
  for (int method = has_metis() ? 0 : 1; method < METHODS; method++) {
    GrB_Matrix B, A = web_matrix(PAGES, 6, Grid_NO_LOOPS);
    GrB_Vector ids, number, all, level[2] = {NULL}, rank[2] = {NULL};
    int64_t source = -1;
    OK(Grid_Matrix_order(&B, &ids, first, A, method, 0, 2));
    OK(Grid_bfs(&level[0], NULL, A, 5, -1));
    OK(Grid_pagerank(&rank[0], NULL, NULL, A, NULL, 0.85, 1e-9, 100, 0));
    OK(Grid_partition_set(PAGES, first));
    OK(GrB_Vector_new(&number, GrB_INT64, PAGES));
    OK(GrB_Vector_new(&all, GrB_INT64, PAGES));
    OK(GrB_assign(all, NULL, NULL, 0, GrB_ALL, PAGES, NULL));
    OK(GrB_apply(all, NULL, NULL, GrB_ROWINDEX_INT64, all, 0, NULL));
    OK(Grid_Vector_scatter(number, NULL, NULL, NULL, all, ids, NULL));
    OK(GrB_Vector_extractElement_INT64(&source, number, 5));
    OK(Grid_bfs(&level[1], NULL, B, (GrB_Index)source, -1));
    OK(Grid_pagerank(&rank[1], NULL, NULL, B, NULL, 0.85, 1e-9, 100, 0));
    assert_maps_back(level[0], level[1], ids, 0);
    assert_maps_back(rank[0], rank[1], ids, 1e-12);
    OK(Grid_partition_set(PAGES, NULL));
    for (int k = 0; k < 2; k++) GrB_Vector_free(&level[k]), GrB_Vector_free(&rank[k]);
    GrB_Vector_free(&ids), GrB_Vector_free(&number), GrB_Vector_free(&all);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B);
  }
  free(first);
}

/* ---- errors ---- */

static void assert_refused(GrB_Info wanted, GrB_Matrix A, int method, GrB_Index parts) {
  GrB_Matrix B = NULL;
  GrB_Vector ids = NULL;
  GrB_Index first[65] = {77};
  assert_int_equal(Grid_Matrix_order(&B, &ids, first, A, method, parts, 0), wanted);
  assert_non_null(strstr(Grid_last_error(), "Grid_Matrix_order"));
  assert_null(B);
  assert_null(ids);
  assert_int_equal(first[0], 77);
}

static void errors(void **state) {
  GrB_Matrix A, rectangular, large;
  GrB_Vector ids = NULL;
  OK(GrB_Matrix_new(&A, GrB_BOOL, 5, 5));
  OK(GrB_Matrix_new(&rectangular, GrB_BOOL, 5, 6));
  OK(GrB_Matrix_new(&large, GrB_BOOL, (GrB_Index)1 << 31, (GrB_Index)1 << 31));
  assert_refused(GrB_NULL_POINTER, NULL, Grid_ORDER_DEGREE, 0);
  assert_refused(GrB_DIMENSION_MISMATCH, rectangular, Grid_ORDER_DEGREE, 0);
  assert_refused(GrB_INVALID_VALUE, A, METHODS, 0);
  assert_refused(GrB_INVALID_VALUE, A, -1, 0);
  assert_refused(GrB_INVALID_VALUE, A, Grid_ORDER_DEGREE, ((GrB_Index)1 << 24) + 1);
  assert_refused(GrB_INVALID_VALUE, large, Grid_ORDER_DEGREE, 0);
  assert_int_equal(Grid_Matrix_order(NULL, NULL, NULL, A, Grid_ORDER_DEGREE, 0, 0), GrB_NULL_POINTER);
  OK(Grid_Matrix_order(NULL, &ids, NULL, A, Grid_ORDER_DEGREE, 0, 0));
  GrB_Vector_free(&ids);
  GrB_Matrix_free(&A), GrB_Matrix_free(&rectangular), GrB_Matrix_free(&large);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(isomorphic),    cmocka_unit_test(by_degree),
                                     cmocka_unit_test(random_seed),   cmocka_unit_test(narrow),
                                     cmocka_unit_test(few_edges_cut), cmocka_unit_test(results_map_back),
                                     cmocka_unit_test(errors)};
  return cmocka_run_group_tests_name("order", tests, start_on_shape, stop_on_shape);
}

int main(void) {
  return run_on_shapes(group);
}
