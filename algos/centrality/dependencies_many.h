/* The dependencies of many sources on all vertices (dependencies_many.c). */
#ifndef GRID_DEPENDENCIES_MANY_H
#define GRID_DEPENDENCIES_MANY_H
#include "algos/centrality/dependencies.h"

/* The most sources at once. */
enum { DEPENDENCIES_MOST = 256 };

/* Number of sources whose dependencies grid_add_dependencies_many best adds in one call: the same on all
 * processes. */
GrB_Index grid_dependencies_batch(const dependencies *b);

/* sum += the dependencies of these sources, squares (NULL: none) += their squares: of one with vectors, of
 * more with a column of matrices for each. Collective. */
GrB_Info grid_add_dependencies_many(dependencies *b, GrB_Vector sum, GrB_Vector squares,
                                    const GrB_Index *sources, GrB_Index nsources);
#endif
