/* gridblas convert: converts a graph's file to another format. */
#include <stdlib.h>
#include <string.h>

#include "bench/command/commands.h"

/* The tuples to write: the edges as they were read, without those left out, or arrays owned here. */
typedef struct {
  Grid_Edges edges;
  bool owns_arrays;
} output_edges;

static void drop_loops(Grid_Edges *e) {
  uint64_t to = 0;
  for (uint64_t k = 0; k < e->n; k++) {
    if (e->rows[k] == e->cols[k]) continue;
    e->rows[to] = e->rows[k];
    e->cols[to] = e->cols[k];
    if (e->values != NULL) e->values[to] = e->values[k];
    to++;
  }
  e->n = to;
}

/* The lower triangle of this process's entries. */
static GrB_Info extract_lower(output_edges *w, GrB_Matrix A) {
  Grid_Edges *e = &w->edges;
  GrB_Index n = UINT64_MAX;
  GrB_Info info = Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, A);
  uint64_t *rows = malloc((n + 1) * sizeof *rows), *cols = malloc((n + 1) * sizeof *cols);
  double *values = e->pattern ? NULL : malloc((n + 1) * sizeof *values);
  if (info == GrB_SUCCESS && (rows == NULL || cols == NULL || (values == NULL && !e->pattern)))
    info = GrB_OUT_OF_MEMORY;
  if (info == GrB_SUCCESS) info = Grid_Matrix_extractLocal(rows, cols, values, &n, A);
  w->owns_arrays = true;
  e->rows = rows;
  e->cols = cols;
  e->values = values;
  e->n = 0;
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) {
    if (rows[k] < cols[k]) continue;
    rows[e->n] = rows[k];
    cols[e->n] = cols[k];
    if (values != NULL) values[e->n] = values[k];
    e->n++;
  }
  return info;
}

static int make_symmetric(output_edges *w) {
  Grid_Edges *e = &w->edges;
  GrB_Matrix A = NULL;
  if (e->nrows != e->ncols)
    return fail(STATUS_INPUT, "--undirected is for square matrices, and this one is %llu x %llu",
                (unsigned long long)e->nrows, (unsigned long long)e->ncols);
  GrB_Info info = GrB_Matrix_new(&A, e->pattern ? GrB_BOOL : GrB_FP64, e->nrows, e->ncols);
  if (info == GrB_SUCCESS)
    info = Grid_Matrix_build(A, e->rows, e->cols, e->pattern ? NULL : e->values, e->pattern ? NULL : GrB_FP64,
                             e->n, e->pattern ? NULL : GrB_MIN_FP64, Grid_MIRROR);
  if (info == GrB_SUCCESS) info = Grid_agree(extract_lower(w, A), "no memory for the edges");
  GrB_Matrix_free(&A);
  e->symmetric = true, e->skew = false;
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("counting edges both ways");
}

static void report_conversion(report *r, const graph *g, const output_edges *w, double seconds,
                              const options *o) {
  const Grid_Edges *e = &w->edges;
  report_text(r, "graph", o->graph);
  report_text(r, "kind", g->edges.kind);
  report_text(r, "written", o->out);
  report_count(r, "rows", e->nrows);
  report_count(r, "columns", e->ncols);
  report_count(r, "tuples", e->total);
  report_text(r, "storage_in_file", e->skew ? "skew-symmetric" : e->symmetric ? "symmetric" : "general");
  report_text(r, "values", e->pattern ? "pattern" : "numbers");
  report_number(r, "read_seconds", g->read_seconds);
  report_number(r, "write_seconds", seconds);
}

static int convert(report *r, graph *g, const options *o) {
  output_edges w = {.edges = g->edges};
  Grid_Edges *e = &w.edges;
  int status = STATUS_OK;
  if (o->pattern) e->pattern = true, e->symmetric |= e->skew, e->skew = false, e->values = NULL;
  if (o->no_loops) drop_loops(e);
  if (o->undirected && !e->symmetric) status = make_symmetric(&w);
  e->total = e->n;
  if (status == STATUS_OK && Grid_sum(&e->total, 1) != GrB_SUCCESS) status = fail_library("counting edges");
  const double start = clock_now();
  if (status == STATUS_OK) {
    progress("writing %s", o->out);
    if (Grid_write(e, o->out, o->to) != GrB_SUCCESS) status = fail_library(NULL);
  }
  const double seconds = clock_slowest(start);
  if (status == STATUS_OK) report_conversion(r, g, &w, seconds, o);
  if (w.owns_arrays) {
    free(e->rows);
    free(e->cols);
    free(e->values);
  }
  return status;
}

bool writes_pages(const options *o) {
  static const char ending[] = ".pages";
  const size_t n = strlen(o->out), length = sizeof ending - 1;
  if (o->to != NULL) return strcmp(o->to, "pages") == 0;
  return n > length && strcmp(o->out + n - length, ending) == 0;
}

static int read_and_convert(report *r, graph *g, const options *o) {
  if (writes_pages(o)) return convert_to_pages(r, o);
  if (o->by_degree || o->duplicates)
    return fail(STATUS_INPUT, "--%s is for files of pages, and %s is none",
                o->by_degree ? "by-degree" : "duplicates", o->out);
  const int status = graph_read_any(g, o);
  return status == STATUS_OK ? convert(r, g, o) : status;
}

int cmd_convert(const command *c, const options *o) {
  (void)c;
  return graph_described(o, read_and_convert);
}
