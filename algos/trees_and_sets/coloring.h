/* The steps of Grid_coloring (coloring.c). */
#ifndef GRID_COLORING_H
#define GRID_COLORING_H
#include "algos/algos.h"

/* Grid_coloring, but process 0 colors the rest as soon as it has at most `few` vertices and entries. For
 * tests. */
GrB_Info grid_coloring_until(uint64_t few, GrB_Vector *color, uint64_t *colors, GrB_Matrix A, uint64_t seed);

/* Colors the vertices of `score`, whose neighbors elsewhere have all colors below `first`: color gets theirs,
 * *colors becomes the number of all. A pass by process 0 in descending order of scores. */
GrB_Info grid_coloring_on_one_process(GrB_Vector color, uint64_t *colors, uint64_t first, GrB_Matrix A,
                                      GrB_Vector score, bool is_symmetric);
#endif
