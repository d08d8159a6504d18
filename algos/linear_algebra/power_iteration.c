/* The eigenvalue of largest absolute value of any square matrix, and its vector, by power iteration:
 *
 *   w = A x,  value = (x, w),  residual = |w - value x| / |w|,  x = w / |w|
 *
 * Source: Golub, Van Loan, Matrix computations (2013), section 7.3. */
#include "algos/checkpoints/resume.h"
#include "algos/linear_algebra/full_vectors.h"
#include "algos/support/random_values.h"

typedef struct {
  const char *call; /* for messages */
  GrB_Matrix A;
  GrB_Index n;
  GrB_Vector x, w, y, t; /* w = A x; y, t: workspace */
  double value, residual, norm;
} power;

/* x = v / norm */
static GrB_Info scale(power *p, GrB_Vector v, double norm) {
  return GrB_Vector_apply_BinaryOp2nd_FP64(p->x, NULL, NULL, GrB_DIV_FP64, v, norm, NULL);
}

/* x = start, 0 where it has no entry, or random numbers; of norm 1. */
static GrB_Info make_start(power *p, GrB_Vector start, uint64_t seed) {
  GrB_Info info;
  GrB_Matrix F = NULL;
  TRY(GrB_Vector_assign_FP64(p->w, NULL, NULL, 0, GrB_ALL, p->n, NULL));
  if (start != NULL) {
    TRY(check_vector_size(start, p->n, "start", p->call));
    TRY(GrB_Vector_assign(p->w, start, NULL, start, GrB_ALL, p->n, GrB_DESC_S));
  } else {
    TRY(GrB_Matrix_new(&F, GrB_FP64, p->n, 1));
    TRY(grid_draw_matrix(F, p->n, 1, 1, seed << 32));
    TRY(GrB_Col_extract(p->w, NULL, NULL, F, GrB_ALL, p->n, 0, NULL));
  }
  TRY(grid_norm(&p->norm, p->w, p->t, p->call));
  if (p->norm == 0 && p->n > 0) TRY(grid_refuse(GrB_INVALID_VALUE, p->call, "start is 0"));
  TRY(scale(p, p->w, p->n > 0 ? p->norm : 1));
out:
  GrB_Matrix_free(&F);
  return info;
}

static GrB_Info begin(power *p, GrB_Vector start, uint64_t seed, double tolerance) {
  GrB_Info info;
  TRY(square_size(&p->n, p->A, p->call));
  TRY(check_not_negative(tolerance, "tolerance", p->call));
  TRY(GrB_Vector_new(&p->x, GrB_FP64, p->n));
  TRY(GrB_Vector_new(&p->w, GrB_FP64, p->n));
  TRY(GrB_Vector_new(&p->y, GrB_FP64, p->n));
  TRY(GrB_Vector_new(&p->t, GrB_FP64, p->n));
  TRY(make_start(p, start, seed));
out:
  return info;
}

/* w = A x, and the value and the residual of x. */
static GrB_Info multiply(power *p) {
  GrB_Info info;
  double rest;
  TRY(GrB_Vector_assign_FP64(p->w, NULL, NULL, 0, GrB_ALL, p->n, NULL));
  TRY(GrB_mxv(p->w, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, p->A, p->x, NULL));
  TRY(grid_norm(&p->norm, p->w, p->t, p->call));
  TRY(grid_dot(&p->value, p->x, p->w, p->t));
  TRY(GrB_Vector_assign(p->y, NULL, NULL, p->w, GrB_ALL, p->n, NULL));
  TRY(grid_add_multiple(p->y, -p->value, p->x));
  TRY(grid_norm(&rest, p->y, p->t, p->call));
  p->residual = p->norm > 0 ? rest / p->norm : 0;
out:
  return info;
}

/* *done: products. The vector x remains that of the last value. */
static GrB_Info iterate(power *p, uint64_t *done, double tolerance, uint64_t limit, uint64_t seed) {
  GrB_Info info;
  checkpoint_key c;
  TRY(grid_checkpoint_key_make(&c, "power_iteration", p->A, p->n));
  c.key[3] = seed;
  TRY(grid_checkpoint_resume(done, &c, &(Grid_Checkpoint_Item){.name = "x", .vector = p->x}, 1));
  TRY(grid_checkpoint_check_limit(&c, *done + (*done > 0), limit)); /* one more product follows */
  for (;;) {
    Grid_progress_set(*done, limit);
    TRY(multiply(p));
    if (++*done >= limit || p->norm == 0 || p->residual < tolerance) break;
    TRY(scale(p, p->w, p->norm));
    TRY(grid_checkpoint_iteration(*done, &c, &(Grid_Checkpoint_Item){.name = "x", .vector = p->x}, 1));
  }
out:
  return info;
}

GrB_Info Grid_power_iteration(double *value, GrB_Vector *vector, uint64_t *iterations, double *residual,
                              GrB_Matrix A, GrB_Vector start, double tolerance, uint64_t limit,
                              uint64_t seed) {
  SPAN;
  GrB_Info info;
  power p = {.call = "Grid_power_iteration", .A = A};
  uint64_t done = 0;

  if (value == NULL && vector == NULL && iterations == NULL && residual == NULL)
    return grid_refuse(GrB_NULL_POINTER, p.call, "all outputs are NULL");
  TRY(check_distinct(value, residual, p.call));
  TRY(begin(&p, start, seed, tolerance));
  TRY(iterate(&p, &done, tolerance, limit, seed));
  if (value != NULL) *value = p.value;
  if (vector != NULL) *vector = p.x, p.x = NULL;
  if (iterations != NULL) *iterations = done;
  if (residual != NULL) *residual = p.residual;
out:
  GrB_Vector_free(&p.x);
  GrB_Vector_free(&p.w);
  GrB_Vector_free(&p.y);
  GrB_Vector_free(&p.t);
  return info;
}
