/* The operations of gridblas_gxb_operations.h on objects of size 0, with empty regions, lists and tiles, on
 * any number of processes. */
#include <stdio.h>

#include "tests/gxb_model.h"
#include "tests/grid_shapes.h"

static GrB_Matrix new_matrix(GrB_Index nrows, GrB_Index ncols) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, nrows, ncols));
  return A;
}
static GrB_Vector new_vector(GrB_Index n) {
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, GrB_FP64, n));
  return v;
}
static void check_shape(GrB_Matrix A, GrB_Index nrows, GrB_Index ncols, GrB_Index nvals) {
  GrB_Index got[3];
  OK(GrB_Matrix_nrows(&got[0], A)), OK(GrB_Matrix_ncols(&got[1], A)), OK(GrB_Matrix_nvals(&got[2], A));
  assert_on_all(got[0] == nrows && got[1] == ncols && got[2] == nvals);
}
static void check_size(GrB_Vector v, GrB_Index n, GrB_Index nvals) {
  GrB_Index got[2];
  OK(GrB_Vector_size(&got[0], v)), OK(GrB_Vector_nvals(&got[1], v));
  assert_on_all(got[0] == n && got[1] == nvals);
}

static void unions(void **state) {
  GrB_Matrix A = new_matrix(0, 5), B = new_matrix(5, 0);
  GrB_Vector u = new_vector(0);
  GrB_Scalar one = scalar_of(GrB_FP64, 1);
  OK(GxB_Matrix_eWiseUnion(A, A, NULL, GrB_PLUS_FP64, B, one, A, one, GrB_DESC_T0));
  OK(GxB_Vector_eWiseUnion(u, NULL, NULL, GrB_PLUS_FP64, u, one, u, one, NULL));
  check_shape(A, 0, 5, 0), check_size(u, 0, 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Vector_free(&u), GrB_Scalar_free(&one);
}

static void empty_regions(void **state) {
  modelled C = fill_modelled(70, 30, false), w = fill_modelled(70, 1, true);
  GrB_Matrix none = new_matrix(0, 30), A = new_matrix(0, 0), sub = new_matrix(0, 3);
  GrB_Vector u = new_vector(0), row = new_vector(30);
  const GrB_Index I[] = {1, 2, 3}, empty[] = {5, 4};
  OK(GxB_Matrix_subassign(C.A, none, NULL, none, I, 0, GrB_ALL, 30, GrB_DESC_RC));
  OK(GxB_Matrix_subassign(C.A, none, NULL, none, empty, GxB_RANGE, GrB_ALL, 30, GrB_DESC_R));
  OK(GxB_Matrix_subassign_FP64(C.A, NULL, NULL, 1, empty, GxB_RANGE, I, 3, NULL));
  OK(GxB_Vector_subassign(w.v, u, NULL, u, I, 0, GrB_DESC_RC));
  OK(GxB_Vector_subassign_FP64(w.v, NULL, NULL, 1, empty, GxB_RANGE, NULL));
  OK(GxB_Col_subassign(C.A, u, NULL, u, empty, GxB_RANGE, 3, GrB_DESC_R));
  OK(GxB_Row_subassign(C.A, u, NULL, u, 3, empty, GxB_RANGE, GrB_DESC_R));
  OK(GxB_Matrix_subassign(A, A, NULL, A, GrB_ALL, 0, GrB_ALL, 0, GrB_DESC_RC));
  OK(GrB_Matrix_extract(sub, NULL, NULL, C.A, empty, GxB_RANGE, I, 3, NULL));
  OK(GrB_Vector_extract(u, NULL, NULL, w.v, empty, GxB_RANGE, NULL));
  check_modelled(&C), check_modelled(&w);
  check_shape(sub, 0, 3, 0), check_shape(A, 0, 0, 0), check_size(u, 0, 0);
  free_modelled(&C), free_modelled(&w);
  GrB_Matrix_free(&none), GrB_Matrix_free(&A), GrB_Matrix_free(&sub);
  GrB_Vector_free(&u), GrB_Vector_free(&row);
}

static void empty_tiles(void **state) {
  modelled A = fill_modelled(70, 30, false), C = fill_modelled(70, 30, false);
  GrB_Matrix above = new_matrix(0, 30), beside = new_matrix(70, 0), corner = new_matrix(0, 0),
             empty = new_matrix(0, 30), made[6] = {NULL};
  const GrB_Matrix tiles[] = {corner, above, beside, A.A}, flat[] = {above, above};
  const GrB_Index nrows[] = {0, 70, 0}, ncols[] = {30, 0};
  OK(GxB_Matrix_concat(C.A, tiles, 2, 2, NULL));
  check_modelled(&C);
  OK(GxB_Matrix_concat(empty, flat, 2, 1, NULL));
  check_shape(empty, 0, 30, 0);
  OK(GxB_Matrix_split(made, 3, 2, nrows, ncols, A.A, NULL));
  check_shape(made[0], 0, 30, 0), check_shape(made[3], 70, 0, 0), check_shape(made[5], 0, 0, 0);
  GrB_Matrix_free(&A.A);
  A.A = made[2], made[2] = NULL;
  check_modelled(&A);
  for (int k = 0; k < 6; k++) GrB_Matrix_free(&made[k]);
  OK(GxB_Matrix_reshape(above, true, 7, 0, NULL));
  check_shape(above, 7, 0, 0);
  OK(GxB_Matrix_reshapeDup(&made[0], beside, false, 0, 3, NULL));
  check_shape(made[0], 0, 3, 0);
  OK(GxB_Matrix_reshape(made[0], false, 0, 9, NULL));
  check_shape(made[0], 0, 9, 0);
  OK(GxB_Matrix_reshapeDup(&made[1], made[0], true, 0, 4, NULL));
  check_shape(made[1], 0, 4, 0);
  assert_failed(GxB_Matrix_reshape(above, true, 7, 1, NULL), GrB_DIMENSION_MISMATCH, "7 x 0");
  GrB_Matrix_free(&above), GrB_Matrix_free(&beside), GrB_Matrix_free(&corner), GrB_Matrix_free(&empty);
  GrB_Matrix_free(&made[0]), GrB_Matrix_free(&made[1]);
  free_modelled(&A), free_modelled(&C);
}

static void empty_diagonals(void **state) {
  GrB_Matrix A = new_matrix(5, 8), C = new_matrix(2, 2), none = new_matrix(0, 0);
  GrB_Vector v = new_vector(0);
  OK(GrB_Matrix_setElement_FP64(C, 1, 0, 0));
  OK(GxB_Vector_diag(v, A, 8, NULL)), OK(GxB_Vector_diag(v, A, -5, NULL)),
      OK(GxB_Vector_diag(v, A, INT64_MIN, NULL));
  OK(GxB_Vector_diag(v, none, 0, NULL));
  OK(GxB_Matrix_diag(C, v, -2, NULL)), OK(GxB_Matrix_diag(none, v, 0, NULL));
  check_shape(C, 2, 2, 0), check_shape(none, 0, 0, 0), check_size(v, 0, 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&C), GrB_Matrix_free(&none), GrB_Vector_free(&v);
}

static void nothing_sorted(void **state) {
  GrB_Matrix A = new_matrix(0, 5), B = new_matrix(5, 0), P = NULL;
  GrB_Vector u = new_vector(0), p = NULL;
  OK(GrB_Matrix_new(&P, GrB_INT64, 0, 5)), OK(GrB_Vector_new(&p, GrB_INT64, 0));
  OK(GxB_Matrix_sort(A, P, GrB_LT_FP64, A, NULL)), OK(GxB_Matrix_sort(B, NULL, GrB_LT_FP64, B, GrB_DESC_T0));
  OK(GxB_Vector_sort(u, p, GrB_LT_FP64, u, NULL));
  check_shape(A, 0, 5, 0), check_shape(P, 0, 5, 0), check_shape(B, 5, 0, 0), check_size(p, 0, 0);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&P), GrB_Vector_free(&u), GrB_Vector_free(&p);
}

