/* The common part of commands that read a graph and describe it. */
#include "bench/program/program.h"

int graph_described(const options *o, int (*describe)(report *r, graph *g, const options *o)) {
  graph g = {.n = 0};
  output json = {NULL, NULL, NULL};
  report *r = report_new();

  int status = fail_on_any(STATUS_INPUT, Grid_rank() == 0 && r == NULL ? "not enough memory" : NULL);
  if (status == STATUS_OK) status = output_open(&json, o->json);
  if (status == STATUS_OK) status = describe(r, &g, o);
  if (status == STATUS_OK) status = report_json(r, &json);
  if (status == STATUS_OK) status = output_commit(&json);
  progress(NULL);
  if (status == STATUS_OK) report_print(r, output_report_stream(o));
  output_discard(&json);
  report_free(r);
  graph_close(&g);
  return status;
}
