/* GxB_subassign, and ranges as index lists, against dense models, on any number of processes. */
#include <stdio.h>

#include "tests/gxb_model.h"
#include "tests/grid_shapes.h"

/* ---- subassign ----------------------------------------------------------------------------------------- */

/* c(I, J)<mask> accum= t for a t and a mask of the region's size. */
static void model_subassign(dense *c, const dense *mask, dense_how h, const dense *t, const GrB_Index *I,
                            size_t ni, const GrB_Index *J, size_t nj) {
  dense s = dense_new(ni, nj);
  for (size_t k = 0; k < ni * nj; k++) {
    const size_t from = dense_at(c, I[k / nj], J[k % nj]);
    s.has[k] = c->has[from], s.v[k] = c->v[from];
  }
  dense_write(&s, mask, h, t);
  for (size_t k = 0; k < ni * nj; k++) {
    const size_t to = dense_at(c, I[k / nj], J[k % nj]);
    c->has[to] = s.has[k], c->v[to] = s.v[k];
  }
  dense_free(&s);
}

static void model_fill(dense *t, bool has, double x) {
  for (size_t k = 0; k < t->rows * t->cols; k++) t->has[k] = has, t->v[k] = x;
}

static void matrices_subassigned(void **state) {
  for (int round = 0; round < test_rounds(120); round++) {
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    modelled C = draw_modelled(draw_size(), draw_size());
    index_list I, J;
    draw_index_list(&I, C.d.rows), draw_index_list(&J, C.d.cols);
    modelled A = draw_modelled(h.tran0 ? J.n : I.n, h.tran0 ? I.n : J.n), m = draw_modelled(I.n, J.n);
    const bool masked = !draw_one_in(3);
    const GrB_Matrix mask = masked ? m.A : NULL;
    dense t = h.tran0 ? dense_transposed(&A.d) : dense_copy(&A.d);
    const uint64_t what = draw(4);
    if (what == 1 || what == 2) model_fill(&t, true, 4);
    if (what == 3) model_fill(&t, false, 0);
    change_entries(&C);
    if (what == 0)
      OK(GxB_subassign(C.A, mask, dense_accum(h), A.A, I.I, I.ni, J.I, J.ni, desc));
    else if (what == 1)
      OK(GxB_subassign(C.A, mask, dense_accum(h), (int8_t)4, I.I, I.ni, J.I, J.ni, desc));
    else {
      GrB_Scalar x = scalar_of(GrB_FP32, 4);
      if (what == 3) OK(GrB_Scalar_clear(x));
      OK(GxB_subassign(C.A, mask, dense_accum(h), x, I.I, I.ni, J.I, J.ni, desc));
      GrB_Scalar_free(&x);
    }
    model_subassign(&C.d, masked ? &m.d : NULL, h, &t, I.at, I.n, J.at, J.n);
    check_modelled(&C), check_modelled(&A), check_modelled(&m);
    dense_free(&t);
    list_free(&I), list_free(&J);
    free_modelled(&A), free_modelled(&C), free_modelled(&m);
    GrB_Descriptor_free(&desc);
  }
}

static void vectors_subassigned(void **state) {
  static const GrB_Index zero[] = {0};
  for (int round = 0; round < test_rounds(150); round++) {
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    modelled w = draw_modelled_vector(draw_one_in(4) ? 3000 : draw_size());
    index_list I;
    draw_index_list(&I, w.d.rows);
    modelled u = draw_modelled_vector(I.n), m = draw_modelled_vector(I.n);
    const bool masked = !draw_one_in(3);
    const GrB_Vector mask = masked ? m.v : NULL;
    dense t = dense_copy(&u.d);
    const uint64_t what = draw(3);
    if (what) model_fill(&t, what == 1, 4);
    change_entries(&w);
    if (what == 0)
      OK(GxB_subassign(w.v, mask, dense_accum(h), u.v, I.I, I.ni, desc));
    else if (what == 1)
      OK(GxB_subassign(w.v, mask, dense_accum(h), 4.0F, I.I, I.ni, desc));
    else {
      GrB_Scalar x = scalar_of(GrB_FP32, 4);
      OK(GrB_Scalar_clear(x));
      OK(GxB_subassign(w.v, mask, dense_accum(h), x, I.I, I.ni, desc));
      GrB_Scalar_free(&x);
    }
    model_subassign(&w.d, masked ? &m.d : NULL, h, &t, I.at, I.n, zero, 1);
    check_modelled(&w), check_modelled(&u), check_modelled(&m);
    dense_free(&t);
    list_free(&I);
    free_modelled(&u), free_modelled(&w), free_modelled(&m);
    GrB_Descriptor_free(&desc);
  }
}

