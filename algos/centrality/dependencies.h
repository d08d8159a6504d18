/* The dependencies of one source on all vertices, by Brandes' method (dependencies.c).
 *
 *   TRY(grid_count_paths(&b, source));
 *   for (GrB_Index d = b.paths.count - 1; d > 0; d--) {
 *     TRY(grid_add_path_ends(&b, d));  now b.t is that of level d
 *     TRY(grid_climb(&b, d));          now b.t * b.paths.q[d - 1] are the dependencies on level d - 1
 *   }
 *   grid_levels_clear(&b.paths);
 *
 * or TRY(grid_add_dependencies(&b, sum, NULL, source)) in place of all of it. */
#ifndef GRID_DEPENDENCIES_H
#define GRID_DEPENDENCIES_H
#include "algos/support/levels.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Semiring plus_first, plus_second; /* the graph, of which the pattern alone is used */
  GrB_Vector visited;                   /* vertices found by the search */
  GrB_Vector q;                         /* the paths of its last level */
  GrB_Vector t;                         /* of the backward phase */
  level_list paths;                     /* FP64: of each level */
} dependencies;

/* Of A, n x n. Freed by grid_dependencies_free, also after a failure. Collective, as all below. */
GrB_Info grid_dependencies_begin(dependencies *b, GrB_Matrix A, GrB_Index n);
void grid_dependencies_free(dependencies *b);

/* The forward phase: paths.q[0 ..] from this source. */
GrB_Info grid_count_paths(dependencies *b, GrB_Index source);
/* A step of the backward phase, d from the deepest level to 1: t += 1 / paths.q[d]. */
GrB_Info grid_add_path_ends(dependencies *b, GrB_Index d);
/* ... and the step to the level above: t<paths.q[d - 1], replace> = A plus.second t. */
GrB_Info grid_climb(dependencies *b, GrB_Index d);

/* sum += the dependencies of this source, squares (NULL: none) += their squares. */
GrB_Info grid_add_dependencies(dependencies *b, GrB_Vector sum, GrB_Vector squares, GrB_Index source);
#endif
