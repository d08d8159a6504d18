/* GxB_select by every operator on matrices and vectors, against a formula; complex values; wrong arguments.
 * Runs on any number of processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "gridblas_gxb_operators.h"
#include "gridblas_gxb_select.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { N = 12 };

#define ROW(NAME, OP, ZERO) {#NAME, #OP, ZERO, &GxB_##NAME},
static const struct {
  const char *name, *by;
  bool zero;
  GxB_SelectOp *op;
} rows[] = {GRID_SELECT_OPS(ROW)};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is_selected(const char *by, int64_t x, int64_t i, int64_t j, int64_t y) {
  const char *how = by + strlen("VALUE");
  if (strcmp(by, "TRIL") == 0) return j - i <= y;
  if (strcmp(by, "TRIU") == 0) return j - i >= y;
  if (strcmp(by, "DIAG") == 0) return j - i == y;
  if (strcmp(by, "OFFDIAG") == 0) return j - i != y;
  return strcmp(how, "EQ") == 0   ? x == y
         : strcmp(how, "NE") == 0 ? x != y
         : strcmp(how, "GT") == 0 ? x > y
         : strcmp(how, "GE") == 0 ? x >= y
         : strcmp(how, "LT") == 0 ? x < y
                                  : x <= y;
}

static void all_operators(void **state) {
  (void)state;
  const GrB_Type types[] = {GrB_INT8, GrB_FP64, GrB_INT64, GxB_FC64};
  for (size_t k = 0; k < ROWS; k++)
    for (int t = 0; t < 4; t++) {
      GrB_Matrix A = NULL, C = NULL;
      GrB_Vector u = NULL, w = NULL;
      GrB_Scalar thunk = NULL;
      const int64_t y = (int64_t)draw(5) - 2;
      const bool none = draw_one_in(4), empty = !none && draw_one_in(4), complex = types[t] == GxB_FC64;
      const int64_t bound = rows[k].zero || none || empty ? 0 : y;
      GrB_Index n = 0, m = 0, want = 0, want_of_vector = 0;
      bool fine = true;
      OK(GrB_Matrix_new(&A, types[t], N, N)), OK(GrB_Matrix_new(&C, GrB_INT64, N, N));
      OK(GrB_Vector_new(&u, types[t], N)), OK(GrB_Vector_new(&w, GrB_INT64, N));
      OK(GrB_Scalar_new(&thunk, GrB_FP32));
      if (!empty) OK(GrB_Scalar_setElement_INT64(thunk, y));
      for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) {
          if (!draw_one_in(2)) continue;
          const int64_t x = (int64_t)draw(5) - 2;
          OK(GrB_Matrix_setElement_INT64(A, x, (GrB_Index)j, (GrB_Index)i)); /* transposed */
          want += is_selected(rows[k].by, x, i, j, bound);
          if (j) continue;
          OK(GrB_Vector_setElement_INT64(u, x, (GrB_Index)i));
          want_of_vector += is_selected(rows[k].by, x, i, 0, bound);
        }
      const bool ordered =
          complex && strstr(rows[k].by, "VALUE") && !strstr(rows[k].by, "EQ") && !strstr(rows[k].by, "NE");
      const GrB_Info expected = ordered ? GrB_NOT_IMPLEMENTED : GrB_SUCCESS;
      assert_int_equal(GxB_select(C, NULL, NULL, *rows[k].op, A, none ? NULL : thunk, GrB_DESC_T0), expected);
      assert_int_equal(GxB_select(w, NULL, NULL, *rows[k].op, u, none ? NULL : thunk, NULL), expected);
      OK(GrB_Matrix_nvals(&n, C)), OK(GrB_Vector_nvals(&m, w));
      GrB_Index I[N * N], J[N * N], nvals = N * N;
      int64_t X[N * N];
      OK(GrB_Matrix_extractTuples_INT64(I, J, X, &nvals, C));
      for (GrB_Index e = 0; e < nvals; e++)
        fine = fine && is_selected(rows[k].by, X[e], (int64_t)I[e], (int64_t)J[e], bound);
      assert_on_all(fine && n == (ordered ? 0 : want) && m == (ordered ? 0 : want_of_vector));
      OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&C)), OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
      OK(GrB_Scalar_free(&thunk));
    }
}

static void errors(void **state) {
  (void)state;
  GrB_Type type = NULL;
  GrB_Matrix A = NULL, C = NULL, wide = NULL;
  GrB_Vector w = NULL;
  OK(GrB_Type_new(&type, 3));
  OK(GrB_Matrix_new(&A, type, 2, 2)), OK(GrB_Matrix_new(&C, type, 2, 2)),
      OK(GrB_Matrix_new(&wide, type, 2, 3));
  OK(GrB_Vector_new(&w, GrB_INT8, 2));
  OK(GrB_Matrix_setElement_UDT(A, "abc", 1, 0));
  assert_int_equal(GxB_Matrix_select(C, NULL, NULL, GxB_NONZERO, A, NULL, NULL), GrB_DOMAIN_MISMATCH);
  OK(GxB_Matrix_select(C, NULL, NULL, GxB_TRIL, A, NULL, NULL));
  GrB_Index n = 0;
  OK(GrB_Matrix_nvals(&n, C));
  assert_int_equal(n, 1);
  assert_int_equal(GxB_Matrix_select(C, NULL, NULL, NULL, A, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Matrix_select(NULL, NULL, NULL, GxB_TRIL, A, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Vector_select(w, NULL, NULL, GxB_TRIL, NULL, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Matrix_select(C, NULL, NULL, GxB_TRIL, wide, NULL, NULL), GrB_DIMENSION_MISMATCH);
  OK(GrB_Matrix_nvals(&n, C));
  assert_int_equal(n, 1);
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&C)), OK(GrB_Matrix_free(&wide)), OK(GrB_Vector_free(&w));
  OK(GrB_Type_free(&type));
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_operators), cmocka_unit_test(errors)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

int main(void) {
  return run_on_shapes(group);
}
