/* GxB_eWiseUnion and GxB_subassign against dense models, wrong arguments and failing allocations, on any
 * number of processes. */
#include <stdio.h>

#include "tests/gxb_model.h"
#include "tests/grid_shapes.h"

/* ---- element-wise union -------------------------------------------------------------------------------- */

/* t = a - b with defaults. */
static void model_union(dense *t, const dense *a, double alpha, const dense *b, double beta) {
  for (size_t k = 0; k < t->rows * t->cols; k++) {
    t->has[k] = a->has[k] || b->has[k];
    t->v[k] = (a->has[k] ? a->v[k] : alpha) - (b->has[k] ? b->v[k] : beta);
  }
}

static void matrix_unions(void **state) {
  for (int round = 0; round < test_rounds(60); round++) {
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    const size_t rows = draw_size(), cols = draw_size();
    modelled C = draw_modelled(rows, cols), m = draw_modelled(rows, cols),
             A = draw_modelled(h.tran0 ? cols : rows, h.tran0 ? rows : cols),
             B = draw_modelled(h.tran1 ? cols : rows, h.tran1 ? rows : cols);
    const bool masked = draw_one_in(2);
    const double alpha = (double)draw(5), beta = (double)draw(5);
    GrB_Scalar a = scalar_of(GrB_INT32, alpha), b = scalar_of(GrB_FP64, beta);
    change_entries(&A), change_entries(&C);
    dense x = h.tran0 ? dense_transposed(&A.d) : dense_copy(&A.d),
          y = h.tran1 ? dense_transposed(&B.d) : dense_copy(&B.d), t = dense_new(rows, cols);
    model_union(&t, &x, alpha, &y, beta);
    OK(GxB_eWiseUnion(C.A, masked ? m.A : NULL, dense_accum(h), GrB_MINUS_FP64, A.A, a, B.A, b, desc));
    dense_write(&C.d, masked ? &m.d : NULL, h, &t);
    check_modelled(&C), check_modelled(&A), check_modelled(&B);
    dense_free(&x), dense_free(&y), dense_free(&t);
    free_modelled(&A), free_modelled(&B), free_modelled(&C), free_modelled(&m);
    GrB_Scalar_free(&a), GrB_Scalar_free(&b), GrB_Descriptor_free(&desc);
  }
}

static void vector_unions(void **state) {
  for (int round = 0; round < test_rounds(100); round++) {
    const dense_how h = dense_draw_how();
    GrB_Descriptor desc = dense_descriptor(h);
    const size_t n = draw_one_in(4) ? 3000 : draw_size();
    modelled w = draw_modelled_vector(n), m = draw_modelled_vector(n), u = draw_modelled_vector(n),
             v = draw_modelled_vector(n);
    const bool masked = draw_one_in(2);
    const double alpha = (double)draw(5), beta = (double)draw(5);
    GrB_Scalar a = scalar_of(GrB_INT32, alpha), b = scalar_of(GrB_FP64, beta);
    change_entries(&u), change_entries(&w);
    dense t = dense_new(n, 1);
    model_union(&t, &u.d, alpha, &v.d, beta);
    OK(GxB_eWiseUnion(w.v, masked ? m.v : NULL, dense_accum(h), GrB_MINUS_FP64, u.v, a, v.v, b, desc));
    dense_write(&w.d, masked ? &m.d : NULL, h, &t);
    check_modelled(&w), check_modelled(&u), check_modelled(&v);
    dense_free(&t);
    free_modelled(&w), free_modelled(&m), free_modelled(&u), free_modelled(&v);
    GrB_Scalar_free(&a), GrB_Scalar_free(&b), GrB_Descriptor_free(&desc);
  }
}

/* A comparison of a user-defined type gives BOOL, to which no entry alone could be cast. */

