/* matrix_output.h: how every operation with a matrix output begins and ends. */
#ifndef GRID_MATRIX_OUTPUT_H
#define GRID_MATRIX_OUTPUT_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* What every operation with a matrix output C<mask> accum= ... starts with: checks C, mask, accum, desc, that
 * the mask fits C, that accum takes and gives types that C and `ttype` (the type of the result before
 * accumulation) can be cast to. Local; all processes find the same. */
GrB_Info grid_check_matrix_output(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Descriptor desc,
                                  GrB_Type ttype, const char *call, grid_desc *d);
/* Has `what`, of rows x cols, the shape that `other` has? */
GrB_Info grid_check_shape(uint64_t rows, uint64_t cols, uint64_t want_rows, uint64_t want_cols,
                          grid_head *out, const char *call, const char *what, const char *other);

/* The end: agrees on info, then C<mask> accum= t. t: a part in either memory with the dimensions of C's
 * block, with by_row and the axes that it wants (grid_lmat_choose_format); its type is that of the result
 * before accumulation, and is cast to C's. It is consumed in every case. masked: t has nothing that the mask
 * does not allow. The mask may be C, and t may have been made from C. Collective, agreed on. */
GrB_Info grid_finish_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const grid_desc *d,
                            grid_local_matrix *t, bool masked, GrB_Info info);
#endif
