/* Tuples of one value and in vectors, and vectors as index lists, against dense models, on any number of
 * processes. */
#include <stdio.h>

#include "tests/gxb_model.h"
#include "tests/grid_shapes.h"

/* ---- entries ------------------------------------------------------------------------------------------- */

static void stored_elements(void **state) {
  modelled A = draw_modelled(40, 30), v = draw_modelled_vector(90);
  change_entries(&A), change_entries(&v);
  for (int round = 0; round < test_rounds(60); round++) {
    const size_t i = draw(40), j = draw(30), k = draw(90);
    const GrB_Info a = GxB_Matrix_isStoredElement(A.A, i, j), b = GxB_Vector_isStoredElement(v.v, k);
    assert_on_all(a == (A.d.has[dense_at(&A.d, i, j)] ? GrB_SUCCESS : GrB_NO_VALUE));
    assert_on_all(b == (v.d.has[k] ? GrB_SUCCESS : GrB_NO_VALUE));
  }
  assert_failed(GxB_Matrix_isStoredElement(A.A, 40, 0), GrB_INVALID_INDEX, "(40, 0)");
  assert_failed(GxB_Vector_isStoredElement(v.v, 90), GrB_INVALID_INDEX, "90");
  free_modelled(&A), free_modelled(&v);
}

static void built_of_one_value(void **state) {
  enum { N = 500 };
  GrB_Index I[N], J[N];
  GrB_Scalar three = scalar_of(GrB_INT8, 3);
  for (int round = 0; round < test_rounds(20); round++) {
    const GrB_Index n = draw(N);
    modelled C = {.d = dense_new(150, 64)}, w = {.d = dense_new(150, 1)};
    OK(GrB_Matrix_new(&C.A, GrB_FP64, 150, 64)), OK(GrB_Vector_new(&w.v, GrB_INT64, 150));
    for (GrB_Index k = 0; k < n; k++) {
      I[k] = draw(150), J[k] = draw(64);
      dense_set(&C.d, I[k], J[k], 3), dense_set(&w.d, I[k], 0, 3);
    }
    OK(GxB_Matrix_build_Scalar(C.A, I, J, three, n));
    OK(GxB_Vector_build_Scalar(w.v, I, three, n));
    check_modelled(&C), check_modelled(&w);
    free_modelled(&C), free_modelled(&w);
  }
  GrB_Scalar_free(&three);
}

/* ---- vectors as lists ---------------------------------------------------------------------------------- */

/* A vector that stands for the list, by one of the three readings, which is set in the descriptor. */
static GrB_Vector list_vector(index_list *l, size_t dim, GrB_Descriptor desc, int field) {
  GrB_Vector v = NULL;
  uint64_t how = draw(3);
  if (l->I == GrB_ALL && draw_one_in(2)) return NULL;
  if (how == 1) /* ascending indices alone */
    for (GrB_Index k = 1; k < l->n; k++)
      if (l->at[k] <= l->at[k - 1]) how = 0;
  if (how == 2 && l->I != l->range) how = 0;
  if (how == 0) { /* values, with gaps between them */
    OK(GrB_Vector_new(&v, draw_one_in(2) ? GrB_INT64 : GrB_FP64, 3 * l->n + 5));
    for (GrB_Index k = 0; k < l->n; k++) OK(GrB_Vector_setElement_UINT64(v, l->at[k], 3 * k + 2));
  } else if (how == 1) {
    OK(GrB_Vector_new(&v, GrB_BOOL, dim));
    for (GrB_Index k = 0; k < l->n; k++) OK(GrB_Vector_setElement_BOOL(v, false, l->at[k]));
    OK(GrB_Descriptor_set_INT32(desc, GxB_USE_INDICES, field));
  } else {
    const int64_t step = l->ni == GxB_RANGE ? 1 : (int64_t)l->range[GxB_INC];
    OK(GrB_Vector_new(&v, GrB_INT64, 10));
    OK(GrB_Vector_setElement_UINT64(v, l->range[GxB_BEGIN], 0));
    OK(GrB_Vector_setElement_UINT64(v, l->range[GxB_END], 4));
    OK(GrB_Vector_setElement_INT64(v, l->ni == GxB_BACKWARDS ? -step : step, 9));
    OK(GrB_Descriptor_set_INT32(desc, GxB_IS_STRIDE, field));
    int32_t got = 0;
    OK(GrB_Descriptor_get_INT32(desc, &got, field));
    assert_on_all(got == GxB_IS_STRIDE);
  }
  return v;
}

