/* See local_values.h. */
#include "algos/rows/local_values.h"

#include <stdlib.h>

GrB_Info grid_local_values(int64_t **value, GrB_Index *count, GrB_Vector v) {
  GrB_Info info;
  GrB_Index n, first;
  TRY(GrB_Vector_size(&n, v));
  TRY(GrB_Vector_assign_INT64(v, v, NULL, 0, GrB_ALL, n, GrB_DESC_SC));
  TRY(Grid_local_range(n, &first, count));
  *value = malloc((*count + 1) * sizeof **value);
  TRY(Grid_agree(*value == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for a vector's values"));
  TRY(Grid_agree(Grid_Vector_extractLocal(NULL, *value, count, v), NULL));
out:
  return info;
}

GrB_Info grid_sum_before(uint64_t *before, uint64_t count) {
  GrB_Info info;
  const size_t processes = (size_t)Grid_size(), rank = (size_t)Grid_rank();
  uint64_t *counts = calloc(processes, sizeof *counts);
  TRY(Grid_agree(counts == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the processes' numbers"));
  counts[rank] = count;
  TRY(Grid_sum(counts, processes));
  *before = 0;
  for (size_t p = 0; p < rank; p++) *before += counts[p];
out:
  free(counts);
  return info;
}
