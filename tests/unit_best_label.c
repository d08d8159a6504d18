/* Grid_Matrix_best_label against a dense model, by both its methods, on any number of processes. */
#include <math.h>
#include <stdio.h>

#include "dist/op/graph/public_calls/best_label.h"
#include "tests/gpu_present.h"
#include "tests/dense_model.h"
#include "tests/grid_shapes.h"
#include "tests/refused.h"

enum { MOST = 90 };

/* A vector and its values; those of vertices without an entry are not used. */
typedef struct {
  GrB_Vector v;
  bool has[MOST];
  double x[MOST];
} numbers;

/* One of `missing` lacks an entry (0: none); or, now and then, most do: the vector is stored as a list. */
static numbers draw_numbers(size_t n, GrB_Type type, uint64_t missing, double from, uint64_t range) {
  numbers u = {NULL, {false}, {0}};
  const bool sparse = draw_one_in(6);
  OK(GrB_Vector_new(&u.v, type, n));
  for (size_t k = 0; k < n; k++) {
    u.has[k] = sparse ? draw_one_in(40) : missing == 0 || !draw_one_in(missing);
    u.x[k] = u.has[k] ? from + (double)draw(range) : 0;
    if (u.has[k]) OK(GrB_Vector_setElement_FP64(u.v, u.x[k], k));
  }
  return u;
}

typedef struct {
  dense a;
  GrB_Matrix A;
  numbers label, price, scale, bonus;
  bool prices, scales, bonuses, count;
} labelled;

/* Scores and sums are integers, so that all orders of addition agree. */
static labelled draw_labelled(void) {
  const size_t n = 1 + draw(MOST);
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_FP32, GrB_UINT8}, whole[] = {GrB_INT64, GrB_UINT32};
  labelled g = {.a = dense_new(n, n)};
  dense_draw(&g.a, 1 + draw(12), draw_one_in(3) ? 1 : 0);
  for (size_t k = 0; k < n * n; k++) g.a.v[k] = fabs(g.a.v[k]);
  g.A = dense_matrix(&g.a, types[draw(4)], false);
  g.label = draw_numbers(n, whole[draw(2)], draw_one_in(2) ? 0 : 4, 0, 1 + draw(n));
  g.price = draw_numbers(n, draw_one_in(2) ? GrB_FP64 : GrB_INT32, 5 * draw(2), -4, 9);
  const bool marks = draw_one_in(3); /* the rows in question */
  g.scale = draw_numbers(n, marks ? GrB_BOOL : GrB_FP64, 3 * draw(2), 1, marks ? 1 : 3);
  g.bonus = draw_numbers(n, GrB_FP64, 4 * draw(2), 0, 6);
  g.prices = draw_one_in(2), g.scales = draw_one_in(2), g.bonuses = draw_one_in(2), g.count = draw_one_in(3);
  return g;
}

static void free_labelled(labelled *g) {
  dense_free(&g->a);
  GrB_Matrix_free(&g->A);
  GrB_Vector_free(&g->label.v), GrB_Vector_free(&g->price.v);
  GrB_Vector_free(&g->scale.v), GrB_Vector_free(&g->bonus.v);
}

/* The label of row i; below 0: none, or its own stays. */
static int64_t expected_label(const labelled *g, size_t i) {
  const size_t n = g->a.rows;
  double best_score = 0;
  int64_t best = -1;
  if (g->scales && !g->scale.has[i]) return -1;
  const bool has_current = g->bonuses && g->label.has[i];
  for (size_t c = 0; c < n; c++) {
    double sum = 0;
    bool met = has_current && (size_t)g->label.x[i] == c;
    const bool current = met;
    for (size_t j = 0; j < n; j++)
      if (g->a.has[dense_at(&g->a, i, j)] && g->label.has[j] && (size_t)g->label.x[j] == c)
        met = true, sum += g->count ? 1 : g->a.v[dense_at(&g->a, i, j)];
    if (!met) continue;
    const double price = g->prices ? g->price.x[c] : 0, bonus = current ? g->bonus.x[i] : 0;
    double score = (g->scales ? g->scale.x[i] : 1) * sum - price;
    if (current) score += bonus;
    if (best < 0 || score > best_score || (current && score == best_score))
      best = (int64_t)c, best_score = score;
    /* the current label keeps a tie with a greater one, too: that one is not greater in score */
  }
  return has_current && best == (int64_t)g->label.x[i] ? -1 : best;
}

