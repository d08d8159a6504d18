/* Betweenness centrality within an error bound, from a sample of sources (dependencies.c).
 *
 * x(s, v) = the dependency of the source s on v, divided by n - 1, is from 0 to 1. Its mean over all s is
 * betweenness by n (n - 1). N of the n sources are drawn without replacement. With rho = 1 - (N - 1) / n, let
 * V be the variance of x(., v) in the sample. Each of these holds with probability 1 - p for the error of a
 * mean in either direction:
 *
 *   sqrt(rho log(1 / p) / (2 N))                                     with one event: Hoeffding, Serfling
 *   sqrt(2 rho V log(1 / p) / N) + kappa log(1 / p) / N              with five: empirical Bernstein, Serfling
 *
 * where kappa = 7 / 3 + 3 / sqrt(2). (For N > n / 2 the second has a smaller rho.) These are 12 events for a
 * vertex. So p = failure / (12 n rounds) holds them for all vertices after each round. Then the sample may
 * stop where the smaller bound is at most epsilon: the second depends on the largest V alone.
 *
 * Sources: Brandes, Pich, Centrality estimation in large networks (2007); Serfling, Probability inequalities
 * for the sum in sampling without replacement (1974); Bardenet, Maillard, Concentration inequalities for
 * sampling without replacement (2015), theorem 4.3. */
#include <math.h>
#include <stdlib.h>

#include "algos/centrality/dependencies_many.h"
#include "algos/checkpoints/resume.h"
#include "gridblas_rmat.h"

typedef struct {
  dependencies b;
  GrB_Index n;
  GrB_Vector sum, squares; /* of the dependencies */
  GrB_Vector t;            /* workspace */
  uint64_t *drawn;         /* a bit for each vertex: it is in the sample */
  uint64_t seed, draws;
  GrB_Index size; /* so many are */
  double log_p;   /* log(1 / p) */
} sample;

/* A round's sample is this much larger than the one before. */
static const double growth = 1.5;
static const double kappa = 7.0 / 3 + 2.1213203435596424; /* 3 / sqrt(2) */

/* A vertex that is not in the sample yet. */
static GrB_Index draw(sample *s) {
  for (;;) {
    const GrB_Index v = Grid_Rmat_mix(s->seed + ++s->draws * GRID_RMAT_GOLDEN) % s->n;
    const uint64_t bit = UINT64_C(1) << v % 64;
    if (s->drawn[v / 64] & bit) continue;
    s->drawn[v / 64] |= bit;
    return v;
  }
}

static GrB_Index whole(const sample *s, double size) {
  return size < (double)s->n ? (GrB_Index)ceil(size) : s->n;
}

/* *least: the first size of the sample for which a bound may be at most epsilon. *most: for which the bound
 * of Hoeffding and Serfling is (with one source against rounding). */
static void find_sizes(GrB_Index *least, GrB_Index *most, const sample *s, double epsilon) {
  const double n = (double)s->n;
  *most = whole(s, (1 + 1 / n) * s->log_p / (2 * epsilon * epsilon + s->log_p / n) + 1);
  *least = whole(s, kappa * s->log_p / epsilon);
  if (*least > *most) *least = *most;
}

/* The size of the round after that of `size`. */
static GrB_Index larger(const sample *s, GrB_Index size, GrB_Index most) {
  const GrB_Index grown = whole(s, growth * (double)size);
  return grown < most ? grown : most;
}

/* *most = the largest variance of a vertex in a sample of N. */
static GrB_Info largest_variance(double *most, const sample *s, double N) {
  GrB_Info info;
  const double range = (double)(s->n - 1);
  /* N times the variance, before the division by n - 1: squares - sum^2 / N */
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->t, NULL, NULL, GrB_TIMES_FP64, s->sum, s->sum, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(s->t, NULL, NULL, GrB_DIV_FP64, s->t, N, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(s->t, NULL, NULL, GrB_MINUS_FP64, s->squares, s->t, NULL));
  TRY(GrB_Vector_reduce_FP64(most, NULL, GrB_MAX_MONOID_FP64, s->t, NULL));
  *most = fmax(*most, 0) / N / (range * range);
out:
  return info;
}

static GrB_Info find_bound(double *bound, const sample *s) {
  GrB_Info info = GrB_SUCCESS;
  const double N = (double)s->size, rho = 1 - (N - 1) / (double)s->n;
  double variance = 0;
  *bound = 0;
  if (s->size == s->n) return info;
  TRY(largest_variance(&variance, s, N));
  const double hoeffding = sqrt(rho * s->log_p / (2 * N));
  *bound = fmin(hoeffding, sqrt(2 * rho * variance * s->log_p / N) + kappa * s->log_p / N);
out:
  return info;
}

