/* One call whose operator depends on positions (index_binary.c): its operands with positions, and ordinary
 * operators on them. */
#ifndef GRID_INDEX_CALL_H
#define GRID_INDEX_CALL_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* The operator of the call in progress and what is made of it. Calls of other threads wait, of all contexts
 * (GRID_ALL_CONTEXTS_SCOPE), and OpenMP's threads only read it. */
extern struct grid_index_call {
  const grid_index_binary *op;
  size_t result_size, x_size, y_size;
  struct GrB_Type_opaque x, y;               /* positioned operands */
  struct GrB_BinaryOp_opaque multiply;       /* z = f(x, y) of positioned operands */
  struct GrB_BinaryOp_opaque second;         /* z = y of results */
  struct GrB_BinaryOp_opaque copy_x, copy_y; /* of operands without positions */
} grid_index_call;

GrB_Info grid_index_call_begin(GrB_BinaryOp op, grid_head *head);
/* op's monoid with grid_index_call.multiply. */
struct GrB_Semiring_opaque grid_index_call_semiring(GrB_Semiring op);

/* *P = A's entries, cast to x, with their positions in A or in its transpose. z: grid_index_call.x or .y. */
GrB_Info grid_position_matrix(GrB_Matrix *P, GrB_Matrix A, GrB_Type z, GrB_Type x, bool transposed);
/* Of a column, or a row. */
GrB_Info grid_position_vector(GrB_Vector *p, GrB_Vector u, GrB_Type z, GrB_Type x, bool row);
#endif
