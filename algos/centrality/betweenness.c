/* Betweenness centrality by Brandes' method (dependencies.c, dependencies_many.c): the dependencies of all
 * sources are added up. Source: Brandes (2001). */
#include "algos/centrality/dependencies_many.h"
#include "algos/checkpoints/resume.h"

/* A batch of sources is an iteration of checkpoints. */
static GrB_Info sum_sources(dependencies *b, GrB_Vector sum, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  uint64_t batches = 0;
  GrB_Index done = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "sum", .vector = sum},
                                        {.name = "sources", .bytes = &done, .size = sizeof done}};
  TRY(grid_checkpoint_key_make(&c, "betweenness", b->A, b->n));
  c.key[3] = nsources, c.key[4] = grid_key_of_indices(sources, nsources);
  TRY(grid_checkpoint_resume(&batches, &c, state, 2));
  while (done < nsources) {
    const GrB_Index count = grid_dependencies_batch(b, nsources - done);
    Grid_progress_set(done, nsources);
    TRY(grid_add_dependencies_many(b, sum, NULL, sources + done, count));
    done += count;
    TRY(grid_checkpoint_iteration(++batches, &c, state, 2));
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
  TRY(check_sources(sources, nsources, b.n, "Grid_betweenness"));
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