static void vectors_as_lists(void **state) {
  for (int round = 0; round < test_rounds(60); round++) {
    const dense_how h = {0};
    GrB_Descriptor desc = dense_descriptor(h);
    modelled A = draw_modelled(draw_size(), draw_size());
    index_list I, J;
    draw_index_list(&I, A.d.rows), draw_index_list(&J, A.d.cols);
    GrB_Vector i = list_vector(&I, A.d.rows, desc, GxB_ROWINDEX_LIST),
               j = list_vector(&J, A.d.cols, desc, GxB_COLINDEX_LIST);
    modelled C = {.d = dense_new(I.n, J.n)}, u = draw_modelled_vector(A.d.rows), w = {.d = dense_new(I.n, 1)},
             r = draw_modelled_vector(J.n), c = draw_modelled_vector(I.n), m = draw_modelled(I.n, J.n);
    GrB_Scalar four = scalar_of(GrB_FP64, 4);
    for (size_t k = 0; k < I.n * J.n; k++) {
      const size_t from = dense_at(&A.d, I.at[k / J.n], J.at[k % J.n]);
      C.d.has[k] = A.d.has[from], C.d.v[k] = A.d.v[from];
    }
    for (size_t k = 0; k < I.n; k++) w.d.has[k] = u.d.has[I.at[k]], w.d.v[k] = u.d.v[I.at[k]];
    OK(GrB_Matrix_new(&C.A, GrB_FP64, I.n, J.n)), OK(GrB_Vector_new(&w.v, GrB_FP64, I.n));
    OK(GrB_extract(C.A, NULL, NULL, A.A, i, j, desc));
    OK(GrB_extract(w.v, NULL, NULL, u.v, i, desc));
    check_modelled(&C), check_modelled(&w);
    OK(GrB_assign(u.v, NULL, NULL, four, i, desc));
    for (size_t k = 0; k < I.n; k++) dense_set(&u.d, I.at[k], 0, 4);
    OK(GxB_Vector_assign_Vector(u.v, NULL, GrB_PLUS_FP64, w.v, i, desc));
    for (size_t k = 0; k < I.n; k++)
      if (w.d.has[k]) u.d.v[I.at[k]] += w.d.v[k];
    check_modelled(&u);
    OK(GxB_subassign(A.A, m.A, NULL, four, i, j, desc)); /* where m is true */
    for (size_t k = 0; k < I.n * J.n; k++)
      if (m.d.has[k] && m.d.v[k] != 0) dense_set(&A.d, I.at[k / J.n], J.at[k % J.n], 4);
    check_modelled(&A);
    OK(GxB_Matrix_assign_Vector(A.A, NULL, NULL, C.A, i, j, desc));
    const size_t row = draw(A.d.rows), col = draw(A.d.cols);
    OK(GrB_assign(A.A, NULL, NULL, r.v, row, j, desc));
    OK(GxB_subassign(A.A, NULL, NULL, c.v, i, col, desc));
    for (size_t k = 0; k < I.n * J.n; k++) {
      const size_t to = dense_at(&A.d, I.at[k / J.n], J.at[k % J.n]);
      A.d.has[to] = C.d.has[k], A.d.v[to] = C.d.v[k];
    }
    for (size_t k = 0; k < J.n; k++) {
      const size_t to = dense_at(&A.d, row, J.at[k]);
      A.d.has[to] = r.d.has[k], A.d.v[to] = r.d.v[k];
    }
    for (size_t k = 0; k < I.n; k++) {
      const size_t to = dense_at(&A.d, I.at[k], col);
      A.d.has[to] = c.d.has[k], A.d.v[to] = c.d.v[k];
    }
    check_modelled(&A);
    OK(GrB_extract(c.v, NULL, NULL, A.A, i, col, desc));
    check_modelled(&c);
    list_free(&I), list_free(&J);
    free_modelled(&A), free_modelled(&C), free_modelled(&u), free_modelled(&w);
    free_modelled(&r), free_modelled(&c), free_modelled(&m);
    GrB_Vector_free(&i), GrB_Vector_free(&j), GrB_Scalar_free(&four), GrB_Descriptor_free(&desc);
  }
}

/* Tuples go into vectors and come back. */
static void tuples_in_vectors(void **state) {
  for (int round = 0; round < test_rounds(30); round++) {
    modelled A = draw_modelled(draw_size(), draw_size()), v = draw_modelled_vector(draw_size());
    dense_set(&A.d, 0, 0, 2), dense_set(&v.d, 0, 0, 2); /* not empty */
    OK(GrB_Matrix_setElement_FP64(A.A, 2, 0, 0)), OK(GrB_Vector_setElement_FP64(v.v, 2, 0));
    GrB_Vector I = NULL, J = NULL, X = NULL;
    GrB_Index n, m;
    GrB_Type type, want;
    GrB_Scalar one = scalar_of(GrB_FP64, 1);
    OK(GrB_Vector_new(&I, GrB_FP32, 5)), OK(GrB_Vector_new(&J, GrB_BOOL, 500)),
        OK(GrB_Vector_new(&X, GrB_INT8, 1));
    OK(GrB_Vector_setElement_FP64(I, 2, 3));
    OK(GxB_Matrix_extractTuples_Vector(I, J, X, A.A, NULL));
    OK(GrB_Matrix_nvals(&n, A.A)), OK(GrB_Vector_size(&m, X));
    OK(GxB_Vector_type(&type, X)), OK(GxB_Matrix_type(&want, A.A));
    assert_on_all(m == n && type == want);
    OK(GxB_Vector_type(&type, I));
    assert_on_all(type == GrB_UINT32);
    GrB_Matrix_clear(A.A);
    OK(GxB_Matrix_build_Vector(A.A, I, J, X, NULL, NULL));
    check_modelled(&A);
    GrB_Matrix_clear(A.A);
    OK(GxB_Matrix_build_Scalar_Vector(A.A, I, J, one, NULL));
    for (size_t k = 0; k < A.d.rows * A.d.cols; k++) A.d.v[k] = 1;
    check_modelled(&A);
    OK(GxB_Vector_extractTuples_Vector(I, X, v.v, NULL));
    GrB_Vector_clear(v.v);
    OK(GxB_Vector_build_Vector(v.v, I, X, GrB_PLUS_FP64, NULL));
    check_modelled(&v);
    GrB_Vector_clear(v.v);
    OK(GxB_Vector_build_Scalar_Vector(v.v, I, one, NULL));
    for (size_t k = 0; k < v.d.rows; k++) v.d.v[k] = 1;
    check_modelled(&v);
    free_modelled(&A), free_modelled(&v);
    GrB_Vector_free(&I), GrB_Vector_free(&J), GrB_Vector_free(&X), GrB_Scalar_free(&one);
  }
}

