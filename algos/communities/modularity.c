/* Modularity of a partition of the vertices, the conductance of its communities, and assortativity by labels.
 *
 * With P(v, community(v)) = 1 the weight inside community c is internal(c), the sum of (A P) .* P over the
 * rows of its vertices. With out = the sums of rows, in = those of columns, both summed by community, and S =
 * the sum of all entries
 *   modularity  = sum over c of internal(c) / S - resolution out(c) in(c) / S^2
 *   conductance = (out - internal) ./ min(out, S - out), 0 where out = internal but for rounding
 * With weights of 1 and resolution 1 the modularity e - e0 gives the assortativity (e - e0) / (1 - e0).
 *
 * Sources: Newman, Girvan (2004); Reichardt, Bornholdt (2006) for the resolution; Leicht, Newman (2008) for
 * directed graphs; Kannan, Vempala, Vetta (2004); Newman (2003) for assortativity. */
#include <math.h>

#include "algos/communities/modularity_serial.h"
#include "algos/support/magnitude.h"
#include "algos/support/serial.h"

/* Up to so many threads one serial pass is faster than products: alone it takes a third of their time. */
enum { SERIAL = 3 };

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
  GrB_Matrix internal_weights = NULL;
  TRY(GrB_Matrix_new(&internal_weights, GrB_FP64, p->n, p->n));
  TRY(GrB_mxm(internal_weights, p->P, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, p->P, GrB_DESC_S));
  TRY(sum_weights(&p->internal, p, internal_weights, NULL));
out:
  GrB_Matrix_free(&internal_weights);
  return info;
}

static GrB_Info make_sums(partition *p, GrB_Matrix A, GrB_Vector community, bool is_symmetric) {
  GrB_Info info;
  TRY(GrB_Matrix_new(&p->P, GrB_INT64, p->n, p->n));
  TRY(Grid_Matrix_indicator(p->P, community));
  TRY(sum_weights(&p->out, p, A, NULL));
  TRY(is_symmetric ? GrB_Vector_dup(&p->in, p->out) : sum_weights(&p->in, p, A, GrB_DESC_T0));
  TRY(sum_internal(p, A));
  TRY(GrB_Vector_reduce_FP64(&p->total, NULL, GrB_PLUS_MONOID_FP64, p->out, NULL));
out:
  return info;
}

/* The sums over all communities. */
static GrB_Info add_communities(grid_modularity_sums *sums, const partition *p) {
  GrB_Info info;
  GrB_Vector scaled = NULL, product = NULL;
  *sums = (grid_modularity_sums){.total = p->total, .unit = grid_unit_of(p->total)};
  TRY(GrB_Vector_new(&scaled, GrB_FP64, p->n));
  TRY(GrB_Vector_new(&product, GrB_FP64, p->n));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(scaled, NULL, NULL, GrB_TIMES_FP64, p->out, sums->unit, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(product, NULL, NULL, GrB_TIMES_FP64, p->in, sums->unit, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(product, NULL, NULL, GrB_TIMES_FP64, scaled, product, NULL));
  TRY(GrB_Vector_reduce_FP64(&sums->product, NULL, GrB_PLUS_MONOID_FP64, product, NULL));
  TRY(GrB_Vector_reduce_FP64(&sums->internal, NULL, GrB_PLUS_MONOID_FP64, p->internal, NULL));
out:
  GrB_Vector_free(&scaled);
  GrB_Vector_free(&product);
  return info;
}

/* The sums over all communities. p gets the total, and where with_communities `out` and `internal`: by a
 * serial pass of all communities that have vertices, and without P. */
static GrB_Info find_sums(grid_modularity_sums *sums, partition *p, GrB_Matrix A, GrB_Vector community,
                          bool with_communities) {
  GrB_Info info;
  Grid_Storage storage;
  bool found = false;
  TRY(Grid_Matrix_storage(&storage, A));
  if (grid_prefers_serial(A, p->n, SERIAL))
    TRY(grid_modularity_serial(sums, with_communities ? &p->out : NULL,
                               with_communities ? &p->internal : NULL, &found, A, community, p->n,
                               storage.symmetric));
  if (found) {
    p->total = sums->total;
    goto out;
  }
  TRY(make_sums(p, A, community, storage.symmetric));
  TRY(add_communities(sums, p));
out:
  return info;
}

/* The share of the weights inside communities, and the sum of out in / S^2; 0 where S is 0. */
static double share_within(const grid_modularity_sums *s) {
  return s->total == 0 ? 0 : s->internal / s->total;
}
static double share_expected(const grid_modularity_sums *s) {
  const double total = s->total * s->unit;
  return total == 0 ? 0 : s->product / total / total;
}

static const double rounding = 1e-12;

/* *c becomes 0 for every community that has vertices. */
static GrB_Info list_communities(GrB_Vector *c, const partition *p, GrB_Vector community) {
  GrB_Info info;
  GrB_Vector ones = NULL;
  TRY(GrB_Vector_new(&ones, GrB_FP64, p->n));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(ones, NULL, NULL, GrB_ONEB_FP64, p->P == NULL ? p->out : community,
                                        0.0, NULL));
  if (p->P == NULL)
    *c = ones, ones = NULL;
  else
    TRY(sum_by_community(c, p, ones));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(*c, NULL, NULL, GrB_TIMES_FP64, *c, 0.0, NULL));
out:
  GrB_Vector_free(&ones);
  return info;
}

