/* Objects with 0 rows, 0 columns or size 0 in extract, assign, reduce, diag, resize, build and accesses to
 * single elements, against dense models, on any number of processes. */
#include <stdio.h>
#include <math.h>

#include "tests/size_zero.h"

/* ---- lists of indices ---- */

typedef struct {
  const GrB_Index *at; /* or GrB_ALL */
  GrB_Index n, memory[260];
} list;

/* n indices below dim, distinct or not; none if dim is 0. GrB_ALL: n = dim. */
static void draw_list(list *l, size_t dim, bool repeats) {
  const uint64_t kind = draw(4);
  l->at = l->memory, l->n = 0;
  if (kind == 0) {
    l->at = GrB_ALL, l->n = dim;
    return;
  }
  for (size_t k = 0; k < dim && kind != 1; k++)
    if (draw_one_in(2)) l->memory[l->n++] = repeats && draw_one_in(3) ? draw(dim) : k;
}
static size_t list_at(const list *l, size_t k) {
  return l->at == GrB_ALL ? k : (size_t)l->at[k];
}

/* ---- extract ---- */

static void extracts(void **state) {
  list I, J;
  EACH_CALL {
    draw_list(&I, x.m, true), draw_list(&J, x.n, true);
    draw_output(&x, I.n, J.n);
    pair A = draw_input(x.h.tran0, x.m, x.n);
    if (draw_one_in(2))
      OK(GrB_extract(x.C.A, x.M.A, ACCUM, A.A, I.at, I.n, J.at, J.n, x.desc));
    else /* on process 0, or GrB_ALL on all */
      OK(Grid_Matrix_extract(x.C.A, x.M.A, ACCUM, A.A, I.at, I.at == GrB_ALL || Grid_rank() == 0 ? I.n : 0,
                             J.at, J.at == GrB_ALL || Grid_rank() == 0 ? J.n : 0, x.desc));
    dense a = model_of(&A, x.h.tran0), t = dense_new(I.n, J.n);
    for (size_t i = 0; i < I.n; i++)
      for (size_t j = 0; j < J.n; j++) {
        const size_t at = dense_at(&a, list_at(&I, i), list_at(&J, j));
        if (a.has[at]) dense_set(&t, i, j, a.v[at]);
      }
    end_call(&x, &t);
    dense_free(&a), free_pair(&A);
  }
}

/* w = u(I), and w = A(I, j) of a matrix without rows */
static void vector_extracts(void **state) {
  list I;
  EACH_CALL {
    const bool column = draw_one_in(2) && x.n > 0;
    draw_list(&I, x.m, true);
    draw_vector_output(&x, I.n);
    dense t = dense_new(I.n, 1);
    pair u = column ? draw_input(x.h.tran0, x.m, x.n) : draw_vector(x.m);
    const size_t j = column ? draw(x.n) : 0;
    if (column)
      OK(GrB_extract(x.C.v, x.M.v, ACCUM, u.A, I.at, I.n, j, x.desc));
    else
      OK(GrB_extract(x.C.v, x.M.v, ACCUM, u.v, I.at, I.n, x.desc));
    dense a = model_of(&u, column && x.h.tran0);
    for (size_t i = 0; i < I.n; i++) {
      const size_t at = dense_at(&a, list_at(&I, i), j);
      if (a.has[at]) dense_set(&t, i, 0, a.v[at]);
    }
    end_call(&x, &t);
    dense_free(&a), free_pair(&u);
  }
}

/* ---- assign ---- */

/* z = c, but for the positions of I x J, which get a's entries (a NULL: the value 3), accumulated. */
static dense assigned(const dense *c, const dense *a, const list *I, const list *J, dense_how h) {
  dense z = dense_copy(c);
  for (size_t i = 0; i < I->n; i++)
    for (size_t j = 0; j < J->n; j++) {
      const size_t from = i * J->n + j;
      dense_union(&z, dense_at(&z, list_at(I, i), list_at(J, j)), !a || a->has[from], a ? a->v[from] : 3, h);
    }
  return z;
}

/* The mask covers all of C, and z replaces C where it allows. */
static void end_assign(call *x, dense *z) {
  x->h.accum = 0;
  end_call(x, z);
}

