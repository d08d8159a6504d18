/* What the algorithms of shortest paths share (paths.c). */
#ifndef GRID_PATHS_H
#define GRID_PATHS_H
#include "algos/algos.h"

/* The types of distances: FP32 or FP64 where the weights are, else INT64. */
typedef struct {
  GrB_Type type;
  bool real;
  GrB_Semiring min_plus;
  GrB_Monoid min, sum;         /* sum: of weights; FP64 for integers */
  GrB_BinaryOp at_least, less; /* x >= y, x < y */
} distances;

/* The distance type that belongs to the weights of A. */
GrB_Info grid_distances_of(distances *d, GrB_Matrix A, const char *call);
/* Distances of integer weights are INT64. Where the weights of A, of n rows, are INT32 and no distance, nor
 * its sum with one more edge, can exceed it, d becomes INT32. A product then need not cast the weights. */
GrB_Info grid_distances_narrow(distances *d, GrB_Matrix A, GrB_Index n);
/* Refuses NaN, minus infinity and, with `positive`, weights below 0. *least: the smallest weight, 0 for a
 * matrix without entries. */
GrB_Info grid_check_weights(double *least, const distances *d, GrB_Matrix A, bool positive, const char *call);
/* Refuses integer weights whose sum, and so perhaps a distance, is more than an INT64: searches would not
 * end. */
GrB_Info grid_check_sum(const distances *d, GrB_Matrix A, const char *call);

/* improved = the entries of `offer` (of d->type) that are less than t or that t lacks; t gets them. offer
 * may be improved itself. */
GrB_Info grid_keep_improved(GrB_Vector t, GrB_Vector offer, GrB_Vector worse, const distances *d);
/* The same of matrices: offer = its entries that are less than t's or that t lacks; t gets them. */
GrB_Info grid_keep_improved_matrix(GrB_Matrix t, GrB_Matrix offer, GrB_Matrix worse, const distances *d);

/* A semiring of steps: the minimum of sums of a distance and a weight, with the vertex that it comes from. */
typedef struct {
  GrB_Type step;
  GrB_BinaryOp least, go;
  GrB_Monoid monoid;
  GrB_Semiring semiring;
  GrB_IndexUnaryOp start;   /* from a distance to the step that begins there */
  GrB_UnaryOp length, from; /* FP64; INT64 */
} path_steps;
/* Local; sums round as those of d. */
GrB_Info grid_steps_new(path_steps *s, const distances *d);
void grid_steps_free(path_steps *s);

/* *found: there certainly is a cycle of negative weight, formed by the parents, each the neighbor with the
 * least offer. t are the current distances of rounds that began with 0 at one vertex and only decrease. A
 * cycle may still be undetected. */
GrB_Info grid_negative_cycle(bool *found, GrB_Matrix A, GrB_Vector t, const distances *d);

/* *parent becomes a new INT64 vector over the entries of t, the final distances from source: t(parent(v)) +
 * weight == t(v), and the parents form a tree with the source as root. Refuses integers beyond 2^53.
 * Collective. */
GrB_Info grid_find_parents(GrB_Vector *parent, GrB_Matrix A, GrB_Vector t, GrB_Index source,
                           const distances *d, const char *call);
#endif
