/* Steps of shortest paths: distances that only decrease, and the tree of parents.
 *
 * The tree is computed from the final distances by a search from the source along tight edges, those with
 * t(u) + weight == t(v) in the rounding of the distances' type. Each round is one product of the vertices
 * found last over a semiring of steps (distance, origin). So edges of weight 0, and cycles of them, do no
 * harm. */
#include "algos/support/paths.h"

#include <float.h>
#include <math.h>

#include "algos/support/operators.h"

WITH_TEXT(
    path_step, typedef struct {
      double d;
      int64_t u;
    } path_step;)
WITH_TEXT(
    path_least, static void path_least(path_step *z, const path_step *x, const path_step *y) {
      *z = y->d < x->d || (y->d == x->d && y->u < x->u) ? *y : *x;
    })
WITH_TEXT(
    path_go, static void path_go(path_step *z, const path_step *x, const double *y) {
      z->d = x->d + *y;
      z->u = x->u;
    })
/* as sums of FP32 round */
WITH_TEXT(
    path_go32, static void path_go32(path_step *z, const path_step *x, const double *y) {
      z->d = (double)((float)x->d + (float)*y);
      z->u = x->u;
    })
WITH_TEXT(
    path_start,
    static void path_start(path_step *z, const double *x, uint64_t i, uint64_t j, const double *y) {
      (void)j;
      (void)y;
      z->d = *x;
      z->u = (int64_t)i;
    })
WITH_TEXT(
    path_length, static void path_length(double *z, const path_step *x) { *z = x->d; })
WITH_TEXT(
    path_from, static void path_from(int64_t *z, const path_step *x) { *z = x->u; })

/* ---- distances ---- */

GrB_Info grid_distances_of(distances *d, GrB_Matrix A, const char *call) {
  char text[100];
  int32_t code = 0;
  GrB_Info info = Grid_agree(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE), NULL);
  if (info != GrB_SUCCESS) return info;
  snprintf(text, sizeof text, "%s: the weights have a user-defined type", call);
  if (code == GrB_UDT_CODE) return Grid_agree(GrB_DOMAIN_MISMATCH, text);
  if (code == GrB_FP32_CODE)
    *d = (distances){
        GrB_FP32,    true,       GrB_MIN_PLUS_SEMIRING_FP32, GrB_MIN_MONOID_FP32, GrB_PLUS_MONOID_FP32,
        GrB_GE_FP32, GrB_LT_FP32};
  else if (code == GrB_FP64_CODE)
    *d = (distances){
        GrB_FP64,    true,       GrB_MIN_PLUS_SEMIRING_FP64, GrB_MIN_MONOID_FP64, GrB_PLUS_MONOID_FP64,
        GrB_GE_FP64, GrB_LT_FP64};
  else
    *d = (distances){
        GrB_INT64,    false,       GrB_MIN_PLUS_SEMIRING_INT64, GrB_MIN_MONOID_INT64, GrB_PLUS_MONOID_FP64,
        GrB_GE_INT64, GrB_LT_INT64};
  return GrB_SUCCESS;
}

GrB_Info grid_distances_narrow(distances *d, GrB_Matrix A, GrB_Index n) {
  GrB_Info info = GrB_SUCCESS;
  int32_t code;
  int64_t most = 0;
  if (d->type != GrB_INT64) goto out;
  TRY(Grid_agree(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE), NULL));
  if (code != GrB_INT32_CODE) goto out;
  TRY(GrB_Matrix_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT32, A, NULL));
  if (most > INT32_MAX / (int64_t)n) goto out;
  *d = (distances){
      GrB_INT32,    false,       GrB_MIN_PLUS_SEMIRING_INT32, GrB_MIN_MONOID_INT32, GrB_PLUS_MONOID_FP64,
      GrB_GE_INT32, GrB_LT_INT32};
out:
  return info;
}

