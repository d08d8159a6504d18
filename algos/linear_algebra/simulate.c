/* Start and end of simulations on a graph: the weights, and the operators that they share. */
#include "algos/linear_algebra/simulate.h"

#include <math.h>

#include "algos/support/paths.h"

WITH_TEXT(
    weighted_plus, static void weighted_plus(weighted_sum *z, const weighted_sum *x, const weighted_sum *y) {
      z->sum = x->sum + y->sum;
      z->weight = x->weight + y->weight;
    })
WITH_TEXT(
    how_far, static void how_far(double *z, const double *x, const double *y) { *z = fabs(*x - *y); })

/* *most = the largest sum of absolute weights of the edges to a vertex; K is overwritten. */
static GrB_Info max_weight_sum(double *most, GrB_Matrix K, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  GrB_Index entries;
  GrB_Vector sum = NULL;
  *most = 0;
  TRY(GrB_Vector_new(&sum, GrB_FP64, n));
  TRY(GrB_Matrix_apply(K, NULL, NULL, GrB_ABS_FP64, A, NULL));
  TRY(GrB_Matrix_reduce_Monoid(sum, NULL, NULL, GrB_PLUS_MONOID_FP64, K, GrB_DESC_T0));
  TRY(GrB_Vector_nvals(&entries, sum));
  if (entries > 0) TRY(GrB_Vector_reduce_FP64(most, NULL, GrB_MAX_MONOID_FP64, sum, NULL));
out:
  GrB_Vector_free(&sum);
  return info;
}

/* K = A times the rate; rate 0: times share / most, where the quotient itself may be infinite. */
static GrB_Info scale_weights(GrB_Matrix K, GrB_Matrix A, double rate, double share, double most) {
  GrB_Info info;
  if (rate != 0) return GrB_Matrix_apply_BinaryOp2nd_FP64(K, NULL, NULL, GrB_TIMES_FP64, A, rate, NULL);
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(K, NULL, NULL, GrB_DIV_FP64, A, most > 0 ? most : 1, NULL));
  if (share != 1) TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(K, NULL, NULL, GrB_TIMES_FP64, K, share, NULL));
out:
  return info;
}

GrB_Info grid_simulation_begin(simulation *s, GrB_Index *n, GrB_Matrix A, GrB_Vector from, const char *name,
                               double rate, double share, bool positive, const char *call) {
  GrB_Info info;
  distances d;
  double least, most;
  if (from == NULL) return grid_refuse(GrB_NULL_POINTER, call, "%s is NULL", name);
  TRY(square_size(n, A, call));
  TRY(check_vector_size(from, *n, name, call));
  if (!(rate >= 0 && isfinite(rate)))
    return grid_refuse(GrB_INVALID_VALUE, call, "the rate is %g, not a finite number, 0 or more", rate);
  TRY(grid_distances_of(&d, A, call));
  TRY(grid_check_weights(&least, &d, A, positive, call));
  TRY(GrB_Matrix_new(&s->K, GrB_FP64, *n, *n));
  TRY(max_weight_sum(&most, s->K, A, *n));
  if (!isfinite(most))
    return grid_refuse(GrB_INVALID_VALUE, call, "a weight, or the sum of a vertex's weights, is infinite");
  TRY(scale_weights(s->K, A, rate, share, most));
out:
  return info;
}

GrB_Info grid_simulation_sums(simulation *s) {
  GrB_Info info;
  const weighted_sum none = {0, 0};
  TRY(Grid_Type_new(&s->sum, sizeof(weighted_sum), "weighted_sum", weighted_sum_text));
  TRY(Grid_BinaryOp_new(&s->plus, (binary)weighted_plus, s->sum, s->sum, s->sum, "weighted_plus",
                        plain(weighted_plus_text)));
  TRY(GrB_Monoid_new_UDT(&s->monoid, s->plus, (void *)&none));
out:
  return info;
}

GrB_Info grid_simulation_differ(simulation *s) {
  return Grid_BinaryOp_new(&s->differ, (binary)how_far, GrB_FP64, GrB_FP64, GrB_FP64, "how_far",
                           plain(how_far_text));
}

GrB_Info grid_simulation_start(simulation *s, GrB_Vector start, GrB_Index n) {
  GrB_Info info;
  TRY(GrB_Vector_new(&s->start, GrB_FP64, n));
  TRY(GrB_Vector_assign_FP64(s->start, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_assign(s->start, start, NULL, start, GrB_ALL, n, GrB_DESC_S));
out:
  return info;
}

GrB_Info grid_simulation_end(simulation *s, GrB_Vector *out, uint64_t *iterations, double *change,
                             const char *call) {
  GrB_Info info;
  double zero;
  char text[120];
  /* start has n values and is no longer needed; infinity times 0 is NaN, and so is a sum with it */
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(s->start, NULL, NULL, GrB_TIMES_FP64, s->result, 0, NULL));
  TRY(GrB_Vector_reduce_FP64(&zero, NULL, GrB_PLUS_MONOID_FP64, s->start, NULL));
  snprintf(text, sizeof text, "%s: a value is not finite: an initial one, or the weights are too large",
           call);
  if (zero != 0) return Grid_agree(GrB_INVALID_VALUE, text);
  if (iterations != NULL) *iterations = s->iterations;
  if (change != NULL) *change = s->change;
  *out = s->result, s->result = NULL;
out:
  return info;
}

void grid_simulation_free(simulation *s) {
  GrB_Matrix_free(&s->K);
  GrB_Vector_free(&s->start);
  GrB_Vector_free(&s->result);
  GrB_Semiring_free(&s->semiring);
  GrB_Monoid_free(&s->monoid);
  GrB_BinaryOp_free(&s->plus);
  GrB_BinaryOp_free(&s->multiply);
  GrB_BinaryOp_free(&s->apply);
  GrB_BinaryOp_free(&s->differ);
  GrB_Type_free(&s->sum);
}
