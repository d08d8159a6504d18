/* gridblas max-flow. number[0]: the value; count[0]: the vertices on the source's side of the cut. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_max_flow.h"

static GrB_Info run(job *j) {
  GrB_Vector side = NULL;
  if (j->nsources != 2)
    return Grid_agree(GrB_INVALID_VALUE, "a flow has a source and a sink: --sources SOURCE,SINK");
  GrB_Info info = Grid_max_flow(&j->number[0], &j->matrix, &side, j->g->A, j->source[0], j->source[1]);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&j->count[0], side);
  GrB_Vector_free(&side);
  return info;
}

static int report_results(job *j) {
  GrB_Index edges = 0;
  const GrB_Info info = GrB_Matrix_nvals(&edges, j->matrix);
  report_number(j->r, "flow", j->number[0]);
  report_count(j->r, "edges_in_use", edges);
  report_count(j->r, "vertices_on_the_source_side", j->count[0]);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_max_flow(&e->graph, j->source[0], j->source[1], j->number[0], e->matrix.row, e->matrix.col,
                        e->matrix.value, e->matrix.n, text, capacity);
}

const algorithm algorithm_max_flow = {
    .command = {.name = "max-flow",
                .example = "max-flow GRAPH --sources V,V",
                .summary = "a maximum flow between two vertices, and a minimum cut",
                .about = "A maximum flow from the first to the second vertex of --sources. Weights are the "
                         "capacities of the edges. Its value is also the least capacity of edges without "
                         "which nothing flows, those from the source's side of a minimum cut to the other.",
                .answer = "`vertex vertex flow` for every edge that is used, in no order",
                .accepts = OPT_DIRECTED | OPT_ANSWER | OPT_WEIGHTS | OPT_SOURCES | NEEDS_SOURCES,
                .work = WORK_PRODUCTS},
    .entry = "flow",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "it is a flow, and no path in the residual graph is left",
};
