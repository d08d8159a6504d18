/* Checks of a spectral embedding (check_spectral_embedding.c). */
#ifndef GRID_CHECK_SPECTRAL_EMBEDDING_H
#define GRID_CHECK_SPECTRAL_EMBEDDING_H
#include "bench/check/check_graph.h"

typedef struct {
  uint64_t k;                /* coordinates */
  const double *value;       /* k of them: of the normalized Laplacian */
  const double *coordinates; /* n x k by rows */
  double residual;
  bool all; /* no smaller value may be missing */
} check_embedding;

/* NULL: the values ascend from 0, the coordinates are orthonormal by degrees, and orthogonal to the constant
 * one, and (D - A) x = value D x within the residual. The graph is that of g's edges in both directions. Else
 * the error in text. */
const char *check_spectral_embedding(const check_graph *g, const check_embedding *is, char *text,
                                     size_t capacity);
#endif
