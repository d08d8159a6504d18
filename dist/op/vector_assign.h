/* Assignment of a value of any type to a vector, for other operations. */
#ifndef GRID_VECTOR_ASSIGN_H
#define GRID_VECTOR_ASSIGN_H
#include "dist/vector/vector.h"

/* GrB_assign of the value x of `type` (NULL: no entries) to the vector w, which was checked. Collective,
 * agreed on. */
GrB_Info grid_vector_assign_value(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const void *x,
                                  GrB_Type type, const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc);
#endif
