/* The position of a vector's maximum; of degrees, the vertex of highest degree. */
#include "algos/support/largest.h"

GrB_Info grid_vector_argmax(GrB_Index *at, bool *any, GrB_Vector v) {
  GrB_Info info;
  GrB_Index entries;
  int64_t most, first;
  GrB_Vector at_most = NULL;
  TRY(GrB_Vector_nvals(&entries, v));
  *any = entries > 0;
  if (!*any) goto out;
  TRY(GrB_Vector_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, v, NULL));
  TRY(GrB_Vector_size(&entries, v));
  TRY(GrB_Vector_new(&at_most, GrB_INT64, entries));
  TRY(GrB_Vector_select_INT64(at_most, NULL, NULL, GrB_VALUEEQ_INT64, v, most, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(at_most, NULL, NULL, GrB_ROWINDEX_INT64, at_most, 0, NULL));
  TRY(GrB_Vector_reduce_INT64(&first, NULL, GrB_MIN_MONOID_INT64, at_most, NULL));
  *at = (GrB_Index)first;
out:
  GrB_Vector_free(&at_most);
  return info;
}