static void assert_labels(const labelled *g, GrB_Vector best) {
  GrB_Index count = 0, nvals;
  for (size_t i = 0; i < g->a.rows; i++) {
    const int64_t want = expected_label(g, i);
    int64_t x = -1;
    const GrB_Info info = GrB_Vector_extractElement_INT64(&x, best, i);
    assert_int_equal(info, want < 0 ? GrB_NO_VALUE : GrB_SUCCESS);
    assert_int_equal(x, want);
    count += want >= 0;
  }
  OK(GrB_Vector_nvals(&nvals, best));
  assert_int_equal(nvals, count);
}

static void matches_model(void **state) {
  const int rounds = Grid_size() > 1 ? 12 : 150;
  for (int round = 0; round < rounds; round++) {
    labelled g = draw_labelled();
    GrB_Vector best = NULL, price = g.prices ? g.price.v : NULL, scale = g.scales ? g.scale.v : NULL,
               bonus = g.bonuses ? g.bonus.v : NULL;
    OK(GrB_Vector_new(&best, draw_one_in(2) ? GrB_INT64 : GrB_UINT8, g.a.rows));
    OK(GrB_Vector_setElement_INT64(best, 7, 0)); /* it loses what it had */
    OK(Grid_Matrix_best_label(best, g.A, g.label.v, price, scale, bonus, g.count));
    assert_labels(&g, best);
    OK(grid_best_label_by_products(best, g.A, g.label.v, price, scale, bonus, g.count));
    assert_labels(&g, best);
    GrB_Vector_free(&best);
    free_labelled(&g);
  }
}

/* Rows that need the larger tables: as many entries, the labels of which are those of their column modulo
 * `labels`. */
static void long_rows(void **state) {
  enum { N = 20000, ROWS = 5 };
  static const size_t entries[ROWS] = {33, 256, 257, 4097, N}, labels[] = {1, 7, 300, N};
  static double sum[N];
  GrB_Matrix A = NULL;
  GrB_Vector label = NULL, price = NULL, bonus = NULL, scale = NULL, best = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, N, N));
  OK(GrB_Vector_new(&scale, GrB_FP64, N));
  OK(GrB_Vector_new(&price, GrB_FP64, N));
  OK(GrB_Vector_new(&bonus, GrB_FP64, N));
  OK(GrB_Vector_new(&best, GrB_INT64, N));
  OK(GrB_Vector_assign_FP64(bonus, NULL, NULL, 1.0, GrB_ALL, N, NULL));
  for (size_t r = 0; r < ROWS; r++) {
    OK(GrB_Vector_setElement_FP64(scale, 2.0, 3 * r));
    for (size_t k = 0; k < entries[r]; k++)
      OK(GrB_Matrix_setElement_FP64(A, (double)(1 + k % 5), 3 * r, N - 1 - k));
  }
  for (size_t c = 0; c < N; c += 3) OK(GrB_Vector_setElement_FP64(price, (double)(c % 11), c));
  for (size_t l = 0; l < sizeof labels / sizeof *labels; l++) {
    OK(GrB_Vector_new(&label, GrB_INT64, N));
    for (size_t k = 0; k < N; k++) OK(GrB_Vector_setElement_INT64(label, (int64_t)(k % labels[l]), k));
    OK(Grid_Matrix_best_label(best, A, label, price, scale, bonus, false));
    for (size_t r = 0; r < ROWS; r++) {
      const size_t current = 3 * r % labels[l];
      double most = -INFINITY;
      int64_t want = -1, x = -1;
      memset(sum, 0, sizeof sum);
      for (size_t k = 0; k < entries[r]; k++) sum[(N - 1 - k) % labels[l]] += (double)(1 + k % 5);
      for (size_t c = 0; c < labels[l]; c++) {
        const double score = 2 * sum[c] - (c % 3 ? 0 : (double)(c % 11));
        if (sum[c] > 0 && score > most) want = (int64_t)c, most = score;
      }
      const bool wins = most > 2 * sum[current] - (current % 3 ? 0 : (double)(current % 11)) + 1;
      const GrB_Info info = GrB_Vector_extractElement_INT64(&x, best, 3 * r);
      assert_int_equal(info, wins ? GrB_SUCCESS : GrB_NO_VALUE);
      if (wins) assert_int_equal(x, want);
    }
    GrB_Vector_free(&label);
  }
  GrB_Matrix_free(&A);
  GrB_Vector_free(&scale), GrB_Vector_free(&price), GrB_Vector_free(&bonus), GrB_Vector_free(&best);
}

