/* Consecutive numbers for the entries of a vector. */
#include "algos/support/renumber.h"

#include <stdlib.h>

#include "algos/rows/local_values.h"

/* number[k] = first + k, where `first` entries are on the processes before this one. */
static GrB_Info count_up(int64_t *number, GrB_Index nlocal) {
  uint64_t first = 0;
  const GrB_Info info = grid_sum_before(&first, nlocal);
  for (GrB_Index k = 0; info == GrB_SUCCESS && k < nlocal; k++) number[k] = (int64_t)(first + k);
  return info;
}

/* This process's entries of v: *nlocal indices, to be freed. */
static GrB_Info list_entries(GrB_Index **index, GrB_Index *nlocal, GrB_Vector v) {
  GrB_Info info;
  GrB_Index n, first;
  TRY(GrB_Vector_size(&n, v));
  TRY(Grid_local_range(n, &first, nlocal));
  *index = malloc((*nlocal + 1) * sizeof **index);
  TRY(Grid_agree(*index == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for a list of entries"));
  TRY(Grid_agree(Grid_Vector_extractLocal(*index, NULL, nlocal, v), NULL));
out:
  return info;
}

GrB_Info grid_renumber(GrB_Vector *number, GrB_Vector v) {
  GrB_Info info;
  GrB_Index n, nlocal = 0, *index = NULL;
  int64_t *count = NULL;
  TRY(list_entries(&index, &nlocal, v));
  count = malloc((nlocal + 1) * sizeof *count);
  TRY(Grid_agree(count == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for new numbers"));
  TRY(count_up(count, nlocal));
  TRY(GrB_Vector_size(&n, v));
  TRY(GrB_Vector_new(number, GrB_INT64, n));
  TRY(Grid_Vector_build(*number, index, count, GrB_INT64, nlocal, NULL));
out:
  free(index), free(count);
  return info;
}

GrB_Info grid_extract_present(GrB_Matrix *C, GrB_Matrix A, GrB_Vector v) {
  GrB_Info info;
  GrB_Index n, nlocal = 0, *index = NULL;
  TRY(GrB_Vector_nvals(&n, v));
  TRY(GrB_Matrix_new(C, GrB_FP64, n, n));
  TRY(list_entries(&index, &nlocal, v));
  TRY(Grid_Matrix_extract(*C, NULL, NULL, A, index, nlocal, index, nlocal, NULL));
out:
  free(index);
  return info;
}
