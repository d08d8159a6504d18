/* gridblas graph500: the benchmark by its published rules.
 *
 * Untimed: the R-MAT tuples in memory, the search keys. Kernel 1: from the tuples to a matrix ready to
 * search; on a device, where tuples are made as they are sorted and never stored, their generation is part of
 * it (construction_includes_generation; graph_generation is then the time to make the tuples and nothing
 * else). Kernel 2: after one search that isn't counted where there is a device, each search by itself,
 * everybody starting together, the slowest process's time. TEPS: input tuples (loops and duplicates as they
 * are listed) within the component, over that time. Every tree is validated against the original tuples. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/check.h"
#include "bench/commands.h"
#include "bench/program/draw.h"

/* One number per search of each kind. */
typedef struct {
  uint64_t count;
  uint64_t *key;
  double *seconds, *nedge, *validate;
  double generation;    /* of tuples that are not kept: measured apart */
  uint64_t calls, sent; /* of all searches together: this process's calls to exchange messages, its bytes */
} searches;

static int searches_open(searches *s, uint64_t count) {
  s->count = 0;
  s->key = calloc(count, sizeof *s->key);
  s->seconds = calloc(count, sizeof *s->seconds);
  s->nedge = calloc(count, sizeof *s->nedge);
  s->validate = calloc(count, sizeof *s->validate);
  const bool room = s->key != NULL && s->seconds != NULL && s->nedge != NULL && s->validate != NULL;
  return fail_anywhere(STATUS_INPUT, room ? NULL : "no memory for the results");
}

static void searches_close(searches *s) {
  free(s->key);
  free(s->seconds);
  free(s->nedge);
  free(s->validate);
}

/* ---- kernel 2 ---- */

static int search_once(searches *s, uint64_t k, checker *c, const graph *g, const options *o) {
  GrB_Vector level = NULL, parent = NULL;
  uint64_t inside = 0;

  GrB_Info info = Grid_agree(GrB_SUCCESS, NULL); /* everybody starts together */
  uint64_t before[2], after[2];
  Grid_traffic(&before[0], &before[1]);
  double start = clock_now();
  if (info == GrB_SUCCESS) info = Grid_bfs(o->levels ? &level : NULL, &parent, g->A, s->key[k], -1);
  /* they are written, whatever the library holds back */
  if (info == GrB_SUCCESS && o->levels) info = GrB_Vector_wait(level, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS) info = GrB_Vector_wait(parent, GrB_MATERIALIZE);
  Grid_traffic(&after[0], &after[1]);
  s->calls += after[0] - before[0];
  s->sent += after[1] - before[1];
  s->seconds[k] = clock_slowest(start);
  if (info != GrB_SUCCESS) return fail_library("searching");

  start = clock_now();
  int status = o->skip_validation ? checker_count(c, parent, &inside)
                                  : checker_run(c, level, parent, s->key[k], -1, &inside);
  s->validate[k] = clock_slowest(start);
  s->nedge[k] = (double)inside;
  GrB_Vector_free(&level);
  GrB_Vector_free(&parent);
  if (status == STATUS_OK && o->check) status = checker_compare(c, s->key[k], -1);
  if (status == STATUS_OK && o->verbose && Grid_rank() == 0)
    fprintf(stderr, "search %3" PRIu64 ": key %10" PRIu64 "  %9.3f ms  %8.2f MTEPS  validated in %.3f s\n",
            k + 1, s->key[k], 1e3 * s->seconds[k], 1e-6 * s->nedge[k] / s->seconds[k], s->validate[k]);
  return status;
}

/* The first key once more, with its levels recorded (which costs messages, so it isn't one of the timed
 * searches). */
static int show_levels(trace *t, const searches *s, const graph *g, const options *o) {
  GrB_Vector level = NULL, parent = NULL;
  trace_start(t);
  const GrB_Info info = Grid_bfs(o->levels ? &level : NULL, &parent, g->A, s->key[0], -1);
  trace_stop(t);
  GrB_Vector_free(&level);
  GrB_Vector_free(&parent);
  if (info != GrB_SUCCESS) return fail_library("searching");
  trace_print(t, stderr);
  return STATUS_OK;
}

/* A device compiles and loads kernels when they are first called: that is no part of a search. */
static int warm_up(const searches *s, const graph *g, const options *o) {
  GrB_Vector level = NULL, parent = NULL;
  GrB_Info info = Grid_bfs(o->levels ? &level : NULL, &parent, g->A, s->key[0], -1);
  if (info == GrB_SUCCESS) info = GrB_Vector_wait(parent, GrB_MATERIALIZE);
  GrB_Vector_free(&level);
  GrB_Vector_free(&parent);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("searching");
}

