/* Grid_Matrix_move_labels against a dense model, by both its methods, on any number of processes. */
#include <math.h>
#include <stdio.h>

#include "dist/op/graph/label_moves.h"
#include "spmat/label_class.h"
#include "tests/gpu_present.h"
#include "tests/dense_model.h"
#include "tests/grid_shapes.h"
#include "tests/refused.h"

enum { MOST = 90, SWEEPS = 3 };

/* Integers, so that sums are exact. */
typedef struct {
  dense a;
  GrB_Matrix A;
  int64_t label[MOST];
  double weight[MOST], scale[MOST], bonus[MOST], sum[MOST];
  GrB_Vector labels, weights, scales, bonuses; /* bonuses: may be NULL */
  Grid_Label_Sweep how;
} world;

static GrB_Vector make_vector(const double *x, size_t n, GrB_Type type) {
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, type, n));
  for (size_t k = 0; k < n; k++) OK(GrB_Vector_setElement_FP64(v, x[k], k));
  return v;
}

static void draw_matrix(world *w, size_t n) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_FP32, GrB_UINT8};
  w->a = dense_new(n, n);
  dense_draw(&w->a, 1 + draw(draw_one_in(4) ? 200 : 12), draw_one_in(3) ? 1 : 0);
  for (size_t k = 0; k < n * n; k++) {
    w->a.v[k] = fabs(w->a.v[k]);
    if (k % (n + 1) == 0) w->a.has[k] = false;
  }
  w->A = dense_matrix(&w->a, types[draw(4)], false);
}

static world draw_world(void) {
  world w = {.how = {.key = draw(1000) << 40 | draw(1000),
                     .bits = 1 + (int)draw(draw_one_in(5) ? 12 : 3),
                     .sweeps = 1 + draw(SWEEPS),
                     .still = draw_one_in(3) ? draw(MOST) : 0,
                     .priced = draw_one_in(2),
                     .alone = draw_one_in(2)}};
  const size_t n = 1 + draw(MOST);
  const bool apart = draw_one_in(2);
  draw_matrix(&w, n);
  for (size_t k = 0; k < n; k++) {
    w.label[k] = (int64_t)(apart ? k : draw(n));
    w.weight[k] = 1 + (double)draw(draw_one_in(2) ? 2 : 9);
    w.scale[k] = 1 + (double)draw(3);
    w.bonus[k] = (double)draw(6);
  }
  OK(GrB_Vector_new(&w.labels, GrB_INT64, n));
  for (size_t k = 0; k < n; k++) OK(GrB_Vector_setElement_INT64(w.labels, w.label[k], k));
  w.weights = make_vector(w.weight, n, draw_one_in(2) ? GrB_FP64 : GrB_INT32);
  w.scales = make_vector(w.scale, n, GrB_FP64);
  if (!draw_one_in(4)) w.bonuses = make_vector(w.bonus, n, draw_one_in(2) ? GrB_FP64 : GrB_UINT8);
  return w;
}

static void free_world(world *w) {
  dense_free(&w->a);
  GrB_Matrix_free(&w->A);
  GrB_Vector_free(&w->labels), GrB_Vector_free(&w->weights);
  GrB_Vector_free(&w->scales), GrB_Vector_free(&w->bonuses);
}

/* ---- the model ----------------------------------------------------------------------------------------- */

/* The score of label c for vertex i, and whether a neighbor has it. */
static double score_of(const world *w, size_t i, int64_t c, bool *met) {
  double sum = 0;
  *met = false;
  for (size_t j = 0; j < w->a.rows; j++)
    if (w->a.has[dense_at(&w->a, i, j)] && w->label[j] == c)
      *met = true, sum += w->a.v[dense_at(&w->a, i, j)];
  return w->scale[i] * sum - (w->how.priced ? w->sum[c] : 0);
}

static int64_t find_target(const world *w, size_t i) {
  double most = -INFINITY;
  int64_t best = -1;
  bool met;
  if (w->how.alone && (w->label[i] != (int64_t)i || w->sum[i] != w->weight[i])) return -1;
  for (int64_t c = 0; c < (int64_t)w->a.rows; c++) {
    const double score = score_of(w, i, c, &met);
    if (met && score > most) best = c, most = score;
  }
  if (!w->bonuses) return best;
  const int64_t present = w->label[i];
  return best != present && most > score_of(w, i, present, &met) + w->bonus[i] ? best : -1;
}

