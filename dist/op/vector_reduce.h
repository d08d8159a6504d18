/* Reductions to one value, of a vector or a matrix. */
#ifndef GRID_VECTOR_REDUCE_H
#define GRID_VECTOR_REDUCE_H
#include "dist/vector/vector.h"

/* Where the result goes: x of a predefined type, of a user's type (type NULL), or a scalar. */
typedef struct {
  void *x;
  GrB_Type type;
  GrB_Scalar scalar;
  bool is_scalar;
  GrB_Descriptor desc; /* says nothing, but must be one */
} grid_reduce_output;

/* What is summed: `reduce_local` gives the sum of this process's entries, if it has any. */
typedef struct {
  grid_head *head;
  const char *name; /* of the argument */
  GrB_Type type;    /* of the entries */
  GrB_Info (*reduce_local)(void *z, bool *present, const void *object, GrB_Monoid monoid);
  const void *object;
} grid_reduction_input;
grid_reduction_input grid_vector_reduction_input(GrB_Vector u);

/* x accum= the sum. Collective. */
GrB_Info grid_reduce(grid_reduce_output p, GrB_BinaryOp accum, GrB_Monoid monoid,
                     const grid_reduction_input *what);
/* A binary operator as a monoid: its own, or one without identity, in *bare. */
GrB_Info grid_monoid_of(GrB_Monoid *m, struct GrB_Monoid_opaque *op_monoid, GrB_BinaryOp op, grid_head *head,
                        const char *name);
#endif
