/* Grid_Matrix_peel against a dense model, in one call and in several, by its methods, on any number of
 * processes. */
#include <stdio.h>

#include "dist/op/graph/public_calls/peel_products.h"
#include "tests/gpu_present.h"
#include "tests/dense_model.h"
#include "tests/grid_shapes.h"
#include "tests/refused.h"

enum { MOST = 90 };

typedef struct {
  dense a;
  GrB_Matrix A;
  bool has[MOST];
  int64_t degree[MOST];
} peeled;

/* A graph, directed or not, with loops, and mostly the true degrees of its vertices. */
static peeled draw_peeled(void) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP32, GrB_INT64};
  const size_t n = 1 + draw(MOST);
  peeled g = {.a = dense_new(n, n)};
  const bool undirected = draw_one_in(2), odd = draw_one_in(4);
  dense_draw(&g.a, 1 + draw(12), draw_one_in(3) ? 1 : 0);
  for (size_t i = 0; undirected && i < n; i++)
    for (size_t j = 0; j < i; j++) g.a.has[dense_at(&g.a, i, j)] = g.a.has[dense_at(&g.a, j, i)];
  g.A = dense_matrix(&g.a, types[draw(3)], false);
  for (size_t j = 0; j < n; j++) {
    g.has[j] = !odd || !draw_one_in(5);
    for (size_t i = 0; i < n; i++) g.degree[j] += i != j && g.a.has[dense_at(&g.a, i, j)];
    if (odd && draw_one_in(3)) g.degree[j] += (int64_t)draw(9) - 4;
  }
  return g;
}

static void free_peeled(peeled *g) {
  dense_free(&g->a);
  GrB_Matrix_free(&g->A);
}

static GrB_Vector degrees(const peeled *g, GrB_Type type) {
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, type, g->a.rows));
  for (size_t j = 0; j < g->a.rows; j++)
    if (g->has[j]) OK(GrB_Vector_setElement_INT64(v, g->degree[j], j));
  return v;
}

/* Is there a vertex of the level? Then what is left is recorded. */
static bool record_level(Grid_Peel_Level *levels, GrB_Index *count, const peeled *g, const bool *left,
                         int64_t k) {
  Grid_Peel_Level now = {.level = k};
  bool leaves = false;
  for (size_t v = 0; v < g->a.rows; v++)
    if (left[v]) now.vertices++, now.degrees += g->degree[v], leaves = leaves || g->degree[v] <= k;
  if (leaves) levels[(*count)++] = now;
  return leaves;
}

/* The definition, one vertex at a time. Returns how many levels there are. */
static GrB_Index peel_model(peeled *g, Grid_Peel_Level *levels, int64_t first, int64_t last) {
  GrB_Index count = 0;
  const size_t n = g->a.rows;
  bool left[MOST];
  int64_t highest = 0;
  for (size_t j = 0; j < n; j++) {
    left[j] = g->has[j] && g->degree[j] >= first;
    if (left[j] && g->degree[j] > highest) highest = g->degree[j];
  }
  for (int64_t k = first; k <= last && k <= highest; k++) {
    if (!record_level(levels, &count, g, left, k)) continue;
    for (size_t v = 0; v < n;) {
      if (!left[v] || g->degree[v] > k) {
        v++;
        continue;
      }
      left[v] = false, g->degree[v] = k;
      for (size_t j = 0; j < n; j++)
        if (left[j] && g->a.has[dense_at(&g->a, v, j)]) g->degree[j]--;
      v = 0;
    }
  }
  return count;
}

static void assert_levels(const Grid_Peel_Level *levels, GrB_Index n, const Grid_Peel_Level *expected,
                          GrB_Index many) {
  assert_int_equal(n, many);
  for (GrB_Index k = 0; k < n; k++) {
    assert_int_equal(levels[k].level, expected[k].level);
    assert_int_equal(levels[k].vertices, expected[k].vertices);
    assert_int_equal(levels[k].degrees, expected[k].degrees);
  }
}

static void assert_degrees(const peeled *g, GrB_Vector v) {
  for (size_t j = 0; j < g->a.rows; j++) {
    int64_t x = -1;
    assert_int_equal(GrB_Vector_extractElement_INT64(&x, v, j), g->has[j] ? GrB_SUCCESS : GrB_NO_VALUE);
    if (g->has[j]) assert_int_equal(x, g->degree[j]);
  }
}

