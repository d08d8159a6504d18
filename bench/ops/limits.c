/* Lower bounds of the machine, measured in the same rounds as the libraries: copying, random reads, and two
 * plain loops over compressed rows. Prints lines like ops.c: name, shape, scale, median and least
 * milliseconds, repetitions, entries, bytes, without a checksum.
 *
 *   ops_limits [--scale N] [--repeat N] [--seed N] [--rows PATTERN,...]
 *
 * limit.pr_spmv.20 is PageRank like the GAP benchmark suite's pr_spmv: 20 iterations, float, the neighbours'
 * contributions summed row by row, rows scheduled in chunks of 16384. Its loop is a named limit of the row
 * pagerank.20 and, per iteration, of mxv.plus_second.fp32. limit.NAME for a row algorithm.NAME that the
 * patterns name is GAP's algorithm (gap.h, gap_triangles.h; limit.pagerank: pr_spmv until it changes by less
 * than 1e-4). Its result must be that of the row, whose checksum is printed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ops/gap/gap.h"

enum { ITERATIONS = 20, ROWS_AT_A_TIME = 16384, COPIED = 1 << 25, SOURCES = 4, BUCKET = 16 };
static const double STILL = 1e-4;

typedef struct {
  graph g;
  uint64_t *start;
  uint32_t *col;
  double *value;
  float *score, *contribution;
  double *x, *y;            /* COPIED numbers each, or as many as there are vertices */
  uint32_t *at;             /* random indices of x */
  uint64_t source[SOURCES]; /* as the rows choose them */
  /* GAP's: weights of the entries, and what it leaves */
  int32_t *weight, *distance;
  uint32_t *label;
  double *rank;
  uint64_t triangles;
  bool failed;
  double sum; /* so that no loop is without use */
} limits;

/* The vertices with edges, in equal steps. */
static void choose_sources(limits *l) {
  uint64_t live = 0, at = 0, chosen = 0;
  for (uint64_t v = 0; v < l->g.n; v++) live += l->start[v + 1] > l->start[v];
  for (uint64_t v = 0; v < l->g.n && chosen < SOURCES; v++) {
    if (l->start[v + 1] == l->start[v]) continue;
    if (at++ == chosen * live / SOURCES) l->source[chosen++] = v;
  }
}

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
  l->weight = malloc((e + 1) * sizeof *l->weight);
  l->distance = malloc(n * sizeof *l->distance);
  l->label = malloc(n * sizeof *l->label);
  l->rank = malloc(n * sizeof *l->rank);
  if (!l->start || !l->col || !l->value || !l->score || !l->contribution || !l->x || !l->y || !l->at ||
      !l->weight || !l->distance || !l->label || !l->rank)
    return false;
  for (uint64_t k = 0; k < e; k++) {
    l->start[l->g.entry[k].row + 1]++;
    l->col[k] = (uint32_t)l->g.entry[k].col;
    l->value[k] = l->g.entry[k].value;
    l->weight[k] = weight_of(l->g.entry[k].row, l->g.entry[k].col);
  }
  for (uint64_t i = 0; i < n; i++) l->start[i + 1] += l->start[i];
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < most; k++) l->x[k] = l->y[k] = 1;
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < COPIED; k++) l->at[k] = (uint32_t)mix(k);
  choose_sources(l);
  return true;
}