GrB_Info grid_check_weights(double *least, const distances *d, GrB_Matrix A, bool positive,
                            const char *call) {
  GrB_Info info;
  GrB_Index n;
  double sum = 0;
  char text[160];
  *least = 0;
  TRY(GrB_Matrix_nvals(&n, A));
  if (n == 0) goto out;
  TRY(GrB_Matrix_reduce_FP64(least, NULL, d->min, A, NULL));
  /* a minimum may ignore a NaN, a sum does not; without weights below 0 none arises from inf and -inf */
  if (d->real) TRY(GrB_Matrix_reduce_FP64(&sum, NULL, d->sum, A, NULL));
  /* minus infinity does not decrease on a cycle */
  const bool endless = !positive && *least < -DBL_MAX;
  snprintf(text, sizeof text, "%s: a weight is %s", call, endless ? "minus infinity" : "not a number");
  if (isnan(*least) || isnan(sum) || endless) info = Grid_agree(GrB_INVALID_VALUE, text);
  snprintf(text, sizeof text, "%s: a weight is below 0: %g", call, *least);
  if (info == GrB_SUCCESS && positive && *least < 0) info = Grid_agree(GrB_INVALID_VALUE, text);
out:
  return info;
}

GrB_Info grid_check_sum(const distances *d, GrB_Matrix A, const char *call) {
  static const double limit = 9.22e18; /* less than 2^63 by more than the sum is rounded */
  GrB_Info info = GrB_SUCCESS;
  double sum = 0;
  char text[160];
  if (d->real) return info;
  TRY(GrB_Matrix_reduce_FP64(&sum, NULL, d->sum, A, NULL));
  snprintf(text, sizeof text, "%s: the weights add up to %g, and distances are limited to %g", call, sum,
           limit);
  if (sum > limit) info = Grid_agree(GrB_INVALID_VALUE, text);
out:
  return info;
}

GrB_Info grid_keep_improved(GrB_Vector t, GrB_Vector offer, GrB_Vector worse, const distances *d) {
  GrB_Info info;
  GrB_Index n;
  TRY(GrB_Vector_size(&n, t));
  /* worse = offer >= t, where both have entries; offer<!worse, replace> = offer */
  TRY(GrB_Vector_eWiseMult_BinaryOp(worse, NULL, NULL, d->at_least, offer, t, NULL));
  TRY(GrB_Vector_assign(offer, worse, NULL, offer, GrB_ALL, n, GrB_DESC_RC));
  /* t<offer> = offer */
  TRY(GrB_Vector_assign(t, offer, NULL, offer, GrB_ALL, n, GrB_DESC_S));
out:
  return info;
}

GrB_Info grid_keep_improved_matrix(GrB_Matrix t, GrB_Matrix offer, GrB_Matrix worse, const distances *d) {
  GrB_Info info;
  GrB_Index rows, cols;
  TRY(GrB_Matrix_nrows(&rows, t));
  TRY(GrB_Matrix_ncols(&cols, t));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(worse, NULL, NULL, d->at_least, offer, t, NULL));
  TRY(GrB_Matrix_assign(offer, worse, NULL, offer, GrB_ALL, rows, GrB_ALL, cols, GrB_DESC_RC));
  TRY(GrB_Matrix_eWiseAdd_Monoid(t, NULL, NULL, d->min, t, offer, NULL));
out:
  return info;
}

/* ---- the tree ---- */

GrB_Info grid_steps_new(path_steps *s, const distances *d) {
  GrB_Info info;
  const path_step none = {INFINITY, INT64_MAX};
  TRY(Grid_Type_new(&s->step, sizeof(path_step), "path_step", path_step_text));
  const GrB_Type p = s->step;
  TRY(Grid_BinaryOp_new(&s->least, (binary)path_least, p, p, p, "path_least", plain(path_least_text)));
  if (d->type == GrB_FP32)
    TRY(Grid_BinaryOp_new(&s->go, (binary)path_go32, p, p, GrB_FP64, "path_go32", plain(path_go32_text)));
  else
    TRY(Grid_BinaryOp_new(&s->go, (binary)path_go, p, p, GrB_FP64, "path_go", plain(path_go_text)));
  TRY(GrB_Monoid_new_UDT(&s->monoid, s->least, (void *)&none));
  TRY(GrB_Semiring_new(&s->semiring, s->monoid, s->go));
  TRY(Grid_IndexUnaryOp_new(&s->start, (indexed)path_start, p, GrB_FP64, GrB_FP64, "path_start",
                            plain(path_start_text)));
  TRY(Grid_UnaryOp_new(&s->length, (unary)path_length, GrB_FP64, p, "path_length", plain(path_length_text)));
  TRY(Grid_UnaryOp_new(&s->from, (unary)path_from, GrB_INT64, p, "path_from", plain(path_from_text)));
out:
  return info;
}