/* The sample of a checkpoint, whose sources are drawn again. A batch of sources is an iteration. */
static GrB_Info resume(uint64_t *batches, checkpoint_key *c, sample *s, double epsilon, double failure,
                       const Grid_Checkpoint_Item *state, int items) {
  GrB_Info info;
  TRY(grid_checkpoint_key_make(c, "betweenness_sampled", s->b.A, s->n));
  c->key[3] = grid_key_of(epsilon), c->key[4] = grid_key_of(failure), c->key[5] = s->seed;
  TRY(grid_checkpoint_resume(batches, c, state, items));
  for (GrB_Index k = 0; k < s->size; k++) draw(s);
out:
  return info;
}

/* Adds sources, of which the sample has `wanted` at most then. */
static GrB_Info add_batch(sample *s, GrB_Index wanted) {
  GrB_Info info;
  GrB_Index source[DEPENDENCIES_MOST];
  const GrB_Index count = grid_dependencies_batch(&s->b, wanted - s->size);
  for (GrB_Index k = 0; k < count; k++) source[k] = draw(s);
  Grid_progress_set(s->size, wanted);
  TRY(grid_add_dependencies_many(&s->b, s->sum, s->squares, source, count));
  s->size += count;
out:
  return info;
}

/* Adds sources until *bound is at most epsilon. */
static GrB_Info grow(double *bound, sample *s, double epsilon, double failure) {
  GrB_Info info;
  GrB_Index wanted, most;
  uint64_t batches = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "sum", .vector = s->sum},
                                        {.name = "squares", .vector = s->squares},
                                        {.name = "size", .bytes = &s->size, .size = sizeof s->size}};
  enum { ITEMS = sizeof state / sizeof *state };
  TRY(resume(&batches, &c, s, epsilon, failure, state, ITEMS));
  find_sizes(&wanted, &most, s, epsilon);
  for (;; wanted = larger(s, wanted, most)) {
    if (wanted < s->size) continue; /* a round before the checkpoint */
    while (s->size < wanted) {
      TRY(add_batch(s, wanted));
      TRY(grid_checkpoint_iteration(++batches, &c, state, ITEMS));
    }
    TRY(find_bound(bound, s));
    if (*bound <= epsilon) break;
  }
out:
  return info;
}

static GrB_Info begin(sample *s, GrB_Matrix A, double failure) {
  GrB_Info info;
  const double n = fmax(2, (double)s->n), rounds = 2 + log(n) / log(growth);
  s->log_p = log(12 * n * rounds / failure);
  TRY(grid_dependencies_begin(&s->b, A, s->n));
  s->drawn = calloc(s->n / 64 + 1, sizeof *s->drawn);
  TRY(Grid_agree(s->drawn == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the sample"));
  TRY(GrB_Vector_new(&s->sum, GrB_FP64, s->n));
  TRY(GrB_Vector_new(&s->squares, GrB_FP64, s->n));
  TRY(GrB_Vector_new(&s->t, GrB_FP64, s->n));
  TRY(GrB_Vector_assign_FP64(s->sum, NULL, NULL, 0, GrB_ALL, s->n, NULL));
  TRY(GrB_Vector_assign_FP64(s->squares, NULL, NULL, 0, GrB_ALL, s->n, NULL));
out:
  return info;
}

/* sum becomes the estimate for all sources. */
static GrB_Info scale(const sample *s) {
  if (s->size == s->n) return GrB_SUCCESS;
  const double inverse = (double)s->n / (double)s->size;
  return GrB_Vector_apply_BinaryOp2nd_FP64(s->sum, NULL, NULL, GrB_TIMES_FP64, s->sum, inverse, NULL);
}

GrB_Info Grid_betweenness_sampled(GrB_Vector *centrality, uint64_t *samples, double *bound, GrB_Matrix A,
                                  double epsilon, double failure, uint64_t seed) {
  SPAN;
  const char *const call = "Grid_betweenness_sampled";
  sample s = {.seed = seed};
  double error = 0;
  GrB_Info info;

  if (centrality == NULL) return grid_refuse(GrB_NULL_POINTER, call, "centrality is NULL");
  TRY(square_size(&s.n, A, call));
  if (!(epsilon > 0 && epsilon <= 1))
    return grid_refuse(GrB_INVALID_VALUE, call, "epsilon is %g, not above 0 and at most 1", epsilon);
  if (!(failure > 0 && failure < 1))
    return grid_refuse(GrB_INVALID_VALUE, call, "failure is %g, not between 0 and 1", failure);
  TRY(begin(&s, A, failure));
  TRY(grow(&error, &s, epsilon, failure));
  TRY(scale(&s));
  *centrality = s.sum, s.sum = NULL;
  if (samples != NULL) *samples = s.size;
  if (bound != NULL) *bound = error;
out:
  grid_dependencies_free(&s.b);
  GrB_Vector_free(&s.sum);
  GrB_Vector_free(&s.squares);
  GrB_Vector_free(&s.t);
  free(s.drawn);
  return info;
}
