/* Shortest paths from many vertices: columns of a matrix. Sources are computed one after the other on the
 * CPU, on several processes, and where checkpoints are written. Delta-stepping with vectors chooses its
 * direction in each step, and inspects an edge about once for a source. Rounds with a column for each source
 * (shortest_paths_columns.c) inspect it each time a distance changes. They take longer for 32 sources of
 * R-MAT graphs and of meshes, on one process and on two. */
#include "algos/checkpoints/resume_matrix.h"
#include "algos/support/columns.h"
#include "algos/traversal/shortest_paths_columns.h"

/* The distances of one search become column k of c. */
static GrB_Info add_source(column_list *c, GrB_Matrix A, GrB_Index source, GrB_Index k) {
  GrB_Info info;
  GrB_Vector distance = NULL;
  grid_checkpoint_suspend(true);
  info = Grid_shortest_paths(&distance, NULL, A, source, 0);
  grid_checkpoint_suspend(false);
  TRY(info);
  TRY(grid_columns_add(c, distance, k));
out:
  GrB_Vector_free(&distance);
  return info;
}

/* *D gets the columns of c, of which none remain. */
static GrB_Info add_columns(GrB_Matrix *D, column_list *c, const distances *d) {
  GrB_Info info;
  GrB_Index n, columns, before;
  GrB_Matrix M = NULL;
  TRY(GrB_Matrix_nrows(&n, *D));
  TRY(GrB_Matrix_ncols(&columns, *D));
  TRY(GrB_Matrix_nvals(&before, *D));
  TRY(grid_columns_build(&M, c, n, columns));
  if (before > 0) TRY(GrB_Matrix_eWiseAdd_Monoid(M, NULL, NULL, d->min, *D, M, NULL));
  TRY(GrB_Matrix_free(D));
  *D = M, M = NULL;
out:
  GrB_Matrix_free(&M);
  return info;
}

/* *D, empty, gets a column for each source. A source is an iteration of checkpoints, which have *D. */
static GrB_Info search(GrB_Matrix *D, const distances *d, GrB_Matrix A, const GrB_Index *sources,
                       GrB_Index nsources, const checkpoint_key *key) {
  GrB_Info info;
  column_list c = {.type = d->type, .size = d->type == GrB_FP32 ? sizeof(float) : sizeof(double)};
  checkpoint_matrix state = {.name = "distance", .M = *D, .type = d->type};
  uint64_t k = 0;
  TRY(grid_checkpoint_resume_matrices(&k, key, NULL, 0, &state, 1));
  while (k < nsources) {
    Grid_progress_set(k, nsources);
    TRY(add_source(&c, A, sources[k], k));
    if (++k < nsources && !grid_checkpoint_is_due(k)) continue;
    TRY(add_columns(D, &c, d));
    state.M = *D;
    TRY(grid_checkpoint_iteration_matrices(k, key, NULL, 0, &state, 1));
  }
out:
  grid_columns_free(&c);
  return info;
}

GrB_Info Grid_shortest_paths_many(GrB_Matrix *distance, GrB_Matrix A, const GrB_Index *sources,
                                  GrB_Index nsources) {
  SPAN;
  static const char call[] = "Grid_shortest_paths_many";
  GrB_Info info;
  GrB_Index n;
  distances d;
  checkpoint_key c;
  GrB_Matrix D = NULL;
  double least;

  if (distance == NULL || sources == NULL)
    return grid_refuse(GrB_NULL_POINTER, call, "sources or the output is NULL");
  TRY(square_size(&n, A, call));
  if (nsources == 0) return grid_refuse(GrB_INVALID_VALUE, call, "nsources is 0, not 1 or more");
  TRY(check_sources(sources, nsources, n, call));
  TRY(grid_distances_of(&d, A, call));
  TRY(grid_checkpoint_key_make(&c, "shortest_paths_many", A, n));
  c.key[3] = nsources, c.key[4] = grid_key_of_indices(sources, nsources);
  if (grid_shortest_paths_at_once(n, nsources) && !grid_checkpoint_is_set()) {
    TRY(grid_check_weights(&least, &d, A, true, call));
    TRY(grid_check_sum(&d, A, call));
    TRY(grid_shortest_paths_columns(&D, A, sources, nsources, &d));
  } else { /* each search checks the weights */
    TRY(GrB_Matrix_new(&D, d.type, n, nsources));
    TRY(search(&D, &d, A, sources, nsources, &c));
  }
  *distance = D, D = NULL;
out:
  GrB_Matrix_free(&D);
  return info;
}