static void user_defined_union(void **state) {
  GrB_Type type = NULL;
  GrB_BinaryOp less = NULL;
  GrB_Scalar seven = NULL;
  GrB_Vector u = NULL, v = NULL, w = NULL;
  GrB_Matrix A = NULL, B = NULL, C = NULL;
  const large_value limit = {.key = 7};
  OK(GrB_Type_new(&type, sizeof(large_value)));
  OK(GrB_BinaryOp_new(&less, large_less, GrB_BOOL, type, type));
  OK(GrB_Scalar_new(&seven, type));
  OK(GrB_Scalar_setElement_UDT(seven, &limit));
  OK(GrB_Vector_new(&u, type, 200)), OK(GrB_Vector_new(&v, type, 200)), OK(GrB_Vector_new(&w, GrB_BOOL, 200));
  OK(GrB_Matrix_new(&A, type, 200, 3)), OK(GrB_Matrix_new(&B, type, 200, 3));
  OK(GrB_Matrix_new(&C, GrB_BOOL, 200, 3));
  for (int64_t k = 0; k < 200; k += 10) {
    const large_value x = {.key = k / 10}, y = {.key = 12};
    OK(GrB_Vector_setElement_UDT(u, &x, (GrB_Index)k)), OK(GrB_Matrix_setElement_UDT(A, &x, (GrB_Index)k, 1));
    if (k % 20) OK(GrB_Vector_setElement_UDT(v, &y, (GrB_Index)k));
    if (k % 20) OK(GrB_Matrix_setElement_UDT(B, &y, (GrB_Index)k, 1));
  }
  OK(GxB_Vector_eWiseUnion(w, NULL, NULL, less, u, seven, v, seven, NULL));
  OK(GxB_Matrix_eWiseUnion(C, NULL, NULL, less, A, seven, B, seven, NULL));
  for (int64_t k = 0; k < 200; k += 10) {
    bool got = false, same = false;
    OK(GrB_Vector_extractElement_BOOL(&got, w, (GrB_Index)k));
    OK(GrB_Matrix_extractElement_BOOL(&same, C, (GrB_Index)k, 1));
    assert_on_all(got == (k / 10 < (k % 20 ? 12 : 7)) && same == got);
  }
  GrB_Vector_free(&u), GrB_Vector_free(&v), GrB_Vector_free(&w);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&C);
  GrB_Scalar_free(&seven), GrB_BinaryOp_free(&less), GrB_Type_free(&type);
}

/* A positional operator and a complex one. */
static void positions_and_complex_values(void **state) {
  modelled A = draw_modelled(64, 30), B = draw_modelled(30, 64), C = {.d = dense_new(64, 30)},
           u = draw_modelled_vector(150), v = draw_modelled_vector(150), w = {.d = dense_new(150, 1)};
  GrB_Scalar one = scalar_of(GrB_FP64, 1);
  GrB_Matrix X = NULL;
  const GrB_Index I[] = {3, 1}, J[] = {0};
  const GxB_FC64_t z = GxB_CMPLX(2, 3);
  GxB_FC64_t got = GxB_CMPLX(0, 0);
  for (size_t k = 0; k < 64 * 30; k++) {
    C.d.has[k] = A.d.has[k] || B.d.has[dense_at(&B.d, k % 30, k / 30)];
    C.d.v[k] = (double)(k % 30 + 1);
  }
  for (size_t k = 0; k < 150; k++) w.d.has[k] = u.d.has[k] || v.d.has[k], w.d.v[k] = (double)k;
  OK(GrB_Matrix_new(&C.A, GrB_INT64, 64, 30)), OK(GrB_Vector_new(&w.v, GrB_INT32, 150));
  OK(GxB_eWiseUnion(C.A, NULL, NULL, GxB_FIRSTJ1_INT64, A.A, one, B.A, one, GrB_DESC_T1));
  OK(GxB_eWiseUnion(w.v, NULL, NULL, GxB_SECONDI_INT32, u.v, one, v.v, one, NULL));
  check_modelled(&C), check_modelled(&w);
  OK(GrB_Matrix_new(&X, GxB_FC64, 64, 30));
  OK(GxB_subassign(X, NULL, NULL, z, I, 2, J, 1, NULL));
  OK(GxB_subassign(X, NULL, GxB_PLUS_FC64, (GxB_FC32_t)z, I, 1, J, 1, NULL));
  OK(GxB_Matrix_extractElement_FC64(&got, X, 3, 0));
  assert_on_all(got == GxB_CMPLX(4, 6));
  free_modelled(&A), free_modelled(&B), free_modelled(&C), free_modelled(&u), free_modelled(&v),
      free_modelled(&w);
  GrB_Scalar_free(&one), GrB_Matrix_free(&X);
}

/* ---- select operators --------------------------------------------------------------------------------- */

/* Does operator `which` of GRID_SELECT_OPS select x at (i, j)? */
static bool is_selected(int which, double x, int64_t i, int64_t j, double thunk) {
  const double y = which < 10 ? 0 : thunk;
  const int64_t gap = j - i, k = (int64_t)thunk;
  const bool by_position[] = {gap <= k, gap >= k, gap == k, gap != k};
  const bool by_value[] = {x != y, x == y, x > y, x >= y, x < y, x <= y};
  return which < 4 ? by_position[which] : by_value[(which - 4) % 6];
}

