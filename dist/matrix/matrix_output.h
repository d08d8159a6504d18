/* The beginning and the end of every operation with a matrix output. */
#ifndef GRID_MATRIX_OUTPUT_H
#define GRID_MATRIX_OUTPUT_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* The beginning of an operation C<mask> accum= ...: checks C, mask, accum and desc. The mask must fit C. C
 * and `ttype`, the type of the result before accumulation, must cast to accum's types, and its result to C's.
 * Local; the same outcome on all processes. */
GrB_Info grid_check_matrix_output(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Descriptor desc,
                                  GrB_Type ttype, const char *call, grid_desc *d);
/* Checks that `what`, of rows x cols, has the shape of `other`. */
GrB_Info grid_check_shape(uint64_t rows, uint64_t cols, uint64_t want_rows, uint64_t want_cols,
                          grid_head *out, const char *call, const char *what, const char *other);

/* The end: agrees on info, then C<mask> accum= t. t is a local matrix in either memory with the dimensions of
 * C's block, by row, in its best format (grid_lmat_choose_format). Its type is that of the result before
 * accumulation, and is cast to C's. It is consumed in every case. masked: t has only entries that the mask
 * allows. The mask may be C, and t may have been made from C. Collective, agreed on. */
GrB_Info grid_finish_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const grid_desc *d,
                            grid_local_matrix *t, bool masked, GrB_Info info);
#endif
