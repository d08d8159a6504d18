/* The library ends and starts again, also where it has started MPI, which starts only once. */
#include <stdio.h>

#include "GraphBLAS.h"

static int use(void) {
  GrB_Matrix A = NULL;
  int64_t sum = 0;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  GrB_Info info = GrB_Matrix_new(&A, GrB_INT64, 100, 100);
  for (GrB_Index k = 0; info == GrB_SUCCESS && k < 100; k++)
    info = GrB_Matrix_setElement_INT64(A, 2, k, 99 - k);
  if (info == GrB_SUCCESS) info = GrB_mxm(A, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, A, NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, A, NULL);
  GrB_Matrix_free(&A);
  return GrB_finalize() != GrB_SUCCESS || info != GrB_SUCCESS || sum != 400;
}

int main(void) {
  for (int k = 0; k < 3; k++)
    if (use()) {
      fprintf(stderr, "start %d failed\n", k + 1);
      return 1;
    }
  return 0;
}
