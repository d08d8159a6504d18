/* Factors of a rating matrix by gradient descent: R(u,v) is about the product of row u of P and row v of Q.
 *
 * E = R - P Q' where R has entries (a masked product: one dot product for each rating); then P += rate (E Q
 * - lambda P) and Q += rate (E' P - lambda Q), both with the factors of the iteration before.
 *
 * Sources: Koren, Bell, Volinsky, Matrix factorization techniques for recommender systems (2009); with full
 * gradients as here: Jia et al., A distributed multi-GPU system for fast graph processing (2017), section
 * 3.4. */
#include <math.h>

#include "algos/linear_algebra/ratings.h"
#include "algos/support/rounds.h"

typedef struct {
  ratings r;
  GrB_Matrix P, Q;          /* FP64, full */
  GrB_Matrix E, square;     /* FP64: errors; workspace */
  GrB_Matrix rows, columns; /* FP64: E Q and E' P */
  double rate;
} descent;

/* The largest sum of absolute ratings in a row; by_column: in a column. */
static GrB_Info max_weight_sum(double *most, GrB_Matrix size, GrB_Index n, bool by_column) {
  GrB_Info info;
  GrB_Vector sum = NULL;
  TRY(GrB_Vector_new(&sum, GrB_FP64, n));
  TRY(GrB_Matrix_reduce_Monoid(sum, NULL, NULL, GrB_PLUS_MONOID_FP64, size, by_column ? GrB_DESC_T0 : NULL));
  TRY(GrB_Vector_reduce_FP64(most, NULL, GrB_MAX_MONOID_FP64, sum, NULL));
out:
  GrB_Vector_free(&sum);
  return info;
}

/* The default rate is half the inverse of the largest sum of absolute ratings, for which a step decreases the
 * error. */
static GrB_Info begin(descent *d, uint64_t seed) {
  GrB_Info info;
  ratings *r = &d->r;
  double rows = 0, columns = 0;
  TRY(grid_ratings_measure(&d->E, r));
  TRY(GrB_Matrix_new(&d->square, GrB_FP64, r->m, r->n));
  TRY(GrB_Matrix_new(&d->rows, GrB_FP64, r->m, r->k));
  TRY(GrB_Matrix_new(&d->columns, GrB_FP64, r->n, r->k));
  if (r->count > 0) {
    TRY(max_weight_sum(&rows, d->E, r->m, false));
    TRY(max_weight_sum(&columns, d->E, r->n, true));
  }
  if (d->rate == 0) d->rate = r->sum > 0 ? 0.5 / fmax(rows, columns) : 0.5;
  TRY(grid_first_factors(&d->P, &d->Q, r, seed));
out:
  return info;
}

/* E = R - P Q' at the ratings; *error: the root of the mean of its squares. */
static GrB_Info compute_errors(double *error, descent *d) {
  GrB_Info info;
  double sum = 0;
  TRY(GrB_mxm(d->E, d->r.R, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, d->P, d->Q, GrB_DESC_RST1));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(d->E, NULL, NULL, GrB_MINUS_FP64, d->r.R, d->E, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(d->square, NULL, NULL, GrB_TIMES_FP64, d->E, d->E, NULL));
  if (d->r.count > 0) TRY(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, d->square, NULL));
  *error = d->r.count > 0 ? sqrt(sum / (double)d->r.count) : 0;
out:
  return info;
}

/* F = (1 - rate lambda) F + rate pull */
static GrB_Info gradient_step(GrB_Matrix F, GrB_Matrix pull, const descent *d) {
  GrB_Info info;
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(F, NULL, NULL, GrB_TIMES_FP64, F, 1 - d->rate * d->r.lambda, NULL));
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(F, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, pull, d->rate, NULL));
out:
  return info;
}

static GrB_Info step(descent *d) {
  GrB_Info info;
  TRY(GrB_mxm(d->rows, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, d->E, d->Q, NULL));
  TRY(GrB_mxm(d->columns, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, d->E, d->P, GrB_DESC_T0));
  TRY(gradient_step(d->P, d->rows, d));
  TRY(gradient_step(d->Q, d->columns, d));
out:
  return info;
}

static GrB_Info run(double *error, descent *d, uint64_t iterations, uint64_t seed) {
  GrB_Info info = GrB_SUCCESS; /* without an error output and without iterations nothing is computed */
  char text[120];
  double now = 0;
  uint64_t done = 0;
  TRY(grid_ratings_resume(&done, error, &d->r, d->P, d->Q, "factors", iterations, seed, d->rate));
  grid_rebalance_begin();
  for (uint64_t t = done; t <= iterations; t++) {
    if (t == iterations && error == NULL) break;
    TRY(grid_rebalance_round(d->r.R, (double)(iterations - t)));
    TRY(compute_errors(&now, d));
    snprintf(text, sizeof text, "Grid_factors: iteration %llu of rate %g diverges: it needs a smaller one",
             (unsigned long long)t, d->rate);
    if (!isfinite(now)) TRY(Grid_agree(GrB_INVALID_VALUE, text));
    if (error != NULL) error[t] = now;
    if (t == iterations) break;
    TRY(step(d));
    TRY(grid_ratings_record(&d->r, t + 1, now, d->P, d->Q));
  }
out:
  return info;
}

GrB_Info Grid_factors(GrB_Matrix *P, GrB_Matrix *Q, double *error, GrB_Matrix R, GrB_Index k, double rate,
                      double lambda, uint64_t iterations, uint64_t seed) {
  SPAN;
  descent d = {.r = {.call = "Grid_factors", .R = R, .k = k, .lambda = lambda}, .rate = rate};
  GrB_Info info;

  TRY(grid_ratings_check(&d.r, P, Q));
  TRY(check_not_negative(rate, "rate", d.r.call));
  TRY(begin(&d, seed));
  TRY(run(error, &d, iterations, seed));
  *P = d.P, d.P = NULL;
  *Q = d.Q, d.Q = NULL;

out:
  GrB_Matrix_free(&d.P);
  GrB_Matrix_free(&d.Q);
  GrB_Matrix_free(&d.E);
  GrB_Matrix_free(&d.square);
  GrB_Matrix_free(&d.rows);
  GrB_Matrix_free(&d.columns);
  grid_ratings_free(&d.r);
  return info;
}
