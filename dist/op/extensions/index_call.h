/* One call whose operator depends on positions (index_binary.c): its operands with positions, and ordinary
 * operators on them. */
#ifndef GRID_INDEX_CALL_H
#define GRID_INDEX_CALL_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "semiring/closure.h"

/* The operator of a call and what is made of it. */
typedef struct {
  const grid_index_binary *op;
  grid_closure_set *closures;
  struct GrB_Type_opaque x, y;               /* positioned operands */
  struct GrB_BinaryOp_opaque multiply;       /* z = f(x, y) of positioned operands */
  struct GrB_BinaryOp_opaque second;         /* z = y of results */
  struct GrB_BinaryOp_opaque copy_x, copy_y; /* of operands without positions */
} grid_index_call;

/* A variable of a function, which ends with it. */
#define GRID_INDEX_CALL(name) grid_index_call name __attribute__((cleanup(grid_index_call_end))) = {0}
GrB_Info grid_index_call_begin(grid_index_call *call, GrB_BinaryOp op, grid_head *head);
void grid_index_call_end(const grid_index_call *call);
/* op's monoid with call->multiply. */
struct GrB_Semiring_opaque grid_index_call_semiring(grid_index_call *call, GrB_Semiring op);

/* *P = A's entries, cast to x, with their positions in A or in its transpose. z: the call's x or y. */
GrB_Info grid_position_matrix(GrB_Matrix *P, GrB_Matrix A, GrB_Type z, GrB_Type x, bool transposed);
/* Of a column, or a row. */
GrB_Info grid_position_vector(GrB_Vector *p, GrB_Vector u, GrB_Type z, GrB_Type x, bool row);
#endif
