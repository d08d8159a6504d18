/* limits.c: what the machine allows, measured beside the libraries: copying, random reads, and two plain
 * loops over compressed rows. Prints lines as ops.c does: name, shape, scale, median and least milliseconds,
 * repetitions, entries, bytes, and nothing to compare.
 *
 *   ops_limits [--scale N] [--repeat N] [--seed N] [--rows PATTERN,...]
 *
 * limit.pr_spmv.20 is PageRank as the GAP benchmark suite's pr_spmv does it: 20 iterations, float, the
 * neighbours' contributions added row by row, rows dealt out 16384 at a time; its loop is a named limit of
 * the row pagerank.20 and, an iteration, of mxv.plus_second.fp32. limit.tc counts triangles as GAP's tc does
 * (triangles.h), where the rows' patterns name mxm.triangles. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ops/triangles.h"

enum { ITERATIONS = 20, ROWS_AT_A_TIME = 16384, COPIED = 1 << 25 };

typedef struct {
  graph g;
  uint64_t *start;
  uint32_t *col;
  double *value;
  float *score, *contribution;
  double *x, *y; /* COPIED numbers each, or as many as there are vertices */
  uint32_t *at;  /* random places in x */
  uint64_t triangles;
  double sum; /* so that no loop is without use */
} limits;

static bool make(limits *l, int scale, uint64_t seed) {
  if (!graph_make(&l->g, SHAPE_RMAT, scale, seed)) return false;
  const uint64_t n = l->g.n, e = l->g.entries, most = n > COPIED ? n : COPIED;
  l->start = calloc(n + 1, sizeof *l->start);
  l->col = malloc((e + 1) * sizeof *l->col);
  l->value = malloc((e + 1) * sizeof *l->value);
  l->score = malloc(n * sizeof *l->score);
  l->contribution = malloc(n * sizeof *l->contribution);
  l->x = malloc(most * sizeof *l->x);
  l->y = malloc(most * sizeof *l->y);
  l->at = malloc(COPIED * sizeof *l->at);
  if (!l->start || !l->col || !l->value || !l->score || !l->contribution || !l->x || !l->y || !l->at)
    return false;
  for (uint64_t k = 0; k < e; k++) {
    l->start[l->g.entry[k].row + 1]++;
    l->col[k] = (uint32_t)l->g.entry[k].col;
    l->value[k] = l->g.entry[k].value;
  }
  for (uint64_t i = 0; i < n; i++) l->start[i + 1] += l->start[i];
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < most; k++) l->x[k] = l->y[k] = 1;
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < COPIED; k++) l->at[k] = (uint32_t)mix(k);
  return true;
}

static void destroy(limits *l) {
  graph_free(&l->g);
  free(l->start), free(l->col), free(l->value), free(l->score), free(l->contribution);
  free(l->x), free(l->y), free(l->at);
}

static void copy(limits *l) {
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < COPIED; k++) l->y[k] = l->x[k];
}

static void gather(limits *l) {
  const uint32_t mask = (uint32_t)(l->g.n - 1);
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (uint64_t k = 0; k < COPIED; k++) sum += l->x[l->at[k] & mask];
  l->sum += sum;
}

static void gather_far(limits *l) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (uint64_t k = 0; k < COPIED; k++) sum += l->x[l->at[k] & (COPIED - 1)];
  l->sum += sum;
}

static void plus_times(limits *l) {
#pragma omp parallel for schedule(dynamic, 1024)
  for (uint64_t i = 0; i < l->g.n; i++) {
    double sum = 0;
    for (uint64_t k = l->start[i]; k < l->start[i + 1]; k++) sum += l->value[k] * l->x[l->col[k]];
    l->y[i] = sum;
  }
}

static void pagerank(limits *l) {
  const uint64_t n = l->g.n;
  const float damping = 0.85f, base = (1 - damping) / (float)n;
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < n; i++) l->score[i] = 1 / (float)n;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    double change = 0;
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < n; i++)
      l->contribution[i] = l->score[i] / (float)(l->start[i + 1] - l->start[i]);
#pragma omp parallel for schedule(dynamic, ROWS_AT_A_TIME) reduction(+ : change)
    for (uint64_t i = 0; i < n; i++) {
      float sum = 0;
      for (uint64_t k = l->start[i]; k < l->start[i + 1]; k++) sum += l->contribution[l->col[k]];
      const float before = l->score[i];
      l->score[i] = base + damping * sum;
      change += fabsf(l->score[i] - before);
    }
    l->sum += change;
  }
}

static void triangles(limits *l) {
  uint64_t found = 0;
  if (!count_triangles(&(lists){l->g.n, l->start, l->col}, &found))
    fprintf(stderr, "ops_limits: out of memory\n");
  l->triangles = found;
  l->sum += (double)found;
}

static int smaller_first(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static void measure(const char *name, void (*run)(limits *), limits *l, int times, uint64_t entries,
                    double bytes) {
  double seconds[1000];
  for (int t = -1; t < times; t++) {
    const double begin = now();
    run(l);
    if (t >= 0) seconds[t] = now() - begin;
  }
  /* cppcheck-suppress uninitvar ; times is 1 at least */
  qsort(seconds, (size_t)times, sizeof *seconds, smaller_first);
  printf("%s\trmat\t%d\t%.6f\t%.6f\t%d\t%" PRIu64 "\t%.0f\n", name, l->g.scale, 1e3 * seconds[times / 2],
         1e3 * seconds[0], times, entries, bytes * (double)entries);
}

int main(int argc, char **argv) {
  static limits l;
  int scale = 18, times = 5;
  const char *rows = "*";
  uint64_t seed = 1;
  for (int k = 1; k + 1 < argc; k += 2) {
    if (strcmp(argv[k], "--scale") == 0) scale = (int)strtol(argv[k + 1], NULL, 10);
    if (strcmp(argv[k], "--repeat") == 0) times = (int)strtol(argv[k + 1], NULL, 10);
    if (strcmp(argv[k], "--rows") == 0) rows = argv[k + 1];
    if (strcmp(argv[k], "--seed") == 0) seed = strtoull(argv[k + 1], NULL, 10);
  }
  if (scale < 8 || scale > 28 || times < 1 || times > 1000) {
    fprintf(stderr, "usage: %s [--scale 8..28] [--repeat 1..1000] [--seed N] [--rows PATTERN,...]\n",
            argv[0]);
    return 2;
  }
  if (!make(&l, scale, seed)) {
    fprintf(stderr, "ops_limits: out of memory\n");
    return 1;
  }
  measure("limit.copy", copy, &l, times, COPIED, 16);
  measure("limit.gather", gather, &l, times, COPIED, 8);
  measure("limit.gather.256MB", gather_far, &l, times, COPIED, 8);
  measure("limit.csr_plus_times", plus_times, &l, times, l.g.entries, 20);
  measure("limit.pr_spmv.20", pagerank, &l, times, l.g.entries, 8 * ITERATIONS);
  if (is_wanted("mxm.triangles", rows)) measure("limit.tc", triangles, &l, times, l.g.entries / 2, 4);
  destroy(&l);
  return l.sum > 0 ? 0 : 1;
}
