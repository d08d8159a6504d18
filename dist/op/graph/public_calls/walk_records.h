/* Grid_Matrix_walk by records of walks: its arguments, which are correct. In terms of the public calls alone,
 * so that bench/CMakeLists.txt compiles it over SuiteSparse:GraphBLAS, too, as that call. */
#ifndef GRID_WALK_RECORDS_H
#define GRID_WALK_RECORDS_H
#include "gridblas.h"

GrB_Info grid_walk_by_records(GrB_Matrix walks, GrB_Matrix A, GrB_Vector start, bool weighted, double p,
                              double q, uint64_t seed);
#endif
