/* gridblas bfs: one breadth-first search, its answer checked and written. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/check.h"
#include "bench/commands.h"
#include "bench/reference.h"

/* What a search gave. */
typedef struct {
  GrB_Vector level, parent;
  double seconds, fastest;          /* seconds: the median of several */
  uint64_t reached, deepest, edges; /* edges: those of reached vertices */
} search;

static int search_once(search *s, double *seconds, const graph *g, uint64_t source, int64_t limit) {
  GrB_Vector_free(&s->level);
  GrB_Vector_free(&s->parent);
  GrB_Info info = Grid_agree(GrB_SUCCESS, NULL); /* everybody starts together */
  const double start = clock_now();
  if (info == GrB_SUCCESS) info = Grid_bfs(&s->level, &s->parent, g->A, source, limit);
  /* both are written, whatever the library holds back */
  if (info == GrB_SUCCESS) info = GrB_Vector_wait(s->level, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS) info = GrB_Vector_wait(s->parent, GrB_MATERIALIZE);
  *seconds = clock_slowest(start);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("searching");
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* As often as asked for; the answer is the last one's. */
static int run_search(search *s, const graph *g, uint64_t source, const options *o) {
  double *seconds = calloc(o->repeat, sizeof *seconds);
  progress("searching");
  int status = fail_anywhere(STATUS_INPUT, seconds == NULL ? "no memory for the times" : NULL);
  for (uint64_t k = 0; status == STATUS_OK && k < o->repeat; k++)
    status = search_once(s, &seconds[k], g, source, o->depth);
  if (status == STATUS_OK) {
    qsort(seconds, o->repeat, sizeof *seconds, ascending);
    s->fastest = seconds[0];
    s->seconds = seconds[o->repeat / 2];
  }
  free(seconds);
  return status;
}

/* reached = nvals(level), deepest = max(level), edges = sum of the degrees of the vertices with a level. */
static int measure(search *s, const graph *g) {
  GrB_Vector degree = NULL;
  int32_t deepest = 0;
  uint64_t sum = 0;
  GrB_Info info = GrB_Vector_nvals(&s->reached, s->level);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_reduce_INT32(&deepest, NULL, GrB_MAX_MONOID_INT32, s->level, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&degree, GrB_INT64, g->n);
  /* degree<level> = out_degree */
  if (info == GrB_SUCCESS)
    info = GrB_Vector_assign(degree, s->level, NULL, g->out_degree, GrB_ALL, g->n, GrB_DESC_S);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_UINT64(&sum, NULL, GrB_PLUS_MONOID_UINT64, degree, NULL);
  GrB_Vector_free(&degree);
  s->deepest = (uint64_t)deepest;
  s->edges = g->directed ? sum : sum / 2;
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static int write_answer(output *out, const search *s, const graph *g) {
  const column columns[] = {{"level", false, s->level}, {"parent", true, s->parent}};
  return answer_write(out, columns, 2, g);
}

/* ---- the command ---- */

static int summarise(report *r, const search *s, const graph *g, const options *o, uint64_t source,
                     bool chosen) {
  int R, C;
  uint64_t name;
  const int status = graph_name(&name, g, source);
  Grid_shape(&R, &C);
  char shape[32];
  snprintf(shape, sizeof shape, "%dx%d", R, C);

  report_text(r, "graph", o->graph);
  report_text(r, "kind", g->edges.kind);
  report_count(r, "vertices", g->n);
  report_count(r, "edges", graph_edges(g));
  report_flag(r, "directed", g->directed);
  report_text(r, "grid", shape);
  report_count(r, "threads", (uint64_t)Grid_threads(0));
  report_count(r, "source", name);
  if (chosen) report_text(r, "source_chosen", "the vertex with the most edges");
  report_count(r, "reached", s->reached);
  report_count(r, "levels", s->deepest + 1);
  report_number(r, "read_seconds", g->read_seconds);
  report_number(r, "build_seconds", g->build_seconds);
  report_number(r, "search_ms", 1e3 * s->seconds);
  if (o->repeat > 1) report_number(r, "search_ms_fastest", 1e3 * s->fastest);
  report_number(r, "level_us", 1e6 * s->seconds / (double)(s->deepest + 1));
  report_number(r, "MTEPS", s->seconds > 0 ? 1e-6 * (double)s->edges / s->seconds : 0);
  return status == STATUS_OK ? device_report(r) : status;
}

/* From the graph to the checked answer. */
static int search_and_check(search *s, trace *t, report *r, graph *g, const options *o) {
  uint64_t source, inside;
  bool chosen;
  checker c;

  int status = device_choose(o);
  if (status == STATUS_OK) status = graph_read(g, o);
  if (status == STATUS_OK) status = graph_build(g, o);
  if (status == STATUS_OK) status = graph_source(&source, &chosen, g, o);
  if (status != STATUS_OK) return status;
  if (o->verbose) trace_start(t);
  status = run_search(s, g, source, o);
  if (o->verbose) trace_stop(t);
  if (status == STATUS_OK) status = measure(s, g);
  if (status == STATUS_OK) status = summarise(r, s, g, o, source, chosen);
  if (status != STATUS_OK || !o->check) return status;

  progress("checking the answer");
  status = checker_open(&c, g, o, true);
  if (status == STATUS_OK) status = checker_run(&c, s->level, s->parent, source, o->depth, &inside);
  if (status == STATUS_OK) status = checker_compare(&c, source, o->depth);
  checker_close(&c);
  if (status == STATUS_OK)
    report_text(r, "check",
                reference_missing() == NULL ? "the five rules hold, levels equal SuiteSparse:GraphBLAS's"
                                            : "the five rules hold, levels not compared");
  return status;
}

int cmd_bfs(const command *c, const options *o) {
  (void)c;
  graph g = {.n = 0};
  search s = {NULL, NULL, 0, 0, 0, 0, 0};
  trace t = {NULL, 0, 0, false};
  output out = {NULL, NULL, NULL}, json = {NULL, NULL, NULL};
  report *r = report_new();
  /* Standard output belongs to the answer when that goes there. */
  const bool piped =
      (o->out != NULL && strcmp(o->out, "-") == 0) || (o->json != NULL && strcmp(o->json, "-") == 0);
  FILE *told = piped ? stderr : stdout;

  int status = fail_anywhere(STATUS_INPUT, Grid_rank() == 0 && r == NULL ? "not enough memory" : NULL);
  if (status == STATUS_OK) status = output_open(&out, o->out);
  if (status == STATUS_OK) status = output_open(&json, o->json);
  if (status == STATUS_OK) status = search_and_check(&s, &t, r, &g, o);
  if (status == STATUS_OK && o->out != NULL) status = write_answer(&out, &s, &g);
  if (o->verbose) trace_report(&t, r);
  if (status == STATUS_OK) status = report_json(r, &json);
  if (status == STATUS_OK) status = output_commit(&out);
  if (status == STATUS_OK) status = output_commit(&json);
  progress(NULL);
  if (status == STATUS_OK) report_print(r, told);
  if (status == STATUS_OK && o->verbose) {
    trace_print(&t, told);
    device_print(told);
  }

  output_discard(&out);
  output_discard(&json);
  report_free(r);
  trace_free(&t);
  GrB_Vector_free(&s.level);
  GrB_Vector_free(&s.parent);
  graph_close(&g);
  return status;
}
