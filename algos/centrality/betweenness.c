/* Betweenness centrality by Brandes' method, one source at a time (dependencies.c): the dependencies of all
 * sources are added up. Source: Brandes (2001). */
#include "algos/centrality/dependencies.h"
#include "algos/resume.h"

/* sum += the dependencies of this source. */
static GrB_Info add_source(dependencies *b, GrB_Vector sum, GrB_Index source) {
  GrB_Info info;
  TRY(grid_count_paths(b, source));
  /* a source is not between itself and another vertex, so level 0 is left out */
  for (GrB_Index d = b->paths.count - 1; d > 1; d--) {
    TRY(grid_add_path_ends(b, d));
    TRY(grid_climb(b, d));
    /* sum += delta = t .* paths */
    TRY(GrB_Vector_eWiseMult_BinaryOp(sum, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, b->t, b->paths.q[d - 1],
                                      NULL));
  }
  grid_levels_clear(&b->paths);
out:
  return info;
}

static GrB_Info sum_sources(dependencies *b, GrB_Vector sum, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  uint64_t done = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "sum", .vector = sum}};
  TRY(grid_checkpoint_key_make(&c, "betweenness", b->A, b->n));
  c.key[3] = nsources, c.key[4] = grid_key_of_bytes(sources, nsources * sizeof *sources);
  TRY(grid_checkpoint_resume(&done, &c, state, 1));
  while (done < nsources) {
    Grid_progress_set(done, nsources);
    TRY(add_source(b, sum, sources[done]));
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
