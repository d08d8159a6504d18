/* Grid_Matrix_distances by products: searches from 64 sources at a time, with a bit of a word for each. */
#include "dist/op/graph/public_calls/distances_products.h"

#include "dist/op/graph/public_calls/public_calls.h"

/* The bits of each 2, 4 and 8 are counted, and then these counts are added. */
WITH_TEXT(
    distances_popcount, static, void distances_popcount(int64_t *z, const uint64_t *x) {
      uint64_t bits = *x - (*x >> 1 & 0x5555555555555555u);
      bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
      bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
      *z = (int64_t)(bits * 0x0101010101010101u >> 56);
    })

enum { BATCH = 64 };

typedef struct {
  GrB_Vector reached, sum, nearness, farthest;
  GrB_Matrix A;
  GrB_Index n;
  GrB_Semiring spread;       /* bor.second, UINT64 */
  GrB_UnaryOp popcount;      /* of UINT64, INT64 */
  GrB_Vector q, unvisited;   /* UINT64: the searches that reach a vertex in this level, and not so far */
  GrB_Vector count;          /* INT64: bits of q */
  GrB_Vector batch_nearness; /* FP64: sums of 1 / distance of this batch */
} searches;

/* Each process creates its operators, so a single process may fail. */
static GrB_Info make_operators(searches *s) {
  GrB_Info info = GrB_Semiring_new(&s->spread, GxB_BOR_UINT64_MONOID, GrB_SECOND_UINT64);
  if (info == GrB_SUCCESS)
    info = Grid_UnaryOp_new(&s->popcount, (GxB_unary_function)distances_popcount, GrB_INT64, GrB_UINT64,
                            "distances_popcount", distances_popcount_text);
  return Grid_agree(info, NULL);
}

static GrB_Info begin(searches *s) {
  GrB_Info info;
  TRY(GrB_Matrix_nrows(&s->n, s->A));
  TRY(make_operators(s));
  TRY(GrB_Vector_new(&s->q, GrB_UINT64, s->n));
  TRY(GrB_Vector_new(&s->unvisited, GrB_UINT64, s->n));
  TRY(GrB_Vector_new(&s->count, GrB_INT64, s->n));
  TRY(GrB_Vector_new(&s->batch_nearness, GrB_FP64, s->n));
out:
  return info;
}

static void end(searches *s) {
  GrB_Vector *const vectors[] = {&s->q, &s->unvisited, &s->count, &s->batch_nearness};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) GrB_Vector_free(vectors[k]);
  GrB_Semiring_free(&s->spread);
  GrB_UnaryOp_free(&s->popcount);
}

