/* See peel.h. */
#include "algos/structure/peel.h"

static degree_operators operators_for(GrB_Index n) {
  if (n <= INT32_MAX)
    return (degree_operators){GrB_INT32,         Grid_PLUS_ONEB_SEMIRING_INT32,
                              GrB_MINUS_INT32,   GrB_IDENTITY_INT32,
                              GrB_VALUELE_INT32, GrB_MIN_MONOID_INT32};
  return (degree_operators){GrB_INT64,         Grid_PLUS_ONEB_SEMIRING_INT64,
                            GrB_MINUS_INT64,   GrB_IDENTITY_INT64,
                            GrB_VALUELE_INT64, GrB_MIN_MONOID_INT64};
}

GrB_Info grid_peel_begin(peel *p, GrB_Matrix A, GrB_Index n, bool symmetric) {
  GrB_Vector *const degrees[] = {&p->degree, &p->q, &p->lost, &p->less};
  GrB_Info info;
  p->A = A, p->n = n, p->ops = operators_for(n);
  TRY(GrB_Vector_new(&p->removed, GrB_INT64, n));
  for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++)
    TRY(GrB_Vector_new(degrees[k], p->ops.type, n));
  TRY(Grid_Matrix_degree(p->less, A, !symmetric));
  TRY(GrB_Vector_assign_INT64(p->degree, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_assign(p->degree, p->less, NULL, p->less, GrB_ALL, n, GrB_DESC_S));
out:
  return info;
}

GrB_Info grid_peel_ignore_loops(peel *p) {
  GrB_Info info;
  GrB_Matrix loops = NULL;
  TRY(GrB_Matrix_new(&loops, GrB_BOOL, p->n, p->n));
  TRY(GrB_Matrix_select_INT64(loops, NULL, NULL, GrB_DIAG, p->A, 0, NULL));
  TRY(Grid_Matrix_degree(p->less, loops, false));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(p->degree, NULL, NULL, p->ops.minus, p->degree, p->less, NULL));
out:
  GrB_Matrix_free(&loops);
  return info;
}

void grid_peel_free(peel *p) {
  GrB_Vector_free(&p->removed);
  GrB_Vector_free(&p->degree);
  GrB_Vector_free(&p->q);
  GrB_Vector_free(&p->lost);
  GrB_Vector_free(&p->less);
}

GrB_Info grid_peel_remove(peel *p, int64_t value, int64_t bound) {
  GrB_Info info;
  /* removed<q> = value; lost<!removed> = q plus.oneb A; less = degree - lost; degree<less> = less */
  TRY(GrB_Vector_assign_INT64(p->removed, p->q, NULL, value, GrB_ALL, p->n, GrB_DESC_S));
  TRY(GrB_vxm(p->lost, p->removed, NULL, p->ops.count, p->q, p->A, GrB_DESC_RSC));
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->less, NULL, NULL, p->ops.minus, p->degree, p->lost, NULL));
  TRY(GrB_Vector_assign(p->degree, p->less, NULL, p->less, GrB_ALL, p->n, GrB_DESC_S));
  TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, p->ops.at_most, p->less, bound, NULL));
out:
  return info;
}

GrB_Info grid_peel_find_rest(peel *p, GrB_Index *left) {
  GrB_Info info;
  /* q<!removed> = degree */
  TRY(GrB_Vector_apply(p->q, p->removed, NULL, p->ops.identity, p->degree, GrB_DESC_RSC));
  TRY(GrB_Vector_nvals(left, p->q));
  Grid_progress_set(p->n - *left, p->n);
out:
  return info;
}

GrB_Info grid_peel_remove_core(peel *p, int64_t *k) {
  GrB_Info info;
  GrB_Index taken;
  TRY(GrB_Vector_reduce_INT64(k, NULL, p->ops.min, p->q, NULL));
  TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, p->ops.at_most, p->q, *k, NULL));
  for (;;) {
    TRY(GrB_Vector_nvals(&taken, p->q));
    if (taken == 0) break;
    TRY(grid_peel_remove(p, *k, *k));
  }
out:
  return info;
}
