/* gridblas plan: what a search would inspect, send and take on a process grid that need not exist. */
#include <math.h>
#include <string.h>

#include "bench/command/commands.h"
#include "bench/command/plan.h"

/* The default costs of a call: between machines on a good network. */
static const double LATENCY = 20e-6, BANDWIDTH = 1e9;
enum { DEFAULT_PROCESSES = 16 };
/* --check: the allowed ratio of predicted and counted numbers. */
static const double MAX_MODEL_ERROR = 0.3;
enum { EXTRA_CALLS = 4 }; /* a search of few levels may save as many */

static void report_of(report *r, const char *name, const char *what, double value) {
  char key[80];
  snprintf(key, sizeof key, "%.47s_%.24s", name, what);
  report_number(r, key, value);
}

static void report_layout(report *r, const char *name, const Grid_Layout *l, int P) {
  report_of(r, name, "KB", 1e-3 * l->bytes / P);
  report_of(r, name, "inspected", l->inspected);
  report_of(r, name, "calls", l->calls);
  report_of(r, name, "ms", 1e3 * l->seconds);
}

static bool is_inaccurate(double predicted, double counted) {
  return fabs(predicted - counted) > MAX_MODEL_ERROR * counted;
}

/* Reports counted numbers beside predicted ones. Times are reported only, since other programs may change
 * them. Of a split the model is an upper bound of bytes, since bit rows of dd save values, and entries are
 * reported only. Of a product it is, too, since processes may name fewer inputs than in a random graph.
 * Calls are compared if the network is that of these processes. */
static int compare(report *r, const char *name, const Grid_Layout *l, const plan_measured *m, bool is_product,
                   bool is_this_network) {
  const int P = Grid_size();
  report_of(r, name, "KB_counted", 1e-3 * m->bytes / P);
  report_of(r, name, "inspected_counted", m->inspected);
  report_of(r, name, "calls_counted", m->calls);
  report_of(r, name, "ms_measured", 1e3 * m->seconds);
  if (is_product || l->split ? m->bytes > (1 + MAX_MODEL_ERROR) * l->bytes
                             : is_inaccurate(l->bytes, m->bytes))
    return fail(STATUS_CHECK, "%s: %.1f KB a process were predicted, %.1f are sent", name,
                1e-3 * l->bytes / P, 1e-3 * m->bytes / P);
  if (!l->split && is_inaccurate(l->inspected, m->inspected))
    return fail(STATUS_CHECK, "%s: %.0f entries were predicted, %.0f are looked at", name, l->inspected,
                m->inspected);
  if (is_this_network && is_inaccurate(l->calls, m->calls) && fabs(l->calls - m->calls) > EXTRA_CALLS)
    return fail(STATUS_CHECK, "%s: %.0f calls were predicted, %.0f are made", name, l->calls, m->calls);
  return STATUS_OK;
}

/* A product's layout has no requests. */
static void product_name(char *name, size_t capacity, const Grid_Layout *l) {
  snprintf(name, capacity, "%.40s_product", l->name);
}

/* The costs of --network, else those measured on as many processes, else the defaults. */
static int report_network(report *r, Grid_Network *net, const options *o, int P) {
  if (Grid_network(net, true) != GrB_SUCCESS) return fail_library("measuring the network");
  const double rate = o->inspected_rate > 0 ? o->inspected_rate : net->rate;
  if (P != Grid_size() || P == 1)
    *net = (Grid_Network){.latency = LATENCY, .bandwidth = BANDWIDTH, .rate = rate};
  if (o->latency > 0) *net = (Grid_Network){.latency = o->latency, .bandwidth = o->bandwidth, .rate = rate};
  report_number(r, "latency_us", 1e6 * net->latency);
  report_number(r, "MB_per_second", 1e-6 * net->bandwidth);
  report_number(r, "million_inspected_per_second", 1e-6 * net->rate);
  return STATUS_OK;
}

