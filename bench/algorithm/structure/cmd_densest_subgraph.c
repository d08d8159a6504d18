/* gridblas densest-subgraph. number[0]: its density. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_densest_subgraph.h"

static GrB_Info run(job *j) {
  return Grid_densest_subgraph(answer_vector(j, 0, "member", false), &j->number[0], j->g->A);
}

static int report_results(job *j) {
  GrB_Index vertices = 0;
  GrB_Vector_nvals(&vertices, j->answer[0].v);
  report_count(j->r, "vertices_in_subgraph", vertices);
  report_number(j->r, "density", j->number[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_densest_subgraph(&e->graph, e->value[0], j->number[0], text, capacity);
}

const algorithm algorithm_densest_subgraph = {
    .command = {.name = "densest-subgraph",
                .example = "densest-subgraph GRAPH",
                .summary = "vertices with many edges among them",
                .about =
                    "A dense subgraph: vertices with many edges among them. The density is the number of "
                    "these edges by that of the vertices; no subgraph has more than twice the density. Edges "
                    "count in both directions, and once.",
                .answer = "`vertex 1` for every vertex of the subgraph",
                .accepts = OPT_ANSWER,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked =
        "the density is that of the subgraph, at least half of the density that a serial computation finds",
};
