/* See ratings.h. */
#include "algos/linear_algebra/ratings.h"

#include <math.h>
#include <stdlib.h>

#include "algos/support/magnitude.h"
#include "algos/support/random_values.h"

GrB_Info grid_ratings_check(ratings *r, const GrB_Matrix *P, const GrB_Matrix *Q) {
  GrB_Info info;
  int32_t code = 0;
  if (P == NULL || Q == NULL || r->R == NULL)
    return grid_refuse(GrB_NULL_POINTER, r->call,
                       P == NULL   ? "P is NULL"
                       : Q == NULL ? "Q is NULL"
                                   : "R is NULL");
  TRY(check_distinct(P, Q, r->call));
  if (r->k == 0) return grid_refuse(GrB_INVALID_VALUE, r->call, "k is 0");
  TRY(check_not_negative(r->lambda, "lambda", r->call));
  TRY(Grid_agree(GrB_Matrix_get_INT32(r->R, &code, GrB_EL_TYPE_CODE), NULL));
  if (code == GrB_UDT_CODE)
    return grid_refuse(GrB_DOMAIN_MISMATCH, r->call, "the ratings have a user-defined type");
  TRY(GrB_Matrix_nrows(&r->m, r->R));
  TRY(GrB_Matrix_ncols(&r->n, r->R));
out:
  return info;
}

GrB_Info grid_ratings_measure(GrB_Matrix *size, ratings *r) {
  GrB_Info info;
  TRY(GrB_Matrix_new(size, GrB_FP64, r->m, r->n));
  TRY(GrB_Matrix_nvals(&r->count, r->R));
  TRY(GrB_Matrix_apply(*size, NULL, NULL, GrB_ABS_FP64, r->R, NULL));
  r->sum = 0;
  if (r->count > 0) TRY(GrB_Matrix_reduce_FP64(&r->sum, NULL, GrB_PLUS_MONOID_FP64, *size, NULL));
  if (!isfinite(r->sum))
    TRY(grid_refuse(GrB_INVALID_VALUE, r->call, "a rating is not a number, or infinite"));
  if (r->sum > 0 && !grid_can_square(r->sum / (double)r->count))
    TRY(grid_refuse(
        GrB_INVALID_VALUE, r->call,
        "the mean of |ratings| is %g: multiply them by a number, since squares overflow or vanish",
        r->sum / (double)r->count));
out:
  return info;
}

/* Their products are about the mean rating. */
GrB_Info grid_first_factors(GrB_Matrix *P, GrB_Matrix *Q, const ratings *r, uint64_t seed) {
  GrB_Info info;
  const double mean = r->sum > 0 ? r->sum / (double)r->count : 1, scale = 2 * sqrt(mean / (double)r->k);
  TRY(GrB_Matrix_new(P, GrB_FP64, r->m, r->k));
  TRY(GrB_Matrix_new(Q, GrB_FP64, r->n, r->k));
  TRY(grid_draw_matrix(*P, r->m, r->k, scale, 2 * seed));
  TRY(grid_draw_matrix(*Q, r->n, r->k, scale, 2 * seed + 1));
out:
  return info;
}

/* ---- checkpoints: P, Q and the errors ---- */

/* Of r->errors: no computation has more iterations. */
static const GrB_Index most_iterations = (GrB_Index)1 << 60;

enum { MATRICES = 2 };

static void list_matrices(checkpoint_matrix *m, GrB_Matrix P, GrB_Matrix Q) {
  m[0] = (checkpoint_matrix){.name = "P", .M = P, .type = GrB_FP64};
  m[1] = (checkpoint_matrix){.name = "Q", .M = Q, .type = GrB_FP64};
}

/* error[0..done) = those of the checkpoint. */
static GrB_Info restore_errors(double *error, const ratings *r, uint64_t done) {
  GrB_Info info;
  GrB_Index count = done, *at = malloc((done + 1) * sizeof *at);
  TRY(Grid_agree(at == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the errors of a checkpoint"));
  TRY(GrB_Vector_extractTuples_FP64(at, error, &count, r->errors));
out:
  free(at);
  return info;
}

GrB_Info grid_ratings_resume(uint64_t *done, double *error, ratings *r, GrB_Matrix P, GrB_Matrix Q,
                             const char *name, uint64_t iterations, uint64_t seed, double rate) {
  GrB_Info info;
  checkpoint_matrix m[MATRICES];
  TRY(grid_checkpoint_key_make(&r->key, name, r->R, r->m));
  if (!grid_checkpoint_is_set()) goto out;
  const uint64_t numbers[] = {r->n, r->k, grid_key_of(r->lambda), seed};
  r->key.key[3] = grid_key_of_bytes(numbers, sizeof numbers);
  r->key.key[4] = grid_key_of(rate);
  TRY(GrB_Vector_new(&r->errors, GrB_FP64, most_iterations));
  const Grid_Checkpoint_Item state[] = {{.name = "errors", .vector = r->errors}};
  list_matrices(m, P, Q);
  TRY(grid_checkpoint_resume_matrices(done, &r->key, state, 1, m, MATRICES));
  TRY(grid_checkpoint_check_limit(&r->key, *done, iterations));
  if (error != NULL) TRY(restore_errors(error, r, *done));
out:
  return info;
}

GrB_Info grid_ratings_record(ratings *r, uint64_t done, double error, GrB_Matrix P, GrB_Matrix Q) {
  GrB_Info info = GrB_SUCCESS;
  checkpoint_matrix m[MATRICES];
  if (r->errors == NULL) return info;
  const Grid_Checkpoint_Item state[] = {{.name = "errors", .vector = r->errors}};
  list_matrices(m, P, Q);
  TRY(GrB_Vector_setElement_FP64(r->errors, error, done - 1));
  TRY(grid_checkpoint_iteration_matrices(done, &r->key, state, 1, m, MATRICES));
out:
  return info;
}

void grid_ratings_free(ratings *r) {
  GrB_Vector_free(&r->errors);
}
