/* gridblas reciprocity. number[0]: that of the graph. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_reciprocity.h"

static GrB_Info run(job *j) {
  return Grid_reciprocity(&j->number[0], answer_vector(j, 0, "reciprocity", false), j->g->A);
}

static int report_results(job *j) {
  report_number(j->r, "reciprocity", j->number[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_reciprocity(&e->graph, j->number[0], e->value[0], text, capacity);
}

const algorithm algorithm_reciprocity = {
    .command = {.name = "reciprocity",
                .example = "reciprocity GRAPH",
                .summary = "reciprocity of a directed graph: edges that have a reverse",
                .about = "The share of a directed graph's edges whose reverse is an edge, too, and for each "
                         "vertex the share among the edges from it and to it. Use --directed: without it all "
                         "edges have a reverse.",
                .answer = "`vertex reciprocity` for every vertex",
                .accepts = OPT_DIRECTED | OPT_ANSWER,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the shares are those of a serial count",
};