static void matches_model(void **state) {
  const int rounds = Grid_size() > 1 ? 12 : 150;
  const GrB_Type types[] = {GrB_INT64, GrB_INT32, GrB_INT16};
  for (int round = 0; round < rounds; round++) {
    peeled g = draw_peeled();
    const int64_t first = draw_one_in(2) ? 0 : (int64_t)draw(6);
    const int64_t last = draw_one_in(2) ? INT64_MAX : first + (int64_t)draw(6);
    GrB_Vector v = degrees(&g, types[draw(3)]), w = degrees(&g, GrB_INT64), steps = degrees(&g, GrB_INT64);
    Grid_Peel_Level levels[MOST], by_products[MOST], expected[MOST];
    GrB_Index count = MOST, rounds_count = MOST;
    OK(Grid_Matrix_peel(v, levels, &count, g.A, first, last));
    OK(grid_peel_by_products(w, by_products, &rounds_count, g.A, first, last));
    for (int64_t k = first; k <= last && k <= first + MOST; k++)
      OK(Grid_Matrix_peel(steps, NULL, NULL, g.A, k, k));
    const GrB_Index many = peel_model(&g, expected, first, last);
    assert_levels(levels, count, expected, many), assert_levels(by_products, rounds_count, expected, many);
    assert_degrees(&g, v), assert_degrees(&g, w), assert_degrees(&g, steps);
    GrB_Vector_free(&v), GrB_Vector_free(&w), GrB_Vector_free(&steps);
    free_peeled(&g);
  }
}

static GrB_Matrix undirected(const GrB_Index *from, const GrB_Index *to, GrB_Index n, GrB_Index edges) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  OK(Grid_Matrix_build(A, from, to, NULL, GrB_BOOL, Grid_rank() == 0 ? edges : 0, NULL, Grid_MIRROR));
  return A;
}

/* The core numbers of the graph, of which `special` vertices, in front, have one number and the others
 * another. */
static void assert_cores(GrB_Matrix A, GrB_Index n, GrB_Index special, int64_t special_core, int64_t others) {
  GrB_Vector core = NULL;
  OK(GrB_Vector_new(&core, GrB_INT64, n));
  OK(Grid_Matrix_degree(core, A, false));
  OK(Grid_Matrix_peel(core, NULL, NULL, A, 0, INT64_MAX));
  GrB_Index first, count;
  OK(Grid_local_range(n, &first, &count));
  int64_t *x = malloc((count + 1) * sizeof *x);
  GrB_Index entries = count;
  assert_non_null(x);
  OK(Grid_Vector_extractLocal(NULL, x, &entries, core));
  assert_int_equal(entries, count);
  for (GrB_Index k = 0; k < count; k++) assert_int_equal(x[k], first + k < special ? special_core : others);
  free(x);
  GrB_Vector_free(&core);
}

/* A ladder, whose ends leave in each of many rounds, and then all, from both sides; many threads take part.
 */
static void long_ladder(void **state) {
  const GrB_Index length = Grid_size() > 1 ? 60 : 60000, n = 2 * length;
  GrB_Index *from = malloc(3 * length * sizeof *from), *to = malloc(3 * length * sizeof *to), m = 0;
  assert_true(from && to);
  for (GrB_Index k = 0; k < length; k++) {
    from[m] = 2 * k, to[m++] = 2 * k + 1;
    if (k + 1 < length) from[m] = 2 * k, to[m++] = 2 * k + 2;
    if (k + 1 < length) from[m] = 2 * k + 1, to[m++] = 2 * k + 3;
  }
  GrB_Matrix A = undirected(from, to, n, m);
  assert_cores(A, n, 0, 0, 2);
  GrB_Matrix_free(&A);
  free(from), free(to);
}

/* A clique, whose rows are long, that has leaves: levels between 1 and its own are empty. */
static void clique_with_leaves(void **state) {
  enum { CLIQUE = 40 };
  const GrB_Index leaves = Grid_size() > 1 ? 10 : 1000, n = CLIQUE * (1 + leaves);
  GrB_Index *from = malloc((CLIQUE * CLIQUE + n) * sizeof *from),
            *to = malloc((CLIQUE * CLIQUE + n) * sizeof *to), m = 0;
  assert_true(from && to);
  for (GrB_Index i = 0; i < CLIQUE; i++) {
    for (GrB_Index j = 0; j < i; j++) from[m] = i, to[m++] = j;
    for (GrB_Index j = 0; j < leaves; j++) from[m] = i, to[m++] = CLIQUE + i * leaves + j;
  }
  GrB_Matrix A = undirected(from, to, n, m);
  assert_cores(A, n, CLIQUE, CLIQUE - 1, 1);
  for (uint64_t k = 0; Grid_size() == 1 && Grid_fallback(k, NULL); k++) /* with a GPU it does that */
    assert_null(strstr(Grid_fallback(k, NULL), "Grid_Matrix_peel"));
  GrB_Matrix_free(&A);
  free(from), free(to);
}