static void assigns(void **state) {
  list I, J;
  EACH_CALL {
    const bool by_value = draw_one_in(3);
    draw_list(&I, x.m, false), draw_list(&J, x.n, false);
    draw_output(&x, x.m, x.n);
    pair A = draw_input(x.h.tran0, I.n, J.n);
    if (by_value)
      OK(GrB_assign(x.C.A, x.M.A, ACCUM, 3.0, I.at, I.n, J.at, J.n, x.desc));
    else if (draw_one_in(2))
      OK(GrB_assign(x.C.A, x.M.A, ACCUM, A.A, I.at, I.n, J.at, J.n, x.desc));
    else
      OK(Grid_Matrix_assign(x.C.A, x.M.A, ACCUM, A.A, I.at, I.at == GrB_ALL || Grid_rank() == 0 ? I.n : 0,
                            J.at, J.at == GrB_ALL || Grid_rank() == 0 ? J.n : 0, x.desc));
    dense a = model_of(&A, x.h.tran0), z = assigned(&x.C.d, by_value ? NULL : &a, &I, &J, x.h);
    end_assign(&x, &z);
    dense_free(&a), free_pair(&A);
  }
}

static void vector_assigns(void **state) {
  const list one = {GrB_ALL, 1, {0}};
  list I;
  EACH_CALL {
    const bool by_value = draw_one_in(3);
    draw_list(&I, x.m, false);
    draw_vector_output(&x, x.m);
    pair u = draw_vector(I.n);
    if (by_value)
      OK(GrB_assign(x.C.v, x.M.v, ACCUM, 3.0, I.at, I.n, x.desc));
    else
      OK(GrB_assign(x.C.v, x.M.v, ACCUM, u.v, I.at, I.n, x.desc));
    dense z = assigned(&x.C.d, by_value ? NULL : &u.d, &I, &one, x.h);
    end_assign(&x, &z);
    free_pair(&u);
  }
}

/* A row of a matrix without columns, or a column of one without rows: nothing changes. */
static void row_and_column_assigns(void **state) {
  EACH_CALL {
    const bool row = x.m > 0 && x.n == 0;
    if (row == (x.n > 0 && x.m == 0)) {
      OK(GrB_free(&x.desc));
      continue;
    }
    pair C = draw_matrix(x.m, x.n), u = draw_vector(0), M = draw_vector(0);
    if (row)
      OK(GrB_assign(C.A, M.v, ACCUM, u.v, draw(x.m), GrB_ALL, 0, x.desc));
    else
      OK(GrB_assign(C.A, M.v, ACCUM, u.v, GrB_ALL, 0, draw(x.n), x.desc));
    check_pair(&C);
    free_pair(&C), free_pair(&u), free_pair(&M);
    OK(GrB_free(&x.desc));
  }
}

/* ---- reduce ---- */

static void reduces(void **state) {
  EACH_CALL {
    draw_vector_output(&x, x.m);
    pair A = draw_input(x.h.tran0, x.m, x.n);
    OK(GrB_reduce(x.C.v, x.M.v, ACCUM, GrB_PLUS_MONOID_FP64, A.A, x.desc));
    dense a = model_of(&A, x.h.tran0), t = dense_new(x.m, 1);
    for (size_t k = 0; k < a.rows * a.cols; k++)
      if (a.has[k]) dense_set(&t, k / a.cols, 0, t.v[k / a.cols] + a.v[k]);
    end_call(&x, &t);
    dense_free(&a), free_pair(&A);
  }
}

static void reduces_to_scalar(void **state) {
  EACH_CALL {
    if (x.m && x.n) {
      OK(GrB_free(&x.desc));
      continue;
    }
    pair A = draw_matrix(x.m, x.n), u = draw_vector(0);
    GrB_Scalar s = NULL;
    GrB_Index n = 9;
    double sum = 2;
    OK(GrB_reduce(&sum, GrB_PLUS_FP64, GrB_MIN_MONOID_FP64, A.A, NULL));
    assert_on_all(isinf(sum));
    OK(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_FP64, A.A, NULL));
    assert_on_all(sum == 0);
    OK(GrB_reduce(&sum, NULL, GrB_TIMES_MONOID_FP64, u.v, NULL));
    assert_on_all(sum == 1);
    OK(GrB_Scalar_new(&s, GrB_FP64));
    OK(GrB_Scalar_setElement(s, 4.0));
    OK(GrB_reduce(s, NULL, GrB_PLUS_MONOID_FP64, A.A, NULL));
    OK(GrB_Scalar_nvals(&n, s));
    assert_on_all(n == 0);
    OK(GrB_reduce(s, NULL, GrB_PLUS_FP64, u.v, NULL));
    OK(GrB_free(&s)), OK(GrB_free(&x.desc));
    free_pair(&A), free_pair(&u);
  }
}