static void rows_and_columns_subassigned(void **state) {
  for (int round = 0; round < test_rounds(80); round++) {
    const bool row = draw_one_in(2);
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    modelled C = draw_modelled(draw_size(), draw_size());
    const GrB_Index at = draw(row ? C.d.rows : C.d.cols);
    index_list I;
    draw_index_list(&I, row ? C.d.cols : C.d.rows);
    modelled u = draw_modelled_vector(I.n), m = draw_modelled_vector(I.n);
    const bool masked = !draw_one_in(3);
    const GrB_Vector mask = masked ? m.v : NULL;
    change_entries(&C);
    if (row) {
      OK(GxB_subassign(C.A, mask, dense_accum(h), u.v, at, I.I, I.ni, desc));
      model_subassign(&C.d, masked ? &m.d : NULL, h, &u.d, &at, 1, I.at, I.n);
    } else {
      OK(GxB_subassign(C.A, mask, dense_accum(h), u.v, I.I, I.ni, at, desc));
      model_subassign(&C.d, masked ? &m.d : NULL, h, &u.d, I.at, I.n, &at, 1);
    }
    check_modelled(&C), check_modelled(&u);
    list_free(&I);
    free_modelled(&u), free_modelled(&C), free_modelled(&m);
    GrB_Descriptor_free(&desc);
  }
}

static void user_defined_subassigned(void **state) {
  GrB_Type type = NULL;
  GrB_Vector w = NULL, mask = NULL;
  GrB_Matrix C = NULL;
  const large_value x = {.key = 5}, old = {.key = 1};
  large_value got;
  const GrB_Index I[] = {70, 3}, J[] = {1};
  OK(GrB_Type_new(&type, sizeof(large_value)));
  OK(GrB_Vector_new(&w, type, 100)), OK(GrB_Vector_new(&mask, GrB_BOOL, 2)),
      OK(GrB_Matrix_new(&C, type, 100, 2));
  OK(GrB_Vector_setElement_UDT(w, &old, 70)), OK(GrB_Vector_setElement_UDT(w, &old, 5));
  OK(GrB_Vector_setElement_BOOL(mask, true, 1));
  OK(GxB_subassign(w, mask, NULL, (const void *)&x, I, 2, GrB_DESC_R));
  OK(GxB_subassign(C, NULL, NULL, (const void *)&x, I, 2, J, 1, NULL));
  assert_failed(GrB_Vector_extractElement_UDT(&got, w, 70), GrB_NO_VALUE, "");
  OK(GrB_Vector_extractElement_UDT(&got, w, 3));
  assert_on_all(got.key == 5);
  OK(GrB_Vector_extractElement_UDT(&got, w, 5));
  assert_on_all(got.key == 1);
  OK(GrB_Matrix_extractElement_UDT(&got, C, 70, 1));
  assert_on_all(got.key == 5);
  GrB_Vector_free(&w), GrB_Vector_free(&mask), GrB_Matrix_free(&C), GrB_Type_free(&type);
}

/* ---- ranges in the standard's calls -------------------------------------------------------------------- */