void grid_steps_free(path_steps *s) {
  GrB_Semiring_free(&s->semiring);
  GrB_Monoid_free(&s->monoid);
  GrB_BinaryOp_free(&s->least);
  GrB_BinaryOp_free(&s->go);
  GrB_IndexUnaryOp_free(&s->start);
  GrB_UnaryOp_free(&s->length);
  GrB_UnaryOp_free(&s->from);
  GrB_Type_free(&s->step);
}

typedef struct {
  path_steps op;
  GrB_Vector q, tried, length_of, tight; /* workspace */
} steps;

/* One round: the vertices of q become candidates for the vertices without a parent. *found: at least one got
 * a parent. */
static GrB_Info extend(GrB_Index *found, GrB_Vector parent, GrB_Matrix A, GrB_Vector t, GrB_Index n,
                       steps *s) {
  GrB_Info info;
  GrB_Vector from = NULL;
  /* tried<!parent, replace> = q least.go A */
  TRY(GrB_vxm(s->tried, parent, NULL, s->op.semiring, s->q, A, GrB_DESC_RSC));
  /* tight = length(tried) == t; from<tight> = from(tried) */
  TRY(GrB_Vector_apply(s->length_of, NULL, NULL, s->op.length, s->tried, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->tight, NULL, NULL, GrB_EQ_FP64, s->length_of, t, NULL));
  TRY(GrB_Vector_new(&from, GrB_INT64, n));
  TRY(GrB_Vector_apply(from, s->tight, NULL, s->op.from, s->tried, NULL));
  TRY(GrB_Vector_nvals(found, from));
  /* parent<from> = from; q<from, replace> = (t, index) */
  TRY(GrB_Vector_assign(parent, from, NULL, from, GrB_ALL, n, GrB_DESC_S));
  TRY(GrB_Vector_apply_IndexOp_FP64(s->q, from, NULL, s->op.start, t, 0.0, GrB_DESC_RS));
out:
  GrB_Vector_free(&from);
  return info;
}

/* Steps have distances in FP64: larger integers would lose digits, and vertices their parents. */
static GrB_Info check_exact(GrB_Vector t, const distances *d, const char *call) {
  GrB_Info info = GrB_SUCCESS;
  double least = 0, most = 0;
  if (d->real) return info;
  TRY(GrB_Vector_reduce_FP64(&least, GrB_MIN_FP64, GrB_MIN_MONOID_FP64, t, NULL));
  TRY(GrB_Vector_reduce_FP64(&most, GrB_MAX_FP64, GrB_MAX_MONOID_FP64, t, NULL));
  if (least < -0x1p53 || most > 0x1p53)
    TRY(grid_refuse(GrB_INVALID_VALUE, call, "distances from %g to %g: with parents they are limited to 2^53",
                    least, most));
out:
  return info;
}

GrB_Info grid_find_parents(GrB_Vector *parent, GrB_Matrix A, GrB_Vector t, GrB_Index source,
                           const distances *d, const char *call) {
  steps s = {0};
  GrB_Vector found = NULL;
  GrB_Index n, new = 1;
  GrB_Info info = check_exact(t, d, call);
  if (info != GrB_SUCCESS) return info;
  TRY(Grid_agree(grid_steps_new(&s.op, d), NULL));
  TRY(GrB_Vector_size(&n, t));
  TRY(GrB_Vector_new(&s.q, s.op.step, n));
  TRY(GrB_Vector_new(&s.tried, s.op.step, n));
  TRY(GrB_Vector_new(&s.length_of, GrB_FP64, n));
  TRY(GrB_Vector_new(&s.tight, GrB_BOOL, n));
  TRY(GrB_Vector_new(&found, GrB_INT64, n));
  TRY(GrB_Vector_setElement_INT64(found, (int64_t)source, source));
  TRY(GrB_Vector_apply_IndexOp_FP64(s.q, found, NULL, s.op.start, t, 0.0, GrB_DESC_RS));
  while (new > 0) TRY(extend(&new, found, A, t, n, &s));
  *parent = found, found = NULL;
out:
  GrB_Vector_free(&found);
  GrB_Vector_free(&s.q);
  GrB_Vector_free(&s.tried);
  GrB_Vector_free(&s.length_of);
  GrB_Vector_free(&s.tight);
  grid_steps_free(&s.op);
  return info;
}
