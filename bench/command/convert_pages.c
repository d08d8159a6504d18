/* gridblas convert GRAPH OUT.pages: passes tuples to the library segment by segment, which sorts them on
 * disk next to OUT where they exceed memory. */
#include "bench/command/commands.h"
#include "bench/program/graph/tuples.h"

static int flags_of(const options *o) {
  return (o->undirected ? Grid_MIRROR : 0) | (o->no_loops ? Grid_NO_LOOPS : 0) |
         (o->by_degree ? Grid_BY_DEGREE : 0) | o->duplicates;
}

/* A segment of a generated graph. */
static int convert_generated(graph *g, const options *o, Grid_Pages_Build_Stats *how) {
  Grid_Pages_Builder b;
  tuples t = {.g = NULL};
  GrB_Info info = Grid_Pages_begin(&b, o->out, g->edges.nrows, g->edges.ncols, false, flags_of(o));
  if (info != GrB_SUCCESS) return fail_library(NULL);
  const int status = tuples_open(&t, g);
  if (status != STATUS_OK) info = GrB_OUT_OF_MEMORY;
  while (info == GrB_SUCCESS && tuples_next(&t)) info = Grid_Pages_append(b, t.rows, t.cols, NULL, t.count);
  tuples_close(&t);
  info = Grid_Pages_end(&b, info, how);
  if (status != STATUS_OK) return status;
  return info == GrB_SUCCESS ? STATUS_OK : fail_library(NULL);
}

static int report_conversion(report *r, const graph *g, const Grid_Pages_Build_Stats *how, double seconds,
                             const options *o) {
  const Grid_Edges *e = &g->edges;
  Grid_Pages_Info p;
  uint64_t peak;
  if (Grid_pages_info(&p, o->out) != GrB_SUCCESS) return fail_library(NULL);
  report_text(r, "graph", o->graph);
  report_text(r, "kind", e->kind);
  report_text(r, "written", o->out);
  report_count(r, "rows", p.nrows);
  report_count(r, "columns", p.ncols);
  report_count(r, "tuples", e->total);
  report_text(r, "storage_in_file", p.skew ? "skew-symmetric" : p.symmetric ? "symmetric" : "general");
  report_text(r, "order_in_file", p.named ? "by degree" : "as numbered");
  report_text(r, "values", p.pattern ? "pattern" : "numbers");
  report_count(r, "entries", p.nvals);
  report_count(r, "duplicates", p.tuples - p.nvals);
  report_count(r, "pages", p.pages);
  report_count(r, "pages_bytes", p.page_bytes);
  report_count(r, "file_bytes", p.bytes);
  report_count(r, "runs", how->runs);
  report_count(r, "run_bytes", how->run_bytes);
  Grid_memory(&peak, false);
  if (Grid_max(&peak, 1) != GrB_SUCCESS) return fail_library("memory");
  report_count(r, "memory_budget_bytes", Grid_memory_budget());
  report_count(r, "memory_peak_bytes", peak);
  report_number(r, "write_seconds", seconds);
  return STATUS_OK;
}

int convert_to_pages(report *r, const options *o) {
  graph g = {.in_segments = true};
  Grid_Pages_Build_Stats how = {0, 0, 0};
  bool generated;
  const double start = clock_now();
  progress("writing %s", o->out);
  int status = graph_generate(&g, o, &generated);
  if (status == STATUS_OK && generated) status = convert_generated(&g, o, &how);
  if (status == STATUS_OK && !generated &&
      Grid_Pages_convert(o->out, o->graph, o->from, o->pattern, flags_of(o), &g.edges, &how) != GrB_SUCCESS)
    status = fail_library(NULL);
  const double seconds = clock_slowest(start);
  if (status == STATUS_OK) status = report_conversion(r, &g, &how, seconds, o);
  graph_close(&g);
  return status;
}
