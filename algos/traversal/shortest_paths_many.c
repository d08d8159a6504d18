/* Shortest paths from many vertices, one after the other: columns of a matrix. Delta-stepping with vectors
 * chooses its direction in each step, and inspects an edge about once for a source; rounds of products with
 * matrices of a column for each source (all_pairs.c) inspect it each time a distance changes, and take longer
 * for 32 sources of R-MAT graphs and of meshes, on one process and on two. */
#include "algos/support/columns.h"
#include "algos/support/paths.h"
#include "algos/checkpoints/resume.h"

static GrB_Info check_sources(GrB_Index n, const GrB_Index *sources, GrB_Index nsources, const char *call) {
  if (nsources == 0) return grid_refuse(GrB_INVALID_VALUE, call, "there are no sources");
  for (GrB_Index k = 0; k < nsources; k++)
    if (sources[k] >= n) return grid_refuse(GrB_INVALID_INDEX, call, "a source is not a vertex of A");
  return GrB_SUCCESS;
}

static GrB_Info add_source(column_list *c, GrB_Matrix A, GrB_Index source, GrB_Index k) {
  GrB_Info info;
  GrB_Vector distance = NULL;
  TRY(Grid_shortest_paths(&distance, NULL, A, source, 0));
  TRY(grid_columns_add(c, distance, k));
out:
  GrB_Vector_free(&distance);
  return info;
}

GrB_Info Grid_shortest_paths_many(GrB_Matrix *distance, GrB_Matrix A, const GrB_Index *sources,
                                  GrB_Index nsources) {
  SPAN;
  static const char call[] = "Grid_shortest_paths_many";
  GrB_Info info;
  GrB_Index n;
  distances d;
  column_list c = {.count = 0};
  GrB_Matrix D = NULL;

  if (distance == NULL || sources == NULL)
    return grid_refuse(GrB_NULL_POINTER, call, "sources or the output is NULL");
  grid_checkpoint_suspend(true); /* of the single searches */
  TRY(square_size(&n, A, call));
  TRY(check_sources(n, sources, nsources, call));
  TRY(grid_distances_of(&d, A, call));
  c.type = d.type, c.size = d.type == GrB_FP32 ? sizeof(float) : sizeof(double);
  for (GrB_Index k = 0; k < nsources; k++) {
    Grid_progress_set(k, nsources);
    TRY(add_source(&c, A, sources[k], k));
  }
  TRY(grid_columns_build(&D, &c, n, nsources));
  *distance = D, D = NULL;
out:
  grid_checkpoint_suspend(false);
  grid_columns_free(&c);
  GrB_Matrix_free(&D);
  return info;
}
