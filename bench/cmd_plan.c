/* gridblas plan: what a search would inspect, send and take on a process grid that need not be there. */
#include <math.h>
#include <string.h>

#include "bench/commands.h"
#include "bench/plan.h"

/* Where nothing else is said: a call between machines on a good network. */
static const double LATENCY = 20e-6, BANDWIDTH = 1e9;
/* --check: so far may what was foreseen be from what is counted. */
static const double MOST_OFF = 0.3;

static void report_of(report *r, const char *name, const char *what, double value) {
  char key[80];
  snprintf(key, sizeof key, "%.47s_%.24s", name, what);
  report_number(r, key, value);
}

static void report_layout(report *r, const Grid_Layout *l, int P) {
  report_of(r, l->name, "KB", 1e-3 * l->bytes / P);
  report_of(r, l->name, "inspected", l->inspected);
  report_of(r, l->name, "calls", l->calls);
  report_of(r, l->name, "ms", 1e3 * l->seconds);
}

static bool is_off(double foreseen, double counted) {
  return fabs(foreseen - counted) > MOST_OFF * counted;
}

/* A layout that is here is counted beside what was foreseen. */
static int check_layout(report *r, const Grid_Layout *l, const plan *t, const graph *g, uint64_t source) {
  double bytes, inspected;
  const int32_t delegates = l->questions ? (int32_t)t->threshold : Grid_DELEGATES_OFF;
  const int status = plan_measure(&bytes, &inspected, g, source, delegates);
  if (status != STATUS_OK) return status;
  report_of(r, l->name, "KB_counted", 1e-3 * bytes / t->s.P);
  report_of(r, l->name, "inspected_counted", inspected);
  if (is_off(l->bytes, bytes))
    return fail(STATUS_CHECK, "%s: %.1f KB a process were foreseen, %.1f are sent", l->name,
                1e-3 * l->bytes / t->s.P, 1e-3 * bytes / t->s.P);
  if (is_off(l->inspected, inspected))
    return fail(STATUS_CHECK, "%s: %.0f entries were foreseen, %.0f are looked at", l->name, l->inspected,
                inspected);
  return STATUS_OK;
}

/* What --network says, else what is measured on as many processes, else a good one. */
static int ask_network(Grid_Network *net, const options *o, int P) {
  if (Grid_network(net, true) != GrB_SUCCESS) return fail_library("measuring the network");
  if (P != Grid_size() || P == 1) net->latency = LATENCY, net->bandwidth = BANDWIDTH;
  if (o->latency > 0) net->latency = o->latency, net->bandwidth = o->bandwidth;
  return STATUS_OK;
}

static int foresee(report *r, graph *g, plan *t, const options *o) {
  const int P = o->processes > 0 ? o->processes : Grid_size();
  Grid_Layout layout[Grid_LAYOUTS];
  Grid_Network net;
  uint64_t source, name;
  bool chosen;
  int best, R, C;

  int status = device_choose(o);
  if (status == STATUS_OK) status = graph_read(g, o);
  if (status == STATUS_OK) status = graph_build(g, o);
  if (status == STATUS_OK) status = graph_source(&source, &chosen, g, o);
  if (status == STATUS_OK) status = graph_name(&name, g, source);
  if (status == STATUS_OK && GrB_Matrix_set_INT32(g->A, Grid_DELEGATES_OFF, Grid_DELEGATES) != GrB_SUCCESS)
    status = fail_library("counting a search");
  if (status == STATUS_OK) status = plan_count(t, g, source, o, P);
  if (status != STATUS_OK) return status;

  if (status == STATUS_OK) status = ask_network(&net, o, P);
  if (status != STATUS_OK) return status;
  /* what --check counts is searched with a threshold, by which bytes alone count unless the network is told
   */
  const int n = Grid_layouts(layout, &best, &t->s, &net, o->check && o->latency == 0);
  report_text(r, "graph", o->graph);
  report_count(r, "vertices", g->n);
  report_count(r, "edges", graph_edges(g));
  report_count(r, "source", name);
  report_count(r, "levels", t->s.levels);
  report_count(r, "processes", (uint64_t)P);
  report_number(r, "latency_us", 1e6 * net.latency);
  report_number(r, "MB_per_second", 1e-6 * net.bandwidth);
  report_count(r, "delegates", t->s.d);
  if (t->s.d > 0) report_count(r, "delegate_threshold", (uint64_t)t->threshold);
  for (int k = 0; k < n; k++) report_layout(r, &layout[k], P);
  report_text(r, "chosen", layout[best].name);
  Grid_shape(&R, &C);
  for (int k = 0; k < n && o->check && status == STATUS_OK; k++)
    if (P == Grid_size() && layout[k].C == C) status = check_layout(r, &layout[k], t, g, source);
  return status;
}

int cmd_plan(const command *c, const options *o) {
  (void)c;
  graph g = {.n = 0};
  plan t = {.room = 0};
  output json = {NULL, NULL, NULL};
  report *r = report_new();

  int status = fail_anywhere(STATUS_INPUT, Grid_rank() == 0 && r == NULL ? "not enough memory" : NULL);
  if (status == STATUS_OK) status = output_open(&json, o->json);
  if (status == STATUS_OK) status = foresee(r, &g, &t, o);
  const bool told = status == STATUS_OK || status == STATUS_CHECK;
  int written = told ? report_json(r, &json) : STATUS_OK;
  if (written == STATUS_OK && told) written = output_commit(&json);
  if (status == STATUS_OK) status = written;
  progress(NULL);
  if (told) report_print(r, o->json != NULL && strcmp(o->json, "-") == 0 ? stderr : stdout);
  output_discard(&json);
  report_free(r);
  plan_free(&t);
  graph_close(&g);
  return status;
}