static GrB_Index move_class(world *w, uint32_t class) {
  int64_t target[MOST];
  GrB_Index moves = 0;
  for (size_t i = 0; i < w->a.rows; i++)
    target[i] = grid_label_class(i, w->how.key, w->how.bits) == class ? find_target(w, i) : -1;
  for (size_t i = 0; i < w->a.rows; i++) {
    if (target[i] < 0 || (w->how.alone && target[target[i]] >= 0)) continue;
    w->sum[w->label[i]] -= w->weight[i], w->sum[target[i]] += w->weight[i];
    w->label[i] = target[i];
    moves++;
  }
  return moves;
}

static void move_in_model(world *w, GrB_Index *moves) {
  for (size_t k = 0; k < w->a.rows; k++) w->sum[w->label[k]] += w->weight[k];
  for (GrB_Index sweep = 0; sweep < w->how.sweeps; sweep++) {
    for (uint32_t class = 0; class < UINT32_C(1) << w->how.bits; class ++)
      moves[sweep] += move_class(w, class);
    if (moves[sweep] <= w->how.still) break;
  }
}

static void assert_labels(const world *w, GrB_Vector label, const GrB_Index *moves, const GrB_Index *want) {
  for (size_t k = 0; k < w->a.rows; k++) {
    int64_t x = -1;
    OK(GrB_Vector_extractElement_INT64(&x, label, k));
    assert_int_equal(x, w->label[k]);
  }
  for (GrB_Index k = 0; k < w->how.sweeps; k++) assert_int_equal(moves[k], want[k]);
}

static void matches_model(void **state) {
  GrB_Index moved = 0;
  for (int round = 0; round < (Grid_size() > 1 ? 8 : 120); round++) {
    world w = draw_world();
    GrB_Vector copy = NULL;
    GrB_Index want[SWEEPS] = {0}, moves[SWEEPS] = {7, 7, 7}, by_calls[SWEEPS] = {7, 7, 7};
    OK(GrB_Vector_dup(&copy, w.labels));
    OK(Grid_Matrix_move_labels(moves, w.labels, w.A, w.weights, w.scales, w.bonuses, &w.how));
    OK(grid_move_labels_by_calls(by_calls, copy, w.A, w.weights, w.scales, w.bonuses, &w.how));
    move_in_model(&w, want);
    assert_labels(&w, w.labels, moves, want);
    assert_labels(&w, copy, by_calls, want);
    moved += want[0];
    GrB_Vector_free(&copy);
    free_world(&w);
  }
  assert_true(moved > 0);
}

enum { SCALE = 16, N = 1 << SCALE };

/* A row has entries in all columns but its own. */
static GrB_Matrix make_large(void) {
  const GrB_Index hub = 7;
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_BOOL, N, N));
  OK(Grid_Matrix_rmat(A, SCALE, 4, 1, Grid_MIRROR | Grid_NO_LOOPS));
  OK(GrB_Matrix_assign_BOOL(A, NULL, NULL, true, &hub, 1, GrB_ALL, N, NULL));
  OK(GrB_Matrix_select_INT64(A, NULL, NULL, GrB_OFFDIAG, A, 0, NULL));
  return A;
}

static GrB_Vector make_full(double x) {
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, GrB_FP64, N));
  OK(GrB_Vector_assign_FP64(v, NULL, NULL, x, GrB_ALL, N, NULL));
  return v;
}

static void assert_equal(GrB_Vector u, GrB_Vector v) {
  bool equal = false;
  GrB_Vector same = NULL;
  OK(GrB_Vector_new(&same, GrB_BOOL, N));
  OK(GrB_Vector_eWiseMult_BinaryOp(same, NULL, NULL, GrB_EQ_INT64, u, v, NULL));
  OK(GrB_Vector_reduce_BOOL(&equal, NULL, GrB_LAND_MONOID_BOOL, same, NULL));
  assert_true(equal);
  GrB_Vector_free(&same);
}

static void move_by_both(GrB_Matrix A, const Grid_Label_Sweep *how) {
  GrB_Vector label = NULL, copy = NULL, weight = make_full(3), scale = make_full(64);
  GrB_Index moves[2], by_calls[2];
  OK(GrB_Vector_new(&label, GrB_INT64, N));
  OK(GrB_Vector_apply_IndexOp_INT64(label, NULL, NULL, GrB_ROWINDEX_INT64, weight, 0, NULL));
  OK(GrB_Vector_dup(&copy, label));
  OK(Grid_Matrix_move_labels(moves, label, A, weight, scale, weight, how));
  OK(grid_move_labels_by_calls(by_calls, copy, A, weight, scale, weight, how));
  assert_equal(label, copy);
  assert_true(moves[0] > 1000 && moves[1] > 0);
  assert_int_equal(moves[0], by_calls[0]);
  assert_int_equal(moves[1], by_calls[1]);
  GrB_Vector_free(&label), GrB_Vector_free(&copy), GrB_Vector_free(&weight), GrB_Vector_free(&scale);
}

