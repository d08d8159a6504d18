/* A matrix of ratings that is to be factored: its checks, and the first factors (ratings.c). */
#ifndef GRID_RATINGS_H
#define GRID_RATINGS_H
#include "algos/algos.h"

typedef struct {
  const char *call; /* the name for messages */
  GrB_Matrix R;
  GrB_Index m, n, k;
  double lambda;
  GrB_Index count; /* of the ratings */
  double sum;      /* of their absolute values */
} ratings;

/* Refuses wrong arguments; P and Q: where the factors are wanted. Sets m and n. Collective, as all below. */
GrB_Info grid_ratings_check(ratings *r, const GrB_Matrix *P, const GrB_Matrix *Q);
/* *size becomes |R|, of FP64. Refuses ratings that are not finite. Sets count and sum. */
GrB_Info grid_ratings_measure(GrB_Matrix *size, ratings *r);
/* *P and *Q become the factors that the header of Grid_factors describes. */
GrB_Info grid_first_factors(GrB_Matrix *P, GrB_Matrix *Q, const ratings *r, uint64_t seed);
#endif
