/* Degrees of all vertices: of a graph counted, of R-MAT graphs by formula. There a vertex's tuples depend on
 * its bits alone: with j ones among `scale` bits it is the end of a tuple with the probability .24^j
 * .76^(scale - j). Two vertices are adjacent if one of all tuples falls between them. Summed over all
 * neighbours, by their bits where the vertex has ones and where it has zeros, this is the vertex's expected
 * degree. Degrees are Poisson distributed around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command/plan.h"

/* The Graph500 initiator: both bits zero; one of them; both one. */
static const double BOTH_ZERO = 0.57, ONE = 0.19, BOTH_ONE = 0.05;
/* Up to this mean each degree is a class of its own; above it there are classes up to three deviations away.
 */
enum { MAX_SPREAD = 64, CLASSES_OF_MEAN = 160, MAX_SCALE = 58, STEPS = 12 };
static const double DEVIATIONS_A_STEP = 0.25;

static double log_choose(int n, int k) {
  return lgamma(n + 1.) - lgamma(k + 1.) - lgamma(n - k + 1.);
}

/* The mean degree of a vertex with j ones. */
static double mean_degree(int scale, int j, double tuples) {
  double sum = 0;
  for (int both = 0; both <= j; both++)
    for (int one = 0; one <= scale - j; one++) {
      const double p = pow(BOTH_ONE, both) * pow(ONE, j - both + one) * pow(BOTH_ZERO, scale - j - one);
      sum += exp(log_choose(j, both) + log_choose(scale - j, one)) * -expm1(-2 * tuples * p);
    }
  return sum;
}

static void add_class(Grid_Degrees *g, uint64_t *degree, double *weight, double of, double vertices) {
  if (vertices <= 0) return;
  degree[g->count] = (uint64_t)llround(of);
  weight[g->count++] = vertices;
}

/* The normal distribution that Poisson's is near, of `vertices` in all. */
static void add_normal(Grid_Degrees *g, uint64_t *degree, double *weight, double mean, double vertices) {
  double sum = 0;
  for (int k = -STEPS; k <= STEPS; k++) sum += exp(-0.5 * pow(k * DEVIATIONS_A_STEP, 2));
  for (int k = -STEPS; k <= STEPS; k++)
    add_class(g, degree, weight, mean + k * DEVIATIONS_A_STEP * sqrt(mean),
              vertices * exp(-0.5 * pow(k * DEVIATIONS_A_STEP, 2)) / sum);
}

static void fill(Grid_Degrees *g, uint64_t *degree, double *weight, int scale, double tuples) {
  for (int j = 0; j <= scale; j++) {
    const double mean = mean_degree(scale, j, tuples), vertices = exp(log_choose(scale, j));
    if (mean > MAX_SPREAD) add_normal(g, degree, weight, mean, vertices);
    for (int k = 0; k < CLASSES_OF_MEAN && mean <= MAX_SPREAD; k++)
      add_class(g, degree, weight, k, vertices * exp(k * log(mean) - mean - lgamma(k + 1.)));
  }
}

int plan_rmat_degrees(Grid_Degrees *g, const char *name) {
  uint64_t v[3] = {0, 16, 1}; /* scale, edge factor, seed */
  *g = (Grid_Degrees){.n = 0};
  if (strncmp(name, "rmat:", strlen("rmat:")) != 0 ||
      graph_name_numbers(v, name + strlen("rmat"), ":::") < 1 || v[0] < 8 || v[0] > MAX_SCALE || v[1] == 0)
    return fail(STATUS_INPUT, "%s: --from-degrees takes rmat:SCALE[:EDGEFACTOR] with SCALE from 8 to 58",
                name);
  const int scale = (int)v[0];
  uint64_t *degree = calloc((size_t)(scale + 1) * CLASSES_OF_MEAN, sizeof *degree);
  double *weight = calloc((size_t)(scale + 1) * CLASSES_OF_MEAN, sizeof *weight);
  const bool fits = degree != NULL && weight != NULL;
  *g = (Grid_Degrees){.n = UINT64_C(1) << scale, .degree = degree, .symmetric = true, .weight = weight};
  if (fits) fill(g, degree, weight, scale, exp2(scale) * (double)v[1]);
  return fail_on_any(STATUS_INPUT, fits ? NULL : "not enough memory");
}

/* Eight classes a power of two. */
enum { CLASSES = 8 * 64 };

int plan_graph_degrees(Grid_Degrees *g, const graph *of) {
  uint64_t *at, count, sum[2 * CLASSES] = {0}, *degree = calloc(CLASSES, sizeof *degree);
  double *weight = calloc(CLASSES, sizeof *weight);
  void *value = NULL;
  *g = (Grid_Degrees){.n = of->n, .degree = degree, .symmetric = !of->directed, .weight = weight};
  int status = fail_on_any(STATUS_INPUT, degree && weight ? NULL : "not enough memory");
  if (status != STATUS_OK) return status;
  GrB_Info info = local_entries(&at, &value, sizeof(int64_t), &count, of->out_degree, "no memory to count");
  for (uint64_t k = 0; info == GrB_SUCCESS && k < count; k++) {
    const int64_t d = ((const int64_t *)value)[k];
    const int class = d > 0 ? (int)(8 * log2((double)d)) : 0;
    sum[class]++, sum[CLASSES + class] += d > 0 ? (uint64_t)d : 0;
  }
  free(at);
  free(value);
  if (info == GrB_SUCCESS) info = Grid_sum(sum, 2 * CLASSES);
  if (info != GrB_SUCCESS) return fail_library("counting degrees");
  for (int k = 0; k < CLASSES; k++)
    if (sum[k] > 0) add_class(g, degree, weight, (double)sum[CLASSES + k] / (double)sum[k], (double)sum[k]);
  return STATUS_OK;
}

void plan_degrees_free(Grid_Degrees *g) {
  free((void *)(uintptr_t)g->degree);
  free((void *)(uintptr_t)g->weight);
  *g = (Grid_Degrees){.n = 0};
}
