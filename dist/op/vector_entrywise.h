/* What apply and select share: t is made of u's entries where they are, perhaps with a
 * value that is given beside the operator, and w<mask> accum= t. */
#ifndef GRID_VECTOR_ENTRYWISE_H
#define GRID_VECTOR_ENTRYWISE_H
#include "dist/vector/vector.h"
#include "dist/op/bound_scalar.h"

typedef struct {
  const char *call;
  GrB_Vector w, mask;
  GrB_BinaryOp accum;
  GrB_Vector u;
  GrB_Descriptor desc;
  grid_desc d;      /* set by the checks */
  bool is_in_place; /* set by grid_entrywise_begin */
} grid_entrywise;

/* Are w, the operator and u live objects? */
GrB_Info grid_entrywise_objects(const grid_entrywise *e, const void *op, grid_kind kind);
/* Does the rest fit: mask, accum and descriptor, the sizes, u's type to the operator's operand (NULL: it
 * looks at no value), the result's to w's? */
GrB_Info grid_entrywise_types(grid_entrywise *e, GrB_Type operand, GrB_Type result);
/* The chunk for a result of apply, of type z by an operator with this code: on w's spare arrays, or its own.
 */
grid_chunk grid_entrywise_begin(grid_entrywise *e, GrB_Type z, int op);
/* The end: t goes to w. Collective. */
static inline GrB_Info grid_entrywise_end(const grid_entrywise *e, grid_chunk *t, GrB_Info info) {
  if (e->is_in_place && info == GrB_SUCCESS) e->w->chunk = *t;
  if (e->is_in_place) return info;
  return grid_finish_output(e->w, e->mask, e->accum, &e->d, t, false, info);
}

#endif