/* Input may be output. */
static void labels_in_place(void **state) {
  for (int round = 0; round < 10; round++) {
    labelled g = draw_labelled();
    OK(Grid_Matrix_best_label(g.label.v, g.A, g.label.v, g.prices ? g.price.v : NULL, NULL, NULL, g.count));
    g.scales = g.bonuses = false;
    assert_labels(&g, g.label.v);
    free_labelled(&g);
  }
}

static void wrong_arguments(void **state) {
  GrB_Matrix A = NULL, oblong = NULL, records = NULL;
  GrB_Vector v = NULL, best = NULL, real = NULL, longer = NULL;
  GrB_Type record = NULL;
  int64_t kept = 0;
  const char *text;
  OK(GrB_Type_new(&record, 16));
  OK(GrB_Matrix_new(&A, GrB_FP64, 40, 40));
  OK(GrB_Matrix_new(&oblong, GrB_FP64, 40, 41));
  OK(GrB_Matrix_new(&records, record, 40, 40));
  OK(GrB_Vector_new(&v, GrB_INT64, 40));
  OK(GrB_Vector_new(&best, GrB_INT64, 40));
  OK(GrB_Vector_new(&real, GrB_FP64, 40));
  OK(GrB_Vector_new(&longer, GrB_INT64, 41));
  for (size_t k = 0; k < 40; k++) {
    OK(GrB_Matrix_setElement_FP64(A, 1, k, (k + 1) % 40));
    OK(GrB_Vector_setElement_INT64(v, (int64_t)k, k));
  }
  OK(GrB_Vector_setElement_INT64(best, 3, 39));
  refused(Grid_Matrix_best_label(NULL, A, v, NULL, NULL, NULL, false), GrB_NULL_POINTER, "best is NULL");
  refused(Grid_Matrix_best_label(best, NULL, v, NULL, NULL, NULL, false), GrB_NULL_POINTER, "A is NULL");
  refused(Grid_Matrix_best_label(best, A, NULL, NULL, NULL, NULL, false), GrB_NULL_POINTER, "label is NULL");
  refused(Grid_Matrix_best_label(best, oblong, v, NULL, NULL, NULL, false), GrB_DIMENSION_MISMATCH,
          "columns");
  refused(Grid_Matrix_best_label(longer, A, v, NULL, NULL, NULL, false), GrB_DIMENSION_MISMATCH, "best");
  refused(Grid_Matrix_best_label(best, A, longer, NULL, NULL, NULL, false), GrB_DIMENSION_MISMATCH, "label");
  refused(Grid_Matrix_best_label(best, A, v, longer, NULL, NULL, false), GrB_DIMENSION_MISMATCH, "price");
  refused(Grid_Matrix_best_label(best, A, v, NULL, longer, NULL, false), GrB_DIMENSION_MISMATCH, "scale");
  refused(Grid_Matrix_best_label(best, A, v, NULL, NULL, longer, false), GrB_DIMENSION_MISMATCH, "bonus");
  refused(Grid_Matrix_best_label(best, A, real, NULL, NULL, NULL, false), GrB_DOMAIN_MISMATCH, "label has");
  refused(Grid_Matrix_best_label(best, records, v, NULL, NULL, NULL, false), GrB_DOMAIN_MISMATCH, "A");
  OK(GrB_Vector_setElement_INT64(v, 40, 39));
  refused(Grid_Matrix_best_label(best, A, v, NULL, NULL, NULL, false), GrB_INDEX_OUT_OF_BOUNDS, "40");
  OK(GrB_Vector_error(&text, best));
  assert_non_null(strstr(text, "Grid_Matrix_best_label"));
  OK(GrB_Vector_setElement_INT64(v, -1, 39));
  refused(Grid_Matrix_best_label(best, A, v, NULL, NULL, NULL, false), GrB_INDEX_OUT_OF_BOUNDS, "-1");
  OK(GrB_Vector_extractElement_INT64(&kept, best, 39));
  assert_int_equal(kept, 3);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Matrix_free(&records);
  GrB_Vector_free(&v), GrB_Vector_free(&best), GrB_Vector_free(&real), GrB_Vector_free(&longer);
  GrB_Type_free(&record);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matches_model), cmocka_unit_test(long_rows),
                                     cmocka_unit_test(labels_in_place), cmocka_unit_test(wrong_arguments)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

/* With GRIDBLAS_DEVICE=cuda on a GPU; exit status 77 where there is none. */
int main(void) {
  if (lacks_gpu()) return 77;
  return run_on_shapes(group);
}