static void destroy(limits *l) {
  graph_free(&l->g);
  free(l->start), free(l->col), free(l->value), free(l->score), free(l->contribution);
  free(l->x), free(l->y), free(l->at);
  free(l->weight), free(l->distance), free(l->label), free(l->rank);
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

static void power_iteration(limits *l, double still) {
  const uint64_t n = l->g.n;
  const float damping = 0.85f, base = (1 - damping) / (float)n;
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < n; i++) l->score[i] = 1 / (float)n;
  double change = 1;
  for (int iteration = 0; iteration < ITERATIONS && change >= still; iteration++) {
    change = 0;
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

static void pagerank(limits *l) {
  power_iteration(l, 0);
}

/* ---- GAP's algorithms ---- */

static lists neighbours(const limits *l) {
  return (lists){l->g.n, l->start, l->col};
}

static void pagerank_to_rest(limits *l) {
  power_iteration(l, STILL);
}

static void triangles(limits *l) {
  const lists g = neighbours(l);
  if (!count_triangles(&g, &l->triangles)) l->failed = true;
}

static void components(limits *l) {
  const lists g = neighbours(l);
  if (!gap_components(&g, l->label)) l->failed = true;
}

static void paths(limits *l) {
  const lists g = neighbours(l);
  if (!gap_paths(&g, l->weight, l->source[0], BUCKET, l->distance)) l->failed = true;
}

static void betweenness(limits *l) {
  const lists g = neighbours(l);
  for (uint64_t v = 0; v < g.n; v++) l->rank[v] = 0;
  if (!gap_betweenness(&g, l->source, SOURCES, l->rank)) l->failed = true;
}

/* Their results: the checksum and the number of entries. */
typedef struct {
  uint64_t entries;
  double sum;
} answer;

static answer pagerank_answer(const limits *l) {
  answer a = {l->g.n, 0};
  for (uint64_t v = 0; v < l->g.n; v++) a.sum += weighted(v, 0, l->score[v]);
  return a;
}

static answer triangles_answer(const limits *l) {
  return (answer){0, (double)l->triangles};
}

/* The root of a tree is its smallest vertex. */
static answer components_answer(const limits *l) {
  answer a = {l->g.n, 0};
  for (uint64_t v = 0; v < l->g.n; v++) a.sum += weighted(v, 0, l->label[v]);
  return a;
}

static answer paths_answer(const limits *l) {
  answer a = {0, 0};
  for (uint64_t v = 0; v < l->g.n; v++) {
    if (l->distance[v] == GAP_FAR) continue;
    a.entries++;
    a.sum += weighted(v, 0, l->distance[v]);
  }
  return a;
}

static answer betweenness_answer(const limits *l) {
  answer a = {l->g.n, 0};
  for (uint64_t v = 0; v < l->g.n; v++) a.sum += weighted(v, 0, l->rank[v]);
  return a;
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
  printf("%s\trmat\t%d\t%.6f\t%.6f\t%d\t%" PRIu64 "\t%.0f", name, l->g.scale, 1e3 * seconds[times / 2],
         1e3 * seconds[0], times, entries, bytes * (double)entries);
}

static void measure_loop(const char *name, void (*run)(limits *), limits *l, int times, uint64_t entries,
                         double bytes) {
  measure(name, run, l, times, entries, bytes);
  putchar('\n');
}

static void measure_algorithms(limits *l, int times, const char *rows) {
  static const struct {
    const char *row;
    void (*run)(limits *);
    answer (*left)(const limits *);
    double bytes; /* an entry */
  } all[] = {{"algorithm.components", components, components_answer, 4},
             {"algorithm.pagerank", pagerank_to_rest, pagerank_answer, 8},
             {"algorithm.paths", paths, paths_answer, 8},
             {"algorithm.betweenness.4", betweenness, betweenness_answer, 4},
             {"algorithm.triangles", triangles, triangles_answer, 4}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    char name[64];
    if (!is_wanted(all[k].row, rows)) continue;
    snprintf(name, sizeof name, "limit%s", all[k].row + sizeof "algorithm" - 1);
    measure(name, all[k].run, l, times, l->g.entries, all[k].bytes);
    const answer a = all[k].left(l);
    printf("\t%" PRIu64 "\t%.17g\n", a.entries, a.sum);
  }
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
  measure_loop("limit.copy", copy, &l, times, COPIED, 16);
  measure_loop("limit.gather", gather, &l, times, COPIED, 8);
  measure_loop("limit.gather.256MB", gather_far, &l, times, COPIED, 8);
  measure_loop("limit.csr_plus_times", plus_times, &l, times, l.g.entries, 20);
  measure_loop("limit.pr_spmv.20", pagerank, &l, times, l.g.entries, 8 * ITERATIONS);
  if (is_wanted("mxm.triangles", rows)) measure_loop("limit.tc", triangles, &l, times, l.g.entries / 2, 4);
  measure_algorithms(&l, times, rows);
  if (l.failed) fprintf(stderr, "ops_limits: out of memory\n");
  destroy(&l);
  return l.sum > 0 && !l.failed ? 0 : 1;
}
