/* Closeness and harmonic centrality: how near the sources are to a vertex, from the sums of distances of
 * searches (Grid_Matrix_distances). With `others` = the sources that are not the vertex itself:
 *   closeness = (reached / sum) (reached / others)
 *   harmonic = nearness
 * Sources: Freeman (1978), Wasserman and Faust (1994); Marchiori and Latora (2000); Eppstein and Wang (2004)
 * for samples. */
#include "algos/checkpoints/resume.h"

enum { BATCH = 64 };

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Vector reached, sum; /* INT64, full */
  GrB_Vector nearness;     /* FP64, full */
} sums;

static GrB_Info make_sums(sums *s) {
  GrB_Vector *const sum[] = {&s->reached, &s->sum, &s->nearness};
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < 3; k++) {
    TRY(GrB_Vector_new(sum[k], k < 2 ? GrB_INT64 : GrB_FP64, s->n));
    TRY(GrB_Vector_assign_INT64(*sum[k], NULL, NULL, 0, GrB_ALL, s->n, NULL));
  }
out:
  return info;
}

/* Adds `count` sources from number `first` on. */
static GrB_Info add_sources(sums *s, const GrB_Index *sources, GrB_Index first, GrB_Index count) {
  GrB_Index batch[BATCH];
  for (GrB_Index k = 0; k < count; k++) batch[k] = sources != NULL ? sources[first + k] : first + k;
  return Grid_Matrix_distances(s->reached, s->sum, s->nearness, NULL, NULL, s->A, batch, count);
}

/* Adds all sources, of which a batch is an iteration of checkpoints. */
static GrB_Info sum_resumably(sums *s, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  uint64_t batches = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "distances", .vector = s->sum},
                                        {.name = "nearness", .vector = s->nearness},
                                        {.name = "reached", .vector = s->reached}};
  TRY(grid_checkpoint_key_make(&c, "closeness", s->A, s->n));
  c.key[3] = nsources, c.key[4] = grid_key_of_indices(sources, nsources);
  TRY(grid_checkpoint_resume(&batches, &c, state, 3));
  for (GrB_Index done; (done = batches * BATCH) < nsources;) {
    Grid_progress_set(done, nsources);
    TRY(add_sources(s, sources, done, nsources - done < BATCH ? nsources - done : BATCH));
    TRY(grid_checkpoint_iteration(++batches, &c, state, 3));
  }
out:
  return info;
}

/* *others becomes the number of sources that are not v itself, for each vertex v. */
static GrB_Info count_others(GrB_Vector *others, GrB_Index n, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  GrB_Vector occurrences = NULL;
  double one[BATCH];
  for (int k = 0; k < BATCH; k++) one[k] = 1;
  TRY(GrB_Vector_new(others, GrB_FP64, n));
  TRY(GrB_Vector_assign_FP64(*others, NULL, NULL, (double)nsources, GrB_ALL, n, NULL));
  if (sources == NULL)
    return GrB_Vector_apply_BinaryOp2nd_FP64(*others, NULL, NULL, GrB_MINUS_FP64, *others, 1.0, NULL);
  TRY(GrB_Vector_new(&occurrences, GrB_FP64, n));
  for (GrB_Index done = 0; done < nsources; done += BATCH) {
    const GrB_Index count = nsources - done < BATCH ? nsources - done : BATCH;
    TRY(GrB_Vector_clear(occurrences));
    TRY(GrB_Vector_build_FP64(occurrences, sources + done, one, count, GrB_PLUS_FP64));
    TRY(GrB_Vector_assign(*others, occurrences, GrB_MINUS_FP64, occurrences, GrB_ALL, n, GrB_DESC_S));
  }
out:
  GrB_Vector_free(&occurrences);
  return info;
}

/* *closeness = reached^2 / (sum * others), 0 where no other source reaches a vertex. */
static GrB_Info divide(GrB_Vector *closeness, const sums *s, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Vector others = NULL, below = NULL;
  GrB_Info info;
  TRY(count_others(&others, s->n, sources, nsources));
  TRY(GrB_Vector_new(&below, GrB_FP64, s->n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(below, NULL, NULL, GrB_TIMES_FP64, s->sum, others, NULL));
  TRY(GrB_Vector_select_FP64(below, NULL, NULL, GrB_VALUEGT_FP64, below, 0.0, NULL));
  TRY(GrB_Vector_new(closeness, GrB_FP64, s->n));
  TRY(GrB_Vector_assign_FP64(*closeness, NULL, NULL, 0.0, GrB_ALL, s->n, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(others, NULL, NULL, GrB_TIMES_FP64, s->reached, s->reached, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(*closeness, NULL, GrB_PLUS_FP64, GrB_DIV_FP64, others, below, NULL));
out:
  GrB_Vector_free(&others);
  GrB_Vector_free(&below);
  return info;
}

GrB_Info Grid_closeness(GrB_Vector *closeness, GrB_Vector *harmonic, GrB_Matrix A, const GrB_Index *sources,
                        GrB_Index nsources) {
  SPAN;
  sums s = {.A = A};
  GrB_Vector found = NULL;
  GrB_Info info;

  TRY(check_outputs(closeness, harmonic, "Grid_closeness"));
  TRY(square_size(&s.n, A, "Grid_closeness"));
  if (sources != NULL) TRY(check_sources(sources, nsources, s.n, "Grid_closeness"));
  if (sources == NULL) nsources = s.n;
  TRY(make_sums(&s));
  TRY(grid_checkpoint_is_set()
          ? sum_resumably(&s, sources, nsources)
          : Grid_Matrix_distances(s.reached, s.sum, s.nearness, NULL, NULL, A, sources, nsources));
  if (closeness != NULL) TRY(divide(&found, &s, sources, nsources));
  if (closeness != NULL) *closeness = found, found = NULL;
  if (harmonic != NULL) *harmonic = s.nearness, s.nearness = NULL;
out:
  GrB_Vector_free(&s.reached);
  GrB_Vector_free(&s.sum);
  GrB_Vector_free(&s.nearness);
  GrB_Vector_free(&found);
  return info;
}
