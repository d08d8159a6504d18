/* Operations whose operator depends on the positions of its operands (op->index): mxm, mxv, vxm, eWise and
 * kronecker, which call these functions through grid_hooks.index_binary. */
#ifndef GRID_INDEX_BINARY_H
#define GRID_INDEX_BINARY_H
#include "dist/grid/hooks.h"

extern const grid_index_binary_calls grid_index_binary_call_table;
#endif
