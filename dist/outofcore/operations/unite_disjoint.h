/* A result that is made of terms with no position in common: they are united two by two, and go to pages
 * where memory does not suffice. */
#ifndef GRID_UNITE_DISJOINT_H
#define GRID_UNITE_DISJOINT_H
#include "dist/matrix/matrix.h"

enum { GRID_DISJOINT_SIZES = 64 };
typedef struct {
  const char *path;                        /* pages are made beside this file */
  GrB_Matrix of_size[GRID_DISJOINT_SIZES]; /* the k-th unites 2^k terms, or is NULL */
} grid_disjoint;

/* Adds `term`, in memory, and consumes it. Collective, agreed on. */
GrB_Info grid_disjoint_add(grid_disjoint *p, GrB_Matrix term);
/* *T = all terms united, NULL if there are none. Collective, agreed on. */
GrB_Info grid_disjoint_unite(GrB_Matrix *T, grid_disjoint *p);
/* To be called also after an error. */
void grid_disjoint_free(grid_disjoint *p);
#endif
