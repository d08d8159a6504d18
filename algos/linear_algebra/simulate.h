/* What the simulations on a graph share (simulate.c): vertex programs with weighted edges. */
#ifndef GRID_SIMULATE_H
#define GRID_SIMULATE_H
#include "algos/support/operators.h"

/* The weighted sum over neighbors, and the sum of the weights. */
WITH_TEXT(
    weighted_sum, typedef struct {
      double sum;
      double weight;
    } weighted_sum;)

typedef struct {
  GrB_Matrix K;      /* FP64: the weights times the rate */
  GrB_Vector start;  /* the first states */
  GrB_Vector result; /* FP64: the last ones */
  uint64_t iterations;
  double change;
  GrB_Type sum;      /* weighted_sum */
  GrB_BinaryOp plus; /* weighted sums of two such pairs */
  GrB_Monoid monoid;
  GrB_BinaryOp multiply, apply, differ;
  GrB_Semiring semiring;
} simulation;

/* Checks A and the vector `from` of n values, and computes K: A in FP64, whose values must be finite and,
 * with `positive`, 0 or more. rate 0: share divided by the largest sum of |A| over the edges to a vertex. */
GrB_Info grid_simulation_begin(simulation *s, GrB_Index *n, GrB_Matrix A, GrB_Vector from, const char *name,
                               double rate, double share, bool positive, const char *call);
/* Creates the type and the monoid of its sums. Local. */
GrB_Info grid_simulation_sums(simulation *s);
/* differ: the distance of two FP64 values. Local. */
GrB_Info grid_simulation_differ(simulation *s);
/* s->start, of n values: those of start, 0 where it has no entry. Collective. */
GrB_Info grid_simulation_start(simulation *s, GrB_Vector start, GrB_Index n);
/* Moves the result, the number of iterations and the last change to a call's outputs; GrB_INVALID_VALUE if a
 * value of the result is not finite. Overwrites s->start, which is FP64. */
GrB_Info grid_simulation_end(simulation *s, GrB_Vector *out, uint64_t *iterations, double *change,
                             const char *call);
void grid_simulation_free(simulation *s);
#endif
