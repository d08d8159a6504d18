/* Operator codes GRID_OP_..., one per operator name of the table whatever the type, and product kernel
 * numbers GRID_KERNEL_<ADD>_<MUL>_<T>, one per row of GRID_SEMIRINGS. */
#ifndef GRID_OP_CODES_H
#define GRID_OP_CODES_H
#include "GraphBLAS.h"

#define GRID_CODE(OP) GRID_OP_##OP,
enum {
  GRID_OP_USER, /* user-defined */
  GRID_UNARY_NAMES(GRID_CODE) GRID_BINARY_NAMES(GRID_CODE) GRID_INDEX_NAMES(GRID_CODE) GRID_NOPS
};
#undef GRID_CODE

#define GRID_CODE(ADD, MUL, T) GRID_KERNEL_##ADD##_##MUL##_##T,
enum { GRID_SEMIRINGS(GRID_CODE) GRID_NKERNELS };
#undef GRID_CODE
#endif