/* GrB_extract and GrB_assign by a range give what they give by its indices in an array. */
static void ranges(void **state) {
  for (int round = 0; round < test_rounds(80); round++) {
    modelled A = draw_modelled(draw_size(), draw_size()), u = draw_modelled_vector(draw_size());
    index_list I, J, K;
    draw_index_list(&I, A.d.rows), draw_index_list(&J, A.d.cols), draw_index_list(&K, u.d.rows);
    modelled C = {.d = dense_new(I.n, J.n)}, w = {.d = dense_new(K.n, 1)}, c = {.d = dense_new(I.n, 1)};
    const size_t j = draw(A.d.cols), i = draw(A.d.rows);
    for (size_t k = 0; k < I.n * J.n; k++) {
      const size_t from = dense_at(&A.d, I.at[k / J.n], J.at[k % J.n]);
      C.d.has[k] = A.d.has[from], C.d.v[k] = A.d.v[from];
    }
    for (size_t k = 0; k < K.n; k++) w.d.has[k] = u.d.has[K.at[k]], w.d.v[k] = u.d.v[K.at[k]];
    for (size_t k = 0; k < I.n; k++) {
      const size_t from = dense_at(&A.d, I.at[k], j);
      c.d.has[k] = A.d.has[from], c.d.v[k] = A.d.v[from];
    }
    OK(GrB_Matrix_new(&C.A, GrB_FP64, I.n, J.n));
    OK(GrB_Vector_new(&w.v, GrB_FP64, K.n)), OK(GrB_Vector_new(&c.v, GrB_FP64, I.n));
    OK(GrB_Matrix_extract(C.A, NULL, NULL, A.A, I.I, I.ni, J.I, J.ni, NULL));
    OK(GrB_Vector_extract(w.v, NULL, NULL, u.v, K.I, K.ni, NULL));
    OK(GrB_Col_extract(c.v, NULL, NULL, A.A, I.I, I.ni, j, NULL));
    check_modelled(&C), check_modelled(&w), check_modelled(&c);
    /* and back, two more in value */
    OK(GrB_Matrix_assign(A.A, NULL, GrB_PLUS_FP64, C.A, I.I, I.ni, J.I, J.ni, NULL));
    OK(GrB_Matrix_assign_INT32(A.A, NULL, GrB_PLUS_FP64, 1, I.I, I.ni, J.I, J.ni, NULL));
    OK(GrB_Vector_assign(u.v, NULL, GrB_PLUS_FP64, w.v, K.I, K.ni, NULL));
    OK(GrB_Vector_assign_INT32(u.v, NULL, GrB_PLUS_FP64, 1, K.I, K.ni, NULL));
    for (size_t k = 0; k < I.n * J.n; k++) {
      const size_t to = dense_at(&A.d, I.at[k / J.n], J.at[k % J.n]);
      dense_set(&A.d, I.at[k / J.n], J.at[k % J.n], A.d.has[to] ? 2 * A.d.v[to] + 1 : 1);
    }
    for (size_t k = 0; k < K.n; k++)
      dense_set(&u.d, K.at[k], 0, u.d.has[K.at[k]] ? 2 * u.d.v[K.at[k]] + 1 : 1);
    OK(GrB_Col_assign(A.A, NULL, NULL, c.v, I.I, I.ni, j, NULL));
    for (size_t k = 0; k < I.n; k++) {
      const size_t to = dense_at(&A.d, I.at[k], j);
      A.d.has[to] = c.d.has[k], A.d.v[to] = c.d.v[k];
    }
    modelled r = draw_modelled_vector(J.n);
    OK(GrB_Row_assign(A.A, NULL, NULL, r.v, i, J.I, J.ni, NULL));
    for (size_t k = 0; k < J.n; k++) {
      const size_t to = dense_at(&A.d, i, J.at[k]);
      A.d.has[to] = r.d.has[k], A.d.v[to] = r.d.v[k];
    }
    check_modelled(&A), check_modelled(&u);
    list_free(&I), list_free(&J), list_free(&K);
    free_modelled(&A), free_modelled(&u), free_modelled(&C), free_modelled(&w), free_modelled(&c),
        free_modelled(&r);
  }
}

