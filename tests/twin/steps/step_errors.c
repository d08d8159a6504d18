/* Erroneous calls whose code the standard fixes: the code is compared, and outputs must keep their value. */
#include "tests/twin/twin.h"

#define CODE(call) say("%d: %s\n", (int)(call), #call)

void step_errors(void) {
  GrB_Index n = 5 + below(200), m = n + 1 + below(50);
  GrB_Vector u = NULL, v = NULL, w = NULL, p = NULL, e = NULL, f = NULL, none = NULL;
  GrB_Matrix A = NULL, P = NULL, no = NULL;
  GrB_Index bad[] = {0, n}, twice[] = {1, 1}, good[] = {2, 3}, capacity = 0;
  int32_t two[] = {4, 5}, x = 77;
  pair y = {1, 2};
  say("errors on %" PRIu64 "\n", n);
  DO(GrB_Vector_new(&u, GrB_INT32, n));
  DO(GrB_Vector_new(&w, GrB_INT32, n));
  DO(GrB_Vector_new(&v, GrB_INT32, m));
  DO(GrB_Vector_new(&p, twin_type[T_PAIR], n));
  DO(GrB_Matrix_new(&A, GrB_INT32, n, m));
  DO(GrB_Matrix_new(&P, twin_type[T_PAIR], n, n));
  DO(GrB_Vector_setElement_INT32(w, 9, 3));
  DO(GrB_Vector_setElement_INT32(u, 4, 2));
  DO(GrB_Matrix_setElement_INT32(A, 6, 1, 2));

  /* sizes */
  CODE(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, u, NULL));
  CODE(GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, u, A, NULL));
  CODE(GrB_mxv(w, v, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, v, NULL));
  CODE(GrB_mxv(v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, u, NULL));
  CODE(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GrB_PLUS_INT32, u, v, NULL));
  CODE(GrB_Vector_eWiseMult_BinaryOp(v, NULL, NULL, GrB_PLUS_INT32, u, u, NULL));
  CODE(GrB_Vector_apply(w, NULL, NULL, GrB_AINV_INT32, v, NULL));
  CODE(GrB_Vector_apply(w, v, NULL, GrB_AINV_INT32, u, NULL));
  CODE(GrB_Vector_select_INT32(w, NULL, NULL, GrB_VALUEGT_INT32, v, 3, NULL));
  CODE(GrB_Vector_assign(w, NULL, NULL, v, GrB_ALL, n, NULL));
  CODE(GrB_Vector_assign_INT32(w, v, NULL, 3, GrB_ALL, n, NULL));
  CODE(GrB_Vector_extract(w, NULL, NULL, v, GrB_ALL, m, NULL));
  CODE(GrB_Vector_extract(w, NULL, NULL, u, good, 2, NULL));
  CODE(GrB_Matrix_reduce_Monoid(v, NULL, NULL, GrB_PLUS_MONOID_INT32, A, NULL));

  /* types */
  CODE(GrB_mxv(p, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, v, NULL));
  CODE(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, P, u, NULL));
  CODE(GrB_mxv(w, p, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, v, NULL));
  CODE(GrB_Vector_apply(w, NULL, NULL, GrB_AINV_INT32, p, NULL));
  CODE(GrB_Vector_apply(p, NULL, NULL, GrB_AINV_INT32, u, NULL));
  CODE(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GrB_PLUS_INT32, u, p, NULL));
  CODE(GrB_Vector_eWiseAdd_BinaryOp(p, NULL, GrB_PLUS_INT32, GrB_PLUS_INT32, u, u, NULL));
  CODE(GrB_Vector_assign(w, NULL, NULL, p, GrB_ALL, n, NULL));
  CODE(GrB_Vector_assign_INT32(p, NULL, NULL, 3, GrB_ALL, n, NULL));
  CODE(GrB_Vector_extract(w, NULL, NULL, p, GrB_ALL, n, NULL));
  CODE(GrB_Vector_setElement_INT32(p, 3, 0));
  CODE(GrB_Vector_setElement_UDT(w, &y, 0));
  CODE(GrB_Vector_reduce_INT32(&x, NULL, GrB_PLUS_MONOID_INT32, p, NULL));

  /* indices and values */
  CODE(GrB_Vector_setElement_INT32(w, 3, n));
  CODE(GrB_Vector_removeElement(w, n));
  CODE(GrB_Vector_extractElement_INT32(&x, w, n));
  CODE(GrB_Vector_extractElement_INT32(&x, w, 0));
  CODE(GrB_Matrix_setElement_INT32(A, 3, n, 0));
  CODE(GrB_Matrix_setElement_INT32(A, 3, 0, m));
  CODE(GrB_Matrix_removeElement(A, 0, m));
  CODE(GrB_Matrix_extractElement_INT32(&x, A, n, 0));
  CODE(GrB_Matrix_extractElement_INT32(&x, A, 0, 0));
  CODE(GrB_Vector_assign_INT32(w, NULL, NULL, 3, bad, 2, NULL));
  CODE(GrB_Vector_build_INT32(w, good, two, 2, NULL));
  CODE(GrB_Matrix_build_INT32(A, good, good, two, 2, NULL));
  DO(GrB_Vector_new(&e, GrB_INT32, n)), DO(GrB_Vector_new(&f, GrB_INT32, n));
  CODE(GrB_Vector_build_INT32(e, bad, two, 2, GrB_PLUS_INT32));
  CODE(GrB_Vector_build_INT32(f, twice, two, 2, NULL));
  CODE(GrB_Vector_extractTuples_INT32(bad, two, &capacity, w));
  CODE(GrB_Vector_new(&none, GrB_INT32, GrB_INDEX_MAX + 2));
  CODE(GrB_Matrix_new(&no, GrB_INT32, GrB_INDEX_MAX + 2, 1));

  /* objects */
  CODE(GrB_Vector_nvals(NULL, w));
  CODE(GrB_Vector_new(NULL, GrB_INT32, n));
  CODE(GrB_Vector_new(&none, NULL, n));
  CODE(GrB_mxv(w, NULL, NULL, NULL, A, v, NULL));
  CODE(GrB_mxv(NULL, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, v, NULL));
  CODE(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, NULL, v, NULL));
  CODE(GrB_Vector_apply(w, NULL, NULL, NULL, u, NULL));
  CODE(GrB_Vector_reduce_BOOL(NULL, NULL, GrB_LOR_MONOID_BOOL, w, NULL));
  CODE(GrB_Vector_dup(&none, NULL));

  GrB_Scalar s = NULL;
  DO(GrB_Scalar_new(&s, GrB_INT32));
  CODE(GrB_Vector_apply_BinaryOp1st_Scalar(w, NULL, NULL, GrB_PLUS_INT32, s, w, NULL));
  CODE(GrB_Vector_apply_BinaryOp2nd_Scalar(w, NULL, NULL, GrB_PLUS_INT32, w, s, NULL));
  CODE(GrB_Vector_apply_IndexOp_Scalar(w, NULL, NULL, GrB_ROWINDEX_INT32, w, s, NULL));
  CODE(GrB_Vector_select_Scalar(w, NULL, NULL, GrB_VALUEGT_INT32, w, s, NULL));
  CODE(GrB_Scalar_extractElement_INT32(&x, s));
  GrB_Scalar_free(&s);

  say("x = %d\n", x);
  say_vector("w", w, T_INT32);
  say_vector("p", p, T_PAIR);
  say_matrix("A", A, T_INT32);
  GrB_Vector_free(&u), GrB_Vector_free(&v), GrB_Vector_free(&w), GrB_Vector_free(&p);
  GrB_Vector_free(&e), GrB_Vector_free(&f);
  GrB_Matrix_free(&A), GrB_Matrix_free(&P);
}