static void empty_lists(void **state) {
  modelled A = fill_modelled(70, 30, false);
  GrB_Matrix C = new_matrix(0, 30), none = new_matrix(0, 4);
  GrB_Vector I = new_vector(9), J = new_vector(0), X = new_vector(3), w = new_vector(0);
  GrB_Scalar one = scalar_of(GrB_FP64, 1);
  const GrB_Index *nothing = NULL;
  OK(GxB_Matrix_extract_Vector(C, NULL, NULL, A.A, I, NULL, NULL));
  OK(GxB_Matrix_assign_Scalar_Vector(A.A, NULL, NULL, one, J, NULL, NULL));
  OK(GxB_Vector_extract_Vector(w, NULL, NULL, X, I, NULL));
  check_shape(C, 0, 30, 0), check_modelled(&A), check_size(w, 0, 0);
  assert_failed(GxB_Matrix_isStoredElement(none, 0, 0), GrB_INVALID_INDEX, "0 x 4");
  assert_failed(GxB_Vector_isStoredElement(w, 0), GrB_INVALID_INDEX, "0");
  OK(GxB_Matrix_build_Scalar(none, nothing, nothing, one, 0)),
      OK(GxB_Vector_build_Scalar(w, nothing, one, 0));
  OK(GxB_Matrix_build_Vector(none, J, J, J, NULL, NULL)), OK(GxB_Vector_build_Vector(w, J, J, NULL, NULL));
  OK(GxB_Matrix_extractTuples_Vector(I, J, X, none, NULL));
  check_size(I, 0, 0), check_size(J, 0, 0), check_size(X, 0, 0);
  OK(GxB_Vector_extractTuples_Vector(I, X, w, NULL));
  check_size(I, 0, 0), check_size(X, 0, 0);
  OK(GrB_Vector_resize(I, 5)), OK(GrB_Vector_setElement_INT32(I, 3, 4));
  check_size(I, 5, 1);
  free_modelled(&A);
  GrB_Matrix_free(&C), GrB_Matrix_free(&none), GrB_Scalar_free(&one);
  GrB_Vector_free(&I), GrB_Vector_free(&J), GrB_Vector_free(&X), GrB_Vector_free(&w);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(unions), cmocka_unit_test(empty_regions),
               cmocka_unit_test(empty_tiles), cmocka_unit_test(empty_diagonals),
               cmocka_unit_test(nothing_sorted), cmocka_unit_test(empty_lists))
