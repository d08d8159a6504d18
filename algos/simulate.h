/* What the simulations on a graph share (simulate.c): vertex programs whose edges weigh. */
#ifndef GRID_SIMULATE_H
#define GRID_SIMULATE_H
#include "algos/operators.h"

/* A weighted sum of neighbours, and the weights in sum. */
WITH_TEXT(
    weighted_sum, typedef struct {
      double sum;
      double weight;
    } weighted_sum;)

typedef struct {
  GrB_Matrix K;      /* FP64: the weights times the rate */
  GrB_Vector start;  /* the first states */
  GrB_Type sum;      /* weighted_sum */
  GrB_BinaryOp plus; /* of two of them */
  GrB_Monoid monoid;
  GrB_BinaryOp multiply, apply, differ;
  GrB_Semiring semiring;
} simulation;

/* Checks A and the vector of n values that comes with it (from, called so), and makes K: of numbers, where
 * `positive` 0 or more. rate 0: share divided by the largest sum of |A| over the edges to a vertex. */
GrB_Info grid_simulation_begin(simulation *s, GrB_Index *n, GrB_Matrix A, GrB_Vector from, const char *name,
                               double rate, double share, bool positive, const char *call);
/* The type, and the monoid of its sums. Local. */
GrB_Info grid_simulation_sums(simulation *s);
/* differ: of two FP64, how far they are from each other. Local. */
GrB_Info grid_simulation_differ(simulation *s);
/* s->start, of n values: start's, 0 where it has none. Collective. */
GrB_Info grid_simulation_start(simulation *s, GrB_Vector start, GrB_Index n);
void grid_simulation_free(simulation *s);
#endif
