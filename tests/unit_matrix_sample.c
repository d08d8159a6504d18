/* Grid_Matrix_sample against a model that draws from a dense matrix, on any number of processes. Whether
 * entries are equally likely: unit_algos_neighbor_sample. */
#include <stdio.h>

#include "spmat/random_hash.h"
#include "tests/gpu_present.h"
#include "tests/dense_model.h"
#include "tests/grid_shapes.h"
#include "tests/refused.h"

/* As bits of A's entries, a row of LONG is drawn from by a warp of a GPU in several steps. */
enum { MOST = 60, LONG = 4500 };

/* Draws `count` of the entries of row r of a, of number `row`, into s. */
static void model_row(dense *s, const dense *a, size_t r, uint64_t row, int64_t count, uint64_t key) {
  size_t col[LONG], degree = 0;
  static bool drawn[LONG];
  for (size_t c = 0; c < a->cols; c++)
    if (a->has[dense_at(a, r, c)]) col[degree] = c, drawn[degree++] = false;
  const size_t draws = count < 0 || (size_t)count > degree ? degree : (size_t)count;
  for (size_t j = degree - draws; j < degree; j++) {
    const size_t t = (size_t)(grid_random(row, j, key) * (double)(j + 1));
    drawn[drawn[t] ? j : t] = true;
  }
  for (size_t k = 0; k < degree; k++)
    if (drawn[k]) dense_set(s, r, col[k], a->v[dense_at(a, r, col[k])]);
}

/* Samples of a, of which one row in `missing` has no count (0: all have one). */
static void compare(const dense *a, GrB_Type type, bool iso, uint64_t missing, int64_t most) {
  const uint64_t sample_seed = draw(5), nrows = (a->rows - 1) * a->row_step + 1,
                 ncols = (a->cols - 1) * a->col_step + 1;
  dense s = dense_new(a->rows, a->cols);
  GrB_Matrix A = dense_matrix(a, type, iso), C;
  GrB_Vector count, columns, alone;
  GrB_Index found = 0, nvals;
  s.row_step = a->row_step, s.col_step = a->col_step;
  OK(GrB_Vector_new(&count, GrB_INT64, nrows));
  for (size_t r = 0; r < a->rows; r++) {
    const int64_t n = (int64_t)draw((uint64_t)most + 2) - 1;
    if (missing && draw_one_in(missing)) continue;
    OK(GrB_Vector_setElement_INT64(count, n, r * a->row_step));
    model_row(&s, a, r, r * a->row_step, n, grid_random_key(sample_seed));
  }
  OK(GrB_Matrix_new(&C, type, nrows, ncols));
  OK(GrB_Vector_new(&columns, GrB_BOOL, ncols));
  OK(GrB_Vector_new(&alone, GrB_BOOL, ncols));
  OK(GrB_Vector_setElement_BOOL(columns, false, 0));
  const bool both = draw_one_in(2);
  OK(Grid_Matrix_sample(C, both ? columns : NULL, A, count, sample_seed));
  OK(Grid_Matrix_sample(NULL, alone, A, count, sample_seed));
  if (!both) OK(GrB_Vector_assign(columns, NULL, NULL, alone, GrB_ALL, ncols, NULL));
  assert_true(dense_same(&s, C));
  assert_true(dense_same(a, A));
  for (size_t c = 0; c < a->cols; c++) {
    bool x = false, y = false, drawn = false;
    for (size_t r = 0; r < a->rows; r++) drawn = drawn || s.has[dense_at(&s, r, c)];
    const GrB_Info info = GrB_Vector_extractElement_BOOL(&x, columns, c * a->col_step);
    assert_int_equal(info, drawn ? GrB_SUCCESS : GrB_NO_VALUE);
    assert_int_equal(GrB_Vector_extractElement_BOOL(&y, alone, c * a->col_step), info);
    assert_true(x == drawn && y == drawn);
    found += drawn;
  }
  OK(GrB_Vector_nvals(&nvals, columns));
  assert_int_equal(nvals, found);
  dense_free(&s);
  GrB_Matrix_free(&A), GrB_Matrix_free(&C);
  GrB_Vector_free(&count), GrB_Vector_free(&columns), GrB_Vector_free(&alone);
}

static void matches_model(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_FP32, GrB_INT64};
  for (int round = 0; round < 40; round++) {
    dense a = dense_new(1 + draw(MOST), 1 + draw(MOST));
    const bool iso = draw_one_in(4);
    dense_draw(&a, 1 + draw(8), iso ? 1 : 0);
    if (draw_one_in(4)) a.row_step = 1 + draw(3000);
    if (draw_one_in(4)) a.col_step = 1 + draw(3000);
    compare(&a, types[draw(4)], iso, draw(4), draw_one_in(2) ? 6 : 70);
    dense_free(&a);
  }
}

/* Rows whose bits begin in the middle of a word and fill many. */
static void long_rows(void **state) {
  for (int round = 0; round < 6; round++) {
    dense a = dense_new(9, LONG);
    for (size_t r = 0; r < a.rows; r++)
      for (size_t c = 0; c < a.cols; c++)
        if (r % 3 == 0 ? c % 2 == 0 || round > 2 : c % (100 + 77 * r) == r)
          dense_set(&a, r, c, (double)(r + c % 7));
    compare(&a, GrB_INT32, false, 0, round % 2 ? 20 : LONG);
    dense_free(&a);
  }
}

