/* The graph of a command: read or generated, built as a matrix, with the file's vertex names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/program/graph/renumber_graph.h"
#include "bench/program/graph/weights.h"

static int read_tuples(graph *g, const options *o) {
  bool generated;
  progress("reading %s", o->graph);
  const int status = graph_generate(g, o, &generated);
  if (status != STATUS_OK || generated) return status;
  const bool by_weight = o->weighted && (o->weights == WEIGHTS_DEFAULT || o->weights == WEIGHTS_FILE);
  const GrB_Info info = (by_weight ? Grid_read_weights : Grid_read_as)(&g->edges, o->graph, o->from);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library(NULL);
}

static graph graph_empty(const options *o) {
  return (graph){.weighted = o->weighted,
                 .loops = o->loops,
                 .ratings = o->ratings,
                 .renumbered = o->order != ORDER_AS_READ};
}

int graph_read_any(graph *g, const options *o) {
  *g = graph_empty(o);
  const double start = clock_now();
  const int status = read_tuples(g, o);
  if (status != STATUS_OK) return status;
  g->read_seconds = clock_slowest(start);
  return STATUS_OK;
}

/* A page file is opened, and other requested properties are derived from that matrix (Grid_Matrix_read); its
 * tuples are read for checks only. It has no numbers of tuples from which weights could be drawn. */
static bool opens_pages(const graph *g, const options *o) {
  Grid_Pages_Info p;
  if (o->from != NULL && strcmp(o->from, "pages") != 0) return false;
  if (Grid_pages_info(&p, o->graph) != GrB_SUCCESS) return false;
  if (g->ratings)
    return !p.pattern && g->weighted && (o->weights == WEIGHTS_DEFAULT || o->weights == WEIGHTS_FILE);
  return p.nrows == p.ncols &&
         !(g->weighted && (o->weights == WEIGHTS_UNIT || (o->weights == WEIGHTS_FILE && p.pattern)));
}

static int read_or_open(graph *g, const options *o) {
  *g = graph_empty(o);
  if (!opens_pages(g, o)) return graph_read_any(g, o);
  if (o->check) {
    const int status = graph_read_any(g, o);
    if (status != STATUS_OK) return status;
  } else {
    const double start = clock_now();
    if (Grid_Pages_names(&g->edges, o->graph) != GrB_SUCCESS) return fail_library(NULL);
    g->edges.total = 0;
    weights_choose(g, o, !g->edges.pattern);
    g->read_seconds = clock_slowest(start);
  }
  g->pages = o->graph;
  return STATUS_OK;
}

int graph_read(graph *g, const options *o) {
  const int status = read_or_open(g, o);
  if (status != STATUS_OK) return status;
  if (g->edges.nrows != g->edges.ncols && !g->ratings)
    return fail(STATUS_INPUT, "%s: the matrix is %" PRIu64 " x %" PRIu64 ", not square: it is no graph",
                o->graph, g->edges.nrows, g->edges.ncols);
  g->n = g->edges.nrows;
  g->ncols = g->edges.ncols;
  g->directed = (o->directed || g->ratings) && !g->edges.symmetric && !g->edges.skew;
  const uint64_t least = g->n < g->ncols ? g->n : g->ncols;
  if (least == 0) return fail(STATUS_INPUT, "%s: the graph has no vertices", o->graph);
  if (g->pages != NULL && !o->check) return weights_check_skew(g, o);
  return g->weighted ? weights_check(g, o) : STATUS_OK;
}

static int build_flags(const graph *g) {
  return (g->loops ? 0 : Grid_NO_LOOPS) | (g->directed ? 0 : Grid_MIRROR);
}

static GrB_Info fill(graph *g) {
  const Grid_Edges *e = &g->edges;
  const int flags = build_flags(g);
  if (g->weighted) return weights_build(g, flags);
  if (g->regenerated) return Grid_Matrix_rmat(g->A, g->rmat.scale, g->edgefactor, g->seed, flags);
  return Grid_Matrix_build(g->A, e->rows, e->cols, NULL, NULL, e->n, NULL, flags);
}

/* g->A of a page file. */
static GrB_Info read_pages(graph *g) {
  const Grid_Read_Options how = {.format = "pages",
                                 .undirected = !g->directed,
                                 .no_loops = !g->loops,
                                 .pattern = !g->weighted || g->drawn};
  const GrB_Info info = Grid_Matrix_read(&g->A, NULL, g->pages, &how);
  return info == GrB_SUCCESS && g->drawn ? weights_draw_all(g) : info;
}

static bool partitions_by_work(const options *o) {
  return o->balance == BALANCE_ENTRIES || o->balance == BALANCE_SEARCHES;
}

