/* Grid_Matrix_peel by products: its arguments, which are correct. In terms of the public calls alone, so that
 * bench/CMakeLists.txt compiles it over SuiteSparse:GraphBLAS, too, as that call. */
#ifndef GRID_PEEL_PRODUCTS_H
#define GRID_PEEL_PRODUCTS_H
#include "gridblas.h"

GrB_Info grid_peel_by_products(GrB_Vector degree, Grid_Peel_Level *levels, GrB_Index *n, GrB_Matrix A,
                               int64_t first, int64_t last);
#endif
