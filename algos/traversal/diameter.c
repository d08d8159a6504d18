/* A lower bound of a graph's diameter by double sweep.
 *
 * A search from any vertex ends at a vertex that is far from it; a search from there finds a longer shortest
 * path, or one as long. In a tree the second search finds the diameter. Here each search begins at the
 * farthest vertex of the one before, until a search reaches no farther. Of several farthest vertices the
 * smallest is taken, so the answer does not depend on the grid.
 *
 * Source: Magnien, Latapy, Habib, Fast computation of empirically tight bounds for the diameter of massive
 * graphs (2009). */
#include "algos/support/largest.h"
#include "algos/support/orient.h"

/* The smallest of the vertices with the largest level, and that level. */
static GrB_Info farthest(GrB_Index *vertex, int64_t *distance, GrB_Vector level) {
  GrB_Info info;
  bool any; /* always: the source has a level */
  TRY(grid_vector_argmax(vertex, &any, level));
  TRY(GrB_Vector_extractElement_INT64(distance, level, *vertex));
out:
  return info;
}

GrB_Info Grid_diameter(int64_t *diameter, GrB_Vector *level, GrB_Matrix A, GrB_Index source) {
  SPAN;
  GrB_Info info;
  GrB_Matrix S = NULL;
  GrB_Vector longest = NULL,
             next = NULL; /* levels of the search that reached farthest, and of the last one */
  GrB_Index n;
  int64_t bound = -1, distance;

  TRY(check_outputs(diameter, level, "Grid_diameter"));
  TRY(square_size(&n, A, "Grid_diameter"));
  TRY(check_vertex(source, n, "the source", "Grid_diameter"));
  TRY(grid_symmetrize(&S, A, n));
  for (;;) {
    TRY(Grid_bfs(&next, NULL, S, source, -1));
    TRY(farthest(&source, &distance, next));
    if (distance <= bound) break;
    bound = distance;
    GrB_Vector_free(&longest);
    longest = next, next = NULL;
  }
  if (diameter != NULL) *diameter = bound;
  if (level != NULL) *level = longest, longest = NULL;
out:
  grid_symmetrize_free(&S, A);
  GrB_Vector_free(&longest);
  GrB_Vector_free(&next);
  return info;
}
