/* A matrix of ratings that is to be factored: its checks, and the first factors (ratings.c). */
#ifndef GRID_RATINGS_H
#define GRID_RATINGS_H
#include "algos/checkpoints/resume_matrix.h"

typedef struct {
  const char *call; /* the name for messages */
  GrB_Matrix R;
  GrB_Index m, n, k;
  double lambda;
  GrB_Index count; /* of the ratings */
  double sum;      /* of their absolute values */
  /* checkpoints: of P, Q and the errors */
  checkpoint_key key;
  GrB_Vector errors; /* FP64: of the iterations so far; NULL without a folder */
} ratings;

/* Refuses wrong arguments; P and Q: where the factors are wanted. Sets m and n. Collective, as all below. */
GrB_Info grid_ratings_check(ratings *r, const GrB_Matrix *P, const GrB_Matrix *Q);
/* *size becomes |R|, of FP64. Refuses ratings that are not finite. Sets count and sum. */
GrB_Info grid_ratings_measure(GrB_Matrix *size, ratings *r);
/* *P and *Q become the factors that the header of Grid_factors describes. */
GrB_Info grid_first_factors(GrB_Matrix *P, GrB_Matrix *Q, const ratings *r, uint64_t seed);

/* P, Q, error[0 .. *done) (unless NULL) become those of the newest checkpoint of the computation `name`, of
 * this seed and `rate`, after *done <= iterations; one with more is refused. Without one they do not change.
 */
GrB_Info grid_ratings_resume(uint64_t *done, double *error, ratings *r, GrB_Matrix P, GrB_Matrix Q,
                             const char *name, uint64_t iterations, uint64_t seed, double rate);
/* Writes a checkpoint after `done` iterations where one is due; error: of the factors before the last one. P
 * and Q may be NULL where none is due. */
GrB_Info grid_ratings_record(ratings *r, uint64_t done, double error, GrB_Matrix P, GrB_Matrix Q);
void grid_ratings_free(ratings *r);
#endif
