/* A result that is made of terms with no position in common, as where an operation moves entries: they are
 * united two by two, and go to pages where memory does not suffice. */
#ifndef GRID_UNITE_DISJOINT_H
#define GRID_UNITE_DISJOINT_H
#include "dist/matrix/matrix.h"

enum { GRID_DISJOINT_SIZES = 64 };
typedef struct {
  const char *path;                        /* pages are made beside this file */
  GrB_Matrix of_size[GRID_DISJOINT_SIZES]; /* the k-th unites 2^k terms, or is NULL */
} grid_disjoint;

/* Adds `term` and consumes it. Collective, agreed on. */
GrB_Info grid_disjoint_add(grid_disjoint *p, GrB_Matrix term);
/* *T, of the terms' type and dimensions, = all of them united. Collective, agreed on. */
GrB_Info grid_disjoint_unite(GrB_Matrix *T, grid_disjoint *p, GrB_Type type, uint64_t nrows, uint64_t ncols);
/* To be called also after an error. */
void grid_disjoint_free(grid_disjoint *p);

/* *t, for C's block: the entries of A, a row panel in memory, in their new places. Collective; *t is freed by
 * the caller, after an error too. */
typedef GrB_Info grid_move_entries(grid_local_matrix *t, const void *context, GrB_Matrix A);
/* Adds what `move` makes of A's row panels. Collective, agreed on. */
GrB_Info grid_disjoint_move(grid_disjoint *p, GrB_Matrix C, GrB_Matrix A, grid_move_entries *move,
                            const void *context);
/* *T, of that type and C's dimensions, = what `move` makes of A's row panels. Collective, agreed on. */
GrB_Info grid_move_panels(GrB_Matrix *T, GrB_Type type, GrB_Matrix C, GrB_Matrix A, grid_move_entries *move,
                          const void *context);
/* *T, like C, = t, this process's block of it, which is consumed. Collective, agreed on with `info`. */
GrB_Info grid_matrix_from_lmat(GrB_Matrix *T, GrB_Matrix C, grid_local_matrix *t, GrB_Info info);
#endif
