/* gridblas graph500: the benchmark by its published rules.
 *
 * Untimed: the R-MAT tuples in memory, the search keys. Kernel 1: from the tuples to a matrix ready to
 * search. On a device, where tuples are generated while they are sorted and never stored, their generation is
 * part of it (construction_includes_generation). graph_generation is then the time of generating the tuples
 * alone. Kernel 2: each search is timed alone, with a common start (Grid_synchronize), as the slowest
 * process's time; on a device an untimed search comes first. TEPS: input tuples (loops and duplicates as
 * listed) within the component, over that time. Every tree is validated against the original tuples.
 *
 * --sssp: kernel 3 in place of kernel 2, shortest paths with a weight from 0 to 1 for every tuple, drawn
 * from its number within kernel 1. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/validate/check_sssp.h"
#include "bench/command/commands.h"
#include "bench/vertices/random_vertices.h"

/* One number per search of each kind. */
typedef struct {
  uint64_t count;
  uint64_t *key;
  double *seconds, *nedge, *validate;
  double generation;    /* of tuples that are not stored: measured separately */
  uint64_t calls, sent; /* over all searches: this process's calls for exchanging messages, and its bytes */
} searches;

static int searches_open(searches *s, uint64_t count) {
  s->count = 0;
  s->key = calloc(count, sizeof *s->key);
  s->seconds = calloc(count, sizeof *s->seconds);
  s->nedge = calloc(count, sizeof *s->nedge);
  s->validate = calloc(count, sizeof *s->validate);
  const bool allocated = s->key != NULL && s->seconds != NULL && s->nedge != NULL && s->validate != NULL;
  return fail_on_any(STATUS_INPUT, allocated ? NULL : "no memory for the results");
}

static void searches_close(searches *s) {
  free(s->key);
  free(s->seconds);
  free(s->nedge);
  free(s->validate);
}

/* ---- kernels 2 and 3 ---- */

/* The output of a search: kernel 2 parents, and levels on request; kernel 3 parents and distances. */
typedef struct {
  GrB_Vector level, parent, distance;
} answer;

static void free_answer(answer *a) {
  GrB_Vector_free(&a->level);
  GrB_Vector_free(&a->parent);
  GrB_Vector_free(&a->distance);
}

static GrB_Info search(answer *a, const graph *g, uint64_t key, const options *o) {
  *a = (answer){NULL, NULL, NULL};
  GrB_Info info = o->sssp ? Grid_shortest_paths(&a->distance, &a->parent, g->A, key, o->delta)
                          : Grid_bfs(o->levels ? &a->level : NULL, &a->parent, g->A, key, -1);
  /* completes deferred computations */
  const GrB_Vector given[] = {a->level, a->parent, a->distance};
  for (int k = 0; info == GrB_SUCCESS && k < 3; k++)
    if (given[k] != NULL) info = GrB_Vector_wait(given[k], GrB_MATERIALIZE);
  return info;
}

/* For both kernels. */
typedef struct {
  checker tree;
  path_checker paths;
  const options *o;
} validator;

static int validator_open(validator *j, const graph *g, const options *o) {
  j->o = o;
  return o->sssp ? path_checker_open(&j->paths, g, o->check) : checker_open(&j->tree, g, o, o->check);
}

static void validator_close(validator *j) {
  if (j->o->sssp)
    path_checker_close(&j->paths);
  else
    checker_close(&j->tree);
}

static int validator_run(validator *j, const answer *a, uint64_t key, uint64_t *inside) {
  if (j->o->sssp)
    return path_checker_run(&j->paths, a->distance, a->parent, key, !j->o->skip_validation, inside);
  return j->o->skip_validation ? checker_count(&j->tree, a->parent, inside)
                               : checker_run(&j->tree, a->level, a->parent, key, -1, inside);
}

static int validator_compare(validator *j, uint64_t key) {
  return j->o->sssp ? path_checker_compare(&j->paths, key) : checker_compare(&j->tree, key, -1);
}

static int search_once(searches *s, uint64_t k, validator *j, const graph *g, const options *o) {
  answer a = {NULL, NULL, NULL};
  uint64_t inside = 0;

  GrB_Info info = Grid_synchronize();
  uint64_t before[2], after[2];
  Grid_traffic(&before[0], &before[1]);
  double start = clock_now();
  if (info == GrB_SUCCESS) info = search(&a, g, s->key[k], o);
  Grid_traffic(&after[0], &after[1]);
  s->calls += after[0] - before[0];
  s->sent += after[1] - before[1];
  s->seconds[k] = clock_slowest(start);
  if (info != GrB_SUCCESS) {
    free_answer(&a);
    return fail_library("searching");
  }

  start = clock_now();
  int status = validator_run(j, &a, s->key[k], &inside);
  s->validate[k] = clock_slowest(start);
  s->nedge[k] = (double)inside;
  free_answer(&a);
  if (status == STATUS_OK && o->check) status = validator_compare(j, s->key[k]);
  if (status == STATUS_OK && o->verbose && Grid_rank() == 0)
    fprintf(stderr, "search %3" PRIu64 ": key %10" PRIu64 "  %9.3f ms  %8.2f MTEPS  validated in %.3f s\n",
            k + 1, s->key[k], 1e3 * s->seconds[k], 1e-6 * s->nedge[k] / s->seconds[k], s->validate[k]);
  return status;
}

