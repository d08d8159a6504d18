/* Grid_Matrix_distances by products: its arguments, which are correct. In terms of the public calls alone, so
 * that bench/CMakeLists.txt compiles it over SuiteSparse:GraphBLAS, too, as that call. */
#ifndef GRID_DISTANCES_PRODUCTS_H
#define GRID_DISTANCES_PRODUCTS_H
#include "gridblas.h"

GrB_Info grid_distances_by_products(GrB_Vector reached, GrB_Vector sum, GrB_Vector nearness,
                                    GrB_Vector farthest, int64_t *eccentricity, GrB_Matrix A,
                                    const GrB_Index *sources, GrB_Index nsources);
#endif
