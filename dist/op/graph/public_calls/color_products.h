/* Grid_Matrix_color by products: its arguments, which are correct; colors may be NULL. In terms of the public
 * calls alone, so that bench/CMakeLists.txt compiles it over SuiteSparse:GraphBLAS, too, as that call. */
#ifndef GRID_COLOR_PRODUCTS_H
#define GRID_COLOR_PRODUCTS_H
#include "gridblas.h"

GrB_Info grid_color_by_products(GrB_Vector color, uint64_t *colors, GrB_Matrix A, uint64_t most,
                                uint64_t seed);
/* The same, but process 0 colors what one or more colors leave as soon as it has at most `limit` vertices and
 * entries. For tests. */
GrB_Info grid_color_by_products_until(uint64_t limit, GrB_Vector color, uint64_t *colors, GrB_Matrix A,
                                      uint64_t most, uint64_t seed);

/* Colors the vertices of `score`, whose neighbors elsewhere have all colors below `first`: color gets theirs,
 * *colors becomes the number of all. A pass by process 0 in descending order of scores (color_remainder.c).
 */
GrB_Info grid_color_remainder(GrB_Vector color, uint64_t *colors, uint64_t first, GrB_Matrix A,
                              GrB_Vector score, bool is_symmetric);
#endif
