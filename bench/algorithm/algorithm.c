/* The driver of all algorithms: reads the graph, finds the sources, runs, checks, reports and writes. */
#include "bench/algorithm/algorithm.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/algorithm/draw_answer.h"
#include "bench/algorithm/gather_answer.h"
#include "bench/vertices/source_vertices.h"

enum { DEFAULT_EVERY = 10 }; /* iterations from one checkpoint to the next */

static void drop_answer(job *j) {
  for (int k = 0; k < j->columns; k++) GrB_Vector_free(&j->answer[k].v);
  GrB_Matrix_free(&j->matrix);
  GrB_Matrix_free(&j->second);
  free(j->series);
  j->series = NULL;
  j->columns = 0;
}

GrB_Vector *answer_vector(job *j, int k, const char *title, bool vertices) {
  j->answer[k] = (column){title, vertices, NULL};
  if (j->columns <= k) j->columns = k + 1;
  return &j->answer[k].v;
}

void report_defined(job *j, const char *key, double number) {
  if (isnan(number))
    report_text(j->r, key, "undefined");
  else
    report_number(j->r, key, number);
}

int write_number(output *out, double number) {
  const bool written = out->f == NULL || fprintf(out->f, "%.15g\n", number) > 0;
  return fail_on_any(STATUS_INPUT, written ? NULL : output_error(out));
}

int report_vertex_with(job *j, const char *key, GrB_Vector v, double value) {
  int64_t vertex = 0;
  uint64_t name = 0;
  GrB_Index found = 0;
  GrB_Vector at = NULL;
  GrB_Info info = GrB_Vector_new(&at, GrB_INT64, j->g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_select_FP64(at, NULL, NULL, GrB_VALUEEQ_FP64, v, value, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&found, at);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_IndexOp_INT64(at, NULL, NULL, GrB_ROWINDEX_INT64, at, 0, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_INT64(&vertex, NULL, GrB_MIN_MONOID_INT64, at, NULL);
  GrB_Vector_free(&at);
  if (info != GrB_SUCCESS) return fail_library("measuring the answer");
  if (found == 0) return STATUS_OK;
  const int status = graph_name(&name, j->g, (uint64_t)vertex);
  report_count(j->r, key, name);
  return status;
}

int report_largest(job *j, int k, const char *key, bool count) {
  char vertex_key[64];
  double most = 0;
  if (GrB_Vector_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, j->answer[k].v, NULL) != GrB_SUCCESS)
    return fail_library("measuring the answer");
  if (count)
    report_count(j->r, key, (uint64_t)most);
  else
    report_number(j->r, key, most);
  snprintf(vertex_key, sizeof vertex_key, "%s_vertex", key);
  return report_vertex_with(j, vertex_key, j->answer[k].v, most);
}

int report_mean(job *j, const char *key) {
  double sum = 0;
  const GrB_Info info = GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, j->answer[0].v, NULL);
  report_number(j->r, key, sum / (double)j->g->n);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static void drop_input(job *j) {
  free(j->source);
  GrB_Vector_free(&j->input);
  GrB_Vector_free(&j->starts);
  vertex_groups_free(&j->groups);
  vertex_pairs_free(&j->pairs);
  GrB_Matrix_free(&j->system);
}

/* ---- running ---- */

/* Completes deferred computations before the clock stops. */
static GrB_Info wait_all(const job *j) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; info == GrB_SUCCESS && k < j->columns; k++)
    info = GrB_Vector_wait(j->answer[k].v, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS && j->matrix != NULL) info = GrB_Matrix_wait(j->matrix, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS && j->second != NULL) info = GrB_Matrix_wait(j->second, GrB_MATERIALIZE);
  return info;
}