/* --order: each process gets a part. */
static int order_by_option(graph *g, const options *o) {
  if (g->weighted && g->drawn && !g->unit && !g->ratings)
    return fail(STATUS_INPUT, "--order needs weights of the graph: drawn ones depend on vertices' numbers");
  const int status = graph_order(g, (uint64_t)Grid_size(), build_flags(g), o);
  if (status != STATUS_OK) return status;
  return Grid_partition_set(g->n, g->ordering.first) == GrB_SUCCESS ? STATUS_OK
                                                                    : fail_library("dividing the vertices");
}

int graph_build(graph *g, const options *o) {
  GrB_Info info;
  int status = shape_choose(g, o);
  if (status == STATUS_OK && o->order != ORDER_AS_READ) status = order_by_option(g, o);
  if (status != STATUS_OK) return status;
  const uint64_t steps = partitions_by_work(o) ? 3 : 2; /* it is built, prepared for products, and balanced */
  Grid_rebalance_enable(o->balance == BALANCE_ROUNDS);
  progress_of(0, steps, "building the matrix");
  info = Grid_synchronize();
  const double start = clock_now();
  if (info == GrB_SUCCESS)
    info = g->pages != NULL ? read_pages(g) : GrB_Matrix_new(&g->A, weights_type(g), g->n, g->ncols);
  if (info == GrB_SUCCESS) info = GrB_Matrix_set_INT32(g->A, g->delegates, Grid_DELEGATES);
  if (info == GrB_SUCCESS) info = GrB_Matrix_set_INT32(g->A, o->direction, Grid_DIRECTION);
  if (info == GrB_SUCCESS && g->pages == NULL) info = fill(g);
  progress_of(1, steps, "building the matrix");
  if (info == GrB_SUCCESS) info = GrB_Matrix_wait(g->A, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS && partitions_by_work(o)) {
    progress_of(2, steps, "balancing the processes");
    const Grid_Row_Costs row =
        o->balance == BALANCE_SEARCHES ? Grid_ROW_COSTS_SEARCH : Grid_ROW_COSTS_PRODUCT;
    info = Grid_Matrix_repartition(&g->balance, g->A, row, 0, 0);
    if (info == GrB_SUCCESS && g->balance.redistributed) info = GrB_Matrix_wait(g->A, GrB_MATERIALIZE);
  }
  if (info != GrB_SUCCESS) return fail_library("building the matrix");
  g->build_seconds = clock_slowest(start);

  info = GrB_Matrix_nvals(&g->nvals, g->A);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&g->out_degree, GrB_INT64, g->n);
  if (info == GrB_SUCCESS) info = Grid_Matrix_degree(g->out_degree, g->A, false);
  if (info == GrB_SUCCESS && g->directed) {
    info = GrB_Vector_new(&g->in_degree, GrB_INT64, g->ncols);
    if (info == GrB_SUCCESS) info = Grid_Matrix_degree(g->in_degree, g->A, true);
  }
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("counting the degrees");
}

/* Of a graph on disk: the bytes read, and the memory used. */
static void report_pages(report *r, const graph *g) {
  Grid_Pages_Info p;
  bool paged = false;
  uint64_t peak, read = Grid_Matrix_bytes_read(&paged, g->A);
  if (g->pages == NULL || !paged || Grid_pages_info(&p, g->pages) != GrB_SUCCESS) return;
  Grid_memory(&peak, false);
  if (Grid_max(&peak, 1) != GrB_SUCCESS || Grid_sum(&read, 1) != GrB_SUCCESS) return;
  report_count(r, "pages_bytes", p.page_bytes);
  report_count(r, "pages_read_bytes", read);
  report_count(r, "memory_budget_bytes", Grid_memory_budget());
  report_count(r, "memory_peak_bytes", peak);
  if (peak > Grid_memory_budget())
    report_text(r, "memory_note",
                "more was taken than the budget allows: it bounds matrices; vectors, the lengths of rows and "
                "room for what is being read are in memory whatever it says");
}

/* Of a graph that does not fit the GPUs: the bytes sent to them. */
static void report_sent(report *r, const graph *g) {
  uint64_t v[3];
  v[2] = Grid_Matrix_bytes_sent(&v[0], &v[1], g->A);
  if (Grid_sum(v, 3) != GrB_SUCCESS || v[0] == 0) return;
  report_count(r, "gpu_pages_bytes", v[0]);
  report_count(r, "gpu_pages_kept_bytes", v[1]);
  report_count(r, "gpu_pages_sent_bytes", v[2]);
}