/* A range of a hypersparse dimension takes no memory. */
static void long_ranges(void **state) {
  const GrB_Index huge = UINT64_C(1) << 59, half[] = {10, huge / 2 + 9}, empty[] = {5, 4}, none[] = {3, 9, 0};
  GrB_Matrix A = NULL, C = NULL;
  double x = 0;
  OK(GrB_Matrix_new(&A, GrB_FP64, huge, huge)), OK(GrB_Matrix_new(&C, GrB_FP64, huge / 2, huge));
  OK(GrB_Matrix_setElement_FP64(A, 2, 12, 7)), OK(GrB_Matrix_setElement_FP64(A, 3, huge - 1, 7));
  GrB_Index nvals;
  OK(GrB_Matrix_extract(C, NULL, NULL, A, half, GxB_RANGE, GrB_ALL, 0, NULL));
  OK(GrB_Matrix_nvals(&nvals, C));
  OK(GrB_Matrix_extractElement_FP64(&x, C, 2, 7));
  assert_on_all(nvals == 1 && x == 2);
  OK(GrB_Matrix_assign(A, NULL, NULL, C, half, GxB_RANGE, GrB_ALL, 0, NULL));
  OK(GrB_Matrix_extractElement_FP64(&x, A, huge - 1, 7));
  assert_on_all(x == 3);
  OK(GrB_Matrix_assign_FP64(A, NULL, NULL, 9, empty, GxB_RANGE, GrB_ALL, 0, NULL));
  OK(GrB_Matrix_assign_FP64(A, NULL, NULL, 9, none, GxB_STRIDE, GrB_ALL, 0, NULL));
  OK(GrB_Matrix_extractElement_FP64(&x, A, 12, 7));
  assert_on_all(x == 2);
  GrB_Matrix_free(&A), GrB_Matrix_free(&C);
}

/* A range of n / 2 rows gets entries of rows that the output lacks: of a matrix, and of its transpose. */
static void assign_to_range(GrB_Index n, bool flip) {
  const GrB_Index half = n / 2, rows[] = {10, half + 9};
  GrB_Matrix A = NULL, B = NULL;
  GrB_Index nvals;
  OK(GrB_Matrix_new(&A, GrB_FP64, n, n));
  OK(GrB_Matrix_new(&B, GrB_FP64, flip ? n : half, flip ? half : n));
  OK(GrB_Matrix_setElement_FP64(A, 2, 12, 7)), OK(GrB_Matrix_setElement_FP64(A, 3, n - 1, 7));
  for (GrB_Index k = 0; k < 20; k++) {
    const GrB_Index r = half / 20 * k + 3, c = n / 21 * k + 5;
    OK(GrB_Matrix_setElement_FP64(B, (double)k, flip ? c : r, flip ? r : c));
  }
  OK(GrB_Matrix_assign(A, NULL, NULL, B, rows, GxB_RANGE, GrB_ALL, 0, flip ? GrB_DESC_T0 : NULL));
  OK(GrB_Matrix_nvals(&nvals, A));
  assert_on_all(nvals == 21);
  for (GrB_Index k = 0; k < 20; k++) {
    double x = -1;
    OK(GrB_Matrix_extractElement_FP64(&x, A, half / 20 * k + 13, n / 21 * k + 5));
    assert_on_all(x == (double)k);
  }
  GrB_Matrix_free(&A), GrB_Matrix_free(&B);
}

static void ranges_of_few_rows(void **state) {
  for (int k = 0; k < 4; k++) assign_to_range(k / 2 ? UINT64_C(1) << 34 : 100000, k % 2);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(matrices_subassigned),
               cmocka_unit_test(vectors_subassigned), cmocka_unit_test(rows_and_columns_subassigned),
               cmocka_unit_test(user_defined_subassigned), cmocka_unit_test(ranges),
               cmocka_unit_test(long_ranges), cmocka_unit_test(ranges_of_few_rows))