/* An entry that is still pending counts. */
static void pending_entries(void **state) {
  GrB_Matrix A, C;
  GrB_Vector count;
  GrB_Index nvals;
  OK(GrB_Matrix_new(&A, GrB_FP64, 9, 9));
  OK(GrB_Matrix_new(&C, GrB_FP64, 9, 9));
  OK(GrB_Vector_new(&count, GrB_INT64, 9));
  OK(GrB_Vector_assign_INT64(count, NULL, NULL, 2, GrB_ALL, 9, NULL));
  for (GrB_Index k = 0; k < 9; k++) OK(GrB_Matrix_setElement_FP64(A, 1, 4, k));
  OK(Grid_Matrix_sample(C, NULL, A, count, 1));
  OK(GrB_Matrix_nvals(&nvals, C));
  assert_int_equal(nvals, 2);
  GrB_Matrix_free(&A), GrB_Matrix_free(&C), GrB_Vector_free(&count);
}

/* Values of the program's own type come with the entries. */
static void user_type(void **state) {
  enum { N = 30 };
  typedef struct {
    int64_t x[3];
  } record;
  GrB_Type type;
  GrB_Matrix A, C;
  GrB_Vector count;
  GrB_Index nvals, drawn = 0;
  OK(GrB_Type_new(&type, sizeof(record)));
  OK(GrB_Matrix_new(&A, type, N, N));
  OK(GrB_Matrix_new(&C, type, N, N));
  OK(GrB_Vector_new(&count, GrB_INT64, N));
  for (int64_t i = 0; i < N; i++) {
    OK(GrB_Vector_setElement_INT64(count, 3, (GrB_Index)i));
    for (int64_t j = 0; j < N; j += 4) {
      const record r = {{i, j, i * j}};
      OK(GrB_Matrix_setElement_UDT(A, &r, (GrB_Index)i, (GrB_Index)j));
    }
  }
  OK(Grid_Matrix_sample(C, NULL, A, count, 7));
  for (int64_t i = 0; i < N; i++)
    for (int64_t j = 0; j < N; j += 4) {
      record r;
      const GrB_Info info = GrB_Matrix_extractElement_UDT(&r, C, (GrB_Index)i, (GrB_Index)j);
      if (info == GrB_NO_VALUE) continue;
      assert_int_equal(info, GrB_SUCCESS);
      assert_true(r.x[0] == i && r.x[1] == j && r.x[2] == i * j);
      drawn++;
    }
  OK(GrB_Matrix_nvals(&nvals, C));
  assert_true(drawn == nvals && drawn == 3 * (GrB_Index)N);
  GrB_Matrix_free(&A), GrB_Matrix_free(&C), GrB_Vector_free(&count), GrB_Type_free(&type);
}

static void wrong_arguments(void **state) {
  GrB_Matrix A, C, other, oblong;
  GrB_Vector count, real, longer;
  GrB_Index nvals;
  OK(GrB_Matrix_new(&A, GrB_FP64, 40, 30));
  OK(GrB_Matrix_new(&C, GrB_FP64, 40, 30));
  OK(GrB_Matrix_new(&other, GrB_FP32, 40, 30));
  OK(GrB_Matrix_new(&oblong, GrB_FP64, 40, 31));
  OK(GrB_Vector_new(&count, GrB_INT64, 40));
  OK(GrB_Vector_new(&real, GrB_FP64, 40));
  OK(GrB_Vector_new(&longer, GrB_INT64, 41));
  OK(GrB_Matrix_setElement_FP64(A, 1, 3, 3));
  OK(GrB_Vector_setElement_INT64(count, 1, 3));
  refused(Grid_Matrix_sample(NULL, NULL, A, count, 0), GrB_NULL_POINTER, "both NULL");
  refused(Grid_Matrix_sample(C, NULL, NULL, count, 0), GrB_NULL_POINTER, "A is NULL");
  refused(Grid_Matrix_sample(C, NULL, A, NULL, 0), GrB_NULL_POINTER, "count is NULL");
  refused(Grid_Matrix_sample(oblong, NULL, A, count, 0), GrB_DIMENSION_MISMATCH, "list of C's");
  refused(Grid_Matrix_sample(C, NULL, A, longer, 0), GrB_DIMENSION_MISMATCH, "count");
  refused(Grid_Matrix_sample(C, NULL, A, real, 0), GrB_DOMAIN_MISMATCH, "count");
  refused(Grid_Matrix_sample(C, longer, A, count, 0), GrB_DIMENSION_MISMATCH, "columns");
  refused(Grid_Matrix_sample(other, NULL, A, count, 0), GrB_DOMAIN_MISMATCH, "type");
  refused(Grid_Matrix_sample(A, NULL, A, count, 0), GrB_OUTPUT_NOT_EMPTY, "holds 1");
  OK(GrB_Matrix_nvals(&nvals, C));
  assert_int_equal(nvals, 0);
  OK(Grid_Matrix_sample(C, NULL, A, count, 0));
  OK(GrB_Matrix_nvals(&nvals, C));
  assert_int_equal(nvals, 1);
  GrB_Matrix_free(&A), GrB_Matrix_free(&C), GrB_Matrix_free(&other), GrB_Matrix_free(&oblong);
  GrB_Vector_free(&count), GrB_Vector_free(&real), GrB_Vector_free(&longer);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matches_model), cmocka_unit_test(long_rows),
                                     cmocka_unit_test(pending_entries), cmocka_unit_test(user_type),
                                     cmocka_unit_test(wrong_arguments)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

/* With GRIDBLAS_DEVICE=cuda on a GPU; exit status 77 where there is none. */
int main(void) {
  if (lacks_gpu()) return 77;
  return run_on_shapes(group);
}
