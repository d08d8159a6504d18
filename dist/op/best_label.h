/* The operands of Grid_Matrix_best_label (matrix_best_label.c), and its method by products. In terms of the
 * public calls alone: bench/peer compiles it over SuiteSparse:GraphBLAS, too. */
#ifndef GRID_BEST_LABEL_H
#define GRID_BEST_LABEL_H
#include "gridblas.h"

typedef struct {
  GrB_Matrix A;
  GrB_Vector label, price, scale, bonus; /* the last three may be NULL */
  GrB_Index n;
  bool count; /* entries of A count 1 */
} grid_label_operands;

GrB_Info grid_best_label_by_products(GrB_Vector best, const grid_label_operands *x);
#endif
