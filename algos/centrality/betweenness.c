/* Betweenness centrality by Brandes' method, one source at a time.
 *
 * Forward: a breadth-first search that counts shortest paths. paths.q[d] holds the number of shortest paths
 * from the source for each vertex at depth d. paths.q[d] plus.first A sums those of a vertex's neighbors one
 * level above, and the mask keeps only vertices not seen before: paths.q[d + 1].
 *
 * Backward, from the deepest level: the dependency of the source on v is delta(v) = paths(v) * t(v), with
 * t(v) = sum over the children w of v: (1 + delta(w)) / paths(w) = 1 / paths(w) + t(w). So the t of a level
 * is one product with the level below, masked by the vertices of the level.
 *
 * Many sources at once would be matrices with a row for each source and the same steps. But a product with a
 * vector chooses its direction at each level, and a vector is distributed over all processes, where a matrix
 * of few rows is on few of them. One source at a time is faster at every size measured (scales
 * 8 to 18, a mesh, 4 processes).
 *
 * Path counts are FP64: exact up to 2^53. Sources: Brandes (2001); in matrix form Kepner and Gilbert (2011).
 */
#include "algos/levels.h"
#include "algos/resume.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Semiring plus_first, plus_second; /* the graph, of which the pattern alone is used */
  GrB_Vector sum;                       /* the result so far */
  GrB_Vector seen;                      /* vertices found by the search */
  GrB_Vector q;                         /* the paths of its last level */
  GrB_Vector t;                         /* of the backward phase */
  level_list paths;                     /* FP64: of each level */
} brandes;

/* Computes paths.q[0 ..] from this source. */
static GrB_Info count_paths(brandes *b, GrB_Index source) {
  GrB_Info info;
  GrB_Index found;
  TRY(GrB_Vector_clear(b->seen));
  TRY(GrB_Vector_clear(b->q));
  TRY(GrB_Vector_setElement_FP64(b->q, 1.0, source));
  for (;;) {
    TRY(grid_levels_add(&b->paths, b->q));
    /* seen<q> = true; q<!seen, replace> = q plus.first A */
    TRY(GrB_Vector_assign_BOOL(b->seen, b->q, NULL, true, GrB_ALL, b->n, GrB_DESC_S));
    TRY(GrB_vxm(b->q, b->seen, NULL, b->plus_first, b->q, b->A, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&found, b->q));
    if (found == 0) break;
  }
out:
  return info;
}

/* sum += the dependencies of this source. */
static GrB_Info gather_dependencies(brandes *b) {
  GrB_Info info = GrB_SUCCESS;
  TRY(GrB_Vector_clear(b->t));
  /* a source is not between itself and another vertex, so level 0 is left out */
  for (GrB_Index d = b->paths.count - 1; d > 1; d--) {
    const GrB_Vector above = b->paths.q[d - 1];
    /* t += 1 / paths, where t is the level's own; t<above, replace> = A plus.second t */
    TRY(GrB_Vector_apply(b->t, NULL, GrB_PLUS_FP64, GrB_MINV_FP64, b->paths.q[d], NULL));
    TRY(GrB_mxv(b->t, above, NULL, b->plus_second, b->A, b->t, GrB_DESC_RS));
    /* sum += delta = t .* above */
    TRY(GrB_Vector_eWiseMult_BinaryOp(b->sum, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, b->t, above, NULL));
  }
out:
  return info;
}

static GrB_Info prepare(brandes *b) {
  /* each process creates its own semirings, so a single process may fail */
  GrB_Info info = GrB_Semiring_new(&b->plus_first, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64);
  if (info == GrB_SUCCESS) info = GrB_Semiring_new(&b->plus_second, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64);
  TRY(Grid_agree(info, NULL));
  TRY(GrB_Vector_new(&b->seen, GrB_BOOL, b->n));
  TRY(GrB_Vector_new(&b->q, GrB_FP64, b->n));
  TRY(GrB_Vector_new(&b->t, GrB_FP64, b->n));
  TRY(GrB_Vector_new(&b->sum, GrB_FP64, b->n));
  TRY(GrB_Vector_assign_FP64(b->sum, NULL, NULL, 0.0, GrB_ALL, b->n, NULL));
out:
  return info;
}

static GrB_Info sum_sources(brandes *b, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  uint64_t done = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "sum", .vector = b->sum}};
  TRY(grid_checkpoint_key_make(&c, "betweenness", b->A, b->n));
  c.key[3] = nsources, c.key[4] = grid_key_of_bytes(sources, nsources * sizeof *sources);
  TRY(grid_checkpoint_resume(&done, &c, state, 1));
  while (done < nsources) {
    Grid_progress_set(done, nsources);
    TRY(count_paths(b, sources[done]));
    TRY(gather_dependencies(b));
    grid_levels_clear(&b->paths);
    TRY(grid_checkpoint_iteration(++done, &c, state, 1));
  }
out:
  return info;
}

GrB_Info Grid_betweenness(GrB_Vector *centrality, GrB_Matrix A, const GrB_Index *sources,
                          GrB_Index nsources) {
  SPAN;
  brandes b = {.A = A};
  GrB_Info info;

  if (centrality == NULL || (sources == NULL && nsources > 0))
    return Grid_agree(GrB_NULL_POINTER, "Grid_betweenness: sources or the output is NULL");
  TRY(square_size(&b.n, A, "Grid_betweenness"));
  for (GrB_Index k = 0; k < nsources; k++)
    if (sources[k] >= b.n)
      return Grid_agree(GrB_INVALID_INDEX, "Grid_betweenness: a source is not a vertex of A");
  TRY(prepare(&b));
  TRY(sum_sources(&b, sources, nsources));
  *centrality = b.sum, b.sum = NULL;

out:
  grid_levels_free(&b.paths);
  GrB_Semiring_free(&b.plus_first);
  GrB_Semiring_free(&b.plus_second);
  GrB_Vector_free(&b.seen);
  GrB_Vector_free(&b.q);
  GrB_Vector_free(&b.t);
  GrB_Vector_free(&b.sum);
  return info;
}
