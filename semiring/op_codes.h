/* Operator codes GRID_OP_..., one per operator name of the table, whatever the type. */
#ifndef GRID_OP_CODES_H
#define GRID_OP_CODES_H
#include "GraphBLAS.h"
#include "gridblas_gxb_operators.h"

#define GRID_CODE(OP) GRID_OP_##OP,
enum {
  GRID_OP_USER,  /* user-defined */
  GRID_OP_OTHER, /* predefined, with a function alone: no kernel is compiled for it, and none has its text */
  GRID_UNARY_NAMES(GRID_CODE) GRID_BINARY_NAMES(GRID_CODE) GRID_INDEX_NAMES(GRID_CODE) GRID_NOPS
};
#undef GRID_CODE
#endif
