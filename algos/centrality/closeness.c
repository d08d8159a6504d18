/* Closeness and harmonic centrality: how near the sources are to a vertex, from searches of 64 sources at a
 * time. With L(v,k) = the distance from source k to v, without those of 0,
 *   sum = L 1 (plus.second), near = 1 ./ L (plus.div), reached = pattern of L (plus.oneb), each summed by row
 * and with `others` = the sources that are not v itself
 *   closeness = (reached / sum) (reached / others),   harmonic = near
 * Sources: Freeman (1978), Wasserman and Faust (1994); Marchiori and Latora (2000); Eppstein and Wang (2004)
 * for samples. */
#include "algos/checkpoints/resume.h"
#include "algos/traversal/bfs_many.h"

enum { BATCH = 64 };

typedef enum { DISTANCES, NEARNESS, REACHED, SUMS } row_sum;

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Semiring semiring[SUMS];
  GrB_Vector sum[SUMS]; /* full, FP64 */
} sums;

/* The value of a pair is made of 1 and the level. */
static GrB_Info make_sums(sums *s) {
  const GrB_BinaryOp of[SUMS] = {GrB_SECOND_FP64, GrB_DIV_FP64, GrB_ONEB_FP64};
  GrB_Info info = GrB_SUCCESS;
  /* each process creates its own semirings, so a single process may fail */
  for (int k = 0; k < SUMS && info == GrB_SUCCESS; k++)
    info = GrB_Semiring_new(&s->semiring[k], GrB_PLUS_MONOID_FP64, of[k]);
  TRY(Grid_agree(info, NULL));
  for (int k = 0; k < SUMS; k++) {
    TRY(GrB_Vector_new(&s->sum[k], GrB_FP64, s->n));
    TRY(GrB_Vector_assign_FP64(s->sum[k], NULL, NULL, 0.0, GrB_ALL, s->n, NULL));
  }
out:
  return info;
}

/* Adds the row sums of `which` over the levels of some sources; ones: a 1 for each. */
static GrB_Info add_rows(sums *s, row_sum which, GrB_Vector ones, GrB_Matrix level) {
  return GrB_vxm(s->sum[which], NULL, GrB_PLUS_FP64, s->semiring[which], ones, level, GrB_DESC_T1);
}

/* sources: count of them, at most BATCH. */
static GrB_Info add_sources(sums *s, const GrB_Index *sources, GrB_Index count) {
  GrB_Matrix level = NULL;
  GrB_Vector ones = NULL;
  GrB_Info info;
  TRY(grid_bfs_many_step(&level, s->A, sources, count));
  TRY(GrB_Vector_new(&ones, GrB_FP64, count));
  TRY(GrB_Vector_assign_FP64(ones, NULL, NULL, 1.0, GrB_ALL, count, NULL));
  TRY(GrB_Matrix_select_INT32(level, NULL, NULL, GrB_VALUENE_INT32, level, 0, NULL));
  for (row_sum k = DISTANCES; k <= REACHED; k++) TRY(add_rows(s, k, ones, level));
out:
  GrB_Matrix_free(&level);
  GrB_Vector_free(&ones);
  return info;
}

/* Adds all sources, NULL: vertices 0 .. nsources - 1, of which a batch is an iteration of checkpoints. */
static GrB_Info sum_sources(sums *s, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  GrB_Index batch[BATCH];
  uint64_t batches = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "distances", .vector = s->sum[DISTANCES]},
                                        {.name = "nearness", .vector = s->sum[NEARNESS]},
                                        {.name = "reached", .vector = s->sum[REACHED]}};
  TRY(grid_checkpoint_key_make(&c, "closeness", s->A, s->n));
  c.key[3] = nsources, c.key[4] = grid_key_of_indices(sources, nsources);
  TRY(grid_checkpoint_resume(&batches, &c, state, SUMS));
  for (GrB_Index done; (done = batches * BATCH) < nsources;) {
    const GrB_Index count = nsources - done < BATCH ? nsources - done : BATCH;
    for (GrB_Index k = 0; k < count; k++) batch[k] = sources != NULL ? sources[done + k] : done + k;
    Grid_progress_set(done, nsources);
    TRY(add_sources(s, batch, count));
    TRY(grid_checkpoint_iteration(++batches, &c, state, SUMS));
  }
