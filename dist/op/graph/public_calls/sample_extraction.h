/* Grid_Matrix_sample by extraction of the rows: its arguments, which are correct. In terms of the public
 * calls alone, so that bench/CMakeLists.txt compiles it over SuiteSparse:GraphBLAS, too, as that call. */
#ifndef GRID_SAMPLE_EXTRACTION_H
#define GRID_SAMPLE_EXTRACTION_H
#include "gridblas.h"

GrB_Info grid_sample_by_extraction(GrB_Matrix C, GrB_Vector columns, GrB_Matrix A, GrB_Vector count,
                                   uint64_t seed);
#endif
