/* Betweenness centrality by Brandes' method, one source at a time (dependencies.c): the dependencies of all
 * sources are added up. Source: Brandes (2001). */
#include "algos/centrality/dependencies.h"
#include "algos/checkpoints/resume.h"

static GrB_Info sum_sources(dependencies *b, GrB_Vector sum, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  uint64_t done = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "sum", .vector = sum}};
  TRY(grid_checkpoint_key_make(&c, "betweenness", b->A, b->n));
  c.key[3] = nsources, c.key[4] = grid_key_of_indices(sources, nsources);
  TRY(grid_checkpoint_resume(&done, &c, state, 1));
  while (done < nsources) {
    Grid_progress_set(done, nsources);
    TRY(grid_add_dependencies(b, sum, NULL, sources[done]));
    TRY(grid_checkpoint_iteration(++done, &c, state, 1));
  }
out:
  return info;
}

GrB_Info Grid_betweenness(GrB_Vector *centrality, GrB_Matrix A, const GrB_Index *sources,
                          GrB_Index nsources) {
  SPAN;
  dependencies b = {.A = A};
  GrB_Vector sum = NULL;
  GrB_Info info;

  if (centrality == NULL || (sources == NULL && nsources > 0))
    return Grid_agree(GrB_NULL_POINTER, "Grid_betweenness: sources or the output is NULL");
  TRY(square_size(&b.n, A, "Grid_betweenness"));
  for (GrB_Index k = 0; k < nsources; k++)
    if (sources[k] >= b.n)
      return Grid_agree(GrB_INVALID_INDEX, "Grid_betweenness: a source is not a vertex of A");
  TRY(grid_dependencies_begin(&b, A, b.n));
  TRY(GrB_Vector_new(&sum, GrB_FP64, b.n));
  TRY(GrB_Vector_assign_FP64(sum, NULL, NULL, 0.0, GrB_ALL, b.n, NULL));
  TRY(sum_sources(&b, sum, sources, nsources));
  *centrality = sum, sum = NULL;

out:
  grid_dependencies_free(&b);
  GrB_Vector_free(&sum);
  return info;
}
