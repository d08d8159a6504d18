/* Grid_Matrix_path by products of matrices with vectors: its arguments, which are correct. In terms of the
 * public calls alone, so that bench/CMakeLists.txt compiles it over SuiteSparse:GraphBLAS, too, as that call.
 */
#ifndef GRID_PATH_PRODUCTS_H
#define GRID_PATH_PRODUCTS_H
#include "gridblas.h"

GrB_Info grid_path_by_products(GrB_Vector path, int64_t *length, GrB_Matrix A, GrB_Index source,
                               GrB_Index target);
#endif