static GrB_Info find_conductance(GrB_Vector *conductance, const partition *p, GrB_Vector community) {
  GrB_Info info;
  GrB_Vector cut = NULL, rest = NULL, c = NULL;
  TRY(GrB_Vector_new(&cut, GrB_FP64, p->n));
  TRY(GrB_Vector_new(&rest, GrB_FP64, p->n));
  TRY(list_communities(&c, p, community));
  /* cut = out - internal, where it is a larger share of `out` than the sums are rounded by; `out` has entries
   * where `internal` has some */
  TRY(GrB_Vector_apply(cut, NULL, NULL, GrB_AINV_FP64, p->internal, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(cut, NULL, NULL, GrB_PLUS_FP64, p->out, cut, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(rest, NULL, NULL, GrB_DIV_FP64, cut, p->out, NULL));
  TRY(GrB_Vector_apply(rest, NULL, NULL, GrB_ABS_FP64, rest, NULL));
  TRY(GrB_Vector_select_FP64(rest, NULL, NULL, GrB_VALUEGT_FP64, rest, rounding, NULL));
  TRY(GrB_Vector_assign(cut, rest, NULL, cut, GrB_ALL, p->n, GrB_DESC_RS));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(rest, NULL, NULL, GrB_MINUS_FP64, p->total, p->out, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(rest, NULL, NULL, GrB_MIN_FP64, p->out, rest, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(c, NULL, GrB_PLUS_FP64, GrB_DIV_FP64, cut, rest, NULL));
  *conductance = c, c = NULL;
out:
  GrB_Vector_free(&cut);
  GrB_Vector_free(&rest);
  GrB_Vector_free(&c);
  return info;
}

/* Whether every vertex has a community, an integer. */
static GrB_Info check_community(GrB_Vector community, GrB_Index n, const char *call) {
  GrB_Index entries;
  GrB_Info info;
  int32_t type = GrB_UDT_CODE;
  if (community == NULL) return grid_refuse(GrB_NULL_POINTER, call, "the vector of groups is NULL");
  TRY(check_vector_size(community, n, "the vector of groups", call));
  TRY(Grid_agree(GrB_Vector_get_INT32(community, &type, GrB_EL_TYPE_CODE), NULL));
  if (type < GrB_INT8_CODE || type > GrB_UINT64_CODE)
    return grid_refuse(GrB_DOMAIN_MISMATCH, call, "the vector of groups is not of an integer type");
  TRY(GrB_Vector_nvals(&entries, community));
  if (entries != n)
    info = grid_refuse(GrB_INVALID_VALUE, call, "%" PRIu64 " of %" PRIu64 " vertices have no group",
                       n - entries, n);
out:
  return info;
}

static void partition_free(partition *p) {
  GrB_Matrix_free(&p->P);
  GrB_Vector_free(&p->out);
  GrB_Vector_free(&p->in);
  GrB_Vector_free(&p->internal);
}

/* The indicator matrix has found a number that is no vertex's. */
static GrB_Info name_wrong_group(GrB_Info info, const char *call) {
  return info == GrB_INDEX_OUT_OF_BOUNDS ? grid_refuse(info, call, "a group is not the number of a vertex")
                                         : info;
}

GrB_Info Grid_modularity(double *modularity, GrB_Vector *conductance, GrB_Matrix A, GrB_Vector community,
                         double resolution) {
  SPAN;
  partition p = {.n = 0};
  grid_modularity_sums sums;
  GrB_Info info;
  TRY(check_outputs(modularity, conductance, "Grid_modularity"));
  if (!isfinite(resolution))
    return grid_refuse(GrB_INVALID_VALUE, "Grid_modularity", "resolution is %g, not finite", resolution);
  TRY(square_size(&p.n, A, "Grid_modularity"));
  TRY(check_community(community, p.n, "Grid_modularity"));
  TRY(name_wrong_group(find_sums(&sums, &p, A, community, conductance != NULL), "Grid_modularity"));
  if (!isfinite(sums.total))
    TRY(grid_refuse(GrB_INVALID_VALUE, "Grid_modularity", "a weight, or the sum of all, is not finite"));
  if (conductance != NULL) TRY(find_conductance(conductance, &p, community));
  if (modularity != NULL) *modularity = share_within(&sums) - resolution * share_expected(&sums);
out:
  partition_free(&p);
  return info;
}

GrB_Info Grid_label_assortativity(double *coefficient, GrB_Matrix A, GrB_Vector label) {
  SPAN;
  partition p = {.n = 0};
  GrB_Matrix ones = NULL;
  grid_modularity_sums sums;
  GrB_Info info;
  if (coefficient == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_label_assortativity: coefficient is NULL");
  TRY(square_size(&p.n, A, "Grid_label_assortativity"));
  TRY(check_community(label, p.n, "Grid_label_assortativity"));
  TRY(GrB_Matrix_new(&ones, GrB_BOOL, p.n, p.n));
  TRY(GrB_Matrix_assign_BOOL(ones, A, NULL, true, GrB_ALL, p.n, GrB_ALL, p.n, GrB_DESC_S));
  TRY(name_wrong_group(find_sums(&sums, &p, ones, label, false), "Grid_label_assortativity"));
  const double expected = share_expected(&sums);
  *coefficient =
      sums.total == 0 || expected == 1 ? (double)NAN : (share_within(&sums) - expected) / (1 - expected);
out:
  GrB_Matrix_free(&ones);
  partition_free(&p);
  return info;
}
