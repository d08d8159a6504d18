/* A path of fewest edges: the output of Grid_Matrix_path.
 *
 * Source: Pohl, Bi-directional search (1971). */
#include "algos/algos.h"

GrB_Info Grid_bfs_path(GrB_Vector *path, int64_t *length, GrB_Matrix A, GrB_Index source, GrB_Index target) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Vector found = NULL;

  TRY(check_outputs(path, length, "Grid_bfs_path"));
  TRY(square_size(&n, A, "Grid_bfs_path"));
  TRY(check_vertex(source, n, "the source", "Grid_bfs_path"));
  TRY(check_vertex(target, n, "the target", "Grid_bfs_path"));
  if (path != NULL) TRY(GrB_Vector_new(&found, GrB_INT64, n));
  TRY(Grid_Matrix_path(found, length, A, source, target));
  if (path != NULL) *path = found, found = NULL;
out:
  GrB_Vector_free(&found);
  return info;
}
