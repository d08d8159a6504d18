/* Cycles of negative weight, detected during the rounds of Bellman and Ford's method.
 *
 * Distances t only decrease. So each vertex v that is reached, except the source, has a neighbor u with t(u)
 * + weight <= t(v). Let the neighbor with the least such sum be the parent of v. Either all parents lead to
 * the source, or some form a cycle. The sum of t(v) - (t(u) + weight) along the cycle is the negative of its
 * weight. No summand is below 0, so one above 0 makes the weight negative. Cycles of weight 0 are found,
 * too, and ignored.
 *
 * Floating-point sums round, so a summand counts only beyond the rounding error of a whole cycle.
 *
 * Sources: Cherkassky, Goldberg, Negative-cycle detection algorithms (1999): cycles among parents. */
#include <float.h>
#include <math.h>

#include "algos/support/paths.h"

typedef struct {
  path_steps op;
  GrB_Index n;
  GrB_Vector offer;      /* of type step */
  GrB_Vector length;     /* FP64: the least offer */
  GrB_Vector slack;      /* FP64: t - length */
  GrB_Vector parent, up; /* INT64 */
  GrB_Vector on_cycle;   /* INT64: an entry for each vertex on a cycle */
} parents;

static GrB_Info find_parents(parents *p, GrB_Matrix A, GrB_Vector t) {
  GrB_Info info;
  TRY(GrB_Vector_apply_IndexOp_FP64(p->offer, NULL, NULL, p->op.start, t, 0.0, NULL));
  /* offer<t, struct, replace> = offer least.go A */
  TRY(GrB_vxm(p->offer, t, NULL, p->op.semiring, p->offer, A, GrB_DESC_RS));
  TRY(GrB_Vector_apply(p->length, NULL, NULL, p->op.length, p->offer, NULL));
  /* lag = t - length, where it is not below 0 */
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->slack, NULL, NULL, GrB_MINUS_FP64, t, p->length, NULL));
  TRY(GrB_Vector_select_FP64(p->slack, NULL, NULL, GrB_VALUEGE_FP64, p->slack, 0, NULL));
  TRY(GrB_Vector_apply(p->parent, p->slack, NULL, p->op.from, p->offer, GrB_DESC_RS));
out:
  return info;
}

/* parent = the ancestors that are n or more generations away. They exist exactly for vertices that lead to a
 * cycle, and they are on it. *any: there are some. */
static GrB_Info pointer_jump(parents *p, bool *any) {
  GrB_Info info;
  GrB_Index left;
  for (GrB_Index up = 1;; up *= 2) {
    TRY(GrB_Vector_nvals(&left, p->parent));
    *any = left > 0;
    if (left == 0 || up >= p->n) break;
    TRY(Grid_Vector_gather(p->up, NULL, NULL, p->parent, p->parent, NULL));
    const GrB_Vector swap = p->up;
    p->up = p->parent, p->parent = swap;
  }
out:
  return info;
}

/* Whether a summand on a cycle is certainly above 0. */
static GrB_Info is_negative(bool *found, parents *p, const distances *d) {
  GrB_Info info;
  double most = 0, size = 0;
  /* lag<circle, replace> = lag, and the absolute value of the offer there */
  TRY(GrB_Vector_assign(p->slack, p->on_cycle, NULL, p->slack, GrB_ALL, p->n, GrB_DESC_RS));
  TRY(GrB_Vector_apply(p->length, p->on_cycle, NULL, GrB_ABS_FP64, p->length, GrB_DESC_RS));
  TRY(GrB_Vector_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, p->slack, NULL));
  TRY(GrB_Vector_reduce_FP64(&size, NULL, GrB_MAX_MONOID_FP64, p->length, NULL));
  const double unit = d->type == GrB_FP32 ? (double)FLT_EPSILON : DBL_EPSILON;
  const double rounding = d->real ? (double)p->n * unit * (size + most) : 0;
  *found = isfinite(size) && isfinite(most) && most > rounding && (d->real || size + most < 0x1p53);
out:
  return info;
}

GrB_Info grid_negative_cycle(bool *found, GrB_Matrix A, GrB_Vector t, const distances *d) {
  parents p = {.n = 0};
  bool any = false;
  GrB_Info info = Grid_agree(grid_steps_new(&p.op, d), NULL);
  *found = false;
  if (info != GrB_SUCCESS) goto out;
  TRY(GrB_Vector_size(&p.n, t));
  TRY(GrB_Vector_new(&p.offer, p.op.step, p.n));
  TRY(GrB_Vector_new(&p.length, GrB_FP64, p.n));
  TRY(GrB_Vector_new(&p.slack, GrB_FP64, p.n));
  TRY(GrB_Vector_new(&p.parent, GrB_INT64, p.n));
  TRY(GrB_Vector_new(&p.up, GrB_INT64, p.n));
  TRY(GrB_Vector_new(&p.on_cycle, GrB_INT64, p.n));
  TRY(find_parents(&p, A, t));
  TRY(pointer_jump(&p, &any));
  if (!any) goto out;
  TRY(Grid_Vector_scatter(p.on_cycle, NULL, NULL, GrB_FIRST_INT64, p.parent, p.parent, NULL));
  TRY(is_negative(found, &p, d));
out:
  GrB_Vector_free(&p.offer);
  GrB_Vector_free(&p.length);
  GrB_Vector_free(&p.slack);
  GrB_Vector_free(&p.parent);
  GrB_Vector_free(&p.up);
  GrB_Vector_free(&p.on_cycle);
  grid_steps_free(&p.op);
  return info;
}
