/* Lanczos' method: the largest eigenvalues of a symmetric A, of A' A, or of A scaled (lanczos.c). */
#ifndef GRID_LANCZOS_H
#define GRID_LANCZOS_H
#include "algos/algos.h"

typedef struct {
  const char *call; /* for messages */
  GrB_Matrix A;
  bool gram;        /* the matrix is A' A */
  GrB_Index n;      /* its rows */
  GrB_Index nrows;  /* gram: rows of A */
  GrB_Vector scale; /* not NULL: the matrix is S A S, where S has this full vector as its diagonal */
  GrB_Vector
      deflated;     /* not NULL: an eigenvector of norm 1, full, to which all others are orthogonal; k < n */
  uint64_t k, most; /* eigenvalues wanted; most vectors of the basis */
  uint64_t seed;
  GrB_Vector *q; /* the basis, of m vectors */
  uint64_t m;
  GrB_Vector w, t, y;             /* the next vector; workspace; gram: A q */
  double *alpha, *beta;           /* the diagonal of T, and the entries beside it */
  double *T, *value, *s, largest; /* T's eigenvalues and vectors, by rows; the largest |value| */
} lanczos;

/* Computes the pairs of l->A, with l->call, A, gram, scale, deflated and seed set and the rest 0. *rows:
 * products made. Free l in any case; that leaves scale and deflated. */
GrB_Info grid_lanczos_run(lanczos *l, uint64_t *rows, double *residual, int64_t nvalues, double tolerance,
                          uint64_t limit);
void grid_lanczos_free(lanczos *l);
/* *values = the eigenvalues; *V = their vectors, a column each. */
GrB_Info grid_lanczos_values(GrB_Vector *values, const lanczos *l);
GrB_Info grid_lanczos_vectors(GrB_Matrix *V, lanczos *l, uint64_t rows);
#endif
