/* Objects with 0 rows, 0 columns or size 0 in products and operations entry by entry, against dense models,
 * on any number of processes. */
#include <stdio.h>

#include "tests/size_zero.h"

/* ---- products ---- */

static dense multiply(const dense *a, const dense *b) {
  dense t = dense_new(a->rows, b->cols);
  for (size_t i = 0; i < a->rows; i++)
    for (size_t k = 0; k < a->cols; k++)
      for (size_t j = 0; j < b->cols && a->has[dense_at(a, i, k)]; j++)
        if (b->has[dense_at(b, k, j)])
          dense_set(&t, i, j, t.v[dense_at(&t, i, j)] + a->v[dense_at(a, i, k)] * b->v[dense_at(b, k, j)]);
  return t;
}

static void end_product(call *x, pair *A, pair *B, bool tran0, bool tran1) {
  dense a = model_of(A, tran0), b = model_of(B, tran1), t = multiply(&a, &b);
  check_pair(A), check_pair(B);
  end_call(x, &t);
  dense_free(&a), dense_free(&b), free_pair(A), free_pair(B);
}

static void products(void **state) {
  const GrB_Semiring s = GrB_PLUS_TIMES_SEMIRING_FP64;
  EACH_CALL {
    draw_output(&x, x.m, x.n);
    pair A = draw_input(x.h.tran0, x.m, x.k), B = draw_input(x.h.tran1, x.k, x.n);
    OK(GrB_mxm(x.C.A, x.M.A, ACCUM, s, A.A, B.A, x.desc));
    end_product(&x, &A, &B, x.h.tran0, x.h.tran1);
  }
}

static void vector_products(void **state) {
  const GrB_Semiring s = GrB_PLUS_TIMES_SEMIRING_FP64;
  EACH_CALL {
    const bool left = draw_one_in(2);
    draw_vector_output(&x, x.m);
    pair A = left ? draw_input(x.h.tran1, x.k, x.m) : draw_input(x.h.tran0, x.m, x.k), u = draw_vector(x.k);
    if (left)
      OK(GrB_vxm(x.C.v, x.M.v, ACCUM, s, u.v, A.A, x.desc));
    else
      OK(GrB_mxv(x.C.v, x.M.v, ACCUM, s, A.A, u.v, x.desc));
    end_product(&x, &A, &u, left ? !x.h.tran1 : x.h.tran0, false);
  }
}

static void kronecker_products(void **state) {
  EACH_CALL {
    const size_t p = x.k > 5 ? 2 : x.k, q = x.n > 5 ? 2 : x.n;
    draw_output(&x, x.m * p, x.n * q);
    pair A = draw_input(x.h.tran0, x.m, x.n), B = draw_input(x.h.tran1, p, q);
    OK(GrB_kronecker(x.C.A, x.M.A, ACCUM, GrB_TIMES_FP64, A.A, B.A, x.desc));
    dense a = model_of(&A, x.h.tran0), b = model_of(&B, x.h.tran1), t = dense_new(x.m * p, x.n * q);
    for (size_t at = 0; at < t.rows * t.cols; at++) {
      const size_t i = at / t.cols, j = at % t.cols, ka = dense_at(&a, i / p, j / q),
                   kb = dense_at(&b, i % p, j % q);
      if (a.has[ka] && b.has[kb]) dense_set(&t, i, j, a.v[ka] * b.v[kb]);
    }
    end_call(&x, &t);
    dense_free(&a), dense_free(&b), free_pair(&A), free_pair(&B);
  }
}

/* ---- entry by entry ---- */

/* a + b or a * b where both have an entry; added: also where one has. */
static dense combine(const dense *a, const dense *b, bool added) {
  dense t = dense_new(a->rows, a->cols);
  for (size_t k = 0; k < a->rows * a->cols; k++) {
    t.has[k] = added ? a->has[k] || b->has[k] : a->has[k] && b->has[k];
    t.v[k] = !added ? a->v[k] * b->v[k] : (a->has[k] ? a->v[k] : 0) + (b->has[k] ? b->v[k] : 0);
  }
  return t;
}

static void eWise(void **state) {
  EACH_CALL {
    const bool added = draw_one_in(2);
    draw_output(&x, x.m, x.n);
    pair A = draw_input(x.h.tran0, x.m, x.n), B = draw_input(x.h.tran1, x.m, x.n);
    if (added)
      OK(GrB_eWiseAdd(x.C.A, x.M.A, ACCUM, GrB_PLUS_MONOID_FP64, A.A, B.A, x.desc));
    else
      OK(GrB_eWiseMult(x.C.A, x.M.A, ACCUM, GrB_TIMES_FP64, A.A, B.A, x.desc));
    dense a = model_of(&A, x.h.tran0), b = model_of(&B, x.h.tran1), t = combine(&a, &b, added);
    end_call(&x, &t);
    dense_free(&a), dense_free(&b), free_pair(&A), free_pair(&B);
  }
}

