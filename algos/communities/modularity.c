/* Modularity of a partition of the vertices, and the conductance of its communities.
 *
 * With P(v, community(v)) = 1 the weight inside community c is internal(c), the sum of (A P) .* P over the
 * rows of its vertices. With out = the sums of rows, in = those of columns, both summed by community, and S =
 * the sum of all entries
 *   modularity  = sum over c of internal(c) / S - resolution out(c) in(c) / S^2
 *   conductance = (out - internal) ./ min(out, S - out), 0 where out = internal
 *
 * Sources: Newman, Girvan (2004); Reichardt, Bornholdt (2006) for the resolution; Leicht, Newman (2008) for
 * directed graphs; Kannan, Vempala, Vetta (2004). */
#include <math.h>

#include "algos/algos.h"

typedef struct {
  GrB_Index n;
  GrB_Matrix P;
  GrB_Vector out, in, internal; /* FP64, of communities */
  double total;                 /* S */
} partition;

/* *w becomes the sums of v by community. */
static GrB_Info sum_by_community(GrB_Vector *w, const partition *p, GrB_Vector v) {
  GrB_Info info;
  TRY(GrB_Vector_new(w, GrB_FP64, p->n));
  TRY(GrB_vxm(*w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, v, p->P, NULL));
out:
  return info;
}

/* *w becomes the sums of A's rows, or of its columns, by community. */
static GrB_Info sum_weights(GrB_Vector *w, const partition *p, GrB_Matrix A, GrB_Descriptor desc) {
  GrB_Info info;
  GrB_Vector v = NULL;
  TRY(GrB_Vector_new(&v, GrB_FP64, p->n));
  TRY(GrB_Matrix_reduce_Monoid(v, NULL, NULL, GrB_PLUS_MONOID_FP64, A, desc));
  TRY(sum_by_community(w, p, v));
out:
  GrB_Vector_free(&v);
  return info;
}

static GrB_Info sum_internal(partition *p, GrB_Matrix A) {
  GrB_Info info;
  GrB_Matrix own = NULL;
  TRY(GrB_Matrix_new(&own, GrB_FP64, p->n, p->n));
  TRY(GrB_mxm(own, p->P, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, p->P, GrB_DESC_S));
  TRY(sum_weights(&p->internal, p, own, NULL));
out:
  GrB_Matrix_free(&own);
  return info;
}

static GrB_Info make_sums(partition *p, GrB_Matrix A, GrB_Vector community) {
  GrB_Info info;
  TRY(GrB_Matrix_new(&p->P, GrB_INT64, p->n, p->n));
  TRY(Grid_Matrix_indicator(p->P, community));
  TRY(sum_weights(&p->out, p, A, NULL));
  TRY(sum_weights(&p->in, p, A, GrB_DESC_T0));
  TRY(sum_internal(p, A));
  TRY(GrB_Vector_reduce_FP64(&p->total, NULL, GrB_PLUS_MONOID_FP64, p->out, NULL));
out:
  return info;
}

static GrB_Info find_modularity(double *modularity, const partition *p, double resolution) {
  GrB_Info info;
  GrB_Vector expected = NULL;
  double internal = 0, sum = 0;
  TRY(GrB_Vector_new(&expected, GrB_FP64, p->n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(expected, NULL, NULL, GrB_TIMES_FP64, p->out, p->in, NULL));
  TRY(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, expected, NULL));
  TRY(GrB_Vector_reduce_FP64(&internal, NULL, GrB_PLUS_MONOID_FP64, p->internal, NULL));
  *modularity = p->total == 0 ? 0 : internal / p->total - resolution * (sum / p->total / p->total);
out:
  GrB_Vector_free(&expected);
  return info;
}

static GrB_Info find_conductance(GrB_Vector *conductance, const partition *p, GrB_Vector community) {
  GrB_Info info;
  GrB_Vector cut = NULL, rest = NULL, c = NULL, ones = NULL;
  TRY(GrB_Vector_new(&cut, GrB_FP64, p->n));
  TRY(GrB_Vector_new(&rest, GrB_FP64, p->n));
  TRY(GrB_Vector_new(&ones, GrB_FP64, p->n));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(ones, NULL, NULL, GrB_ONEB_FP64, community, 0.0, NULL));
  TRY(sum_by_community(&c, p, ones));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(c, NULL, NULL, GrB_TIMES_FP64, c, 0.0, NULL));
  /* cut = out - internal, where it is not 0; `out` has entries where `internal` has some */
  TRY(GrB_Vector_apply(cut, NULL, NULL, GrB_AINV_FP64, p->internal, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(cut, NULL, NULL, GrB_PLUS_FP64, p->out, cut, NULL));
  TRY(GrB_Vector_select_FP64(cut, NULL, NULL, GrB_VALUENE_FP64, cut, 0.0, NULL));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(rest, NULL, NULL, GrB_MINUS_FP64, p->total, p->out, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(rest, NULL, NULL, GrB_MIN_FP64, p->out, rest, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(c, NULL, GrB_PLUS_FP64, GrB_DIV_FP64, cut, rest, NULL));
  *conductance = c, c = NULL;
out:
  GrB_Vector_free(&cut);
  GrB_Vector_free(&rest);
  GrB_Vector_free(&c);
  GrB_Vector_free(&ones);
  return info;
}

/* Whether every vertex has a community; which it is the indicator matrix examines. */
static GrB_Info check_community(GrB_Vector community, GrB_Index n) {
  GrB_Index size, entries;
  GrB_Info info;
  if (community == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_modularity: community is NULL");
  TRY(GrB_Vector_size(&size, community));
  if (size != n)
    return Grid_agree(GrB_DIMENSION_MISMATCH, "Grid_modularity: community has another size than A");
  TRY(GrB_Vector_nvals(&entries, community));
  if (entries != n) info = Grid_agree(GrB_INVALID_VALUE, "Grid_modularity: a vertex has no community");
out:
  return info;
}

GrB_Info Grid_modularity(double *modularity, GrB_Vector *conductance, GrB_Matrix A, GrB_Vector community,
                         double resolution) {
  SPAN;
  partition p = {.n = 0};
  double found = 0;
  GrB_Info info;
  if (modularity == NULL && conductance == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_modularity: both outputs are NULL");
  if (!isfinite(resolution))
    return Grid_agree(GrB_INVALID_VALUE, "Grid_modularity: resolution is not finite");
  TRY(square_size(&p.n, A, "Grid_modularity"));
  TRY(check_community(community, p.n));
  TRY(make_sums(&p, A, community));
  TRY(find_modularity(&found, &p, resolution));
  if (conductance != NULL) TRY(find_conductance(conductance, &p, community));
  if (modularity != NULL) *modularity = found;
out:
  GrB_Matrix_free(&p.P);
  GrB_Vector_free(&p.out);
  GrB_Vector_free(&p.in);
  GrB_Vector_free(&p.internal);
  return info;
}
