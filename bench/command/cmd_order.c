/* gridblas order: renumbers a graph's vertices, so that few edges lead from one part of them to another, and
 * writes the graph and the numbers. */
#include <stdlib.h>
#include <string.h>

#include "bench/command/commands.h"
#include "bench/program/graph/renumber_graph.h"

enum { LEAST_PARTS = 16 };

/* --numbers FILE, else OUT.numbers; *path (free it) is NULL if OUT is standard output. */
static int choose_numbers_path(char **path, const options *o) {
  static const char ending[] = ".numbers";
  *path = NULL;
  if (o->numbers == NULL && strcmp(o->out, "-") == 0) return STATUS_OK;
  const char *name = o->numbers != NULL ? o->numbers : o->out;
  const size_t size = strlen(name) + sizeof ending;
  *path = malloc(size);
  if (*path != NULL) snprintf(*path, size, "%s%s", name, o->numbers != NULL ? "" : ending);
  return fail_on_any(STATUS_INPUT, *path == NULL ? "not enough memory" : NULL);
}

/* A line `name number` for each vertex. */
static int write_numbers(output *out, const graph *g) {
  GrB_Vector number = NULL;
  GrB_Info info = GrB_Vector_new(&number, GrB_INT64, g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign_INT64(number, NULL, NULL, 0, GrB_ALL, g->n, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_IndexOp_INT64(number, NULL, NULL, GrB_ROWINDEX_INT64, number, 0, NULL);
  const column c = {"number", false, number};
  const int status =
      info == GrB_SUCCESS ? answer_write(out, &c, 1, g) : fail_library("numbering the vertices");
  GrB_Vector_free(&number);
  return status;
}

/* A page file stores the names, too; other files have the numbers, from 0 on. */
static int write_graph(const graph *g, const options *o) {
  Grid_Edges e = g->edges;
  if (!writes_pages(o)) e.ids = NULL, e.ids_count = e.base = 0;
  progress("writing %s", o->out);
  return Grid_write(&e, o->out, o->to) == GrB_SUCCESS ? STATUS_OK : fail_library(NULL);
}

static void report_files(report *r, const graph *g, const char *numbers, double write_seconds,
                         const options *o) {
  report_text(r, "graph", o->graph);
  report_text(r, "kind", g->edges.kind);
  report_text(r, "written", o->out);
  if (numbers != NULL) report_text(r, "numbers", numbers);
  report_count(r, "vertices", g->n);
  report_count(r, "entries", g->ordering.entries);
  graph_ordering_report(r, g, o);
  report_number(r, "read_seconds", g->read_seconds);
  report_number(r, "write_seconds", write_seconds);
}

static int read_and_order(graph *g, const options *o) {
  const uint64_t P = (uint64_t)Grid_size();
  const int status = graph_read_any(g, o);
  if (status != STATUS_OK) return status;
  g->n = g->edges.nrows;
  if (g->n == 0) return fail(STATUS_INPUT, "%s: the graph has no vertices", o->graph);
  return graph_order(g,
                     o->parts > 0      ? o->parts
                     : P > LEAST_PARTS ? P
                                       : LEAST_PARTS,
                     g->edges.symmetric || g->edges.skew ? Grid_MIRROR : 0, o);
}

static int order(report *r, graph *g, const options *o) {
  output numbers = {NULL, NULL, NULL};
  char *path = NULL;
  int status = read_and_order(g, o);
  const double start = clock_now();
  if (status == STATUS_OK) status = choose_numbers_path(&path, o);
  if (status == STATUS_OK) status = output_open(&numbers, path);
  if (status == STATUS_OK && path != NULL) status = write_numbers(&numbers, g);
  if (status == STATUS_OK) status = write_graph(g, o);
  if (status == STATUS_OK) status = output_commit(&numbers);
  const double seconds = clock_slowest(start);
  output_discard(&numbers);
  if (status == STATUS_OK) report_files(r, g, path, seconds, o);
  free(path);
  return status;
}

int cmd_order(const command *c, const options *o) {
  (void)c;
  return graph_described(o, order);
}
