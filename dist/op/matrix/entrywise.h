/* entrywise.h: what apply and select of matrices share: T is made of A's entries where they are (or where its
 * transpose has them), perhaps with a value that is given beside the operator, and C<mask> accum= T. */
#ifndef GRID_MATRIX_ENTRYWISE_H
#define GRID_MATRIX_ENTRYWISE_H
#include "dist/op/given.h"
#include "dist/op/matrix/operand.h"

typedef struct {
  const char *call;
  GrB_Matrix C, mask;
  GrB_BinaryOp accum;
  GrB_Matrix A;
  GrB_Descriptor desc;
  bool second;     /* A is the second operand: GrB_INP1 transposes it */
  grid_desc d;     /* set by the checks */
  grid_operand in; /* set by the beginning */
} grid_matrix_entrywise;

/* Are C, the operator and A live objects? */
GrB_Info grid_matrix_entrywise_objects(const grid_matrix_entrywise *e, const void *op);
/* Does the rest fit: mask, accum and descriptor, the sizes, A's type to the operator's operand (NULL: it
 * looks at no value), the result's to C's? */
GrB_Info grid_matrix_entrywise_types(grid_matrix_entrywise *e, GrB_Type operand, GrB_Type result);
/* A is read. Then comes the local work, and the end with its outcome, which must be called if this succeeds.
 * Both collective, agreed on. */
GrB_Info grid_matrix_entrywise_begin(grid_matrix_entrywise *e);
GrB_Info grid_matrix_entrywise_end(grid_matrix_entrywise *e, grid_part *t, GrB_Info info);
#endif
