/* The dependencies of many sources on all vertices (dependencies_many.c). */
#ifndef GRID_DEPENDENCIES_MANY_H
#define GRID_DEPENDENCIES_MANY_H
#include "algos/centrality/dependencies.h"

/* The most sources at once. */
enum { DEPENDENCIES_MOST = 256 };

/* Searches from several sources, of which each has a column:
 *
 *   TRY(grid_sources_count_paths(&s, &b, sources, nsources));
 *   for (GrB_Index d = s.count - 1; d > 0; d--) {
 *     TRY(grid_sources_add_path_ends(&s, d));  now s.t is that of level d
 *     TRY(grid_sources_climb(&s, d));          now s.t * s.paths[d - 1] are the dependencies on level d - 1
 *   }
 *   grid_sources_free(&s);  also after a failure */
typedef struct {
  const dependencies *b;
  GrB_Index ncols;
  GrB_Matrix *paths;         /* n x ncols, FP64: [d] of the vertices at depth d */
  GrB_Index count, capacity; /* of paths */
  GrB_Matrix all;            /* ... of all levels */
  GrB_Matrix t;              /* as that of dependencies, n x ncols */
} source_columns;

/* Collective, as all below. *s is overwritten. */
GrB_Info grid_sources_count_paths(source_columns *s, const dependencies *b, const GrB_Index *sources,
                                  GrB_Index nsources);
GrB_Info grid_sources_add_path_ends(source_columns *s, GrB_Index d);
GrB_Info grid_sources_climb(source_columns *s, GrB_Index d);
void grid_sources_free(source_columns *s);

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
