/* Breadth-first search in GraphBLAS calls; the same program runs in one process and, under mpirun, on
 * many. */
#include <stdio.h>
#include <GraphBLAS.h>
#include <gridblas.h>

int main(void) {
  /* 0 - 1 - 2 - 3 - 0, 3 - 4 - 5, and 6 - 7 apart */
  GrB_Index from[] = {0, 1, 2, 3, 3, 4, 6}, to[] = {1, 2, 3, 0, 4, 5, 7}, n = 8, found = 1, reached;
  GrB_Matrix A;
  GrB_Vector frontier, level;

  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) {
    fprintf(stderr, "%s\n", Grid_last_error());
    return 1;
  }
  GrB_Matrix_new(&A, GrB_BOOL, n, n);
  for (int k = 0; k < 7; k++) {
    GrB_Matrix_setElement(A, true, from[k], to[k]);
    GrB_Matrix_setElement(A, true, to[k], from[k]);
  }
  GrB_Vector_new(&frontier, GrB_BOOL, n);
  GrB_Vector_new(&level, GrB_INT32, n);
  GrB_Vector_setElement(frontier, true, 0); /* the source */

  for (int32_t depth = 0; found > 0; depth++) {
    if (Grid_rank() == 0) printf("level %d: %d found\n", depth, (int)found);
    /* level<frontier> = depth;  frontier<not level, replace> = frontier A */
    GrB_assign(level, frontier, NULL, depth, GrB_ALL, n, GrB_DESC_S);
    GrB_vxm(frontier, level, NULL, GrB_LOR_LAND_SEMIRING_BOOL, frontier, A, GrB_DESC_RSC);
    GrB_Vector_nvals(&found, frontier);
  }

  GrB_Vector_nvals(&reached, level);
  if (Grid_rank() == 0) printf("%d of %d vertices reached\n", (int)reached, (int)n);
  GrB_free(&A);
  GrB_free(&frontier);
  GrB_free(&level);
  return GrB_finalize() == GrB_SUCCESS ? 0 : 1;
}