/* Both methods on a graph of so many vertices that all threads take part. */
static void large_graph(void **state) {
  GrB_Matrix A = make_large();
  for (int alone = 0; alone < 2; alone++)
    move_by_both(A, &(Grid_Label_Sweep){.key = 5, .bits = 4, .sweeps = 2, .priced = true, .alone = alone});
  GrB_Matrix_free(&A);
}

static void wrong_arguments(void **state) {
  const Grid_Label_Sweep how = {.bits = 1, .sweeps = 1}, no_bits = {.sweeps = 1}, no_sweeps = {.bits = 1};
  GrB_Matrix A = NULL, oblong = NULL, records = NULL;
  GrB_Vector label = NULL, real = NULL, longer = NULL, full = NULL;
  GrB_Type record = NULL;
  GrB_Index moves = 7;
  int64_t last = 0;
  OK(GrB_Type_new(&record, 16));
  OK(GrB_Matrix_new(&A, GrB_FP64, 40, 40));
  OK(GrB_Matrix_new(&oblong, GrB_FP64, 40, 41));
  OK(GrB_Matrix_new(&records, record, 40, 40));
  OK(GrB_Vector_new(&label, GrB_INT64, 40));
  OK(GrB_Vector_new(&real, GrB_FP64, 40));
  OK(GrB_Vector_new(&longer, GrB_FP64, 41));
  OK(GrB_Vector_new(&full, GrB_FP64, 40));
  OK(GrB_Vector_assign_FP64(full, NULL, NULL, 1, GrB_ALL, 40, NULL));
  OK(GrB_Vector_assign_INT64(label, NULL, NULL, 39, GrB_ALL, 40, NULL));
  for (size_t k = 0; k < 40; k++) OK(GrB_Matrix_setElement_FP64(A, 1, k, (k + 1) % 40));
#define MOVE(moves, label, A, weight, scale, bonus, how) \
  Grid_Matrix_move_labels(moves, label, A, weight, scale, bonus, how)
  refused(MOVE(NULL, label, A, full, full, NULL, &how), GrB_NULL_POINTER, "moves is NULL");
  refused(MOVE(&moves, NULL, A, full, full, NULL, &how), GrB_NULL_POINTER, "label is NULL");
  refused(MOVE(&moves, label, NULL, full, full, NULL, &how), GrB_NULL_POINTER, "A is NULL");
  refused(MOVE(&moves, label, A, NULL, full, NULL, &how), GrB_NULL_POINTER, "weight is NULL");
  refused(MOVE(&moves, label, A, full, NULL, NULL, &how), GrB_NULL_POINTER, "scale is NULL");
  refused(MOVE(&moves, label, A, full, full, NULL, NULL), GrB_NULL_POINTER, "how is NULL");
  refused(MOVE(&moves, label, A, full, full, NULL, &no_bits), GrB_INVALID_VALUE, "0 bits");
  refused(MOVE(&moves, label, A, full, full, NULL, &no_sweeps), GrB_INVALID_VALUE, "0 sweeps");
  refused(MOVE(&moves, label, oblong, full, full, NULL, &how), GrB_DIMENSION_MISMATCH, "columns");
  refused(MOVE(&moves, label, A, longer, full, NULL, &how), GrB_DIMENSION_MISMATCH, "weight");
  refused(MOVE(&moves, label, A, full, full, longer, &how), GrB_DIMENSION_MISMATCH, "bonus");
  refused(MOVE(&moves, full, A, full, full, NULL, &how), GrB_DOMAIN_MISMATCH, "label has");
  refused(MOVE(&moves, label, records, full, full, NULL, &how), GrB_DOMAIN_MISMATCH, "A");
  refused(MOVE(&moves, label, A, real, full, NULL, &how), GrB_INVALID_OBJECT, "0 of 40");
  OK(GrB_Vector_setElement_INT64(label, 40, 3));
  refused(MOVE(&moves, label, A, full, full, NULL, &how), GrB_INDEX_OUT_OF_BOUNDS, "40");
#undef MOVE
  OK(GrB_Vector_extractElement_INT64(&last, label, 39));
  assert_int_equal(last, 39);
  assert_int_equal(moves, 7);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong), GrB_Matrix_free(&records);
  GrB_Vector_free(&label), GrB_Vector_free(&real), GrB_Vector_free(&longer), GrB_Vector_free(&full);
  GrB_Type_free(&record);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matches_model), cmocka_unit_test(large_graph),
                                     cmocka_unit_test(wrong_arguments)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

/* With GRIDBLAS_DEVICE=cuda on a GPU; exit status 77 where there is none. */
int main(void) {
  if (lacks_gpu()) return 77;
  return run_on_shapes(group);
}
