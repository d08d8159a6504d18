/* See peel.h. */
#include "algos/communities/peel.h"

GrB_Info grid_peel_begin(peel *p, GrB_Matrix A, GrB_Index n, bool symmetric) {
  GrB_Vector *const vectors[] = {&p->removed, &p->degree, &p->q, &p->lost, &p->less};
  GrB_Info info;
  p->A = A, p->n = n;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) TRY(GrB_Vector_new(vectors[k], GrB_INT64, n));
  TRY(Grid_Matrix_degree(p->less, A, !symmetric));
  TRY(GrB_Vector_assign_INT64(p->degree, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_assign(p->degree, p->less, NULL, p->less, GrB_ALL, n, GrB_DESC_S));
out:
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
  TRY(GrB_vxm(p->lost, p->removed, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, p->q, p->A, GrB_DESC_RSC));
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->less, NULL, NULL, GrB_MINUS_INT64, p->degree, p->lost, NULL));
  TRY(GrB_Vector_assign(p->degree, p->less, NULL, p->less, GrB_ALL, p->n, GrB_DESC_S));
  TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, GrB_VALUELE_INT64, p->less, bound, NULL));
out:
  return info;
}