static void entries_selected(void **state) {
#define HANDLE(NAME) GxB_##NAME,
  const GxB_SelectOp ops[] = {GRID_SELECT_OPS(HANDLE)};
#undef HANDLE
  for (int which = 0; which < 16; which++) {
    const bool given = which % 3 != 0;
    modelled A = draw_modelled(64, 30), u = draw_modelled_vector(150), C = {.d = dense_copy(&A.d)},
             w = {.d = dense_copy(&u.d)};
    GrB_Scalar thunk = scalar_of(GrB_INT8, 1);
    GrB_Type type = GrB_BOOL;
    OK(GrB_Matrix_new(&C.A, GrB_FP64, 64, 30)), OK(GrB_Vector_new(&w.v, GrB_FP64, 150));
    for (size_t k = 0; k < 64 * 30; k++)
      C.d.has[k] = C.d.has[k] && is_selected(which, A.d.v[k], (int64_t)(k / 30), (int64_t)(k % 30), given);
    for (size_t k = 0; k < 150; k++)
      w.d.has[k] = w.d.has[k] && is_selected(which, u.d.v[k], (int64_t)k, 0, given);
    OK(GxB_select(C.A, NULL, NULL, ops[which], A.A, given ? thunk : NULL, NULL));
    OK(GxB_select(w.v, NULL, NULL, ops[which], u.v, given ? thunk : NULL, NULL));
    check_modelled(&C), check_modelled(&w);
    assert_failed(GxB_Matrix_select(C.A, NULL, NULL, NULL, A.A, thunk, NULL), GrB_NULL_POINTER, "op");
    OK(GxB_SelectOp_ttype(&type, ops[which]));
    assert_on_all(type == NULL);
    free_modelled(&A), free_modelled(&C), free_modelled(&u), free_modelled(&w);
    GrB_Scalar_free(&thunk);
  }
}

/* ---- wrong arguments ----------------------------------------------------------------------------------- */

static void invalid_arguments(void **state) {
  modelled A = draw_modelled(20, 30), C = draw_modelled(4, 5), u = draw_modelled_vector(30),
           w = draw_modelled_vector(5);
  GrB_Scalar one = scalar_of(GrB_FP64, 1), empty = scalar_of(GrB_FP64, 1);
  OK(GrB_Scalar_clear(empty));
  const GrB_Index I[] = {0, 1, 2, 3, 19, 20}, over[] = {3, 20, 1}, back[] = {30, 1, 2}, *null = NULL;
  assert_failed(GxB_Matrix_eWiseUnion(C.A, NULL, NULL, GrB_PLUS_FP64, C.A, empty, C.A, one, NULL),
                GrB_EMPTY_OBJECT, "alpha");
  assert_failed(GxB_Vector_eWiseUnion(w.v, NULL, NULL, GrB_PLUS_FP64, w.v, one, w.v, empty, NULL),
                GrB_EMPTY_OBJECT, "beta");
  assert_failed(GxB_Matrix_eWiseUnion(C.A, NULL, NULL, GrB_PLUS_FP64, C.A, NULL, C.A, one, NULL),
                GrB_NULL_POINTER, "alpha");
  assert_failed(GxB_Matrix_eWiseUnion(C.A, NULL, NULL, GrB_PLUS_FP64, A.A, one, C.A, one, NULL),
                GrB_DIMENSION_MISMATCH, "20 x 30");
  assert_failed(GxB_Vector_eWiseUnion(w.v, NULL, NULL, GrB_PLUS_FP64, w.v, one, u.v, one, NULL),
                GrB_DIMENSION_MISMATCH, "v has size 30");
  assert_failed(GxB_Matrix_subassign(A.A, A.A, NULL, C.A, I, 4, I, 5, NULL), GrB_DIMENSION_MISMATCH, "Mask");
  assert_failed(GxB_Matrix_subassign(A.A, NULL, NULL, C.A, I, 5, I, 5, NULL), GrB_DIMENSION_MISMATCH,
                "4 x 5");
  assert_failed(GxB_Matrix_subassign(A.A, C.A, NULL, C.A, I + 2, 4, I, 5, NULL), GrB_INDEX_OUT_OF_BOUNDS,
                "I[3] = 20");
  assert_failed(GxB_Matrix_subassign_FP64(A.A, NULL, NULL, 1, over, GxB_RANGE, I, 5, NULL),
                GrB_INDEX_OUT_OF_BOUNDS, "reaches index 20");
  assert_failed(GxB_Matrix_subassign_FP64(A.A, NULL, NULL, 1, I, 2, back, GxB_BACKWARDS, NULL),
                GrB_INDEX_OUT_OF_BOUNDS, "reaches index 30");
  assert_failed(GxB_Matrix_subassign_FP64(A.A, NULL, NULL, 1, null, GxB_RANGE, I, 5, NULL), GrB_NULL_POINTER,
                "I is NULL");
  assert_failed(GxB_Matrix_subassign_Scalar(A.A, NULL, NULL, NULL, I, 2, I, 5, NULL), GrB_NULL_POINTER, "x");
  assert_failed(GxB_Matrix_subassign_UDT(A.A, NULL, NULL, I, I, 2, I, 5, NULL), GrB_DOMAIN_MISMATCH, "");
  assert_failed(GxB_Vector_subassign(u.v, u.v, NULL, w.v, I, 5, NULL), GrB_DIMENSION_MISMATCH, "mask");
  assert_failed(GxB_Vector_subassign(u.v, NULL, NULL, w.v, I, 4, NULL), GrB_DIMENSION_MISMATCH,
                "u has size 5");
  assert_failed(GxB_Vector_subassign(w.v, NULL, NULL, w.v, I + 1, 5, NULL), GrB_INDEX_OUT_OF_BOUNDS, "19");
  assert_failed(GrB_Vector_extract(w.v, NULL, NULL, u.v, back, GxB_BACKWARDS, NULL), GrB_INDEX_OUT_OF_BOUNDS,
                "30");
  assert_failed(GxB_Row_subassign(A.A, u.v, NULL, w.v, 2, I, 5, NULL), GrB_DIMENSION_MISMATCH, "mask");
  assert_failed(GxB_Col_subassign(A.A, w.v, NULL, w.v, I, 5, 30, NULL), GrB_INVALID_INDEX, "30");
  const char *text = NULL;
  OK(GrB_Matrix_error(&text, A.A));
  assert_on_all(strstr(text, "GxB_subassign") != NULL);
  check_modelled(&A), check_modelled(&C), check_modelled(&u), check_modelled(&w);
  free_modelled(&A), free_modelled(&C), free_modelled(&u), free_modelled(&w);
  GrB_Scalar_free(&one), GrB_Scalar_free(&empty);
}

