/* Grid_Matrix_move_labels by a call of Grid_Matrix_best_label for each class: its arguments, which are
 * correct. In terms of the public calls alone, so that bench/CMakeLists.txt compiles it over
 * SuiteSparse:GraphBLAS, too, as that call. */
#ifndef GRID_LABEL_MOVES_H
#define GRID_LABEL_MOVES_H
#include "gridblas.h"

GrB_Info grid_move_labels_by_calls(GrB_Index *moves, GrB_Vector label, GrB_Matrix A, GrB_Vector weight,
                                   GrB_Vector scale, GrB_Vector bonus, const Grid_Label_Sweep *how);
#endif