static int run_once(job *j, double *seconds, const algorithm *a) {
  drop_answer(j);
  GrB_Info info = Grid_synchronize();
  const double start = clock_now();
  if (info == GrB_SUCCESS) info = a->run(j);
  if (info == GrB_SUCCESS) info = wait_all(j);
  *seconds = clock_slowest(start);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library(j->o->graph);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The path of a file without symbolic links, so that all spellings of it are one; what is no file, such as a
 * generated graph, as it is spelled. NULL: "". The same on every process. */
static GrB_Info resolve_path(char path[PATH_MAX], const char *name) {
  if (name == NULL || realpath(name, path) == NULL) snprintf(path, PATH_MAX, "%s", name == NULL ? "" : name);
  return Grid_bcast(path, PATH_MAX, 0);
}

/* Sets where an iteration writes checkpoints. They are identified by all options that change the result; the
 * number of iterations may differ. */
static GrB_Info save_checkpoint(const options *o, const algorithm *a) {
  char graph_path[PATH_MAX], values_path[PATH_MAX], what[2 * PATH_MAX + 2000];
  GrB_Info info = resolve_path(graph_path, o->graph);
  if (info == GrB_SUCCESS) info = resolve_path(values_path, o->values);
  if (info != GrB_SUCCESS) return info;
  snprintf(what, sizeof what, "%s %s %d %.1000s %llu %llu %d %.17g %.17g %s", a->command.name, graph_path,
           o->directed, o->sources != NULL ? o->sources : "", (unsigned long long)o->samples,
           (unsigned long long)o->seed, o->weights, o->rate, o->laplacian, values_path);
  return Grid_checkpoint_set_interval(o->checkpoint, o->every != 0 ? o->every : DEFAULT_EVERY, what);
}

/* Runs as often as the options say; the answer is that of the last run. */
static int run(job *j, const algorithm *a) {
  const uint64_t n = j->o->repeat;
  double *seconds = calloc(n, sizeof *seconds);
  uint64_t peak;
  int status = fail_on_any(STATUS_INPUT, seconds == NULL ? "no memory for the times" : NULL);
  Grid_memory(&peak, true);
  if (status == STATUS_OK && save_checkpoint(j->o, a) != GrB_SUCCESS) status = fail_library(NULL);
  for (uint64_t k = 0; status == STATUS_OK && k < n; k++) {
    if (n == 1)
      progress("%s", a->command.name);
    else
      progress_of(k, n, "%s, run %" PRIu64 " of %" PRIu64, a->command.name, k + 1, n);
    status = run_once(j, &seconds[k], a);
  }
  if (status == STATUS_OK && Grid_checkpoint_wait() != GrB_SUCCESS) status = fail_library(NULL);
  if (status == STATUS_OK) {
    if (j->o->checkpoint != NULL) report_count(j->r, "iterations_resumed", Grid_checkpoint_resumed());
    Grid_memory(&peak, false);
    if (Grid_max(&peak, 1) != GrB_SUCCESS) status = fail_library("measuring the memory");
    qsort(seconds, n, sizeof *seconds, ascending);
    j->seconds = seconds[n / 2];
    report_number(j->r, "run_ms", 1e3 * j->seconds);
    if (n > 1) report_number(j->r, "run_ms_fastest", 1e3 * seconds[0]);
    report_count(j->r, "peak_bytes_largest_process", peak);
  }
  free(seconds);
  return status;
}

/* ---- checking ---- */

static int check(job *j, const algorithm *a) {
  const graph *g = j->g;
  gathered_answer e = {.graph = {.n = g->n, .both_directions = !g->directed, .loops = g->loops}};
  char text[300];
  const char *why = NULL;
  progress("checking the answer");
  if (a->verify != NULL) return a->verify(j);
  int status = gather_tuples(&e.graph.from, &e.graph.to, g->weighted ? &e.graph.weight : NULL, &e.graph.m, g);
  if (status == STATUS_OK) status = gather_answer_vectors(&e, j);
  if (status == STATUS_OK) status = gather_inputs(&e, j);
  if (status == STATUS_OK && j->matrix != NULL) status = gather_answer_matrix(&e.matrix, j->matrix);
  if (status == STATUS_OK && j->second != NULL) status = gather_answer_matrix(&e.second, j->second);
  if (status == STATUS_OK && Grid_rank() == 0) why = a->check(j, &e, text, sizeof text);
  if (status == STATUS_OK) status = fail_on_any(why == check_no_memory ? STATUS_INPUT : STATUS_CHECK, why);
  gathered_answer_free(&e);
  if (status == STATUS_OK) report_text(j->r, "check", a->checked);
  return status;
}

/* ---- the command ---- */

static int describe(const job *j) {
  const graph *g = j->g;
  uint64_t name;
  int R, C, status = STATUS_OK;
  char shape[32];
  Grid_shape(&R, &C);
  snprintf(shape, sizeof shape, "%dx%d", R, C);
  report_text(j->r, "graph", j->o->graph);
  report_text(j->r, "kind", g->edges.kind);
  report_count(j->r, g->ratings ? "rows" : "vertices", g->n);
  if (g->ratings) report_count(j->r, "columns", g->ncols);
  report_count(j->r, g->loops ? "entries" : "edges", g->loops ? g->nvals : graph_edges(g));
  if (!g->ratings) report_flag(j->r, "directed", g->directed);
  if (g->weighted) report_text(j->r, "weights", g->drawn ? "hash, 1 to 255" : "from the file");
  report_text(j->r, "grid", shape);
  report_count(j->r, "threads", (uint64_t)Grid_threads(0));
  if (j->nsources == 1) {
    status = graph_name(&name, g, j->source[0]);
    report_count(j->r, "source", name);
    if (j->chosen) report_text(j->r, "source_chosen", "the vertex with the most edges");
  } else if (j->nsources > 1) {
    report_count(j->r, "sources", j->nsources);
  }
  return status;
}

/* Frees what the choice of sources, a check or a drawing needed. */
static void drop_unused(graph *g, const options *o) {
  GrB_Vector_free(&g->out_degree);
  GrB_Vector_free(&g->in_degree);
  if (!o->check && o->json == NULL) graph_drop_arrays(g);
}

static int work(job *j, trace *t, graph *g, const algorithm *a) {
  const options *o = j->o;
  int status = device_choose(o);
  if (status == STATUS_OK) status = graph_read(g, o);
  if (status == STATUS_OK) status = graph_build(g, o);
  if (status == STATUS_OK)
    status = sources_find(&j->source, &j->nsources, &j->chosen, g, o, a->command.accepts);
  if (status == STATUS_OK) status = describe(j);
  if (status == STATUS_OK && a->prepare != NULL) status = a->prepare(j);
  drop_unused(g, o);
  if (status == STATUS_OK && o->verbose) trace_start(t);
  if (status == STATUS_OK) status = run(j, a);
  if (o->verbose) trace_stop(t);
  if (status == STATUS_OK && a->report_results != NULL) status = a->report_results(j);
  graph_report(j->r, g, o);
  if (status == STATUS_OK) status = device_report(j->r);
  if (o->verbose) network_report(j->r);
  if (status == STATUS_OK && o->check) status = check(j, a);
  if (status == STATUS_OK && answer_has_drawing(j, a)) status = answer_draw(j, a);
  return status;
}

static int write_answer(output *out, const job *j, const algorithm *a) {
  if (j->o->out == NULL) return STATUS_OK;
  if (a->write != NULL) return a->write(out, j);
  if (j->matrix == NULL && j->columns == 0) return STATUS_OK;
  if (j->matrix != NULL)
    return answer_write_matrix(out, j->matrix, a->sources_are_columns ? j->source : NULL, j->g);
  return answer_write(out, j->answer, j->columns, j->g);
}

int algorithm_command(const command *c, const options *o) {
  const algorithm *a = (const algorithm *)(const void *)c; /* command is the first member of algorithm */
  graph g = {.n = 0};
  trace t = {NULL, 0, 0, false};
  output out = {NULL, NULL, NULL}, json = {NULL, NULL, NULL};
  job j = {.o = o, .g = &g, .r = report_new()};
  FILE *report_stream = output_report_stream(o);

  int status = fail_on_any(STATUS_INPUT, Grid_rank() == 0 && j.r == NULL ? "not enough memory" : NULL);
  if (status == STATUS_OK) status = output_open(&out, o->out);
  if (status == STATUS_OK) status = output_open(&json, o->json);
  if (status == STATUS_OK) status = work(&j, &t, &g, a);
  if (status == STATUS_OK) status = write_answer(&out, &j, a);
  if (o->verbose) trace_report(&t, j.r);
  if (status == STATUS_OK) status = report_json(j.r, &json);
  if (status == STATUS_OK) status = output_commit(&out);
  if (status == STATUS_OK) status = output_commit(&json);
  progress(NULL);
  if (status == STATUS_OK) report_print(j.r, report_stream);
  if (status == STATUS_OK && o->verbose) {
    trace_print(&t, report_stream);
    device_print(report_stream);
  }
  output_discard(&out);
  output_discard(&json);
  report_free(j.r);
  trace_free(&t);
  drop_answer(&j);
  drop_input(&j);
  graph_close(&g);
  return status;
}
