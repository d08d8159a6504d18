/* Conjugate gradients for A x = b, A symmetric and positive definite, with the diagonal of A as
 * preconditioner (Jacobi). With r = b - A x, z = r / diagonal, p = z, an iteration is
 *
 *   q = A p,  a = (r, z) / (p, q),  x += a p,  r -= a q,  z = r / diagonal,  p = z + b p
 *
 * with b = (r, z) of this iteration divided by that of the one before.
 *
 * Source: Hestenes, Stiefel (1952); Saad, Iterative methods for sparse linear systems (2003), algorithm 9.1.
 */
#include <math.h>

#include "algos/linear_algebra/full_vectors.h"
#include "algos/checkpoints/resume.h"
#include "algos/support/magnitude.h"

typedef struct {
  const char *call;
  GrB_Matrix A;
  GrB_Index n;
  GrB_Vector x, r, z, p, q, diagonal;
  GrB_Vector t; /* workspace */
  double rz;    /* (r, z) */
  double unit;  /* a power of two; b and x are multiplied by it meanwhile, so that b can be squared */
} conjugate;

/* v *= x */
static GrB_Info scale(GrB_Vector v, double x) {
  return x == 1 ? GrB_SUCCESS : GrB_Vector_apply_BinaryOp2nd_FP64(v, NULL, NULL, GrB_TIMES_FP64, v, x, NULL);
}

/* v = u * unit, 0 where u has no entry; NULL: no entries */
static GrB_Info fill(GrB_Vector v, GrB_Vector u, const conjugate *c) {
  GrB_Info info;
  TRY(GrB_Vector_assign_FP64(v, NULL, NULL, 0, GrB_ALL, c->n, NULL));
  if (u != NULL) TRY(GrB_Vector_assign(v, u, NULL, u, GrB_ALL, c->n, GrB_DESC_S));
  TRY(scale(v, c->unit));
out:
  return info;
}

/* Brings the largest number of b to 1 or near, where its square would overflow or vanish. */
static GrB_Info choose_unit(conjugate *c, GrB_Vector b) {
  GrB_Info info;
  double most;
  c->unit = 1;
  TRY(fill(c->q, b, c));
  TRY(grid_largest(&most, c->q, c->t));
  if (most > 0 && !grid_can_square(most)) c->unit = grid_unit_of(most);
out:
  return info;
}

static GrB_Info find_diagonal(conjugate *c) {
  GrB_Info info;
  GrB_Matrix D = NULL;
  GrB_Index count;
  double least = 1;
  TRY(GrB_Matrix_new(&D, GrB_FP64, c->n, c->n));
  TRY(GrB_Matrix_select_INT64(D, NULL, NULL, GrB_DIAG, c->A, 0, NULL));
  TRY(GrB_Matrix_reduce_Monoid(c->diagonal, NULL, NULL, GrB_PLUS_MONOID_FP64, D, NULL));
  TRY(GrB_Vector_nvals(&count, c->diagonal));
  if (count > 0) TRY(GrB_Vector_reduce_FP64(&least, NULL, GrB_MIN_MONOID_FP64, c->diagonal, NULL));
  if (count < c->n || !(least > 0))
    info = grid_refuse(GrB_INVALID_VALUE, c->call, "A has an entry on its diagonal that is not above 0");
out:
  GrB_Matrix_free(&D);
  return info;
}

static GrB_Info begin(conjugate *c, GrB_Vector b, GrB_Vector start) {
  GrB_Info info;
  GrB_Vector *const all[] = {&c->x, &c->r, &c->z, &c->p, &c->q, &c->diagonal, &c->t};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) TRY(GrB_Vector_new(all[k], GrB_FP64, c->n));
  TRY(find_diagonal(c));
  TRY(choose_unit(c, b));
  TRY(fill(c->x, start, c));
  TRY(fill(c->r, b, c));
  /* r -= A x */
  if (start != NULL) TRY(GrB_mxv(c->r, NULL, GrB_MINUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, c->A, c->x, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(c->z, NULL, NULL, GrB_DIV_FP64, c->r, c->diagonal, NULL));
  TRY(GrB_Vector_assign(c->p, NULL, NULL, c->z, GrB_ALL, c->n, NULL));
  TRY(grid_dot(&c->rz, c->r, c->z, c->t));
  if (!isfinite(c->rz))
    info = grid_refuse(GrB_INVALID_VALUE, c->call,
                       start != NULL ? "b - A start, or that divided by A's diagonal, is too large beside b"
                                     : "b divided by A's diagonal is too large");
out:
  return info;
}