static void vector_eWise(void **state) {
  EACH_CALL {
    const bool added = draw_one_in(2);
    draw_vector_output(&x, 0);
    pair u = draw_vector(0), v = draw_vector(0);
    if (added)
      OK(GrB_eWiseAdd(x.C.v, x.M.v, ACCUM, GrB_PLUS_FP64, u.v, v.v, x.desc));
    else
      OK(GrB_eWiseMult(x.C.v, x.M.v, ACCUM, GrB_PLUS_TIMES_SEMIRING_FP64, u.v, v.v, x.desc));
    dense t = combine(&u.d, &v.d, added);
    end_call(&x, &t);
    free_pair(&u), free_pair(&v);
  }
}

/* The four forms of apply, and select. */
static GrB_Info apply_matrix(const call *x, GrB_Matrix A, uint64_t form) {
  const GrB_BinaryOp accum = dense_accum(x->h), plus = GrB_PLUS_FP64;
  switch (form) {
    case 0:
      return GrB_apply(x->C.A, x->M.A, accum, GrB_AINV_FP64, A, x->desc);
    case 1:
      return GrB_apply(x->C.A, x->M.A, accum, plus, 1.0, A, x->desc);
    case 2:
      return GrB_apply(x->C.A, x->M.A, accum, plus, A, 1.0, x->desc);
    case 3:
      return GrB_apply(x->C.A, x->M.A, accum, GrB_ROWINDEX_INT64, A, (int64_t)1, x->desc);
    default:
      return GrB_select(x->C.A, x->M.A, accum, GrB_TRIL, A, (int64_t)0, x->desc);
  }
}
static GrB_Info apply_vector(const call *x, GrB_Vector u, uint64_t form) {
  const GrB_BinaryOp accum = dense_accum(x->h), plus = GrB_PLUS_FP64;
  switch (form) {
    case 0:
      return GrB_apply(x->C.v, x->M.v, accum, GrB_AINV_FP64, u, x->desc);
    case 1:
      return GrB_apply(x->C.v, x->M.v, accum, plus, 1.0, u, x->desc);
    case 2:
      return GrB_apply(x->C.v, x->M.v, accum, plus, u, 1.0, x->desc);
    case 3:
      return GrB_apply(x->C.v, x->M.v, accum, GrB_ROWINDEX_INT64, u, (int64_t)1, x->desc);
    default:
      return GrB_select(x->C.v, x->M.v, accum, GrB_ROWLE, u, (int64_t)0, x->desc);
  }
}

static void apply_and_select(void **state) {
  EACH_CALL {
    const uint64_t form = draw(5);
    if (draw_one_in(4)) {
      draw_vector_output(&x, 0);
      pair u = draw_vector(0);
      dense t = dense_new(0, 1);
      OK(apply_vector(&x, u.v, form));
      end_call(&x, &t), free_pair(&u);
      continue;
    }
    draw_output(&x, x.m, x.n);
    const bool transposed = form == 1 ? x.h.tran1 : x.h.tran0;
    pair A = draw_input(transposed, x.m, x.n);
    OK(apply_matrix(&x, A.A, form));
    dense t = model_of(&A, transposed);
    for (size_t k = 0; k < t.rows * t.cols; k++) {
      const double i = (double)(k / t.cols), j = (double)(k % t.cols);
      t.has[k] = t.has[k] && (form < 4 || j <= i);
      t.v[k] = form == 0 ? -t.v[k] : form < 3 ? t.v[k] + 1 : form == 3 ? i + 1 : t.v[k];
    }
    end_call(&x, &t);
    free_pair(&A);
  }
}

static void transposes(void **state) {
  EACH_CALL {
    draw_output(&x, x.m, x.n);
    pair A = draw_input(!x.h.tran0, x.m, x.n);
    OK(GrB_transpose(x.C.A, x.M.A, ACCUM, A.A, x.desc));
    dense t = model_of(&A, !x.h.tran0);
    end_call(&x, &t);
    free_pair(&A);
  }
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products),   cmocka_unit_test(vector_products), cmocka_unit_test(kronecker_products),
      cmocka_unit_test(eWise),      cmocka_unit_test(vector_eWise),    cmocka_unit_test(apply_and_select),
      cmocka_unit_test(transposes),
  };
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

int main(void) {
  const int failed = run_on_shapes(group);
  return failed || grid_mem_live() != 0;
}