/* Searches from the first key once more, with levels recorded, which costs messages; so it is not one of the
 * timed searches. */
static int show_levels(trace *t, const searches *s, const graph *g, const options *o) {
  answer a;
  trace_start(t);
  const GrB_Info info = search(&a, g, s->key[0], o);
  trace_stop(t);
  free_answer(&a);
  if (info != GrB_SUCCESS) return fail_library("searching");
  trace_print(t, stderr);
  return STATUS_OK;
}

/* A device compiles and loads kernels at their first call, which is no part of a search. */
static int warm_up(const searches *s, const graph *g, const options *o) {
  answer a;
  const GrB_Info info = search(&a, g, s->key[0], o);
  free_answer(&a);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("searching");
}

static int run_searches(searches *s, trace *t, const graph *g, const options *o) {
  validator j;
  int status = validator_open(&j, g, o);
  if (status == STATUS_OK && !o->sssp) status = checker_generate(&j.tree, &s->generation);
  if (status == STATUS_OK && o->device != Grid_CPU) status = warm_up(s, g, o);
  if (status == STATUS_OK && o->verbose) status = show_levels(t, s, g, o);
  for (uint64_t k = 0; status == STATUS_OK && k < s->count; k++) {
    progress_of(k, s->count, "search %" PRIu64 " of %" PRIu64, k + 1, s->count);
    status = search_once(s, k, &j, g, o);
  }
  validator_close(&j);
  return status;
}

/* ---- statistics ---- */

typedef struct {
  double min, first, median, third, max, mean, stddev;
} statistics;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Order statistics by the definition of Graph500: the mean of the two elements around each quarter. x is
 * sorted. */
static statistics statistics_of(double *x, uint64_t n) {
  statistics s = {0, 0, 0, 0, 0, 0, 0};
  for (uint64_t k = 0; k < n; k++) s.mean += x[k] / (double)n;
  for (uint64_t k = 0; k < n; k++) s.stddev += (x[k] - s.mean) * (x[k] - s.mean);
  s.stddev = n > 1 ? sqrt(s.stddev / (double)(n - 1)) : 0;
  qsort(x, n, sizeof *x, ascending);
  s.min = x[0];
  s.first = (x[(n - 1) / 4] + x[n / 4]) / 2;
  s.median = (x[(n - 1) / 2] + x[n / 2]) / 2;
  s.third = (x[n - 1 - (n - 1) / 4] + x[n - 1 - n / 4]) / 2;
  s.max = x[n - 1];
  return s;
}

/* kernel: "", or "sssp ", the prefix of each name. */
static void report_statistics(report *r, const char *kernel, const char *what, const statistics *s,
                              bool mean) {
  const struct {
    const char *name;
    double value;
  } rows[] = {
      {"min", s->min}, {"firstquartile", s->first}, {"median", s->median}, {"thirdquartile", s->third},
      {"max", s->max}, {"mean", s->mean},           {"stddev", s->stddev}};
  for (int k = 0; k < (mean ? 7 : 5); k++) {
    char key[48];
    snprintf(key, sizeof key, "%s%s_%s", kernel, rows[k].name, what);
    report_number(r, key, rows[k].value);
  }
}

/* Rates are averaged by their reciprocals, seconds per edge: the harmonic mean, and its standard error
 * (Norris 1940). */
static void report_teps(report *r, const char *kernel, double *seconds_per_edge, uint64_t n) {
  char key[48];
  const statistics s = statistics_of(seconds_per_edge, n);
  const statistics teps = {1 / s.max, 1 / s.third, 1 / s.median, 1 / s.first, 1 / s.min, 0, 0};
  report_statistics(r, kernel, "TEPS", &teps, false);
  snprintf(key, sizeof key, "%sharmonic_mean_TEPS", kernel);
  report_number(r, key, 1 / s.mean);
  snprintf(key, sizeof key, "%sharmonic_stddev_TEPS", kernel);
  report_number(r, key, n > 1 ? s.stddev / (s.mean * s.mean * sqrt((double)(n - 1))) : 0);
}