static int run_searches(searches *s, trace *t, const graph *g, const options *o) {
  checker c;
  int status = checker_open(&c, g, o, o->check);
  if (status == STATUS_OK) status = checker_generate(&c, &s->generation);
  if (status == STATUS_OK && o->device == Grid_CUDA) status = warm_up(s, g, o);
  if (status == STATUS_OK && o->verbose) status = show_levels(t, s, g, o);
  for (uint64_t k = 0; status == STATUS_OK && k < s->count; k++) {
    progress("search %" PRIu64 " of %" PRIu64, k + 1, s->count);
    status = search_once(s, k, &c, g, o);
  }
  checker_close(&c);
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

/* Order statistics as Graph500 defines them: the mean of the two elements around each quarter. x is sorted.
 */
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

static void report_statistics(report *r, const char *what, const statistics *s, bool mean) {
  const struct {
    const char *name;
    double value;
  } rows[] = {
      {"min", s->min}, {"firstquartile", s->first}, {"median", s->median}, {"thirdquartile", s->third},
      {"max", s->max}, {"mean", s->mean},           {"stddev", s->stddev}};
  for (int k = 0; k < (mean ? 7 : 5); k++) {
    char key[48];
    snprintf(key, sizeof key, "%s_%s", rows[k].name, what);
    report_number(r, key, rows[k].value);
  }
}

/* Rates are averaged by their reciprocals, seconds per edge: the harmonic mean, and the standard error that
 * belongs to it (Norris 1940). */
static void report_teps(report *r, double *seconds_per_edge, uint64_t n) {
  const statistics s = statistics_of(seconds_per_edge, n);
  const statistics teps = {1 / s.max, 1 / s.third, 1 / s.median, 1 / s.first, 1 / s.min, 0, 0};
  report_statistics(r, "TEPS", &teps, false);
  report_number(r, "harmonic_mean_TEPS", 1 / s.mean);
  report_number(r, "harmonic_stddev_TEPS", n > 1 ? s.stddev / (s.mean * s.mean * sqrt((double)(n - 1))) : 0);
}

static void report_results(report *r, searches *s, const graph *g, const options *o) {
  if (r == NULL) return;
  report_count(r, "SCALE", (uint64_t)o->scale);
  report_count(r, "edgefactor", o->edgefactor);
  report_count(r, "NBFS", s->count);
  report_number(r, "graph_generation", g->remade ? s->generation : g->read_seconds);
  report_flag(r, "construction_includes_generation", g->remade);
  report_count(r, "num_mpi_processes", (uint64_t)Grid_size());
  report_number(r, "construction_time", g->build_seconds);
  report_counts(r, "search_keys", s->key, s->count);
  report_numbers(r, "times", s->seconds, s->count);
  report_numbers(r, "nedges", s->nedge, s->count);

  /* statistics_of sorts, so the quotients come first */
  double *per_edge = calloc(s->count, sizeof *per_edge);
  for (uint64_t k = 0; per_edge != NULL && k < s->count; k++) per_edge[k] = s->seconds[k] / s->nedge[k];
  statistics of = statistics_of(s->seconds, s->count);
  report_statistics(r, "time", &of, true);
  of = statistics_of(s->nedge, s->count);
  report_statistics(r, "nedge", &of, true);
  if (per_edge != NULL) report_teps(r, per_edge, s->count);
  free(per_edge);
  if (!o->skip_validation) {
    of = statistics_of(s->validate, s->count);
    report_statistics(r, "validate", &of, true);
  }
}

/* Outside the official results: how the matrix is kept; the messages of a search. */
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
  GrB_Vector_free(&g->out_degree); /* its memory is wanted for the searches */
  if (status == STATUS_OK && s->count == 0) return fail(STATUS_INPUT, "the graph has no edges to search");
  if (status == STATUS_OK) status = run_searches(s, t, g, o);
  if (status == STATUS_OK) report_results(r, s, g, o);
  if (status == STATUS_OK) status = report_storage(r, g, s);
  if (status == STATUS_OK) status = device_report(r);
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
  int status = fail_anywhere(STATUS_INPUT, Grid_rank() == 0 && r == NULL ? "not enough memory" : NULL);
  if (status == STATUS_OK) status = output_open(&json, o.json);
  if (status == STATUS_OK) status = benchmark(&s, &t, r, &g, &o);
  if (o.verbose) trace_report(&t, r);
  if (status == STATUS_OK) status = report_json(r, &json);
  if (status == STATUS_OK) status = output_commit(&json);
  progress(NULL);
  if (status == STATUS_OK) report_print(r, o.json != NULL && strcmp(o.json, "-") == 0 ? stderr : stdout);
  output_discard(&json);
  searches_close(&s);
  report_free(r);
  trace_free(&t);
  graph_close(&g);
  return status;
}