/* ---- failing allocations ------------------------------------------------------------------------------- */

typedef struct {
  modelled C, A, m, w, u, n;
  GrB_Scalar one;
} world;
static const GrB_Index rows_of[] = {40, 3, 17, 60}, cols_of[] = {9, 33, 1, 64, 12};

static GrB_Info do_union(void *context) {
  world *o = context;
  return GxB_Matrix_eWiseUnion(o->C.A, NULL, GrB_PLUS_FP64, GrB_MINUS_FP64, o->C.A, o->one, o->C.A, o->one,
                               GrB_DESC_T0);
}
static GrB_Info do_vector_union(void *context) {
  world *o = context;
  return GxB_Vector_eWiseUnion(o->w.v, NULL, GrB_PLUS_FP64, GrB_MINUS_FP64, o->w.v, o->one, o->w.v, o->one,
                               NULL);
}
static GrB_Info do_subassign(void *context) {
  world *o = context;
  return GxB_Matrix_subassign(o->C.A, o->m.A, GrB_PLUS_FP64, o->A.A, rows_of, 4, cols_of, 5, NULL);
}
static GrB_Info do_vector_subassign(void *context) {
  world *o = context;
  const GrB_Index range[] = {9, 1, 2};
  return GxB_Vector_subassign(o->w.v, o->n.v, NULL, o->u.v, range, GxB_BACKWARDS, GrB_DESC_R);
}

static void failing_allocations(void **state) {
  const int64_t live = grid_mem_live();
  world o = {.C = fill_modelled(70, 70, false),
             .A = fill_modelled(4, 5, false),
             .m = fill_modelled(4, 5, false),
             .w = fill_modelled(70, 1, true),
             .u = fill_modelled(5, 1, true),
             .n = fill_modelled(5, 1, true),
             .one = scalar_of(GrB_FP64, 1)};
  assert_fails_cleanly(do_union, &o, &o.C);
  assert_fails_cleanly(do_vector_union, &o, &o.w);
  assert_fails_cleanly(do_subassign, &o, &o.C);
  assert_fails_cleanly(do_vector_subassign, &o, &o.w);
  free_modelled(&o.C), free_modelled(&o.A), free_modelled(&o.m);
  free_modelled(&o.w), free_modelled(&o.u), free_modelled(&o.n);
  GrB_Scalar_free(&o.one);
  assert_on_all(grid_mem_live() == live);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(matrix_unions),
               cmocka_unit_test(vector_unions), cmocka_unit_test(user_defined_union),
               cmocka_unit_test(entries_selected), cmocka_unit_test(positions_and_complex_values),
               cmocka_unit_test(invalid_arguments), cmocka_unit_test(failing_allocations))