static void invalid_lists(void **state) {
  modelled A = draw_modelled(20, 30), v = draw_modelled_vector(20);
  GrB_Scalar one = scalar_of(GrB_FP64, 1);
  GrB_Vector I = NULL, J = NULL;
  GrB_Matrix C = NULL;
  GrB_Descriptor desc = NULL;
  const GrB_Index at[] = {19, 20};
  OK(GrB_Descriptor_new(&desc));
  OK(GrB_Vector_new(&I, GrB_INT64, 4)), OK(GrB_Vector_new(&J, GrB_INT64, 4)),
      OK(GrB_Matrix_new(&C, GrB_FP64, 20, 30));
  OK(GrB_Vector_setElement_INT64(I, 3, 0)), OK(GrB_Vector_setElement_INT64(I, -1, 2));
  OK(GrB_Vector_setElement_INT64(J, 3, 0));
  assert_failed(GxB_Matrix_assign_Scalar_Vector(C, NULL, NULL, one, I, NULL, NULL), GrB_INDEX_OUT_OF_BOUNDS,
                "I[1]");
  assert_failed(GxB_Matrix_build_Scalar_Vector(C, I, J, one, NULL), GrB_INVALID_VALUE, "different");
  assert_failed(GxB_Matrix_build_Scalar_Vector(C, I, NULL, one, NULL), GrB_NULL_POINTER, "J");
  assert_failed(GrB_Descriptor_set_INT32(desc, GxB_IS_STRIDE, GxB_VALUE_LIST), GrB_INVALID_VALUE,
                "GxB_VALUE_LIST");
  OK(GrB_Descriptor_set_INT32(desc, GxB_IS_STRIDE, GxB_ROWINDEX_LIST));
  assert_failed(GxB_Matrix_assign_Scalar_Vector(C, NULL, NULL, one, I, NULL, desc), GrB_INVALID_VALUE,
                "2 entries");
  assert_failed(GxB_Vector_build_Scalar_Vector(v.v, I, one, desc), GrB_INVALID_VALUE, "stride");
  OK(GrB_Vector_setElement_INT64(I, -1, 1));
  assert_failed(GxB_Matrix_assign_Scalar_Vector(C, NULL, NULL, one, I, NULL, desc), GrB_INDEX_OUT_OF_BOUNDS,
                "negative");
  assert_failed(GxB_Matrix_build_Scalar(C, at, at, one, 2), GrB_INDEX_OUT_OF_BOUNDS, "20");
  OK(GrB_Matrix_setElement_FP64(C, 1, 0, 0));
  assert_failed(GxB_Matrix_build_Scalar(C, at, at, one, 1), GrB_OUTPUT_NOT_EMPTY, "1 entries");
  OK(GrB_Scalar_clear(one));
  assert_failed(GxB_Matrix_build_Scalar(C, at, at, one, 1), GrB_EMPTY_OBJECT, "scalar");
  assert_failed(GxB_Vector_build_Scalar(I, at, one, 1), GrB_EMPTY_OBJECT, "scalar");
  assert_failed(GxB_Matrix_extractTuples_Vector(I, I, NULL, A.A, NULL), GrB_NOT_IMPLEMENTED, "same vector");
  check_modelled(&A), check_modelled(&v);
  free_modelled(&A), free_modelled(&v);
  GrB_Vector_free(&I), GrB_Vector_free(&J), GrB_Matrix_free(&C), GrB_Scalar_free(&one),
      GrB_Descriptor_free(&desc);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(stored_elements),
               cmocka_unit_test(built_of_one_value), cmocka_unit_test(vectors_as_lists),
               cmocka_unit_test(tuples_in_vectors), cmocka_unit_test(invalid_lists))