static int check_layouts(report *r, const plan_answer *a, const plan *t, const graph *g, uint64_t source) {
  const layouts *of_search = &a->search, *of_product = &a->product;
  const bool is_this_network = a->net.how != NULL && strcmp(a->net.how, "configured") != 0;
  char name[64];
  plan_measured m;
  int R, C, status = STATUS_OK;
  Grid_shape(&R, &C);
  if (t->s.P != Grid_size()) return status;
  for (int k = 0; k < of_product->count && status == STATUS_OK; k++) {
    const Grid_Layout *l = &of_product->layout[k];
    if (l->C != C) continue;
    product_name(name, sizeof name, l);
    status = plan_product_measure(&m, g);
    if (status == STATUS_OK) status = compare(r, name, l, &m, true, is_this_network);
  }
  for (int k = 0; k < of_search->count && status == STATUS_OK; k++) {
    const Grid_Layout *l = &of_search->layout[k];
    if (l->C != C) continue;
    status =
        plan_measure(&m, g, source, l->requests || l->split ? (int32_t)t->threshold : Grid_DELEGATES_OFF);
    if (status == STATUS_OK) status = compare(r, l->name, l, &m, false, is_this_network);
  }
  return status;
}

static int prepare(graph *g, plan *t, plan *product, uint64_t *source, const options *o, int P) {
  bool chosen;
  int status = device_choose(o);
  if (status == STATUS_OK) status = graph_read(g, o);
  if (status == STATUS_OK) status = graph_build(g, o);
  if (status == STATUS_OK) status = graph_source(source, &chosen, g, o);
  if (status == STATUS_OK && GrB_Matrix_set_INT32(g->A, Grid_DELEGATES_OFF, Grid_DELEGATES) != GrB_SUCCESS)
    status = fail_library("counting a search");
  if (status == STATUS_OK) status = plan_product(product, g, P);
  if (status == STATUS_OK) status = plan_count(t, g, *source, o, P);
  return status;
}

static void report_layouts(report *r, const layouts *a, const layouts *b, int P) {
  char key[64];
  for (int k = 0; k < a->count; k++) report_layout(r, a->layout[k].name, &a->layout[k], P);
  for (int k = 0; k < b->count; k++) {
    product_name(key, sizeof key, &b->layout[k]);
    report_layout(r, key, &b->layout[k], P);
  }
  report_text(r, "chosen", a->layout[a->best].name);
  report_text(r, "chosen_product", b->layout[b->best].name);
}

/* Of the blocks without delegates. Processes on several machines store columns, too, where each has whole
 * rows. */
static void report_memory(report *r, plan_answer *a, const Grid_Degrees *g) {
  for (int k = 0; k < a->search.count; k++) {
    const Grid_Layout *l = &a->search.layout[k];
    a->matrix_bytes[k] = plan_matrix_bytes(g, a->P, l->C, l->C == 1 && a->P > 1 && a->net.shared <= 0);
    report_of(r, l->name, "matrix_MB", 1e-6 * a->matrix_bytes[k]);
  }
}

static int report_choices(report *r, plan_answer *a, const Grid_Degrees *g, const options *o) {
  if (o->device == Grid_CPU)
    return plan_report_delegates(r, g, a->P, a->search.layout[a->search.best].C, &a->net);
  plan_report_gpus(r, a->gpus, g);
  return STATUS_OK;
}

/* One process alone has nothing to plan. */
static int processes_planned(const options *o) {
  if (o->processes > 0) return o->processes;
  return Grid_size() > 1 || o->check ? Grid_size() : DEFAULT_PROCESSES;
}

