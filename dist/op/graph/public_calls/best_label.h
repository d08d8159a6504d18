/* Grid_Matrix_best_label by products: its arguments, which are correct. In terms of the public calls alone,
 * so that bench/CMakeLists.txt compiles it over SuiteSparse:GraphBLAS, too, as that call. */
#ifndef GRID_BEST_LABEL_H
#define GRID_BEST_LABEL_H
#include "gridblas.h"

GrB_Info grid_best_label_by_products(GrB_Vector best, GrB_Matrix A, GrB_Vector label, GrB_Vector price,
                                     GrB_Vector scale, GrB_Vector bonus, bool count);
#endif
