/* A program's own operators as loops, made from their texts at run time (jit_kernel.h): what the predefined ones
 * have from the start. */
#ifndef GRID_OPERATOR_LOOPS_H
#define GRID_OPERATOR_LOOPS_H
#include "semiring/jit/jit_kernel.h"

/* The operator's loop, or NULL: not yet, or never. *made: where its work is to be counted, or NULL. */
grid_binary_loop grid_jit_binary_loop(GrB_BinaryOp op, grid_jit_cpu_kernel **jit_kernel,
                                      void (*report)(const char *what));
grid_unary_loop grid_jit_unary_loop(GrB_UnaryOp op, grid_jit_cpu_kernel **jit_kernel,
                                    void (*report)(const char *what));
#endif
