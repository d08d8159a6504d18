/* Common steps of apply and select of matrices. T is computed from A's entries at their positions (or those
 * of the transpose), perhaps with a bound scalar. Then C<mask> accum= T. */
#ifndef GRID_MATRIX_ENTRYWISE_H
#define GRID_MATRIX_ENTRYWISE_H
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/op/bound_scalar.h"
#include "dist/op/matrix/matrix_operand.h"
#include "dist/outofcore/operations/outofcore_run.h"

typedef struct {
  const char *call;
  GrB_Matrix C, mask;
  GrB_BinaryOp accum;
  GrB_Matrix A;
  GrB_Descriptor desc;
  bool second; /* A is the second operand: GrB_INP1 transposes it */
  grid_desc d; /* set by the checks */
  bool by_row; /* asked for: the operator looks at positions */
  bool values; /* asked for: it takes one value and gives one, whatever the place */
  /* set by the beginning */
  grid_operand in;
  grid_dense positions; /* in place of it where A is kept so: .chunk is NULL else */
  grid_chunk made;      /* and what is made of it, of the result's type */
  grid_local_matrix
      allowed; /* A's entries that the mask allows, read instead of A if the others are of no use */
  grid_local_matrix *in_place; /* t is this, C's block or `allowed`, whose values are overwritten: that takes
                                * no memory and cannot fail; or NULL */
} grid_matrix_entrywise;

/* Are C, the operator and A live objects? */
GrB_Info grid_matrix_entrywise_objects(const grid_matrix_entrywise *e, const void *op, grid_kind kind);
/* Does the rest fit: mask, accum and descriptor, the sizes, A's type to the operator's operand (NULL: it
 * looks at no value), the result's to C's? */
GrB_Info grid_matrix_entrywise_types(grid_matrix_entrywise *e, GrB_Type operand, GrB_Type result);
/* *done: the operation was done in slices, each by `run`, which calls it with what
 * grid_matrix_entrywise_slice gives; else it is still to be done. values: what becomes of an entry depends on
 * its value, or on whether it is on the diagonal. Collective, agreed on. */
GrB_Info grid_entrywise_out_of_core(const grid_matrix_entrywise *e, bool values,
                                    GrB_Info (*run)(void *context, const grid_slices *s), void *context,
                                    bool *done);
grid_matrix_entrywise grid_matrix_entrywise_slice(const grid_matrix_entrywise *e, const grid_slices *s);
/* A is read, by row or by place. Then comes the local work, t of in.part or made of places.chunk, and the end
 * with its outcome, which must be called if this succeeds. Both collective, agreed on. */
GrB_Info grid_matrix_entrywise_begin(grid_matrix_entrywise *e, GrB_Type result);
GrB_Info grid_matrix_entrywise_end(grid_matrix_entrywise *e, grid_local_matrix *t, GrB_Info info);
/* Does an index operator look at the value alone? */
bool grid_uses_value(GrB_IndexUnaryOp op);
#endif