static GrB_Info begin_batch(searches *s, const GrB_Index *sources, GrB_Index count) {
  GrB_Info info;
  uint64_t bit[BATCH];
  for (GrB_Index k = 0; k < count; k++) bit[k] = UINT64_C(1) << k;
  TRY(GrB_Vector_clear(s->q));
  TRY(GrB_Vector_clear(s->batch_nearness));
  TRY(GrB_Vector_assign_UINT64(s->unvisited, NULL, NULL, UINT64_MAX >> (BATCH - count), GrB_ALL, s->n, NULL));
  TRY(GrB_Vector_build_UINT64(s->q, sources, bit, count, GrB_BOR_UINT64));
  TRY(GrB_Vector_assign(s->unvisited, s->q, GrB_BXOR_UINT64, s->q, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

/* q = the searches that reach a vertex in the next level; *found: how many vertices have one. */
static GrB_Info search_level(searches *s, GrB_Index *found) {
  GrB_Info info;
  /* q<unvisited, replace> = A^T bor.second q, & unvisited */
  TRY(GrB_mxv(s->q, s->unvisited, NULL, s->spread, s->A, s->q, GrB_DESC_RT0));
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->q, NULL, NULL, GrB_BAND_UINT64, s->q, s->unvisited, NULL));
  TRY(GrB_Vector_select_UINT64(s->q, NULL, NULL, GrB_VALUENE_UINT64, s->q, 0, NULL));
  TRY(GrB_Vector_assign(s->unvisited, s->q, GrB_BXOR_UINT64, s->q, GrB_ALL, s->n, GrB_DESC_S));
  TRY(GrB_Vector_nvals(found, s->q));
out:
  return info;
}

/* The level at this distance is q. */
static GrB_Info add_level(searches *s, int64_t distance) {
  GrB_Info info = GrB_SUCCESS;
  if (s->farthest)
    TRY(GrB_Vector_assign_INT64(s->farthest, s->q, GrB_MAX_INT64, distance, GrB_ALL, s->n, GrB_DESC_S));
  if (!s->reached && !s->sum && !s->nearness) goto out;
  TRY(GrB_Vector_apply(s->count, NULL, NULL, s->popcount, s->q, NULL));
  if (s->reached) TRY(GrB_Vector_apply(s->reached, NULL, GrB_PLUS_INT64, GrB_IDENTITY_INT64, s->count, NULL));
  if (s->sum)
    TRY(GrB_Vector_apply_BinaryOp2nd_INT64(s->sum, NULL, GrB_PLUS_INT64, GrB_TIMES_INT64, s->count, distance,
                                           NULL));
  if (s->nearness)
    TRY(GrB_Vector_apply_BinaryOp2nd_FP64(s->batch_nearness, NULL, GrB_PLUS_FP64, GrB_DIV_FP64, s->count,
                                          (double)distance, NULL));
out:
  return info;
}

/* The sources that reach a vertex at this distance have it as their eccentricity so far. */
static GrB_Info note_distance(int64_t *eccentricity, const searches *s, int64_t distance) {
  uint64_t bits = 0;
  if (eccentricity == NULL) return GrB_SUCCESS;
  const GrB_Info info = GrB_Vector_reduce_UINT64(&bits, NULL, GxB_BOR_UINT64_MONOID, s->q, NULL);
  for (int k = 0; k < BATCH; k++)
    if (bits >> k & 1) eccentricity[k] = distance;
  return info;
}

static GrB_Info search_batch(searches *s, int64_t *eccentricity, const GrB_Index *sources, GrB_Index count) {
  GrB_Info info;
  GrB_Index found;
  TRY(begin_batch(s, sources, count));
  for (GrB_Index k = 0; eccentricity != NULL && k < count; k++) eccentricity[k] = 0;
  for (int64_t distance = 1;; distance++) {
    TRY(search_level(s, &found));
    if (found == 0) break;
    TRY(note_distance(eccentricity, s, distance));
    TRY(add_level(s, distance));
  }
  if (s->nearness)
    TRY(GrB_Vector_apply(s->nearness, NULL, GrB_PLUS_FP64, GrB_IDENTITY_FP64, s->batch_nearness, NULL));
out:
  return info;
}

GrB_Info grid_distances_by_products(GrB_Vector reached, GrB_Vector sum, GrB_Vector nearness,
                                    GrB_Vector farthest, int64_t *eccentricity, GrB_Matrix A,
                                    const GrB_Index *sources, GrB_Index nsources) {
  searches s = {.reached = reached, .sum = sum, .nearness = nearness, .farthest = farthest, .A = A};
  GrB_Index batch[BATCH];
  GrB_Info info;
  TRY(begin(&s));
  for (GrB_Index first = 0; first < nsources; first += BATCH) {
    const GrB_Index count = nsources - first < BATCH ? nsources - first : BATCH;
    for (GrB_Index k = 0; k < count; k++) batch[k] = sources ? sources[first + k] : first + k;
    Grid_progress_set(first, nsources);
    TRY(search_batch(&s, eccentricity ? eccentricity + first : NULL, batch, count));
  }
out:
  end(&s);
  return info;
}