out:
  return info;
}

/* *others becomes the number of sources that are not v itself, for each vertex v. */
static GrB_Info count_others(GrB_Vector *others, GrB_Index n, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  GrB_Vector own = NULL;
  double one[BATCH];
  for (int k = 0; k < BATCH; k++) one[k] = 1;
  TRY(GrB_Vector_new(others, GrB_FP64, n));
  TRY(GrB_Vector_assign_FP64(*others, NULL, NULL, (double)nsources, GrB_ALL, n, NULL));
  if (sources == NULL)
    return GrB_Vector_apply_BinaryOp2nd_FP64(*others, NULL, NULL, GrB_MINUS_FP64, *others, 1.0, NULL);
  TRY(GrB_Vector_new(&own, GrB_FP64, n));
  for (GrB_Index done = 0; done < nsources; done += BATCH) {
    const GrB_Index count = nsources - done < BATCH ? nsources - done : BATCH;
    TRY(GrB_Vector_clear(own));
    TRY(GrB_Vector_build_FP64(own, sources + done, one, count, GrB_PLUS_FP64));
    TRY(GrB_Vector_assign(*others, own, GrB_MINUS_FP64, own, GrB_ALL, n, GrB_DESC_S));
  }
out:
  GrB_Vector_free(&own);
  return info;
}

/* *closeness = reached^2 / (distances * others), 0 where no other source reaches a vertex. */
static GrB_Info divide(GrB_Vector *closeness, sums *s, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Vector *const sum = s->sum, below = sum[DISTANCES];
  GrB_Vector others = NULL;
  GrB_Info info;
  TRY(count_others(&others, s->n, sources, nsources));
  TRY(GrB_Vector_eWiseMult_BinaryOp(below, NULL, NULL, GrB_TIMES_FP64, below, others, NULL));
  TRY(GrB_Vector_select_FP64(below, NULL, NULL, GrB_VALUEGT_FP64, below, 0.0, NULL));
  TRY(GrB_Vector_new(closeness, GrB_FP64, s->n));
  TRY(GrB_Vector_assign_FP64(*closeness, NULL, NULL, 0.0, GrB_ALL, s->n, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(others, NULL, NULL, GrB_TIMES_FP64, sum[REACHED], sum[REACHED], NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(*closeness, NULL, GrB_PLUS_FP64, GrB_DIV_FP64, others, below, NULL));
out:
  GrB_Vector_free(&others);
  return info;
}

GrB_Info Grid_closeness(GrB_Vector *closeness, GrB_Vector *harmonic, GrB_Matrix A, const GrB_Index *sources,
                        GrB_Index nsources) {
  SPAN;
  sums s = {.A = A};
  GrB_Vector found = NULL;
  GrB_Info info;

  if (closeness == NULL && harmonic == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_closeness: both outputs are NULL");
  TRY(square_size(&s.n, A, "Grid_closeness"));
  if (sources == NULL) nsources = s.n;
  for (GrB_Index k = 0; k < nsources && sources != NULL; k++)
    if (sources[k] >= s.n)
      return Grid_agree(GrB_INVALID_INDEX, "Grid_closeness: a source is not a vertex of A");
  TRY(make_sums(&s));
  TRY(sum_sources(&s, sources, nsources));
  if (closeness != NULL) TRY(divide(&found, &s, sources, nsources));
  if (closeness != NULL) *closeness = found, found = NULL;
  if (harmonic != NULL) *harmonic = s.sum[NEARNESS], s.sum[NEARNESS] = NULL;
out:
  for (int k = 0; k < SUMS; k++) GrB_Semiring_free(&s.semiring[k]), GrB_Vector_free(&s.sum[k]);
  GrB_Vector_free(&found);
  return info;
}
