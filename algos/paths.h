/* What the algorithms of shortest paths share (paths.c). */
#ifndef GRID_PATHS_H
#define GRID_PATHS_H
#include "algos/algos.h"

/* Distances are FP32 or FP64 where the weights are, else INT64. */
typedef struct {
  GrB_Type type;
  bool real;
  GrB_Semiring min_plus;
  GrB_Monoid min, sum;
  GrB_BinaryOp at_least, less; /* x >= y, x < y */
} distances;

/* What belongs to the weights of A. */
GrB_Info grid_distances_of(distances *d, GrB_Matrix A, const char *call);
/* INT32 in place of INT64: for the caller who knows that they fit, sums of one edge more included. */
void grid_distances_narrow(distances *d);
/* Refuses NaN, and where `positive` weights below 0. *least: the smallest weight, 0 of a matrix without
 * entries. */
GrB_Info grid_check_weights(double *least, const distances *d, GrB_Matrix A, bool positive, const char *call);

/* improved = those of `offer` (of d->type) that are less than t, or new; then t takes them. offer may be
 * improved itself. */
GrB_Info grid_keep_improved(GrB_Vector t, GrB_Vector offer, GrB_Vector worse, const distances *d);

/* A semiring of steps: the least of sums of a distance and a weight, and the vertex that it comes from. */
typedef struct {
  GrB_Type step;
  GrB_BinaryOp least, go;
  GrB_Monoid monoid;
  GrB_Semiring semiring;
  GrB_IndexUnaryOp start;   /* of a distance: the step that begins there */
  GrB_UnaryOp length, from; /* FP64; INT64 */
} path_steps;
/* Local; sums round as d's do. */
GrB_Info grid_steps_new(path_steps *s, const distances *d);
void grid_steps_free(path_steps *s);

/* *found: there is a cycle of negative weight, for certain: vertices each of which has its neighbour in the
 * cycle as the one that offers it the least, as t are now in rounds that begin with 0 at some vertex and let
 * distances only fall. One that is there may not be seen yet. */
GrB_Info grid_negative_cycle(bool *found, GrB_Matrix A, GrB_Vector t, const distances *d);

/* *parent becomes a new INT64 vector over the entries of t, the final distances from source: t(parent(v)) +
 * weight == t(v), and the parents are a tree from the source. Collective. */
GrB_Info grid_find_parents(GrB_Vector *parent, GrB_Matrix A, GrB_Vector t, GrB_Index source,
                           const distances *d);
#endif