/* From degrees alone. */
static int estimate_from_degrees(plan_answer *a, report *r, const options *o) {
  Grid_Degrees g;
  uint64_t delegates = 0;
  int status = plan_rmat_degrees(&g, o->graph);
  *a = (plan_answer){.graph = o->graph, .n = g.n, .entries = plan_entries(&g), .P = processes_planned(o)};
  report_text(r, "graph", o->graph);
  report_count(r, "vertices", g.n);
  report_count(r, "processes", (uint64_t)a->P);
  if (status == STATUS_OK) status = report_network(r, &a->net, o, a->P);
  layouts *search = &a->search, *product = &a->product;
  GrB_Info info = GrB_SUCCESS;
  if (status == STATUS_OK)
    info = Grid_estimate_layouts(search->layout, &search->count, &search->best, &delegates, &g, a->P, 0,
                                 &a->net);
  if (status == STATUS_OK && info == GrB_SUCCESS)
    info = Grid_estimate_layouts(product->layout, &product->count, &product->best, NULL, &g, a->P,
                                 sizeof(double), &a->net);
  if (info != GrB_SUCCESS) status = fail_library("predicting from degrees");
  if (status == STATUS_OK) {
    report_count(r, "delegates", delegates);
    report_layouts(r, search, product, a->P);
    report_memory(r, a, &g);
    status = report_choices(r, a, &g, o);
  }
  plan_degrees_free(&g);
  return status;
}

static int estimate(plan_answer *a, report *r, graph *g, plan *t, plan *product, const options *o) {
  const int P = processes_planned(o);
  Grid_Degrees of_graph;
  uint64_t source, name;

  int status = prepare(g, t, product, &source, o, P);
  if (status == STATUS_OK) status = graph_name(&name, g, source);
  if (status != STATUS_OK) return status;
  *a = (plan_answer){.graph = o->graph, .n = g->n, .entries = (double)g->nvals, .P = P};
  report_text(r, "graph", o->graph);
  report_count(r, "vertices", g->n);
  report_count(r, "edges", graph_edges(g));
  report_count(r, "source", name);
  report_count(r, "levels", t->s.levels);
  report_count(r, "processes", (uint64_t)P);
  if ((status = report_network(r, &a->net, o, P)) != STATUS_OK) return status;
  /* the threshold of the search that --check counts; without a known network only bytes decide it */
  a->search.count =
      Grid_layouts(a->search.layout, &a->search.best, &t->s, &a->net, o->check && o->latency == 0);
  a->product.count = Grid_layouts(a->product.layout, &a->product.best, &product->s, &a->net, false);
  report_count(r, "delegates", t->s.d);
  if (t->s.d > 0) report_count(r, "delegate_threshold", (uint64_t)t->threshold);
  report_layouts(r, &a->search, &a->product, P);
  status = plan_graph_degrees(&of_graph, g);
  if (status == STATUS_OK) report_memory(r, a, &of_graph);
  if (status == STATUS_OK) status = report_choices(r, a, &of_graph, o);
  plan_degrees_free(&of_graph);
  if (status != STATUS_OK) return status;
  return o->check ? check_layouts(r, a, t, g, source) : STATUS_OK;
}

int cmd_plan(const command *c, const options *o) {
  (void)c;
  graph g = {.n = 0};
  plan t = {.capacity = 0}, product = {.capacity = 0};
  output json = {NULL, NULL, NULL};
  plan_answer answer = {.n = 0};
  report *r = report_new();

  int status = fail_on_any(STATUS_INPUT, Grid_rank() == 0 && r == NULL ? "not enough memory" : NULL);
  if (status == STATUS_OK) status = output_open(&json, o->json);
  if (status == STATUS_OK)
    status =
        o->from_degrees ? estimate_from_degrees(&answer, r, o) : estimate(&answer, r, &g, &t, &product, o);
  const bool from_options = status == STATUS_OK || status == STATUS_CHECK;
  int written = from_options ? report_json(r, &json) : STATUS_OK;
  if (written == STATUS_OK && from_options) written = output_commit(&json);
  if (status == STATUS_OK) status = written;
  progress(NULL);
  /* what is counted is in the report alone */
  if (from_options && !o->check)
    (o->device == Grid_CPU ? plan_print : plan_print_gpus)(&answer, output_report_stream(o));
  if (from_options && (o->verbose || o->check)) report_print(r, output_report_stream(o));
  output_discard(&json);
  report_free(r);
  plan_free(&t);
  plan_free(&product);
  graph_close(&g);
  return status;
}