/* ---- life ---- */

/* To and from size 0. */
static void resizes(void **state) {
  EACH_CALL {
    const size_t m = lengths[draw(4)], n = lengths[draw(4)];
    pair A = draw_matrix(x.m, x.n), u = draw_vector(x.m), B = {.d = dense_new(m, n)},
         v = {.d = dense_new(m, 1)};
    for (size_t k = 0; k < x.m * x.n; k++)
      if (A.d.has[k] && k / x.n < m && k % x.n < n) dense_set(&B.d, k / x.n, k % x.n, A.d.v[k]);
    for (size_t k = 0; k < x.m && k < m; k++)
      if (u.d.has[k]) dense_set(&v.d, k, 0, u.d.v[k]);
    OK(GrB_Matrix_dup(&B.A, A.A)), OK(GrB_Vector_dup(&v.v, u.v));
    OK(GrB_Matrix_resize(B.A, m, n)), OK(GrB_Vector_resize(v.v, m));
    check_pair(&A), check_pair(&B), check_pair(&u), check_pair(&v);
    OK(GrB_Matrix_clear(B.A)), OK(GrB_Vector_clear(v.v));
    memset(B.d.has, 0, m * n), memset(v.d.has, 0, m);
    check_pair(&B), check_pair(&v);
    free_pair(&A), free_pair(&B), free_pair(&u), free_pair(&v);
    OK(GrB_free(&x.desc));
  }
}

static void diagonals(void **state) {
  for (int64_t k = -3; k <= 3; k++) {
    pair u = draw_vector(0), D = {.d = dense_new((size_t)llabs(k), (size_t)llabs(k))};
    OK(GrB_Matrix_diag(&D.A, u.v, k));
    check_pair(&D);
    free_pair(&u), free_pair(&D);
  }
}

/* No tuple, no element; one is outside. */
static void elements(void **state) {
  EACH_CALL {
    OK(GrB_free(&x.desc));
    if (x.m && x.n) continue;
    pair A = {.d = dense_new(x.m, x.n)}, v = {.d = dense_new(0, 1)};
    const GrB_Index i = x.m ? x.m - 1 : 0, j = x.n ? x.n - 1 : 0;
    double y = 7;
    GrB_Index none = 0;
    OK(GrB_Matrix_new(&A.A, GrB_FP64, x.m, x.n)), OK(GrB_Vector_new(&v.v, GrB_FP64, 0));
    OK(GrB_Matrix_build(A.A, &i, &j, &y, 0, GrB_PLUS_FP64)), OK(GrB_Vector_build(v.v, &i, &y, 0, NULL));
    assert_int_equal(GrB_Matrix_build(A.A, &i, &j, &y, 1, GrB_PLUS_FP64), GrB_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(GrB_Vector_build(v.v, &none, &y, 1, NULL), GrB_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(GrB_Matrix_setElement(A.A, 1.0, i, j), GrB_INVALID_INDEX);
    assert_int_equal(GrB_Matrix_removeElement(A.A, i, j), GrB_INVALID_INDEX);
    assert_int_equal(GrB_Matrix_extractElement(&y, A.A, i, j), GrB_INVALID_INDEX);
    assert_int_equal(GrB_Vector_setElement(v.v, 1.0, 0), GrB_INVALID_INDEX);
    assert_int_equal(GrB_Vector_removeElement(v.v, 0), GrB_INVALID_INDEX);
    assert_int_equal(GrB_Vector_extractElement(&y, v.v, 0), GrB_INVALID_INDEX);
    OK(GrB_wait(A.A, GrB_COMPLETE)), OK(GrB_wait(A.A, GrB_MATERIALIZE)), OK(GrB_wait(v.v, GrB_MATERIALIZE));
    check_pair(&A), check_pair(&v);
    free_pair(&A), free_pair(&v);
  }
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extracts),  cmocka_unit_test(vector_extracts),
      cmocka_unit_test(assigns),   cmocka_unit_test(vector_assigns),
      cmocka_unit_test(reduces),   cmocka_unit_test(row_and_column_assigns),
      cmocka_unit_test(resizes),   cmocka_unit_test(reduces_to_scalar),
      cmocka_unit_test(diagonals), cmocka_unit_test(elements),
  };
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

int main(void) {
  const int failed = run_on_shapes(group);
  return failed || grid_mem_live() != 0;
}