void graph_report(report *r, const graph *g, const options *o) {
  report_number(r, "read_seconds", g->read_seconds);
  report_number(r, "build_seconds", g->build_seconds);
  if (g->ordering.first != NULL) graph_ordering_report(r, g, o);
  report_pages(r, g);
  if (Grid_device() == Grid_CUDA) report_sent(r, g);
  if (o->balance == BALANCE_ROUNDS) {
    uint64_t moves;
    double seconds;
    Grid_rebalance_stats(&moves, &seconds);
    report_count(r, "moves", moves);
    report_number(r, "move_seconds", seconds);
  }
  if (!partitions_by_work(o)) return;
  report_number(r, "load_even", g->balance.load);
  report_number(r, "load", g->balance.redistributed ? g->balance.best : g->balance.load);
  report_number(r, "move_seconds", g->balance.seconds);
}

void graph_close(graph *g) {
  GrB_Matrix_free(&g->A);
  GrB_Vector_free(&g->out_degree);
  GrB_Vector_free(&g->in_degree);
  free(g->ordering.first);
  g->ordering.first = NULL;
  graph_drop_tuples(g);
}

uint64_t graph_edges(const graph *g) {
  return g->directed ? g->nvals : g->nvals / 2;
}

int graph_name(uint64_t *name, const graph *g, uint64_t vertex) {
  *name = 0;
  if (g->edges.ids == NULL) {
    *name = vertex + g->edges.base;
    return STATUS_OK;
  }
  const uint64_t at = vertex - g->edges.ids_first;
  if (at < g->edges.ids_count) *name = g->edges.ids[at];
  /* 0 on the other processes */
  return Grid_max(name, 1) == GrB_SUCCESS ? STATUS_OK : fail_library("naming a vertex");
}

/* Every process in turn sends the names of its range, and each looks up those that it needs. name may be
 * vertex: the names are collected in another array, because one of them can equal a vertex still to come. */
int graph_names(uint64_t *name, const uint64_t *vertex, uint64_t count, const graph *g) {
  const uint64_t range[2] = {g->edges.ids_first, g->edges.ids_count};
  GrB_Info info = GrB_SUCCESS;
  uint64_t most = range[1], *ids = NULL, *found = NULL;

  if (g->edges.ids == NULL) {
    for (uint64_t k = 0; k < count; k++) name[k] = vertex[k] + g->edges.base;
    return STATUS_OK;
  }
  if (info == GrB_SUCCESS) info = Grid_max(&most, 1);
  if (info == GrB_SUCCESS) {
    ids = malloc((most + 1) * sizeof *ids);
    found = malloc((count + 1) * sizeof *found);
    info =
        Grid_agree(ids == NULL || found == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the names");
  }
  for (int root = 0; info == GrB_SUCCESS && root < Grid_size(); root++) {
    uint64_t share[2] = {range[0], range[1]};
    info = Grid_bcast(share, sizeof share, root);
    if (root == Grid_rank()) memcpy(ids, g->edges.ids, range[1] * sizeof *ids);
    if (info == GrB_SUCCESS) info = Grid_bcast(ids, share[1] * sizeof *ids, root);
    for (uint64_t k = 0; info == GrB_SUCCESS && k < count; k++)
      if (vertex[k] >= share[0] && vertex[k] - share[0] < share[1]) found[k] = ids[vertex[k] - share[0]];
  }
  if (info == GrB_SUCCESS && count > 0) memcpy(name, found, count * sizeof *name);
  free(ids);
  free(found);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("naming the vertices");
}

/* The vertex of highest degree, the lowest-numbered of several; the first where none has an edge. */
static GrB_Info max_degree_vertex(uint64_t *vertex, GrB_Vector degree, uint64_t n) {
  uint64_t count, *at = NULL, most = 0,
                  before = 0; /* before = n - vertex: the lowest vertex has the largest value */
  void *value = NULL;
  GrB_Info info = local_entries(&at, &value, sizeof(int64_t), &count, degree, "no memory for the degrees");
  for (uint64_t k = 0; info == GrB_SUCCESS && k < count; k++) {
    const uint64_t d = (uint64_t)((const int64_t *)value)[k];
    if (d > most) most = d, before = n - at[k];
  }
  uint64_t best = most;
  if (info == GrB_SUCCESS) info = Grid_max(&best, 1);
  if (most < best) before = 0;
  if (info == GrB_SUCCESS) info = Grid_max(&before, 1);
  *vertex = best > 0 ? n - before : 0;
  free(at);
  free(value);
  return info;
}

int graph_source(uint64_t *source, bool *chosen, const graph *g, const options *o) {
  GrB_Info info;

  *chosen = !o->has_source;
  if (*chosen) {
    info = max_degree_vertex(source, g->out_degree, g->n);
    return info == GrB_SUCCESS ? STATUS_OK : fail_library("choosing a source");
  }
  info = Grid_Edges_find(source, &g->edges, o->source);
  if (info == GrB_NO_VALUE) return fail(STATUS_INPUT, "%s: there is no vertex %" PRIu64, o->graph, o->source);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("finding the source");
}