static void report_results(report *r, searches *s, const graph *g, const options *o) {
  const char *kernel = o->sssp ? "sssp " : "";
  if (r == NULL) return;
  report_count(r, "SCALE", (uint64_t)o->scale);
  report_count(r, "edgefactor", o->edgefactor);
  report_count(r, "NBFS", s->count);
  report_number(r, "graph_generation", g->regenerated ? s->generation : g->read_seconds);
  report_flag(r, "construction_includes_generation", g->regenerated);
  report_count(r, "num_mpi_processes", (uint64_t)Grid_size());
  report_number(r, "construction_time", g->build_seconds);
  report_counts(r, "search_keys", s->key, s->count);
  report_numbers(r, "times", s->seconds, s->count);
  report_numbers(r, "nedges", s->nedge, s->count);

  /* statistics_of sorts, so the quotients come first */
  double *per_edge = calloc(s->count, sizeof *per_edge);
  for (uint64_t k = 0; per_edge != NULL && k < s->count; k++) per_edge[k] = s->seconds[k] / s->nedge[k];
  statistics of = statistics_of(s->seconds, s->count);
  report_statistics(r, kernel, "time", &of, true);
  of = statistics_of(s->nedge, s->count);
  report_statistics(r, kernel, "nedge", &of, true);
  if (per_edge != NULL) report_teps(r, kernel, per_edge, s->count);
  free(per_edge);
  if (!o->skip_validation) {
    of = statistics_of(s->validate, s->count);
    report_statistics(r, kernel, "validate", &of, true);
  }
}

/* Beside the official results: the storage of the matrix; the messages of a search. */
static int report_storage(report *r, const graph *g, const searches *t) {
  Grid_Storage s;
  uint64_t sent = t->sent;
  GrB_Info info = Grid_Matrix_storage(&s, g->A);
  if (info == GrB_SUCCESS) info = Grid_sum(&sent, 1);
  if (info != GrB_SUCCESS) return fail_library("measuring the matrix");
  report_count(r, "entries", s.nvals);
  report_number(r, "bytes_per_entry", s.nvals > 0 ? (double)s.bytes / (double)s.nvals : 0);
  report_count(r, "delegates", s.delegates);
  report_number(r, "calls_per_search", (double)t->calls / (double)t->count);
  report_number(r, "KB_sent_per_process_and_search", 1e-3 * (double)sent / Grid_size() / (double)t->count);
  return STATUS_OK;
}

/* ---- the command ---- */

static int benchmark(searches *s, trace *t, report *r, graph *g, const options *o) {
  int status = searches_open(s, o->roots);
  if (status == STATUS_OK) status = device_choose(o);
  if (status == STATUS_OK) status = graph_read(g, o);
  if (status == STATUS_OK) status = graph_build(g, o);
  if (status == STATUS_OK) status = draw_vertices(s->key, &s->count, g, o->roots, o->seed);
  GrB_Vector_free(&g->out_degree); /* the searches need its memory */
  if (status == STATUS_OK && s->count == 0) return fail(STATUS_INPUT, "the graph has no edges to search");
  if (status == STATUS_OK) status = run_searches(s, t, g, o);
  if (status == STATUS_OK) report_results(r, s, g, o);
  if (status == STATUS_OK) status = report_storage(r, g, s);
  if (status == STATUS_OK) status = device_report(r);
  if (status == STATUS_OK && o->verbose) network_report(r);
  if (status == STATUS_OK && o->verbose) device_print(stderr);
  return status;
}

int cmd_graph500(const command *c, const options *given) {
  (void)c;
  graph g = {.n = 0};
  searches s = {0, NULL, NULL, NULL, NULL, 0};
  trace t = {NULL, 0, 0, false};
  output json = {NULL, NULL, NULL};
  report *r = report_new();
  char name[80];
  options o = *given;

  snprintf(name, sizeof name, "rmat:%d:%" PRIu64 ":%" PRIu64, o.scale, o.edgefactor, o.seed);
  o.graph = name;
  if (o.sssp) o.weighted = true, o.weights = WEIGHTS_UNIT;
  int status = fail_on_any(STATUS_INPUT, Grid_rank() == 0 && r == NULL ? "not enough memory" : NULL);
  if (status == STATUS_OK) status = output_open(&json, o.json);
  if (status == STATUS_OK) status = benchmark(&s, &t, r, &g, &o);
  if (o.verbose) trace_report(&t, r);
  if (status == STATUS_OK) status = report_json(r, &json);
  if (status == STATUS_OK) status = output_commit(&json);
  progress(NULL);
  if (status == STATUS_OK) report_print(r, output_report_stream(&o));
  output_discard(&json);
  searches_close(&s);
  report_free(r);
  trace_free(&t);
  graph_close(&g);
  return status;
}
