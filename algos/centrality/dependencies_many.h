/* The dependencies of many sources on all vertices (dependencies_many.c). */
#ifndef GRID_DEPENDENCIES_MANY_H
#define GRID_DEPENDENCIES_MANY_H
#include "algos/centrality/dependencies.h"

/* The most sources at once. */
enum { DEPENDENCIES_MOST = 256 };

/* Of `left` sources, at least 1, so many are best added in the next call of grid_add_dependencies_many; on
 * one GPU also of grid_add_edge_dependencies, but 1 by vectors. */
GrB_Index grid_dependencies_batch(const dependencies *b, GrB_Index left);
/* sum += the dependencies of these sources, squares (NULL: none) += their squares: of one with vectors, of
 * more with matrices. */
GrB_Info grid_add_dependencies_many(dependencies *b, GrB_Vector sum, GrB_Vector squares,
                                    const GrB_Index *sources, GrB_Index nsources);
/* sum, FP64 with the pattern of b's graph, += the dependencies of these sources on its edges, by matrices. */
GrB_Info grid_add_edge_dependencies(GrB_Matrix sum, const dependencies *b, const GrB_Index *sources,
                                    GrB_Index nsources);
#endif
