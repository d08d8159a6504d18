/* GRIDBLAS_CHECK=calls: when processes are in different calls, all of them get an error and continue; when
 * they are in the same call, none does. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"

static GrB_Matrix matrix(void) {
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 9, 9), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 2, 3, 4), GrB_SUCCESS);
  return A;
}

static void matching_calls(void **state) {
  GrB_Matrix A = matrix();
  GrB_Index n = 0;
  double x = 0;
  assert_int_equal(GrB_Matrix_nvals(&n, A), GrB_SUCCESS);
  assert_int_equal(n, 1);
  assert_int_equal(GrB_mxm(A, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_reduce_FP64(&x, NULL, GrB_PLUS_MONOID_FP64, A, NULL), GrB_SUCCESS);
  GrB_Matrix_free(&A);
}

/* Each process but one makes the second call. */
static void mismatched_calls(void **state) {
  for (int odd = 0; odd < Grid_size(); odd++) {
    GrB_Matrix A = matrix();
    GrB_Index n = 7;
    double x = 7;
    const GrB_Info info = Grid_rank() == odd ? GrB_Matrix_reduce_FP64(&x, NULL, GrB_PLUS_MONOID_FP64, A, NULL)
                                             : GrB_Matrix_nvals(&n, A);
    if (Grid_size() == 1) {
      assert_int_equal(info, GrB_SUCCESS);
    } else {
      assert_int_equal(info, GrB_PANIC);
      assert_non_null(strstr(Grid_last_error(), "GrB_reduce"));
      assert_non_null(strstr(Grid_last_error(), "GrB_Matrix_nvals"));
      assert_true(n == 7 && x == 7);
    }
    assert_int_equal(GrB_Matrix_nvals(&n, A), GrB_SUCCESS); /* they go on */
    assert_int_equal(n, 1);
    GrB_Matrix_free(&A);
  }
}

/* A call on a single element is local and not numbered: the sequence numbers of processes must stay equal. */
static void single_element(void **state) {
  GrB_Vector v;
  GrB_Index n = 0;
  assert_int_equal(GrB_Vector_new(&v, GrB_FP64, 9), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_FP64(v, 2, 3), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&n, v), GrB_SUCCESS);
  const GrB_Info info = Grid_rank() == 0 ? GrB_Vector_setElement_FP64(v, 2, 3) : GrB_Vector_nvals(&n, v);
  assert_int_equal(info, Grid_size() == 1 ? GrB_SUCCESS : GrB_PANIC);
  for (int k = 0; k < 2; k++) assert_int_equal(GrB_Vector_nvals(&n, v), GrB_SUCCESS);
  assert_int_equal(n, 1);
  GrB_Vector_free(&v);
}

/* Scalars are every process's own. */
static void scalars(void **state) {
  GrB_Scalar s;
  GrB_Matrix A = matrix();
  GrB_Index n = 0;
  double x = 0;
  assert_int_equal(GrB_Scalar_new(&s, GrB_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_Scalar_setElement_FP64(s, 7), GrB_SUCCESS);
  if (Grid_rank() == 0) {
    assert_int_equal(GrB_Scalar_nvals(&n, s), GrB_SUCCESS);
    assert_int_equal(GrB_Scalar_extractElement_FP64(&x, s), GrB_SUCCESS);
    assert_true(n == 1 && x == 7);
  }
  for (int k = 0; k < 2; k++) assert_int_equal(GrB_Matrix_nvals(&n, A), GrB_SUCCESS);
  GrB_Scalar_free(&s);
  GrB_Matrix_free(&A);
}

int main(void) {
  if (setenv("GRIDBLAS_CHECK", "calls", 1) || GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(matching_calls), cmocka_unit_test(mismatched_calls),
                                     cmocka_unit_test(single_element), cmocka_unit_test(scalars)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  if (GrB_finalize() != GrB_SUCCESS) return 1;
  return failed;
}