/* Degrees that do not fit 32 bits, which products take. */
static void large_degrees(void **state) {
  const GrB_Index from[] = {0, 1, 2}, to[] = {1, 2, 0};
  const int64_t large = INT64_C(1) << 40;
  GrB_Matrix A = undirected(from, to, 4, 3);
  GrB_Vector v = NULL;
  int64_t x = 0;
  OK(GrB_Vector_new(&v, GrB_INT64, 4));
  for (GrB_Index k = 0; k < 3; k++) OK(GrB_Vector_setElement_INT64(v, k == 0 ? large : 2, k));
  OK(Grid_Matrix_peel(v, NULL, NULL, A, 0, large));
  const int64_t expected[] = {large - 2, 2, 2};
  for (GrB_Index k = 0; k < 3; k++) {
    OK(GrB_Vector_extractElement_INT64(&x, v, k));
    assert_int_equal(x, expected[k]);
  }
  assert_int_equal(GrB_Vector_extractElement_INT64(&x, v, 3), GrB_NO_VALUE);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

/* Two levels, and space for one: nothing changes. */
static void too_many_levels(void **state) {
  const GrB_Index from[] = {0, 0, 1, 2}, to[] = {1, 2, 2, 3};
  GrB_Matrix A = undirected(from, to, 4, 4);
  GrB_Vector v = NULL;
  Grid_Peel_Level levels[2] = {{-1, 0, 0}, {-1, 0, 0}};
  const char *text;
  GrB_Index n = 1;
  int64_t x = 0;
  OK(GrB_Vector_new(&v, GrB_INT64, 4));
  OK(Grid_Matrix_degree(v, A, false));
  refused(Grid_Matrix_peel(v, levels, &n, A, 0, INT64_MAX), GrB_INSUFFICIENT_SPACE, "more");
  OK(GrB_Vector_error(&text, v));
  assert_non_null(strstr(text, "Grid_Matrix_peel: there are"));
  OK(GrB_Vector_extractElement_INT64(&x, v, 2));
  assert_true(x == 3 && n == 1 && levels[0].level == -1);
  n = 2;
  OK(Grid_Matrix_peel(v, levels, &n, A, 0, INT64_MAX));
  const Grid_Peel_Level expected[] = {{1, 4, 8}, {2, 3, 6}};
  assert_levels(levels, n, expected, 2);
  GrB_Vector_free(&v);
  GrB_Matrix_free(&A);
}

static void wrong_arguments(void **state) {
  GrB_Matrix A = NULL, oblong = NULL;
  GrB_Vector v = NULL, longer = NULL, real = NULL;
  GrB_Index n = 0;
  int64_t x = 0;
  OK(GrB_Matrix_new(&A, GrB_FP64, 40, 40));
  OK(GrB_Matrix_new(&oblong, GrB_FP64, 40, 41));
  OK(GrB_Vector_new(&v, GrB_INT64, 40));
  OK(GrB_Vector_new(&longer, GrB_INT64, 41));
  OK(GrB_Vector_new(&real, GrB_FP64, 40));
  OK(GrB_Vector_setElement_INT64(v, 7, 39));
  refused(Grid_Matrix_peel(NULL, NULL, NULL, A, 0, 1), GrB_NULL_POINTER, "degree is NULL");
  refused(Grid_Matrix_peel(v, NULL, NULL, NULL, 0, 1), GrB_NULL_POINTER, "A is NULL");
  refused(Grid_Matrix_peel(v, NULL, NULL, oblong, 0, 1), GrB_DIMENSION_MISMATCH, "columns");
  refused(Grid_Matrix_peel(longer, NULL, NULL, A, 0, 1), GrB_DIMENSION_MISMATCH, "degree");
  refused(Grid_Matrix_peel(real, NULL, NULL, A, 0, 1), GrB_DOMAIN_MISMATCH, "degree has");
  refused(Grid_Matrix_peel(v, NULL, NULL, A, -1, 1), GrB_INVALID_VALUE, "levels -1 to 1");
  refused(Grid_Matrix_peel(v, NULL, NULL, A, 2, 1), GrB_INVALID_VALUE, "levels 2 to 1");
  refused(Grid_Matrix_peel(v, NULL, &n, A, 0, 1), GrB_NULL_POINTER, "levels and n");
  OK(Grid_Matrix_peel(v, NULL, NULL, A, 0, INT64_MAX)); /* without edges nothing changes */
  OK(GrB_Vector_extractElement_INT64(&x, v, 39));
  assert_int_equal(x, 7);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
  GrB_Vector_free(&v), GrB_Vector_free(&longer), GrB_Vector_free(&real);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matches_model),      cmocka_unit_test(long_ladder),
                                     cmocka_unit_test(clique_with_leaves), cmocka_unit_test(large_degrees),
                                     cmocka_unit_test(too_many_levels),    cmocka_unit_test(wrong_arguments)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

/* With GRIDBLAS_DEVICE=cuda on a GPU; exit status 77 where there is none. */
int main(void) {
  if (lacks_gpu()) return 77;
  return run_on_shapes(group);
}