static GrB_Info iterate(conjugate *c) {
  GrB_Info info;
  double pq, before = c->rz;
  TRY(GrB_mxv(c->q, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, c->A, c->p, NULL));
  TRY(grid_dot(&pq, c->p, c->q, c->t));
  if (!(pq > 0) || isinf(pq))
    TRY(grid_refuse(GrB_INVALID_VALUE, c->call, "A is not positive definite, or numbers are too large"));
  TRY(grid_add_multiple(c->x, before / pq, c->p));
  TRY(grid_add_multiple(c->r, -before / pq, c->q));
  TRY(GrB_Vector_eWiseMult_BinaryOp(c->z, NULL, NULL, GrB_DIV_FP64, c->r, c->diagonal, NULL));
  TRY(grid_dot(&c->rz, c->r, c->z, c->t));
  /* z += (r, z) / (r, z)_old p, which is the next p */
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(c->p, NULL, NULL, GrB_TIMES_FP64, c->rz / before, c->p, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(c->p, NULL, NULL, GrB_PLUS_FP64, c->p, c->z, NULL));
out:
  return info;
}

/* *done, 0 at first: the iterations; *residual = |b - A x| / |b| by the recurrence. */
static GrB_Info solve(conjugate *c, uint64_t *done, double *residual, GrB_Vector b, double tolerance,
                      uint64_t limit) {
  GrB_Info info;
  double bb, rr;
  checkpoint_key key;
  const Grid_Checkpoint_Item state[] = {{.name = "x", .vector = c->x},
                                        {.name = "r", .vector = c->r},
                                        {.name = "p", .vector = c->p},
                                        {.name = "rz", .bytes = &c->rz, .size = sizeof c->rz}};
  TRY(grid_checkpoint_key_make(&key, "conjugate_gradient", c->A, c->n));
  TRY(grid_checkpoint_resume(done, &key, state, 4));
  TRY(grid_checkpoint_check_limit(&key, *done, limit));
  TRY(fill(c->q, b, c));
  TRY(grid_dot(&bb, c->q, c->q, c->t));
  if (!isfinite(bb)) TRY(grid_refuse(GrB_INVALID_VALUE, c->call, "b is not finite"));
  for (;;) {
    TRY(grid_dot(&rr, c->r, c->r, c->t));
    *residual = rr == 0 ? 0 : bb == 0 ? INFINITY : sqrt(rr / bb);
    Grid_progress_set(*done, limit);
    if (*residual <= tolerance || *done >= limit) break;
    TRY(iterate(c));
    TRY(grid_checkpoint_iteration(++*done, &key, state, 4));
  }
out:
  return info;
}

/* x of the given b; its numbers may overflow. */
static GrB_Info remove_unit(conjugate *c) {
  GrB_Info info;
  double most;
  if (c->unit == 1) return GrB_SUCCESS;
  TRY(scale(c->x, 1 / c->unit));
  TRY(grid_largest(&most, c->x, c->t));
  if (!isfinite(most)) TRY(grid_refuse(GrB_INVALID_VALUE, c->call, "x is not finite"));
out:
  return info;
}

GrB_Info Grid_conjugate_gradient(GrB_Vector *x, uint64_t *iterations, double *residual, GrB_Matrix A,
                                 GrB_Vector b, GrB_Vector start, double tolerance, uint64_t limit) {
  SPAN;
  GrB_Info info;
  conjugate c = {.call = "Grid_conjugate_gradient", .A = A};
  uint64_t done = 0;
  double left = 0;

  if (x == NULL || b == NULL) return grid_refuse(GrB_NULL_POINTER, c.call, "x or b is NULL");
  TRY(square_size(&c.n, A, c.call));
  TRY(check_vector_size(b, c.n, "b", c.call));
  if (start != NULL) TRY(check_vector_size(start, c.n, "start", c.call));
  TRY(check_not_negative(tolerance, "tolerance", c.call));
  TRY(begin(&c, b, start));
  TRY(solve(&c, &done, &left, b, tolerance, limit));
  TRY(remove_unit(&c));
  *x = c.x, c.x = NULL;
  if (iterations != NULL) *iterations = done;
  if (residual != NULL) *residual = left;
out:
  GrB_Vector_free(&c.x), GrB_Vector_free(&c.r), GrB_Vector_free(&c.z), GrB_Vector_free(&c.p);
  GrB_Vector_free(&c.q), GrB_Vector_free(&c.diagonal), GrB_Vector_free(&c.t);
  return info;
}
