/* Samples of neighbors, hop by hop, for mini-batches of graph neural networks.
 *
 * hop(v) = 0 for the sources; the frontier of hop h has the vertices with hop(v) = h.
 *   S(i,:) = min(degree(i), fanouts[h]) entries of A(i,:)   for i in the frontier
 *   hop(j) = h + 1                                          for the columns j drawn that have no hop yet
 * What is drawn of a row depends on its number and the seed alone (Grid_Matrix_sample). So the sample of all
 * hops is drawn at the end, in one call. Where that call would extract all rows of the hops a second time,
 * the entries of each hop are merged instead, which takes twice as many instructions on one process.
 *
 * Source: Hamilton, Ying, Leskovec (2017). */
#include "algos/algos.h"

typedef struct {
  GrB_Index n;
  GrB_Matrix A, sample; /* sample: NULL if it is not wanted */
  GrB_Type type;        /* of both */
  GrB_Vector hop;       /* INT64 */
  GrB_Vector frontier;  /* BOOL */
  GrB_Vector drawn;     /* BOOL: the columns drawn in a hop */
  GrB_Vector fanout;    /* INT64: of the frontier's vertices */
  GrB_Vector fanouts;   /* INT64: of the vertices of all hops */
  bool merges;          /* the entries of the hops */
  uint64_t seed;
} sampler;

/* ---- hops ---- */

/* May Grid_Matrix_sample extract the rows of which it draws? With delegates it does so if A is split. */
static bool extracts_rows(GrB_Matrix A) {
  int columns;
  int32_t delegates = Grid_DELEGATES_AUTO;
  bool paged;
  Grid_shape(NULL, &columns);
  Grid_Matrix_bytes_read(&paged, A);
  (void)GrB_Matrix_get_INT32(A, &delegates, Grid_DELEGATES); /* A is a matrix */
  return columns > 1 || paged || delegates >= 0;
}

/* drawn = the columns drawn in a hop; if entries are merged, sample<S> = S. */
static GrB_Info draw(sampler *s) {
  GrB_Info info;
  GrB_Matrix S = NULL;
  if (s->sample != NULL && s->merges) TRY(GrB_Matrix_new(&S, s->type, s->n, s->n));
  TRY(Grid_Matrix_sample(S, s->drawn, s->A, s->fanout, s->seed));
  if (S != NULL) TRY(GrB_Matrix_assign(s->sample, S, NULL, S, GrB_ALL, s->n, GrB_ALL, s->n, GrB_DESC_S));
out:
  GrB_Matrix_free(&S);
  return info;
}

static GrB_Info sample_hop(sampler *s, int64_t fanout, int64_t hop) {
  GrB_Info info;
  /* fanout<frontier, replace> = fanout; fanouts<frontier> = fanout */
  TRY(GrB_Vector_assign_INT64(s->fanout, s->frontier, NULL, fanout, GrB_ALL, s->n, GrB_DESC_RS));
  TRY(GrB_Vector_assign_INT64(s->fanouts, s->frontier, NULL, fanout, GrB_ALL, s->n, GrB_DESC_S));
  TRY(draw(s));
  /* frontier<!hop, replace> = drawn; hop<frontier> = hop */
  TRY(GrB_Vector_assign(s->frontier, s->hop, NULL, s->drawn, GrB_ALL, s->n, GrB_DESC_RSC));
  TRY(GrB_Vector_assign_INT64(s->hop, s->frontier, NULL, hop, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

static GrB_Info sample_hops(sampler *s, const int64_t *fanouts, GrB_Index nfanouts) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Index width;
  for (GrB_Index h = 0; h < nfanouts; h++) {
    TRY(GrB_Vector_nvals(&width, s->frontier));
    if (width == 0) break;
    Grid_progress_set(h, nfanouts);
    TRY(sample_hop(s, fanouts[h], (int64_t)h + 1));
  }
  if (s->sample != NULL && !s->merges) TRY(Grid_Matrix_sample(s->sample, NULL, s->A, s->fanouts, s->seed));
out:
  return info;
}

/* hop(v) = 0 for the sources, which are the first frontier. */
static GrB_Info begin(sampler *s, bool wants_sample, const GrB_Index *sources, GrB_Index nsources) {
  GrB_Info info;
  TRY(Grid_agree(GxB_Matrix_type(&s->type, s->A), NULL));
  if (wants_sample) TRY(GrB_Matrix_new(&s->sample, s->type, s->n, s->n));
  TRY(GrB_Vector_new(&s->hop, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->frontier, GrB_BOOL, s->n));
  TRY(GrB_Vector_new(&s->drawn, GrB_BOOL, s->n));
  TRY(GrB_Vector_new(&s->fanout, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->fanouts, GrB_INT64, s->n));
  TRY(Grid_Vector_build(s->frontier, sources, NULL, NULL, Grid_rank() == 0 ? nsources : 0, NULL));
  TRY(GrB_Vector_assign_INT64(s->hop, s->frontier, NULL, 0, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

/* ---- the function ---- */

static GrB_Info check_arguments(sampler *s, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources,
                                const int64_t *fanouts, GrB_Index nfanouts) {
  static const char call[] = "Grid_neighbor_sample";
  GrB_Info info = square_size(&s->n, A, call);
  if (info != GrB_SUCCESS) return info;
  if ((sources == NULL && nsources > 0) || (fanouts == NULL && nfanouts > 0))
    return grid_refuse(GrB_NULL_POINTER, call, "%s is NULL",
                       sources == NULL && nsources > 0 ? "sources" : "fanouts");
  info = check_sources(sources, nsources, s->n, call);
  for (GrB_Index h = 0; h < nfanouts && info == GrB_SUCCESS; h++)
    if (fanouts[h] < -1)
      info = grid_refuse(GrB_INVALID_VALUE, call,
                         "the fan-out %" PRId64 " is below -1, which takes all neighbors", fanouts[h]);
  return info;
}

GrB_Info Grid_neighbor_sample(GrB_Matrix *sample, GrB_Vector *hop, GrB_Matrix A, const GrB_Index *sources,
                              GrB_Index nsources, const int64_t *fanouts, GrB_Index nfanouts, uint64_t seed) {
  SPAN;
  GrB_Info info;
  sampler s = {.A = A, .seed = seed};

  TRY(check_outputs(sample, hop, "Grid_neighbor_sample"));
  TRY(check_arguments(&s, A, sources, nsources, fanouts, nfanouts));
  s.merges = extracts_rows(A);
  TRY(begin(&s, sample != NULL, sources, nsources));
  TRY(sample_hops(&s, fanouts, nfanouts));
  if (sample != NULL) *sample = s.sample, s.sample = NULL;
  if (hop != NULL) *hop = s.hop, s.hop = NULL;
out:
  GrB_Vector_free(&s.drawn);
  GrB_Vector_free(&s.hop);
  GrB_Vector_free(&s.frontier);
  GrB_Vector_free(&s.fanout);
  GrB_Vector_free(&s.fanouts);
  GrB_Matrix_free(&s.sample);
  return info;
}
