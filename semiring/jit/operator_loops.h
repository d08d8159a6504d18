/* Array loops for operators that have none, compiled from their texts at run time (jit_kernel.h):
 * user-defined ones, and those of gridblas_table_gxb.h that are in the table of texts. */
#ifndef GRID_OPERATOR_LOOPS_H
#define GRID_OPERATOR_LOOPS_H
#include "semiring/jit/jit_kernel.h"

/* The operator's loop, or NULL: not yet, or never. *jit_kernel: where its work is counted, or NULL. */
grid_binary_loop grid_jit_binary_loop(GrB_BinaryOp op, grid_jit_cpu_kernel **jit_kernel,
                                      void (*report)(const char *what));
grid_unary_loop grid_jit_unary_loop(GrB_UnaryOp op, grid_jit_cpu_kernel **jit_kernel,
                                    void (*report)(const char *what));
#endif
